// Outlines of plain JSON: parallel to the value, exact in their spans.
#include "gdvar/value/outline.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "support/generate.hpp"
#include "support/outline.hpp"
#include "support/small_stack.hpp"

namespace gdvar::test {
namespace {

std::string problem_of(std::string_view text) {
    Outline outline;
    const auto value = parse_plain_json(text, {.outline = &outline});
    if (!value)
        return outline.empty() ? "refused" : "nodes stay after a refusal";
    return outline_problem(text, outline, *value, [&](std::string_view part) {
        auto read = parse_plain_json(part, {.repeated_names = true});
        return read ? std::optional<Variant>(*std::move(read)) : std::nullopt;
    });
}

/// With an outline all is read by a tree, without one most is read in one pass.
TEST(JsonOutline, TheSameIsReadWithoutIt) {
    const std::string_view seed =
        " {\"first\": [1, -2.50, true, 0.12345678901234567, {\"b\": null}], \"s\\n\": \"text\", "
        "\"\": [[], {}, -0, 123456789012345678, 1e3, false]} ";
    constexpr std::string_view others("[]{},:\"\\-.0e9 t\n\0\x80", 18);
    for (std::size_t at = 0; at < seed.size(); ++at)
        for (const char other : others)
            for (const bool insert : {false, true})
                for (const bool many : {false, true}) {
                    std::string text(seed);
                    text.replace(at, insert ? 0 : 1, 1, other);
                    JsonParseOptions options{.whole = insert, .repeated_names = true};
                    if (!many) {
                        options.limits.max_nodes = 12;
                        options.limits.max_depth = 1;
                    }
                    Outline outline;
                    std::size_t size = 0, size_with = 0;
                    const auto value = parse_plain_json(text, options, &size);
                    options.outline = &outline;
                    const auto with = parse_plain_json(text, options, &size_with);
                    ASSERT_EQ(value.has_value(), with.has_value()) << text;
                    ASSERT_EQ(size, size_with) << text;
                    if (value)
                        ASSERT_TRUE(identical(*value, *with)) << text;
                    else
                        ASSERT_EQ(value.error(), with.error()) << text;
                }
}

TEST(JsonOutline, SpansAreTheValues) {
    const std::string_view text =
        " { \"a\\\"\" : [ 1e3 , \"\\u0041\\\\\" ,true, false ],\"\":null , \"b\":[ ] , \"c\" : "
        "{\n} } ";
    Outline outline;
    const auto value = parse_plain_json(text, {.outline = &outline});
    ASSERT_TRUE(value);
    const char* spans[] = {nullptr, "[ 1e3 , \"\\u0041\\\\\" ,true, false ]",
                           "1e3",   "\"\\u0041\\\\\"",
                           "true",  "false",
                           "null",  "[ ]",
                           "{\n}"};
    ASSERT_EQ(outline.nodes.size(), std::size(spans));
    for (std::size_t i = 1; i < std::size(spans); ++i) {
        const OutlineNode& node = outline.nodes[i];
        EXPECT_EQ(text.substr(node.begin, node.end - node.begin), spans[i]);
    }
    EXPECT_EQ(outline.nodes[1].key_begin, 3u);
    EXPECT_EQ(outline.nodes[1].key_end, 8u);
    EXPECT_EQ(outline.nodes[0].end, text.size() - 1);
    EXPECT_EQ(problem_of(text), "");
}

TEST(JsonOutline, ItIsParallelToEveryGeneratedValue) {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        Random random(seed);
        const std::string text = *to_plain_json(any_value(random, 4), {.indent = seed % 2 ? 2 : 0});
        const std::string problem = problem_of(text);
        EXPECT_EQ(problem, "") << text;
    }
}

TEST(JsonOutline, RepeatedNamesStayAsPairs) {
    const std::string_view text = "{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2}, \"a\": [3]}";
    EXPECT_EQ(parse_plain_json(text)->size(), 2u);
    const auto value = parse_plain_json(text, {.repeated_names = true});
    ASSERT_EQ(value->size(), 3u);
    EXPECT_EQ((*value)["b"]->size(), 2u);
    EXPECT_EQ((*value)["a"]->size(), 1u);
    EXPECT_EQ(problem_of(text), "");
}

TEST(JsonOutline, NodesAreAddedBehindOthersAndMoved) {
    Outline outline;
    (void)outline.open({.kind = OutlineKind::section});
    EXPECT_FALSE(parse_plain_json("[1, 2}", {.outline = &outline}));
    EXPECT_FALSE(parse_plain_json("[1, 2] 3", {.outline = &outline}));
    EXPECT_FALSE(parse_plain_json("[1, 1e999]", {.outline = &outline}));
    EXPECT_EQ(outline.nodes.size(), 1u);
    ASSERT_TRUE(parse_plain_json("{\"a\": [2]}", {.outline = &outline, .outline_shift = 100}));
    ASSERT_EQ(outline.nodes.size(), 4u);
    EXPECT_EQ(outline.nodes[1].inner, 101u);
    EXPECT_EQ(outline.nodes[1].next, 4u);
    EXPECT_EQ(outline.nodes[2].key_end, 104u);
    EXPECT_EQ(outline.nodes[3].begin, 107u);
    const JsonParseOptions far{.outline = &outline, .outline_shift = UINT32_MAX - 2};
    EXPECT_EQ(parse_plain_json("123", far).error().code, Errc::size_limit);
    EXPECT_TRUE(parse_plain_json("12", far));
    EXPECT_TRUE(parse_json("\"i:1\"", far));
    EXPECT_EQ(outline.nodes.size(), 5u);
}

TEST(JsonOutline, DepthCostsNoStack) {
    on_small_stack([] {
        Outline outline;
        JsonParseOptions deep{.outline = &outline};
        deep.limits.max_depth = 1'000'000;
        std::string text;
        const std::size_t depth = 50'000;
        for (std::size_t i = 0; i < depth; ++i)
            text += "{\"a\": [";
        for (std::size_t i = 0; i < depth; ++i)
            text += "]}";
        EXPECT_TRUE(parse_plain_json(text, deep));
        EXPECT_EQ(outline.nodes.size(), 2 * depth);
        EXPECT_EQ(outline.nodes[1].end, text.size() - 1);
    });
}

}  // namespace
}  // namespace gdvar::test
