// Limits of fields, types of the standard library, Binds that delegate, structs of many fields.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "gdvar/value/binding.hpp"
#include "support.hpp"

namespace gdvar::test {

struct Bounds {
    std::int64_t large = 0;
    std::uint64_t natural = 0;
    std::uint8_t level = 0;
    double ratio = 0;
    Vector3 position{};
    std::vector<std::int64_t> scores{};
    std::string name = "abc";
    std::string note{};
    std::vector<int> tags{};
};
struct Part {
    int hp = 5;
    friend bool operator==(const Part&, const Part&) = default;
};
/// As a mathematics library has it: no conversions, the same bytes.
struct Vec3 {
    float x, y, z;
    friend bool operator==(const Vec3&, const Vec3&) = default;
};
struct Id {
    Id() = default;
    explicit Id(std::int64_t value) : number(value) {}
    explicit operator std::int64_t() const { return number; }
    std::int64_t number = 0;
    friend bool operator==(const Id&, const Id&) = default;
};
struct Library {
    std::vector<std::byte> bytes;
    std::chrono::milliseconds delay{};
    std::chrono::sys_seconds at{};
    std::filesystem::path path;
    std::unique_ptr<Part> part;
    std::pmr::string pool_name;
    std::pmr::vector<std::pmr::string> pool_names;
    std::pmr::map<int, std::pmr::string> pool_map;
    std::u8string utf8;
    std::vector<std::u8string> utf8s;
    std::deque<int> deque;
    std::list<std::string> list;
    std::set<int> set;
    std::unordered_set<std::string> unordered_set;
    std::unordered_map<int, Part> unordered_map;
    Vec3 vec;
    std::vector<Vec3> vecs;
    Id id;
};
#define TEN(name)                                                                                  \
    int name##0 = 0, name##1 = 0, name##2 = 0, name##3 = 0, name##4 = 0, name##5 = 0, name##6 = 0, \
        name##7 = 0, name##8 = 0, name##9 = 0
struct Many {
    TEN(a);
    TEN(b);
    TEN(c);
    TEN(d);
    TEN(e);
    TEN(f);
    TEN(g);
    std::optional<int> last;
};
#undef TEN
enum { most_hp = 9999 };
struct MoreBounds {
    std::optional<std::string> nick{};
    std::string title = "sir";
    std::int8_t small = 0;
    int hp = 0;
    bool flag = true;
    friend bool operator==(const MoreBounds&, const MoreBounds&) = default;
};
/// Counts what is allocated and freed; a block that another resource freed is missing.
struct Counting : std::pmr::memory_resource {
    std::set<void*> blocks;
    int foreign = 0;

private:
    void* do_allocate(std::size_t size, std::size_t align) override {
        return *blocks.insert(std::pmr::new_delete_resource()->allocate(size, align)).first;
    }
    void do_deallocate(void* at, std::size_t size, std::size_t align) override {
        foreign += blocks.erase(at) == 0;
        std::pmr::new_delete_resource()->deallocate(at, size, align);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }
};
struct Pooled {
    std::pmr::vector<int> scores{1, 2, 3};
    std::pmr::map<int, int> map{{1, 2}};
    int id = 0;
    Pooled() = default;
    explicit Pooled(std::pmr::memory_resource* from)
        : scores({9, 9, 9, 9}, from), map({{3, 4}, {5, 6}}, from) {}
};
/// These are only written.
struct ConstMember {
    const int id;
    std::string name;
};
struct Written {
    explicit Written(int number) : value(number) {}
    int value;
};
struct NoAssignment {
    NoAssignment() = default;
    NoAssignment(const NoAssignment&) = default;
    NoAssignment& operator=(const NoAssignment&) = delete;
    int value = 0;
};
struct OnlyWritten {
    Written written;
    std::vector<Written> more;
    ConstMember member;
    NoAssignment still;
    Vector3 last{};
};
/// These are only read.
struct ReadIn {
    int value = 0;
    ReadIn() {}
};
struct OnlyRead {
    ReadIn one;
    std::vector<ReadIn> more;
};
struct OnlyReadInside {
    std::vector<OnlyRead> items;
    NoAssignment still;
    int id = 0;
};
/// Has the members of a std::list, and a `meta`.
class Inventory {
public:
    using value_type = int;
    Inventory() {}
    void push_back(int item) { items_.push_back(item); }
    void clear() { items_.clear(); }
    std::size_t size() const { return items_.size(); }

private:
    friend struct gdvar::meta<Inventory>;
    std::vector<int> items_;
};
/// A map that holds its pairs side by side, as far as `reserve` shows.
struct FlatMap : std::map<int, std::array<double, 63>> {
    FlatMap() {}
    void reserve(std::size_t n) { reserved = n; }
    std::size_t reserved = 0;
};
struct NoDefault {
    explicit NoDefault(int value) : hp(value), mana(value) {}
    int hp, mana;
};
struct Patch {
    int hp = 5, most_hp = 9;
    std::optional<int> mana{};
    friend bool operator==(const Patch&, const Patch&) = default;
};
struct Whole {
    int id = 1;
    Patch patch{};
};
struct Pair {
    int first = 0, second = 2;
};
using PairOrTriple = std::variant<Pair, std::tuple<int, int, int>>;
struct Renamed {
    int health = 0;
    std::string name{};
    friend bool operator==(const Renamed&, const Renamed&) = default;
};
struct JoinNumber {
    Tag<1> type;
    std::string name;
};
struct LeaveNumber {
    Tag<-20> type;
    int id = 0;
};
struct OldMessage {
    Tag<"old"> type;
};
using Numbered = std::variant<JoinNumber, LeaveNumber, OldMessage>;
struct SomeNamed {
    std::string name = "x";
    int hp = 1;
    int mana = 2;
    double cache = 0.5;
    Dictionary more{};
    const int version = 3;
    Vector3 last{};
};
struct HoldsNoDefault {
    NoDefault inner{7};
};
enum class Pid : std::uint32_t {};
struct Wrapped {
    std::uint16_t number = 0;
};

}  // namespace gdvar::test

namespace gdvar {
template <>
struct meta<test::Bounds> {
    using T = test::Bounds;
    static constexpr auto fields =
        std::tuple(field("large", &T::large).range(0, 9007199254740993).optional(),
                   field("natural", &T::natural).range(1, INT64_MAX).optional(),
                   field("level", &T::level).range(1, 99).optional(),
                   field("ratio", &T::ratio).range(-0.5, 1).optional(),
                   field("position", &T::position).range(-100, 100).optional(),
                   field("scores", &T::scores).range(INT64_MIN + 1, 10).optional(),
                   field("name", &T::name).min_length(3).max_length(8).optional(),
                   field("note", &T::note).omit_empty(), field("tags", &T::tags).omit_empty());
};
template <>
struct meta<test::MoreBounds> {
    using T = test::MoreBounds;
    static constexpr auto fields =
        std::tuple(field("nick", &T::nick).min_length(3), field("title", &T::title).min_length(3),
                   field("small", &T::small).range(0, 1000).optional(),
                   field("hp", &T::hp).range(std::integral_constant<int, -1>(), test::most_hp),
                   field("flag", &T::flag).range(true, true).optional());
};
template <>
struct meta<test::Pooled> {
    using T = test::Pooled;
    static constexpr auto fields =
        std::tuple(field("scores", &T::scores).optional(), field("map", &T::map).optional(),
                   field("id", &T::id));
};
template <>
struct meta<test::Patch> {
    using T = test::Patch;
    static constexpr auto fields = std::tuple(
        field("hp", &T::hp).range(0, 99), field("most_hp", &T::most_hp), field("mana", &T::mana));
    static constexpr StructOptions<T> options{
        .unknown_keys = UnknownKeys::refuse,
        .missing_keys = MissingKeys::keep,
        .check = [](const T& of) { return of.hp > of.most_hp ? "hp is over most_hp" : nullptr; }};
};
template <>
struct meta<test::Whole> {
    using T = test::Whole;
    static constexpr auto fields = std::tuple(field("id", &T::id), field("patch", &T::patch));
    static constexpr StructOptions<T> options{.missing_keys = MissingKeys::refuse};
};
template <>
struct meta<test::Pair> {
    static constexpr StructOptions<test::Pair> options{.as_array = true,
                                                       .missing_keys = MissingKeys::keep};
};
template <>
struct meta<test::Renamed> {
    using T = test::Renamed;
    static constexpr auto fields =
        std::tuple(field("health", &T::health).aliases("hp", "hitpoints").range(0, 9),
                   field("name", &T::name).aliases("title"));
};
template <>
struct meta<test::SomeNamed> {
    using T = test::SomeNamed;
    static constexpr auto fields = std::tuple(field("life", &T::hp).range(0, 9));
    static constexpr auto left_out = std::tuple(&T::cache, &T::version);
    static constexpr auto rest = &T::more;
    static constexpr StructOptions<T> options{.others_by_name = true};
};
template <>
struct meta<test::NoDefault> {
    using T = test::NoDefault;
    static constexpr auto fields = std::tuple(field("hp", &T::hp), field("mana", &T::mana));
};
template <>
struct meta<test::ConstMember> {
    using T = test::ConstMember;
    static constexpr auto fields =
        std::tuple(field("id", &T::id).range(0, 9), field("name", &T::name));
};
template <>
struct meta<test::NoAssignment> {
    static constexpr auto fields = std::tuple(field("value", &test::NoAssignment::value));
};
template <>
struct Bind<test::Written> {
    template <class Sink>
    static Errc write(Sink& sink, const test::Written& from) {
        return sink.integer(from.value);
    }
};
template <>
struct Bind<test::ReadIn> {
    static bool read(BindCursor& c, test::ReadIn& out) {
        out.value = static_cast<int>(c.integer());
        return c.ok();
    }
};
template <>
struct meta<test::Inventory> {
    static constexpr auto fields = std::tuple(field("items", &test::Inventory::items_));
};
template <>
struct Bind<test::Pid> : BindAs<test::Pid, std::uint32_t> {};
template <>
struct Bind<test::Wrapped> : BindAs<test::Wrapped, std::uint16_t> {};
template <>
struct Bind<test::Vec3> : BindAs<test::Vec3, Vector3> {};
template <>
struct Bind<test::Id> : BindAs<test::Id, std::int64_t> {};
#define TEN(n)                                                                     \
    field(#n "0", &T::n##0), field(#n "1", &T::n##1), field(#n "2", &T::n##2),     \
        field(#n "3", &T::n##3), field(#n "4", &T::n##4), field(#n "5", &T::n##5), \
        field(#n "6", &T::n##6), field(#n "7", &T::n##7), field(#n "8", &T::n##8), \
        field(#n "9", &T::n##9)
template <>
struct meta<test::Many> {
    using T = test::Many;
    static constexpr auto fields =
        std::tuple(TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g), field("last", &T::last));
};
#undef TEN
}  // namespace gdvar

namespace gdvar::test {
namespace {

/// "$.path: error[...]: ...".
template <class T>
std::string refused_with(const Variant& value) {
    const PackedByteArray bytes = packet(value);
    const auto got = decode<T>(as_bytes(bytes));
    return got ? "taken"
               : error_path(as_bytes(bytes), {}, got.error()) + ": " + to_string(got.error());
}
std::string of(const char* key, const Variant& value) {
    return refused_with<Bounds>(Dictionary{{key, value}});
}

TEST(Limits, RangesAreExact) {
    EXPECT_EQ(of("large", std::int64_t{9007199254740993}), "taken");
    EXPECT_EQ(of("large", std::int64_t{9007199254740994}),
              "$.large: error[number_out_of_range]: large: 9007199254740994 is not in 0 to "
              "9007199254740993");
    EXPECT_EQ(of("natural", std::int64_t{INT64_MAX}), "taken");
    EXPECT_EQ(of("natural", 0),
              "$.natural: error[number_out_of_range]: natural: 0 is not in 1 to "
              "9223372036854775807");
    EXPECT_EQ(of("ratio", -0.5), "taken");
    EXPECT_EQ(of("ratio", 1.5),
              "$.ratio: error[number_out_of_range]: ratio: 1.5 is not in -0.5 to 1");
    EXPECT_EQ(of("scores", Array{std::int64_t{INT64_MIN}}),
              "$.scores: error[number_out_of_range]: scores: -9223372036854775808 is not in "
              "-9223372036854775807 to 10");
}
TEST(Limits, ANumberThatItsTypeRefusesNamesTheFieldsRange) {
    EXPECT_EQ(of("level", 300),
              "$.level: error[number_out_of_range]: level: 300 is not in 1 to 99");
    EXPECT_EQ(of("level", 100),
              "$.level: error[number_out_of_range]: level: 100 is not in 1 to 99");
    EXPECT_EQ(of("natural", -1),
              "$.natural: error[number_out_of_range]: natural: -1 is not in 1 to "
              "9223372036854775807");
    EXPECT_EQ(of("level", 1.5), "$.level: error[number_out_of_range]: 1.5 is not a whole number");
}
TEST(Limits, ComponentsAndElementsHaveRanges) {
    EXPECT_EQ(of("position", Vector3{100, -100, 0}), "taken");
    EXPECT_EQ(of("position", Vector3{0, 0, 101}),
              "$.position: error[number_out_of_range]: position: 101 is not in -100 to 100");
    EXPECT_EQ(of("scores", PackedInt64Array{1, 2, 10}), "taken");
    EXPECT_EQ(of("scores", Array{1, 11}),
              "$.scores: error[number_out_of_range]: scores: 11 is not "
              "in -9223372036854775807 to 10");
    Bounds value{.natural = 1, .level = 1};
    EXPECT_TRUE(encode(value));
    value.position = {0, 500, 0};
    EXPECT_EQ(to_string(encode(value).error()),
              "error[number_out_of_range]: position: 500 is not in -100 to 100");
}
TEST(Limits, TextsHaveLeastLengths) {
    EXPECT_EQ(of("name", "abc"), "taken");
    EXPECT_EQ(of("name", "ab"),
              "$.name: error[length_out_of_range]: name: a length of 2 is not in 3 to 8");
    Bounds value{.natural = 1, .level = 1, .name = "x"};
    EXPECT_EQ(to_string(encode(value).error()),
              "error[length_out_of_range]: name: a length of 1 is not in 3 to 8");
}
TEST(Limits, EmptyTextsAndContainersAreLeftOut) {
    Bounds value{.natural = 1, .level = 1};
    const Variant without = *decode(as_bytes(*encode(value)));
    EXPECT_FALSE(without.get_if<Dictionary>()->contains("note"));
    EXPECT_FALSE(without.get_if<Dictionary>()->contains("tags"));
    Bounds kept = value;
    kept.note = "x";
    kept.tags = {1};
    EXPECT_EQ(decode(as_bytes(*encode(kept)))->size(), without.size() + 2);
    ASSERT_TRUE(decode_to(kept, as_bytes(*encode(value))));
    EXPECT_EQ(kept.note, "");
    EXPECT_TRUE(kept.tags.empty());
    EXPECT_EQ(to_variant(value), without);
}
TEST(Limits, BoundsAreOrderedAsNumbers) {
    using detail::Bound;
    EXPECT_LT(Bound(9007199254740992), Bound(9007199254740993));
    EXPECT_LT(Bound(-1), Bound(UINT64_MAX));
    EXPECT_LT(Bound(INT64_MAX), Bound(0x1p63));
    EXPECT_EQ(Bound(INT64_MIN) <=> Bound(-0x1p63), std::partial_ordering::equivalent);
    EXPECT_LT(Bound(UINT64_MAX), Bound(0x1p64));
    EXPECT_GT(Bound(-1), Bound(-1.5));
    EXPECT_LT(Bound(1), Bound(1.5));
    EXPECT_GT(Bound(1.5), Bound(1));
    EXPECT_EQ(Bound(1) <=> Bound(std::numeric_limits<double>::quiet_NaN()),
              std::partial_ordering::unordered);
}

TEST(Limits, AnOptionalWithoutAValueHasNoLength) {
    EXPECT_EQ(*decode<MoreBounds>(as_bytes(*encode(MoreBounds{}))), MoreBounds{});
    const auto with_nick = [](const Variant& nick) {
        return refused_with<MoreBounds>(Dictionary{{"nick", nick}, {"title", "sir"}, {"hp", 1}});
    };
    EXPECT_EQ(with_nick(Variant()), "taken");
    EXPECT_EQ(with_nick("abc"), "taken");
    EXPECT_EQ(with_nick(""),
              "$.nick: error[length_out_of_range]: nick: a length of 0 is less than 3");
    EXPECT_EQ(to_string(encode(MoreBounds{.title = "x"}).error()),
              "error[length_out_of_range]: title: a length of 1 is less than 3");
}
TEST(Limits, ANumberInTheFieldsRangeIsRefusedByItsType) {
    const auto with = [](const char* key, const Variant& value) {
        return refused_with<MoreBounds>(
            Dictionary{{"nick", Variant()}, {"title", "sir"}, {"hp", 1}, {key, value}});
    };
    EXPECT_EQ(with("small", 300), "$.small: error[number_out_of_range]: 300 is not in -128 to 127");
    EXPECT_EQ(with("small", 1001),
              "$.small: error[number_out_of_range]: small: 1001 is not in 0 to 1000");
    EXPECT_EQ(with("flag", false), "$.flag: error[number_out_of_range]: flag: 0 is not 1");
}
TEST(Limits, BoundsMayBeEnumerators) {
    EXPECT_TRUE(encode(MoreBounds{.hp = most_hp}));
    EXPECT_EQ(to_string(encode(MoreBounds{.hp = -2}).error()),
              "error[number_out_of_range]: hp: -2 is not in -1 to 9999");
}

TEST(Types, DefaultsStayInTheMembersOwnMemory) {
    Counting usual, arena;
    std::pmr::memory_resource* const before = std::pmr::set_default_resource(&usual);
    {
        Pooled value(&arena);
        ASSERT_TRUE(decode_to(value, as_bytes(packet(Dictionary{{"id", 1}}))));
        EXPECT_EQ(value.scores, (std::pmr::vector<int>{1, 2, 3}));
        EXPECT_EQ(value.map, (std::pmr::map<int, int>{{1, 2}}));
        EXPECT_EQ(value.scores.get_allocator().resource(), &arena);
        EXPECT_EQ(value.map.get_allocator().resource(), &arena);
    }
    std::pmr::set_default_resource(before);
    EXPECT_EQ(usual.foreign + arena.foreign, 0);
    EXPECT_TRUE(usual.blocks.empty() && arena.blocks.empty());
}
TEST(Types, MapsReserveNoMoreThanThePacketHas) {
    Dictionary pairs;
    for (int i = 0; i < 1000; ++i)
        pairs.append(i, Variant());
    const PackedByteArray bytes = packet(pairs);
    FlatMap map;
    EXPECT_FALSE(decode_to(map, as_bytes(bytes)));
    EXPECT_GT(map.reserved, 0u);
    EXPECT_LE(map.reserved * sizeof(FlatMap::value_type), bytes.size());
}
TEST(Types, ARepeatedKeyKeepsNothingOfTheFirst) {
    Dictionary pairs;
    pairs.append("inner", Dictionary{{"hp", 1}, {"mana", 2}});
    pairs.append("inner", Dictionary{{"hp", 3}});
    HoldsNoDefault value;
    BindOptions keep;
    keep.missing_keys = MissingKeys::keep;
    ASSERT_TRUE(decode_to(value, as_bytes(packet(pairs)), {}, keep));
    EXPECT_EQ(value.inner.hp, 3);
    EXPECT_EQ(value.inner.mana, 0);
    pairs.clear();
    pairs.append("inner", Dictionary{{"hp", 4}});
    value.inner.mana = 5;
    ASSERT_TRUE(decode_to(value, as_bytes(packet(pairs)), {}, keep));
    EXPECT_EQ(value.inner.hp, 4);
    EXPECT_EQ(value.inner.mana, 5);
}
TEST(Types, MayBeOnlyWrittenOrOnlyRead) {
    const OnlyWritten value{Written(1), {Written(2)}, {3, "x"}, {}, {1, 2, 3}};
    const auto bytes = encode(value);
    ASSERT_TRUE(bytes) << to_string(bytes.error());
    const Variant tree{Dictionary{{"written", 1},
                                  {"more", Array{2}},
                                  {"member", Dictionary{{"id", 3}, {"name", "x"}}},
                                  {"still", Dictionary{{"value", 0}}},
                                  {"last", Vector3{1, 2, 3}}}};
    EXPECT_EQ(*decode(as_bytes(*bytes)), tree);
    EXPECT_EQ(to_variant(value), tree);
    EXPECT_EQ(to_string(encode(ConstMember{10, ""}).error()),
              "error[number_out_of_range]: id: 10 is not in 0 to 9");
    const Variant items{Dictionary{{"id", 4},
                                   {"still", Dictionary{{"value", 5}}},
                                   {"items", Array{Dictionary{{"more", Array{6}}, {"one", 7}}}}}};
    const auto back = decode<OnlyReadInside>(as_bytes(packet(items)));
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_EQ(back->still.value, 5);
    ASSERT_EQ(back->items.size(), 1u);
    EXPECT_EQ(back->items[0].one.value, 7);
    EXPECT_EQ(back->items[0].more.at(0).value, 6);
}
TEST(Types, WithAMetaAreNoContainers) {
    Inventory value;
    value.push_back(7);
    const auto bytes = encode(value);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(decode(as_bytes(*bytes)), Variant(Dictionary{{"items", PackedInt32Array{7}}}));
    EXPECT_EQ(decode<Inventory>(as_bytes(*bytes))->size(), 1u);
}
TEST(Types, BoundAsOthersRefuseWhatTheyWouldCut) {
    EXPECT_EQ(refused_with<Pid>((std::int64_t{1} << 32) + 5),
              "$: error[number_out_of_range]: 4294967301 is not in 0 to 4294967295");
    EXPECT_EQ(decode<Pid>(as_bytes(packet(std::int64_t{UINT32_MAX}))), Pid{UINT32_MAX});
    EXPECT_EQ(encode(Pid{UINT32_MAX}), encode(std::int64_t{UINT32_MAX}));
    EXPECT_EQ(refused_with<Wrapped>(65541),
              "$: error[number_out_of_range]: 65541 is not in 0 to 65535");
}
TEST(Types, OfTheStandardLibraryComeBack) {
    Library value{.bytes = {std::byte{1}, std::byte{255}},
                  .delay = std::chrono::milliseconds(1500),
                  .at = std::chrono::sys_seconds(std::chrono::seconds(1'700'000'000)),
                  .path = std::filesystem::path(u8"saves/größe.sav"),
                  .part = std::make_unique<Part>(Part{7}),
                  .pool_name = "pool",
                  .pool_names = {"a", "b"},
                  .pool_map = {{1, "one"}},
                  .utf8 = u8"größe",
                  .utf8s = {u8"ä", u8""},
                  .deque = {1, 2},
                  .list = {"x"},
                  .set = {3, 4},
                  .unordered_set = {"y"},
                  .unordered_map = {{5, Part{6}}},
                  .vec = {1, 2, 3},
                  .vecs = {{4, 5, 6}},
                  .id = Id(9)};
    const auto bytes = encode(value);
    ASSERT_TRUE(bytes);
    const Variant tree = *decode(as_bytes(*bytes));
    EXPECT_EQ(tree["bytes"], Variant(PackedByteArray{1, 255}));
    EXPECT_EQ(tree["delay"], Variant(1500));
    EXPECT_EQ(tree["at"], Variant(1'700'000'000));
    EXPECT_EQ(tree["path"], Variant("saves/größe.sav"));
    EXPECT_EQ(tree["part"], Variant(Dictionary{{"hp", 7}}));
    EXPECT_EQ(tree["utf8s"].type(), Type::packed_string_array);
    EXPECT_EQ(tree["pool_names"].type(), Type::packed_string_array);
    EXPECT_EQ(tree["vec"], Variant(Vector3{1, 2, 3}));
    EXPECT_EQ(tree["id"], Variant(9));
    Library back;
    ASSERT_TRUE(decode_to(back, as_bytes(*bytes)));
    EXPECT_EQ(back.bytes, value.bytes);
    EXPECT_EQ(back.at, value.at);
    EXPECT_EQ(back.path, value.path);
    ASSERT_TRUE(back.part);
    EXPECT_EQ(*back.part, Part{7});
    EXPECT_EQ(back.pool_names, value.pool_names);
    EXPECT_EQ(back.pool_map, value.pool_map);
    EXPECT_TRUE(back.utf8 == value.utf8);
    EXPECT_TRUE(back.utf8s == value.utf8s);
    EXPECT_EQ(back.unordered_map, value.unordered_map);
    EXPECT_EQ(back.vec, value.vec);
    EXPECT_EQ(back.vecs, value.vecs);
    EXPECT_EQ(back.id, value.id);
    EXPECT_EQ(*encode(back), *bytes);
    value.part = nullptr;
    ASSERT_TRUE(decode_to(back, as_bytes(*encode(value))));
    EXPECT_FALSE(back.part);
}
TEST(Types, BytesAreOnlyPackedBytes) {
    EXPECT_EQ(refused_with<std::vector<std::byte>>(Array{1}),
              "$: error[wrong_type]: expected a PackedByteArray, found an Array");
    EXPECT_EQ(refused_with<Vec3>(Array{1}),
              "$: error[wrong_type]: expected a Vector3, found an Array");
}

TEST(Fields, AreReadByTheirAliases) {
    const Renamed value{7, "x"};
    for (const auto& [hp, name] : {std::pair{"health", "name"},
                                   {"hp", "name"},
                                   {"name", "hp"},
                                   {"title", "hitpoints"},
                                   {"health", "title"}}) {
        Dictionary pairs;
        for (const std::string_view key : {hp, name})
            pairs.append(key, key == "name" || key == "title" ? Variant("x") : Variant(7));
        const auto got = decode<Renamed>(as_bytes(packet(pairs)));
        ASSERT_TRUE(got) << hp << " " << to_string(got.error());
        EXPECT_EQ(*got, value);
    }
    EXPECT_EQ(to_variant(value), Variant(Dictionary{{"health", 7}, {"name", "x"}}));
    EXPECT_EQ(refused_with<Renamed>(Dictionary{{"hp", 10}, {"name", ""}}),
              "$.hp: error[number_out_of_range]: health: 10 is not in 0 to 9");
    EXPECT_EQ(refused_with<Renamed>(Dictionary{{"name", ""}}),
              "$: error[missing_key]: no key \"health\"");
    const PackedByteArray both = packet(Dictionary{{"hp", 1}, {"health", 2}, {"name", ""}});
    EXPECT_EQ(decode<Renamed>(as_bytes(both))->health, 2);
    BindOptions once;
    once.repeated_keys = RepeatedKeys::refuse;
    EXPECT_EQ(decode<Renamed>(as_bytes(both), {}, once).error().code, Errc::repeated_key);
}
TEST(Fields, MayNameOnlyWhatDiffers) {
    static_assert(detail::Fields<SomeNamed>::count == 4);
    SomeNamed value{.hp = 7, .more = {{"new", 4}}, .last = {1, 2, 3}};
    const PackedByteArray bytes = *encode(value);
    Dictionary pairs{
        {"name", "x"}, {"life", 7}, {"mana", 2}, {"last", Vector3{1, 2, 3}}, {"new", 4}};
    EXPECT_EQ(bytes, packet(pairs));
    EXPECT_EQ(to_variant(value), Variant(pairs));
    SomeNamed back{.mana = 0, .cache = 8};
    ASSERT_TRUE(decode_to(back, as_bytes(bytes)));
    EXPECT_EQ(back.mana, 2);
    EXPECT_EQ(back.cache, 8);
    EXPECT_EQ(*encode(back), bytes);
    value.hp = 10;
    EXPECT_EQ(to_string(encode(value).error()),
              "error[number_out_of_range]: life: 10 is not in 0 to 9");
    pairs.erase("last");
    EXPECT_EQ(refused_with<SomeNamed>(pairs), "$: error[missing_key]: no key \"last\"");
}
TEST(Tags, MayBeNumbers) {
    static_assert(Tag<0>::value == "0" && Tag<INT64_MIN>::value == "-9223372036854775808");
    const PackedByteArray bytes = *encode(Numbered(LeaveNumber{{}, 7}));
    EXPECT_EQ(decode(as_bytes(bytes)), Variant(Dictionary{{"type", -20}, {"id", 7}}));
    const auto back = decode<Numbered>(as_bytes(bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(std::get<LeaveNumber>(*back).id, 7);
    EXPECT_TRUE(decode<Tag<1>>(as_bytes(packet(1.0))));
    EXPECT_EQ(refused_with<JoinNumber>(Dictionary{{"type", 2}, {"name", ""}}),
              "$.type: error[number_out_of_range]: 2 is not 1");
    EXPECT_EQ(refused_with<Numbered>(Dictionary{{"type", 1}}),
              "$: error[missing_key]: no key \"name\"");
    EXPECT_EQ(refused_with<Numbered>(Dictionary{{"type", 5}}),
              "$.type: error[unknown_name]: \"5\" is none of 1, -20, old");
    EXPECT_EQ(refused_with<Numbered>(Dictionary{{"type", "1"}}),
              "$.type: error[unknown_name]: \"1\" is none of 1, -20, old");
}
TEST(Options, OfAStructComeBeforeThoseOfTheCall) {
    Whole value{.id = 3, .patch = {6, 8, 7}};
    BindOptions keep;
    keep.missing_keys = MissingKeys::keep;
    const PackedByteArray packed = packet(Dictionary{{"id", 4}, {"patch", Dictionary{{"hp", 7}}}});
    ASSERT_TRUE(decode_to(value, as_bytes(packed)));
    EXPECT_EQ(value.patch, (Patch{7, 8, std::nullopt}));
    EXPECT_EQ(decode_to(value, as_bytes(packet(Dictionary{{"patch", Dictionary()}})), {}, keep)
                  .error()
                  .code,
              Errc::missing_key);
    EXPECT_EQ(refused_with<Patch>(Dictionary{{"hq", 1}}),
              "$[@0 key]: error[unknown_key]: nothing is bound to the key \"hq\"");
    // Elements keep nothing, and lack no key.
    std::vector<Patch> patches{{1, 2, 3}};
    ASSERT_TRUE(decode_to(patches, as_bytes(packet(Array{Dictionary{{"hp", 4}}}))));
    EXPECT_EQ(patches.at(0), (Patch{4, 9, std::nullopt}));
    Pair pair{7, 8};
    ASSERT_TRUE(decode_to(pair, as_bytes(packet(Array{9}))));
    EXPECT_EQ(pair.second, 8);
    EXPECT_FALSE(decode_to(pair, as_bytes(packet(Array{9, 9, 9}))));
    EXPECT_EQ(std::get<Pair>(*decode<PairOrTriple>(as_bytes(packet(Array{5})))).second, 2);
    EXPECT_EQ(decode<PairOrTriple>(as_bytes(packet(Array{5, 6, 7})))->index(), 1u);
}
TEST(Options, ACheckRefusesInItsOwnWords) {
    EXPECT_EQ(refused_with<Whole>(
                  Dictionary{{"id", 1}, {"patch", Dictionary{{"hp", 10}, {"most_hp", 9}}}}),
              "$.patch: error[refused]: hp is over most_hp");
    EXPECT_EQ(refused_with<Whole>(Dictionary{{"patch", Dictionary{{"hp", 10}}}, {"id", 1}}),
              "$.patch: error[refused]: hp is over most_hp");
    EXPECT_EQ(refused_with<Patch>(Dictionary{{"hp", 9}}), "taken");
    const std::map<std::string, Whole> value{{"a", {}}, {"b", {.patch = {10, 9, {}}}}};
    const auto refused = encode(value);
    ASSERT_FALSE(refused);
    EXPECT_EQ(error_path(value, {}, refused.error()) + ": " + to_string(refused.error()),
              "$.b.patch: error[refused]: hp is over most_hp");
    EXPECT_EQ(to_variant(value).error(), refused.error());
    std::array<std::byte, 500> place;
    EXPECT_EQ(encode_to(std::span(place), value).error(), refused.error());
    // In a std::variant it is one more reason to try the next alternative.
    using Either = std::variant<Patch, std::map<std::string, int>>;
    EXPECT_EQ(decode<Either>(as_bytes(packet(Dictionary{{"hp", 10}})))->index(), 1u);
}

TEST(Fields, MayBeMoreThan64) {
    Many value;
    value.a0 = 1, value.g3 = 64, value.g4 = 65, value.g9 = 70, value.last = 71;
    const PackedByteArray bytes = *encode(value);
    const auto back = decode<Many>(as_bytes(bytes));
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_EQ(back->g3, 64);
    EXPECT_EQ(back->g4, 65);
    EXPECT_EQ(back->g9, 70);
    EXPECT_EQ(back->last, 71);
    Variant tree = *decode(as_bytes(bytes));
    tree.get_if<Dictionary>()->erase("g9");
    EXPECT_EQ(refused_with<Many>(tree), "$: error[missing_key]: no key \"g9\"");
    tree.get_if<Dictionary>()->append("g9", 7);
    tree.get_if<Dictionary>()->erase("last");
    const auto other = decode<Many>(as_bytes(packet(tree)));
    ASSERT_TRUE(other);
    EXPECT_EQ(other->g9, 7);
    EXPECT_FALSE(other->last);
}

}  // namespace
}  // namespace gdvar::test
