// All values at a path changed at once: as one by one, and nothing else.
#include <gtest/gtest.h>

#include "gdvar/gdvar.hpp"
#include "support.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

Path path_of(std::string_view text) {
    return Path::parse(text).value();
}
std::expected<EditedAll, SetRefusal> set_in(const Variant& value, std::string_view path,
                                            const Variant& put, const SetAllRules& rules = {}) {
    return set_all(as_bytes(packed(value)), path_of(path), put, rules, reading_all());
}
std::expected<EditedAll, SetRefusal> erase_in(const Variant& value, std::string_view path) {
    return erase_all(as_bytes(packed(value)), path_of(path), reading_all());
}
Variant value_of(const EditedAll& edited) {
    return decode(as_bytes(edited.packet), reading_all()).value();
}

/// The value at a path after the edit.
Variant at(const EditedAll& edited, std::string_view path) {
    const Variant whole = value_of(edited);
    return whole.lookup(path).value().get();
}

/// Whether `path` is that of a value inside the one at `outer`.
bool is_inside(std::string_view path, std::string_view outer) {
    return path.size() > outer.size() && path.starts_with(outer) &&
           (path[outer.size()] == '.' || path[outer.size()] == '[');
}

/// The paths of the matches that are not inside of another one.
std::vector<std::string> outermost(ByteView packet, const Path& path) {
    const Document document = Document::parse(packet, reading_all()).value();
    std::vector<std::string> out;
    for (const Match& match : lookup_all(document.root(), path).value_or(std::vector<Match>()))
        if (out.empty() || !is_inside(match.path, out.back()))
            out.push_back(match.path);
    return out;
}

/// Whether every path leads to the value that it came from: of equal keys the last one counts.
bool all_lead_back(ByteView packet, const Path& path) {
    const Document document = Document::parse(packet, reading_all()).value();
    bool all = true;
    (void)lookup_each(document.root(), path, [&](const MatchView& match) {
        const auto found = lookup(document.root(), match.path);
        all = found && (match.value.part() || found->offset() == match.value.offset());
        return all;
    });
    return all;
}

/// `all`: what a function made that changes all matches at once. `one`: the packet after the same
/// changes one by one, of which `refused` was the first to be refused.
void expect_same(const std::expected<EditedAll, SetRefusal>& all, const Path& path,
                 std::optional<Errc> refused, const PackedByteArray& one, std::size_t places) {
    if (refused) {
        ASSERT_FALSE(all) << path.to_string();
        EXPECT_EQ(all.error().error.code, *refused) << path.to_string();
        return;
    }
    ASSERT_TRUE(all) << path.to_string() << " " << all.error().at << " " << all.error().what;
    EXPECT_EQ(all->changed, places);
    EXPECT_TRUE(all->packet == one) << path.to_string();
}

constexpr std::string_view selectors[] = {"$[*]",    "$..[*]",  "$..[0]",   "$[::2]",   "$[1:]",
                                          "$[*][*]", "$..[-1]", "$..[1:3]", "$[*]..[0]"};

TEST(EditAll, SetsAsOneByOne) {
    Random random(71);
    std::size_t edits = 0, values = 0, refusals = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto packet = encode(any_value(random, 4), writing_all);
        if (!packet)
            continue;
        const Path path = path_of(selectors[below(random, std::size(selectors))]);
        if (!all_lead_back(as_bytes(*packet), path))
            continue;
        const Variant put = any_leaf(random);
        if (!encode(put, writing_all))
            continue;
        SetAllRules rules;
        rules.type = put.type();
        const auto all = set_all(as_bytes(*packet), path, put, rules, reading_all());
        // One by one.
        std::optional<Errc> refused;
        PackedByteArray one = *packet;
        const auto places = outermost(as_bytes(*packet), path);
        for (const std::string& at : places) {
            const Document document = Document::parse(as_bytes(one), reading_all()).value();
            const auto plan = plan_set(document.root(), at, put, rules);
            auto changed = plan ? set_value(as_bytes(one), at, plan->value, reading_all())
                                : std::unexpected(plan.error().error);
            if (!changed) {
                refused = changed.error().code;
                break;
            }
            one = *std::move(changed);
        }
        ASSERT_NO_FATAL_FAILURE(expect_same(all, path, refused, one, places.size()));
        if (refused) {
            ++refusals;
            continue;
        }
        edits += !places.empty();
        values += places.size();
    }
    EXPECT_GT(edits, 100u);
    EXPECT_GT(values, edits + 200);
    EXPECT_GT(refusals, 100u);
}

TEST(EditAll, ErasesAsOneByOneFromTheEnd) {
    Random random(72);
    std::size_t edits = 0, refusals = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto packet = encode(any_value(random, 4), writing_all);
        if (!packet)
            continue;
        const Path path = path_of(selectors[below(random, std::size(selectors))]);
        if (!all_lead_back(as_bytes(*packet), path))
            continue;
        const auto all = erase_all(as_bytes(*packet), path, reading_all());
        const auto places = outermost(as_bytes(*packet), path);
        std::optional<Errc> refused;
        PackedByteArray one = *packet;
        for (auto at = places.rbegin(); at != places.rend() && !refused; ++at) {
            auto changed = erase_value(as_bytes(one), *at, reading_all());
            if (changed)
                one = *std::move(changed);
            else
                refused = changed.error().code;
        }
        ASSERT_NO_FATAL_FAILURE(expect_same(all, path, refused, one, places.size()));
        if (refused) {
            ++refusals;
            continue;
        }
        edits += !places.empty();
    }
    EXPECT_GT(edits, 300u);
    EXPECT_GT(refusals, 50u);
}

TEST(EditAll, AMatchInsideAnotherGoesWithIt) {
    const Variant value = Dictionary{{"x", Dictionary{{"x", 1}, {"y", Dictionary{{"x", 2}}}}},
                                     {"z", Array{Dictionary{{"x", 3}}}}};
    const auto erased = erase_in(value, "$..x");
    ASSERT_TRUE(erased);
    EXPECT_TRUE(identical(value_of(*erased), Dictionary{{"z", Array{Dictionary{}}}}));
    EXPECT_EQ(erased->changed, 2u);
    EXPECT_EQ(erased->inside, 2u);
    const auto set = set_in(value, "$..x", "new", {{.type = Type::string}});
    ASSERT_TRUE(set);
    EXPECT_TRUE(identical(value_of(*set),
                          Dictionary{{"x", "new"}, {"z", Array{Dictionary{{"x", "new"}}}}}));
    EXPECT_EQ(set->changed, 2u);
    EXPECT_EQ(set->inside, 2u);
}

TEST(EditAll, PartsOfOneValueStayApart) {
    // `..x.x.y` leads to column x of the Basis by one way and to y of column x by another; in the
    // other one, to two numbers that are not inside of each other.
    const Variant value = Dictionary{{"x", Dictionary{{"x", Basis{}}}}};
    const auto set = set_in(value, "$..x.x.y.z", 5.0);
    ASSERT_TRUE(set) << set.error().what;
    EXPECT_EQ(set->changed, 1u);
    const auto both = set_in(value, "$..x.x.y", 5.0);
    ASSERT_FALSE(both);  // a column is no number
    EXPECT_EQ(both.error().at, "$.x.x.y");
    const Variant deeper = Dictionary{{"x", Dictionary{{"x", Transform3D{}}}}};
    const auto column = set_in(deeper, "$..x.x.basis.x", Vector3{1, 2, 3});
    ASSERT_TRUE(column) << column.error().what;
    EXPECT_EQ(column->changed, 1u);
    const auto alone = set_value(as_bytes(packed(deeper)), "$.x.x.basis.x", Vector3{1, 2, 3});
    EXPECT_TRUE(column->packet == *alone);
}

TEST(EditAll, ChangesPartsAndElements) {
    const Variant value = Dictionary{{"points", PackedVector2Array{{1, 2}, {3, 4}, {5, 6}}},
                                     {"names", PackedStringArray{"a", "b", "c", "d"}},
                                     {"list", Array{Vector3{1, 2, 3}, Vector3{4, 5, 6}}}};
    auto set = set_in(value, "$.points[*].x", 9);
    ASSERT_TRUE(set);
    EXPECT_TRUE(identical(at(*set, "$.points"), PackedVector2Array{{9, 2}, {9, 4}, {9, 6}}));
    set = set_in(value, "$.points[1:]", Vector2{0, 0});
    ASSERT_TRUE(set);
    EXPECT_TRUE(identical(at(*set, "$.points"), PackedVector2Array{{1, 2}, {0, 0}, {0, 0}}));
    set = set_in(value, "$.list[*].y", 16777217);
    ASSERT_TRUE(set);
    EXPECT_EQ(set->rounded, 2u);
    EXPECT_EQ(set->rounded_at, "$.list[0].y");
    EXPECT_TRUE(
        identical(at(*set, "$.list"), Array{Vector3{1, 16777216, 3}, Vector3{4, 16777216, 6}}));
    set = set_in(value, "$.names[::2]", "longer than before");
    ASSERT_TRUE(set);
    EXPECT_TRUE(identical(at(*set, "$.names"),
                          PackedStringArray{"longer than before", "b", "longer than before", "d"}));
    auto erased = erase_in(value, "$.names[1:3]");
    ASSERT_TRUE(erased);
    EXPECT_EQ(erased->changed, 2u);
    EXPECT_TRUE(identical(at(*erased, "$.names"), PackedStringArray{"a", "d"}));
    erased = erase_in(value, "$.points[*]");
    ASSERT_FALSE(erased);
    EXPECT_EQ(erased.error().error.code, Errc::misplaced);
    EXPECT_EQ(erased.error().at, "$.points[0]");
}

TEST(EditAll, IsAllOrNothing) {
    Array ints;
    ints.set_element_type(ContainerType{.kind = ContainerKind::builtin, .type = Type::integer});
    ints.push_back(1);
    const Variant value = Array{1, 2, "three", Array{4}};
    const auto set = set_in(value, "$[*]", 5);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().at, "$[2]");
    EXPECT_EQ(set.error().needs, SetNeeds::type);
    const auto typed = set_in(Array{Array{1.5}, ints}, "$[*][*]", "text", {{.type = Type::string}});
    ASSERT_FALSE(typed);
    EXPECT_EQ(typed.error().at, "$[1][0]");
    EXPECT_EQ(typed.error().error.code, Errc::wrong_type);
    EXPECT_EQ(set_in(value, "$", 5).error().at, "$");
    EXPECT_EQ(erase_in(value, "$").error().error.code, Errc::misplaced);
}

TEST(EditAll, AsksOnceAboutEachDifferentValue) {
    std::vector<std::pair<std::string, Type>> asked;
    SetAllRules rules;
    rules.accept = [&](std::string_view path, const Variant& put) {
        asked.emplace_back(path, put.type());
        return true;
    };
    const Variant value = Array{1, 2.5, 3, 4.5, Array{5, 6.5}};
    ASSERT_TRUE(set_in(value, "$[:4]", 7, rules));
    using Asked = std::vector<std::pair<std::string, Type>>;
    EXPECT_EQ(asked, (Asked{{"$[0]", Type::integer}, {"$[1]", Type::real}}));
    rules.accept = [](std::string_view, const Variant& put) { return put.is(Type::integer); };
    const auto set = set_in(value, "$[:4]", 7, rules);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().at, "$[1]");
    EXPECT_EQ(set.error().error.code, Errc::misplaced);
}

TEST(EditAll, KeepsToItsLimit) {
    const Variant value = Array{"a", "b", "c"};
    const Variant put = std::string(1000, 'x');
    EXPECT_TRUE(set_in(value, "$[*]", put));
    SetAllRules rules;
    rules.max_bytes = 2500;
    const auto set = set_in(value, "$[*]", put, rules);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().error.code, Errc::size_limit);
    EXPECT_EQ(set.error().at, "$[2]");
}

TEST(EditAll, ChangesNothingWhereNothingMatches) {
    const Variant value = Dictionary{{"a", 1}};
    for (const char* path : {"$..zz", "$.zz", "$.a[*]", "$.a.b"}) {
        const auto set = set_in(value, path, 5);
        ASSERT_TRUE(set) << path;
        EXPECT_EQ(set->changed, 0u);
        EXPECT_TRUE(set->packet == packed(value));
        const auto erased = erase_in(value, path);
        ASSERT_TRUE(erased) << path;
        EXPECT_EQ(erased->changed, 0u);
        EXPECT_TRUE(erased->packet == packed(value));
    }
}

TEST(EditAll, RemovesPropertiesWithTheirNames) {
    Object node("Node"), rest("Node");
    for (const char* name : {"a", "name", "longer_name", "hp"})
        node.append(name, Array{1, 2});
    const auto erased = erase_in(Array{node, node}, "$[*].hp");
    ASSERT_TRUE(erased);
    EXPECT_EQ(erased->changed, 2u);
    for (const char* name : {"a", "name", "longer_name"})
        rest.append(name, Array{1, 2});
    EXPECT_TRUE(identical(value_of(*erased), Array{rest, rest}));
    const auto none = erase_in(Array{node}, "$[*][*]");
    ASSERT_TRUE(none);
    EXPECT_TRUE(identical(value_of(*none), Array{Object("Node")}));
}

TEST(EditAll, RemovesEachOfEqualKeys) {
    Dictionary pairs;
    pairs.append("a", 1);
    pairs.append("b", 2);
    pairs.append("a", 3);
    const auto erased = erase_in(Variant(pairs), "$[*]");
    ASSERT_TRUE(erased);
    EXPECT_EQ(erased->changed, 3u);
    EXPECT_TRUE(identical(value_of(*erased), Dictionary{}));
    // By name, the last one counts, as everywhere; the earlier one does not come to light.
    const auto last = erase_in(Array{Variant(pairs), Variant(pairs)}, "$[*].a");
    ASSERT_TRUE(last);
    EXPECT_EQ(last->changed, 2u);
    EXPECT_EQ(last->earlier, 2u);
    EXPECT_TRUE(identical(value_of(*last), Array{Dictionary{{"b", 2}}, Dictionary{{"b", 2}}}));
}

// A change inside of an earlier pair goes with it, whatever came between.
TEST(EditAll, RemovesEarlierPairsWithWhatIsInThem) {
    Dictionary inner{{"hp", 1}, {"mp", 2}};
    Dictionary pairs;
    pairs.append("hp", Array{Variant(inner), 5});
    pairs.append("b", inner);
    pairs.append(StringName("hp"), inner);
    pairs.append("c", inner);
    const auto erased = erase_in(Variant(pairs), "$..hp");
    ASSERT_TRUE(erased);
    EXPECT_EQ(erased->earlier, 1u);
    const Dictionary left{{"mp", 2}};
    EXPECT_TRUE(identical(value_of(*erased), Dictionary{{"b", left}, {"c", left}}));
    Object node("Node");
    node.append("hp", 1);
    node.append("mp", 2);
    node.append("hp", 3);
    const auto property = erase_in(Array{node, node}, "$[*].hp");
    ASSERT_TRUE(property);
    Object rest("Node");
    rest.append("mp", 2);
    EXPECT_TRUE(identical(value_of(*property), Array{rest, rest}));
}

// As many steps for each pair, however many have the same key.
TEST(EditAll, RemovesManyOfOneKey) {
    Dictionary pairs;
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i)
        pairs.append(i % 2 ? "a" : "b", i);
    const auto all = erase_in(Variant(pairs), "$[*]");
    ASSERT_TRUE(all);
    EXPECT_EQ(all->changed, std::size_t{count});
    EXPECT_TRUE(identical(value_of(*all), Dictionary{}));
    const auto some = erase_in(Variant(Array{pairs, pairs}), "$[*].a");
    ASSERT_TRUE(some);
    EXPECT_EQ(some->changed + some->earlier, std::size_t{count});
}

}  // namespace
}  // namespace gdvar::test
