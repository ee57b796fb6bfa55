#include <gtest/gtest.h>

#include "gdvar/text/number.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// Where the engine shows a live object, or loses a component: see tests/data/README.md.
bool incomparable(const std::string& engine, const std::string& name) {
    if (name == "object_as_id")
        return true;
    if (engine == "godot-4.6.3")
        return name == "typed_array_node_empty" || name == "typed_array_resource_null" ||
               name == "typed_dictionary_int_resource";
    return engine == "pandemonium-5.3" && name == "pool_vector4i";
}

/// Checked from the source: 4.5 was the first to print all digits (docs/text.md).
TEST(Text, Godot4PrintsSixDigitsUpTo44) {
    const auto prints = [](const Variant& value) { return *to_text(value, TextFamily::godot_4_0); };
    EXPECT_EQ(prints(Variant(123456789.54321)), "1.23457e+08");
    EXPECT_EQ(prints(Variant(0.1)), "0.1");
    EXPECT_EQ(prints(Variant(100000.0)), "100000.0");
    EXPECT_EQ(prints(Variant(1e300)), "1e+300") << "no float, as in Godot 3";
    EXPECT_EQ(prints(Variant(Vector2{1.23456789f, 1e20f})), "Vector2(1.23457, 1e+20)");
    EXPECT_EQ(prints(Variant(-std::numeric_limits<double>::infinity())), "inf_neg");
    // Files keep every digit.
    EXPECT_EQ(*to_file_text(Variant(123456789.54321), {.family = TextFamily::godot_4_0}),
              "123456789.54321");
}

TEST(Text, EqualsTheEnginesOwnOnEveryRecording) {
    for (const Recording& recording : recordings) {
        std::size_t compared = 0;
        for (const Vector& vector : vectors_of(recording)) {
            auto document = Document::parse(vector.bytes, reading(*recording.dialect));
            ASSERT_TRUE(document);
            auto text = to_text(std::as_const(*document).root(), recording.family);
            ASSERT_TRUE(text);
            if (incomparable(recording.engine, vector.name))
                continue;
            EXPECT_EQ(*text, vector.text) << recording.engine << " " << vector.name;
            ++compared;
        }
        EXPECT_GT(compared, 375u);
    }
}

TEST(Text, EqualsTheEnginesOwnOnEverySave) {
    for (const Recording& recording : recordings)
        for (const Json& line :
             lines_with(data_dir() / "saves" / recording.engine / "expected.ndjson", "text")) {
            const auto bytes = unhex(line["bytes"]);
            auto document = Document::parse(bytes, reading(*recording.dialect));
            ASSERT_TRUE(document);
            EXPECT_EQ(*to_text(std::as_const(*document).root(), recording.family),
                      line["text"].get<std::string>());
        }
}

struct Printed {
    const char* packet;
    const Dialect* dialect;
    TextFamily family;
    std::string_view text;
};
constexpr auto g4 = &dialects::godot_4_4, g3 = &dialects::godot_3_1;
using enum TextFamily;
/// Packets and what 4.6.3, 3.6.2 and 3.2.3 print for them.
const Printed observed[] = {
    {"17000000ffffffffffffffff", g4, godot_4, "RID(-1)"},
    {"1b0000000200000017000000050000000000000002000000010000001700000003000000000000000200000002000"
     "000",
     g4, godot_4, "{\nRID(3): 2,\nRID(5): 1\n}"},
    {"1b000000020000001700000000000000000000800200000001000000170000000300000000000000"
     "0200000002000000",
     g4, godot_4, "{\nRID(3): 2,\nRID(-9223372036854775808): 1\n}"},
    {"0400000007000000efbbbfefbbbf6100", g4, godot_4, "\"\uFEFFa\""},
    {"0400000007000000efbbbfefbbbf6100", g3, godot_3_6, "\"\uFEFFa\""},
    {"0f00000001000080000000000000000007000000efbbbfefbbbf6100", g3, godot_3_2,
     "NodePath(\"\uFEFFa\")"},
    {"170000000100000007000000efbbbfefbbbf6100", g3, godot_3_6, "PoolStringArray( \"\uFEFFa\" )"},
    {"16000000010000800100000000000000010000006100000000000000", g4, godot_4, "NodePath(\"a\")"},
    {"1600000000000080010000000100000000000000", g4, godot_4, "NodePath(\"/\")"},
    {"160000000000008002000000000000000000000000000000", g4, godot_4, "NodePath(\"::\")"},
    {"0f000000000000800000000001000000", g3, godot_3_6, "NodePath(\"\")"},
    {"0f00000000000080010000000100000000000000", g3, godot_3_2, "NodePath(\"/:\")"},
    {"1200000002000000130000000100000002000000010000000200000001000000130000000100000002000000"
     "020000000200000002000000",
     g3, godot_3_6, "{\n[ 2 ]: 2,\n[ 1 ]: 1\n}"},
    {"030000000000c0ff", g3, godot_3_2, "-nan.0"},
    {"030000000000c0ff", g3, godot_3_6, "nan"},
    {"050000000000c0ff0000c07f", g3, godot_3_2, "Vector2( -nan, nan )"},
    {"1200000002000000050000000000803f000000400200000001000000050000000800803f0000803f"
     "0200000002000000",
     g3, godot_3_2, "{\nVector2( 1, 1 ): 2,\nVector2( 1, 2 ): 1\n}"},
    {"1200000002000000050000000000803f000000400200000001000000050000000800803f0000803f"
     "0200000002000000",
     g3, godot_3_6, "{\nVector2( 1, 2 ): 1,\nVector2( 1, 1 ): 2\n}"},
    {"180000000a000000526566436f756e746564000001000000060000007363726970740000040000000a000000"
     "7265733a2f2f612e67640000",
     g4, godot_4, "Object(RefCounted,\"script\":Resource(\"res://a.gd\"))\n"},
    // [&"a"] behind ["z"]: String before StringName among elements.
    {"1b000000020000001c000000010000001500000001000000610000000200000001000000"
     "1c0000000100000004000000010000007a0000000200000002000000",
     g4, godot_4, "{\n[\"z\"]: 2,\n[&\"a\"]: 1\n}"},
};

TEST(Text, EqualsWhatTheEnginesWereSeenToPrint) {
    for (const Printed& one : observed) {
        const auto bytes = unhex(one.packet);
        const auto document = Document::parse(bytes, reading(*one.dialect));
        ASSERT_TRUE(document) << one.packet;
        EXPECT_EQ(*to_text(document->root(), one.family), one.text) << one.packet;
        EXPECT_EQ(*to_text(*decode(bytes, reading(*one.dialect)), one.family), one.text);
    }
    // A String of an engine keeps its byte order mark.
    EXPECT_EQ(*to_text(Variant("\uFEFFa"), TextOptions{.held = true}), "\"\uFEFFa\"");
    EXPECT_EQ(*to_text(Variant("\uFEFFa")), "\"a\"");
}

TEST(Text, AVariantPrintsAsItsPacketDoes) {
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            const auto document = Document::parse(vector.bytes, reading(*recording.dialect));
            ASSERT_TRUE(document);
            EXPECT_EQ(
                *to_text(*decode(vector.bytes, reading(*recording.dialect)),
                         TextOptions{.family = recording.family, .dialect = recording.dialect}),
                *to_text(document->root(), recording.family))
                << vector.name;
        }
}

TEST(Text, KeysThatTheEnginesSortNeedsSquaredStepsForStayInOrder) {
    // Godot 3 finds each of two pool arrays less than the other.
    Dictionary pairs;
    for (int i = 0; i < 4000; ++i)
        pairs.append(PackedInt32Array{i, 5}, i);
    const std::string text = *to_text(Variant(pairs), godot_3_6);
    EXPECT_TRUE(text.starts_with("{\nPoolIntArray( 0, 5 ): 0,\nPoolIntArray( 1, 5 ): 1,\n"));
    EXPECT_TRUE(text.ends_with("PoolIntArray( 3999, 5 ): 3999\n}"));
    // Few enough are sorted with the engine's steps, as seen with 3.6.2.
    Dictionary few;
    for (int i = 0; i < 4; ++i)
        few.append(PackedInt32Array{i, 5}, i);
    EXPECT_TRUE(to_text(Variant(few), godot_3_6)->starts_with("{\nPoolIntArray( 3, 5 ): 3,\n"));
}

TEST(Text, DigitsOfGodotFour) {
    const std::pair<double, const char*> cases[] = {
        {0.0, "0.0"},          {-0.0, "0.0"},     {1e14, "100000000000000.0"},
        {1e15, "1e+15"},       {1e-4, "0.0001"},  {1e-5, "1e-05"},
        {0.1f, "0.1"},         {0.1, "0.1"},      {1.0 / 3, "0.3333333333333333"},
        {5e-324, "5e-324"},    {1e300, "1e+300"}, {16777217, "16777217.0"},
        {-HUGE_VAL, "inf_neg"}};
    for (const auto& [value, text] : cases) {
        std::string out;
        append_float(out, value, TextFamily::godot_4);
        EXPECT_EQ(out, text);
    }
    // Any digits must read back as the value that they stand for.
    std::uint64_t state = 1;
    for (int i = 0; i < 200000; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto value = std::bit_cast<double>(state);
        if (value - value != 0)
            continue;
        std::string out;
        append_component(out, value, TextFamily::godot_4);
        ASSERT_EQ(std::strtod(out.c_str(), nullptr), value) << out;
    }
}

TEST(Text, DeepContainersAreLeftEmptyAsTheEnginesDo) {
    Variant deep;
    for (int i = 0; i < 104; ++i) {
        Array around;
        if (i)
            around.push_back(std::move(deep));
        deep = std::move(around);
    }
    EXPECT_EQ(to_text(deep, TextFamily::godot_3_6)->size(), 406u);  // seen with 3.6.2
    EXPECT_EQ(to_text(deep, TextFamily::godot_3_2)->size(), 416u);  // seen with 3.2.3
    Variant abyss;
    for (int i = 0; i < 100000; ++i) {
        Array around;
        around.push_back(std::move(abyss));
        abyss = std::move(around);
    }
    EXPECT_EQ(to_text_full(abyss)->size(), 200004u);
    EXPECT_TRUE(to_text(abyss, TextFamily::godot_3_2));
}

TEST(FullText, KeepsWhatTheEnginesLose) {
    const std::pair<Variant, const char*> cases[] = {
        {-0.0, "-0.0"},
        {RID{7}, "RID(7)"},
        {Object::from_id(9), "Object(9)"},
        {Object(), "Object(null)"},
        {Signal{"s", 3}, "Signal(\"s\", 3)"},
        {Vector3d{0.1, 2, 3}, "Vector3d(0.1, 2, 3)"},
        {String(std::string_view("a\0b\xFF", 4)), "\"a\\u0000b\\xff\""},
        {PackedVector2dArray{{1, 2}}, "PackedVector2dArray(1, 2)"},
        {Dictionary{{"b", 1}, {"a", StringName("x")}}, "{\"b\": 1, \"a\": &\"x\"}"},
        {NodePath("/root/A:b"), "NodePath(\"/root/A:b\")"},
    };
    for (const auto& [value, text] : cases)
        EXPECT_EQ(*to_text_full(value), text);
    Array typed(ContainerType::of(Type::integer));
    typed.push_back(1);
    EXPECT_EQ(*to_text_full(Variant(typed)), "Array[int]([1])");
}

}  // namespace
}  // namespace gdvar::test
