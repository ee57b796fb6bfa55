// The values that fit a place, their types, and the messages on mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/nearest.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar {
namespace {

using namespace inspect;

Variant value_of(std::string_view text) {
    auto value = parse_text_full(text, {.strict_numbers = true, .whole = true});
    EXPECT_TRUE(value) << text << ": " << (value ? "" : to_string(value.error()));
    return value ? *std::move(value) : Variant();
}

const Document& save() {
    static const Document document = [] {
        auto packet = encode(value_of(
            R"({"speed": 1.5, "hp": 7, "name": "Ada", "id": &"hero", "at": NodePath("a/b"), "pos": Vector3(1, 2, 3),
                "cell": Vector2i(4, 5), "far": Vector3d(1, 2, 3), "list": [1, "two"], "ints": Array[int]([1, 2]),
                "floats": Array[float]([1.0]), "map": Dictionary[String, int]({"a": 1}), "empty": [],
                "bytes": PackedByteArray(1, 2), "nothing": null, "on": true, "players": [{"hp": 1}, {"hp": 2}]})"));
        return *Document::parse(*std::move(packet));
    }();
    return document;
}

/// The planned value as text; or "needs: words".
std::string set(const View& root, std::string_view path, std::string_view text,
                const SetRules& rules = {}) {
    auto plan = plan_set(root, path, value_of(text), rules);
    if (!plan) {
        constexpr const char* needs[] = {"value", "create", "type", "append", "path"};
        return std::string(needs[static_cast<int>(plan.error().needs)]) + ": " + plan.error().at +
               ": " + plan.error().what;
    }
    auto made = set_value(root.raw(), path, plan->value, root.options());
    if (!made)
        return "set_value: " + to_string(made.error());
    const std::string changed = std::string(path).ends_with("[+]")
                                    ? std::string(path, 0, path.size() - 3) + "[-1]"
                                    : std::string(path);
    const auto document = Document::parse(as_bytes(*made));
    return document ? *to_text_full(*lookup(document->root(), changed))
                    : to_string(document.error());
}
std::string set(std::string_view path, std::string_view text, const SetRules& rules = {}) {
    return set(save().root(), path, text, rules);
}

TEST(EditPlan, ALiteralThatFitsTakesTheTypeThatIsThere) {
    EXPECT_EQ(set("$.speed", "5"), "5.0");
    EXPECT_EQ(set("$.hp", "8"), "8");
    EXPECT_EQ(set("$.hp", "8.0"), "8");
    EXPECT_EQ(set("$.id", "\"other\""), "&\"other\"");
    EXPECT_EQ(set("$.name", "&\"Bob\""), "\"Bob\"");
    EXPECT_EQ(set("$.at", "\"c/d:e\""), "NodePath(\"c/d:e\")");
    EXPECT_EQ(set("$.cell", "Vector2(1, 2)"), "Vector2i(1, 2)");
    EXPECT_EQ(set("$.pos", "Vector3i(1, 2, 3)"), "Vector3(1, 2, 3)");
    EXPECT_EQ(set("$.far", "Vector3(4, 5, 6.5)"), "Vector3d(4, 5, 6.5)");
    EXPECT_EQ(set("$.ints", "[3, 4.0]"), "Array[int]([3, 4])");
    EXPECT_EQ(set("$.floats", "[3]"), "Array[float]([3.0])");
    EXPECT_EQ(set("$.map", "{\"b\": 2}"), "Dictionary[String, int]({\"b\": 2})");
    EXPECT_EQ(set("$.pos.x", "5"), "5.0");
    EXPECT_EQ(set("$.bytes[1]", "255"), "255");
    EXPECT_EQ(set("$.players[-1].hp", "9"), "9");
}

TEST(EditPlan, MistakesAreRefusedAndSayWhatTheyNeed) {
    EXPECT_EQ(set("$.speed", "\"fast\""), "type: $.speed: this is a float, the value is a String");
    EXPECT_EQ(set("$.hp", "7.5"), "type: $.hp: this is an int, the value is a float");
    EXPECT_EQ(set("$.pos", "[1, 2, 3]"), "type: $.pos: this is a Vector3, the value is an Array");
    EXPECT_EQ(set("$.cell", "Vector2(1.5, 2)"),
              "type: $.cell: this is a Vector2i, the value is a Vector2");
    EXPECT_EQ(set("$.on", "1"), "type: $.on: this is a bool, the value is an int");
    EXPECT_EQ(set("$.nothing", "1"), "type: $.nothing: this is null, the value is an int");
    EXPECT_EQ(set("$.hpp", "1"), "create: $: no .hpp (did you mean .hp?)");
    EXPECT_EQ(set("$.players[0].HP", "1"), "create: $.players[0]: no .HP (did you mean .hp?)");
    EXPECT_EQ(set("$.qqqqqq", "1"), "create: $: no .qqqqqq");
    EXPECT_EQ(set("$.list[2]", "1"), "append: $.list: no [2]: 2 elements, [0] to [1]");
    EXPECT_EQ(set("$.list[3]", "1"), "path: $.list: no [3]: 2 elements, [0] to [1]");
    EXPECT_EQ(set("$.empty[-1]", "1"), "path: $.empty: no [-1]: it is empty");
    EXPECT_EQ(set("$.playrs[0].hp", "1"), "path: $: no .playrs (did you mean .players?)");
    EXPECT_EQ(set("$.hp.x", "1"), "path: $.hp: an int has no .x");
    EXPECT_EQ(set("$.pos.q", "1").substr(0, 15), "path: $.pos: no");
    EXPECT_EQ(set("$.pos.x", "\"far\""), "value: $.pos.x: this is a float, the value is a String");
    EXPECT_EQ(set("$.ints", "[1, 2.5]"),
              "value: $.ints: this typed Array does not take these elements");
    EXPECT_EQ(set("$.ints[+]", "\"x\""),
              "value: $.ints: this takes only an int, the value is a String");
    EXPECT_EQ(set("$.map.new", "\"x\"", {.create = true}),
              "value: $.map: this takes only an int, the value is a String");
    // A typed container takes no other type, so no rule helps.
    EXPECT_EQ(set("$.ints[0]", "2.5"), "value: $.ints[0]: this is an int, the value is a float");
    EXPECT_EQ(set("$.map.a", "\"x\""), "value: $.map.a: this is an int, the value is a String");
    EXPECT_EQ(set("$.list[0]", "2.5"), "type: $.list[0]: this is an int, the value is a float");
    EXPECT_EQ(set("$", "1").substr(0, 44), "type: $: this is the whole value, a Dictiona");
}

// A record of one number is as any other number.
TEST(EditPlan, LoneValues) {
    const auto in = [](std::string_view whole, std::string_view text) {
        const auto packet = encode(value_of(whole)).value();
        const auto document = Document::parse(as_bytes(packet)).value();
        return set(document.root(), "$", text);
    };
    EXPECT_EQ(in("100.0", "5"), "5.0");
    EXPECT_EQ(in("100.0", "\"x\""), "type: $: this is a float, the value is a String");
    EXPECT_EQ(in("[1]", "[2]").substr(0, 40), "type: $: this is the whole value, an Arr");
}

// A container may hold an element that it does not take. It becomes one of the container's type.
TEST(EditPlan, WhatATypedContainerDoesNotTakeIsMended) {
    Array ints(ContainerType::of(Type::integer));
    ints.push_back(Variant("one"));
    Dictionary pairs(ContainerType::of(Type::string), ContainerType::of(Type::integer));
    pairs.append(Variant(1), Variant("v"));
    const auto packet = encode(Dictionary{{"ints", ints}, {"pairs", pairs}}).value();
    const auto document = Document::parse(as_bytes(packet)).value();
    const auto in = [&](std::string_view path, std::string_view text) {
        return set(document.root(), path, text);
    };
    EXPECT_EQ(in("$.ints[0]", "7"), "7");
    EXPECT_EQ(in("$.pairs[1]", "8"), "8");
    EXPECT_EQ(in("$.ints[0]", "\"x\""),
              "value: $.ints[0]: this takes only an int, the value is a String");
}

TEST(EditPlan, AWordLetsThemPass) {
    EXPECT_EQ(set("$.speed", "\"fast\"", {.type = Type::string}), "\"fast\"");
    EXPECT_EQ(set("$.speed", "5", {.type = Type::integer}), "5");
    EXPECT_EQ(set("$.hp", "5", {.type = Type::real}), "5.0");
    EXPECT_EQ(set("$.name", "\"x\"", {.type = Type::string_name}), "&\"x\"");
    EXPECT_EQ(set("$.hp", "null", {.type = Type::nil}), "null");
    EXPECT_EQ(set("$.hpp", "1", {.create = true}), "1");
    EXPECT_EQ(set("$.hpp", "1", {.create = true, .type = Type::real}), "1.0");
    EXPECT_EQ(set("$", "[1]", {.type = Type::array}), "[1]");
    EXPECT_EQ(set("$.list[+]", "\"any\""), "\"any\"");
    EXPECT_EQ(set("$.floats[+]", "5"), "5.0");
    EXPECT_EQ(set("$.bytes[+]", "5"), "5");
    EXPECT_EQ(set("$.map.new", "2", {.create = true}), "2");
    // The type that is asked for is the one that comes.
    EXPECT_EQ(set("$.speed", "\"fast\"", {.type = Type::integer}),
              "value: $.speed: asked for is an int, the value is a String");
    EXPECT_EQ(set("$.playrs[0].hp", "1", {.create = true}),
              "path: $: no .playrs (did you mean .players?)");
}

TEST(EditPlan, NumbersKeepTheirValue) {
    EXPECT_EQ(in_type(Variant(std::int64_t{1} << 53), Type::real)->real(), 9007199254740992.0);
    EXPECT_FALSE(in_type(Variant((std::int64_t{1} << 53) + 1), Type::real));
    EXPECT_FALSE(in_type(Variant(std::numeric_limits<std::int64_t>::max()), Type::real));
    EXPECT_FALSE(in_type(Variant(9223372036854775808.0), Type::integer));
    EXPECT_EQ(in_type(Variant(-9223372036854775808.0), Type::integer)->integer(),
              std::numeric_limits<std::int64_t>::min());
    EXPECT_FALSE(in_type(Variant(std::nan("")), Type::integer));
    EXPECT_FALSE(in_type(Variant(Vector2d{1e300, 0}), Type::vector2i));
}

TEST(Nearest, FindsWhatWasMeant) {
    const std::string_view names[] = {"show",  "text",     "json",
                                      "stats", "annotate", "--password-file"};
    const auto near = [&](std::string_view word) { return nearest(word, names).value_or("-"); };
    EXPECT_EQ(near("shwo"), "show");
    EXPECT_EQ(near("jsno"), "json");
    EXPECT_EQ(near("stast"), "stats");
    EXPECT_EQ(near("anotate"), "annotate");
    EXPECT_EQ(near("ann"), "annotate");
    EXPECT_EQ(near("--pasword-file"), "--password-file");
    EXPECT_EQ(near("SHOW"), "show");
    EXPECT_EQ(near("x"), "-");
    EXPECT_EQ(near("convert"), "-");
    EXPECT_EQ(near(""), "-");
    EXPECT_EQ(edit_distance("abcd", "abdc", 4), 1u);
    EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3u);
    EXPECT_EQ(edit_distance(std::string(100, 'a'), std::string(100, 'a'), 2), 0u);
}

}  // namespace
}  // namespace gdvar
