// Documents of JSON against what the engines' own JSON reads: tests/data/texts/json.ndjson.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdvar/file/save_file.hpp"
#include "gdvar/file/text_readings.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// A document, and its value as the first engine reads it that does: 4.6.3, 3.6.2, 3.2.3.
struct Recorded {
    std::string text;
    std::optional<Variant> value;
    const char* engine = nullptr;
};

std::vector<Recorded> recorded() {
    const std::pair<const char*, const Dialect*> engines[] = {{"4.6.3", &dialects::godot_4_4},
                                                              {"3.6.2", &dialects::godot_3_1},
                                                              {"3.2.3", &dialects::godot_3_1}};
    std::vector<Recorded> out;
    for (const Json& line : lines_with(data_dir() / "texts/json.ndjson", "t")) {
        Recorded one{line["t"].get<std::string>(), {}, nullptr};
        for (const auto& [name, dialect] : engines) {
            const auto packet = unhex(line[name].get<std::string>());
            if (packet.empty() || one.value)
                continue;
            one.value = decode(packet, {.dialect = dialect}).value();
            one.engine = name;
        }
        out.push_back(std::move(one));
    }
    return out;
}

/// Why a document that engines read is refused, or has another value here. Nothing is told apart by
/// less than this: other texts follow the engines.
struct Exception {
    const char* text;
    const char* why;
};
constexpr const char* half = "Godot 3 reads half a surrogate: no text can hold it";
constexpr const char* behind = "3.2.3 does not look at what is behind the value";
constexpr const char* white = "white space that no tool writes";
constexpr Exception exceptions[] = {
    {R"(["\ud800"])", half},
    {R"(["\udc00"])", half},
    {R"(["\ud800x"])", half},
    {R"(["\ud800\u0041"])", half},
    {R"(["\ud800\ud800"])", half},
    {R"(["\udc41"])", half},
    {R"(["\udc80"])", "to_json writes a byte that is no UTF-8 in this form"},
    {R"(["\u0000"])", "Godot 4 has U+FFFD for it, Godot 3 what is written"},
    {"[1] // c", behind},
    {"[1] x", behind},
    {"[1]]", behind},
    {"[1,2]}", behind},
    {R"({"a":1}{"b":2})", behind},
    {"\f[1]", white},
    {"\v[1]", white},
    {"[\f1]", white},
};
bool is_exception(std::string_view text) {
    return std::ranges::any_of(exceptions,
                               [&](const Exception& other) { return text == other.text; });
}

std::expected<Variant, Error> read(std::string_view text) {
    const DocumentKind& kind = *find_document_kind(InputKind::json);
    const auto document = kind.open(kind, as_bytes(text), {});
    if (!document)
        return std::unexpected(document.error());
    return decode((*document)->items().at(0).packet, {.dialect = (*document)->dialect()});
}

/// All numbers of engines' JSON are floats. A repeated name has the last value.
Variant as_engines(const Variant& value) {
    if (value.is(Type::integer))
        return Variant(static_cast<double>(value.integer()));
    if (const Array* array = value.get_if<Array>()) {
        Array out;
        for (const Variant& element : *array)
            out.push_back(as_engines(element));
        return Variant(out);
    }
    if (const Dictionary* pairs = value.get_if<Dictionary>()) {
        Dictionary out;
        for (const Dictionary::Pair& pair : *pairs)
            out.set(pair.key, as_engines(pair.value));
        return Variant(out);
    }
    return value;
}

bool is_same(const Variant& ours, const Variant& engines) {
    // -0 is an int here.
    const auto text = [](const Variant& value) {
        std::string out = to_text_full(as_engines(value)).value();
        for (std::size_t at; (at = out.find("-0.0")) != out.npos;)
            out.erase(at, 1);
        return out;
    };
    return text(ours) == text(engines);
}

TEST(JsonDocuments, HaveTheValuesThatEnginesRead) {
    std::size_t taken = 0, refused = 0;
    for (const Recorded& document : recorded()) {
        if (is_exception(document.text))
            continue;
        const auto ours = read(document.text);
        ASSERT_EQ(ours.has_value(), document.value.has_value())
            << document.text << (ours ? "" : " " + to_string(ours.error()));
        ++(ours ? taken : refused);
        if (!ours)
            continue;
        EXPECT_TRUE(is_same(*ours, *document.value))
            << document.text << " " << to_text_full(*ours).value() << ", " << document.engine
            << ": " << to_text_full(*document.value).value();
    }
    EXPECT_GT(taken, 45u);
    EXPECT_GT(refused, 50u);
}

TEST(JsonDocuments, KeepTheSpellingOfWhatStays) {
    std::size_t kept = 0;
    for (const Recorded& document : recorded()) {
        if (!document.value || is_exception(document.text) || document.text.starts_with("\xEF"))
            continue;
        const std::string before = R"({"hp": 1, "rest": )" + document.text + "}";
        const auto done = read_save(as_bytes(before));
        ASSERT_TRUE(done) << before;
        EXPECT_EQ(input_kind_name(done->kind().seen_as), "json") << before;
        SaveFile save = read_save(as_bytes(before)).value();
        ASSERT_TRUE(save.set("$.hp", 2)) << before;
        const auto after = save.bytes();
        ASSERT_TRUE(after) << before << to_string(after.error());
        const std::string_view text(reinterpret_cast<const char*>(after->data()), after->size());
        EXPECT_EQ(text, R"({"hp": 2, "rest": )" + document.text + "}");
        ++kept;
    }
    EXPECT_GT(kept, 45u);
}

/// Godot 4's reading of the text.
JsonParseOptions as_godot_4() {
    return {.repeated_names = true, .trailing_commas = true, .loose_numbers = true};
}

std::string converted(const std::string& text, const Dialect& to, InputKind kind, Losses& notes) {
    const SaveFile save = read_save(as_bytes(text), {.as = kind}).value();
    Losses losses;
    inspect::ConversionReport report{.losses = losses, .notes = &notes};
    const auto done = save.convert(to, inspect::Renames::godot_3_to_4(), report);
    EXPECT_TRUE(done && losses.empty()) << text;
    return done ? std::string(reinterpret_cast<const char*>(done->data()), done->size()) : "";
}

TEST(JsonDocuments, ConvertedHaveNoEscapesOfGodot3) {
    std::size_t changed = 0;
    for (const Recorded& document : recorded()) {
        if (!document.value || is_exception(document.text))
            continue;
        const bool odd = document.engine != std::string_view("4.6.3");
        Losses none, notes;
        EXPECT_EQ(converted(document.text, dialects::godot_3_1, InputKind::json, none),
                  document.text);
        EXPECT_TRUE(none.empty());
        const std::string now =
            converted(document.text, dialects::godot_4_4, InputKind::json, notes);
        EXPECT_EQ(now != document.text, odd) << document.text;
        EXPECT_EQ(notes.empty(), !odd) << document.text;
        EXPECT_TRUE(parse_plain_json(now, as_godot_4())) << document.text << " " << now;
        EXPECT_TRUE(is_same(read(now).value(), *document.value)) << document.text << " " << now;
        // Who names Godot 4 is told.
        const DocumentKind& kind = *find_document_kind(InputKind::json);
        const auto named =
            kind.open(kind, as_bytes(document.text), {.dialect = &dialects::godot_4_0});
        ASSERT_TRUE(named);
        const auto refused = [](const DocumentNote& note) { return note.refused != Errc::ok; };
        EXPECT_EQ(std::ranges::any_of((*named)->notes(), refused), odd) << document.text;
        changed += odd;
    }
    EXPECT_GT(changed, 3u);
}

TEST(JsonDocuments, OnlyTheEscapesChange) {
    Losses notes;
    const std::string text =
        "{ \"a\\q\":\t\"\\x41\\\\q\\/\\u0041\\v\",\r\n\"b\" :[1.50, {\"c\":\"\\\n\\\"\"}, []],}\n";
    EXPECT_EQ(converted(text, dialects::godot_4_4, InputKind::json, notes),
              "{ \"aq\":\t\"x41\\\\q\\/\\u0041v\",\r\n\"b\" :[1.50, {\"c\":\"\\n\\\"\"}, []],}\n");
    ASSERT_EQ(notes.kinds().size(), 2u);
    EXPECT_EQ(notes.kinds()[0].paths, std::vector<std::string>{"$.aq"});
    EXPECT_EQ(notes.kinds()[1].paths, (std::vector<std::string>{"$.aq", "$.b[1].c"}));
    Losses of_lines;
    EXPECT_EQ(converted("\n{\"a\":\"\\q\"}\r\n[1]\n [\"\\h\"] ", dialects::godot_4_4,
                        InputKind::json_lines, of_lines),
              "\n{\"a\":\"q\"}\r\n[1]\n [\"h\"] ");
    ASSERT_EQ(of_lines.kinds().size(), 1u);
    EXPECT_EQ(of_lines.kinds()[0].paths, (std::vector<std::string>{"#0 $.a", "#2 $[0]"}));
}

// Values that JSON can hold are not changed by the rules of another format.
TEST(JsonDocuments, BrokenOnesAreNoGodotText) {
    for (const Recorded& document : recorded()) {
        const auto readings = readings_of_text(as_bytes(document.text), {}, true);
        ASSERT_TRUE(readings);
        for (const Reading& reading : readings->fits) {
            if (reading.kind != InputKind::text || read(document.text))
                continue;
            const auto value = parse_text(document.text);
            ASSERT_TRUE(value) << document.text;
            const std::string printed = to_text_full(*value).value();
            EXPECT_FALSE(read(printed)) << document.text << " as " << printed;
        }
    }
    for (const char* text : {R"({"a": 1 "b": 2})", R"(["\ud800"])", "{\"a\": 1 ; comment\n}"})
        EXPECT_FALSE(read_save(as_bytes(text))) << text;
    for (const char* text : {"{\"a\": Vector2(1, 2)}", "[&\"a\"]", "{1: 2}", "[inf]"})
        EXPECT_EQ(input_kind_name(read_save(as_bytes(text))->kind().seen_as), "text") << text;
    // Who says that it is Godot's text may have it.
    EXPECT_TRUE(read_save(as_bytes("{\"a\": 1 ; comment\n}"), {.as = InputKind::text}));
}

}  // namespace
}  // namespace gdvar::test
