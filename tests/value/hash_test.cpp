// An attacker who chooses the keys can't make their hashes meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <ctime>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/index.hpp"
#include "gdvar/value/binding.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "gdvar/wire/hash.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/generate.hpp"
#include "value/key_hash.hpp"

namespace gdvar::test {
namespace {

constexpr std::size_t family_size = 4096;

// ---- families of keys that met ------------------------------------------------------------------

using Family = std::vector<Variant>;

/// 16 bytes each step: bit 63 of the first word and bits 63 and 31 of the second, which multiply
/// and shift hashes carry out of sight under every seed.
Family bit_flips() {
    Family out;
    for (std::size_t i = 0; i < family_size; ++i) {
        std::string text(12 * 16, 'k');
        for (std::size_t step = 0; step < 12; ++step)
            if (i >> step & 1)
                for (const std::size_t byte : {7, 11, 15})
                    text[16 * step + byte] ^= '\x80';
        out.push_back(text);
    }
    return out;
}
template <class Make>
Family family(Make&& make) {
    Family out;
    for (std::size_t i = 0; i < family_size; ++i)
        out.push_back(make(static_cast<int>(i)));
    return out;
}
Variant in_last_place(Variant last) {
    Array out;
    for (int i = 0; i < 20; ++i)
        out.push_back(i);
    out.push_back(std::move(last));
    return out;
}

std::vector<std::pair<const char*, Family>> families() {
    std::vector<std::pair<const char*, Family>> out;
    out.emplace_back("texts whose bits cancel out", bit_flips());
    out.emplace_back("late texts",
                     family([](int i) { return std::string(100, 'k') + std::to_string(i); }));
    out.emplace_back("early texts",
                     family([](int i) { return std::to_string(i) + std::string(100, 'k'); }));
    out.emplace_back("ints", family([](int i) { return std::int64_t{i} << 40; }));
    out.emplace_back("floats", family([](int i) {
                         return std::bit_cast<double>(static_cast<std::uint64_t>(i) << 44);
                     }));
    out.emplace_back("late elements", family([](int i) { return in_last_place(i); }));
    out.emplace_back("nested elements", family([](int i) { return Array{Array{Array{i}}}; }));
    out.emplace_back("values", family([](int i) { return Dictionary{{"k", i}}; }));
    out.emplace_back("keys", family([](int i) { return Dictionary{{i, nullptr}}; }));
    out.emplace_back("keys of keys",
                     family([](int i) { return Dictionary{{Dictionary{{i, 0}}, 0}}; }));
    out.emplace_back("bytes", family([](int i) {
                         return PackedByteArray{1, static_cast<std::uint8_t>(i),
                                                static_cast<std::uint8_t>(i >> 8)};
                     }));
    out.emplace_back("packed floats",
                     family([](int i) { return PackedFloat32Array{0, static_cast<float>(i)}; }));
    out.emplace_back("packed vectors",
                     family([](int i) { return PackedVector2Array{{0, static_cast<float>(i)}}; }));
    out.emplace_back("packed texts",
                     family([](int i) { return PackedStringArray{"a", std::to_string(i)}; }));
    out.emplace_back("vectors", family([](int i) { return Vector3i{i, 0, -i}; }));
    out.emplace_back("paths", family([](int i) { return NodePath("/root/" + std::to_string(i)); }));
    out.emplace_back("signals",
                     family([](int i) { return Signal{"s", static_cast<std::uint64_t>(i)}; }));
    out.emplace_back(
        "ids", family([](int i) { return Object::from_id(static_cast<std::uint64_t>(i) + 1); }));
    out.emplace_back("properties", family([](int i) {
                         Object object("Node");
                         object.append("p", i);
                         return object;
                     }));
    return out;
}

TEST(KeyHash, NoFamilyOfKeysCrowds) {
    for (const auto& [name, keys] : families()) {
        detail::Index* index = detail::Index::make(keys.size());
        std::size_t compared = 0;
        const auto same = [&](const Variant& key) {
            return [&](std::uint32_t other) {
                ++compared;
                return same_key(keys[other], key);
            };
        };
        for (std::uint32_t i = 0; i < keys.size(); ++i)
            index->put(i, detail::key_hash(keys[i]), same(keys[i]));
        // Tags of 18 bits: next to no key is looked at that is another one.
        EXPECT_LE(compared, keys.size() / 64) << name;
        compared = 0;
        for (std::uint32_t i = 0; i < keys.size(); ++i)
            ASSERT_EQ(index->find(detail::key_hash(keys[i]), same(keys[i])), i) << name;
        EXPECT_LE(compared, keys.size() + keys.size() / 64) << name;
        // At a quarter full, 20 in a row are a good guess; 100 never come by chance.
        EXPECT_LT(index->longest_search(), 100u) << name;
        detail::free_index(index);
    }
}

TEST(KeyHash, ADictionaryOfEachFamilyHasItsIndex) {
    for (const auto& [name, keys] : families()) {
        Dictionary all;
        for (std::size_t i = 0; i < keys.size(); ++i)
            all.set(keys[i], static_cast<std::int64_t>(i));
        ASSERT_EQ(all.size(), keys.size()) << name;
        const Variant held(all);
        ASSERT_NE(held.get_if<Dictionary>()->find(keys[0]), nullptr) << name;
        const auto* block = static_cast<const detail::DictionaryBlock*>(VariantAccess::block(held));
        ASSERT_TRUE(block->index) << name;
        EXPECT_LT(block->index->longest_search(), 100u) << name;
    }
}

TEST(KeyHash, KeysThatDifferAtOneEndAreSpread) {
    // A table twice as large as there are keys: chance alone fills about 8 of 10 slots' worth.
    constexpr std::size_t count = 8192, mask = 2 * count - 1;
    for (const std::size_t length : {4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 33})
        for (const bool at_the_end : {false, true}) {
            std::vector<bool> taken(mask + 1);
            std::size_t slots = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const std::string digits = std::to_string(1000 + i);
                std::string key(length - 4, 'k');
                key.insert(at_the_end ? key.size() : 0, digits.substr(0, 4));
                key += digits.substr(4);
                const std::size_t at = detail::hash_text(key) & mask;
                slots += !taken[at];
                taken[at] = true;
            }
            EXPECT_GT(slots, count * 7 / 10) << length << at_the_end;
        }
}

// ---- what is the same ---------------------------------------------------------------------------

/// Values of which many are nearly, or by one rule only, the same.
std::vector<Variant> near_twins() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto nan_f = std::numeric_limits<float>::quiet_NaN();
    std::vector<Variant> leaves{nullptr,
                                false,
                                true,
                                0,
                                1,
                                -1,
                                0.0,
                                -0.0,
                                1.0,
                                nan,
                                -nan,
                                "",
                                "a",
                                StringName("a"),
                                StringName(""),
                                NodePath("a"),
                                NodePath("/a"),
                                NodePath("a:b"),
                                NodePath("a/b"),
                                RID{1},
                                RID{0},
                                Callable{},
                                Vector2{0, 1},
                                Vector2{-0.0f, 1},
                                Vector2d{0, 1},
                                Vector2{nan_f, 1},
                                Vector2i{0, 1},
                                Signal{"a", 1},
                                Object(),
                                Object::from_id(1),
                                PackedByteArray{},
                                PackedByteArray{0},
                                PackedByteArray{0, 0},
                                PackedFloat32Array{0},
                                PackedFloat32Array{-0.0f},
                                PackedFloat64Array{0},
                                PackedFloat32Array{nan_f},
                                PackedStringArray{"a"},
                                PackedStringArray{"", "a"},
                                Array{},
                                Dictionary{},
                                Object("Node")};
    std::vector<Variant> all = leaves;
    for (const Variant& leaf : leaves) {
        all.push_back(Array{leaf});
        all.push_back(Array{leaf, 1});
        all.push_back(Array{Variant(Array{leaf}), 1});
        all.push_back(Array{Variant(Array{leaf, 1})});
        all.push_back(Dictionary{{leaf, 1}});
        all.push_back(Dictionary{{1, leaf}});
        Object object("Node");
        object.append("p", leaf);
        all.push_back(object);
    }
    return all;
}

TEST(KeyHash, WhatIsTheSameKeyHasTheSameHash) {
    const std::vector<Variant> all = near_twins();
    std::size_t same = 0, met = 0;
    for (const Variant& a : all)
        for (const Variant& b : all) {
            const bool equal = same_key(a, b);
            const bool meet = hash_key(a) == hash_key(b);
            same += equal;
            met += meet;
            if (equal) {
                ASSERT_TRUE(meet) << type_name(a.type()) << " " << type_name(b.type());
            }
        }
    EXPECT_GT(same, all.size() - 60);
    // Equal hashes of different keys: a null Object and nil, NaNs as elements and values.
    EXPECT_LT(met, same + 60);
    Random random(44);
    for (int i = 0; i < 2000; ++i) {
        const Variant value = any_value(random, 3), copy = value;
        ASSERT_TRUE(!same_key(value, copy) || hash_key(value) == hash_key(copy));
    }
}

TEST(KeyHash, CheckKeysFindsWhatEnginesMerge) {
    // Each line as Godot 4.6.3 has it: whether `d[a] = 1; d[b] = 2` leaves one key.
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto nan_f = std::numeric_limits<float>::quiet_NaN();
    const struct {
        Variant a, b;
        bool merged;
    } observed[] = {
        {nan, -nan, true},
        {Array{nan}, Array{nan}, false},
        {Dictionary{{1, nan}}, Dictionary{{1, nan}}, false},
        {Dictionary{{nan, 1}}, Dictionary{{nan, 1}}, true},
        {0.0, -0.0, true},
        {Array{0.0}, Array{-0.0}, true},
        {1, 1.0, false},
        {Array{1}, Array{1.0}, false},
        {"a", StringName("a"), true},
        {Array{"a"}, Array{StringName("a")}, false},
        {Dictionary{{"a", 1}}, Dictionary{{StringName("a"), 1}}, true},
        {Dictionary{{1, 2}, {3, 4}}, Dictionary{{3, 4}, {1, 2}}, false},
        {NodePath("a"), "a", false},
        {Vector3{nan_f, 0, 0}, Vector3{nan_f, 0, 0}, true},
        {Array{Vector3{nan_f, 0, 0}}, Array{Vector3{nan_f, 0, 0}}, true},
        {Vector3{0, 0, 0}, Vector3{-0.0f, 0, 0}, true},
        {PackedFloat32Array{nan_f}, PackedFloat32Array{nan_f}, true},
        {Array{PackedFloat32Array{nan_f}}, Array{PackedFloat32Array{nan_f}}, true},
        {PackedFloat32Array{0}, PackedFloat32Array{-0.0f}, true},
        {PackedStringArray{"a"}, PackedStringArray{"a"}, true},
        {PackedFloat32Array{nan_f}, PackedFloat32Array{std::bit_cast<float>(0xFFC0'0001u)}, true},
        {PackedFloat64Array{nan}, PackedFloat64Array{-nan}, true},
        {PackedVector2Array{{nan_f, 0}}, PackedVector2Array{{nan_f, 0}}, true},
        {PackedVector3Array{{0, 0, 0}}, PackedVector3Array{{-0.0f, 0, 0}}, true},
        {PackedColorArray{{nan_f, 0, 0, 0}}, PackedColorArray{{nan_f, 0, 0, 0}}, true},
        {Array{PackedColorArray{{nan_f, 0, 0, 0}}}, Array{PackedColorArray{{nan_f, 0, 0, 0}}},
         true},
        {Color{nan_f, 0, 0, 0}, Color{nan_f, 0, 0, 0}, true},
        {Rect2{{nan_f, 0}, {0, 0}}, Rect2{{nan_f, 0}, {0, 0}}, true},
        {Array{Variant(Array{nan})}, Array{Variant(Array{nan})}, false},
        {Dictionary{{1, Vector3{nan_f, 0, 0}}}, Dictionary{{1, Vector3{nan_f, 0, 0}}}, true},
        {Dictionary{{Array{nan}, 1}}, Dictionary{{Array{nan}, 1}}, false},
        {Dictionary{{1, Array{nan}}}, Dictionary{{1, Array{nan}}}, false},
        {Array{Dictionary{{nan, 1}}}, Array{Dictionary{{nan, 1}}}, true},
        {Array{Dictionary{{1, nan}}}, Array{Dictionary{{1, nan}}}, false},
        {Array{Dictionary{{"a", 1}}}, Array{Dictionary{{StringName("a"), 1}}}, true},
        {Dictionary{{1, "a"}}, Dictionary{{1, StringName("a")}}, false},
        {Dictionary{{1, 1}}, Dictionary{{1, 1.0}}, false},
    };
    for (const auto& [a, b, merged] : observed) {
        Dictionary pairs;
        pairs.append(a, 1);
        pairs.append(b, 2);
        const PackedByteArray packet = *encode(Variant(pairs));
        EXPECT_EQ(!check_keys(as_bytes(packet), default_decode_options), merged)
            << type_name(a.type()) << " " << type_name(b.type());
        EXPECT_EQ(same_key(a, b), merged) << type_name(a.type()) << " " << type_name(b.type());
        EXPECT_TRUE(!merged || hash_key(a) == hash_key(b)) << type_name(a.type());
        // As `set` does it, below 16 pairs and through the index.
        for (const int others : {0, 40}) {
            Dictionary made;
            for (int i = 0; i < others; ++i)
                made.set(1000 + i, 0);
            made.set(a, 1);
            made.set(b, 2);
            EXPECT_EQ(made.size(), static_cast<std::size_t>(others) + 2 - merged);
        }
    }
}

TEST(KeyHash, CheckKeysNamesTheFirstThatComesAgain) {
    // In Dictionaries that are values, keys, and keys of keys, among many others.
    Dictionary inner;
    for (int i = 0; i < 100; ++i)
        inner.append(i, Array{i});
    inner.append(Array{7, "x"}, 0);
    inner.append(Array{7, "x"}, 0);
    const std::size_t inner_size = encode(Variant(inner))->size();
    const Variant in_value = Dictionary{{1, inner}, {2, inner}};
    const Variant in_key = Dictionary{{inner, 1}};
    const Variant deep = Dictionary{{Dictionary{{Array{in_key}, 1}}, 1}};
    const std::size_t key_size = encode(Array{7, "x"})->size() + encode(0)->size();
    for (const auto& [value, before] :
         {std::pair{in_value, std::size_t{16}}, std::pair{in_key, std::size_t{8}},
          std::pair{deep, std::size_t{8 + 8 + 8 + 8}}}) {
        const auto clash = check_keys(as_bytes(*encode(value)), default_decode_options);
        ASSERT_FALSE(clash);
        EXPECT_EQ(clash.error().code, Errc::duplicate_key);
        EXPECT_EQ(clash.error().offset, before + inner_size - key_size);
    }
    EXPECT_TRUE(
        check_keys(as_bytes(*encode(Variant(Dictionary{{Array{3}, 1}}))), default_decode_options));
}

// ---- keys in keys -------------------------------------------------------------------------------

/// `levels` Dictionaries of 20 pairs, each the first key of the next one, built by `set`, which
/// looks for each key; with a search in each of them afterwards.
std::size_t nest(std::size_t levels, bool outermost_first) {
    Variant inner = 0;
    for (std::size_t level = 0; level < levels; ++level) {
        Dictionary around;
        around.set(std::move(inner), 1);
        for (int i = 0; i < 19; ++i)
            around.set(i, nullptr);
        inner = std::move(around);
    }
    // A copy keeps no index and no hash.
    const Variant copy = inner;
    std::vector<const Dictionary*> all;
    const auto* next = copy.get_if<Dictionary>();
    while (next) {
        all.push_back(next);
        next = next->begin()->key.get_if<Dictionary>();
    }
    if (!outermost_first)
        std::reverse(all.begin(), all.end());
    std::size_t found = 0;
    for (const Dictionary* pairs : all)
        found += pairs->contains(18);
    return found;
}

TEST(KeyHash, KeysInKeysAreHashedOnce) {
    for (const bool outermost_first : {false, true}) {
        // CPU time of this process, not of others.
        const auto best = [&](std::size_t levels) {
            std::clock_t least = std::numeric_limits<std::clock_t>::max();
            for (int i = 0; i < 5; ++i) {
                const std::clock_t start = std::clock();
                EXPECT_EQ(nest(levels, outermost_first), levels);
                least = std::min(least, std::clock() - start);
            }
            return static_cast<double>(std::max<std::clock_t>(least, 1));
        };
        const double some = best(1000), more = best(8000);
        // Eight times as many: 64 times the time when each level is hashed with all below it.
        EXPECT_LT(more, 30 * some) << outermost_first;
    }
}

TEST(KeyHash, AHashThatIsKeptIsThatOfTheContent) {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        Dictionary inner;
        for (int k = 0; k < 20; ++k)
            inner.append(Array{any_value(random, 2), Dictionary{{any_value(random, 1), k}}}, k);
        const Variant key = inner, fresh = key;
        (void)inner.contains(7);  // the index keeps hashes of the keys
        ASSERT_EQ(hash_key(key), hash_key(Variant(inner)));
        ASSERT_EQ(hash_key(fresh), hash_key(key));
        Variant other = inner;
        other.get_if<Dictionary>()->begin()[3].value = "changed";
        ASSERT_NE(hash_key(other), hash_key(key));
    }
}

TEST(KeyedHash, FillsAMapFromAPacket) {
    Dictionary pairs;
    for (const Variant& key : bit_flips())
        pairs.append(key, 1);
    using Map = std::unordered_map<std::string, int, KeyedHash, std::equal_to<>>;
    Map map;
    for (const auto& [key, value] : std::as_const(pairs))
        map.emplace(key.text(), 1);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < map.bucket_count(); ++i)
        longest = std::max(longest, map.bucket_size(i));
    EXPECT_EQ(map.size(), family_size);
    EXPECT_LT(longest, 20u);

    const auto packet = *encode(Variant(Dictionary{{"a", 1}, {StringName("b"), 2}}));
    const auto decoded = decode<Map>(as_bytes(packet));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->find(std::string_view("b"))->second, 2);
    EXPECT_EQ(KeyedHash()("b"), KeyedHash()(StringName("b")));
    EXPECT_EQ(KeyedHash()(Vector2{0, 1}), KeyedHash()(Vector2{-0.0f, 1}));
    EXPECT_EQ(KeyedHash()(7), KeyedHash()(std::uint8_t{7}));
    EXPECT_EQ(KeyedHash()("b"), hash_key("b"));
}

// ---- order --------------------------------------------------------------------------------------

TEST(Order, OfMathValuesIsTotalAndAgreesWithEquality) {
    constexpr auto inf = std::numeric_limits<float>::infinity();
    constexpr auto nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float numbers[] = {-inf, -1, -0.0f, 0, 1, inf, nan, -nan};
    std::vector<Vector2> values;
    for (const float x : numbers)
        for (const float y : numbers)
            values.push_back({x, y});
    const auto has_nan = [](Vector2 v) { return v.x != v.x || v.y != v.y; };
    for (const Vector2 a : values)
        for (const Vector2 b : values) {
            EXPECT_EQ((a < b) + (b < a) + std::is_eq(a <=> b), 1);
            EXPECT_EQ(a <=> b, 0 <=> (b <=> a));
            if (!has_nan(a) && !has_nan(b)) {
                EXPECT_EQ(std::is_eq(a <=> b), a == b);
            }
            if (a == b) {
                EXPECT_EQ(std::hash<Vector2>()(a), std::hash<Vector2>()(b));
            }
            for (const Vector2 c : values)
                EXPECT_FALSE(a <= b && b <= c && c < a);
        }
    EXPECT_EQ(std::set<Vector2>(values.begin(), values.end()).size(), 36u);
    static_assert(Vector2{1, 2} < Vector2{1, nan} && Vector2i{-1, 9} < Vector2i{1, 0});
    static_assert(std::three_way_comparable<Rect2i, std::strong_ordering>);
    static_assert(std::three_way_comparable<Transform3Dd, std::weak_ordering>);
    EXPECT_LT(Transform3D(), (Transform3D{.basis = {}, .origin = {0, 0, 1}}));
    std::unordered_set<Color> colors{Color{1, 0, 0}, Color{1, 0, -0.0f}};
    EXPECT_EQ(colors.size(), 1u);
}
TEST(Order, OfTextsIsThatOfCodePoints) {
    const std::set<String> texts{"b", "", "a", "aa", "\U0001F600", "\uFFFD", "\u00E4"};
    EXPECT_EQ(std::vector<String>(texts.begin(), texts.end()),
              (std::vector<String>{"", "a", "aa", "b", "\u00E4", "\uFFFD", "\U0001F600"}));
    EXPECT_TRUE(String("a") < "b" && "a" < String("b") && String("a") < std::string("b"));
    EXPECT_LT(StringName("a"), StringName("b"));
    EXPECT_LT((Signal{"a", 2}), (Signal{"b", 1}));
    std::map<NodePath, int> paths;
    for (const char* path : {"a/b", "/a/b", "a:b", "a", "", "a/b"})
        ++paths[NodePath(path)];
    EXPECT_EQ(paths.size(), 5u);
    EXPECT_EQ(paths[NodePath("a/b")], 2);
    EXPECT_EQ((std::unordered_set<RID>{RID{1}, RID{2}, RID{1}}).size(), 2u);
    EXPECT_LT(RID{1}, RID{2});
}

}  // namespace
}  // namespace gdvar::test
