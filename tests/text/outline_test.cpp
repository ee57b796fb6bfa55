// Outlines of Godot text: parallel to the value, exact in their spans.
#include "gdvar/value/outline.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "support/generate.hpp"
#include "support/outline.hpp"
#include "support/small_stack.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// The faults of the text's outline; "refused" if the text is.
std::string problem_of(std::string_view text, ParseOptions options) {
    Outline outline;
    options.outline = &outline;
    const auto value = parse_text(text, options);
    if (!value)
        return outline.empty() ? "refused" : "nodes stay after a refusal";
    options.outline = nullptr;
    options.whole = true;
    return outline_problem(text, outline, *value, [&](std::string_view part) {
        // A color at the end of the text is none to an engine.
        auto read = parse_text(std::string(part) + " ", options);
        return read ? std::optional<Variant>(*std::move(read)) : std::nullopt;
    });
}

/// Calls `use` with each text that differs from `text` in one byte.
template <class Use>
void each_changed(std::string_view text, Use&& use) {
    constexpr std::string_view others("[]{}(),:;\"\\-.0e9E t\n\0\x80&#", 25);
    for (std::size_t at = 0; at <= text.size(); ++at) {
        std::string changed(text.substr(0, at));
        changed += text.substr(std::min(at + 1, text.size()));
        use(changed);
        for (const char other : others) {
            changed = text;
            changed.insert(at, 1, other);
            use(changed);
            changed.erase(std::min(at + 1, text.size()), 1);
            use(changed);
        }
    }
}

std::string spans_of(std::string_view text, const Outline& outline) {
    std::string out;
    for (const OutlineNode& node : outline.nodes) {
        if (node.key_end)
            out += std::string(text.substr(node.key_begin, node.key_end - node.key_begin)) + "=>";
        out += std::string(text.substr(node.begin, node.end - node.begin)) + "|";
    }
    return out;
}

/// With an outline all is read by tokens, without one most is not.
TEST(TextOutline, TheSameIsReadWithoutIt) {
    const std::string_view texts[] = {
        "{\"first\": [1, -2.50, true], \"s\\n\": \"text\", 3: {\"x y\": null, [4]: []}}",
        "[Vector2(1, -2.5), Color(0.1, 1, 0, 1), 0.12345678901234567, 123456789012345678, false,]",
        "[PackedByteArray(1, 255, 0), -0, -0.0, 00.5, 1., 1234567890123456789, 1e3, [[]], {}]",
        "{\"a\": Array[int]([1, 2]), \"bb\": PackedFloat32Array(1, 0.1, 16777217.5, -0)} ;"};
    const auto check = [](const std::string& text, ParseOptions options) {
        Outline outline;
        std::size_t size = 0, size_with = 0;
        const auto value = parse_text(text, options, &size);
        options.outline = &outline;
        const auto with = parse_text(text, options, &size_with);
        ASSERT_EQ(value.has_value(), with.has_value()) << text;
        ASSERT_EQ(size, size_with) << text;
        if (value)
            ASSERT_TRUE(identical(*value, *with)) << text;
        else
            ASSERT_EQ(value.error(), with.error()) << text;
    };
    ParseOptions few;
    few.limits.max_nodes = 6;
    few.limits.max_depth = 1;
    for (const std::string_view seed : texts)
        each_changed(seed, [&](const std::string& text) {
            for (const TextFamily family : {TextFamily::godot_3_2, TextFamily::godot_4})
                for (const bool strict : {false, true})
                    for (const bool file : {false, true})
                        check(text, {.family = family, .strict_numbers = strict, .file = file});
            check(text, {.full = true, .whole = true});
            check(text, few);
        });
}

TEST(TextOutline, SpansAreTheValues) {
    const std::string_view text =
        " {\"a\" : [1 ,; one\n 2.50,], [1, 2]: Vector2(1, 2) ,&\"s\":Object(Node,\"n\": #fff)} ; "
        "end";
    Outline outline;
    const auto value = parse_text(text, {.outline = &outline});
    ASSERT_TRUE(value);
    EXPECT_EQ(spans_of(text, outline),
              std::string(text.substr(1, text.size() - 7)) +
                  "|\"a\"=>[1 ,; one\n 2.50,]|1|2.50|[1, 2]=>Vector2(1, 2)|"
                  "&\"s\"=>Object(Node,\"n\": #fff)|\"n\"=>#fff|");
    const OutlineKind kinds[] = {OutlineKind::dictionary, OutlineKind::array, OutlineKind::leaf,
                                 OutlineKind::leaf,       OutlineKind::leaf,  OutlineKind::object,
                                 OutlineKind::leaf};
    ASSERT_EQ(outline.nodes.size(), std::size(kinds));
    for (std::size_t i = 0; i < std::size(kinds); ++i)
        EXPECT_EQ(outline.nodes[i].kind, kinds[i]) << i;
    EXPECT_EQ(outline.nodes[5].inner, text.find("Node,") + 5);
}

TEST(TextOutline, ItIsParallelToEveryTextThatAnEngineReads) {
    std::size_t outlined = 0;
    for (const auto& [file, family] : {std::pair("godot-4.6.3-text.ndjson", TextFamily::godot_4),
                                       std::pair("godot-3.6.2-text.ndjson", TextFamily::godot_3_6)})
        for (const Json& json : lines_with(data_dir() / "vectors" / file, "t")) {
            const std::string text = json["t"];
            const std::string problem = problem_of(text, {.family = family});
            if (problem == "refused")
                continue;
            EXPECT_EQ(problem, "") << text;
            ++outlined;
        }
    EXPECT_GT(outlined, 3000u);
}

TEST(TextOutline, ItIsParallelToEveryGeneratedValue) {
    std::size_t outlined = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
        Random random(seed);
        const Variant value = any_value(random, 4);
        EXPECT_EQ(problem_of(*to_text_full(value, seed % 2 ? 1 : 0), {.full = true}), "") << seed;
        for (const TextFamily family :
             {TextFamily::godot_3_6, TextFamily::godot_4, TextFamily::pandemonium}) {
            const std::string text = *to_text(value, family);
            const std::string problem = problem_of(text, {.family = family});
            outlined += problem.empty();
            EXPECT_TRUE(problem.empty() || problem == "refused") << problem << "\n" << text;
        }
    }
    EXPECT_GT(outlined, 600u);
}

TEST(TextOutline, RepeatedKeysStayInTheValue) {
    const std::string_view text = "{1: 2, \"a\": {1: 1, 1: 2}, 1: 3}";
    Outline outline;
    const auto value = parse_text(text, {.outline = &outline});
    ASSERT_TRUE(value);
    EXPECT_EQ(value->size(), 3u);
    EXPECT_EQ(outline.nodes[0].count, 3u);
    EXPECT_EQ(*(*value)[1].get<int>(), 3);
    EXPECT_EQ(problem_of(text, {}), "");
    // Typed keys that become equal stay, too.
    EXPECT_EQ(problem_of("Dictionary[int, int]({1: 1, 1.5: 2})", {}), "");
    Outline typed;
    const auto pairs = parse_text("Dictionary[int, int]({1: 1, 1.5: 2})", {.outline = &typed});
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->size(), 2u);
    EXPECT_EQ(typed.nodes[0].count, 2u);
}

TEST(TextOutline, NodesAreAddedBehindOthersAndMoved) {
    Outline outline;
    (void)outline.open({.kind = OutlineKind::section});
    EXPECT_FALSE(parse_text("[1, {", {.outline = &outline}));
    EXPECT_EQ(outline.nodes.size(), 1u);
    ASSERT_TRUE(parse_text("{1: [2]}", {.outline = &outline, .outline_shift = 100}));
    ASSERT_EQ(outline.nodes.size(), 4u);
    EXPECT_EQ(outline.nodes[1].begin, 100u);
    EXPECT_EQ(outline.nodes[1].inner, 101u);
    EXPECT_EQ(outline.nodes[1].next, 4u);
    EXPECT_EQ(outline.nodes[2].key_begin, 101u);
    EXPECT_EQ(outline.nodes[3].end, 106u);
    const ParseOptions far{.outline = &outline, .outline_shift = UINT32_MAX - 2};
    EXPECT_EQ(parse_text("123", far).error().code, Errc::size_limit);
    EXPECT_TRUE(parse_text("12", far));
}

TEST(TextOutline, ContainersThatLostTheirElementsAreLeaves) {
    Outline outline;
    const auto value =
        parse_text("[Array[int]([\"x\", 1]), 2]", {.tolerant = true, .outline = &outline});
    ASSERT_TRUE(value);
    EXPECT_EQ((*value)[0].size(), 0u);
    ASSERT_EQ(outline.nodes.size(), 3u);
    EXPECT_EQ(outline.nodes[1].kind, OutlineKind::leaf);
    EXPECT_EQ(outline.nodes[1].end, 21u);
    for (const char* text : {"TypedArray( int )", "TypedArray( int , )", "TypedArray(int,1,2,)"})
        EXPECT_EQ(problem_of(text, {.family = TextFamily::pandemonium}), "") << text;
}

TEST(TextOutline, DepthCostsNoStackAndNodesAreSmall) {
    on_small_stack([] {
        Outline outline;
        ParseOptions deep{.outline = &outline};
        deep.limits.max_depth = 1'000'000;
        const std::size_t depth = 50'000;
        std::string text;
        for (std::size_t i = 0; i < depth; ++i)
            text += "{[[1]]: [";
        for (std::size_t i = 0; i < depth; ++i)
            text += "]}";
        EXPECT_TRUE(parse_text(text, deep));
        EXPECT_EQ(outline.nodes.size(), 2 * depth);
        EXPECT_EQ(outline.nodes[0].next, 2 * depth);
    });
}

// ---- references to resources ------------------------------------------------------------------

TEST(TextReferences, AreObjectsOfTheirNames) {
    const ParseOptions four{.whole = true, .resources = true};
    const ParseOptions three{.family = TextFamily::godot_3_6, .whole = true, .resources = true};
    struct Case {
        const char* text;
        const ParseOptions* options;
        const char* full;
    };
    const Case cases[] = {
        {"ExtResource(\"1_abc\")", &four, "Object(\"ExtResource\", \"id\": \"1_abc\")"},
        {"ExtResource( 1 )", &three, "Object(\"ExtResource\", \"id\": 1)"},
        {"ExtResource(1)", &four, "Object(\"ExtResource\", \"id\": 1)"},
        {"SubResource ( \"x\" ; y\n)", &four, "Object(\"SubResource\", \"id\": \"x\")"},
        {"Resource(\"res://x\")", &four, "Object(\"Resource\", \"path\": \"res://x\")"},
        {"Resource( \"uid://x\")", &three, "Object(\"Resource\", \"path\": \"uid://x\")"},
        {"Resource(\"uid://c\", \"res://x\")", &four,
         "Object(\"Resource\", \"uid\": \"uid://c\", \"path\": \"res://x\")"},
        {"Resource(\"res://x\",\"uid://c\")", &four,
         "Object(\"Resource\", \"path\": \"res://x\", \"uid\": \"uid://c\")"},
        {"Resource(\"uid://c\")", &four, "Object(\"Resource\", \"uid\": \"uid://c\")"},
        {"Array[ExtResource(\"2\")]([null, SubResource(1)])", &four,
         "Array[\"ExtResource(\\\"2\\\")\"]([null, Object(\"SubResource\", \"id\": 1)])"},
        {"Array[Resource(\"res://a.gd\")]([])", &four, "Array[Resource(\"res://a.gd\")]([])"},
        {"Dictionary[int, Resource(\"uid://c\", \"res://a.gd\")]({})", &four,
         "Dictionary[int, \"Resource(\\\"uid://c\\\", \\\"res://a.gd\\\")\"]({})"},
    };
    for (const Case& c : cases) {
        const auto value = parse_text(c.text, *c.options);
        ASSERT_TRUE(value) << c.text << " " << to_string(value.error());
        EXPECT_EQ(*to_text_full(*value), c.full);
        Outline outline;
        ParseOptions options = *c.options;
        options.outline = &outline;
        ASSERT_TRUE(parse_text(c.text, options));
        EXPECT_EQ(outline.nodes[0].end, std::string_view(c.text).size());
        EXPECT_FALSE(parse_text(c.text, {.family = c.options->family}) &&
                     std::string_view(c.text) != "Array[Resource(\"res://a.gd\")]([])")
            << c.text;
    }
}

TEST(TextReferences, OthersAreRefused) {
    const std::pair<const char*, Errc> cases[] = {
        {"ExtResource()", Errc::bad_syntax},
        {"ExtResource(1.5)", Errc::bad_syntax},
        {"ExtResource(1, 2)", Errc::bad_syntax},
        {"ExtResource(99999999999999999999)", Errc::bad_number},
        {"SubResource(x)", Errc::bad_syntax},
        {"Resource(1)", Errc::bad_syntax},
        {"Resource(\"a\", \"b\")", Errc::wrong_arguments},
        {"Resource(\"uid://a\", \"uid://b\")", Errc::wrong_arguments},
        {"Resource(\"a\",)", Errc::bad_syntax},
        {"Resource(\"a\", \"uid://b\", \"c\")", Errc::wrong_arguments},
    };
    for (const auto& [text, code] : cases)
        EXPECT_EQ(parse_text(text, {.resources = true}).error().code, code) << text;
    EXPECT_FALSE(parse_text("Resource(\"uid://a\", \"b\")",
                            {.family = TextFamily::godot_3_6, .resources = true}));
}

}  // namespace
}  // namespace gdvar::test
