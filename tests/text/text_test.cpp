#include <gtest/gtest.h>

#include "gdvar/text/number.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// Where the engine shows a live object, or loses a lane: see tests/data/README.md.
bool incomparable(const std::string& engine, const std::string& name) {
    if (name == "object_as_id") return true;
    if (engine == "godot-4.6.3")
        return name == "typed_array_node_empty" || name == "typed_array_resource_null" ||
               name == "typed_dictionary_int_resource";
    return engine == "pandemonium-5.3" && name == "pool_vector4i";
}

TEST(Text, EqualsTheEnginesOwnOnEveryRecording) {
    for (const Recording& recording : recordings) {
        std::size_t compared = 0;
        for (const Vector& vector : vectors_of(recording)) {
            auto document = Document::parse(vector.bytes, reading(*recording.dialect));
            ASSERT_TRUE(document);
            auto text = to_text(std::as_const(*document).root(), recording.family);
            ASSERT_TRUE(text);
            if (incomparable(recording.engine, vector.name)) continue;
            EXPECT_EQ(*text, vector.text) << recording.engine << " " << vector.name;
            ++compared;
        }
        EXPECT_GT(compared, 375u);
    }
}

TEST(Text, EqualsTheEnginesOwnOnEverySave) {
    for (const Recording& recording : recordings)
        for (const Json& line : lines_with(
                 data_dir() / "saves" / recording.engine / "expected.ndjson", "text")) {
            const auto bytes = unhex(line["bytes"]);
            auto document = Document::parse(bytes, reading(*recording.dialect));
            ASSERT_TRUE(document);
            EXPECT_EQ(*to_text(std::as_const(*document).root(), recording.family),
                      line["text"].get<std::string>());
        }
}

TEST(Text, DigitsOfGodotFour) {
    const std::pair<double, const char*> cases[] = {
        {0.0, "0.0"},       {-0.0, "0.0"},      {1e14, "100000000000000.0"},
        {1e15, "1e+15"},    {1e-4, "0.0001"},   {1e-5, "1e-05"},
        {0.1f, "0.1"},      {0.1, "0.1"},       {1.0 / 3, "0.3333333333333333"},
        {5e-324, "5e-324"}, {1e300, "1e+300"},  {16777217, "16777217.0"},
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
        if (value - value != 0) continue;
        std::string out;
        append_component(out, value, TextFamily::godot_4);
        ASSERT_EQ(std::strtod(out.c_str(), nullptr), value) << out;
    }
}

TEST(Text, DeepContainersAreLeftEmptyAsTheEnginesDo) {
    Variant deep;
    for (int i = 0; i < 104; ++i) {
        Array around;
        if (i) around.push_back(std::move(deep));
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
    for (const auto& [value, text] : cases) EXPECT_EQ(*to_text_full(value), text);
    Array typed(ContainerType::of(Type::integer));
    typed.push_back(1);
    EXPECT_EQ(*to_text_full(Variant(typed)), "Array[int]([1])");
}

}  // namespace
}  // namespace gdvar::test
