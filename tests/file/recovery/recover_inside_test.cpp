// Damaged saves whose values, or lengths, hold a document: what of that can be read, back in the
// value that it was in.
#include <gtest/gtest.h>

#include "gdvar/file/recover.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/gdvar.hpp"

namespace gdvar::test {
namespace {

constexpr std::string_view sound_json =
    R"({"player": {"name": "x", "gold": 12}, "items": [1, 2, 3, {"a": "sword"}], "level": 4})";
constexpr std::string_view cut_json =
    R"({"player": {"name": "x", "gold": 12}, "items": [1, 2, 3, {"a": "sw)";
constexpr std::string_view mended_json =
    R"({"player": {"name": "x", "gold": 12}, "items": [1, 2, 3, {}]})";

std::string word(std::size_t number) {
    std::string out(4, '\0');
    for (std::size_t i = 0; i < 4; ++i)
        out[i] = static_cast<char>(number >> (8 * i));
    return out;
}
std::string sized(std::string_view content) {
    return word(content.size()) + std::string(content);
}
/// A packet of a String (4), or of a PackedByteArray of Godot 4 (29).
std::string packet(std::size_t type, std::string_view content) {
    std::string out = word(type) + sized(content);
    out.resize((out.size() + 3) / 4 * 4);
    return out;
}

struct Told {
    std::string stack, bytes, lost;
    std::vector<std::string> notes;
    bool sound = false;
};

Told recovered(std::string_view bytes, const SaveOptions& options = {}) {
    Told out;
    const auto recovery = recover_save(as_bytes(bytes), options);
    if (!recovery) {
        out.stack = to_string(recovery.error());
        return out;
    }
    out.stack = stack_in_words(recovery->layers(), recovery->kind().seen_as);
    std::vector<std::byte> written;
    MemoryTarget to(written);
    EXPECT_TRUE(recovery->write(to, nullptr));
    out.bytes = detail::as_text(written.data(), written.size());
    for (const LostRange& range : recovery->lost())
        out.lost += range.at + "|";
    out.notes = recovery->notes();
    out.sound = recovery->sound();
    return out;
}
std::string note_of(const Told& told) {
    return told.notes.size() == 1 ? told.notes[0] : std::to_string(told.notes.size()) + " notes";
}

TEST(RecoverInside, SoundValuesStayAsTheyAre) {
    for (const std::string& save :
         {sized(packet(4, sound_json)), packet(4, sound_json), sized(sound_json),
          "\"" + std::string("{\\\"a\\\": [1, 2]}") + "\""}) {
        const Told told = recovered(save);
        EXPECT_TRUE(told.sound) << told.stack;
        EXPECT_EQ(told.bytes, save);
        EXPECT_TRUE(told.stack.ends_with(" > json")) << told.stack;
    }
    // Bytes that hold no document for certain are a value.
    for (const std::string_view text : {"hello = world", "[b]pos=1[/b]", "12", "{}", "{\"a\" = 1"})
        EXPECT_EQ(recovered(sized(packet(4, text))).stack, "records") << text;
    EXPECT_EQ(recovered(sized(packet(4, sound_json)), {.values = false}).stack, "records");
}

TEST(RecoverInside, DamagedDocumentsInSoundValues) {
    Told told = recovered(sized(packet(4, cut_json)));
    EXPECT_EQ(told.stack, "records > string > json");
    EXPECT_EQ(told.bytes, sized(packet(4, mended_json)));
    EXPECT_EQ(told.lost, "$.items[3].a|");
    told = recovered(packet(29, cut_json));
    EXPECT_EQ(told.stack, "godot-4.4 packet > bytes > json");
    EXPECT_EQ(told.bytes, packet(29, mended_json));
    told = recovered(R"("{\"a\": [1, 2], \"b\": [3, {\"c\": \"x")");
    EXPECT_EQ(told.stack, "json > string > json");
    EXPECT_EQ(told.bytes, R"("{\"a\": [1, 2], \"b\": [3, {}]}")");
    EXPECT_EQ(told.lost, "$.b[1].c|");
    told = recovered(R"(&"{\"a\": [1, 2], \"b\": [3, {\"c\": \"x")");
    EXPECT_EQ(told.stack, "text > string-name > json");
}

TEST(RecoverInside, ValuesThatAreCut) {
    for (const bool record : {false, true})
        for (const std::size_t type : {std::size_t{4}, std::size_t{29}}) {
            const auto wrapped = [&](std::string_view json) {
                return record ? sized(packet(type, json)) : packet(type, json);
            };
            std::string save = wrapped(sound_json);
            save.resize(save.size() - 25);
            const Told told = recovered(save);
            EXPECT_TRUE(told.stack.ends_with(type == 4 ? " > string > json" : " > bytes > json"))
                << told.stack;
            EXPECT_EQ(told.bytes, wrapped(mended_json));
            EXPECT_TRUE(note_of(told).ends_with("the value breaks off: 22 more bytes are missing"))
                << note_of(told);
        }
    const Told told = recovered(R"("{\"a\": [1, 2], \"b\": [3, {\"c\": \)");
    EXPECT_EQ(told.bytes, R"("{\"a\": [1, 2], \"b\": [3, {}]}")");
    EXPECT_EQ(note_of(told), "string: the String breaks off: its quote is missing");
    // A quote in place of the first byte makes no String of all lines.
    EXPECT_EQ(recovered("\"types]\n\nx=1\ny=2\nz=[1, 2]\n").stack, "config");
    // Each cut of a value gives what is before it, or nothing, and never something else.
    const std::string save = sized(packet(4, sound_json));
    std::size_t given = 0;
    for (std::size_t n = 24; n < save.size(); ++n) {
        const Told cut = recovered(save.substr(0, n));
        if (!cut.stack.ends_with(" > json"))
            continue;
        ++given;
        const std::string_view json = std::string_view(cut.bytes).substr(12);
        const std::size_t same =
            static_cast<std::size_t>(std::ranges::mismatch(json, sound_json).in1 - json.begin());
        EXPECT_EQ(json.substr(same).find_first_not_of(std::string_view("]}\0", 3)), json.npos)
            << json;
    }
    EXPECT_GE(given, 55u);
}

TEST(RecoverInside, Pascal) {
    std::string save = sized(sound_json);
    Told told = recovered(save.substr(0, save.size() - 20));
    EXPECT_EQ(told.stack, "pascal > json");
    EXPECT_EQ(told.bytes, sized(mended_json));
    EXPECT_EQ(note_of(told), "pascal: the length is 85, and 65 bytes are there");
    save[0] = 7;
    told = recovered(save);
    EXPECT_EQ(told.bytes, sized(sound_json));
    told = recovered(sized(cut_json));
    EXPECT_EQ(told.stack, "pascal > json");
    EXPECT_EQ(told.bytes, sized(mended_json));
    save = sized(sound_json);
    save[save.find("sword")] = '\xFF';
    told = recovered(save);
    EXPECT_EQ(told.stack, "pascal > json");
    EXPECT_FALSE(told.sound) << "Godot 3.2 does not read it";
    told = recovered(
        sized("[audio]\nvolume=0.5\n[video]\nsize={\"x\": 640, \"y\": [48, 5").substr(0, 56));
    EXPECT_EQ(told.bytes, sized("[audio]\nvolume=0.5\n[video]\nsize={\"x\": 640, \"y\": [48]}\n"));
}

TEST(RecoverInside, NamedValues) {
    const auto dictionary = [](std::string_view json, bool more) {
        return word(27) + word(more ? 2 : 1) + packet(4, "data") + packet(4, json) +
               (more ? packet(4, "n") + word(2) + word(5) : "");
    };
    Told told = recovered(sized(dictionary(cut_json, true)), {.inside = {"#0 $.data"}});
    EXPECT_EQ(told.stack, "godot-4.4 records > string at #0 $.data > json");
    EXPECT_EQ(told.bytes, sized(dictionary(mended_json, true)));
    EXPECT_TRUE(told.notes.empty());
    // The document around the value is damaged, too.
    std::string save = sized(dictionary(cut_json, true));
    save.resize(save.size() - 6);
    told = recovered(save, {.inside = {"#0 $.data"}});
    EXPECT_EQ(told.bytes, sized(dictionary(mended_json, false)));
    ASSERT_EQ(told.notes.size(), 2u);
    EXPECT_TRUE(told.notes[0].starts_with("around the string at #0 $.data: 2 bytes from byte 112"))
        << told.notes[0];
    told = recovered("[a]\nx=\"1\nsave=\"{\\\"a\\\": [1, 2\"\n", {.inside = {"$.a.save"}});
    EXPECT_EQ(told.bytes, "[a]\nsave=\"{\\\"a\\\": [1]}\"\n");
    EXPECT_EQ(told.lost, "$.a[1]|");
    ASSERT_EQ(told.notes.size(), 1u);
    EXPECT_EQ(told.notes[0],
              "around the string at $.a.save: 5 bytes from line 2 on are lost ($.a.x): the string "
              "has no end");
    EXPECT_TRUE(recovered("[a]\nx=1\n", {.inside = {"$.a.y"}}).stack.starts_with("error["));
    EXPECT_TRUE(
        recovered("[a]\nx=1\n", {.inside = {"$.a.x"}}).stack.starts_with("error[wrong_type"));
}

// A String in a String in a String: the search ends.
TEST(RecoverInside, ManyLevels) {
    std::string save(sound_json);
    for (int i = 0; i < 12; ++i)
        save = packet(4, save);
    EXPECT_FALSE(recovered(save).bytes.empty());
    save.resize(save.size() - 30);
    const Told told = recovered(save);
    EXPECT_FALSE(told.sound);
}

}  // namespace
}  // namespace gdvar::test
