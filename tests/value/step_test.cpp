// Subscripts on Variants and Dictionaries: reading never changes, only assigning creates.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "base/index.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::test {
namespace {

Variant game() {
    return Dictionary{{"version", 3},
                      {"players", Array{Dictionary{{"name", "Ada"}, {"hp", 30}}, 7}},
                      {"nothing", nullptr},
                      {5, "five"},
                      {"names", PackedStringArray{"a", "b"}}};
}
template <class Step>
std::string says(const Step& step) {
    return to_string(step.error());
}

TEST(Step, ReadingChangesNothing) {
    Variant v = game();
    const Variant before = v;
    EXPECT_EQ(v["players"][-1].type(), Type::nil);
    EXPECT_EQ(v["players"]["hp"].get<int>().error().code, Errc::wrong_type);
    EXPECT_FALSE(v["players"][20'000'000].is_nil());
    EXPECT_FALSE(v["other"]["deep"][7].holds<String>());
    EXPECT_EQ(v["version"]["x"].size(), 0u);
    EXPECT_EQ(v["nothing"]["x"].get_or(4), 4);
    EXPECT_EQ(v["nothing"]["x"].get_or("none"), "none");
    EXPECT_EQ(v["players"][2].get_if<Array>(), nullptr);
    EXPECT_THROW((void)Variant(v["other"]), std::out_of_range);
    EXPECT_TRUE(identical(v, before));
    Variant nil;
    EXPECT_FALSE(nil["a"]);
    EXPECT_FALSE(nil[0]);
    EXPECT_TRUE(nil.is_nil());
    Variant list = Array{1, 2};
    EXPECT_FALSE(list[-1]);
    EXPECT_FALSE(list[20'000'000]);
    EXPECT_EQ(list, Variant(Array{1, 2}));
}

TEST(Step, ReadsWhatIsThere) {
    Variant v = game();
    EXPECT_EQ(v["players"][0]["hp"].get<int>().value(), 30);
    EXPECT_EQ(v["players"][0]["name"], "Ada");
    EXPECT_EQ(v["players"].size(), 2u);
    EXPECT_EQ(v[5].get<std::string>().value(), "five");
    EXPECT_TRUE(v["nothing"].is_nil());
    EXPECT_EQ(v["players"].get_if<Array>()->size(), 2u);
    Variant& hp = v["players"][0]["hp"];
    hp = 31;
    const Variant& const_v = v;
    const Variant& same = const_v["players"][0]["hp"];
    EXPECT_EQ(&same, &hp);
    EXPECT_EQ(const_v["players"][0]["hp"].get<int>().value(), 31);
    const Variant copy = v["players"][1];
    EXPECT_EQ(copy, Variant(7));
    EXPECT_EQ(v[Variant(StringName("version"))].get<int>().value(), 3);
    EXPECT_EQ(v["players"][1], const_v["players"][1]->get<int>().value());
    EXPECT_FALSE(v["lost"] == v["lost"]);
}

TEST(Step, NamesTheFirstStepThatFailed) {
    Variant v = game();
    const Variant& c = v;
    EXPECT_EQ(says(v["a"]["b"][3]), R"(error[missing_key]: no key "a")");
    EXPECT_EQ(says(c["a"]["b"][3]), R"(error[missing_key]: no key "a")");
    EXPECT_EQ(says(v["players"][2]["hp"]), "error[index_out_of_range]: no element 2: there are 2");
    EXPECT_EQ(says(c["players"][-1]), "error[index_out_of_range]: no element -1: there are 2");
    EXPECT_EQ(says(v["players"]["hp"]["x"]),
              R"(error[wrong_type]: expected an Object or a Dictionary for "hp", found an Array)");
    EXPECT_EQ(says(c["version"][0]),
              "error[wrong_type]: expected a Dictionary or an Array, found an int");
    EXPECT_EQ(v["a"]["b"].get<int>().error().about_text(), "a");
    EXPECT_EQ(c["a"]["b"].get<int>().error().about_text(), "a");
    EXPECT_EQ(v["a"].get<int>().error().code, Errc::missing_key);
    std::string key = "a key of a text that goes away";
    const auto kept = c[key]["x"];
    key.assign(key.size(), '#');
    EXPECT_EQ(kept.error().about_text(), "a key of a text that goe");
}

TEST(Step, AssigningCreatesInNilAndDictionaries) {
    Variant v;
    v["name"] = "Ada";
    v["pos"]["x"]["deep"] = 5;
    EXPECT_EQ(v, Variant(Dictionary{{"name", "Ada"},
                                    {"pos", Dictionary{{"x", Dictionary{{"deep", 5}}}}}}));
    v["name"] = v["pos"]["x"];
    EXPECT_EQ(v["name"]["deep"], 5);
    v["again"]["and"] = v["name"];  // making "again" moves the pairs
    EXPECT_EQ(v["again"]["and"]["deep"], 5);
    v["list"] = Array{1, 2};
    v["list"][1] = 3;
    EXPECT_EQ(v["list"], Array({1, 3}));
    Variant held = game();
    held["nothing"]["now"] = 1;
    EXPECT_EQ(held["nothing"]["now"], 1);
    held[5] = "six";
    EXPECT_EQ(held[5], "six");
    auto set = held["players"][0]["new"].set(8);
    ASSERT_TRUE(set);
    set->get() = 9;
    EXPECT_EQ(held["players"][0]["new"], 9);
    auto deep = held["made"]["of"]["steps"].set(1);
    ASSERT_TRUE(deep);
    deep->get() = 2;
    EXPECT_EQ(held["made"]["of"]["steps"], 2);
}

TEST(Step, AssigningElsewhereIsRefusedAndChangesNothing) {
    Variant v = game();
    const Variant before = v;
    const auto refused = [](auto&& step) {
        auto done = std::move(step).set(1);
        return done ? std::string("done") : to_string(done.error());
    };
    EXPECT_EQ(refused(v["players"][2]), "error[index_out_of_range]: no element 2: there are 2");
    EXPECT_EQ(refused(v["players"][-1]["x"]),
              "error[index_out_of_range]: no element -1: there are 2");
    EXPECT_EQ(refused(v["players"]["hp"]),
              R"(error[wrong_type]: expected an Object or a Dictionary for "hp", found an Array)");
    EXPECT_EQ(refused(v["version"]["x"]["y"]),
              R"(error[wrong_type]: expected an Object or a Dictionary for "x", found an int)");
    const std::string of_null =
        "error[wrong_type]: null takes text keys alone: an assignment makes a Dictionary of it";
    EXPECT_EQ(refused(v[6]), "error[missing_key]: no key 6: an assignment creates text keys alone");
    EXPECT_EQ(to_string(v[6].error()), "error[missing_key]: no key 6");
    EXPECT_EQ(
        refused(v[Variant(Vector2{1, 2})]),
        "error[missing_key]: no such key: an assignment creates text keys alone (Dictionary)");
    EXPECT_EQ(refused(v["nothing"][0]), of_null);
    EXPECT_EQ(refused(v["new"][0]["x"]), of_null);
    EXPECT_EQ(to_string(v["nothing"][0].error()),
              "error[wrong_type]: expected a Dictionary or an Array, found null");
    EXPECT_THROW(v[6] = 6, std::out_of_range);
    EXPECT_THROW(v["players"][2] = 1, std::out_of_range);
    EXPECT_THROW(v["version"]["x"] = v["players"], std::out_of_range);
    EXPECT_THROW(v["fresh"] = v["lost"], std::out_of_range);
    EXPECT_TRUE(identical(v, before));
    Variant object = Object("Node");
    object.get_if<Object>()->set("hp", 1);
    object["hp"] = 2;
    EXPECT_EQ(object["hp"], 2);
    EXPECT_THROW(object["mp"] = 2, std::out_of_range);
}

TEST(Step, ExceptionSaysWhy) {
    Variant v = game();
    try {
        v["players"][2]["hp"] = 3;
        FAIL();
    } catch (const std::out_of_range& e) {
        EXPECT_STREQ(e.what(), "error[index_out_of_range]: no element 2: there are 2");
    }
}

TEST(Step, BesideIt) {
    Variant v = game();
    const Variant& c = v;
    EXPECT_EQ(v.at("version")->get(), 3);
    v.at("version")->get() = 4;
    EXPECT_EQ(c.at("version")->get(), 4);
    EXPECT_EQ(v.at("x").error().code, Errc::missing_key);
    EXPECT_EQ(c.at(0).error().code, Errc::missing_key);
    EXPECT_EQ(v["players"]->at(2).error().code, Errc::index_out_of_range);
    EXPECT_EQ(v.at("players")->get().at(1)->get(), 7);
    EXPECT_TRUE(v.contains("players"));
    EXPECT_FALSE(v.contains("player"));
    EXPECT_TRUE(v.contains(5));
    EXPECT_FALSE(Variant(3).contains("x"));
    EXPECT_EQ(c.find("nobody"), nullptr);
    *v.find("version") = 5;
    EXPECT_EQ(*c.find("version"), 5);
}

TEST(Step, OfDictionaries) {
    Dictionary d{{"a", 1}};
    const Dictionary& c = d;
    EXPECT_FALSE(d["b"]);
    EXPECT_FALSE(c["b"]["c"]);
    EXPECT_EQ(d.size(), 1u);
    EXPECT_EQ(c["a"].get<int>().value(), 1);
    d["a"] = 2;
    d[Vector2i{1, 2}] = "tile";
    d[7] = "seven";
    d[StringName("name")]["inner"] = true;
    EXPECT_EQ((c[Vector2i{1, 2}]), "tile");
    EXPECT_EQ(c[7], "seven");
    EXPECT_EQ((d.end() - 1)->key.type(), Type::string_name);
    EXPECT_EQ(c["name"]["inner"], true);
    EXPECT_EQ(says(c["x"]["y"]), R"(error[missing_key]: no key "x")");
}

TEST(Dictionary, KeysAreConstThroughIteration) {
    using Pairs = std::ranges::range_reference_t<Dictionary&>;
    static_assert(std::is_same_v<decltype(std::declval<Pairs>().key), const Variant>);
    static_assert(!std::is_assignable_v<Pairs, Dictionary::Pair>);
    static_assert(!std::is_swappable_v<Dictionary::Pair>);
    static_assert(!std::sortable<std::ranges::iterator_t<Dictionary>>);
    static_assert(!std::permutable<std::ranges::iterator_t<Dictionary>>);
    static_assert(std::ranges::contiguous_range<Dictionary>);
    static_assert(std::ranges::contiguous_range<const Dictionary>);
    Dictionary d;
    for (int i = 0; i < 40; ++i)
        d.append("key_" + std::to_string(i), i);
    for (auto& [key, value] : d)
        value = Variant(value.integer() * 2);
    std::int64_t sum = 0;
    for (const auto& [key, value] : d)
        sum += value.integer();
    EXPECT_EQ(sum, 40 * 39);
    EXPECT_EQ(
        std::ranges::count_if(d, [](const auto& pair) { return pair.key.text().size() == 5; }), 10);
    for (int i = 0; i < 40; ++i)
        EXPECT_EQ(d["key_" + std::to_string(i)], 2 * i);
}

TEST(Dictionary, RenamingKeepsPlaceAndIndex) {
    Dictionary d;
    for (int i = 0; i < 40; ++i)
        d.append("key_" + std::to_string(i), i);
    EXPECT_TRUE(d.contains("key_7"));  // makes the index
    EXPECT_TRUE(d.rename("key_7", "a much longer name than it had"));
    EXPECT_FALSE(d.contains("key_7"));
    EXPECT_EQ(d["a much longer name than it had"], 7);
    EXPECT_EQ(d.begin()[7].key, "a much longer name than it had");
    EXPECT_FALSE(d.rename("key_7", "x"));
    EXPECT_FALSE(d.rename("key_8", "key_9"));
    EXPECT_EQ(d["key_8"], 8);
    EXPECT_TRUE(d.rename("key_8", StringName("key_8")));
    EXPECT_EQ(d.begin()[8].key.type(), Type::string_name);
    EXPECT_TRUE(d.rename(d.begin()[9].key, 99));
    EXPECT_EQ(d[99], 9);
    for (int i = 10; i < 40; ++i)
        EXPECT_EQ(d["key_" + std::to_string(i)], i);
    const Dictionary decoded = *decode(as_bytes(*encode(d)))->get_if<Dictionary>();
    Dictionary copy = decoded;
    EXPECT_TRUE(copy.rename("key_11", "another name, on the heap now"));
    EXPECT_EQ(copy["another name, on the heap now"], 11);
    EXPECT_TRUE(decoded.contains("key_11"));
}

TEST(Dictionary, SortingKeepsTheIndex) {
    Dictionary d;
    for (int i = 0; i < 60; ++i)
        d.append("key_" + std::to_string((i * 37) % 60), i);
    EXPECT_EQ(d["key_0"], 0);
    d.sort_keys();
    EXPECT_TRUE(std::ranges::is_sorted(d, {}, [](const auto& pair) { return pair.key.text(); }));
    for (int i = 0; i < 60; ++i)
        EXPECT_EQ(d["key_" + std::to_string((i * 37) % 60)], i);
    d.sort([](const auto& a, const auto& b) { return a.value.integer() > b.value.integer(); });
    EXPECT_EQ(d.begin()->value, 59);
    for (int i = 0; i < 60; ++i)
        EXPECT_EQ(d["key_" + std::to_string((i * 37) % 60)], i);
    Dictionary().sort_keys();
}

TEST(Dictionary, SortsKeysOfAllTypes) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Dictionary d;
    for (const Variant& key : {Variant(Vector2i{2, 1}), Variant("b"), Variant(nan),
                               Variant(StringName("a")), Variant(2.5), Variant(7), Variant(true),
                               Variant("a"), Variant(-1), Variant(Vector2i{1, 1}), Variant()})
        d.append(key, 0);
    d.sort_keys();
    std::vector<Variant> keys;
    for (const auto& [key, value] : d)
        keys.push_back(key);
    const Variant wanted = Array{
        nullptr, true, -1, 7, 2.5, nan, StringName("a"), "a", "b", Vector2i{2, 1}, Vector2i{1, 1}};
    EXPECT_TRUE(identical(Variant(keys), wanted));
}

TEST(Dictionary, RenameKeepsTheIndex) {
    Variant held = Dictionary();
    Dictionary& d = *held.get_if<Dictionary>();
    const int n = 300;
    for (int i = 0; i < n; ++i)
        d.append(i % 3 ? Variant("key " + std::to_string(i)) : Variant(Array{i, "x"}), i);
    ASSERT_TRUE(d.contains("key 1"));
    const auto* block = static_cast<const detail::DictionaryBlock*>(VariantAccess::block(held));
    const detail::Index* const index = block->index;
    ASSERT_TRUE(index);
    std::vector<int> order;
    for (int i = 0; i < n; ++i)
        order.push_back(i * 7919 % n);
    const auto old_key = [](int i) {
        return i % 3 ? Variant("key " + std::to_string(i)) : Variant(Array{i, "x"});
    };
    const auto new_key = [](int i) {
        return i % 2 ? Variant(StringName("new " + std::to_string(i))) : Variant(-i - 1);
    };
    for (const int i : order) {
        ASSERT_FALSE(d.rename(old_key(i), d.begin()[(i + 1) % n].key)) << i;
        ASSERT_TRUE(d.rename(old_key(i), new_key(i))) << i;
        ASSERT_FALSE(d.contains(old_key(i))) << i;
        ASSERT_EQ(d.find(new_key(i)), &d.begin()[i].value) << i;
        ASSERT_EQ(block->index, index) << i;
    }
    for (int i = 0; i < n; ++i)
        ASSERT_EQ(d.find(new_key(i)), &d.begin()[i].value) << i;
    // The same key in another form: it stays where it is.
    ASSERT_TRUE(d.rename("new 1", "new 1"));
    EXPECT_TRUE(d.begin()[1].key.is(Type::string));
    EXPECT_EQ(d.find("new 1"), &d.begin()[1].value);
    d.append("after", 1);
    EXPECT_EQ(d.find("after"), &d.begin()[n].value);
    EXPECT_EQ(block->index->used, static_cast<std::uint32_t>(n) + 1);
}

TEST(Dictionary, RenameUncoversTheEarlierOfEqualKeys) {
    for (const int others : {0, 100}) {
        Dictionary d;
        for (int i = 0; i < others; ++i)
            d.append(i, i);
        for (int i = 0; i < 40; ++i)
            d.append("a", i);
        for (int i = 39; i >= 0; --i) {
            ASSERT_EQ(*d.find("a"), i) << others;
            ASSERT_TRUE(d.rename("a", "b" + std::to_string(i)));
            ASSERT_EQ(*d.find("b" + std::to_string(i)), i) << others;
        }
        EXPECT_FALSE(d.contains("a"));
        EXPECT_EQ(d.size(), static_cast<std::size_t>(others) + 40);
        for (int i = 0; i < others; ++i)
            ASSERT_EQ(*d.find(i), i);
    }
}

TEST(Dictionary, RenamingAllKeysIsLinear) {
    Dictionary d;
    const int n = 200'000;
    d.append("twice", 0);
    d.append("twice", 0);
    for (int i = 0; i < n; ++i)
        d.append(i, i);
    // Some 60 ms; minutes with a new index for each.
    for (int i = 0; i < n; ++i)
        ASSERT_TRUE(d.rename(i, n + i));
    EXPECT_EQ(*d.find(n + n / 2), n / 2);
}

/// Questions that any value answers.
template <class T>
concept Readable = requires(const T& v) {
    { v.type() } -> std::same_as<Type>;
    { v.is(Type::nil) } -> std::same_as<bool>;
    { v.is_nil() } -> std::same_as<bool>;
    { v.wide() } -> std::same_as<bool>;
    { v.size() } -> std::same_as<std::size_t>;
    { v.boolean() } -> std::same_as<bool>;
    { v.integer() } -> std::same_as<std::int64_t>;
    { v.real() } -> std::same_as<double>;
    { v.text() } -> std::same_as<std::string_view>;
    { v.math() } -> std::same_as<MathView>;
    { v.packed() } -> std::same_as<PackedView>;
    { v.template get<int>() } -> std::same_as<std::expected<int, Error>>;
    { v.get_or(1) } -> std::same_as<int>;
    v["key"];
    v[3];
};
/// And of one that is kept in a Variant.
template <class T>
concept Kept = Readable<T> && requires(const T& v, int (&f)(const Variant&)) {
    { v.template holds<Array>() } -> std::same_as<bool>;
    v.template get_if<Array>();
    v.at("key").has_value();
    v.find("key");
    { v.contains("key") } -> std::same_as<bool>;
    v.lookup("$.key").has_value();
    {
        v.visit([](const auto&) { return 1; })
    } -> std::same_as<int>;
    { v == Variant() } -> std::same_as<bool>;
};
static_assert(Readable<View> && Kept<Variant> && Kept<ConstVariantStep> && Kept<VariantStep>);

TEST(Step, ReadsWhatAVariantReads) {
    Variant v = Dictionary{{"flag", true},
                           {"n", 5},
                           {"x", 2.5},
                           {"text", "abc"},
                           {"wide", Vector3d{1, 2, 3}},
                           {"bytes", PackedByteArray{1, 2}},
                           {"inner", Dictionary{{"list", Array{1, "two"}}}}};
    const Variant& c = v;
    const auto reads = [](const auto& from) {
        EXPECT_TRUE(from["flag"].boolean());
        EXPECT_EQ(from["n"].integer(), 5);
        EXPECT_EQ(from["x"].real(), 2.5);
        EXPECT_EQ(from["text"].text(), "abc");
        EXPECT_TRUE(from["wide"].wide());
        EXPECT_EQ(from["wide"].math().real(2), 3.0);
        EXPECT_EQ(from["bytes"].packed().count, 2u);
        EXPECT_EQ(from["inner"].at("list")->get().size(), 2u);
        EXPECT_EQ(from["inner"].find("list")->size(), 2u);
        EXPECT_TRUE(from["inner"].contains("list"));
        EXPECT_EQ(from["inner"].lookup("list[1]")->get(), "two");
        EXPECT_EQ(from["inner"].visit([](const auto& held) { return sizeof held; }),
                  sizeof(Dictionary));
        // Lost: nothing, and the first step that failed.
        EXPECT_FALSE(from["none"]["flag"].boolean());
        EXPECT_EQ(from["none"].integer(), 0);
        EXPECT_EQ(from["none"].real(), 0.0);
        EXPECT_EQ(from["none"].text(), "");
        EXPECT_EQ(from["none"].packed().count, 0u);
        EXPECT_FALSE(from["none"].wide());
        EXPECT_EQ(from["none"].find("list"), nullptr);
        EXPECT_FALSE(from["none"].contains("list"));
        EXPECT_EQ(to_string(from["none"]["a"].at("list").error()),
                  "error[missing_key]: no key \"none\"");
        EXPECT_EQ(to_string(from["none"].lookup("a").error()),
                  "error[missing_key]: no key \"none\"");
        EXPECT_THROW((void)from["none"].visit([](const auto&) { return 0; }), std::out_of_range);
    };
    reads(c);
    reads(v);
    v["inner"].at("list")->get() = 1;
    EXPECT_EQ(v["inner"]["list"].integer(), 1);
}

TEST(Variant, Visit) {
    const auto name = [](const Variant& v) {
        return v.visit([](const auto& held) -> std::string {
            using T = std::remove_cvref_t<decltype(held)>;
            if constexpr (std::same_as<T, std::nullptr_t>)
                return "null";
            else if constexpr (std::same_as<T, std::int64_t>)
                return "int " + std::to_string(held);
            else if constexpr (std::same_as<T, Vector3d>)
                return "wide";
            else if constexpr (requires { held.size(); })
                return "of size " + std::to_string(held.size());
            else
                return "other";
        });
    };
    EXPECT_EQ(name({}), "null");
    EXPECT_EQ(name(5), "int 5");
    EXPECT_EQ(name("abc"), "of size 3");
    EXPECT_EQ(name(Vector3d{}), "wide");
    EXPECT_EQ(name(Vector3{}), "other");
    EXPECT_EQ(name(Array{1, 2}), "of size 2");
    EXPECT_EQ(name(PackedInt32Array{1, 2, 3}), "of size 3");
}

}  // namespace
}  // namespace gdvar::test
