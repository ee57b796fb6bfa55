// The cost of looking at a value: memory in proportion to its bytes, whatever its shape.
#include <gtest/gtest.h>

#include "gdvar/gdvar.hpp"
#include "support.hpp"
#include "support/allocations.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

/// `levels` Dictionaries in each other, with long keys, around `inner`.
Variant long_path(std::size_t levels, std::size_t name, Variant inner) {
    for (std::size_t i = 0; i < levels; ++i)
        inner = Dictionary{{std::string(name, 'k'), std::move(inner)}};
    return inner;
}
Variant nils(std::size_t count) {
    Array out;
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(nullptr);
    return out;
}

constexpr std::size_t constant = 2u << 20;

TEST(Cost, StatisticsKeepEachNameOnce) {
    const Packet packet(long_path(900, 500, nils(100'000)));
    Statistics statistics;
    const Recorder taken = counted([&] { ASSERT_TRUE(statistics.add(packet.root())); });
    EXPECT_LT(taken.peak, 2 * packet.size() + constant);
    // Before, each nil's path was made: 100,000 times 450 KB.
    EXPECT_LT(taken.total, 8 * packet.size() + constant);
    const std::uint32_t deepest = static_cast<std::uint32_t>(statistics.by_path.size() - 1);
    EXPECT_EQ(statistics.by_path[deepest].share.count, 100'000u);
    EXPECT_EQ(statistics.by_path.path(deepest).size(), 1 + 900 * 501 + 3);
    EXPECT_FALSE(statistics.paths_cut);
}

TEST(Cost, StatisticsKeepNoStackOfValues) {
    const Packet packet(nils(500'000));
    Statistics statistics;
    const Recorder taken = counted([&] { ASSERT_TRUE(statistics.add(packet.root())); });
    EXPECT_LT(taken.peak, 64u << 10);
}

TEST(Cost, MatchesAreGivenOneByOne) {
    const Packet packet(Dictionary{{std::string(500'000, 'k'), nils(125'000)}});
    std::size_t matches = 0, longest = 0;
    const Recorder taken = counted([&] {
        const auto done = lookup_each(packet.root(), "$[*][*]", [&](const MatchView& match) {
            ++matches;
            longest = std::max(longest, match.path.size());
            return true;
        });
        ASSERT_TRUE(done);
        EXPECT_EQ(*done, 125'000u);
    });
    EXPECT_EQ(matches, 125'000u);
    EXPECT_EQ(longest, 1 + 500'001 + std::string_view("[124999]").size());
    EXPECT_LT(taken.total, 4 * packet.size() + constant);
}

TEST(Cost, KeysAreFoundByAnIndex) {
    Dictionary pairs;
    for (int i = 0; i < 2000; ++i) {
        pairs.append(std::string(40, 'k') + std::to_string(i), i);
        pairs.append(i, -i);
    }
    const Packet packet(pairs);
    // Before, each look-up printed every key: 2,000 times 2,000 texts.
    const Recorder taken = counted([&] {
        for (int i = 0; i < 2000; ++i) {
            const std::string number = std::to_string(i);
            EXPECT_EQ(lookup(packet.root(), "$." + std::string(40, 'k') + number)->integer(), i);
            EXPECT_EQ(lookup(packet.root(), "$[" + number + "]")->integer(), -i);
        }
    });
    EXPECT_LT(taken.total, 4u << 20);
    EXPECT_EQ(lookup(packet.root(), "$[@3]")->integer(), -1);  // a number stands for any pair
    EXPECT_EQ(lookup(packet.root(), "$[@4000]").error().code, Errc::missing_key);
    EXPECT_EQ(lookup(packet.root(), "$[@99999999999999999999]").error().code, Errc::missing_key);
}

TEST(Cost, StringsAreIteratedAndNotCountedFromTheFront) {
    PackedStringArray strings;
    for (int i = 0; i < 20'000; ++i)
        strings.push_back(std::to_string(i));
    const Packet packet{Variant(strings)};
    std::size_t i = 0;
    const auto done = lookup_each(packet.root(), "$[*]", [&](const MatchView& match) {
        EXPECT_EQ(match.value.text(), std::to_string(i));
        EXPECT_EQ(match.path, "$[" + std::to_string(i) + "]");
        return ++i < 20'000;
    });
    EXPECT_EQ(done, 20'000u);
}

/// The values that `lookup_each` visited for the path, and its number of matches.
struct Walked {
    std::uint64_t work = 0;
    std::size_t matches = 0;
};
Walked walked(const Packet& packet, std::string_view path) {
    Walked out;
    const auto done = lookup_each(
        packet.root(), Path::parse(path).value(), [](const MatchView&) { return true; }, &out.work);
    out.matches = done.value_or(0);
    return out;
}

/// {"a": {"a": ... {"b": 1} "b": 0}, "b": 0}
Variant nested_pairs(std::size_t levels) {
    Variant inner = Dictionary{{"b", 1}};
    for (std::size_t i = 0; i < levels; ++i)
        inner = Dictionary{{"a", std::move(inner)}, {"b", 0}};
    return inner;
}
/// {"a": {"a": {"b": 0}, "x0": {"b": 0}, ... }}
Variant wide_pairs(std::size_t count) {
    Dictionary pairs;
    pairs.append("a", Dictionary{{"b", 0}});
    for (std::size_t i = 0; i < count; ++i)
        pairs.append("x" + std::to_string(i), Dictionary{{"b", 0}});
    return Dictionary{{"a", pairs}};
}

TEST(Cost, DescendingLooksAtEachValueAFewTimes) {
    // Every way to choose the two levels would be 125,000 pairs of them.
    const Packet deep(nested_pairs(500)), shallow(nested_pairs(250));
    const Walked most = walked(deep, "$..a..b"), fewer = walked(shallow, "$..a..b");
    EXPECT_EQ(most.matches, 500u);
    EXPECT_EQ(fewer.matches, 250u);
    // 1,001 values, two ways to go on at each: `..a` and `..b`, with a search and a step for both.
    EXPECT_LE(most.work, 12u * 1001);
    EXPECT_LE(most.work, 2 * fewer.work + 100);

    const Packet wide(wide_pairs(20'000)), narrow(wide_pairs(10'000));
    const Walked all = walked(wide, "$..a..b"), half = walked(narrow, "$..a..b");
    EXPECT_EQ(all.matches, 20'001u);
    EXPECT_LE(all.work, 12u * 40'004);
    EXPECT_LE(all.work, 2 * half.work + 100);
}

TEST(Cost, DescendingManyTimesLooksOnceForEachStep) {
    // The longest path that is allowed: 63 steps, each of which may be at any level.
    std::string path = "$";
    for (std::size_t i = 0; i < Path::most_descending; ++i)
        path += "..a";
    const Packet deep(nested_pairs(500)), shallow(nested_pairs(250));
    const Walked most = walked(deep, path), fewer = walked(shallow, path);
    EXPECT_EQ(most.matches, 500u - (Path::most_descending - 1));
    EXPECT_LE(most.work, 6u * Path::most_descending * 1001);
    // Less than twice: the first levels have fewer ways to go on.
    EXPECT_LE(most.work, 3 * fewer.work);
    const Recorder taken = counted([&] { (void)walked(deep, path); });
    EXPECT_LT(taken.peak, 64 * deep.size() + constant);
}

TEST(Cost, ManyValuesAreSetInOnePass) {
    for (const std::size_t count : {100'000u, 200'000u}) {
        const Packet packet(nils(count));
        const Path path = Path::parse("$[*]").value();
        std::size_t changed = 0;
        const Recorder set = counted([&] {
            const auto done = set_all(as_bytes(packet.bytes), path, 7, {{.type = Type::integer}});
            ASSERT_TRUE(done);
            changed = done->changed;
        });
        EXPECT_EQ(changed, count);
        // 4 bytes become 8. Set one by one, 100,000 packets would be made.
        EXPECT_LT(set.peak, 16 * packet.size() + constant);
        EXPECT_LT(set.total, 200 * packet.size() + constant);
        const Recorder erased = counted([&] {
            const auto done = erase_all(as_bytes(packet.bytes), path);
            ASSERT_TRUE(done);
            changed = done->changed;
        });
        EXPECT_EQ(changed, count);
        EXPECT_LT(erased.peak, 16 * packet.size() + constant);
        EXPECT_LT(erased.total, 32 * packet.size() + constant);
    }
}

TEST(Cost, LookingEndsWhenToldTo) {
    const Packet packet(nils(1000));
    std::size_t seen = 0;
    const auto done =
        lookup_each(packet.root(), "$[*]", [&](const MatchView&) { return ++seen < 3; });
    EXPECT_EQ(done, 3u);
    EXPECT_EQ(seen, 3u);
}

TEST(Cost, AnnotateMakesNoPathTwice) {
    const Packet packet(long_path(900, 500, nils(100'000)));
    std::size_t rows = 0;
    std::uint64_t longest = 0;
    const Recorder taken = counted([&] {
        const auto done = annotate(as_bytes(packet.bytes), {}, [&](const AnnotateRow& row) {
            ++rows;
            longest = std::max<std::uint64_t>(longest, row.path.size());
        });
        EXPECT_TRUE(done);
    });
    EXPECT_GT(rows, 100'000u);
    EXPECT_GT(longest, 450'000u);
    EXPECT_LT(taken.peak, 4 * packet.size() + constant);
    EXPECT_LT(taken.total, 60 * packet.size());
}

TEST(Cost, APathAskedForAtEachEventIsThatOfTheBytes) {
    const Variant value =
        Dictionary{{"a", Array{1, Dictionary{{2, "b"}, {"c d", nils(2)}}, Array{}}},
                   {Array{1}, PackedStringArray{"x", "y"}},
                   {"z", true}};
    const PackedByteArray bytes = encode(value).value();
    std::vector<std::pair<std::uint64_t, std::string>> rows;
    ASSERT_TRUE(annotate(as_bytes(bytes), {},
                         [&](const AnnotateRow& row) { rows.emplace_back(row.offset, row.path); }));
    for (const auto& [offset, path] : rows)
        EXPECT_EQ(path_at(as_bytes(bytes), {}, offset).substr(0, 3), path.substr(0, 3)) << offset;
    EXPECT_EQ(rows.front().second, "$");
    EXPECT_EQ(rows.back().second, "$.z");
    const auto has = [&](std::string_view path) {
        return std::any_of(rows.begin(), rows.end(),
                           [&](const auto& row) { return row.second == path; });
    };
    for (const char* path : {"$[@0 key]", "$.a", "$.a[1][@0 key]", "$.a[1][2]",
                             "$.a[1][\"c d\"][1]", "$.a[2]", "$[@1 key][0]", "$[@1][1]"})
        EXPECT_TRUE(has(path)) << path;
}

TEST(Paths, AreShortenedInTheMiddle) {
    EXPECT_EQ(shortened_path("$.short", 20), "$.short");
    const std::string path = "$." + std::string(100, 'a') + ".end";
    EXPECT_EQ(shortened_path(path, 20), "$.aaaaaa...aaaaa.end");
    // Not through a character.
    EXPECT_EQ(shortened_path("$.\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 10),
              "$....\u00e4\u00e4");
    for (std::size_t most = 0; most < path.size(); ++most)
        EXPECT_EQ(shortened_path(path, most).size(), most);
}

}  // namespace
}  // namespace gdvar::test
