// The Outline's own functions; the parsers that fill it have tests in their rooms.
#include "gdvar/value/outline.hpp"

#include <gtest/gtest.h>

namespace gdvar::test {
namespace {

/// `{"a": [1]}`
Outline part() {
    Outline out;
    const auto root = out.open({.kind = OutlineKind::dictionary, .inner = 1, .count = 1});
    const auto list = out.open({.kind = OutlineKind::array,
                                .begin = 6,
                                .key_begin = 1,
                                .key_end = 4,
                                .inner = 7,
                                .count = 1});
    const auto number = out.open({.begin = 7});
    out.close(number, 8);
    out.close(list, 9);
    out.close(root, 10);
    out.spans.push_back({list, 2, 3});
    return out;
}

TEST(Outline, NodesEndBehindTheirLastDescendant) {
    const Outline outline = part();
    ASSERT_EQ(outline.nodes.size(), 3u);
    EXPECT_EQ(outline.nodes[0].next, 3u);
    EXPECT_EQ(outline.nodes[1].next, 3u);
    EXPECT_EQ(outline.nodes[2].next, 3u);
    EXPECT_EQ(outline.nodes[1].end, 9u);
}

TEST(Outline, AppendMovesPositionsAndNumbers) {
    Outline all;
    const auto root = all.open({.kind = OutlineKind::section});
    EXPECT_EQ(all.append(part(), 100), 1u);
    EXPECT_EQ(all.append(part(), 200), 4u);
    all.close(root, 300);
    ASSERT_EQ(all.nodes.size(), 7u);
    EXPECT_EQ(all.nodes[0].next, 7u);
    EXPECT_EQ(all.nodes[1].begin, 100u);
    EXPECT_EQ(all.nodes[1].next, 4u);
    EXPECT_EQ(all.nodes[1].key_end, 0u);  // it has no key
    EXPECT_EQ(all.nodes[5].key_begin, 201u);
    EXPECT_EQ(all.nodes[5].inner, 207u);
    EXPECT_EQ(all.nodes[6].end, 208u);
    ASSERT_EQ(all.spans_of(2).size(), 1u);
    EXPECT_EQ(all.spans_of(5)[0], (OutlineSpan{5, 202, 203}));
    EXPECT_TRUE(all.spans_of(1).empty());
    EXPECT_TRUE(all.spans_of(6).empty());
}

}  // namespace
}  // namespace gdvar::test
