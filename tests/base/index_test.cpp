// The hash index against a model.
#include "base/index.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace gdvar::detail {
namespace {

constexpr std::uint32_t none = Index::none;

/// Keys are ints; `hash` may crowd them as much as it likes.
void compare(std::uint64_t (*hash)(std::uint32_t), std::uint32_t keys, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    constexpr std::uint32_t numbers = 600;
    const OwnedIndex index(Index::make(numbers));
    ASSERT_TRUE(index);
    std::vector<std::uint32_t> key_of(numbers);
    std::map<std::uint32_t, std::vector<std::uint32_t>>
        model;  // each key's numbers, the last counts
    const auto is = [&](std::uint32_t key) {
        return [&, key](std::uint32_t number) { return key_of[number] == key; };
    };
    const auto put = [&](std::uint32_t number) {
        const std::uint32_t key = key_of[number] = static_cast<std::uint32_t>(random() % keys);
        ASSERT_TRUE(index->takes(number));
        auto& all = model[key];
        const std::uint32_t before = index->put(number, hash(key), is(key));
        ASSERT_EQ(before, all.empty() ? none : all.back());
        if (before != none) {
            ASSERT_TRUE(index->remember(number, before));
        }
        all.push_back(number);
    };
    std::uint32_t next = 0;
    while (next < numbers) {
        if (random() % 3 != 0) {
            put(next++);
        } else if (!model.empty()) {
            const auto one = std::next(model.begin(), static_cast<long>(random() % model.size()));
            const std::uint32_t number = one->second.back();
            index->take_out(number, hash(one->first),
                            [&](std::uint32_t other) { return hash(key_of[other]); });
            one->second.pop_back();
            if (one->second.empty())
                model.erase(one);
        }
        ASSERT_EQ(index->used, model.size());
        const auto key = static_cast<std::uint32_t>(random() % keys);
        const auto there = model.find(key);
        ASSERT_EQ(index->find(hash(key), is(key)),
                  there == model.end() ? none : there->second.back());
    }
    for (std::uint32_t key = 0; key < keys; ++key) {
        const auto there = model.find(key);
        EXPECT_EQ(index->find(hash(key), is(key)),
                  there == model.end() ? none : there->second.back());
    }
}

TEST(Index, FindsWhatAModelFinds) {
    const auto spread = [](std::uint32_t key) { return key * 0x9E37'79B9'7F4A'7C15u; };
    const auto crowded = [](std::uint32_t key) { return std::uint64_t{key % 5}; };
    const auto at_the_end = [](std::uint32_t key) { return ~std::uint64_t{key % 3}; };
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        compare(spread, 40, seed);
        compare(spread, 1000, seed);
        compare(crowded, 200, seed);
        compare(at_the_end, 200, seed);
    }
}

TEST(Index, TakesTwiceAsManyKeysAsItWasMadeForAtMost) {
    for (const std::size_t keys : {0u, 1u, 15u, 16u, 1000u}) {
        const OwnedIndex index(Index::make(keys));
        ASSERT_TRUE(index);
        std::uint32_t number = 0;
        for (; index->takes(number); ++number)
            (void)index->put(number, number * 0x9E37'79B9'7F4A'7C15u,
                             [&](std::uint32_t other) { return other == number; });
        EXPECT_GE(number, keys);
        EXPECT_LE(number, 2 * keys + 2);
        EXPECT_LT(number, index->mask + 1) << "a free slot ends every search";
    }
}

}  // namespace
}  // namespace gdvar::detail
