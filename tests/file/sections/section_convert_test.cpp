// ConfigFiles and text resources for engines of another family.
#include "gdvar/file/sections_convert.hpp"

#include <gtest/gtest.h>

#include "support/sections.hpp"
#include "support/texts.hpp"

namespace gdvar::test {
namespace {

/// The converted text, with its losses and renames behind it.
std::string shown(const SectionsKind& kind, std::string_view text, TextFamily from,
                  const Dialect& to) {
    const auto made = converted(kind, text, from, to);
    if (!made)
        return made.error();
    std::string out = made->text;
    for (const inspect::Loss& loss : made->losses)
        out += "- " + loss.path + ": " + loss.what + "; it " + loss.substitution + "\n";
    for (const inspect::Rename& rename : made->renames)
        out += "* " + rename.path + ": " + rename.from + " " + rename.to + "\n";
    return out;
}
std::string shown(const SectionsKind& kind, std::string_view text, TextFamily from, TextFamily to) {
    return shown(kind, text, from, sections_dialect(to));
}
constexpr TextFamily three = TextFamily::godot_3_6, four = TextFamily::godot_4;

TEST(ConvertConfig, WhatMeansTheSameStaysAsItIs) {
    EXPECT_EQ(shown(config_file,
                    "; mine\r\n[a]\r\nx = Vector2( 1, 2.50 ) ; same\r\n"
                    "y={ \"k\": PoolIntArray( 1, 2 ), ; list\r\n Quat( 0, 0, 0, 1 ): 1 }\r\n"
                    "z=#ff00ff80 \r\n[]\r\nw=\"\\u00e9\"",
                    three, four),
              "; mine\r\n[a]\r\nx = Vector2( 1, 2.50 ) ; same\r\n"
              "y={ \"k\": PackedInt32Array(1, 2), ; list\r\n Quaternion(0, 0, 0, 1): 1 }\r\n"
              "z=Color(0, 1, 0.5019608, 1) \r\n[]\r\nw=\"é\"");
    EXPECT_EQ(shown(config_file,
                    "[a]\nx=Vector2i(1, 2)\ny=[1, &\"n\", 0.5] ; c\n"
                    "z=PackedByteArray(\"AQI=\")\nw=Array[int]([1])\nv=RID()\n",
                    four, three),
              "[a]\nx=Vector2( 1, 2 )\ny=[1, \"n\", 0.5] ; c\n"
              "z=PoolByteArray( 1, 2 )\nw=[ 1 ]\nv=null\n"
              "- $.a.x: Vector2i does not exist in godot-3.1; it becomes a Vector2\n"
              "- $.a.y[1]: StringName does not exist in godot-3.1; it becomes a String\n"
              "- $.a.w: the element type of an Array; it loses it\n"
              "- $.a.v: RID, which has no text in Godot 3; it becomes null\n");
    EXPECT_EQ(shown(config_file, "[a]\nx=1\n", three, four), "[a]\nx=1\n");
    EXPECT_EQ(shown(config_file, "[a]\nx=Object(Reference,\"script\":null)\n", three, four),
              "[a]\nx=Object(RefCounted,\"script\":null)\n"
              "* $.a.x: Reference RefCounted\n");
}

TEST(ConvertConfig, OlderEnginesOfAFamilyHaveFewerTypes) {
    constexpr std::string_view text =
        "[a]\nx=Dictionary[String, int]({\"k\": 1}) ; kept\ny=[1, Dictionary[int, "
        "Array]({1: [2]})]\nz=Array[int]([3])\nv=PackedVector4Array(1, 2, 3, 4)\n";
    constexpr std::string_view untyped =
        "[a]\nx={\n\"k\": 1\n} ; kept\ny=[1, {\n1: [2]\n}]\nz=Array[int]([3])\n";
    constexpr std::string_view losses =
        "- $.a.x: the key and value types of a Dictionary; it loses them\n"
        "- $.a.y[1]: the key and value types of a Dictionary; it loses them\n";
    EXPECT_EQ(shown(config_file, text, four, dialects::godot_4_4), text);
    EXPECT_EQ(shown(config_file, text, four, dialects::godot_4_3),
              std::string(untyped) + "v=PackedVector4Array(1, 2, 3, 4)\n" + std::string(losses));
    EXPECT_EQ(shown(config_file, text, four, dialects::godot_4_0),
              std::string(untyped) + "v=[Vector4(1, 2, 3, 4)]\n" + std::string(losses) +
                  "- $.a.v: PackedVector4Array does not exist in godot-4.0; it becomes an Array\n");
    // Before 4.3 byte arrays have no Base64, and resources no format 4.
    EXPECT_EQ(
        shown(config_file, "[a]\nb=PackedByteArray(\"AQI=\")\nc=[PackedByteArray(\"AQ==\")]\n",
              four, dialects::godot_4_0),
        "[a]\nb=PackedByteArray(1, 2)\nc=[PackedByteArray(1)]\n");
    const std::string newer = "[gd_resource type=\"Resource\" format=4]\n\n[resource]\n";
    EXPECT_EQ(
        shown(resource_file, newer + "b = PackedByteArray(\"AQI=\")\n", four, dialects::godot_4_0),
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nb = PackedByteArray(1, 2)\n");
    EXPECT_EQ(
        shown(resource_file, newer + "b = PackedByteArray(\"AQI=\")\n", four, dialects::godot_4_3),
        newer + "b = PackedByteArray(\"AQI=\")\n");
    const std::string tags = "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n";
    EXPECT_EQ(
        shown(resource_file, tags + "x = Dictionary[String, int]({})\n", four, dialects::godot_4_3),
        tags +
            "x = {}\n- $.resource.x: the key and value types of a Dictionary; it loses "
            "them\n");
}

TEST(ConvertConfig, TypedArraysOfPandemonium) {
    constexpr TextFamily pandemonium = TextFamily::pandemonium;
    EXPECT_EQ(
        shown(config_file,
              "[a]\nx=Array[int]([1, 2]) ; c\n"
              "y=[Array[Vector2i]([ Vector2i(1, 2)]), Array[int]([])]\n"
              "z=Array[Array]([[1], Array[Quaternion]([])])\n"
              "w={\"k\": Array[String]([\"]([\"] ), \"l\": 1}\nv=Dictionary[int, int]({1: 2})\n"
              "u=Array[StringName]([&\"a\"])\n",
              four, pandemonium),
        "[a]\nx=TypedArray( int , 1, 2 ) ; c\n"
        "y=[TypedArray( Vector2i ,  Vector2i(1, 2) ), TypedArray( int ,  )]\n"
        "z=TypedArray( Array , [1], TypedArray( Quaternion ,  ) )\n"
        "w={\"k\": TypedArray( String , \"]([\" ), \"l\": 1}\nv={\n1: 2\n}\n"
        "u=TypedArray( StringName , @\"a\" )\n"
        "- $.a.v: the key and value types of a Dictionary; it loses them\n");
    EXPECT_EQ(
        shown(config_file,
              "[a]\nx=TypedArray( int , 1, 2 ) ; c\ny=[TypedArray(int), TypedArray( int , ),\n"
              "TypedArray(Color,Color(1,0,0,1),) ]\nz=PackedTypedArray( int , 1 )\n",
              pandemonium, four),
        "[a]\nx=Array[int]([ 1, 2 ]) ; c\ny=[Array[int]([]), Array[int]([ ]),\n"
        "Array[Color]([Color(1,0,0,1),]) ]\nz=Array[int]([1])\n"
        "- $.a.z: PackedTypedArray does not exist in godot-4.4; it becomes an Array\n");
    EXPECT_EQ(shown(resource_file,
                    "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n"
                    "x = Array[int]([1])\n",
                    four, pandemonium),
              "[gd_resource type=\"Resource\" format=2]\n\n[resource]\n"
              "x = TypedArray( int , 1 )\n");
}

/// Godot 3.2 reads nan and inf only outside of brackets, and -inf nowhere.
TEST(ConvertConfig, NumbersThatOldEnginesDoNotRead) {
    EXPECT_EQ(
        shown(config_file,
              "[a]\nx=Vector2(nan, 1)\ny=[Color(1, inf, 0, 1), -inf, inf, nan]\n"
              "z=PackedFloat32Array(nan, 1, -inf)\nw=Array[float]([-inf])\n",
              four, TextFamily::godot_3_2),
        "[a]\nx=Vector2( 0, 1 )\n"
        "y=[Color( 1, 3.4028235e+38, 0, 1 ), -3.402823466385289e38, inf, nan]\n"
        "z=PoolRealArray( 0, 1, -3.4028235e+38 )\nw=[ -3.402823466385289e38 ]\n"
        "- $.a.x: -inf, or nan or inf in brackets, which Godot 3.2 and older do not read; it "
        "becomes 0, or 3.4028235e+38 with its sign\n"
        "- $.a.y[0]: -inf, or nan or inf in brackets, which Godot 3.2 and older do not read; it "
        "becomes 0, or 3.4028235e+38 with its sign\n"
        "- $.a.y[1]: -inf, or nan or inf in brackets, which Godot 3.2 and older do not read; it "
        "becomes 0, or 3.4028235e+38 with its sign\n"
        "- $.a.z: -inf, or nan or inf in brackets, which Godot 3.2 and older do not read; it "
        "becomes 0, or 3.4028235e+38 with its sign\n"
        "- $.a.w: the element type of an Array; it loses it\n"
        "- $.a.w[0]: -inf, or nan or inf in brackets, which Godot 3.2 and older do not read; it "
        "becomes 0, or 3.4028235e+38 with its sign\n");
    EXPECT_EQ(shown(config_file, "[a]\nx=Vector2(nan, -inf)\ny=[-inf]\n", four, three),
              "[a]\nx=Vector2( nan, inf_neg )\ny=[inf_neg]\n");
}

// Both engines load what is at the path, and refuse the rest of the file where nothing is.
TEST(ConvertConfig, ReferencesToResources) {
    EXPECT_EQ(
        shown(config_file,
              "[a]\nx=Resource( \"res://x.tres\")\ny=[ ExtResource( 1 ) ]\n"
              "z=Object(Reference,\"r\":SubResource( 2 ))\n",
              three, four),
        "[a]\nx=Resource( \"res://x.tres\")\ny=[ ExtResource( 1 ) ]\n"
        "z=Object(RefCounted,\"r\":SubResource( 2 ))\n"
        "- $.a.x: Resource, which is the resource at that path; it needs the resource there: "
        "else engines refuse the file from there on\n"
        "- $.a.y[0]: ExtResource by number, which no ConfigFile can load; it ends the reading: "
        "engines refuse the file from there on\n"
        "- $.a.z.r: SubResource by number, which no ConfigFile can load; it ends the reading: "
        "engines refuse the file from there on\n"
        "* $.a.z: Reference RefCounted\n");
}

TEST(ConvertConfig, NamesOfSections) {
    EXPECT_EQ(shown(config_file, "[a\\b]\nx=1\n[é]\ny=1\n", three, four),
              "[a\\b]\nx=1\n[é]\ny=1\n");
    EXPECT_EQ(shown(config_file, "[\xE9]\nx=1\n", TextFamily::godot_3_2, four), "[é]\nx=1\n");
    EXPECT_EQ(shown(config_file, "[a\\]]\nx=1\n", four, three),
              "$[\"a]\"]: error[not_in_dialect]: Godot 3 has no form for ] in a section's name");
    EXPECT_EQ(shown(config_file, "[a\\]\nx=1\n", three, four),
              "$[\"a\\\\\"]: error[not_in_dialect]: to Godot 4 a header that ends with \\] has no "
              "end");
}

constexpr std::string_view old_scene =
    "[gd_scene load_steps=3 format=2]\n"
    "\n"
    "[ext_resource path=\"res://a.png\" type=\"Texture\" id=7] ; picture\n"
    "\n"
    "[sub_resource type=\"BoxShape\" id=1]\n"
    "; half\n"
    "x = PoolVector2Array( 1, 2 )\n"
    "\n"
    "[node name=\"World\" type=\"Spatial\" groups=[\n\"g\",\n]]\n"
    "translation = Vector3( 1, 2, 3 ) ; here\n"
    "shape = [ SubResource( 1 ), { ExtResource( 7 ): 1 } ] ; both\n"
    "__meta__ = {\n\"a\": ExtResource( 7 ),\n\"b c\": 1\n}\n"
    "\n"
    "[connection signal=\"s\" from=\".\" to=\".\" method=\"m\" binds= [ 1 ]]\n";

TEST(ConvertResource, FromGodot3) {
    EXPECT_EQ(shown(resource_file, old_scene, three, four),
              "[gd_scene load_steps=3 format=3]\n"
              "\n"
              "[ext_resource path=\"res://a.png\" type=\"Texture2D\" id=\"7\"] ; picture\n"
              "\n"
              "[sub_resource type=\"BoxShape3D\" id=\"1\"]\n"
              "; half\n"
              "x = PackedVector2Array(1, 2)\n"
              "\n"
              "[node name=\"World\" type=\"Node3D\" groups=[\n\"g\",\n]]\n"
              "position = Vector3( 1, 2, 3 ) ; here\n"
              "shape = [ SubResource(\"1\"), { ExtResource(\"7\"): 1 } ] ; both\n"
              "metadata/a = ExtResource(\"7\")\n"
              "\n"
              "[connection signal=\"s\" from=\".\" to=\".\" method=\"m\" binds= [ 1 ]]\n"
              "- $.node[\".\"].properties.__meta__[\"b c\"]: metadata whose name is no identifier; "
              "it is left out\n"
              "* $.sub[1]: BoxShape BoxShape3D\n"
              "* $.node[\".\"].properties: Spatial Node3D\n"
              "* $.node[\".\"].properties.translation: translation position\n"
              "* $.ext[7].type: Texture Texture2D\n");
}

TEST(ConvertResource, FromGodot4) {
    EXPECT_EQ(
        shown(resource_file,
              "[gd_resource type=\"BoxShape3D\" script_class=\"C\" format=4 uid=\"uid://a\"]\n"
              "\n"
              "[ext_resource type=\"Script\" uid=\"uid://b\" path=\"res://c.gd\" id=\"1_a\"]\n"
              "[ext_resource type=\"Script\" path=\"res://d.gd\" id=\"1\"]\n"
              "\n"
              "[sub_resource type=\"Resource\" id=\"R_x\"]\n"
              "\n"
              "[resource]\n"
              "script = ExtResource(\"1_a\") ; this\n"
              "list = Array[ExtResource(\"1\")]([SubResource(\"R_x\")])\n"
              "metadata/a = 1\n"
              "n = -2\n"
              "metadata/b = PackedByteArray(\"AQI=\")\n",
              four, three),
        "[gd_resource type=\"BoxShape\" script_class=\"C\" format=2 uid=\"uid://a\"]\n"
        "\n"
        "[ext_resource type=\"Script\" uid=\"uid://b\" path=\"res://c.gd\" id=2]\n"
        "[ext_resource type=\"Script\" path=\"res://d.gd\" id=1]\n"
        "\n"
        "[sub_resource type=\"Resource\" id=1]\n"
        "\n"
        "[resource]\n"
        "script = ExtResource( 2 ) ; this\n"
        "list = [ SubResource( 1 ) ]\n"
        "__meta__ = {\n\"a\": 1,\n\"b\": PoolByteArray( 1, 2 )\n}\n"
        "n = -2\n"
        "- $.resource.list: the element type of an Array; it loses it\n"
        "* $.resource: BoxShape3D BoxShape\n");
    EXPECT_EQ(
        shown(resource_file,
              "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" "
              "node_paths=PackedStringArray(\"x\")]\n",
              four, three),
        "[gd_scene format=2]\n\n[node name=\"A\" type=\"Node\" "
        "node_paths=PoolStringArray( \"x\" )]\n"
        "- $.node[\".\"].node_paths: the attribute node_paths, which Godot 3 does not know; it "
        "has no effect\n");
}

TEST(ConvertResource, ThereAndBack) {
    const auto there = converted(resource_file, old_scene, three, four);
    ASSERT_TRUE(there);
    const auto back = converted(resource_file, there->text, four, three);
    ASSERT_TRUE(back) << back.error();
    EXPECT_NE(
        back->text.find("[ext_resource path=\"res://a.png\" type=\"Texture\" id=7] ; picture"),
        std::string::npos);
    EXPECT_NE(back->text.find("translation = Vector3( 1, 2, 3 ) ; here"), std::string::npos);
    EXPECT_NE(back->text.find("shape = [ SubResource( 1 ), { ExtResource( 7 ): 1 } ] ; both"),
              std::string::npos);
}

/// Every recorded text is converted, but for names of sections that the target can't express. That
/// the target reads the result as the converted value has been checked by the functions themselves.
TEST(ConvertSections, EveryRecordedText) {
    std::size_t texts = 0, refused = 0;
    for (const Recording& recording : std::span(recordings).first(3)) {
        const TextFamily to = recording.family == four ? three : four;
        for (const RecordedText& line : texts_of(recording)) {
            const SectionsKind& kind =
                line.kind == RecordedText::config ? config_file : resource_file;
            if (!kind.read(line.text, {.family = recording.family}))
                continue;
            ++texts;
            const auto made = converted(kind, line.text, recording.family, to);
            refused += !made;
            EXPECT_TRUE(made || made.error().find("section's name") != std::string::npos ||
                        made.error().find("has no end") != std::string::npos ||
                        made.error().find("have no name") != std::string::npos ||
                        made.error().find("unexpected character") != std::string::npos)
                << made.error() << "\n"
                << line.text;
            const auto same = converted(kind, line.text, recording.family, recording.family);
            EXPECT_TRUE(!same || (same->losses.empty() && same->renames.empty())) << line.text;
        }
    }
    EXPECT_GT(texts, 1600u);
    EXPECT_LT(refused, 40u);
}

}  // namespace
}  // namespace gdvar::test
