// Which bytes of the content belong to which value, and back: for every save of the engines, and
// for texts of all kinds.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "gdvar/file/save_file.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/path.hpp"
#include "support/data.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

std::string_view content_of(SaveFile& save) {
    const ByteView content = save.content().value();
    return {reinterpret_cast<const char*>(content.data()), content.size()};
}
SaveFile open_text(std::string_view text) {
    auto save = read_save(as_bytes(text), {.allow_objects = true});
    EXPECT_TRUE(save) << text;
    return *std::move(save);
}

/// All values of a packet, containers before what is in them.
void collect(const View& view, std::vector<View>& to) {
    to.push_back(view);
    const auto elements = view.elements();
    for (const View& child : elements)
        collect(child, to);
    const auto pairs = view.pairs();
    for (const auto& [key, child] : pairs)
        collect(child, to);
    const auto properties = view.properties();
    for (const auto& [name, child] : properties)
        collect(child, to);
}
std::vector<View> values_of(const Document& document) {
    std::vector<View> all;
    collect(document.root(), all);
    return all;
}

/// Each value's place holds its bytes, and each of its bytes leads into it.
std::size_t check_packets(SaveFile& save) {
    const ByteView content = save.content().value();
    std::size_t checked = 0;
    for (std::size_t i = 0; i < save.items().size(); ++i) {
        const Document document = Document::parse(save.items()[i].packet, save.decoding()).value();
        for (const View& view : values_of(document)) {
            const auto place = save.place(i, view.offset()).value();
            EXPECT_EQ(place.key_end, 0u);
            const auto bytes = content.subspan(place.begin, place.end - place.begin);
            EXPECT_TRUE(std::ranges::equal(bytes, view.raw()));
            for (const std::uint64_t at : {place.begin, place.end - 1}) {
                const auto found = save.value_at(at).value();
                EXPECT_EQ(found.index, i);
                EXPECT_GE(found.offset, view.offset());
                EXPECT_LT(found.offset, view.offset() + view.raw().size());
            }
            ++checked;
        }
    }
    return checked;
}

TEST(SavePlaces, EverySaveOfTheEngines) {
    std::size_t saves = 0, checked = 0;
    for (const auto& folder : fs::directory_iterator(data_dir() / "saves"))
        for (const auto& entry : fs::directory_iterator(folder)) {
            auto save = open_save(entry.path().string(), {.allow_objects = true});
            if (!save)
                continue;  // encrypted, or what the engine says of them
            ++saves;
            if (save->kind().made)
                continue;
            checked += check_packets(*save);
        }
    EXPECT_GE(saves, 20u);
    EXPECT_GE(checked, 1000u);
}

TEST(SavePlaces, FramesBelongToTheirPackets) {
    auto save = open_save((data_dir() / "saves/godot-4.6.3/plain.save").string());
    ASSERT_TRUE(save);
    ASSERT_EQ(save->items().size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto place = save->place(i).value();
        for (std::uint64_t at = place.begin - 4; at < place.begin; ++at) {
            const auto found = save->value_at(at).value();
            EXPECT_EQ(found.index, i);
            EXPECT_EQ(found.offset, 0u);
        }
    }
    const std::size_t size = save->content()->size();
    EXPECT_EQ(save->value_at(size).error().error.code, Errc::index_out_of_range);
    EXPECT_EQ(save->place(3).error().error.code, Errc::index_out_of_range);
    EXPECT_EQ(save->place(0, 1u << 30).error().error.code, Errc::index_out_of_range);
}

/// The text of the value at the path.
std::string shown(SaveFile& save, std::string_view path) {
    const auto place = save.place(path).value();
    return std::string(content_of(save).substr(place.begin, place.end - place.begin));
}
/// The path of the value at the first place of those words in the content.
std::string owner(SaveFile& save, std::string_view words) {
    return save.path_at(content_of(save).find(words)).value();
}

TEST(SavePlaces, Json) {
    SaveFile save = open_text(R"({ "name": "Ada",
  "list": [1, 2.5, {"a": null}], "empty": {} })");
    EXPECT_EQ(shown(save, "$.name"), R"("Ada")");
    EXPECT_EQ(shown(save, "$.list"), R"([1, 2.5, {"a": null}])");
    EXPECT_EQ(shown(save, "$.list[1]"), "2.5");
    EXPECT_EQ(shown(save, "$.list[2].a"), "null");
    EXPECT_EQ(shown(save, "$.empty"), "{}");
    EXPECT_EQ(shown(save, "$"), std::string(content_of(save)));
    EXPECT_EQ(owner(save, "name"), "$.name");
    EXPECT_EQ(owner(save, ": \"Ada"), "$.name");
    EXPECT_EQ(owner(save, "da\""), "$.name");
    EXPECT_EQ(owner(save, "[1"), "$.list");
    EXPECT_EQ(owner(save, ", 2.5"), "$.list");
    EXPECT_EQ(owner(save, "2.5"), "$.list[1]");
    EXPECT_EQ(owner(save, "null"), "$.list[2].a");
    EXPECT_EQ(owner(save, "{ "), "$");
    const auto place = save.place(0, save.find("$.name")->offset()).value();
    EXPECT_EQ(content_of(save).substr(place.key_begin, place.key_end - place.key_begin),
              "\"name\"");
}

TEST(SavePlaces, ConfigFile) {
    SaveFile save = open_text(
        "; first\nvolume=0.5\n\n[player]\nname=\"Ada\"\n; a comment\npos=Vector2( 1, 2 "
        ")\n[more]\nx={\"k\": [1, 2]}\n"
        "[player]\nhp=7\n");
    EXPECT_EQ(shown(save, "$.player.name"), "\"Ada\"");
    EXPECT_EQ(shown(save, "$.player.pos"), "Vector2( 1, 2 )");
    EXPECT_EQ(shown(save, "$.player.hp"), "7");
    EXPECT_EQ(shown(save, "$.more.x.k[1]"), "2");
    EXPECT_EQ(shown(save, "$.more"), "[more]\nx={\"k\": [1, 2]}");
    EXPECT_EQ(owner(save, "name="), "$.player.name");
    EXPECT_EQ(owner(save, "[more]"), "$.more");
    EXPECT_EQ(owner(save, "; a comment"), "$.player");
    EXPECT_EQ(owner(save, "hp"), "$.player.hp");
    EXPECT_EQ(owner(save, "2]"), "$.more.x.k[1]");
}

TEST(SavePlaces, Resource) {
    SaveFile save = open_text(
        "[gd_resource type=\"Resource\" format=3]\n\n[sub_resource type=\"Curve\" id=\"c\"]\nbake "
        "= 5\n\n[resource]\nhp = 7\n"
        "list = [1, 2]\n");
    EXPECT_EQ(shown(save, "$.resource.hp"), "7");
    EXPECT_EQ(owner(save, "hp = "), "$.resource.hp");
    EXPECT_EQ(owner(save, "2]"), "$.resource.list[1]");
    EXPECT_EQ(owner(save, "5\n"), "$.sub.c.bake");
}

TEST(SavePlaces, LinesAndGodotText) {
    SaveFile lines = open_text("{\"a\": 1}\n{\"a\": 22}\n{\"a\": 333}\n");
    ASSERT_EQ(lines.items().size(), 3u);
    EXPECT_EQ(shown(lines, "#1 $.a"), "22");
    EXPECT_EQ(owner(lines, "333"), "#2 $.a");
    EXPECT_EQ(owner(lines, "{\"a\": 22"), "#1 $");
    SaveFile text = open_text("{\n\"pos\": Vector2(1, 2),\n\"n\": [1,\n2]\n}\n");
    EXPECT_EQ(shown(text, "$.pos"), "Vector2(1, 2)");
    EXPECT_EQ(owner(text, "1, 2"), "$.pos");
}

TEST(SavePlaces, AfterAChange) {
    SaveFile json = open_text(R"({"a": 1, "b": [true, "x"]})");
    ASSERT_TRUE(json.set("$.a", Variant(123456)));
    EXPECT_EQ(content_of(json), R"({"a": 123456, "b": [true, "x"]})");
    EXPECT_EQ(shown(json, "$.b[1]"), R"("x")");
    EXPECT_EQ(owner(json, "true"), "$.b[0]");
    auto records = open_save((data_dir() / "saves/godot-4.6.3/plain.save").string());
    ASSERT_TRUE(records->set("#0 $.players[0].name", Variant("somebody with a longer name")));
    EXPECT_GT(check_packets(*records), 80u);
    ASSERT_TRUE(records->remove_item(1));
    EXPECT_GT(check_packets(*records), 80u);
}

TEST(SavePlaces, PathsOfParts) {
    SaveFile text = open_text("{\n\"pos\": Vector2(1, 2),\n\"n\": PackedInt32Array(5, 6)\n}\n");
    EXPECT_EQ(shown(text, "$.pos.x"), "Vector2(1, 2)");
    EXPECT_EQ(shown(text, "$.n[1]"), "PackedInt32Array(5, 6)");
    const auto packet =
        encode(Variant(Dictionary{{Variant("pos"), Variant(Vector2{1, 2})},
                                  {Variant("b"), Variant(Basis{})},
                                  {Variant("p"), Variant(PackedVector3Array{{1, 2, 3}})}}))
            .value();
    for (const bool strict : {false, true}) {
        auto save = read_save(as_bytes(packet), {.as = InputKind::packet, .strict = strict});
        ASSERT_TRUE(save);
        for (const auto& [part, whole] : {std::pair{"$.pos.x", "$.pos"},
                                          {"$.b.x.y", "$.b"},
                                          {"$.p[0]", "$.p"},
                                          {"$.p[0].z", "$.p"},
                                          {"$['p']", "$.p"}}) {
            if (!save->find(part)) {
                EXPECT_EQ(save->place(part).error().error.code, save->find(part).error().code);
                continue;
            }
            const auto place = save->place(part);
            ASSERT_TRUE(place) << part << to_string(place.error().error);
            EXPECT_EQ(place->begin, save->find(whole)->offset());
            EXPECT_EQ(place->end - place->begin, save->find(whole)->raw().size());
            EXPECT_EQ(save->path_at(place->end - 1).value(), whole);
        }
    }
}

TEST(SavePlaces, Settings) {
    const auto one = encode(Variant(1)).value();
    const auto many = encode(Variant(Dictionary{{Variant("deadzone"), Variant(0.5)}})).value();
    const auto as_packet = [](const auto& bytes) { return as_bytes(bytes); };
    std::vector<SaveItem> items;
    for (const char* name : {"application/name", "input/jump", "a $b", "#7", "$.x"})
        items.push_back({.key = name, .packet = as_packet(items.size() == 1 ? many : one)});
    const auto bytes = find_document_kind(InputKind::project)->write(items, dialects::godot_4_4);
    ASSERT_TRUE(bytes);
    auto save = read_save(*bytes).value();
    ASSERT_EQ(save.items().size(), 5u);
    const char* paths[] = {"application/name $", "input/jump $.deadzone", "#2 $", "#3 $", "#4 $"};
    for (std::size_t i = 0; i < 5; ++i) {
        const auto whole = save.place(i).value();
        EXPECT_EQ(save.path_at(whole.end - 1).value(), paths[i]);
        EXPECT_EQ(save.place(paths[i])->end, whole.end);
    }
    EXPECT_EQ(save.path_at(0).value(), paths[0]);  // what stands before the first one
    EXPECT_EQ(check_packets(save), 6u);
}

TEST(SavePlaces, PathsThatLeadNowhere) {
    SaveFile save = open_text(R"({"a": [1]})");
    const auto code = [&](std::string_view path) { return save.place(path).error().error.code; };
    EXPECT_EQ(code("$.b"), Errc::missing_key);
    EXPECT_EQ(code("$.a[1]"), Errc::index_out_of_range);
    EXPECT_EQ(code("$.a.b"), save.find("$.a.b").error().code);
    EXPECT_EQ(code("$["), Errc::bad_path);
    EXPECT_EQ(code("#1 $"), save.find("#1 $").error().code);
    EXPECT_EQ(save.path_at(99).error().error.code, Errc::index_out_of_range);
}

/// A key, its length included, belongs to its value, also one that is a container.
TEST(SavePlaces, KeysBelongToTheirValues) {
    const auto packet =
        encode(Variant(Dictionary{{Variant("name"), Variant(7)},
                                  {Variant(Array{Variant(1), Variant("in a key")}), Variant(8)},
                                  {Variant(2.5), Variant(Dictionary{})}}))
            .value();
    auto save = read_save(as_bytes(packet), {.as = InputKind::packet});
    ASSERT_TRUE(save);
    const Document document = Document::parse(as_bytes(packet)).value();
    EXPECT_EQ(save->path_at(0).value(), "$");
    EXPECT_EQ(save->path_at(7).value(), "$");
    std::size_t ordinal = 0;
    const auto pairs = document.root().pairs();
    for (const auto& [key, value] : pairs) {
        const char* path = std::array{"$.name", "$[@1]", "$[2.5]"}[ordinal++];
        for (std::size_t at = key.offset(); at < value.offset() + value.raw().size(); ++at)
            EXPECT_EQ(save->path_at(at).value(), path) << at;
    }
    EXPECT_EQ(ordinal, 3u);
    Object node("Node");
    node.append("name", Variant("x"));
    node.append("hp", Variant(7));
    const auto full = encode(Variant(node), {.allow_objects = true}).value();
    auto other =
        read_save(as_bytes(full), {.as = InputKind::packet, .allow_objects = true}).value();
    const View hp = other.find("$.hp").value();
    EXPECT_EQ(other.path_at(hp.offset() + hp.raw().size() - 1).value(), "$.hp");
    EXPECT_EQ(other.path_at(hp.offset() - 8).value(), "$.hp");  // the length of its name
    EXPECT_EQ(other.path_at(hp.offset() - 9).value(), "$.name");
}

/// The texts that engines wrote or read, sound or not.
std::vector<std::string> engine_texts() {
    std::vector<std::string> texts;
    for (const char* engine : {"godot-4.6.3", "godot-3.6.2", "godot-3.2.3", "odd", "json"}) {
        std::istringstream rows(
            read_text(data_dir() / "texts" / (std::string(engine) + ".ndjson")));
        for (std::string line; std::getline(rows, line);) {
            const auto row = nlohmann::json::parse(line);
            if (row.contains("t") && row["t"].is_string())
                texts.push_back(row["t"]);
        }
    }
    return texts;
}

/// The path of each value that has no others in it: from its first and its last byte, and back.
struct Leaves {
    std::size_t paths = 0, texts = 0;
};
/// The value of that text by itself, as documents of that kind have values.
std::optional<Variant> read_alone(const SaveFile& save, ByteView text) {
    std::string document(reinterpret_cast<const char*>(text.data()), text.size());
    InputKind kind = save.kind().seen_as;
    if (kind == InputKind::config || kind == InputKind::resource) {
        // Engines do not read all letters of these as they read those of other texts.
        document.insert(0, "[s]\nx=");
        kind = InputKind::config;
    } else if (kind == InputKind::json_lines) {
        kind = InputKind::json;
    }
    auto alone = read_save(as_bytes(document),
                           {.dialect = &save.dialect(), .as = kind, .allow_objects = true});
    auto value = alone ? alone->get(kind == InputKind::config ? "$.s.x" : "$")
                       : std::unexpected(alone.error().error);
    return value ? std::optional(*std::move(value)) : std::nullopt;
}
void check_leaves(SaveFile& save, Leaves& checked) {
    for (std::size_t i = 0; i < save.items().size(); ++i) {
        const Document document = Document::parse(save.items()[i].packet, save.decoding()).value();
        const ByteView content = save.content().value();
        for (const View& view : values_of(document)) {
            const auto place = save.place(i, view.offset()).value();
            if (place.begin == place.end || view.elements().size() || view.pairs().size() ||
                view.properties().size())
                continue;
            const std::string path = save.path_at(place.begin).value();
            EXPECT_EQ(save.path_at(place.end - 1).value(), path);
            const auto found = save.find(path);
            ASSERT_TRUE(found) << path << to_string(found.error());
            const auto back = save.place(path).value();
            if (found->offset() != view.offset())
                continue;  // a part of a value, or a key that comes again
            EXPECT_EQ(back.begin, place.begin) << path;
            EXPECT_EQ(back.end, place.end) << path;
            ++checked.paths;
            if (!save.kind().text)
                continue;
            const auto alone =
                read_alone(save, content.subspan(place.begin, place.end - place.begin));
            if (!alone)
                continue;  // a name in a tag, a reference
            EXPECT_TRUE(identical(*alone, view.get<Variant>().value())) << path;
            ++checked.texts;
        }
    }
}

TEST(SavePlaces, EveryLeafHasAPath) {
    Leaves packets;
    for (const auto& folder : fs::directory_iterator(data_dir() / "saves"))
        for (const auto& entry : fs::directory_iterator(folder))
            if (auto save = open_save(entry.path().string(), {.allow_objects = true}))
                check_leaves(*save, packets);
    EXPECT_GE(packets.paths, 1000u);
    Leaves texts;
    for (const std::string& text : engine_texts())
        if (auto save = read_save(as_bytes(text), {.allow_objects = true}))
            check_leaves(*save, texts);
    EXPECT_GE(texts.paths, 2000u);
    EXPECT_GE(texts.texts, 1500u);
}

/// Every text that an engine wrote or read: each value's text leads to that value again.
TEST(SavePlaces, EveryTextOfTheEngines) {
    std::size_t texts = 0, leaves = 0;
    for (const std::string& text : engine_texts()) {
        auto save = read_save(as_bytes(text), {.allow_objects = true});
        if (!save || !save->kind().text)
            continue;
        ++texts;
        for (std::size_t i = 0; i < save->items().size(); ++i) {
            const auto document = Document::parse(save->items()[i].packet, save->decoding());
            ASSERT_TRUE(document);
            for (const View& view : values_of(*document)) {
                const auto place = save->place(i, view.offset());
                ASSERT_TRUE(place) << text;
                ASSERT_LE(place->end, text.size());
                if (place->begin == place->end)
                    continue;  // what a document gathers under a key of its own
                const auto found = save->value_at(place->begin);
                ASSERT_TRUE(found) << text;
                EXPECT_EQ(found->index, i);
                if (view.elements().size() || view.pairs().size() || view.properties().size())
                    continue;
                // Two leaves never begin at one place, but parts of a value that is one leaf
                // do.
                const auto there = save->place(i, found->offset).value();
                EXPECT_EQ(there.begin, place->begin) << text << "\n" << view.offset();
                ++leaves;
            }
        }
    }
    EXPECT_GE(texts, 300u);
    EXPECT_GE(leaves, 2000u);
}

}  // namespace
}  // namespace gdvar::test
