// Tags, what meta names, sets and lists, durations, structs and Variants, and what refusals say.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <unordered_set>

#include "gdvar/value/binding.hpp"
#include "support.hpp"

namespace gdvar::test {

struct Join {
    Tag<"join"> type;
    std::string name;
};
struct Leave {
    Tag<"leave"> type;
    std::int64_t code = 0;
};
struct Shout {
    std::string text;
    Tag<"say"> type;
};
struct Slap {
    Tag<"hit"> type;
    std::int64_t who = 0;
};
struct Heal {
    Tag<"heal"> type;
    std::int64_t who = 0;
};
enum class Mood { calm, wild, sad };
struct Creature {
    std::uint8_t level = 0;
    float speed = 0;
    Mood mood = Mood::calm;
    std::vector<std::int16_t> path;
    std::optional<std::string> nick;
};
struct Cached {
    int kept = 0;
    int cache = 0;
    std::vector<int> index;
};
struct Exact {
    float rate = 0;
};
struct Limited {
    int hp = 0;
    double heat = 0;
    std::string name;
};

}  // namespace gdvar::test

namespace gdvar {
template <>
struct meta<test::Slap> {
    static constexpr auto fields =
        std::tuple(field("type", &test::Slap::type), field("who", &test::Slap::who));
    static constexpr gdvar::StructOptions<test::Slap> options{.as_array = true};
};
template <>
struct meta<test::Heal> {
    static constexpr auto fields =
        std::tuple(field("type", &test::Heal::type), field("who", &test::Heal::who));
    static constexpr gdvar::StructOptions<test::Heal> options{.as_array = true};
};
template <>
struct meta<test::Mood> {
    static constexpr auto values =
        std::array{value("calm", test::Mood::calm), value("wild", test::Mood::wild)};
};
template <>
struct meta<test::Cached> {
    static constexpr auto fields = std::tuple(field("kept", &test::Cached::kept));
    static constexpr auto left_out = std::tuple(&test::Cached::cache, &test::Cached::index);
};
template <>
struct meta<test::Exact> {
    static constexpr auto fields = std::tuple(field("rate", &test::Exact::rate).exact());
};
template <>
struct meta<test::Limited> {
    static constexpr auto fields =
        std::tuple(field("hp", &test::Limited::hp).range(0, 99).optional(),
                   field("heat", &test::Limited::heat).range(0, 0.5).optional(),
                   field("name", &test::Limited::name).max_length(4).optional());
};
}  // namespace gdvar

namespace gdvar::test {
namespace {

/// "$.path: error[...]: ...", as a log line has it.
template <class T>
std::string refusal(const Variant& value, const BindOptions& choices = {}) {
    const PackedByteArray bytes = packet(value);
    const auto got = decode<T>(as_bytes(bytes), default_decode_options, choices);
    if (got)
        return "taken";
    return error_path(as_bytes(bytes), default_decode_options, got.error()) + ": " +
           to_string(got.error());
}

// ---- tags ---------------------------------------------------------------------------------------

using Greeting = std::variant<Join, Leave, Shout>;

TEST(Tags, TheAlternativeWhoseTagFitsReports) {
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"type", "join"}}),
              "$: error[missing_key]: no key \"name\"");
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"type", "say"}, {"text", 7}}),
              "$.text: error[wrong_type]: expected a String or a StringName, found an int");
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"name", 7}, {"type", "join"}}),
              "$.name: error[wrong_type]: expected a String or a StringName, found an int");
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"type", "leave"}, {"code", 2.5}}),
              "$.code: error[number_out_of_range]: 2.5 is not a whole number");
    EXPECT_EQ(refusal<std::vector<Greeting>>(
                  Array{Dictionary{{"type", "leave"}, {"code", 1}}, Dictionary{{"type", "leave"}}}),
              "$[1]: error[missing_key]: no key \"code\"");
}
TEST(Tags, WhereNoneFitsTheListIsGiven) {
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"type", "jion"}, {"name", "Ada"}}),
              "$.type: error[unknown_name]: \"jion\" is none of join, leave, say");
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"name", "Ada"}}),
              "$: error[missing_key]: no key \"type\"");
    EXPECT_EQ(refusal<Greeting>(Dictionary{{"type", 3}}),
              "$.type: error[wrong_type]: expected a String or a StringName, found an int");
    EXPECT_EQ(refusal<Greeting>(7), "$: error[wrong_type]: expected a Dictionary, found an int");
    EXPECT_EQ(refusal<Join>(Dictionary{{"type", "leave"}}),
              "$.type: error[unknown_name]: \"leave\" is none of join");
}
TEST(Tags, InArraysToo) {
    using Blow = std::variant<Slap, Heal>;
    EXPECT_EQ(refusal<Blow>(Array{"heal", "much"}),
              "$[1]: error[wrong_type]: expected an int or a float, found a String");
    EXPECT_EQ(refusal<Blow>(Array{"heal"}),
              "$: error[length_out_of_range]: a length of 1 is not 2");
    EXPECT_EQ(refusal<Blow>(Array{"hurt", 1}),
              "$[0]: error[unknown_name]: \"hurt\" is none of hit, heal");
    EXPECT_EQ(std::get<Heal>(decode<Blow>(as_bytes(packet(Array{"heal", 3}))).value()).who, 3);
}
TEST(Tags, AnAlternativeWithoutOneKeepsTheFurthestError) {
    EXPECT_EQ(
        (refusal<std::variant<Join, std::map<std::string, int>>>(Dictionary{{"a", 1}, {"b", "x"}})),
        "$.b: error[wrong_type]: expected an int or a float, found a String");
}

TEST(Variants, AreTakenAsTheyAreBeforeTheyAreConverted) {
    using Number = std::variant<std::int64_t, double>;
    EXPECT_EQ(decode<Number>(as_bytes(packet(3.0))).value().index(), 1u);
    EXPECT_EQ(decode<Number>(as_bytes(packet(3))).value().index(), 0u);
    using Text = std::variant<std::int64_t, std::string>;
    EXPECT_EQ(std::get<0>(decode<Text>(as_bytes(packet(3.0))).value()), 3);
    EXPECT_EQ(refusal<Text>(3.5), "$: error[number_out_of_range]: 3.5 is not a whole number");
    using Widths = std::variant<float, double>;
    EXPECT_EQ(decode<Widths>(as_bytes(packet(0.1))).value().index(), 1u);
    EXPECT_EQ(decode<Widths>(as_bytes(packet(0.5))).value().index(), 0u);
    using Vectors = std::variant<Vector3, Vector3d>;
    EXPECT_EQ(decode<Vectors>(as_bytes(packet(Vector3d{0.1, 0, 0}))).value().index(), 1u);
    using Rounded = std::variant<std::string, float>;
    EXPECT_EQ(std::get<1>(decode<Rounded>(as_bytes(packet(0.1))).value()), 0.1f);
    EXPECT_EQ(refusal<Rounded>(Array{}),
              "$: error[wrong_type]: expected an int, a float, a String or a StringName, found an "
              "Array");
}

// ---- what refusals say --------------------------------------------------------------------------

TEST(Refusals, SayWhatWasExpectedAndFound) {
    const Dictionary sound{{"level", 1}, {"speed", 0.1}, {"mood", "wild"}, {"path", Array{1}}};
    const auto with = [&](const char* key, const Variant& value) {
        Dictionary out = sound;
        out.set(key, value);
        return refusal<Creature>(out);
    };
    EXPECT_EQ(refusal<Creature>(sound), "taken");
    EXPECT_EQ(with("level", 300), "$.level: error[number_out_of_range]: 300 is not in 0 to 255");
    EXPECT_EQ(with("level", 300.0), "$.level: error[number_out_of_range]: 300 is not in 0 to 255");
    EXPECT_EQ(with("level", true),
              "$.level: error[wrong_type]: expected an int or a float, found a bool");
    EXPECT_EQ(with("speed", 1e300).substr(0, 60),
              "$.speed: error[number_out_of_range]: 1e+300 is not in -3.402");
    EXPECT_EQ(with("mood", "wlid"), "$.mood: error[unknown_name]: \"wlid\" is none of calm, wild");
    EXPECT_EQ(with("mood", 2), "$.mood: error[number_out_of_range]: \"2\" is none of calm, wild");
    EXPECT_EQ(with("mood", Array{}),
              "$.mood: error[wrong_type]: expected an int, a float, a String or a StringName, "
              "found an Array");
    EXPECT_EQ(with("path", PackedInt32Array{1, 40000}),
              "$.path: error[number_out_of_range]: 40000 is not in -32768 to 32767");
    EXPECT_EQ(with("path", Array{1, "x"}),
              "$.path[1]: error[wrong_type]: expected an int or a float, found a String");
    EXPECT_EQ(refusal<Creature>(Dictionary{{"level", 1}}),
              "$: error[missing_key]: no key \"speed\"");
    Dictionary more = sound;
    more.set("sped", 1);
    EXPECT_EQ(refusal<Creature>(more, {.unknown_keys = UnknownKeys::refuse}),
              "$[@4 key]: error[unknown_key]: nothing is bound to the key \"sped\"");
    EXPECT_EQ((refusal<std::array<int, 3>>(Array{1, 2})),
              "$: error[length_out_of_range]: a length of 2 is not 3");
    EXPECT_EQ(refusal<Limited>(Dictionary{{"hp", 100}}),
              "$.hp: error[number_out_of_range]: hp: 100 is not in 0 to 99");
    EXPECT_EQ(refusal<Limited>(Dictionary{{"heat", 0.75}}),
              "$.heat: error[number_out_of_range]: heat: 0.75 is not in 0 to 0.5");
    EXPECT_EQ(refusal<Limited>(Dictionary{{"name", "Adelheid"}}),
              "$.name: error[length_out_of_range]: name: a length of 8 is not in 0 to 4");
    Dictionary twice{{"a", 1}};
    twice.append("a", 2);
    EXPECT_EQ((refusal<std::map<std::string, int>>(twice, {.repeated_keys = RepeatedKeys::refuse})),
              "$[@1 key]: error[repeated_key]: the key \"a\" is there more than once");
}
TEST(Refusals, ExactFieldsDoNotRound) {
    EXPECT_EQ(refusal<Exact>(Dictionary{{"rate", 0.1}}),
              "$.rate: error[number_out_of_range]: 0.1 can't be held exactly");
    EXPECT_EQ(refusal<Exact>(Dictionary{{"rate", 0.5}}), "taken");
}

TEST(Meta, LeavesOutWhatItNames) {
    const Cached cached{1, 2, {3}};
    const auto bytes = encode(cached).value();
    EXPECT_EQ(decode(as_bytes(bytes))->size(), 1u);
    EXPECT_EQ(decode<Cached>(as_bytes(bytes))->kept, 1);
}

// ---- sets, lists, durations ---------------------------------------------------------------------

struct Bag {
    std::deque<std::int64_t> queue{1, 2, 1LL << 40};
    std::list<std::string> names{"a", "b"};
    std::set<std::string> tags{"x", "y"};
    std::unordered_set<std::int32_t> ids{1, 2, 3};
    std::deque<Vector2> corners{{1, 2}, {3, 4}};
    std::list<std::map<std::string, int>> maps{{{"a", 1}}, {}};
    std::chrono::milliseconds wait{1500};
    std::chrono::duration<double> time{0.1};
    std::chrono::nanoseconds long_time{INT64_MAX};
    std::optional<std::chrono::seconds> none;
    bool operator==(const Bag&) const = default;
};

TEST(Containers, GoOutAndComeBack) {
    const Bag bag;
    const auto bytes = encode(bag).value();
    const auto back = decode<Bag>(as_bytes(bytes));
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_EQ(*back, bag);
    EXPECT_EQ(encoded_size(bag).value(), bytes.size());
    const Variant tree = decode(as_bytes(bytes)).value();
    EXPECT_TRUE(std::as_const(tree)["wait"].is(Type::integer));
    EXPECT_TRUE(std::as_const(tree)["time"].is(Type::real));
    // Their old contents are gone.
    Bag again;
    again.queue = {9, 9, 9, 9};
    again.ids = {77};
    ASSERT_TRUE(decode_to(again, as_bytes(bytes)));
    EXPECT_EQ(again, bag);
}
TEST(Containers, SetsMergeOrRefuseWhatIsThereTwice) {
    const Variant twice = Array{"a", "b", "a"};
    EXPECT_EQ(decode<std::set<std::string>>(as_bytes(packet(twice)))->size(), 2u);
    EXPECT_EQ(refusal<std::set<std::string>>(twice, {.repeated_keys = RepeatedKeys::refuse}),
              "$[2]: error[repeated_key]: the key \"a\" is there more than once");
    EXPECT_EQ(decode<std::set<int>>(as_bytes(packet(PackedInt32Array{3, 3, 4})))->size(), 2u);
}

// ---- Variants and structs -----------------------------------------------------------------------

Creature creature() {
    return {7, 0.5f, Mood::wild, {1, -2}, "Bo"};
}
bool same(const Creature& a, const Creature& b) {
    return a.level == b.level && a.speed == b.speed && a.mood == b.mood && a.path == b.path &&
           a.nick == b.nick;
}

TEST(Trees, BecomeStructsAndStructsTrees) {
    const Variant tree = to_variant(creature()).value();
    EXPECT_TRUE(identical(tree, decode(as_bytes(encode(creature()).value())).value()));
    const auto back = tree.get<Creature>();
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_TRUE(same(*back, creature()));

    const auto bag = to_variant(Bag());
    ASSERT_TRUE(bag);
    EXPECT_EQ(bag->get<Bag>().value(), Bag());
    EXPECT_EQ(to_variant(std::map<std::string, Greeting>{{"m", Join{{}, "Ada"}}})
                  .value()
                  .get<Dictionary>()
                  ->size(),
              1u);
    EXPECT_TRUE(identical(to_variant(std::vector<float>{1}, dialects::godot_4_4).value(),
                          PackedFloat32Array{1}));
    EXPECT_EQ(to_variant(std::uint64_t{UINT64_MAX}).error().code, Errc::number_out_of_range);
    const std::map<std::string, std::vector<std::uint64_t>> deep{{"ids", {1, 2, UINT64_MAX}}};
    const auto refused = to_variant(deep);
    ASSERT_FALSE(refused);
    EXPECT_EQ(error_path(deep, {}, refused.error()), "$.ids[2]");
    EXPECT_EQ(
        to_string(refused.error()),
        "error[number_out_of_range]: 18446744073709551615 is not in 0 to 9223372036854775807");
    // Nothing is lost on the way that only one dialect can say.
    const Variant odd = Array{Object::from_id(7),
                              RID{9},
                              Vector3d{0.1, 2, 3},
                              Image{},
                              PackedArray<Vector4i>{{1, 2, 3, 4}},
                              Object("Node")};
    const auto kept = odd.get<std::vector<Variant>>();
    ASSERT_TRUE(kept) << to_string(kept.error());
    for (std::size_t i = 0; i < kept->size(); ++i)
        EXPECT_TRUE(identical((*kept)[i], (*odd.get_if<Array>())[i])) << i;
}

TEST(Trees, ViewsBecomeStructs) {
    const auto bytes = packet(Dictionary{{"who", *to_variant(creature())}, {"bad", 1}});
    const auto document = Document::parse(as_bytes(bytes));
    ASSERT_TRUE(document);
    const View root = document->root();
    EXPECT_TRUE(same(root["who"].get<Creature>().value(), creature()));
    const auto bad = root["bad"].get<Creature>();
    ASSERT_FALSE(bad);
    EXPECT_EQ(error_path(as_bytes(bytes), default_decode_options, bad.error()), "$.bad");
    EXPECT_EQ(to_string(bad.error()), "error[wrong_type]: expected a Dictionary, found an int");
    // Without a copy.
    struct Seen {
        std::string_view nick;
        std::span<const std::uint8_t> none;
    };
    const auto nick = root["who"]["nick"].get<std::string_view>().value();
    EXPECT_GE(reinterpret_cast<const std::uint8_t*>(nick.data()), bytes.data());
    EXPECT_EQ(root["who"]["path"].get<std::vector<std::int64_t>>().value(),
              (std::vector<std::int64_t>{1, -2}));
    const auto lost = root["nobody"].get<Creature>();
    ASSERT_FALSE(lost);
    EXPECT_EQ(to_string(lost.error()), "error[missing_key]: no key \"nobody\"");
}

TEST(Trees, SayWhereTheyWereRefused) {
    Variant tree = Array{*to_variant(creature()), *to_variant(creature())};
    (*tree.get_if<Array>())[1].get_if<Dictionary>()->set("level", 256);
    const auto refused = tree.get<std::vector<Creature>>();
    ASSERT_FALSE(refused);
    EXPECT_EQ(error_path(tree, refused.error()) + ": " + to_string(refused.error()),
              "$[1].level: error[number_out_of_range]: 256 is not in 0 to 255");
}

/// However deep: the packet between has no limit of its own.
TEST(Trees, AsDeepAsTheyAre) {
    Variant deep = 1;
    for (int i = 0; i < 20000; ++i) {
        Array around;
        around.push_back(std::move(deep));
        deep = std::move(around);
    }
    EXPECT_TRUE(deep.get<std::vector<Variant>>());
}

}  // namespace
}  // namespace gdvar::test
