// Documents of text in a SaveFile: JSON, JSON lines, Godot's text, ConfigFiles, resources. Only
// what is changed changes.
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "gdvar/file/save_file.hpp"
#include "gdvar/file/text_readings.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {
namespace {

ByteView bytes_of(std::string_view text) {
    return as_bytes(text);
}

std::string text_of(const SaveFile& save) {
    const auto bytes = save.bytes();
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                 : to_string(bytes.error());
}

SaveFile open(std::string_view text, const SaveOptions& options = {}) {
    return read_save(bytes_of(text), options).value();
}

Variant value(std::string_view text) {
    return parse_text(text).value();
}

PackedByteArray packet(std::string_view text) {
    return encode(value(text)).value();
}

/// Sets the value at the path; the text after it, or the error.
std::string after_set(std::string_view text, std::string_view path, std::string_view to,
                      const inspect::SetRules& rules = {}) {
    SaveFile save = open(text);
    const auto done = save.set(path, value(to), rules);
    return done ? text_of(save) : to_string(done.error());
}

std::string after_erase(std::string_view text, std::string_view path) {
    SaveFile save = open(text);
    const auto done = save.erase(path);
    return done ? text_of(save) : to_string(done.error());
}

struct Example {
    InputKind kind;
    const char* text;
};

constexpr Example examples[] = {
    {InputKind::json, "{\"hp\": 97, \"pos\": [1.0, 2.5e1], \"tags\": {}}"},
    {InputKind::json, "\xEF\xBB\xBF[1,\r\n 2 ,3]\r\n\r\n"},
    {InputKind::json, "  {\n\t\"a\" : 1,\n\t\"a\" : 2\n}"},
    {InputKind::json_lines, "{\"a\":1}\n\n{\"b\":[2,3]}  \n"},
    {InputKind::json_lines, "{\"a\":1}\r\n[]"},
    {InputKind::text, "{ \"pos\": Vector2( 1, 2 ), ; where\n&\"n\": [  ] }\n"},
    {InputKind::text, "Object(Node,\"name\":\"x\")"},
    {InputKind::config, "; first\n[audio]\n\nvolume=0.8 ; loud\n[player]\nname=\"Ada\"\n"},
    {InputKind::config, "early=1\r\n[s]\r\nlist=[ 1,\r\n  2 ]\r\n"},
    {InputKind::resource, "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nhealth = 5\n"},
};

TEST(TextDocuments, AreRecognised) {
    for (const Example& example : examples) {
        SCOPED_TRACE(example.text);
        const auto save = read_save(bytes_of(example.text));
        ASSERT_TRUE(save) << to_string(save.error());
        EXPECT_EQ(input_kind_name(save->kind().seen_as), input_kind_name(example.kind));
        EXPECT_TRUE(save->kind().text);
    }
    // Such texts mean something else more often than not.
    for (const char* text : {"5", "\"text\"", "true", "null", "words in a line", "; comment\n"})
        EXPECT_FALSE(read_save(bytes_of(text))) << text;
}

TEST(TextDocuments, BelongToTheFamilyThatWroteThem) {
    const auto dialect = [](const char* text) { return open(text).dialect().family; };
    // Godot 4 reads these, too.
    EXPECT_EQ(dialect("[a]\n\np=PoolIntArray( 1, 2 )\n"), TextFamily::godot_3_6);
    EXPECT_EQ(dialect("{ \"q\": Quat( 0, 0, 0, 1 ) }"), TextFamily::godot_3_6);
    EXPECT_EQ(dialect("[a]\n\np=PackedInt32Array(1, 2)\n"), TextFamily::godot_4);
    EXPECT_EQ(dialect("[gd_resource type=\"Resource\" format=2]\n\n[resource]\nx = 1\n"),
              TextFamily::godot_3_6);
    EXPECT_EQ(after_set("[a]\n\np=PoolIntArray( 1, 2 )\n", "$.a.p[0]", "5"),
              "[a]\n\np=PoolIntArray( 5, 2 )\n");
}

TEST(TextDocuments, TellWhyTheyAreNot) {
    const auto readings = readings_of_text(bytes_of("{\n  \"a\": 1,\n  b: 2\n}"));
    ASSERT_TRUE(readings);
    EXPECT_TRUE(readings->fits.empty());
    const auto why = [&](InputKind kind) {
        for (const Reading& reading : readings->ruled_out)
            if (reading.kind == kind)
                return reading.reason;
        return std::string("fits");
    };
    EXPECT_EQ(why(InputKind::json).substr(0, 5), "3:3: ") << why(InputKind::json);
    EXPECT_EQ(why(InputKind::json_lines).substr(0, 2), "1:") << why(InputKind::json_lines);
    EXPECT_NE(why(InputKind::text), "fits");
}

// Engines read any text as a ConfigFile.
TEST(TextDocuments, AreConfigFilesOnlyWithAPair) {
    const auto first = [](std::string_view text) {
        const auto readings = readings_of_text(bytes_of(text));
        return readings && !readings->fits.empty() ? readings->fits[0].kind : InputKind::unknown;
    };
    EXPECT_EQ(first("[a]\nx=1\n"), InputKind::config);
    EXPECT_EQ(first("x=1\n"), InputKind::config);
    EXPECT_EQ(first("[a]\nstray\nx=1\n"), InputKind::config);
    EXPECT_EQ(first("[b]Hello[/b] world"), InputKind::unknown);
    EXPECT_EQ(first("My diary\n\n[Monday]\nnice day\nmood = 5"), InputKind::unknown);
    EXPECT_EQ(first("[Vector2( 1, 2 )]"), InputKind::text);
    const SaveFile save = open("[a]\nstray\nx=1\n");
    EXPECT_EQ(save.items().size(), 1u);
}

TEST(TextDocuments, HaveNotesOfWhatTheirValuesDoNotShow) {
    const DocumentKind& kind = *find_document_kind(InputKind::config);
    const auto bytes = bytes_of("[a]\nstray\nx=1\n");
    const auto document = kind.open(kind, bytes, {});
    ASSERT_TRUE(document);
    ASSERT_EQ((*document)->notes().size(), 1u);
    EXPECT_EQ((*document)->notes()[0].offset, 4u);
    const auto plain = bytes_of("[a]\nx=1\n");
    const auto without = kind.open(kind, plain, {});
    ASSERT_TRUE(without);
    EXPECT_TRUE((*without)->notes().empty());
}

// No earlier value comes to light: engines have only the last one.
TEST(TextDocuments, LoseAllPairsOfAKeyThatIsErased) {
    const auto without = [](std::string_view text, const char* path) {
        SaveFile save = open(text);
        EXPECT_TRUE(save.erase(path));
        return text_of(save);
    };
    EXPECT_EQ(without("[s]\na=1\nb=3\na=2\n", "$.s.a"), "[s]\nb=3\n");
    EXPECT_EQ(without("{\"a\": 1, \"b\": 5, \"a\": 2}", "$.a"), "{\"b\": 5}");
    EXPECT_EQ(without("{\"a\": 1, \"b\": 5, \"a\": 2}", "$[@0]"), "{\"b\": 5, \"a\": 2}");
}

// JSON.stringify twice, and thrice.
TEST(TextDocuments, AStringAloneThatHoldsJsonIsOpened) {
    const std::pair<const char*, const char*> texts[] = {
        {R"("{\"a\":1}")", R"("{\"a\":5}")"},
        {"  \"{\\\"a\\\": 1 }\"\r\n", "  \"{\\\"a\\\": 5 }\"\r\n"},
        {"\xEF\xBB\xBF\"{\\\"a\\\":1}\"", "\xEF\xBB\xBF\"{\\\"a\\\":5}\""},
        {R"("\"{\\\"a\\\":1}\"")", R"("\"{\\\"a\\\":5}\"")"},
    };
    for (const auto& [before, after] : texts)
        EXPECT_EQ(after_set(before, "$.a", "5"), after) << before;
}

TEST(TextDocuments, KeepTheLineOfAKeyThatIsRenamed) {
    const auto renamed = [](std::string_view text, std::string_view path, std::string_view key) {
        SaveFile save = open(text);
        const auto done = save.rename(path, Variant(key));
        return done ? text_of(save) : to_string(done.error());
    };
    EXPECT_EQ(renamed("[s]\na=1 ; loud\nb=2\n", "$.s.a", "c"), "[s]\nc=1 ; loud\nb=2\n");
    EXPECT_EQ(renamed("[s]\r\na = 1 ; loud\r\n", "$.s.a", "c"), "[s]\r\nc = 1 ; loud\r\n");
    EXPECT_EQ(renamed("[s]\na=1 ; one\na=2 ; two\n", "$.s.a", "c"), "[s]\nc=1 ; one\nc=2 ; two\n");
    EXPECT_EQ(renamed("[s]\na=Vector2( 1, 2 ) ; v\n", "$.s.a", "c d"),
              "[s]\n\"c d\"=Vector2( 1, 2 ) ; v\n");
    EXPECT_EQ(renamed("[s] ; of s\na=1\n", "$.s", "t"), "[t] ; of s\na=1\n");
    EXPECT_EQ(renamed("[s]\na=nan ; odd\nb=1\n", "$.s.a", "c"), "[s]\nc=nan ; odd\nb=1\n");
    EXPECT_EQ(renamed("{\"a\": 1, \"b\": 2, \"a\": 3}", "$.a", "c"),
              "{\"c\": 1, \"b\": 2, \"c\": 3}");
}

// A written text is read again by the same rules.
TEST(TextDocuments, OfGodot32HaveItsNames) {
    const DocumentKind& kind = *find_document_kind(InputKind::config);
    const auto bytes = bytes_of("[s]\na=1\n[é]\nb=1\n");
    const auto document = kind.open(kind, bytes, {.dialect = &dialects::godot_3_0});
    ASSERT_TRUE(document);
    const auto items = (*document)->items();
    const DecodeOptions decoding{.dialect = (*document)->dialect(), .allow_objects = true};
    const auto changed = inspect::set_value(items[0].packet, "$.s.a", Variant(2), decoding);
    ASSERT_TRUE(changed);
    SaveItem item = items[0];
    item.packet = as_bytes(*changed);
    const auto written = (*document)->write(std::span(&item, 1));
    ASSERT_TRUE(written);
    EXPECT_TRUE(std::ranges::equal(*written, bytes_of("[s]\na=2\n[é]\nb=1\n")));
}

// As in all versions of Godot's JSON.
TEST(TextDocuments, OfJsonMayHaveTrailingCommas) {
    const std::string text = "{\"a\": [1,], \"b\": 2 , }\n";
    EXPECT_EQ(after_set(text, "$.b", "3"), "{\"a\": [1,], \"b\": 3 , }\n");
    EXPECT_EQ(after_set(text, "$.a[+]", "4"), "{\"a\": [1, 4,], \"b\": 2 , }\n");
    SaveFile save = open(text);
    ASSERT_TRUE(save.erase("$.a[0]"));
    ASSERT_TRUE(save.erase("$.b"));
    EXPECT_EQ(text_of(save), "{\"a\": [], }\n");
    EXPECT_FALSE(readings_of_text(bytes_of("[,]"))->fits.size());
    EXPECT_FALSE(readings_of_text(bytes_of("[1,,]"))->fits.size());
}

TEST(TextDocuments, ComeBackAsTheyWere) {
    for (const Example& example : examples) {
        SCOPED_TRACE(example.text);
        SaveFile save = open(example.text);
        EXPECT_EQ(text_of(save), example.text);
        const std::vector<SaveItem> same = save.items();
        ASSERT_TRUE(save.restore_items(0, same.size(), same));
        EXPECT_EQ(text_of(save), example.text);
    }
}

TEST(TextDocuments, ChangeWhatIsSet) {
    EXPECT_EQ(after_set(examples[0].text, "$.hp", "98"),
              "{\"hp\": 98, \"pos\": [1.0, 2.5e1], \"tags\": {}}");
    EXPECT_EQ(after_set(examples[0].text, "$.pos[+]", "7.0"),
              "{\"hp\": 97, \"pos\": [1.0, 2.5e1, 7.0], \"tags\": {}}");
    EXPECT_EQ(after_set(examples[0].text, "$.name", "\"A\\n\"", {.create = true}),
              "{\"hp\": 97, \"pos\": [1.0, 2.5e1], \"tags\": {}, \"name\": \"A\\n\"}");
    EXPECT_EQ(after_set(examples[1].text, "$[1]", "5"), "\xEF\xBB\xBF[1,\r\n 5 ,3]\r\n\r\n");
    // The last of repeated names counts, as in the engines.
    EXPECT_EQ(after_set(examples[2].text, "$.a", "3"), "  {\n\t\"a\" : 1,\n\t\"a\" : 3\n}");
    EXPECT_EQ(after_set(examples[3].text, "#1 $.b[0]", "9"), "{\"a\":1}\n\n{\"b\":[9,3]}  \n");
    EXPECT_EQ(after_set(examples[5].text, "$.pos.x", "4.0"),
              "{ \"pos\": Vector2(4, 2), ; where\n&\"n\": [  ] }\n");
    EXPECT_EQ(after_set(examples[7].text, "$.audio.volume", "0.5"),
              "; first\n[audio]\n\nvolume=0.5 ; loud\n[player]\nname=\"Ada\"\n");
    EXPECT_EQ(after_set(examples[8].text, "$[\"\"].early", "2"),
              "early=2\r\n[s]\r\nlist=[ 1,\r\n  2 ]\r\n");
    EXPECT_EQ(after_set(examples[8].text, "$.s.list[1]", "3"),
              "early=1\r\n[s]\r\nlist=[ 1,\r\n  3 ]\r\n");
    EXPECT_EQ(after_set(examples[9].text, "$.resource.health", "6"),
              "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nhealth = 6\n");
    EXPECT_EQ(
        after_set(examples[7].text, "$.audio.device", "\"Default\"", {.create = true}),
        "; first\n[audio]\n\nvolume=0.8 ; loud\ndevice=\"Default\"\n[player]\nname=\"Ada\"\n");
}

TEST(TextDocuments, LoseWhatIsErased) {
    EXPECT_EQ(after_erase(examples[0].text, "$.pos[0]"),
              "{\"hp\": 97, \"pos\": [2.5e1], \"tags\": {}}");
    EXPECT_EQ(after_erase(examples[0].text, "$.hp"), "{\"pos\": [1.0, 2.5e1], \"tags\": {}}");
    EXPECT_EQ(after_erase(examples[7].text, "$.audio.volume"),
              "; first\n[audio]\n\n[player]\nname=\"Ada\"\n");
    EXPECT_EQ(after_erase(examples[3].text, "#1 $.b[1]"), "{\"a\":1}\n\n{\"b\":[2]}  \n");
}

TEST(TextDocuments, RefuseWhatTheyCannotExpress) {
    const inspect::SetRules any{.create = true, .type = Type::vector2};
    SaveFile save = open(examples[0].text);
    const auto set = save.set("$.hp", value("Vector2(1, 2)"), any);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code, Errc::not_in_dialect);
    EXPECT_FALSE(save.changed());
    EXPECT_EQ(text_of(save), examples[0].text);
    // Godot 3 has no StringName.
    SaveFile old =
        open("{ \"a\": \"b\" }", {.dialect = &dialects::godot_3_1, .as = InputKind::text});
    EXPECT_FALSE(old.set("$.a", value("&\"c\""), {.type = Type::string_name}));
    EXPECT_EQ(text_of(old), "{ \"a\": \"b\" }");
}

TEST(TextDocuments, LinesComeAndGo) {
    SaveFile save = open("{\"a\":1}\n{\"b\":2}\n\n{\"c\":3}\n");
    ASSERT_EQ(save.items().size(), 3u);
    ASSERT_TRUE(save.insert_item(1, as_bytes(packet("{\"new\": [1, 2]}"))));
    EXPECT_EQ(text_of(save), "{\"a\":1}\n{\"new\":[1,2]}\n{\"b\":2}\n\n{\"c\":3}\n");
    ASSERT_TRUE(save.remove_item(2));
    EXPECT_EQ(text_of(save), "{\"a\":1}\n{\"new\":[1,2]}\n\n{\"c\":3}\n");
    ASSERT_TRUE(save.insert_item(0, as_bytes(packet("{}"))));
    ASSERT_TRUE(save.insert_item(4, as_bytes(packet("[]"))));
    EXPECT_EQ(text_of(save), "{}\n{\"a\":1}\n{\"new\":[1,2]}\n\n{\"c\":3}\n[]\n");
    ASSERT_TRUE(save.remove_item(1));
    ASSERT_TRUE(save.remove_item(-2));
    EXPECT_EQ(text_of(save), "{}\n{\"new\":[1,2]}\n[]\n\n");

    SaveFile last = open("{\"a\":1}\r\n{\"b\":2}");
    ASSERT_TRUE(last.insert_item(2, as_bytes(packet("[3]"))));
    EXPECT_EQ(text_of(last), "{\"a\":1}\r\n{\"b\":2}\r\n[3]");
    ASSERT_TRUE(last.remove_item(0));
    EXPECT_EQ(text_of(last), "{\"b\":2}\r\n[3]");
    EXPECT_FALSE(open("{\"a\":1}\n[]").insert_item(0, as_bytes(packet("Vector2(1, 2)"))));
}

TEST(TextDocuments, OpenInsideLayers) {
    const auto key = key_from_password("word").value();
    for (const Example& example : examples) {
        SCOPED_TRACE(example.text);
        MemorySource from(bytes_of(example.text));
        std::vector<std::byte> wrapped;
        MemoryTarget to(wrapped);
        const std::vector<Layer> layers{find_layer("gdec-4").value(),
                                        find_layer("gcpf-zstd").value()};
        ASSERT_TRUE(write_layers(from, to, layers, &key));
        auto save = read_save(wrapped, {.key = key});
        ASSERT_TRUE(save) << to_string(save.error());
        EXPECT_EQ(save->kind().seen_as, example.kind);
        const Variant before =
            decode(save->items()[0].packet, {.dialect = &save->dialect(), .allow_objects = true})
                .value();
        const auto again = read_save(save->bytes().value(), {.key = key});
        ASSERT_TRUE(again);
        EXPECT_EQ(again->layers().size(), 2u);
        EXPECT_TRUE(identical(before, decode(again->items()[0].packet,
                                             {.dialect = &again->dialect(), .allow_objects = true})
                                          .value()));
    }
}

TEST(TextDocuments, HaveControlCharactersInStrings) {
    for (const char c : {'\x01', '\x07', '\x0b', '\x1b', '\x7f'})
        for (const auto& [kind, before, after] :
             {std::tuple{InputKind::json, "{\"", "\":1}"},
              std::tuple{InputKind::json, "{\"a\": [\"\\\"", "\"]}"},
              std::tuple{InputKind::json_lines, "[\"", "\"]\n[]\n"},
              std::tuple{InputKind::config, "a=\"", "\""},
              std::tuple{InputKind::config, "[s]\na=\"", "\"\nb=1\n"},
              std::tuple{InputKind::config, "[a", "b]\nk=1\n"},
              std::tuple{InputKind::text, "{1: \"", "\"}"},
              std::tuple{InputKind::resource, "[gd_resource type=\"Resource\"]\n[resource]\na = \"",
                         "\"\n"}}) {
            const std::string text = std::string(before) + c + c + after;
            const auto save = read_save(as_bytes(text));
            ASSERT_TRUE(save) << text;
            EXPECT_EQ(save->kind().seen_as, kind) << text;
            EXPECT_EQ(text_of(*save), text);
        }
    EXPECT_FALSE(read_save(bytes_of("a\x01=1")));
    EXPECT_FALSE(read_save(bytes_of("[\"\x01\"")));
    EXPECT_FALSE(read_save(bytes_of(std::string_view("[\"\x01\0\"]", 6))));
    // Nor are bytes that are no UTF-8 for engines to refuse.
    EXPECT_TRUE(read_save(bytes_of("a=\"\x01\xff\"")));
    EXPECT_TRUE(read_save(bytes_of("a\xff=\"\x01\"")));
}

// A file after a crash: it has its length, but not all of its bytes.
TEST(TextDocuments, InFrontOfNulsAreTold) {
    const auto told = [](const std::string& bytes) {
        std::vector<Reading> ruled_out;
        MemorySource source(as_bytes(bytes));
        const RecogniseOptions options{.ruled_out = &ruled_out};
        auto readings = recognise(source, options).value();
        EXPECT_TRUE(add_text_readings(source, options, readings));
        EXPECT_TRUE(readings.empty() || readings[0].kind == InputKind::foreign);
        for (const Reading& reading : ruled_out)
            if (reading.text)
                return std::string(input_kind_name(reading.kind)) + ": " + reading.reason;
        return std::string();
    };
    EXPECT_EQ(told(std::string("{\"a\":1}\0\0\0", 10)),
              "json: up to byte 7 it is a JSON object with 1 member, then a NUL comes");
    EXPECT_EQ(told(std::string("[s]\na=1\n\0", 9)),
              "config: up to byte 8 it is a ConfigFile with 1 section, then a NUL comes");
    EXPECT_EQ(told("[\"" + std::string(9000, 'x') + "\"]" + std::string(5000, '\0')),
              "json: up to byte 9004 it is a JSON array with 1 element, then a NUL comes");
    EXPECT_EQ(told("[\"" + std::string(9000, 'x') + "\"]" + '\0'),
              "json: up to byte 9004 it is a JSON array with 1 element, then a NUL comes");
    EXPECT_EQ(told(std::string("{\"a\":\0}", 8)), "");
    EXPECT_EQ(told(std::string("word\0word", 9)), "");
}

TEST(TextDocuments, AreNoBytesByChance) {
    std::mt19937 random(1);
    std::size_t texts = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string bytes(4 + random() % 40, 'x');
        for (char& byte : bytes)
            byte = static_cast<char>(1 + random() % (i % 2 ? 255 : 127));
        bytes[random() % bytes.size()] = '\x02';
        const auto save = read_save(as_bytes(bytes));
        texts += save && save->kind().text;
    }
    EXPECT_EQ(texts, 0u);
}

TEST(TextDocuments, AreMadeOfValues) {
    const auto made = [](InputKind kind, std::vector<std::string> values) {
        std::vector<PackedByteArray> packets;
        for (const std::string& text : values)
            packets.push_back(packet(text));
        std::vector<SaveItem> items;
        for (const PackedByteArray& one : packets)
            items.push_back({.packet = as_bytes(one)});
        const auto bytes = find_document_kind(kind)->write(items, dialects::godot_4_4);
        return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                     : to_string(bytes.error().error);
    };
    EXPECT_EQ(made(InputKind::json_lines, {"{\"a\": 1}", "[2.5]"}), "{\"a\":1}\n[2.5]\n");
    EXPECT_EQ(parse_plain_json(made(InputKind::json, {"{\"a\": [1, {}]}"})).value(),
              value("{\"a\": [1, {}]}"));
    EXPECT_EQ(value(made(InputKind::text, {"{&\"a\": Vector2(1, 2)}"})),
              value("{&\"a\": Vector2(1, 2)}"));
    EXPECT_EQ(made(InputKind::config, {"{\"a\": {\"x\": 1}, \"b\": {}}"}), "[a]\n\nx=1\n\n[b]\n");
    EXPECT_EQ(made(InputKind::json, {"Vector2(1, 2)"}).substr(0, 21), "error[not_in_dialect]");
}

}  // namespace
}  // namespace gdvar::test
