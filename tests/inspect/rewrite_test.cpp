// Rewriting of a text: examples, one by one. Laws on generated texts: rewrite_laws_test.
#include "gdvar/inspect/rewrite.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gdvar/text/text.hpp"
#include "support/rewriting.hpp"
#include "support/small_stack.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

const PlainJson plain_json;
const GodotText text_4({.resources = true});
const GodotText text_3({.family = TextFamily::godot_3_6, .resources = true});

const Kind json{&plain_json, &dialects::godot_4_4, std::nullopt};
const Kind four{&text_4, &dialects::godot_4_4, ParseOptions{.resources = true}};
const Kind three{&text_3, &dialects::godot_3_1,
                 ParseOptions{.family = TextFamily::godot_3_6, .resources = true}};

using Change = std::function<void(Variant&)>;

/// The text after the change; the error if it is refused. Checks that the new text has the changed
/// value, and that the text without a change stays.
std::string changed(const Kind& kind, std::string_view text, const Change& change) {
    auto value = kind.read(text);
    if (!value)
        return "no text";
    const auto same = kind.rewritten(text, *value);
    EXPECT_TRUE(same && *same && **same == text) << text;
    change(*value);
    const auto made = kind.rewritten(text, *value);
    if (!made)
        return "no packet";
    if (!*made)
        return to_string(made->error());
    const auto read = kind.read(**made);
    EXPECT_TRUE(read && identical(*read, *value)) << **made;
    return **made;
}

Dictionary& pairs(Variant& value) {
    return *value.get_if<Dictionary>();
}
Array& items(Variant& value) {
    return *value.get_if<Array>();
}
Change assign(const char* key, Variant to) {
    return [key, to](Variant& value) { value[key] = to; };
}
Change erase(const char* key) {
    return [key](Variant& value) { pairs(value).erase(key); };
}
Change insert_at(std::size_t i, Variant made) {
    return [i, made](Variant& value) { items(value).insert(i, made); };
}
Change erase_at(std::size_t i) {
    return [i](Variant& value) { items(value).erase(i); };
}
/// The pairs in the order of their keys, or against it.
Change sorted(bool down = false) {
    return [down](Variant& value) {
        pairs(value).sort([down](const auto& a, const auto& b) {
            return down ? a.key.text() > b.key.text() : a.key.text() < b.key.text();
        });
    };
}

TEST(RewriteJson, OnlyTheValueThatChangesIsTouched) {
    EXPECT_EQ(changed(json, " {\"a\" : 5.0,\"b\":1e3 , \"c\": \"\\u0041\"} ", assign("b", 7)),
              " {\"a\" : 5.0,\"b\":7 , \"c\": \"\\u0041\"} ");
    EXPECT_EQ(changed(json, "{\"a\": [1, {\"b\": 2.50}]}",
                      [](Variant& value) { value["a"][1]["b"] = "é\n"; }),
              "{\"a\": [1, {\"b\": \"é\\n\"}]}");
    EXPECT_EQ(changed(json, "5", [](Variant& value) { value = 6; }), "6");
}

TEST(RewriteJson, FloatsAreFloats) {
    EXPECT_EQ(changed(json, "[1.5]", [](Variant& value) { value[0] = 5.0; }), "[5.0]");
    EXPECT_EQ(changed(json, "[1.5]", [](Variant& value) { value[0] = 1e20; }),
              "[100000000000000000000.0]");
    EXPECT_EQ(changed(json, "[1.5]", [](Variant& value) { value[0] = 1e300; }), "[1e+300]");
    EXPECT_EQ(changed(json, "[1.5]", [](Variant& value) { value[0] = 0.1; }), "[0.1]");
    EXPECT_EQ(changed(json, "[1.5]", [](Variant& value) { value[0] = -0.0; }), "[-0.0]");
    // Engines read -110.75788789847877 as the float beside it.
    EXPECT_EQ(changed(json, "[1.5]", [](Variant& value) { value[0] = -110.75788789847877; }),
              "[-1.10757887898478771e2]");
    const PlainJson old({.whole_with_point = false});
    Outline outline;
    const Packed before(*parse_plain_json("[1.5]", {.outline = &outline})), after(Array{5.0});
    EXPECT_EQ(*rewrite("[1.5]", outline, before.root(), after.root(), old), "[5]");
}

TEST(RewriteJson, NewItemsAreLaidOutAsTheirNeighbours) {
    EXPECT_EQ(changed(json, "{\"a\":1}", assign("b", 2)), "{\"a\":1,\"b\":2}");
    EXPECT_EQ(changed(json, "{\"a\": 1}", assign("b", 2)), "{\"a\": 1,\"b\": 2}");
    EXPECT_EQ(
        changed(json, "{\"a\": 1, \"c\": [1, 2]}", assign("b", Dictionary{{"x", 1}, {"y", 2}})),
        "{\"a\": 1, \"c\": [1, 2], \"b\": {\"x\": 1, \"y\": 2}}");
    EXPECT_EQ(
        changed(json, "{\n\t\"a\": 1\n}\n", assign("b", Array{1, Dictionary{{"x", Array()}}})),
        "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t1,\n\t\t{\n\t\t\t\"x\": []\n\t\t}\n\t]\n}\n");
    EXPECT_EQ(changed(json, "{\r\n  \"a\" : 1,\r\n\r\n  \"c\" : 2\r\n}", assign("b", 2)),
              "{\r\n  \"a\" : 1,\r\n\r\n  \"c\" : 2,\r\n  \"b\" : 2\r\n}");
    EXPECT_EQ(changed(json, "[1, 2]", insert_at(0, 0)), "[0, 1, 2]");
    EXPECT_EQ(changed(json, "[1, 2]", insert_at(1, 0)), "[1, 0, 2]");
    EXPECT_EQ(changed(json, "[ 1,2 ]", insert_at(0, 0)), "[ 0,1,2 ]");
    EXPECT_EQ(changed(json, "[\n  1\n]", insert_at(0, 0)), "[\n  0,\n  1\n]");
    EXPECT_EQ(changed(json, "[1,\n 2]", insert_at(0, 0)), "[0,\n 1,\n 2]");
}

TEST(RewriteJson, EmptyContainersAreFilledAndEmptied) {
    EXPECT_EQ(changed(json, "{}", assign("a", 1)), "{\"a\":1}");
    EXPECT_EQ(changed(json, "{\n  \"a\": {\n  }\n}", [](Variant& v) { v["a"]["b"] = 1; }),
              "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
    EXPECT_EQ(changed(json, "{\n  \"a\": [ ]\n}", [](Variant& v) { v["a"] = Array{1, 2}; }),
              "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
    EXPECT_EQ(changed(json, "{\n  \"a\": 1\n}", erase("a")), "{}");
    EXPECT_EQ(changed(json, "[ 1 ]", erase_at(0)), "[]");
}

TEST(RewriteJson, WhatGoesTakesItsCommaAndItsLine) {
    EXPECT_EQ(changed(json, "[1, 2, 3]", erase_at(0)), "[2, 3]");
    EXPECT_EQ(changed(json, "[1, 2, 3]", erase_at(1)), "[1, 3]");
    EXPECT_EQ(changed(json, "[1, 2, 3]", erase_at(2)), "[1, 2]");
    const char* lines = "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": 1\n  },\n  \"c\": 3\n}";
    EXPECT_EQ(changed(json, lines, erase("a")), "{\n  \"b\": {\n    \"x\": 1\n  },\n  \"c\": 3\n}");
    EXPECT_EQ(changed(json, lines, erase("b")), "{\n  \"a\": 1,\n  \"c\": 3\n}");
    EXPECT_EQ(changed(json, lines, erase("c")), "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": 1\n  }\n}");
    EXPECT_EQ(changed(json, "{ \"a\": 1,\n  \"b\": 2 }", erase("a")), "{\n  \"b\": 2 }");
    EXPECT_EQ(changed(json, "{ \"a\": 1,\n  \"b\": 2 }", erase("b")), "{ \"a\": 1 }");
}

TEST(RewriteJson, PairsChangePlacesAndNames) {
    EXPECT_EQ(changed(json, "{\"c\": 1.0, \"a\": {\"x\": 1e1}, \"b\": []}", sorted()),
              "{\"a\": {\"x\": 1e1}, \"b\": [], \"c\": 1.0}");
    EXPECT_EQ(changed(json, "{\n  \"b\": 1,\n  \"a\": 2\n}", sorted()),
              "{\n  \"a\": 2,\n  \"b\": 1\n}");
    EXPECT_EQ(changed(json, "{\"b\": 1, \"a\": {\"x\" : 1.0, \"y\":2}}",
                      [](Variant& value) {
                          sorted()(value);
                          value["a"]["y"] = 3;
                      }),
              "{\"a\": {\"x\" : 1.0, \"y\":3}, \"b\": 1}");
    EXPECT_EQ(changed(json, "{\"a\" :1.0, \"b\": 2}",
                      [](Variant& value) { pairs(value).rename("a", "z\""); }),
              "{\"z\\\"\" :1.0, \"b\": 2}");
}

TEST(RewriteJson, RepeatedNamesStay) {
    const char* text = "{\"a\": 1, \"b\": 0, \"a\": 2}";
    EXPECT_EQ(changed(json, text, assign("a", 3)), "{\"a\": 1, \"b\": 0, \"a\": 3}");
    EXPECT_EQ(changed(json, text, erase("a")), "{\"a\": 1, \"b\": 0}");
    EXPECT_EQ(changed(json, text, assign("b", 1)), "{\"a\": 1, \"b\": 1, \"a\": 2}");
}

TEST(RewriteJson, WhatJsonCannotSayIsRefused) {
    const std::pair<Variant, const char*> cases[] = {
        {Vector2{1, 2}, "$.a[0].x"},
        {StringName("s"), "$.a[0].x"},
        {NodePath("a"), "$.a[0].x"},
        {PackedByteArray{1}, "$.a[0].x"},
        {Object("Node"), "$.a[0].x"},
        {std::numeric_limits<double>::infinity(), "$.a[0].x"},

        {Array{1, Dictionary{{1, 2}}}, "$.a[0].x[1][1]"},
        {Array(ContainerType::of(Type::integer)), "$.a[0].x"},
    };
    for (const auto& [value, path] : cases) {
        const std::string said =
            changed(json, "{\"a\": [{\"x\": 1}]}", [&](Variant& v) { v["a"][0]["x"] = value; });
        EXPECT_TRUE(said.starts_with(std::string(path) + ": error[")) << said;
        // New ones, too.
        const std::string added =
            changed(json, "{\"a\": [{}]}", [&](Variant& v) { v["a"][0]["x"] = value; });
        EXPECT_TRUE(added.starts_with(std::string(path) + ": error[")) << added;
    }
    EXPECT_EQ(changed(json, "{\"a\": 1}", [](Variant& v) { pairs(v).append(5, 1); }),
              "$[5]: error[not_in_dialect]: names in JSON are Strings (int)");
}

TEST(RewriteText, CommentsStay) {
    const char* text =
        "; head\n{ ; open\n; a's\n\"a\": 1, ; behind a\n; b's\n\"b\" : [1 ; one\n, 2,], ; behind "
        "b\n; end\n} ; tail";
    EXPECT_EQ(changed(four, text, assign("a", 2.5)),
              "; head\n{ ; open\n; a's\n\"a\": 2.5, ; behind a\n; b's\n\"b\" : [1 ; one\n, 2,], ; "
              "behind b\n; end\n} ; tail");
    EXPECT_EQ(changed(four, text, erase("a")),
              "; head\n{ ; open\n; a's\n; b's\n\"b\" : [1 ; one\n, 2,], ; behind b\n; end\n} ; "
              "tail");
    EXPECT_EQ(changed(four, text, erase("b")),
              "; head\n{ ; open\n; a's\n\"a\": 1, ; behind a\n; b's\n; end\n} ; tail");
    EXPECT_EQ(changed(four, text, assign("c", &"x"[0])),
              "; head\n{ ; open\n; a's\n\"a\": 1, ; behind a\n; b's\n\"b\" : [1 ; one\n, 2,], ; "
              "behind b\n\"c\": \"x\",\n; end\n} ; tail");
    EXPECT_EQ(changed(four, text, sorted(true)),
              "; head\n{ ; open\n; b's\n\"b\" : [1 ; one\n, 2,], ; behind b\n; a's\n\"a\": 1, ; "
              "behind a\n; end\n} ; tail");
    EXPECT_EQ(changed(four, text, [](Variant& v) { items(*pairs(v).find("b")).push_back(3); }),
              "; head\n{ ; open\n; a's\n\"a\": 1, ; behind a\n; b's\n\"b\" : [1 ; one\n, 2, 3,], ; "
              "behind b\n; end\n} ; tail");
    EXPECT_EQ(changed(four, "{ ; nothing yet\n}", assign("a", 1)), "{ ; nothing yet\n\"a\": 1\n}");
    EXPECT_EQ(changed(four, "[1 ; one\n]", insert_at(1, 2)), "[1, ; one\n 2\n]");
    EXPECT_EQ(changed(four, "[1, 2 ; two\n]", insert_at(2, 3)), "[1, 2, ; two\n 3\n]");
    EXPECT_EQ(changed(four, "[1, ; one\n2]", erase_at(1)), "[1 ; one\n]");
    EXPECT_EQ(changed(four, "{\"b\": 1, \"a\": 2 ; two\n}", sorted()),
              "{\"a\": 2, ; two\n \"b\": 1\n}");
}

TEST(RewriteText, DictionariesAreLaidOutAsTheEngineDoes) {
    EXPECT_EQ(changed(four, "{\n\"a\": 1\n}", assign("b", Dictionary{{"x", Vector2{1, 2}}})),
              "{\n\"a\": 1,\n\"b\": {\n\"x\": Vector2(1, 2)\n}\n}");
    EXPECT_EQ(changed(four, "{}", assign("b", 1)), "{\n\"b\": 1\n}");
    EXPECT_EQ(changed(four, "{\"a\": 1}", assign("b", 2)), "{\"a\": 1, \"b\": 2}");
    EXPECT_EQ(changed(three, "[ 1, 2 ]", insert_at(2, Array{3.0, Vector2{1, 2}})),
              "[ 1, 2, [ 3.0, Vector2( 1, 2 ) ] ]");
    EXPECT_EQ(changed(four, "{\r\n\"a\": \"x\ny\"\r\n}", assign("b", Dictionary{{"c", "d\ne"}})),
              "{\r\n\"a\": \"x\ny\",\r\n\"b\": {\r\n\"c\": \"d\ne\"\r\n}\r\n}");
}

TEST(RewriteText, TypedContainersKeepTheirHeads) {
    EXPECT_EQ(changed(four, "Array[ int ] ( [ 1, 2 ] )", insert_at(1, 3)),
              "Array[ int ] ( [ 1, 3, 2 ] )");
    EXPECT_EQ(changed(four, "Dictionary[String, int]({ \"a\" : 1 })", assign("b", 2)),
              "Dictionary[String, int]({ \"a\" : 1, \"b\" : 2 })");
    EXPECT_EQ(changed(four, "Array[ExtResource(\"1_a\")]([])",
                      insert_at(0, *four.read("SubResource(\"x\")"))),
              "Array[ExtResource(\"1_a\")]([SubResource(\"x\")])");
    EXPECT_EQ(changed(four, "Array[int]([1,])", insert_at(0, "x")),
              "$[0]: error[wrong_type]: the typed container does not take it (String)");
    EXPECT_EQ(changed(four, "[Array[int]([1,])]",
                      [](Variant& v) { v[0] = Array(ContainerType::of(Type::real)); }),
              "[Array[float]([])]");
}

TEST(RewriteText, ObjectsAndReferences) {
    const char* text = "Object( Node , \"name\" : \"x\", \"n\":1 )";
    const auto property = [](const char* name, Variant to) {
        return [=](Variant& v) { v.get_if<Object>()->set(name, to); };
    };
    EXPECT_EQ(changed(four, text, property("n", 2)), "Object( Node , \"name\" : \"x\", \"n\":2 )");
    EXPECT_EQ(changed(four, text, property("m", 2)),
              "Object( Node , \"name\" : \"x\", \"n\":1, \"m\" : 2 )");
    EXPECT_EQ(changed(four, text, [](Variant& v) { v = Object("Node"); }), "Object( Node ,)");
    EXPECT_EQ(changed(four, text,
                      [](Variant& v) {
                          Object made("Node2D");
                          for (const auto& each : *v.get_if<Object>())
                              made.append(std::string_view(each.name) == "n"
                                              ? "renamed"
                                              : std::string_view(each.name),
                                          each.value);
                          v = made;
                      }),
              "Object( Node2D , \"name\" : \"x\", \"renamed\":1 )");
    EXPECT_EQ(changed(four, "[ExtResource( \"1_a\" ), 2.50]",
                      [](Variant& v) { v[0] = *four.read("ExtResource(\"2_b\")"); }),
              "[ExtResource(\"2_b\"), 2.50]");
    EXPECT_EQ(changed(three, "[ ExtResource( 1 ) ]",
                      [](Variant& v) { v[0] = *three.read("SubResource(2)"); }),
              "[ SubResource( 2 ) ]");
}

TEST(RewriteText, Base64StaysBase64) {
    const auto bytes = [](Variant& v) { v[0] = PackedByteArray{1, 2}; };
    EXPECT_EQ(changed(four, "[PackedByteArray(\"AQID\"), 1]", bytes),
              "[PackedByteArray(\"AQI=\"), 1]");
    EXPECT_EQ(changed(four, "[PackedByteArray(1,2,3), 1]", bytes), "[PackedByteArray(1, 2), 1]");
}

TEST(RewriteText, WhatTheFamilyCannotSayIsRefused) {
    const auto said = [](const Kind& kind, const Variant& made) {
        return changed(kind, "{\"a\": [1]}", [&](Variant& v) { v["a"][0] = made; });
    };
    EXPECT_EQ(said(four, Variant("a\0b")), "{\"a\": [\"a\"]}");
    EXPECT_EQ(said(four, Variant(String(std::string_view("a\0b", 3)))),
              "$.a[0]: error[not_in_dialect]: it has no text that this engine reads back as it was "
              "(String)");
    EXPECT_EQ(said(four, Array{1, Dictionary{{"x", Object::from_id(5)}}}),
              "$.a[0][1].x: error[not_in_dialect]: it has no text that this engine reads back as "
              "it was (Object)");
    EXPECT_EQ(said(four, Variant(1.5368846501944817)), "{\"a\": [1.5368846501944818e0]}");
    EXPECT_EQ(said(four, Variant(3.8273586410134084)),
              "$.a[0]: error[not_in_dialect]: the engine reads no digits as this float (float)");
    EXPECT_EQ(said(three, Variant(0.123456789012)), "{\"a\": [0.123456789012]}");
    const GodotText rounding({.round_floats = true}), strict({.strict_numbers = true});
    const Kind rounded{&rounding, &dialects::godot_4_4, ParseOptions{}};
    EXPECT_EQ(**rounded.rewritten("[1]", Array{3.8273586410134084}), "[3.8273586410134084e+00]");
    const Kind exact{&strict, &dialects::godot_4_4, ParseOptions{.strict_numbers = true}};
    for (const double value : {3.8273586410134084, 1e-320, 0.1, 1.5368846501944817})
        EXPECT_TRUE(identical(*exact.read(**exact.rewritten("[1]", Array{value})), Array{value}))
            << value;
}

TEST(Rewrite, AnOutlineOfAnotherValueIsRefused) {
    Outline outline;
    ASSERT_TRUE(parse_text("[1, [2]]", {.outline = &outline}));
    const Packed other(Array{1, 2, 3}), value(Array{1, Array{3}});
    for (const Packed* before : {&other}) {
        const auto made = rewrite("[1, [2]]", outline, before->root(), value.root(), text_4);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().error.code, Errc::wrong_arguments);
    }
    EXPECT_EQ(rewrite("", {}, other.root(), value.root(), text_4).error().error.code,
              Errc::wrong_arguments);
    EXPECT_EQ(rewrite("[1, [2]]", outline, View(), value.root(), text_4).error().error.code,
              Errc::missing_key);
}

TEST(Rewrite, DepthCostsNoStack) {
    on_small_stack([] {
        const std::size_t depth = 20'000;
        std::string text;
        for (std::size_t i = 0; i < depth; ++i)
            text += "[0, ";
        text += "1";
        for (std::size_t i = 0; i < depth; ++i)
            text += "]";
        Outline outline;
        JsonParseOptions deep{.outline = &outline};
        deep.limits.max_depth = 1'000'000;
        auto value = parse_plain_json(text, deep);
        ASSERT_TRUE(value);
        const Packed before(*value);
        Variant* inner = &*value;
        for (std::size_t i = 0; i < depth; ++i)
            inner = &(*inner->get_if<Array>())[1];
        *inner = 22;
        const Packed after(*value);
        const auto made = rewrite(text, outline, before.root(), after.root(), plain_json);
        ASSERT_TRUE(made);
        EXPECT_EQ(made->size(), text.size() + 1);
        EXPECT_EQ(made->substr(4 * depth, 3), "22]");
    });
}

// ---- TextEdits ----------------------------------------------------------------------------------

TEST(TextEdits, PartsMoveAndChangeAtOnce) {
    TextEdits edits;
    edits.begin(1, 9);  // "aaa, bbb" the other way round
    edits.keep(6, 9);
    edits.put(", ");
    edits.keep(1, 4);
    edits.replace(2, 3, "X");
    edits.insert(7, "+");
    edits.insert(0, "<");
    edits.insert(10, ">");
    edits.insert(1, "at 1;");
    EXPECT_EQ(*edits.apply("[aaa, bbb]"), "<[at 1;b+bb, aXa]>");
}

TEST(TextEdits, AppendedTextMovesWithThePartThatEndsThere) {
    const auto swapped = [](auto more) {
        TextEdits edits;
        edits.begin(1, 6);  // "aa,bb" the other way round
        edits.keep(4, 6);
        edits.put(",");
        edits.keep(1, 3);
        more(edits);
        return *edits.apply("[aa,bb]");
    };
    EXPECT_EQ(swapped([](TextEdits& edits) { edits.append(3, "+"); }), "[bb,aa+]");
    EXPECT_EQ(swapped([](TextEdits& edits) { edits.append(6, "+"); }), "[bb+,aa]");
    EXPECT_EQ(swapped([](TextEdits& edits) { edits.insert(6, "+"); }), "[bb,aa+]");
    EXPECT_EQ(swapped([](TextEdits& edits) { edits.append(1, "+"); }), "[+bb,aa]");
    EXPECT_EQ(swapped([](TextEdits& edits) { edits.append(7, "+"); }), "[bb,aa]+");
    // Once, in the innermost part, in the order of the calls.
    EXPECT_EQ(swapped([](TextEdits& edits) {
                  edits.append(3, "+");
                  edits.begin(1, 3);
                  edits.put("(");
                  edits.keep(2, 3);
                  edits.put(")");
                  edits.append(3, "-");
              }),
              "[bb,(a+-)]");
}

TEST(TextEdits, WhatIsReplacedTakesItsEditsAlong) {
    TextEdits edits;
    edits.replace(2, 3, "lost");
    edits.replace(1, 4, "new");
    edits.insert(4, "a");
    edits.insert(4, "b");
    EXPECT_EQ(*edits.apply("01234567"), "0newab4567");
    EXPECT_EQ(*TextEdits().apply("as it was"), "as it was");
}

TEST(TextEdits, OverlapsAreRefused) {
    const auto code = [](auto&&... spans) {
        TextEdits edits;
        (edits.replace(spans.first, spans.second, "x"), ...);
        const auto made = edits.apply("0123456789");
        return made ? Errc::ok : made.error().code;
    };
    using Span = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(code(Span(1, 4), Span(3, 6)), Errc::misplaced);
    EXPECT_EQ(code(Span(1, 4), Span(2, 3)), Errc::ok);
    EXPECT_EQ(code(Span(1, 4), Span(4, 6)), Errc::ok);
    EXPECT_EQ(code(Span(5, 11)), Errc::misplaced);
    EXPECT_EQ(code(Span(11, 11)), Errc::misplaced);
    TextEdits outside;
    outside.begin(2, 4);
    outside.keep(1, 3);
    EXPECT_FALSE(outside.apply("0123456789"));
    TextEdits across;
    across.begin(2, 8);
    across.keep(2, 5);
    across.replace(4, 7, "x");
    EXPECT_FALSE(across.apply("0123456789"));
}

}  // namespace
}  // namespace gdvar::test
