// Two saves compared, one patched, one converted: as whole saves, in their layers.
#include "gdvar/file/save_patch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "gdvar/inspect/renames.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

std::string text_of(const SaveFile& save) {
    const auto bytes = save.bytes();
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                 : to_string(bytes.error());
}
SaveFile read(std::string_view text, const SaveOptions& options = {}) {
    auto save = read_save(as_bytes(text), options);
    EXPECT_TRUE(save) << to_string(save.error());
    return *std::move(save);
}
SaveFile records(const std::vector<Variant>& values) {
    Bytes bytes;
    MemoryTarget target(bytes);
    RecordWriter writer(target);
    for (const Variant& value : values)
        EXPECT_TRUE(writer.store_packet(as_bytes(encode(value).value())));
    auto save = read_save(bytes, {.dialect = &dialects::godot_4_4});
    EXPECT_TRUE(save) << to_string(save.error());
    return *std::move(save);
}
SaveFile settings(const std::vector<std::pair<std::string, Variant>>& values) {
    std::vector<PackedByteArray> packets;
    for (const auto& [name, value] : values)
        packets.push_back(encode(value).value());
    std::vector<ProjectEntry> entries;
    for (std::size_t i = 0; i < values.size(); ++i)
        entries.push_back({values[i].first, 0, as_bytes(packets[i])});
    auto save = read_save(write_project(entries).value(), {.dialect = &dialects::godot_4_4});
    EXPECT_TRUE(save) << to_string(save.error());
    return *std::move(save);
}
Variant player(std::int64_t hp, const char* name = "Ada") {
    return Variant(Dictionary{{"hp", hp}, {"name", name}, {"raw", PackedByteArray{1, 2, 3}}});
}

void expect_patched(SaveFile from, const SaveFile& to, std::size_t changes) {
    const auto patch = diff_saves(from, to);
    ASSERT_TRUE(patch) << to_string(patch.error());
    EXPECT_EQ(patch->size(), changes);
    const auto done = patch_save(from, *patch);
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(text_of(from), text_of(to));
    EXPECT_EQ(from.changed(), changes != 0);
    EXPECT_TRUE(diff_saves(from, to)->empty());
}

TEST(SavePatch, RecordsComeGoAndChange) {
    expect_patched(records({player(1), player(2), 3}), records({player(1), player(2), 3}), 0);
    expect_patched(records({player(1), player(2), 3}), records({player(1), player(9), 3}), 1);
    expect_patched(records({player(1), 2, 3}), records({player(1), 3}), 1);
    expect_patched(records({1, player(2)}), records({1, "new", player(2), "end"}), 2);
}

TEST(SavePatch, SettingsComeGoChangeAndMove) {
    expect_patched(settings({{"a", 1}, {"b", player(2)}}),
                   settings({{"a", 1}, {"b", player(3)}, {"c", "new"}}), 2);
    expect_patched(settings({{"a", 1}, {"b", 2}}), settings({{"b", 2}, {"a", 1}}), 1);
    expect_patched(settings({{"a", 1}, {"b", 2}}), settings({{"b", 2}}), 1);
}

// ---- texts of sections -------------------------------------------------------------------------

/// Random ConfigFiles, resources and scenes whose sections, keys and order differ.
class RandomSections {
public:
    explicit RandomSections(std::uint64_t seed)
        : random_(seed), crlf_(below(4) == 0), joins_(below(4) == 0) {}

    std::string config() {
        std::string out;
        if (below(4) == 0)
            out += lines("=") + gap();
        for (const char* name : some({"audio", "video", "w/x", "y", "z"}))
            out += comment() + "[" + name + "]" + separator() + lines("=") + gap();
        return ended(std::move(out));
    }
    std::string resource(bool scene) {
        const auto ext = some({"1", "2", "3"}), sub = some({"A", "B", "C", "D"});
        std::string out = scene ? "[gd_scene" : "[gd_resource type=\"Resource\"";
        out += " load_steps=" + std::to_string(ext.size() + sub.size() + 1) + " format=3";
        out += attributes() + "]\n" + gap();
        for (const char* id : ext)
            out += "[ext_resource path=\"res://" + std::string(id) + ".png\"" + attributes() +
                   " type=\"Texture2D\" id=\"" + id + "\"]\n";
        out += gap();
        for (const char* id : sub)
            out += comment() + "[sub_resource type=\"Curve\" id=\"" + id + "\"]\n" + lines(" = ") +
                   gap();
        out += scene ? "[node name=\"Root\" type=\"Node\"]\n" : "[resource]\n";
        out += lines(" = ") + gap();
        if (!scene)
            return ended(std::move(out));
        for (const char* name : some({"P", "Q", "R", "S"}))
            out += comment() + "[node name=\"" + name + "\" type=\"Node\" parent=\".\"" +
                   attributes() + "]\n" + lines(" = ") + gap();
        return ended(std::move(out));
    }

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    std::string number() { return std::to_string(below(4)); }
    std::string gap() { return std::string(below(3), '\n'); }
    std::string line_end() { return below(6) ? "\n" : "\n\n"; }
    /// Several rows may stand on one line.
    std::string separator() { return joins_ && !below(6) ? " " : line_end(); }
    std::string comment() { return below(6) ? "" : "; about " + number() + "\n"; }
    std::string attributes() { return below(2) ? " extra=" + number() : ""; }

    std::vector<const char*> some(std::vector<const char*> names) {
        std::ranges::shuffle(names, random_);
        names.resize(below(names.size() + 1));
        return names;
    }
    std::string value() {
        switch (below(5)) {
            case 0:
                return "\"" + number() + "\"";
            case 1:
                return "[" + number() + ", " + number() + "]";
            case 2:
                return "{\n\"k\": " + number() + ",\n\"l\": " + number() + "\n}";
            default:
                return number();
        }
    }
    std::string lines(const std::string& equals) {
        std::string out;
        for (const char* key : some({"a", "b", "c", "d", "e", "f"})) {
            out += comment() + key + equals + value();
            out += below(8) ? "" : " ; here";
            out += out.ends_with("here") ? line_end() : separator();
        }
        return out;
    }
    /// The last line may have no break.
    std::string ended(std::string text) {
        if (below(3) == 0)
            text.erase(text.find_last_not_of('\n') + 1);
        if (!crlf_)
            return text;
        std::string out;
        for (const char c : text)
            out += c == '\n' ? "\r\n" : std::string(1, c);
        return out;
    }

    std::mt19937_64 random_;
    bool crlf_, joins_;
};

void expect_same_values(const std::string& from_text, const std::string& to_text, InputKind kind) {
    auto from = read_save(as_bytes(from_text), {.as = kind});
    const auto to = read_save(as_bytes(to_text), {.as = kind});
    const std::string both = from_text + "\n---- to\n" + to_text;
    ASSERT_TRUE(from && to) << both;
    const auto patch = diff_saves(*from, *to);
    ASSERT_TRUE(patch) << to_string(patch.error());
    const auto done = patch_save(*from, *patch);
    ASSERT_TRUE(done) << to_string(done.error()) << "\n" << both;
    EXPECT_TRUE(diff_saves(*from, *to)->empty()) << both << "\n---- is\n" << text_of(*from);
    const auto again = read_save(as_bytes(text_of(*from)), {.as = kind});
    ASSERT_TRUE(again) << text_of(*from);
    EXPECT_TRUE(diff_saves(*again, *to)->empty()) << both << "\n---- is\n" << text_of(*from);
}

TEST(SavePatch, SectionsMoveAndChangeAtOnce) {
    for (std::uint64_t seed = 0; seed < 1500 && !HasFailure(); ++seed) {
        RandomSections random(seed);
        const std::string settings = random.config();
        expect_same_values(settings, random.config(), InputKind::config);
        for (const bool scene : {false, true}) {
            const std::string was = random.resource(scene);
            expect_same_values(was, random.resource(scene), InputKind::resource);
        }
    }
}

TEST(SavePatch, MovedSectionsKeepTheirLayout) {
    const auto patched = [](const std::string& from_text, const std::string& to_text) {
        auto from = read_save(as_bytes(from_text), {.as = InputKind::config}).value();
        const auto to = read_save(as_bytes(to_text), {.as = InputKind::config}).value();
        return patch_save(from, diff_saves(from, to).value()) ? text_of(from) : "";
    };
    const std::string was = "[audio]\nvolume=1\n\n; of the screen\n[video]\nw=2 ; wide\nh=3\n";
    EXPECT_EQ(patched(was, "[video]\nw=2\n\n[audio]\nvolume=1\n"),
              "; of the screen\n[video]\nw=2 ; wide\n\n[audio]\nvolume=1\n");
    EXPECT_EQ(patched(was, "[video]\nw=2\nh=3\n[new]\nk=1\n[audio]\nvolume=5\nmuted=true\n"),
              "; of the screen\n[video]\nw=2 ; wide\nh=3\n\n[new]\nk=1\n\n"
              "[audio]\nvolume=5\nmuted=true\n");
}

TEST(SavePatch, OtherBytesStay) {
    // A record whose last value lacks its padding, and one with bytes behind its value.
    const PackedByteArray odd = encode(PackedByteArray{1, 2, 3, 4, 5}).value();
    const ByteView cut = as_bytes(odd).first(odd.size() - 3);
    const PackedByteArray seven = encode(7).value();
    Bytes loose(as_bytes(seven).begin(), as_bytes(seven).end());
    loose.insert(loose.end(), 4, std::byte{0xEE});
    Bytes bytes;
    MemoryTarget target(bytes);
    RecordWriter writer(target);
    const PackedByteArray first = encode(player(1)).value();
    for (const ByteView packet : {as_bytes(first), cut, ByteView(loose)})
        ASSERT_TRUE(writer.store_packet(packet));
    auto save = read_save(bytes, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(save) << to_string(save.error());
    ASSERT_EQ(save->items().size(), 3u);
    const auto done = patch_save(
        *save, {{inspect::Change::set, Array{0, "hp"}, 5}, {inspect::Change::insert, Array{1}, 0}});
    ASSERT_TRUE(done) << to_string(done.error());
    ASSERT_EQ(save->items().size(), 4u);
    EXPECT_EQ(save->get<std::int64_t>("#0 $.hp").value(), 5);
    EXPECT_TRUE(std::ranges::equal(save->items()[2].packet, cut));
    EXPECT_TRUE(std::ranges::equal(save->items()[3].packet, loose));
    // A change of that value would lose them.
    const auto lost = patch_save(*save, {{inspect::Change::set, Array{3}, 8}});
    EXPECT_EQ(lost.error().code, Errc::trailing_bytes);
    EXPECT_TRUE(std::ranges::equal(save->items()[3].packet, loose));
    auto packet = read_save(loose, {.dialect = &dialects::godot_4_4, .as = InputKind::packet});
    ASSERT_TRUE(packet) << to_string(packet.error());
    EXPECT_EQ(patch_save(*packet, {{inspect::Change::set, Array{}, 8}}).error().code,
              Errc::trailing_bytes);
    EXPECT_EQ(packet->bytes().value(), loose);
}

TEST(SavePatch, TextsKeepTheirLayout) {
    SaveFile from = read("; mine\n[audio]\nvolume = 1 ; loud\nmuted=false\n");
    const SaveFile to = read("[audio]\nvolume=2\nmuted=false\ndevice=\"x\"\n");
    const auto patch = diff_saves(from, to);
    ASSERT_TRUE(patch && patch->size() == 2);
    ASSERT_TRUE(patch_save(from, *patch));
    EXPECT_EQ(text_of(from), "; mine\n[audio]\nvolume = 2 ; loud\nmuted=false\ndevice = \"x\"\n");
    SaveFile lines = read("{\"hp\": 1}\n{ \"hp\":  2, \"n\": 1.50 }\n{\"hp\": 3}\n");
    const SaveFile others = read("{\"hp\": 1}\n{\"hp\": 7, \"n\": 1.5}\n{\"hp\": 3}\n{\"x\": 0}\n");
    const auto more = diff_saves(lines, others);
    ASSERT_TRUE(more && more->size() == 2);
    ASSERT_TRUE(patch_save(lines, *more));
    EXPECT_EQ(text_of(lines), "{\"hp\": 1}\n{ \"hp\":  7, \"n\": 1.50 }\n{\"hp\": 3}\n{\"x\":0}\n");
}

TEST(SavePatch, WhatIsRefusedLeavesTheSave) {
    SaveFile save = records({player(1), 2});
    const auto refuse = [&](const inspect::Patch& patch, Errc code, std::size_t change) {
        const auto done = patch_save(save, patch);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, code) << to_string(done.error());
        EXPECT_EQ(done.error().change, change);
        EXPECT_FALSE(save.changed());
    };
    const inspect::Change good{inspect::Change::set, Array{0, "hp"}, 5};
    refuse({good, {inspect::Change::set, Array{5, "hp"}, 5}}, Errc::bad_path, 1);
    refuse({good, {inspect::Change::remove, Array{2}, {}}}, Errc::bad_path, 1);
    refuse({good, {inspect::Change::set, Array{1}, Variant(Object("Node"))}},
           Errc::objects_forbidden, 1);
    refuse({{inspect::Change::remove, Array{0}, {}}, {inspect::Change::remove, Array{0}, {}}},
           Errc::misplaced, inspect::PatchError::in_packet);
    SaveFile json = read("{\"a\": 1}");
    const auto vector = patch_save(json, {{inspect::Change::set, Array{"a"}, Vector2{1, 2}}});
    ASSERT_FALSE(vector);
    EXPECT_EQ(vector.error().code, Errc::not_in_dialect);
    EXPECT_EQ(text_of(json), "{\"a\": 1}");
    EXPECT_EQ(diff_saves(save, json).error().code, Errc::wrong_type);
    EXPECT_EQ(diff_saves(settings({{"a", 1}, {"a", 2}}), settings({{"a", 1}})).error().code,
              Errc::duplicate_key);
}

// ---- converted

struct Converted {
    std::expected<Bytes, DocumentError> bytes;
    std::vector<std::string> losses;
};
Converted convert(const SaveFile& save, const Dialect& to,
                  const std::vector<Layer>* layers = nullptr) {
    Converted out;
    Losses losses;
    losses.each = [&](std::string_view path, std::string_view what) {
        out.losses.push_back(std::string(path) + ": " + std::string(what));
    };
    inspect::ConversionReport report{losses};
    out.bytes = save.convert(to, inspect::Renames::godot_3_to_4(), report, layers);
    return out;
}

TEST(SaveConvert, RecordsInOtherLayers) {
    SaveFile save = records({player(1), Variant(Dictionary{{"at", StringName("here")}})});
    ASSERT_TRUE(save.set("#0 $.hp", 8));
    const auto layers = find_layers("gzip").value();
    const auto done = convert(save, dialects::godot_3_1, &layers);
    ASSERT_TRUE(done.bytes);
    ASSERT_EQ(done.losses.size(), 1u);
    EXPECT_TRUE(done.losses[0].starts_with("#1 $.at: StringName")) << done.losses[0];
    auto back = read_save(*done.bytes, {.dialect = &dialects::godot_3_1});
    ASSERT_TRUE(back);
    EXPECT_EQ(back->stack(), "gzip > godot-3.1 records");
    EXPECT_EQ(back->get<std::int64_t>("#0 $.hp").value(), 8);
    EXPECT_EQ(back->get<std::string>("#1 $.at").value(), "here");
    const auto secret = find_layers("gdec-4").value();
    EXPECT_EQ(convert(save, dialects::godot_3_1, &secret).bytes.error().error.code, Errc::bad_key);
}

TEST(SaveConvert, TextsKeepTheirLayoutAndChanges) {
    SaveFile save = read("[a]\nb = PoolIntArray( 1, 2 ) ; here\nc = 1 ; there\n");
    EXPECT_EQ(save.stack(), "config");
    ASSERT_TRUE(save.set("$.a.c", 2));
    const auto done = convert(save, dialects::godot_4_4);
    ASSERT_TRUE(done.bytes) << to_string(done.bytes.error().error);
    const std::string_view text(reinterpret_cast<const char*>(done.bytes->data()),
                                done.bytes->size());
    EXPECT_EQ(text, "[a]\nb = PackedInt32Array(1, 2) ; here\nc = 2 ; there\n");
    EXPECT_EQ(save.get<std::int64_t>("$.a.c").value(), 2);
}

TEST(SaveFindings, SayWhatItIsAndIsNot) {
    const SaveFile save = read("[a]\nb=1\n", {.all_readings = true});
    ASSERT_EQ(save.findings().size(), 1u);
    EXPECT_EQ(save.findings()[0].kind, InputKind::config);
    EXPECT_EQ(save.findings()[0].reason, "a ConfigFile with 1 section");
    EXPECT_FALSE(save.findings()[0].ruled_out.empty());
    EXPECT_TRUE(save.decoding().allow_objects);
    EXPECT_FALSE(records({1, 2}).decoding().allow_objects);
}

}  // namespace
}  // namespace gdvar::test
