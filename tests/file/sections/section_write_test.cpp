// ConfigFiles and text resources are changed where their values change, and nowhere else.
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "gdvar/file/sections.hpp"
#include "gdvar/inspect/edit.hpp"
#include "support/sections.hpp"
#include "support/texts.hpp"

namespace gdvar::test {
namespace {

using To = std::optional<Variant>;

/// The text with one value set at a path, or removed; or why that was refused.
std::string set(const SectionsKind& kind, std::string_view text, std::string_view path,
                const To& to, TextFamily family = TextFamily::godot_4) {
    return changed(kind, text, family, [&](Variant& value) {
        const PackedByteArray packet = packet_of(value, family);
        const DecodeOptions options = reading_of(family);
        const auto made = to ? inspect::set_value(as_bytes(packet), path, *to, options)
                             : inspect::erase_value(as_bytes(packet), path, options);
        ASSERT_TRUE(made) << path << to_string(made.error());
        value = *decode(as_bytes(*made), options);
    });
}

/// The text with one part replaced by another.
std::string with(std::string_view text, std::string_view old, std::string_view made) {
    std::string out(text);
    const std::size_t at = out.find(old);
    EXPECT_NE(at, out.npos) << old;
    if (at != out.npos)
        out.replace(at, old.size(), made);
    return out;
}

/// The part of the text from one of its parts to another.
std::string between(std::string_view text, std::string_view from, std::string_view to) {
    const std::size_t begin = text.find(from);
    return std::string(text.substr(begin, text.find(to) - begin));
}

/// A refusal without the name of its code.
std::string without_code(const std::string& said) {
    const std::size_t at = said.find("error[");
    return said.substr(0, at) + said.substr(said.find("]: ", at) + 3);
}

/// A change of a value, and what it makes of a part of the text.
struct Edit {
    std::string path;
    To to;
    std::string old, made;
};

void expect_edits(const SectionsKind& kind, std::string_view text, TextFamily family,
                  std::initializer_list<Edit> edits) {
    for (const Edit& edit : edits)
        EXPECT_EQ(set(kind, text, edit.path, edit.to, family), with(text, edit.old, edit.made))
            << edit.path;
}

Variant object(std::string_view name, std::string_view property = {}, Variant value = {}) {
    Object out(name);
    if (!property.empty())
        out.append(property, std::move(value));
    return out;
}

// ---- ConfigFile -----------------------------------------------------------------------------

constexpr std::string_view settings =
    "; mine\n"
    "\n"
    "[a]\n"
    "\n"
    "x=1 ; one\n"
    "; two\n"
    "y = 2\n"
    "z={\n"
    "\"k\": [1, 2.50] ; list\n"
    "}\n"
    "\n"
    "[b]\n"
    "\n"
    "p=1 q=2\n"
    "\n"
    "[c]\n";

TEST(RewriteConfig, AKeyTakesThePlaceOfTheFirstOnItsLine) {
    for (const std::string_view rest : {"", " z=3"})
        EXPECT_EQ(changed(config_file, "[a]  x=1" + std::string(rest) + "\n", TextFamily::godot_4,
                          [&](Variant& value) {
                              Dictionary made{{"y", "s"}};
                              if (!rest.empty())
                                  made.append("z", 3);
                              value["a"] = made;
                          }),
                  "[a] y=\"s\"" + std::string(rest) + "\n");
}

TEST(RewriteConfig, ValuesKeysAndSections) {
    expect_edits(config_file, settings, TextFamily::godot_4,
                 {
                     {"$.a.x", 5, "x=1", "x=5"},
                     {"$.a.y", "s\"\n", "y = 2", "y = \"s\\\"\n\""},
                     {"$.a.z.k[0]", 7, "[1, 2.50]", "[7, 2.50]"},
                     {"$.a.x", {}, "x=1 ; one\n", ""},
                     {"$.a.y", {}, "y = 2\n", ""},
                     {"$.a.z", {}, "z={\n\"k\": [1, 2.50] ; list\n}\n", ""},
                     {"$.a[\"new key\"]", true, "list\n}\n", "list\n}\n\"new key\"=true\n"},
                     {"$.a[\"é\"]", Array{1}, "list\n}\n", "list\n}\n\"é\"=[1]\n"},
                     {"$.b.p", {}, "p=1 q=2", "q=2"},
                     {"$.b.q", {}, "p=1 q=2", "p=1"},
                     {"$.b.r", 3, "p=1 q=2", "p=1 q=2\nr=3"},
                     {"$.c.k", 1, "[c]\n", "[c]\nk=1\n"},
                     {"$.a", {}, between(settings, "[a]", "[b]"), ""},
                     {"$.b", {}, "[b]\n\np=1 q=2\n\n", ""},
                     {"$.c", {}, "\n[c]\n", ""},
                     {"$.d", Dictionary{{"k", 1}, {"l", Vector2{1, 2}}}, "[c]\n",
                      "[c]\n\n[d]\n\nk=1\nl=Vector2(1, 2)\n"},
                     {"$[\"d]\"]", Dictionary{}, "[c]\n", "[c]\n\n[d\\]]\n"},
                     {"$[\"\"]", Dictionary{{"k", 1}}, "[a]\n", "k=1\n\n[a]\n"},
                 });
}

TEST(RewriteConfig, StyleOfTheNeighbours) {
    const std::string_view compact = "  [a]\r\n  x = 1\r\n  y = 2\r\n  [b]\r\n  z = 3";
    expect_edits(config_file, compact, TextFamily::godot_3_6,
                 {
                     {"$.a.n", Array{1}, "y = 2", "y = 2\r\n  n = [ 1 ]"},
                     {"$.b.n", Dictionary{{"k", 1}}, "z = 3", "z = 3\r\n  n = {\r\n\"k\": 1\r\n}"},
                     {"$.a.y", {}, "  y = 2\r\n", ""},
                     {"$.c", Dictionary{{"k", 1}}, "z = 3", "z = 3\r\n  [c]\r\nk = 1\r\n"},
                 });
    expect_edits(config_file, "[a]x=1[b]", TextFamily::godot_4,
                 {{"$.a.y", 2, "x=1", "x=1 y=2"}, {"$.b.y", 2, "[b]", "[b]\ny=2"}});
    expect_edits(config_file, "x=1", TextFamily::godot_4,
                 {{"$[\"\"].y", 2, "x=1", "x=1\ny=2"},
                  {"$[\"\"]", {}, "x=1", ""},
                  {"$[\"\"].x", {}, "x=1", ""},
                  {"$.s", Dictionary{{"k", 1}}, "x=1", "x=1\n\n[s]\n\nk=1\n"}});
    EXPECT_EQ(set(config_file, "", "$.s", Dictionary{{"k", 1}}), "[s]\n\nk=1\n");
}

TEST(RewriteConfig, SectionsThatStandSeveralTimes) {
    const std::string_view text = "[a]\nx=1\n[b]\ny=1\n[a]\nx=2\nz=3\n";
    expect_edits(config_file, text, TextFamily::godot_4,
                 {{"$.a.x", 5, "x=2", "x=5"},
                  {"$.a.n", 5, "z=3\n", "z=3\nn=5\n"},
                  {"$.b", {}, "[b]\ny=1\n", ""},
                  {"$.c", Dictionary{{"k", 1}}, "y=1\n", "y=1\n[c]\nk=1\n"}});
    EXPECT_EQ(set(config_file, text, "$.a", {}), "[b]\ny=1\n");
}

TEST(RewriteConfig, NamesAndOrder) {
    const auto renamed = [](std::string_view from, const char* to) {
        return changed(config_file, settings, TextFamily::godot_4, [&](Variant& value) {
            EXPECT_TRUE(value.get_if<Dictionary>()->rename(Variant(from), to));
        });
    };
    EXPECT_EQ(renamed("a", "x]"), with(settings, "[a]", "[x\\]]"));
    EXPECT_EQ(changed(config_file, settings, TextFamily::godot_4,
                      [](Variant& value) {
                          value.get_if<Dictionary>()->find("a")->get_if<Dictionary>()->rename(
                              "y", "why not");
                      }),
              with(settings, "y = 2", "\"why not\" = 2"));
    const auto reversed = [](Dictionary& pairs) {
        Dictionary made;
        for (std::size_t i = pairs.size(); i-- > 0;)
            made.append(pairs.begin()[i].key, pairs.begin()[i].value);
        pairs = made;
    };
    EXPECT_EQ(changed(config_file, settings, TextFamily::godot_4,
                      [&](Variant& value) {
                          reversed(*value.get_if<Dictionary>()->find("a")->get_if<Dictionary>());
                      }),
              with(settings, between(settings, "x=1", "\n[b]"),
                   "z={\n\"k\": [1, 2.50] ; list\n}\n; two\ny = 2\nx=1 ; one\n"));
    EXPECT_EQ(changed(config_file, settings, TextFamily::godot_4,
                      [&](Variant& value) { reversed(*value.get_if<Dictionary>()); }),
              "; mine\n\n[c]\n\n[b]\n\np=1 q=2\n\n" + between(settings, "[a]", "\n[b]"));
}

// 3.2.3 reads each byte of a name as a character; file_live_test asks it.
TEST(RewriteConfig, NamesOfSectionsBeyondAscii) {
    const std::string text = "[a]\nx=1\n\n[s\xC3\xA9]\nx=2\n";
    const Dictionary pair{{"k", 1}};
    for (const TextFamily family : {TextFamily::godot_3_6, TextFamily::godot_4})
        EXPECT_EQ(set(config_file, text, "$[\"n\u00e9\"]", pair, family),
                  text + "\n[n\xC3\xA9]\nk=1\n");
    const TextFamily old = TextFamily::godot_3_2;
    EXPECT_EQ(set(config_file, text, "$[\"s\u00c3\u00a9\"].x", 5, old), with(text, "x=2", "x=5"));
    EXPECT_EQ(set(config_file, text, "$[\"n\u00c3\u00a9\"]", pair, old),
              text + "\n[n\xC3\xA9]\nk=1\n");
    for (const char* name : {"n\u00e9", "\u65e5", "\u00c3"})
        EXPECT_NE(set(config_file, text, "$[\"" + std::string(name) + "\"]", pair, old)
                      .find("takes each byte of a section's name for a character"),
                  std::string::npos)
            << name;
}

TEST(RewriteConfig, WhatEnginesCannotStoreIsRefusedWithThePath) {
    const auto refused = [](std::string_view path, const Variant& to,
                            TextFamily family = TextFamily::godot_4) {
        return without_code(set(config_file, settings, path, to, family));
    };
    EXPECT_EQ(refused("$.a.x", {}), "$.a.x: in a ConfigFile null erases the key: remove the key");
    EXPECT_EQ(refused("$.a", 5), "$.a: a section is a Dictionary (int)");
    EXPECT_EQ(refused("$.d", 5), "$.d: a section is a Dictionary (int)");
    EXPECT_EQ(refused("$.a[5]", 5), "$.a[5]: the keys of a section are Strings (int)");
    EXPECT_EQ(refused("$[5]", Dictionary{}), "$[5]: the names of sections are Strings (int)");
    EXPECT_EQ(refused("$.a[\"\"]", 5), "$.a[\"\"]: engines skip a value without a key");
    EXPECT_EQ(refused("$[\" d\"]", Dictionary{}),
              "$[\" d\"]: engines cut the white space at the ends of a section's name");
    EXPECT_EQ(refused("$[\"d\\\\\"]", Dictionary{}),
              "$[\"d\\\\\"]: to Godot 4 a header that ends with \\] has no end");
    EXPECT_EQ(refused("$[\"d]\"]", Dictionary{}, TextFamily::godot_3_6),
              "$[\"d]\"]: Godot 3 has no form for ] in a section's name");
    EXPECT_EQ(
        set(config_file, "[s]\na=1b=2", "$.s.a", true),
        "$: error[unknown_constructor]: no value has this name; texts stand in double quotes");
}

// ---- resources ------------------------------------------------------------------------------

constexpr std::string_view gradient =
    "[gd_resource type=\"Gradient\" load_steps=2 format=3]\n"
    "\n"
    "[sub_resource type=\"Curve\" id=\"C_1\"]\n"
    "x = 1 ; one\n"
    "\n"
    "[resource]\n"
    "name = \"n\"\n"
    "c = SubResource(\"C_1\")\n";

TEST(RewriteResource, PropertiesAttributesAndSubResources) {
    expect_edits(
        resource_file, gradient, TextFamily::godot_4,
        {
            {"$.resource.name", "m", "\"n\"", "\"m\""},
            {"$.resource.c", {}, "c = SubResource(\"C_1\")\n", ""},
            {"$.resource.health", 3, "c = SubResource(\"C_1\")\n",
             "c = SubResource(\"C_1\")\nhealth = 3\n"},
            {"$.resource[\"a b\"]", Variant(), "c = SubResource(\"C_1\")\n",
             "c = SubResource(\"C_1\")\n\"a b\" = null\n"},
            {"$.sub.C_1.z", Vector2{1, 2}, "x = 1 ; one\n", "x = 1 ; one\nz = Vector2(1, 2)\n"},
            {"$.sub.C_1.x", {}, "x = 1 ; one\n", ""},
            {"$.header.type", "Theme", "\"Gradient\"", "\"Theme\""},
            {"$.header.uid", "uid://a", "format=3]", "format=3 uid=\"uid://a\"]"},
            {"$.header.load_steps", {}, " load_steps=2", ""},
        });
}

TEST(RewriteResource, AttributesTakeEachOthersPlaces) {
    const struct {
        Dictionary header;
        std::string_view made;
    } cases[] = {
        {{{"uid", "u"}, {"type", "R"}, {"format", 3}}, "uid=\"u\"  type=\"R\" format=3"},
        {{{"format", 3}, {"a", 1}, {"type", "R"}}, "format=3 a=1  type=\"R\""},
        {{{"type", "R"}, {"a", 1}, {"b", 2}, {"uid", "u"}}, "type=\"R\"  a=1 b=2 uid=\"u\""},
        {{{"a", 1}, {"type", "R"}}, "a=1 type=\"R\""},
    };
    const std::string text = "[gd_resource type=\"R\"  format=3 uid=\"u\"]\n\n[resource]\n";
    for (const auto& [header, made] : cases)
        EXPECT_EQ(changed(resource_file, text, TextFamily::godot_4,
                          [&](Variant& value) { value["header"] = header; }),
                  with(text, "type=\"R\"  format=3 uid=\"u\"", made));
    EXPECT_EQ(changed(resource_file, "[gd_scene a=1]\n\n[node name=\"R\"]\n", TextFamily::godot_4,
                      [&](Variant& value) { value["header"] = Dictionary{{"b", 2}}; }),
              "[gd_scene b=2]\n\n[node name=\"R\"]\n");
}

TEST(RewriteResource, AReferenceInAKeyIsFoundByItsPath) {
    const std::string text =
        "[gd_resource type=\"R\" format=3]\n\n[ext_resource type=\"T\" path=\"res://t\" "
        "id=\"1\"]\n\n[resource]\na = [{ExtResource(\"1\"): 1}]\n";
    EXPECT_EQ(set(resource_file, text, "$.ext[\"1\"]", {}),
              "$.resource.a[0][?]: error[bad_reference]: no ext_resource has this id (Object)");
}

TEST(RewriteResource, TagsComeAndGoAndAreCounted) {
    std::string more = with(gradient, "steps=2", "steps=3");
    EXPECT_EQ(
        set(resource_file, gradient, "$.sub.C_2", object("Curve", "y", 1)),
        with(more, "[resource]", "[sub_resource type=\"Curve\" id=\"C_2\"]\ny = 1\n\n[resource]"));
    EXPECT_EQ(set(resource_file, gradient, "$.ext[\"1_a\"]",
                  Dictionary{{"type", "Texture2D"}, {"path", "res://a.png"}}),
              with(more, "[sub_resource",
                   "[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1_a\"]\n\n"
                   "[sub_resource"));
    EXPECT_EQ(set(resource_file, gradient, "$.sub.C_1", {}),
              "$.resource.c: error[bad_reference]: no sub_resource above has this id (Object)");
    const std::string free = with(gradient, "c = SubResource(\"C_1\")\n", "");
    EXPECT_EQ(set(resource_file, free, "$.sub.C_1", {}),
              with(with(free, "steps=2", "steps=1"),
                   "[sub_resource type=\"Curve\" id=\"C_1\"]\nx = 1 ; one\n\n", ""));
    // Godot 3 has numbers as ids.
    const std::string old = "[gd_resource type=\"Gradient\" format=2]\n\n[resource]\n";
    EXPECT_EQ(set(resource_file, old, "$.ext[1]",
                  Dictionary{{"path", "res://a.png"}, {"type", "T"}}, TextFamily::godot_3_6),
              with(old, "[resource]",
                   "[ext_resource path=\"res://a.png\" type=\"T\" id=1]\n\n[resource]"));
    EXPECT_EQ(set(resource_file, old, "$.resource.x", object("ExtResource", "id", 1),
                  TextFamily::godot_3_6),
              "$.resource.x: error[bad_reference]: no ext_resource has this id (Object)");
}

TEST(RewriteResource, ClassesAndIdsStandTwice) {
    EXPECT_EQ(changed(resource_file, gradient, TextFamily::godot_4,
                      [](Variant& value) {
                          Dictionary& document = *value.get_if<Dictionary>();
                          *document.find("resource") = object("Theme", "name", "n");
                          *(*document.find("sub"))["C_1"] = object("Curve3D", "x", 1);
                      }),
              with(with(with(gradient, "\"Gradient\"", "\"Theme\""), "\"Curve\"", "\"Curve3D\""),
                   "c = SubResource(\"C_1\")\n", ""));
    EXPECT_EQ(changed(resource_file, gradient, TextFamily::godot_4,
                      [](Variant& value) {
                          Dictionary& document = *value.get_if<Dictionary>();
                          document.find("sub")->get_if<Dictionary>()->rename("C_1", "C_9");
                          *document.find("resource") =
                              object("Gradient", "c", object("SubResource", "id", "C_9"));
                      }),
              with(with(with(gradient, "id=\"C_1\"", "id=\"C_9\""), "(\"C_1\")", "(\"C_9\")"),
                   "name = \"n\"\n", ""));
}

constexpr std::string_view scene =
    "[gd_scene format=3]\n"
    "\n"
    "[ext_resource type=\"T\" path=\"res://t.png\" id=\"1_t\"] ; texture\n"
    "\n"
    "[node name=\"R\" type=\"Node\"]\n"
    "\n"
    "[node name=\"A\" type=\"Node2D\" parent=\".\" groups=[\"g\"]]\n"
    "position = Vector2(1, 2)\n"
    "; c\n"
    "\n"
    "[node name=\"B\" parent=\"A\" instance=ExtResource(\"1_t\")]\n"
    "\n"
    "[connection signal=\"s\" from=\"A\" to=\".\" method=\"m\"]\n";

TEST(RewriteResource, Scenes) {
    constexpr std::string_view b = "[node name=\"B\" parent=\"A\" instance=ExtResource(\"1_t\")]\n";
    constexpr std::string_view s = "[connection signal=\"s\" from=\"A\" to=\".\" method=\"m\"]\n";
    const auto plus = [](std::string_view text, std::string_view more) {
        return std::string(text) + std::string(more);
    };
    expect_edits(
        resource_file, scene, TextFamily::godot_4,
        {
            {"$.node.A.properties.position.x", 5.0, "(1, 2)", "(5, 2)"},
            {"$.node.A.properties.scale", 2, "(1, 2)\n", "(1, 2)\nscale = 2\n"},
            {"$.node[\"A/B\"].properties.p", 1, std::string(b), plus(b, "p = 1\n")},
            {"$.node.A.properties", {}, "position = Vector2(1, 2)\n", ""},
            {"$.node.A.type", "Sprite2D", "\"Node2D\"", "\"Sprite2D\""},
            {"$.node.A.type", {}, " type=\"Node2D\"", ""},
            {"$.node.A.groups", {}, " groups=[\"g\"]", ""},
            {"$.node.A.groups[+]", "h", "[\"g\"]", "[\"g\", \"h\"]"},
            {"$.node.A.index", 3, "[\"g\"]]", "[\"g\"] index=3]"},
            {"$.node[\"A/B\"].parent", ".", "parent=\"A\"", "parent=\".\""},
            {"$.node[\"A/B\"]", {}, plus(b, "\n"), ""},
            {"$.node[\"A/N\"]",
             Dictionary{{"type", "Label"}, {"properties", Dictionary{{"text", "hi"}}}},
             std::string(b),
             plus(b, "\n[node name=\"N\" type=\"Label\" parent=\"A\"]\ntext = \"hi\"\n")},
            {"$.node.N", Dictionary{{"type", "Label"}}, std::string(b),
             plus(b, "\n[node name=\"N\" type=\"Label\" parent=\".\"]\n")},
            {"$.connection[0].flags", 3, "\"m\"]", "\"m\" flags=3]"},
            {"$.connection[0]", {}, plus("\n", s), ""},
            {"$.connection[1]",
             Dictionary{{"signal", "x"}, {"from", "."}, {"to", "."}, {"method", "q"}},
             std::string(s),
             plus(s, "[connection signal=\"x\" from=\".\" to=\".\" method=\"q\"]\n")},
            {"$.editable[0]", Dictionary{{"path", "A"}}, std::string(s),
             plus(s, "\n[editable path=\"A\"]\n")},
            {"$.sub.s", object("Curve"), "; texture\n\n",
             "; texture\n\n[sub_resource type=\"Curve\" id=\"s\"]\n\n"},
            {"$.ext[\"2\"]", Dictionary{{"type", "U"}, {"path", "p"}}, "; texture\n",
             "; texture\n[ext_resource type=\"U\" path=\"p\" id=\"2\"]\n"},
            {"$.ext[\"1_t\"].path", "res://u.png", "res://t.png", "res://u.png"},
            {"$.ext[\"1_t\"].uid", "uid://x", "id=\"1_t\"]", "id=\"1_t\" uid=\"uid://x\"]"},
        });
}

TEST(RewriteResource, PathsFollowANodeThatGetsAnotherName) {
    const std::string text = std::string(scene) + "\n[editable path=\"A/B\"]\n";
    std::string made = with(text, "name=\"A\"", "name=\"C\"");
    made = with(made, "parent=\"A\"", "parent=\"C\"");
    made = with(made, "from=\"A\"", "from=\"C\"");
    EXPECT_EQ(set(resource_file, text, "$.node.A.name", "C"),
              with(made, "path=\"A/B\"", "path=\"C/B\""));
    EXPECT_EQ(set(resource_file, text, "$.node[\"A/B\"].name", "D"),
              with(with(text, "name=\"B\"", "name=\"D\""), "\"A/B\"", "\"A/D\""));
    EXPECT_EQ(set(resource_file, text, "$.node[\".\"].name", "S"),
              with(text, "name=\"R\"", "name=\"S\""));
}

// Engines give nodes without a parent another place, or drop them, and say nothing.
TEST(RewriteResource, ANodeKeepsAPlaceInTheScene) {
    const std::string_view text =
        "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n\n[node name=\"A\" type=\"Node\" "
        "parent=\".\"]\n\n[node name=\"B\" type=\"Node\" parent=\"A\"]\n\n[node name=\"C\" "
        "type=\"Node\" parent=\".\"]\n\n[node name=\"I\" parent=\".\" "
        "instance=ExtResource(\"1\")]\n"
        "\n[connection signal=\"s\" from=\"A/B\" to=\".\" method=\"m\"]\n";
    const std::string whole =
        with(text, "\n\n[node",
             "\n\n[ext_resource type=\"PackedScene\" path=\"res://i.tscn\" id=\"1\"]\n\n[node");
    const auto changed = [&](std::string_view path, const Variant& value) {
        const std::string out = set(resource_file, whole, path, value);
        return out.starts_with("[gd_scene") ? std::string("made") : without_code(out);
    };
    const std::string nobody = ": there is no such node";
    EXPECT_EQ(changed("$.node[\"A/B\"].parent", "X"), "$.node[\"A/B\"].parent" + nobody);
    EXPECT_EQ(changed("$.node[\"A/B\"].parent", "A/B"), "$.node[\"A/B\"].parent" + nobody);
    EXPECT_EQ(changed("$.node[\"A/B\"].parent", "C"),
              "$.node[\"A/B\"].parent: the parent does not stand above it");
    EXPECT_EQ(changed("$.node.C.name", "A"),
              "$.node.C.name: another node of this name is there already");
    for (const char* name : {"", "a/b", "a.b", "a:b", "%a", "@a"})
        EXPECT_TRUE(changed("$.node.C.name", name).starts_with("$.node.C.name: ")) << name;
    EXPECT_EQ(changed("$.connection[0].to", "X"), "$.connection[0].to" + nobody);
    EXPECT_EQ(changed("$.connection[0].to", "C"), "made");
    EXPECT_EQ(changed("$.connection[0].to", "I/inside"), "made");
    EXPECT_EQ(changed("$.node.C.parent", "A"), "made");
    EXPECT_EQ(changed("$.node.C.parent", "A/B"), "made");
}

TEST(RewriteResource, ANodeThatIsNamedDoesNotGo) {
    const std::string text = std::string(scene) + "\n[editable path=\"A/B\"]\n";
    const auto refused = [&](std::string_view path) {
        return without_code(set(resource_file, text, path, {}));
    };
    EXPECT_EQ(refused("$.node[\".\"]"), "$.node[\".\"]: a scene has a root");
    EXPECT_EQ(refused("$.node.A"), "$.node[\"A/B\"].parent: it leads to a node that goes");
    EXPECT_EQ(refused("$.node[\"A/B\"]"), "$.editable[0].path: it leads to a node that goes");
}

// 4.6.3 and 3.2.3 load such scenes, and leave out nodes or connections, or give them other names.
TEST(RewriteResource, NodesAreWhereEnginesFindThem) {
    const std::string text =
        "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://i.tscn\" "
        "id=\"1\"]\n\n[node name=\"R\" type=\"Node\"]\n\n"
        "[node name=\"P\" type=\"Node\" parent=\".\"]\n\n"
        "[node name=\"Gun\" type=\"Node\" parent=\"P\"]\n\n"
        "[node name=\"Barrel\" type=\"Node\" parent=\"P/Gun\"]\n\n"
        "[node name=\"I\" parent=\".\" instance=ExtResource(\"1\")]\n\n"
        "[node name=\"Late\" type=\"Node\" parent=\".\"]\n\n"
        "[connection signal=\"s\" from=\"P\" to=\".\" method=\"m\"]\n";
    const auto refused = [&](std::string_view path, const To& to) {
        return without_code(set(resource_file, text, path, to));
    };
    const std::string gun = "$.node[\"P/Gun\"]", none = ": there is no such node",
                      below = ": the parent does not stand above it";
    for (const char* parent : {"X", "P/Gun", "P/Gun/Barrel", "..", "/root"})
        EXPECT_EQ(refused(gun + ".parent", parent), gun + ".parent" + none) << parent;
    EXPECT_EQ(refused(gun + ".parent", "Late"), gun + ".parent" + below);
    EXPECT_EQ(refused(gun + ".parent", {}),
              gun + ".parent: a scene has one root, and only that has no parent");
    for (const char* name : {"a/b", "a:b", "a.b", "a@b", "a%b", "a\"b", ""})
        EXPECT_EQ(refused(gun + ".name", name),
                  gun + ".name: engines give no node such a name (not empty, none of . : @ / \" %)")
            << name;
    EXPECT_EQ(refused("$.node.Late.name", "P"),
              "$.node.Late.name: another node of this name is there already");
    EXPECT_EQ(refused("$.node.I.instance", 5),
              "$.node.I.instance: an instance is an ExtResource(...) of the scene");
    for (const char* end : {"from", "to"}) {
        const std::string at = std::string("$.connection[0].") + end;
        EXPECT_EQ(refused(at, "X"), at + none);
        EXPECT_EQ(refused(at, ""), at + none);
        EXPECT_EQ(refused(at, 1), at + ": it is the path of a node");
        EXPECT_EQ(set(resource_file, text, at, "I/Inner"),
                  with(text, std::string(end) + (end[0] == 'f' ? "=\"P\"" : "=\".\""),
                       std::string(end) + "=\"I/Inner\""));
    }
    EXPECT_EQ(set(resource_file, text, "$.node.Late.parent", "P/Gun"),
              with(text, "name=\"Late\" type=\"Node\" parent=\".\"",
                   "name=\"Late\" type=\"Node\" parent=\"P/Gun\""));
    EXPECT_EQ(set(resource_file, text, "$.node.Late.parent", "I/Inner"),
              with(text, "name=\"Late\" type=\"Node\" parent=\".\"",
                   "name=\"Late\" type=\"Node\" parent=\"I/Inner\""));
    // An old fault does not keep from another change.
    const std::string lost = with(text, "from=\"P\"", "from=\"Gone\"");
    EXPECT_EQ(set(resource_file, lost, "$.node.Late.name", "Later"),
              with(lost, "name=\"Late\"", "name=\"Later\""));
}

TEST(RewriteResource, WhatEnginesDoNotLoadIsRefusedWithThePath) {
    const auto refused = [](std::string_view path, const To& to) {
        return without_code(set(resource_file, scene, path, to));
    };
    EXPECT_EQ(refused("$.more", 1), "$: a resource has the parts that it has");
    EXPECT_EQ(refused("$.node", 1), "$.node: this part of a resource has another type (int)");
    EXPECT_EQ(refused("$.node.A", 1), "$.node.A: a tag is a Dictionary of its attributes (int)");
    EXPECT_EQ(refused("$.node.A.name", 1), "$.node.A.name: a node's name is a String");
    EXPECT_EQ(refused("$.node.A.parent", ""), "$.node.A.parent: a node's parent is a path");
    EXPECT_EQ(refused("$.node.A[\"a b\"]", 1),
              "$.node.A[\"a b\"]: an attribute's name has letters, digits and _ alone");
    EXPECT_EQ(refused("$.sub.x", 1),
              "$.sub.x: a sub_resource is an Object, as in "
              "Object(Gradient,\"interpolation_mode\":1) (int)");
    EXPECT_EQ(refused("$.ext[\"1_t\"]", {}),
              "$.node[\"A/B\"].instance: no ext_resource has this id (Object)");
    EXPECT_EQ(refused("$.connection[0].signal", {}),
              "$: the tag lacks an attribute that engines need");
    EXPECT_EQ(refused("$.header.format", 9), "$: the format is newer than these engines know");
}

// ---- all recorded texts -----------------------------------------------------------------------

// 4.6.3: "Invalid metadata identifier"; the resource is loaded without it.
TEST(RewriteResource, MetadataHasNamesThatGodot4Takes) {
    const std::string text =
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nmetadata/a = 1\n";
    EXPECT_EQ(set(resource_file, text, "$.resource[\"metadata/b_1\"]", 2),
              text + "metadata/b_1 = 2\n");
    for (const char* name : {"né", "n w", "né w", "a-b", "9a", "a/b", ""}) {
        const std::string path = std::string("$.resource[\"metadata/") + name + "\"]";
        EXPECT_NE(set(resource_file, text, path, 2).find("Godot 4 drops metadata"),
                  std::string::npos)
            << name;
    }
    // Godot 3 has metadata elsewhere; there it is a property's name like any other.
    const std::string old = "[gd_resource type=\"Resource\" format=2]\n\n[resource]\na = 1\n";
    EXPECT_EQ(set(resource_file, old, "$.resource[\"metadata/a-b\"]", 2, TextFamily::godot_3_6),
              old + "metadata/a-b = 2\n");
}

// Only the bytes of a key change when it gets another one.
TEST(RewriteResource, AReferenceLeadsToWhatStandsAbove) {
    const std::string_view text =
        "[gd_resource type=\"Gradient\" format=3]\n\n[sub_resource type=\"Curve\" id=\"x\"]\na = "
        "1\n\n[sub_resource type=\"Curve\" id=\"y\"]\n\n[resource]\nb = [1, 2]\n";
    const auto to = [](const char* what, const Variant& id) {
        Object out(what);
        out.append("id", id);
        return Variant(std::move(out));
    };
    EXPECT_EQ(set(resource_file, text, "$.resource.b[1]", to("SubResource", "y")),
              with(text, "[1, 2]", "[1, SubResource(\"y\")]"));
    const auto refused = [&](std::string_view path, const Variant& value) {
        return without_code(set(resource_file, text, path, value));
    };
    const std::string none = "no sub_resource above has this id (Object)";
    EXPECT_EQ(refused("$.resource.b[1]", to("SubResource", "z")), "$.resource.b[1]: " + none);
    EXPECT_EQ(refused("$.sub.x.a", to("SubResource", "y")), "$.sub.x.a: " + none);
    EXPECT_EQ(refused("$.resource.b", to("ExtResource", 1)),
              "$.resource.b: no ext_resource has this id (Object)");
    EXPECT_EQ(without_code(set(resource_file,
                               "[gd_resource type=\"Curve\" format=2]\n[sub_resource "
                               "type=\"Curve\" id=1]\n[resource]\na = 1\n",
                               "$.resource.a", to("SubResource", "1"), TextFamily::godot_3_6)),
              "$.resource.a: Godot 3 takes a number as id, as in SubResource( 1 ) (Object)");
}

// file_live_test asks the engines.
TEST(RewriteResource, SubResourcesWithOneIdAreReadAsEnginesReadThem) {
    const std::string_view text =
        "[gd_resource type=\"Gradient\" load_steps=4 format=3]\n\n[sub_resource type=\"Curve\" "
        "id=\"x\"]\na = 1\n\n[sub_resource type=\"Curve\" id=\"y\"]\n\n[sub_resource "
        "type=\"Gradient\" id=\"x\"]\na = 2\n\n[resource]\nb = 3\n";
    const auto read = read_resource(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->value["sub"]["x"]["a"], Variant(1));
    EXPECT_EQ(set(resource_file, text, "$.sub.x.a", 7), with(text, "a = 1", "a = 7"));
    EXPECT_EQ(set(resource_file, text, "$.sub.x", {}),
              "[gd_resource type=\"Gradient\" load_steps=2 format=3]\n\n[sub_resource "
              "type=\"Curve\" id=\"y\"]\n\n[resource]\nb = 3\n");
    const auto told = find_repeats(read->value, TextFamily::godot_4);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].path, "$.sub.x");
    EXPECT_NE(told[0].meaning.find("first"), std::string_view::npos);
}

TEST(RewriteResource, NodesAtOnePathAreAllThere) {
    const std::string_view text =
        "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n\n[node name=\"A\" "
        "type=\"Node\" parent=\".\"]\na = 1\n\n[node name=\"B\" type=\"Node\" "
        "parent=\"A\"]\n\n[node name=\"A\" type=\"Node2D\" parent=\".\"]\na = 2\n\n[node "
        "name=\"A\" parent=\".\"]\na = 3\n";
    const auto read = read_resource(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->value["node"]["A"]["properties"]["a"], Variant(1));
    EXPECT_EQ(read->value["node"]["A:2"]["properties"]["a"], Variant(2));
    EXPECT_EQ(read->value["node"]["A:3"]["properties"]["a"], Variant(3));
    EXPECT_EQ(set(resource_file, text, "$.node.A.properties.a", 7), with(text, "a = 1", "a = 7"));
    const std::string second = "[node name=\"A\" type=\"Node2D\" parent=\".\"]\na = 2\n\n";
    EXPECT_EQ(set(resource_file, text, "$.node[\"A:2\"]", {}), with(text, second, ""));
    EXPECT_EQ(set(resource_file, text, "$.node[\"A:2\"].name", "C"),
              with(text, "\"A\" type=\"Node2D\"", "\"C\" type=\"Node2D\""));
    // The children are those of the first node.
    EXPECT_EQ(set(resource_file, text, "$.node.A.name", "C"),
              with(with(text, "\"A\" type=\"Node\"", "\"C\" type=\"Node\""), "parent=\"A\"",
                   "parent=\"C\""));
    EXPECT_EQ(without_code(set(resource_file, text, "$.node.A", {})),
              "$.node[\"A/B\"].parent: it leads to a node that goes");
    const auto told = find_repeats(read->value, TextFamily::godot_4);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].path, "$.node.A");
}

TEST(RewriteResource, EveryRepeatHasItsOwnMeaning) {
    const auto meaning = [](std::string_view tags, TextFamily family) {
        const auto read = read_resource(
            "[gd_scene format=2]\n[ext_resource path=\"a\" type=\"A\" id=1]\n" + std::string(tags),
            {.family = family});
        EXPECT_TRUE(read) << tags;
        const auto told = find_repeats(read->value, family);
        EXPECT_EQ(told.size(), 1u) << tags;
        return told.empty() ? std::string() : told[0].path + ": " + std::string(told[0].meaning);
    };
    const std::string root = "[node name=\"R\" type=\"Node\"]\n";
    const std::string ext =
        meaning("[ext_resource path=\"b\" type=\"A\" id=1]\n" + root, TextFamily::godot_3_6);
    EXPECT_EQ(ext, "$.ext[1]: engines take the last ext_resource of an id");
    EXPECT_TRUE(meaning(root + root, TextFamily::godot_4)
                    .starts_with("$.node[\".\"]: a scene has one root"));
    const std::string a = "[node name=\"A\" type=\"Node\" parent=\".\"]\n";
    EXPECT_NE(meaning(root + a + a, TextFamily::godot_4).find("the last one"), std::string::npos);
    EXPECT_NE(meaning(root + a + a, TextFamily::godot_3_6).find("one name"), std::string::npos);
    EXPECT_NE(meaning(root + a + "[node name=\"A\" parent=\".\"]\n", TextFamily::godot_3_6)
                  .find("on one node"),
              std::string::npos);
    EXPECT_TRUE(find_repeats(Variant(3), TextFamily::godot_4).empty());
}

TEST(RewriteConfig, AKeyThatGetsAnotherNameKeepsItsLine) {
    const auto renamed = [](std::string_view text, std::string_view path, const char* key,
                            TextFamily family) {
        return changed(config_file, text, family, [&](Variant& value) {
            const PackedByteArray packet = packet_of(value, family);
            const DecodeOptions options = reading_of(family);
            const auto made = inspect::rename_key(as_bytes(packet), path, key, options);
            ASSERT_TRUE(made) << path << to_string(made.error());
            value = *decode(as_bytes(*made), options);
        });
    };
    for (const TextFamily family : {TextFamily::godot_4, TextFamily::godot_3_6}) {
        for (const char* text :
             {"[s]\nOLD=1 ; loud\nb=2\n", "[s]\nOLD = 1 ; loud\n", "[s]\nOLD=[ 1, ; one\n2 ]\n",
              "[s]\nb=1 ; first\nOLD=1 ; loud\nc=1 ; last", "[s]\nOLD=\"x\" ; \"y\"\nb=2",
              "; top\n[s] ; header\n OLD = 1 ; loud\n[t]\nb=3\n", "[s]\nb=1\n[t]\n[s]\nOLD=1 ; c\n",
              "[s]\nOLD=1 ; first\nb=2\nOLD=3 ; second\n", "[s]\n\"OLD\"=1 ; c\n"}) {
            std::string old(text), made(text);
            for (std::size_t at; (at = old.find("OLD")) != old.npos;)
                old.replace(at, 3, "old");
            for (std::size_t at; (at = made.find("OLD")) != made.npos;)
                made.replace(at, 3, "loudness");
            for (std::size_t at; (at = made.find("\"loudness\"")) != made.npos;)
                made.replace(at, 10, "loudness");
            EXPECT_EQ(renamed(old, "$.s.old", "loudness", family), made) << text;
        }
    }
}

TEST(RewriteConfig, AKeyThatGetsAnotherNameAndValueKeepsItsLine) {
    const auto both = [](std::string_view text, std::string_view path, const char* key,
                         std::string_view then, const Variant& value) {
        return changed(config_file, text, TextFamily::godot_4, [&](Variant& config) {
            const PackedByteArray packet = packet_of(config, TextFamily::godot_4);
            const DecodeOptions options = reading_of(TextFamily::godot_4);
            const auto named = inspect::rename_key(as_bytes(packet), path, key, options);
            ASSERT_TRUE(named) << path << to_string(named.error());
            const auto made = inspect::set_value(as_bytes(*named), then, value, options);
            ASSERT_TRUE(made) << then << to_string(made.error());
            config = *decode(as_bytes(*made), options);
        });
    };
    const std::string_view text =
        "; top\n[s] ; header\na=1 ; first\nb={\n\"x\": 1, ; inside\n\"y\": 2\n} ; second\nc=3 ; "
        "last\n\n; next\n[t]\nd=4 ; loud\n";
    EXPECT_EQ(both(text, "$.s.a", "n", "$.s.n", 7), with(text, "a=1", "n=7"));
    EXPECT_EQ(both(text, "$.s.c", "n", "$.s.n", 7), with(text, "c=3", "n=7"));
    EXPECT_EQ(both(text, "$.s.b", "n", "$.s.n.x", 7), with(with(text, "b={", "n={"), "1,", "7,"));
    EXPECT_EQ(both(text, "$.s.b.x", "n", "$.s.b.n", 7), with(text, "\"x\": 1,", "\"n\": 7,"));
    EXPECT_EQ(both(text, "$.t", "u", "$.u.d", 7), with(with(text, "[t]", "[u]"), "d=4", "d=7"));
    EXPECT_EQ(both(text, "$.t", "u", "$.u.e", 7),
              with(text, "[t]\nd=4 ; loud\n", "[u]\nd=4 ; loud\ne=7\n"));
    // Another type, and a key that went while another one came elsewhere.
    EXPECT_EQ(set(config_file, with(text, "c=3 ; last\n", ""), "$.t.e", 1),
              with(with(text, "c=3 ; last\n", ""), "loud\n", "loud\ne=1\n"));
    const std::string other = changed(config_file, text, TextFamily::godot_4, [](Variant& config) {
        Dictionary& pairs = *config.get_if<Dictionary>()->find("s")->get_if<Dictionary>();
        pairs.erase("a");
        pairs.append("n", 1.5);
    });
    EXPECT_EQ(other, with(with(text, "a=1 ; first\n", ""), "last\n", "last\nn=1.5\n"));
}

TEST(RewriteSections, WithoutAChangeEveryByteStays) {
    std::size_t texts = 0;
    for (const Recording& recording : text_engines())
        for (const RecordedText& line : texts_of(recording)) {
            const SectionsKind& kind =
                line.kind == RecordedText::config ? config_file : resource_file;
            const auto read = kind.read(line.text, {.family = recording.family});
            if (!read)
                continue;
            const auto made = with_value(kind, line.text, recording.family, *read, read->value);
            EXPECT_TRUE(made && *made == line.text) << line.text;
            ++texts;
        }
    EXPECT_GT(texts, 1600u);
}

/// Random changes are made, or refused for a reason that the text gives. That what is made is read
/// to the changed value has been checked by `rewrite_config` and `rewrite_resource` themselves.
TEST(RewriteSections, RandomChangesOfRecordedTexts) {
    // A resource that something refers to goes; a null gets another key; the value in front of a
    // key without a space (`a=1b=2`) becomes a word; a text that ends with garbage gets a section;
    // sections change places.
    const std::set<std::string> reasons = {
        "error[bad_reference]: no ext_resource has this id (Object)",
        "error[bad_reference]: a scene has a root",
        "error[bad_reference]: another node of this name is there already",
        "error[bad_reference]: the parent does not stand above it",
        "error[bad_reference]: there is no such node",
        "error[bad_reference]: it leads to a node that goes",
        "error[bad_reference]: no sub_resource above has this id (Object)",
        "error[misplaced]: a section that stands several times can't change its place",
        "error[not_in_dialect]: in a ConfigFile null erases the key: remove the key",
        "error[unknown_constructor]: no type or constructor has this name",
        "error[unknown_constructor]: no value has this name; texts stand in double quotes",
        "error[not_in_dialect]: the engine would read the changed text as another value"};
    int made = 0, changes = 0;
    for (const Recording& recording : text_engines())
        for (const RecordedText& line : texts_of(recording)) {
            const SectionsKind& kind =
                line.kind == RecordedText::config ? config_file : resource_file;
            const auto read = kind.read(line.text, {.family = recording.family});
            if (!read)
                continue;
            for (int k = 0; k < 6; ++k) {
                SectionChanges random(static_cast<std::uint64_t>(++changes));
                random.numbers = recording.family != TextFamily::godot_4;
                Variant value = read->value;
                random.change(value, kind);
                const auto text = with_value(kind, line.text, recording.family, *read, value);
                made += text.has_value();
                if (text)
                    continue;
                EXPECT_TRUE(reasons.contains(to_string(text.error().error)))
                    << to_string(text.error()) << "\n"
                    << line.text;
            }
        }
    EXPECT_GT(changes, 10'000);
    EXPECT_GT(made, changes * 99 / 100);
}

// A value at a place without an element of the type may be anything.
TEST(RewriteConfig, ElementsThatATypedContainerDoesNotTakeChange) {
    const std::string text = "[a]\nx=Array[int]([\"one\", 2])\ny=Dictionary[String, int]({1: 5})\n";
    const auto with = [&](const char* old_part, const char* new_part) {
        std::string out = text;
        return out.replace(out.find(old_part), std::string_view(old_part).size(), new_part);
    };
    const auto change = [&](auto&& edit) {
        return changed(config_file, text, TextFamily::godot_4, [&](Variant& value) {
            edit(*value.get_if<Dictionary>()->find("a")->get_if<Dictionary>());
        });
    };
    EXPECT_EQ(change([](Dictionary& a) { (*a.find("x"))[0] = "two"; }), with("one", "two"));
    EXPECT_EQ(change([](Dictionary& a) { a.find("y")->get_if<Dictionary>()->begin()->value = 6; }),
              with("1: 5", "1: 6"));
    // Elements that Godot converts are read so, whether or not another one does not fit.
    const std::string some =
        "[a]\nx=Array[int]([1.5, \"q\", true])\n"
        "y=Dictionary[String, float]({&\"k\": 1, 2: \"q\"})\n";
    EXPECT_EQ(set(config_file, some, "$.a.x[1]", 3), ::gdvar::test::with(some, "\"q\", t", "3, t"));
    EXPECT_EQ(set(config_file, some, "$.a.x[1]", {}), ::gdvar::test::with(some, "\"q\", t", "t"));
    EXPECT_EQ(set(config_file, some, "$.a.x[0]", 7), ::gdvar::test::with(some, "1.5", "7"));
    EXPECT_EQ(set(config_file, some, "$.a.y[2]", {}), ::gdvar::test::with(some, ", 2: \"q\"", ""));
    EXPECT_EQ(set(config_file, some, "$.a.y.k", 7.5), ::gdvar::test::with(some, "1,", "7.5,"));
    EXPECT_EQ(change([](Dictionary& a) { (*a.find("x"))[1] = "two"; }),
              "$.a.x[1]: error[wrong_type]: the typed container does not take it (String)");
}

}  // namespace
}  // namespace gdvar::test
