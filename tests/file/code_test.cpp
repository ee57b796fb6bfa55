// Code in saves: what engines run, load or make when they open one.
#include "gdvar/file/code.hpp"

#include <gtest/gtest.h>

#include "gdvar/value/codec.hpp"
#include "support/data.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

/// "embedded_script $.a GDScript\n", a line for each place.
std::string lines(const CodeReport& report) {
    std::string out;
    for (const FoundCode& found : report.first)
        out += std::string(code_kind_info(found.kind).name) + " " + found.path + " " + found.what +
               "\n";
    EXPECT_EQ(report.count, report.first.size());
    return out;
}

std::string code_in(ByteView bytes, InputKind as = InputKind::unknown) {
    SaveOptions options;
    options.as = as;
    const auto save = read_save(bytes, options);
    if (!save)
        return to_string(save.error());
    const auto report = find_code(*save);
    return report ? lines(*report) : to_string(report.error());
}
std::string code_in(std::string_view text, InputKind as = InputKind::unknown) {
    return code_in(as_bytes(text), as);
}

TEST(Code, IsFoundInTexts) {
    const struct {
        std::string_view text, code;
    } cases[] = {
        // Values of a ConfigFile, or of var_to_str.
        {"[a]\nx=Object(GDScript,\"script/source\":\"extends Node\\nfunc _init(): "
         "pass\",\"script\":null)\ny=1\n",
         "embedded_script $.a.x GDScript\n"},
        {"[a]\nx=Resource(\"res://save.gd\")\ny=Resource(\"res://SAVE.GDC\")\n",
         "loaded_script $.a.x res://save.gd\nloaded_script $.a.y res://SAVE.GDC\n"},
        {"[a]\nx=[{\"k\": [Resource(\"res://x.cs\")]}]\n",
         "loaded_script $.a.x[0].k[0] res://x.cs\n"},
        {"[a]\nx={Resource(\"res://x.gd\"): 1}\n", "loaded_script $.a.x[@0 key] res://x.gd\n"},
        {"[a]\nx=Resource(\"res://a.tres\")\ny=Resource(\"uid://abc\")\nz=1\n", ""},
        {"[a]\nx=Resource(\"user://a.tres\")\ny=Resource(\"/tmp/a.png\")\n",
         "outside_file $.a.x user://a.tres\noutside_file $.a.y /tmp/a.png\n"},
        {"[a]\nx=Resource(\"res://../a.tres\")\ny=Resource(\"res://a..b/c...tres\")\n",
         "outside_file $.a.x res://../a.tres\n"},
        // Without a resource around it, an engine takes these for paths.
        {"[a]\nx=ExtResource(\"res://a.gd\")\ny=SubResource(\"user://b.tres\")\n",
         "loaded_script $.a.x res://a.gd\noutside_file $.a.y user://b.tres\n"},
        {"[a]\nx=Object(Resource,\"gold\":1,\"script\":Resource(\"res://save.gd\"))\n",
         "loaded_script $.a.x.script res://save.gd\n"},
        {"[a]\nx=Object(Resource,\"gold\":1,\"script\":Resource(\"res://save.tres\"))\n",
         "loaded_script $.a.x.script res://save.tres\n"},
        {"[a]\nx=Object(Resource,\"gold\":1,\"script\":Resource(\"uid://abc\"))\n",
         "loaded_script $.a.x.script uid://abc\n"},
        {"[a]\nx=Object(Resource,\"script\":Object(GDScript,\"script/source\":\"\"))\n",
         "embedded_script $.a.x.script GDScript\n"},
        {"[a]\nx=Object(Resource,\"gold\":1,\"script\":null)\nscript=1\ny={\"script\": \"x\"}\n",
         ""},
        {"[a]\nx=Object(Node,\"name\":\"x\")\n", "made_object $.a.x Node\n"},
        {"[a]\nx=Object(Node,\"pet\":Object(HTTPRequest,\"n\":1))\n",
         "made_object $.a.x Node\nmade_object $.a.x.pet HTTPRequest\n"},
        {"[a]\nx=Object(GDExtension,\"n\":1)\ny=Object(GDNativeLibrary,\"n\":1)\n",
         "embedded_script $.a.x GDExtension\nembedded_script $.a.y GDNativeLibrary\n"},
        {"[a]\nx=Array[Resource(\"res://pet.gd\")]([])\n", "loaded_script $.a.x res://pet.gd\n"},
        {"[a]\nx=Dictionary[String, Resource(\"res://pet.gd\")]({})\ny=Array[Node]([])\n",
         "loaded_script $.a.x res://pet.gd\n"},
        {"{\"a\": Object(CSharpScript,\"n\":1)}\n", "embedded_script $.a CSharpScript\n"},
        // JSON makes no objects.
        {"{\"type\": \"GDScript\", \"script\": \"res://x.gd\", \"Object\": \"Node\"}", ""},
        // The input map that every project.godot has.
        {"config_version=5\n\n[application]\n\nconfig/name=\"Game\"\n\n[autoload]\n\n"
         "Global=\"*res://global.gd\"\n\n[input]\n\njump={\n\"deadzone\": 0.5,\n\"events\": "
         "[Object(InputEventKey,\"resource_local_to_scene\":false,\"resource_name\":\"\","
         "\"device\":-1,"
         "\"window_id\":0,\"alt_pressed\":false,\"pressed\":false,\"keycode\":0,\"physical_"
         "keycode\":32,"
         "\"unicode\":0,\"echo\":false,\"script\":null)\n, "
         "Object(InputEventJoypadButton,\"device\":-1,\"button_index\":0,\"script\":null)\n, "
         "Object(InputEventShortcut,\"shortcut\":Object(Shortcut,\"events\":[],\"script\":null),"
         "\"script\":null)\n]\n}\n",
         ""},
    };
    for (const auto& [text, code] : cases)
        EXPECT_EQ(code_in(text), code) << text;
}

TEST(Code, IsFoundInResourcesAndScenes) {
    const struct {
        std::string_view text, code;
    } cases[] = {
        {"[gd_resource type=\"Resource\" load_steps=3 format=3]\n\n[sub_resource type=\"GDScript\" "
         "id=\"1\"]\nscript/source = \"extends Resource\nfunc _init():\n\tprint(1)\n\"\n\n"
         "[sub_resource type=\"Resource\" id=\"2\"]\nscript = SubResource(\"1\")\n\n[resource]\n"
         "gold = 10\nextra = SubResource(\"2\")\n",
         "embedded_script $.sub[\"1\"] GDScript\nloaded_script $.sub[\"2\"].script "
         "SubResource(\"1\")\n"},
        {"[gd_resource type=\"GDScript\" format=3]\n[resource]\nscript/source = \"\"\n",
         "embedded_script $.resource GDScript\n"},
        {"[gd_resource type=\"Resource\" script_class=\"Save\" load_steps=2 format=3]\n"
         "[ext_resource type=\"Script\" path=\"res://save.gd\" id=\"1_a\"]\n[resource]\n"
         "script = ExtResource(\"1_a\")\ngold = 5\npets = Array[ExtResource(\"1_a\")]([])\n",
         "loaded_script $.ext[\"1_a\"] res://save.gd\nloaded_script $.resource.script "
         "ExtResource(\"1_a\")\nloaded_script $.resource.pets ExtResource(\"1_a\")\n"},
        // A type that lies, an address in place of a path, files beside the save.
        {"[gd_resource type=\"Resource\" format=3]\n"
         "[ext_resource type=\"Texture2D\" path=\"user://evil.gd\" id=\"1\"]\n"
         "[ext_resource type=\"GDScript\" uid=\"uid://abc\" path=\"\" id=\"2\"]\n"
         "[ext_resource type=\"PackedScene\" path=\"evil.tscn\" id=\"3\"]\n"
         "[ext_resource type=\"Texture2D\" path=\"res://icon.png\" id=\"4\"]\n[resource]\n",
         "loaded_script $.ext[\"1\"] user://evil.gd\nloaded_script $.ext[\"2\"] GDScript\n"
         "outside_file $.ext[\"3\"] evil.tscn\n"},
        // Engines make a text of a NodePath, take the last of two paths, and leave the game by an
        // empty name.
        {"[gd_resource type=\"Resource\" format=2]\n[ext_resource path=NodePath(\"/tmp/x.tres\") "
         "type=\"Resource\" id=1]\n[ext_resource path=\"res://x.png\" path=NodePath(\"/tmp/y.gd\") "
         "type=\"Resource\" id=2]\n[ext_resource path=\"res:///tmp/z.tres\" type=\"Resource\" "
         "id=3]\n"
         "[resource]\n",
         "outside_file $.ext[1] /tmp/x.tres\nloaded_script $.ext[2] /tmp/y.gd\n"
         "outside_file $.ext[3] res:///tmp/z.tres\n"},
        // Attributes that the document has no place for.
        {"[gd_resource type=\"Resource\" format=2]\n[sub_resource type=\"Resource\" id=1 "
         "y=Object(Node,\"script\":null)]\n[resource]\na = 1\n",
         "2:1: error[bad_syntax]: an attribute of this tag is an Object or a container"},
        {"[gd_resource type=\"Resource\" format=3]\n[resource y=[Resource(\"user://x.gd\")]]\na = "
         "1\n",
         "2:1: error[bad_syntax]: an attribute of this tag is an Object or a container"},
        {"[gd_resource type=\"Resource\" load_steps=2 format=2]\n\n[ext_resource "
         "path=\"res://save.gd\" type=\"Script\" id=1]\n\n[resource]\nscript = ExtResource( 1 )\n"
         "gold = 5\n",
         "loaded_script $.ext[1] res://save.gd\nloaded_script $.resource.script ExtResource(1)\n"},
        {"[gd_resource type=\"Resource\" format=3]\n[resource]\nx = Object(Node,\"name\":\"a\")\n"
         "y = Resource(\"user://a.tres\")\nscript = null\nmetadata/script = \"a\"\n",
         "made_object $.resource.x Node\noutside_file $.resource.y user://a.tres\n"},
        {"[gd_scene load_steps=2 format=3]\n[ext_resource type=\"Script\" path=\"res://a.gd\" "
         "id=\"1\"]\n[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n"
         "[node name=\"B\" parent=\".\" instance_placeholder=\"user://b.tscn\"]\n"
         "script = ExtResource(\"1\")\n[node name=\"C\" type=\"HTTPRequest\" parent=\".\"]\n"
         "[connection signal=\"ready\" from=\"C\" to=\".\" method=\"x\"]\n",
         "loaded_script $.ext[\"1\"] res://a.gd\nloaded_script $.node[\".\"].properties.script "
         "ExtResource(\"1\")\noutside_file $.node.B.instance_placeholder user://b.tscn\n"
         "loaded_script $.node.B.properties.script ExtResource(\"1\")\n"},
        // Most resources and scenes have none.
        {"[gd_resource type=\"Gradient\" load_steps=3 format=3 uid=\"uid://c8\"]\n[ext_resource "
         "type=\"Texture2D\" uid=\"uid://x\" path=\"res://a.png\" id=\"1_abc\"]\n[sub_resource "
         "type=\"Curve\" id=\"Curve_x1\"]\nmin_value = -1.0\n[sub_resource type=\"ShaderMaterial\" "
         "id=\"2\"]\n[sub_resource type=\"Shader\" id=\"3\"]\ncode = \"shader_type spatial;\"\n"
         "[resource]\ncurve = SubResource(\"Curve_x1\")\ntexture = ExtResource(\"1_abc\")\n",
         ""},
        {"[gd_scene format=3]\n[node name=\"A\" type=\"Control\"]\ntext = \"script\"\n"
         "[node name=\"script\" type=\"AnimationPlayer\" parent=\".\"]\nautoplay = \"x\"\n",
         ""},
    };
    for (const auto& [text, code] : cases)
        EXPECT_EQ(code_in(text, InputKind::resource), code) << text;
}

TEST(Code, IsFoundInResourcesThatEnginesWrote) {
    const struct {
        const char *name, *code;
    } cases[] = {
        {"godot-4.6.3/every.res", ""},
        {"godot-3.6.2/every_compressed.res", ""},
        {"godot-3.2.3/other.res", ""},
        {"godot-3.6.2/inner_script.res",
         "embedded_script $.sub[1] GDScript\nloaded_script $.resource.script SubResource(1)\n"},
        {"godot-3.6.2/tree.res",
         "loaded_script $.ext[0] res://item.gd\nloaded_script $.resource.script ExtResource(0)\n"},
        {"godot-3.2.3/tree_relative.res",
         "loaded_script $.ext[0] ./item.gd\noutside_file $.ext[1] ./other.res\n"
         "loaded_script $.resource.script ExtResource(0)\n"},
    };
    for (const auto& [name, code] : cases)
        EXPECT_EQ(code_in(read_bytes(data_dir() / "resources" / name)), code) << name;
}

Variant script() {
    Object made("GDScript");
    made.append("script/source", Variant(String("extends Node")));
    return Variant(std::move(made));
}

TEST(Code, IsFoundInPackets) {
    const EncodeOptions full{.allow_objects = true};
    Object pet("Resource");
    pet.append("gold", Variant(1));
    pet.append("script", Variant(String("res://pet.gd")));
    Dictionary all;
    all.append(Variant("pet"), Variant(std::move(pet)));
    all.append(Variant("run"), script());
    all.append(Variant("node"), Variant(Object("Node")));
    all.append(Variant("event"), Variant(Object("InputEventKey")));
    const auto packet = encode(Variant(std::move(all)), full);
    ASSERT_TRUE(packet);
    const std::string expected =
        "loaded_script $.pet.script res://pet.gd\nembedded_script $.run GDScript\n"
        "made_object $.node Node\n";
    const auto found = find_code(as_bytes(*packet), InputKind::packet, {});
    ASSERT_TRUE(found) << "Objects are looked at though the options refuse them";
    EXPECT_EQ(lines(*found), expected);
    const auto document = Document::parse(*packet, {.allow_objects = true});
    EXPECT_EQ(lines(find_code(document->root(), InputKind::packet).value()), expected);
    // The type of elements; an id, and nothing, are no objects.
    const auto typed_packet = from_hex("1c0003000a0000007265733a2f2f612e6764000000000000");
    EXPECT_EQ(lines(find_code(*typed_packet, InputKind::packet, {}).value()),
              "loaded_script $ res://a.gd\n");
    EXPECT_EQ(
        lines(find_code(*from_hex("180001000100000000000000"), InputKind::packet, {}).value()), "");
    EXPECT_EQ(find_code(*from_hex("1800"), InputKind::packet, {}).error().code, Errc::truncated);
    EXPECT_EQ(find_code(View(), InputKind::packet).error().code, Errc::missing_key);
}

TEST(Code, HasTheNumberOfItsRecordAndCountsOn) {
    const auto packet = encode(script(), {.allow_objects = true}).value();
    const auto plain = encode(Variant(5)).value();
    std::vector<std::byte> records;
    for (const auto* each : {&plain, &packet, &plain, &packet}) {
        std::byte length[4];
        detail::store(length, static_cast<std::uint32_t>(each->size()));
        records.insert(records.end(), length, length + 4);
        records.insert(records.end(), as_bytes(*each).begin(), as_bytes(*each).end());
    }
    SaveOptions options;
    options.as = InputKind::records;
    const auto save = read_save(records, options);
    ASSERT_TRUE(save) << to_string(save.error());
    const auto one = find_code(*save, 1);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->count, 2u);
    ASSERT_EQ(one->first.size(), 1u);
    EXPECT_EQ(one->first[0].path, "#1 $");
    EXPECT_EQ(lines(*find_code(*save)),
              "embedded_script #1 $ GDScript\nembedded_script #3 $ "
              "GDScript\n");
}

TEST(Code, BoundsPathsAndDepth) {
    Variant nested = script();
    for (int i = 0; i < 500; ++i) {
        Array around;
        around.push_back(std::move(nested));
        nested = Variant(std::move(around));
    }
    Dictionary all;
    all.append(Variant(String(std::string(100'000, 'k'))), std::move(nested));
    const auto packet = encode(Variant(std::move(all)), {.allow_objects = true});
    const auto found = find_code(as_bytes(*packet), InputKind::packet, {});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->count, 1u);
    EXPECT_LE(found->first[0].path.size(), CodeReport::most_path);
    EXPECT_TRUE(found->first[0].path.starts_with("$.kkk") &&
                found->first[0].path.ends_with("[0][0]"));
}

TEST(Code, HarmlessClassesAreAllThatAnInputMapHolds) {
    EXPECT_TRUE(std::ranges::is_sorted(harmless_classes()));
    for (const char* name : {"InputEventKey", "InputEventMouseButton", "InputEventJoypadMotion",
                             "InputEventAction", "InputEventScreenTouch", "Shortcut"})
        EXPECT_TRUE(std::ranges::binary_search(harmless_classes(), std::string_view(name))) << name;
    for (const std::string_view name : harmless_classes())
        EXPECT_FALSE(name.ends_with("Script"));
}

}  // namespace
}  // namespace gdvar::test
