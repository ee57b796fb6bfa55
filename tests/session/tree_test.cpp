// The rows of a save: opened and closed, counted, found.
#include <gmock/gmock.h>

#include "support.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

using testing::ElementsAre;

TEST(Tree, OpensAndCloses) {
    const auto session =
        session_of_text("{\"a\": [1, {\"b\": 2}], \"odd key\": PackedInt32Array(7, 8), 3: {}}");
    Tree& tree = session->tree();
    EXPECT_THAT(rows_of(*session), ElementsAre("$", "  .a", "  [\"odd key\"]", "  [3]"));
    EXPECT_FALSE(tree.can_open(tree.row_at(3))) << "an empty Dictionary";
    tree.open(tree.row_at(2));
    tree.open(tree.row_at(1));
    EXPECT_THAT(rows_of(*session), ElementsAre("$", "  .a", "    [0]", "    [1]", "  [\"odd key\"]",
                                               "    [0]", "    [1]", "  [3]"));
    EXPECT_EQ(tree.path(tree.row_at(6)), "$[\"odd key\"][1]");
    EXPECT_EQ(tree.entry(tree.row_at(6)).value().integer(), 8);
    EXPECT_FALSE(tree.can_open(tree.row_at(6)));
    tree.open(tree.row_at(3));
    EXPECT_EQ(tree.rows(), 9u);
    EXPECT_EQ(tree.path(tree.row_at(4)), "$.a[1].b");
    tree.close(tree.row_at(1));
    EXPECT_EQ(tree.rows(), 6u);
    tree.close(tree.row_at(0));
    EXPECT_EQ(tree.rows(), 1u);
}

TEST(Tree, FindsEveryRowBothWays) {
    Random random(5);
    for (int round = 0; round < 60; ++round) {
        std::vector<std::vector<std::byte>> packets;
        for (std::size_t i = 0; i < 1 + below(random, 4); ++i)
            if (const auto packet = encode(any_value(random, 4), {.allow_objects = true}))
                packets.emplace_back(as_bytes(*packet).begin(), as_bytes(*packet).end());
        if (packets.empty())
            continue;
        const auto session =
            session_of(records_of(packets), {.as = InputKind::records, .allow_objects = true});
        Tree& tree = session->tree();
        for (int i = 0; i < 30; ++i) {
            const Tree::Row row = tree.row_at(below(random, tree.rows()));
            below(random, 4) ? tree.open(row) : tree.close(row);
        }
        std::uint64_t number = 0;
        Tree::Row before;
        for (Tree::Row row = tree.row_at(0); row; row = tree.next(row), ++number) {
            ASSERT_EQ(tree.row_at(number), row);
            ASSERT_EQ(tree.number_of(row), number);
            ASSERT_EQ(tree.previous(row), before);
            ASSERT_EQ(tree.reveal(tree.ordinals(row)), row);
            before = row;
        }
        ASSERT_EQ(number, tree.rows());
    }
}

TEST(Tree, AMillionValuesOpenAtOnce) {
    Array numbers;
    for (int i = 0; i < 1'000'000; ++i)
        numbers.push_back(i);
    const auto session = session_of(packet_of(Variant(std::move(numbers))));
    Tree& tree = session->tree();
    ASSERT_EQ(tree.rows(), 1'000'001u);
    EXPECT_EQ(tree.entry(tree.row_at(1'000'000)).value().integer(), 999'999);
    EXPECT_EQ(tree.entry(tree.row_at(500)).value().integer(), 499);
    EXPECT_EQ(tree.path(tree.row_at(777'778)), "$[777777]");
    EXPECT_EQ(tree.number_of(tree.previous(tree.row_at(400'000))), 399'999u);
}

TEST(Tree, DepthTakesNoRecursion) {
    Variant deep(1);
    for (int i = 0; i < 20'000; ++i) {
        Array around;
        around.push_back(std::move(deep));
        deep = Variant(std::move(around));
    }
    const auto packet = encode(deep, {.max_depth = UINT32_MAX}).value();
    SaveOptions how{.dialect = &dialects::godot_4_4};
    auto save = read_save(as_bytes(packet), how);
    ASSERT_TRUE(save) << to_string(save.error());
    DecodeOptions decoding{.dialect = how.dialect};
    decoding.limits.max_depth = UINT32_MAX;
    Session session(*std::move(save), {}, decoding);
    Tree& tree = session.tree();
    EXPECT_TRUE(tree.open_below(tree.row_at(0), 100'000));
    ASSERT_EQ(tree.rows(), 20'001u);
    EXPECT_EQ(tree.depth(tree.row_at(20'000)), 20'000u);
    EXPECT_EQ(tree.path(tree.row_at(20'000)).size(), 1u + 3 * 20'000);
}

TEST(Tree, OpeningAllEnds) {
    Array rows;
    for (int i = 0; i < 1000; ++i)
        rows.push_back(Array{i, i});
    const auto session = session_of(packet_of(Variant(std::move(rows))));
    EXPECT_FALSE(session->tree().open_below(session->tree().row_at(0), 100));
    EXPECT_LT(session->tree().rows(), 2000u);
    EXPECT_TRUE(session->tree().open_below(session->tree().row_at(0), 10'000));
    EXPECT_EQ(session->tree().rows(), 3001u);
}

TEST(Tree, BrokenValuesShowTheirStart) {
    std::vector<std::byte> whole = packet_of(parse_text_full("[1, 2, \"text\"]").value());
    whole.resize(whole.size() - 4);
    const auto session =
        session_of(records_of({packet_of(Variant(5)), whole}), {.as = InputKind::records});
    Tree& tree = session->tree();
    ASSERT_EQ(tree.rows(), 2u);
    tree.open(tree.row_at(1));
    EXPECT_THAT(rows_of(*session), ElementsAre("#0", "#1", "  [0]", "  [1]"));
    const Entry entry = tree.entry(tree.row_at(1));
    ASSERT_TRUE(entry.held->broken);
    EXPECT_EQ(entry.held->broken->code, Errc::truncated);
    const Outcome set = session->set(tree.row_at(2), "9");
    EXPECT_FALSE(set.done);
    EXPECT_THAT(set.message, testing::HasSubstr("broken"));
}

}  // namespace
}  // namespace gdvar::test
