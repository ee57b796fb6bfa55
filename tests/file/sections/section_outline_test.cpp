// The outlines of ConfigFiles and text resources are parallel to their values, and their spans
// exact; hostile texts are refused at little cost.
#include <gtest/gtest.h>

#include "gdvar/file/sections.hpp"
#include "gdvar/text/parse.hpp"
#include "support/outline.hpp"
#include "support/small_stack.hpp"
#include "support/texts.hpp"

namespace gdvar::test {
namespace {

/// The tree below a node as an outline of its own, of the same text.
Outline part_of(const Outline& outline, std::uint32_t node) {
    Outline out;
    for (std::uint32_t i = node; i < outline.nodes[node].next; ++i) {
        out.nodes.push_back(outline.nodes[i]);
        out.nodes.back().next -= node;
    }
    return out;
}

/// The children of a container in the order of the outline.
std::vector<const Variant*> children_of(const Variant& value) {
    std::vector<const Variant*> out;
    if (const auto* array = value.get_if<Array>())
        for (const Variant& item : *array)
            out.push_back(&item);
    if (const auto* pairs = value.get_if<Dictionary>())
        for (const auto& pair : *pairs)
            out.push_back(&pair.value);
    if (const auto* object = value.get_if<Object>())
        for (const auto& property : *object)
            out.push_back(&property.value);
    return out;
}

/// The faults below a node of the document; empty if there are none.
std::string problem_below(std::string_view text, TextFamily family, const Outline& outline,
                          std::uint32_t number, const Variant& value) {
    const OutlineNode& node = outline.nodes[number];
    if (node.kind < OutlineKind::sections)
        return outline_problem(text, part_of(outline, number), value, [&](std::string_view part) {
            const ParseOptions options{
                .family = family, .whole = true, .file = true, .resources = true};
            auto read = parse_text(std::string(part) + " ", options);
            return read ? std::optional<Variant>(*std::move(read)) : std::nullopt;
        });
    const auto children = children_of(value);
    if (node.count != children.size())
        return "count of node " + std::to_string(number);
    std::uint32_t child = number + 1;
    for (const Variant* at : children) {
        if (child >= node.next)
            return "number of nodes below " + std::to_string(number);
        if (auto problem = problem_below(text, family, outline, child, *at); !problem.empty())
            return problem;
        child = outline.nodes[child].next;
    }
    for (const OutlineSpan& span : outline.spans_of(number))
        if (text[span.begin] != '[' || text[span.end - 1] != ']')
            return "span of node " + std::to_string(number);
    return child == node.next ? "" : "next of node " + std::to_string(number);
}

TEST(SectionOutline, ItIsParallelToTheValueOfEveryRecordedText) {
    std::size_t outlined = 0;
    for (const Recording& recording : text_engines())
        for (const RecordedText& line : texts_of(recording)) {
            const SectionsOptions options{.family = recording.family};
            const auto read = line.kind == RecordedText::config ? read_config(line.text, options)
                                                                : read_resource(line.text, options);
            if (!read)
                continue;
            EXPECT_EQ(problem_below(line.text, recording.family, read->outline, 0, read->value), "")
                << line.text;
            ++outlined;
        }
    EXPECT_GT(outlined, 1600u);
}

std::string piece(std::string_view text, std::uint32_t begin, std::uint32_t end) {
    return std::string(text.substr(begin, end - begin));
}

TEST(SectionOutline, KeysAndHeadersAreWhatStandsInTheText) {
    const std::string_view text = "top=1\n[a]\nx = 2 ; c\n\"y z\"=[3]\n[b]\n[a]\nx=4\n";
    const auto read = read_config(text);
    ASSERT_TRUE(read);
    const auto& [value, outline] = *read;
    EXPECT_EQ(*value["a"]["x"].get<int>(), 4);
    EXPECT_EQ(value["a"].size(), 3u);
    std::string nodes;
    for (std::uint32_t i = 1; i < outline.nodes.size(); ++i) {
        const OutlineNode& node = outline.nodes[i];
        nodes += piece(text, node.key_begin, node.key_end) + "|" +
                 piece(text, node.begin, node.end) + "|";
        for (const OutlineSpan& span : outline.spans_of(i))
            nodes += "<" + piece(text, span.begin, span.end) + ">";
    }
    EXPECT_EQ(nodes, "||top|1|a|[a]|<[a]><[a]>x|2|\"y z\"|[3]||3|x|4|b|[b]|<[b]>");
}

TEST(SectionOutline, NotesSayWhatEnginesSkipOrGlue) {
    const std::string_view text = "# no comment\n[s]\na=1 x\nb=2\n=3\n[]\nc=4\n\nend";
    std::string notes;
    const TextLoss note = [&](std::uint64_t offset, std::string_view what) {
        notes += std::to_string(offset) + " " + std::string(what) + "\n";
    };
    const auto read = read_config(text, {.note = &note});
    ASSERT_TRUE(read);
    EXPECT_EQ(notes,
              "0 text without '=' becomes a part of the next key\n"
              "21 text without '=' becomes a part of the next key\n"
              "27 engines skip a value without a key\n"
              "30 a header without a name does not end the section above\n"
              "38 engines skip text without '='\n");
    EXPECT_EQ(*read->value[""]["#nocomment[s]a"].get<int>(), 1);
    EXPECT_EQ(*read->value[""]["xb"].get<int>(), 2);
}

std::string many(std::string_view part, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i)
        out += part;
    return out;
}

struct Hostile {
    std::string text;
    Errc config, resource;
};

TEST(SectionOutline, HostileTextsAreRefusedWithoutRecursion) {
    const std::string scene = "[gd_scene format=3]\n[node name=\"R\" type=\"Node\"]\n";
    const std::string ids =
        "[gd_resource type=\"R\" format=3]\n[sub_resource type=\"R\" id=\"a\"]\n";
    const Hostile cases[] = {
        {"a=" + many("[", 100'000), Errc::depth_limit, Errc::bad_syntax},
        {scene + "a=" + many("{0:", 100'000), Errc::depth_limit, Errc::depth_limit},
        {many("[", 100'000), Errc::bad_syntax, Errc::bad_syntax},
        {many("[a]", 100'000), Errc::ok, Errc::bad_syntax},
        {many("x", 100'000) + "=1", Errc::ok, Errc::bad_syntax},
        {many(";\n", 100'000), Errc::ok, Errc::bad_syntax},
        {many("\"x\"", 100'000), Errc::ok, Errc::bad_syntax},
        {many("a=1 ", 100'000), Errc::ok, Errc::bad_syntax},
        {"[gd_scene " + many("a=1 ", 100'000), Errc::bad_syntax, Errc::bad_syntax},
        {"[gd_scene " + many("a", 100'000), Errc::bad_syntax, Errc::bad_syntax},
        {scene + "a=SubResource(\"x\")", Errc::ok, Errc::bad_reference},
        {ids + "a=SubResource(\"a\")\nb=SubResource(\"b\")\n[sub_resource type=\"R\" id=\"b\"]\n" +
             "a=SubResource(\"a\")\n[resource]\n",
         Errc::ok, Errc::bad_reference},
        {ids + "a=SubResource(\"a\")\n[resource]\n", Errc::ok, Errc::ok},
        {"[gd_resource type=\"R\" format=9]\n[resource]\n", Errc::ok, Errc::unsupported_type},
        {scene + many("[node name=\"R\" parent=\".\"]\n", 50'000), Errc::ok, Errc::ok},
        {scene + "[node]\n", Errc::ok, Errc::bad_syntax},
        {scene + "[node name=\"a\" parent=\"\"]\n", Errc::ok, Errc::bad_syntax},
    };
    on_small_stack([&] {
        for (const Hostile& hostile : cases) {
            const auto config = read_config(hostile.text);
            EXPECT_EQ(config ? Errc::ok : config.error().code, hostile.config)
                << hostile.text.substr(0, 60);
            const auto resource = read_resource(hostile.text);
            EXPECT_EQ(resource ? Errc::ok : resource.error().code, hostile.resource)
                << hostile.text.substr(0, 60);
        }
    });
}

TEST(SectionOutline, LimitsHold) {
    const auto code = [](std::string_view text, const Limits& limits) {
        const auto read = read_config(text, {.limits = limits});
        return read ? Errc::ok : read.error().code;
    };
    EXPECT_EQ(code("[s]\na=[[1]]\n", {.max_depth = 4}), Errc::ok);
    EXPECT_EQ(code("[s]\na=[[1]]\n", {.max_depth = 3}), Errc::depth_limit);
    EXPECT_EQ(code("[s]\na=1\n", {.max_depth = 1}), Errc::depth_limit);
    EXPECT_EQ(code("[s]\na=1\n", {.max_bytes = 7}), Errc::size_limit);
    EXPECT_EQ(code("[s]\na=1\nb=2\n", {.max_nodes = 3}), Errc::ok);
    EXPECT_EQ(code("[s]\na=1\nb=2\n", {.max_nodes = 1}), Errc::node_limit);
}

}  // namespace
}  // namespace gdvar::test
