// The text that is to stand in files: the engine's own where that reads back, else one that does.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/generate.hpp"
#include "support/small_stack.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

bool comes_back(const Variant& value, TextFamily family) {
    const auto read = parse_text(*to_file_text(value, {.family = family}),
                                 {.family = family, .whole = true, .resources = true});
    return read && identical(*read, value);
}

TEST(FileText, IsTheEnginesTextIfTheEngineReadsThatBack) {
    std::size_t same = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            const auto value = decode(vector.bytes, reading(*recording.dialect));
            ASSERT_TRUE(value) << vector.name;
            const std::string text = *to_text(*value, recording.family);
            const auto read = parse_text(text, {.family = recording.family});
            if (!read || !identical(*read, *value))
                continue;
            EXPECT_EQ(*to_file_text(*value, {.family = recording.family}), text) << vector.name;
            ++same;
        }
    EXPECT_GT(same, 600u);
}

TEST(FileText, FloatsHaveTheDigitsThatTheReaderNeeds) {
    Random random(7);
    std::size_t longer = 0, unreachable = 0;
    for (int i = 0; i < 20000; ++i) {
        double value = std::bit_cast<double>(random());
        // The engines' reader has no powers beyond these.
        if (i % 2 || !(std::fabs(value) > 1e-290 && std::fabs(value) < 1e290))
            value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                               static_cast<int>(below(random, 120)) - 90);
        const TextFamily family = text_families[below(random, 4)];
        if (!comes_back(Variant(value), family)) {
            // The engines' reader gives it for no digits, but one near it.
            ++unreachable;
            const std::string text = *to_file_text(Variant(value), {.family = family});
            EXPECT_EQ(parse_text(text, {.family = family, .strict_numbers = true})->real(), value);
            const double read = parse_text(text, {.family = family})->real();
            EXPECT_LE(std::fabs(read - value), 2e-15 * std::fabs(value)) << text;
        }
        const auto narrow = static_cast<float>(value);
        if (std::isfinite(narrow) && (narrow == 0 || std::fabs(narrow) > 1e-36f)) {
            EXPECT_TRUE(comes_back(Variant(Vector2{narrow, -narrow}), family)) << narrow;
        }
        longer +=
            *to_file_text(Variant(value), {.family = family}) != *to_text(Variant(value), family);
    }
    EXPECT_GT(longer, 10000u);
    EXPECT_LT(unreachable, 500u);
    EXPECT_EQ(*to_file_text(Variant(0.1), {.family = TextFamily::godot_3_6}), "0.1");
    EXPECT_EQ(*to_file_text(Variant(0.123456789), {.family = TextFamily::godot_3_6}),
              "0.123456789");
    EXPECT_EQ(*to_file_text(Variant(-0.0)), "-0.0");
    EXPECT_EQ(*to_file_text(Variant(Vector2{-0.0f, 1})), "Vector2(-0.0, 1)");
    EXPECT_EQ(*to_file_text(Variant(-std::numeric_limits<double>::infinity())), "inf_neg");
}

TEST(FileText, TextsComeBack) {
    const std::string hard = "a\a\b\t\n\v\f\r\x1b'\"\\?%é👾\x7f\r\n";
    for (const TextFamily family : text_families) {
        EXPECT_TRUE(comes_back(Variant(hard), family));
        EXPECT_TRUE(comes_back(Variant(NodePath(hard)), family));
        PackedStringArray strings;
        strings.push_back(hard);
        strings.push_back("");
        EXPECT_TRUE(comes_back(Variant(strings), family));
        const bool names = family == TextFamily::godot_4 || family == TextFamily::pandemonium;
        EXPECT_EQ(comes_back(Variant(StringName(hard)), family), names);
        Object object("Node");
        EXPECT_TRUE(comes_back(Variant(object), family));
        object.append(hard, Variant(1));
        EXPECT_TRUE(comes_back(Variant(object), family));
    }
}

TEST(FileText, PairsKeepTheirOrderAndEveryOneIsWritten) {
    Dictionary pairs;
    pairs.append("b", 1);
    pairs.append("a", Dictionary());
    const Variant value(pairs);
    EXPECT_EQ(*to_file_text(value), "{\n\"b\": 1,\n\"a\": {}\n}");
    EXPECT_EQ(*to_file_text(value, {.newline = "\r\n"}), "{\r\n\"b\": 1,\r\n\"a\": {}\r\n}");
    EXPECT_EQ(*to_file_text(value, {.family = TextFamily::godot_3_2}),
              "{\n\"b\": 1,\n\"a\": {\n\n}\n}");
    EXPECT_EQ(*to_file_text(Variant(Object("Node"))), "Object(Node,)\n");
}

TEST(FileText, IsIndentedForPeople) {
    const Variant value = *parse_text_full(
        "{\"a\": {}, \"b\": [1, 2.5, \"x\"], \"c\": [[], {\"d\": null}], "
        "\"e\": Object(\"Node\", \"name\": \"n\", \"at\": Vector2(1, 0.1)), "
        "\"f\": Array[int]([1]), \"g\": Dictionary[int, Array]({1: [Object(\"Node\")]})}");
    const FileText how{.exact_digits = true, .indent = 2};
    EXPECT_EQ(*to_file_text(value, how),
              "{\n"
              "  \"a\": {},\n"
              "  \"b\": [1, 2.5, \"x\"],\n"
              "  \"c\": [\n"
              "    [],\n"
              "    {\n"
              "      \"d\": null\n"
              "    }\n"
              "  ],\n"
              "  \"e\": Object(Node,\n"
              "    \"name\": \"n\",\n"
              "    \"at\": Vector2(1, 0.1)\n"
              "  ),\n"
              "  \"f\": Array[int]([1]),\n"
              "  \"g\": Dictionary[int, Array]({\n"
              "    1: [\n"
              "      Object(Node,)\n\n"
              "    ]\n"
              "  })\n"
              "}");
    // Every finite float comes back where numbers are read exactly.
    Random random(11);
    for (int i = 0; i < 4000; ++i) {
        const double wide = std::bit_cast<double>(random());
        const float narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        Array all{Variant(std::isfinite(wide) ? wide : 0.0),
                  Variant(Vector2{std::isfinite(narrow) ? narrow : 0.0f, 1})};
        for (const TextFamily family : text_families) {
            FileText there = how;
            there.family = family;
            const std::string text = *to_file_text(Variant(all), there);
            const auto read = parse_text(text, {.family = family, .strict_numbers = true});
            ASSERT_TRUE(read) << text;
            EXPECT_TRUE(identical(*read, Variant(all))) << text;
        }
    }
}

TEST(FileText, BytesAreBase64OnRequest) {
    const Variant bytes(PackedByteArray{1, 2, 3});
    EXPECT_EQ(*to_file_text(bytes), "PackedByteArray(1, 2, 3)");
    EXPECT_EQ(*to_file_text(bytes, {.base64_bytes = true}), "PackedByteArray(\"AQID\")");
    EXPECT_EQ(*to_file_text(bytes, {.family = TextFamily::pandemonium}),
              "PoolByteArray( \"AQID\" )");
}

TEST(FileText, ReferencesAreWrittenAsTheFamilyWritesThem) {
    struct Case {
        const char* full;
        const char *four, *three;
    };
    const Case cases[] = {
        {"Object(\"ExtResource\", \"id\": 1)", "ExtResource(1)", "ExtResource( 1 )"},
        {"Object(\"SubResource\", \"id\": \"a\\\"b\")", "SubResource(\"a\\\"b\")",
         "SubResource( \"a\\\"b\" )"},
        {"Object(\"Resource\", \"path\": \"res://x\")", "Resource(\"res://x\")",
         "Resource( \"res://x\")"},
        {"Object(\"Resource\", \"uid\": \"uid://c\", \"path\": \"res://x\")",
         "Resource(\"uid://c\", \"res://x\")", nullptr},
        {"Object(\"Resource\", \"uid\": \"uid://c\")", "Resource(\"uid://c\")", nullptr},
        {"Array[\"ExtResource(\\\"1\\\")\"]([])", "Array[ExtResource(\"1\")]([])", nullptr},
        {"Array[Resource(\"res://a.gd\")]([])", "Array[Resource(\"res://a.gd\")]([])", nullptr},
    };
    for (const Case& c : cases) {
        const Variant value = *parse_text_full(c.full);
        EXPECT_EQ(*to_file_text(value), c.four);
        EXPECT_TRUE(comes_back(value, TextFamily::godot_4));
        if (c.three) {
            EXPECT_EQ(*to_file_text(value, {.family = TextFamily::godot_3_6}), c.three);
            EXPECT_TRUE(comes_back(value, TextFamily::godot_3_6));
        }
    }
    // Other properties: an Object like any other.
    for (const char* full : {"Object(\"ExtResource\", \"id\": 1.5)", "Object(\"ExtResource\")",
                             "Object(\"Resource\", \"path\": \"uid://c\")",
                             "Object(\"SubResource\", \"id\": 1, \"id\": 2)",
                             "Object(\"Resource\", \"path\": \"a\", \"path\": \"b\")",
                             "Object(\"Resource\", \"path\": \"a\", \"x\": \"b\")"}) {
        const Variant value = *parse_text_full(full);
        EXPECT_TRUE(to_file_text(value)->starts_with("Object(")) << full;
        EXPECT_TRUE(comes_back(value, TextFamily::godot_4)) << full;
    }
}

TEST(FileText, DepthIsWrittenInFullAndCostsNoStack) {
    on_small_stack([] {
        Variant value;
        for (int i = 0; i < 50'000; ++i) {
            Array outer;
            outer.push_back(std::move(value));
            value = std::move(outer);
        }
        EXPECT_EQ(to_file_text(value)->size(), 2 * 50'000 + 4u);
    });
}

}  // namespace
}  // namespace gdvar::test
