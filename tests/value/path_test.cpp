// Path: parsed, printed, refused.
#include <gtest/gtest.h>

#include <random>

#include "gdvar/value/path.hpp"

namespace gdvar::test {
namespace {

using Kind = Path::StepKind;

std::string printed(std::string_view text) {
    const auto path = Path::parse(text);
    return path ? path->to_string() : "refused";
}

TEST(Path, IsPrintedInOneForm) {
    constexpr std::pair<const char*, const char*> rows[] = {
        {"", "$"},
        {"$", "$"},
        {"players[3].pos", "$.players[3].pos"},
        {".hp", "$.hp"},
        {R"($["hp"])", "$.hp"},
        {R"($[&"hp"])", "$.hp"},
        {R"($[ "odd key" ])", R"($["odd key"])"},
        {R"($.odd key)", R"($["odd key"])"},
        {R"($["a\n\u00e4\xff\"]"])", R"($["a\nä\xff\"]"])"},
        {"$[007][-1]", "$[7][-1]"},
        {"$[Vector2i(1, 2)][1.5][@5 key]", "$[Vector2i(1, 2)][1.5][@5 key]"},
        {R"($[NodePath("a:b]")])", R"($[NodePath("a:b]")])"},
        {"$.*[*]", "$[*][*]"},
        {R"($["*"])", R"($["*"])"},
        {"$[1:][:2][::3][-4:-1:2][1:5:1][:]", "$[1:][:2][::3][-4:-1:2][1:5][:]"},
        {"$..hp", "$..hp"},
        {"..hp", "$..hp"},
        {R"($.a..["odd key"]..[3]..*..[1:2])", R"($.a..["odd key"]..[3]..[*]..[1:2])"},
        {"$.list[+]", "$.list[+]"},
        {"#2", "#2 $"},
        {"#-1 .hp", "#-1 $.hp"},
        {"#*   $..hp", "#* $..hp"},
        {"#2.5", R"(#2 $["5"])"},
    };
    for (const auto& [text, form] : rows) {
        EXPECT_EQ(printed(text), form);
        EXPECT_EQ(Path::parse(text), Path::parse(form)) << text;
    }
}

TEST(Path, HasItsStepsAsValues) {
    const Path path = Path::parse(R"(#* $["a b"][-2][2.5]..[*][1:])").value();
    ASSERT_TRUE(path.records && path.records->all);
    ASSERT_EQ(path.steps.size(), 5u);
    EXPECT_EQ(path.steps[0].text, "a b");
    EXPECT_EQ(path.steps[1].index, -2);
    EXPECT_EQ(path.steps[2].kind, Kind::key);
    EXPECT_EQ(path.steps[2].text, "2.5");
    EXPECT_TRUE(path.steps[3].descends && path.steps[3].kind == Kind::all);
    EXPECT_EQ(path.steps[4].slice.from, 1);
    EXPECT_TRUE(path.several());
    EXPECT_FALSE(Path::parse("$.a[3]")->several());
    EXPECT_EQ(Path::parse("#-3 $")->records->number, -3);
    EXPECT_TRUE(Path::parse("#-3")->whole());
}

TEST(Path, IsRefusedWithThePosition) {
    struct Row {
        const char* text;
        std::size_t position;
        const char* what;
    };
    constexpr Row rows[] = {
        {"$.", 1, "a name is expected behind '.'"},
        {"$.a..", 3, "a name is expected behind '.'"},
        {"$.[1]", 1, "a name is expected behind '.'"},
        {"$x", 1, "a step begins with '.' or '['"},
        {"$[1]x", 4, "a step begins with '.' or '['"},
        {"$.a[1", 3, "']' is missing"},
        {"$[\"a]", 1, "']' is missing"},
        {"$[ ]", 1, "nothing stands in the brackets"},
        {"$..[+]", 1, "[+] stands for no value, so '..' can't find it"},
        {"$[1:2:0]", 1, "a slice's step is 1 or more"},
        {"$[::-1]", 1, "a slice's step is 1 or more"},
        {"$[1:2:3:4]", 1, "a slice is written [from:to] or [from:to:step]"},
        {"$[1-2:3]", 1, "a slice is written [from:to] or [from:to:step]"},
        {"#x", 1, "a record's number or '*' is expected behind '#'"},
        {"#2 $.", 4, "a name is expected behind '.'"},
        {"$[\"a\\qb\"]", 4, "no such escape"},
        {"$[\"a\" \"b\"]", 4, "more than one text stands in the brackets"},
        {"$[\"a\" x]", 1, "the text does not end before the bracket"},
        {"$[\"\\u12\"]", 3, "no such escape"},
        {"$[\"\\x4\"]", 3, "no such escape"},
    };
    for (const Row& row : rows) {
        const auto path = Path::parse(row.text);
        ASSERT_FALSE(path) << row.text;
        EXPECT_EQ(path.error(), (PathError{row.position, row.what})) << row.text;
    }
    std::string many = "$";
    for (std::size_t i = 0; i < Path::most_descending; ++i)
        many += "..a";
    EXPECT_TRUE(Path::parse(many));
    EXPECT_EQ(Path::parse(many + ".b").error(),
              (PathError{many.size(), "too many steps follow '..'"}));
    std::string plain;
    for (int i = 0; i < 1000; ++i)
        plain += ".a[*]";
    EXPECT_TRUE(Path::parse(plain));
}

TEST(Path, TextsHaveTheEscapesOfCAndOfJson) {
    const std::pair<const char*, std::string> rows[] = {
        {R"($["\"\'\\\/\a\b\f\n\r\t\v"])", "\"'\\/\a\b\f\n\r\t\v"},
        {R"($["\u00e9\ud83d\udc7e\x80"])", "\u00e9\U0001F47E\x80"},
        {R"($["\ud83d"])", "\xED\xA0\xBD"},
    };
    for (const auto& [text, name] : rows) {
        const auto path = Path::parse(text);
        ASSERT_TRUE(path) << text;
        EXPECT_EQ(path->steps[0].text, name) << text;
    }
}

/// parse(print(path)) == path, for every key.
TEST(Path, EveryKeyComesBack) {
    std::mt19937 random(20);
    constexpr std::string_view odd =
        "\"\\\r\n\t\b\f\a\v/[]().*#$: \x7F\x80\xED\xA0\xBD\xC3\xA9\xE2\x80\xA8u0123abx";
    for (int i = 0; i < 100'000; ++i) {
        Path path;
        for (std::size_t steps = 1 + random() % 3; steps--;) {
            Path::Step step;
            for (std::size_t size = random() % 12; size--;)
                step.text += odd[random() % odd.size()];
            path.steps.push_back(std::move(step));
        }
        const std::string text = path.to_string();
        const auto again = Path::parse(text);
        ASSERT_TRUE(again) << text << ": " << again.error().what;
        EXPECT_EQ(*again, path) << text;
    }
}

TEST(Path, SlicesTakeWhatPythonTakes) {
    const auto taken = [](std::string_view text, std::size_t size) {
        const Path path = Path::parse(text).value();
        std::string out;
        for (std::size_t i = 0; i < size; ++i)
            if (path.steps[0].slice.takes(i, size))
                out += std::to_string(i);
        return out;
    };
    EXPECT_EQ(taken("[1:3]", 5), "12");
    EXPECT_EQ(taken("[:]", 5), "01234");
    EXPECT_EQ(taken("[-2:]", 5), "34");
    EXPECT_EQ(taken("[:-2]", 5), "012");
    EXPECT_EQ(taken("[::2]", 5), "024");
    EXPECT_EQ(taken("[1::3]", 9), "147");
    EXPECT_EQ(taken("[-9:2]", 5), "01");
    EXPECT_EQ(taken("[3:1]", 5), "");
    EXPECT_EQ(taken("[2:99]", 5), "234");
    EXPECT_EQ(taken("[-9223372036854775808:9223372036854775807:9223372036854775807]", 3), "0");
    EXPECT_EQ(taken("[:]", 0), "");
}

}  // namespace
}  // namespace gdvar::test
