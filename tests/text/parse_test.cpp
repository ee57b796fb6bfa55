#include <gtest/gtest.h>

#include <map>

#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/generate.hpp"
#include "support/small_stack.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// One line of the recordings of str_to_var and str2var: a text, and the packet of what the engine
/// read it to.
struct TextCase {
    std::string text;
    std::vector<std::byte> packet;
};
struct TextRecording {
    const char* file;
    const Dialect* dialect;
    TextFamily family;
};
const TextRecording text_recordings[] = {
    {"godot-4.6.3-text.ndjson", &dialects::godot_4_4, TextFamily::godot_4},
    {"godot-3.6.2-text.ndjson", &dialects::godot_3_1, TextFamily::godot_3_6},
};

std::vector<TextCase> cases_of(const TextRecording& recording) {
    std::vector<TextCase> out;
    for (const Json& json : lines_with(data_dir() / "vectors" / recording.file, "t"))
        out.push_back({json["t"], unhex(json["b"])});
    return out;
}

/// The engine's result for text that it refuses.
Variant refusal(const TextRecording& recording, const std::string& text) {
    return recording.family == TextFamily::godot_4 ? Variant() : Variant(text);
}

/// The value as the engine's packet shows it: without full objects, containers of objects hold ids.
Variant as_recorded(Variant value, const Dialect& dialect) {
    auto bytes = encode(value, {.dialect = &dialect});
    EXPECT_TRUE(bytes);
    return *decode(as_bytes(*bytes), {.dialect = &dialect});
}

/// Whether a container's elements are of a class, by its name.
bool has_class(const Variant& value) {
    const std::string text = *to_text_full(value);
    for (const char* part : {"Array[\"", "Dictionary[\"", "\"]("})
        if (text.find(part) != text.npos)
            return true;
    return false;
}

enum class Outcome { same, refused_by_both, class_unknown, wrong };

Outcome compare(const TextRecording& recording, const TextCase& line,
                const std::expected<Variant, TextError>& ours) {
    const Variant theirs = *decode(line.packet, {.dialect = recording.dialect});
    if (!ours)
        return identical(theirs, refusal(recording, line.text)) ? Outcome::refused_by_both
                                                                : Outcome::wrong;
    if (identical(as_recorded(*ours, *recording.dialect), theirs))
        return Outcome::same;
    // Only an engine knows which classes there are.
    if (recording.family == TextFamily::godot_4 && has_class(*ours))
        return Outcome::class_unknown;
    return Outcome::wrong;
}

TEST(ParseText, ReadsWhatTheEnginesReadAndRefusesWhatTheyRefuse) {
    const std::map<Outcome, std::size_t> expected[] = {
        {{Outcome::same, 1967}, {Outcome::refused_by_both, 3589}, {Outcome::class_unknown, 51}},
        {{Outcome::same, 1798}, {Outcome::refused_by_both, 2403}}};
    for (std::size_t i : {0, 1}) {
        const TextRecording& recording = text_recordings[i];
        std::map<Outcome, std::size_t> counts;
        for (const TextCase& line : cases_of(recording)) {
            const auto ours = parse_text(line.text, {.family = recording.family, .tolerant = true});
            const Outcome outcome = compare(recording, line, ours);
            EXPECT_NE(outcome, Outcome::wrong) << recording.file << "\n" << line.text;
            ++counts[outcome];
        }
        EXPECT_EQ(counts, expected[i]) << recording.file;
    }
}

TEST(ParseText, RefusesWhereTheEngineComplainsAndGivesSomething) {
    // These counts are in docs/text.md.
    const std::map<std::string, std::size_t> expected[] = {{{"bad_syntax", 30},
                                                            {"unknown_constructor", 13},
                                                            {"wrong_arguments", 2},
                                                            {"wrong_type", 41}},
                                                           {{"bad_syntax", 25}}};
    for (std::size_t i : {0, 1}) {
        const TextRecording& recording = text_recordings[i];
        std::map<std::string, std::size_t> refused;
        for (const TextCase& line : cases_of(recording)) {
            const auto strict = parse_text(line.text, {.family = recording.family});
            const auto tolerant =
                parse_text(line.text, {.family = recording.family, .tolerant = true});
            if (strict) {
                ASSERT_TRUE(tolerant && identical(*strict, *tolerant)) << line.text;
            } else if (tolerant) {
                ++refused[std::string(error_name(strict.error().code))];
            } else {
                EXPECT_LE(strict.error().offset, tolerant.error().offset) << line.text;
            }
        }
        EXPECT_EQ(refused, expected[i]) << recording.file;
    }
}

TEST(ParseText, ReadsTheEnginesOwnTextOfEveryVector) {
    // Text that the engine itself reads back to the same text.
    std::size_t compared = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            auto read = parse_text(vector.text, {.family = recording.family});
            if (!read)
                continue;
            auto text = to_text(*read, recording.family);
            ASSERT_TRUE(text) << vector.name;
            if (*text == vector.text)
                ++compared;
        }
    EXPECT_GT(compared, 1500u);
}

TEST(ParseTextFull, EveryVectorComesBackByteForByte) {
    std::size_t compared = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            const DecodeOptions decoding = reading(*recording.dialect);
            auto value = decode(vector.bytes, decoding);
            ASSERT_TRUE(value) << vector.name;
            auto packet = encode(*value, writing(*recording.dialect));
            ASSERT_TRUE(packet);
            for (const int indent : {0, 2}) {
                const std::string text = *to_text_full(*value, indent);
                auto read = parse_text_full(text, {.whole = true});
                ASSERT_TRUE(read) << vector.name << " " << to_string(read.error()) << "\n" << text;
                ASSERT_TRUE(identical(*read, *value)) << vector.name << "\n" << text;
                auto again = encode(*read, writing(*recording.dialect));
                ASSERT_TRUE(again && *again == *packet) << vector.name;
                ++compared;
            }
        }
    EXPECT_GT(compared, 3000u);
}

TEST(ParseTextFull, EveryGeneratedValueComesBack) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Random random(seed);
        const Variant value = any_value(random, 4);
        const std::string text = *to_text_full(value, seed % 2 ? 1 : 0);
        auto read = parse_text_full(text, {.whole = true});
        ASSERT_TRUE(read) << to_string(read.error()) << "\n" << text;
        ASSERT_TRUE(identical(*read, value)) << text;
    }
}

TEST(ParseTextFull, IdsOfObjectsAreSignedAndReadBothWays) {
    const std::pair<const char*, const char*> cases[] = {
        {"Object(18446744073709551611)", "Object(-5)"},
        {"Signal(\"s\", 18446744073709551611)", "Signal(\"s\", -5)"},
        {"RID(18446744073709551611)", "RID(18446744073709551611)"},
    };
    for (const auto& [given, printed] : cases)
        for (const char* text : {given, printed}) {
            const auto value = parse_text_full(text, {.whole = true});
            ASSERT_TRUE(value) << text << " " << to_string(value.error());
            EXPECT_EQ(*to_text_full(*value), printed);
        }
    for (const char* text : {"Object(-9223372036854775809)", "Object(18446744073709551616)"})
        EXPECT_FALSE(parse_text_full(text)) << text;
}

TEST(ParseTextFull, ReadsWhatNoRecordingHas) {
    const char* texts[] = {
        "nan(0x7ff4000000000001)",
        "Vector2(nan(0x7fa00001), -nan)",
        "PackedVector2dArray(1, 2, nan(0xfff8000000000000), 0.1)",
        "Object(\"A\\\"b\", \"p\": 1, \"p\": [Object(null), Object(18446744073709551615)])",
        "Array[Resource(\"res://a.gd\")]([])",
        "Array[\"int\"]([null])",
        "Dictionary[Variant, \"Node\"]({1: null, 1: null})",
        "PackedTypedArray[int]([1, 2])",
        "NodePath([\"a/b\", \"\"], [\"c:d\"], true, true)",
        "NodePath([], [], true)",
        "Signal(\"s\", 18446744073709551615)",
        "Image(1, 2, 3, 4, 255)",
        "InputEvent(1, 0, 2, 3)",
        "\"\\x80\\u0000\\\"\"",
        "-0.0",
    };
    for (const char* text : texts) {
        auto read = parse_text_full(text, {.whole = true});
        if (std::string_view(text).find("-nan") != std::string_view::npos) {
            EXPECT_FALSE(read);
            continue;
        }
        ASSERT_TRUE(read) << text << " " << to_string(read.error());
        const std::string printed = *to_text_full(*read);
        auto again = parse_text_full(printed);
        ASSERT_TRUE(again) << printed;
        EXPECT_TRUE(identical(*read, *again)) << text << "\n" << printed;
    }
}

TEST(ParseText, ErrorsSayLineAndColumn) {
    struct Case {
        const char* text;
        Errc code;
        std::uint32_t line, column;
    };
    const Case cases[] = {
        {"", Errc::bad_syntax, 1, 1},
        {"[1,\n 2 3]", Errc::bad_syntax, 2, 4},
        {"{\n\"é\": Vectr2(1, 2)}", Errc::unknown_constructor, 2, 6},
        {"Vector2(1)", Errc::wrong_arguments, 1, 1},
        {"\"a\\u00g0\"", Errc::bad_escape, 1, 3},
        {"\"abc", Errc::bad_syntax, 1, 1},
        {"\"\xFF\"", Errc::bad_utf8, 1, 1},
        {"Resource(\"res://a.tres\")", Errc::unsupported_type, 1, 1},
        {"Array[int]([\"x\"])", Errc::wrong_type, 1, 1},
        {"1 2", Errc::trailing_bytes, 1, 3},
    };
    for (const Case& c : cases) {
        auto read = parse_text(c.text, {.whole = true});
        ASSERT_FALSE(read) << c.text;
        EXPECT_EQ(read.error().code, c.code) << c.text;
        EXPECT_EQ(read.error().line, c.line) << c.text;
        EXPECT_EQ(read.error().column, c.column) << c.text;
    }
    EXPECT_EQ(to_string(parse_text("[1 2]").error()),
              "1:4: error[bad_syntax]: Array: expected ',' or ']'");
    EXPECT_EQ(to_string(parse_text("Ada", {.whole = true}).error()),
              "1:1: error[unknown_constructor]: Ada: no value has this name; texts stand in double "
              "quotes");
    EXPECT_EQ(to_string(parse_text("PackedByteArray(256)", {.strict_numbers = true}).error()),
              "1:17: error[bad_number]: not a whole number from 0 to 255");
}

TEST(ParseText, StrictNumbersAreWhatTheTextSaysOrRefused) {
    const std::pair<const char*, std::size_t> refused[] = {
        {"12345678901234567890", 0},
        {"[1, -9223372036854775809]", 4},
        {"1e400", 0},
        {"-1e400", 0},
        {"1e-400", 0},
        {"1e4294967297", 0},
        {"1e-4294967297", 0},
        {"1.5e", 0},
        {"Vector2(1e39, 0)", 8},
        {"Vector2(0, 1e-60)", 11},
        {"Vector2(0, 12345678901234567890)", 11},
        {"Color(1, 1, 1, 1e400)", 15},
        {"PoolByteArray(1, 256)", 17},
        {"PoolByteArray(-1)", 14},
        {"PoolByteArray(1.5)", 14},
        {"PoolIntArray(3000000000)", 13},
        {"PoolIntArray(3000000000.0)", 13},
        {"RID(12345678901234567890)", 4},
    };
    for (const TextFamily family : text_families) {
        const ParseOptions strict{.family = family, .strict_numbers = true};
        for (const auto& [text, offset] : refused) {
            EXPECT_TRUE(parse_text(text, {.family = family})) << text;
            const auto read = parse_text(text, strict);
            ASSERT_FALSE(read) << text;
            EXPECT_EQ(read.error().code, Errc::bad_number) << text;
            EXPECT_EQ(read.error().offset, offset) << text;
        }
        EXPECT_EQ(parse_text("0.1234567890123456789", strict)->real(), 0.1234567890123456789);
        EXPECT_EQ(parse_text("5e-324", strict)->real(), 5e-324);
        EXPECT_EQ(parse_text("0e511", strict)->real(), 0.0);
        EXPECT_TRUE(parse_text("PoolIntArray(3.0, -2147483648)", strict));
        EXPECT_TRUE(parse_text("PoolByteArray(0, 255.0)", strict));
    }
    const ParseOptions modern{.strict_numbers = true};
    EXPECT_EQ(parse_text("Vector2i(1.5, 1)", modern).error().code, Errc::bad_number);
    EXPECT_EQ(parse_text("Vector2i(inf, 1)", modern).error().code, Errc::bad_number);
    EXPECT_EQ(parse_text("PackedInt64Array(1e19)", modern).error().code, Errc::bad_number);
    EXPECT_TRUE(parse_text("[inf, -inf, nan, Vector2(inf, nan), Vector2(0, -0.0)]", modern));
    // An engine's output is always taken.
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            ParseOptions options{.family = recording.family};
            if (!parse_text(vector.text, options))
                continue;
            options.strict_numbers = true;
            EXPECT_TRUE(parse_text(vector.text, options)) << vector.text;
        }
    // Texts that 3.2 prints and can't read itself.
    const ParseOptions old{.family = TextFamily::godot_3_2, .strict_numbers = true};
    for (const char* text :
         {"-inf.0", "-nan.0", "inf", "nan", "Vector2( -inf, -nan )", "[ -nan.0 ]"}) {
        const auto read = parse_text(text, old);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(*to_text(*read, TextFamily::godot_3_2), text);
    }
}

TEST(ParseText, FamiliesDiffer) {
    const auto reads = [](const char* text, TextFamily family) {
        return parse_text(text, {.family = family}).has_value();
    };
    const std::pair<const char*, std::array<bool, 4>> cases[] = {
        {"inf_neg", {false, true, true, true}},
        {"PackedInt32Array(1)", {false, true, true, false}},
        {"Quaternion(1, 2, 3, 4)", {false, false, true, true}},
        {"&\"a\"", {false, false, true, false}},
        {"@\"a\"", {false, false, true, true}},
        {"Array[int]([1])", {false, false, true, false}},
        {"TypedArray( int , 1, 2 )", {false, false, false, true}},
        {"Vector2( 1, 2 )", {true, true, true, true}},
    };
    for (const auto& [text, expected] : cases)
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(reads(text, text_families[i]), expected[i]) << text;
}

// As 4.6.3 reads them.
TEST(ParseText, NumbersOfRidsAreUnsigned) {
    const std::pair<const char*, std::uint64_t> cases[] = {
        {"RID(1e19)", 10'000'000'000'000'000'000u},
        {"RID(1.8e19)", 18'000'000'000'000'000'000u},
        {"RID(1.9e19)", 0},
        {"RID(1e308)", 0},
        {"RID(-1.5)", ~0ull},
        {"RID(-1e30)", 1ull << 63},
    };
    for (const auto& [text, id] : cases)
        EXPECT_EQ(*parse_text(text), Variant(RID{id})) << text;
}

TEST(ParseText, GoesOnBehindAValue) {
    std::string_view text = " 1 ; one\n[2]{}";
    std::vector<Variant> values;
    while (!text.empty()) {
        std::size_t size = 0;
        auto value = parse_text(text, {}, &size);
        ASSERT_TRUE(value);
        values.push_back(*value);
        text.remove_prefix(size);
    }
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(values[1].size(), 1u);
}

TEST(ParseText, DepthIsLimitedAndCostsNoStack) {
    const auto nest = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(parse_text(nest(1025)));
    EXPECT_EQ(parse_text(nest(1026)).error().code, Errc::depth_limit);
    on_small_stack([&] {
        ParseOptions deep;
        deep.limits.max_depth = 1'000'000;
        auto read = parse_text(nest(100'000), deep);
        EXPECT_TRUE(read);
        deep.full = true;
        EXPECT_TRUE(identical(*read, *parse_text(*to_text_full(*read), deep)));
    });
    ParseOptions few;
    few.limits.max_nodes = 3;
    EXPECT_TRUE(parse_text("[1, 2]", few));
    EXPECT_EQ(parse_text("[1, 2, 3]", few).error().code, Errc::node_limit);
    few.limits.max_bytes = 5;
    EXPECT_EQ(parse_text("[1, 2]", few).error().code, Errc::size_limit);
}

}  // namespace
}  // namespace gdvar::test
