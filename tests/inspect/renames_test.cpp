// Objects get the names that the target's engines know.
#include <gtest/gtest.h>

#include "gdvar/inspect/convert.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

using enum Renames::Direction;

Object object_of(std::string_view name,
                 std::initializer_list<std::pair<const char*, Variant>> properties) {
    Object out{std::string(name)};
    for (const auto& [key, value] : properties)
        out.append(key, value);
    return out;
}

Conversion converted(const Variant& value, const Dialect& from, const Dialect& to,
                     const Renames& renames = Renames::godot_3_to_4()) {
    const auto bytes = encode(value, {.dialect = &from, .allow_objects = true});
    EXPECT_TRUE(bytes);
    auto done = convert(as_bytes(*bytes), {.dialect = &from, .allow_objects = true},
                        {.dialect = &to, .allow_objects = true}, renames);
    EXPECT_TRUE(done) << to_string(done.error());
    return *std::move(done);
}

void expect_is(const Conversion& done, const Dialect& dialect, const Variant& wanted) {
    const auto bytes = encode(wanted, {.dialect = &dialect, .allow_objects = true});
    ASSERT_TRUE(bytes);
    EXPECT_EQ(done.bytes, *bytes);
}

// A name that both engines have with another meaning is lost where it was set.
TEST(Renames, PropertiesWhoseValuesDiffer) {
    const Variant node = object_of("Node", {{"pause_mode", 2}, {"name", "x"}});
    const Conversion there = converted(node, dialects::godot_3_1, dialects::godot_4_4);
    expect_is(there, dialects::godot_4_4, node);
    ASSERT_EQ(there.losses.size(), 1u);
    EXPECT_EQ(there.losses[0].path, "$.pause_mode");
    EXPECT_EQ(there.losses[0].what,
              "pause_mode is process_mode in godot-4.4, whose values mean something else");
    const Conversion back = converted(
        object_of("InputEventKey", {{"keycode", 4194309}, {"command_or_control_autoremap", true}}),
        dialects::godot_4_4, dialects::godot_3_1);
    EXPECT_EQ(back.losses.size(), 1u);
    // A file of the user's knows better.
    Renames mine = Renames::godot_3_to_4();
    ASSERT_TRUE(mine.add("property Node pause_mode process_mode"));
    const auto packet = encode(node, {.dialect = &dialects::godot_3_1, .allow_objects = true});
    const auto renamed =
        convert(as_bytes(packet.value()), {.dialect = &dialects::godot_3_1, .allow_objects = true},
                {.dialect = &dialects::godot_4_4, .allow_objects = true}, mine);
    ASSERT_TRUE(renamed);
    EXPECT_TRUE(renamed->losses.empty());
}

// Keys without a character have other numbers; those that the other engine lacks are lost.
TEST(Renames, NumbersOfKeys) {
    const auto key = [](const char* name, const char* physical, std::int64_t a, std::int64_t b) {
        return object_of("InputEventKey", {{name, a}, {physical, b}, {"unicode", 16777221}});
    };
    const auto old = [&](std::int64_t a, std::int64_t b) {
        return key("scancode", "physical_scancode", a, b);
    };
    const auto now = [&](std::int64_t a, std::int64_t b) {
        return key("keycode", "physical_keycode", a, b);
    };
    constexpr std::int64_t pairs[][2] = {{0x1000001, 0x400001},
                                         {0x1000016, 0x400016},
                                         {0x100002E, 0x400042},
                                         {0x1000067, 0x40006F},
                                         {0x1FFFFFF, 0x7FFFFF},
                                         {0, 0},
                                         {'A', 'A'},
                                         {0x10FFFF, 0x10FFFF}};
    for (const auto& [three, four] : pairs) {
        const Conversion there =
            converted(old(three, three), dialects::godot_3_1, dialects::godot_4_4);
        EXPECT_TRUE(there.losses.empty());
        expect_is(there, dialects::godot_4_4, now(four, four));
        const Conversion back =
            converted(now(four, four), dialects::godot_4_4, dialects::godot_3_1);
        EXPECT_TRUE(back.losses.empty());
        expect_is(back, dialects::godot_3_1, old(three, three));
    }
    for (const std::int64_t lacking :
         {std::int64_t{0x100002C}, std::int64_t{0x1000047}, std::int64_t{0x110000},
          std::int64_t{-1}, std::int64_t{0x2000041}}) {
        const Conversion there =
            converted(old('B', lacking), dialects::godot_3_1, dialects::godot_4_4);
        expect_is(there, dialects::godot_4_4, now('B', 0));
        ASSERT_EQ(there.losses.size(), 1u) << lacking;
        EXPECT_EQ(there.losses[0].path, "$.physical_scancode");
        EXPECT_EQ(there.losses[0].what,
                  "the key " + std::to_string(lacking) + ", which does not exist in godot-4.4");
    }
    const Conversion back =
        converted(now(0x40002C, 0x400043), dialects::godot_4_4, dialects::godot_3_1);
    EXPECT_EQ(back.losses.size(), 2u);
    expect_is(back, dialects::godot_3_1, old(0, 0));
    // A value that is no int stays, and is told.
    const Variant odd = object_of("InputEventKey", {{"scancode", "A"}, {"x", 0x1000001}});
    const Conversion kept = converted(odd, dialects::godot_3_1, dialects::godot_4_4);
    EXPECT_EQ(kept.losses.size(), 1u);
    expect_is(kept, dialects::godot_4_4,
              object_of("InputEventKey", {{"keycode", "A"}, {"x", 0x1000001}}));
    // Rows of the user's.
    Renames mine = Renames::godot_3_to_4();
    ASSERT_TRUE(mine.add("key 16777260 0x400017 # Super\nkeys InputEvent code number"));
    EXPECT_EQ(mine.key(0x100002C, Renames::Direction::to_new), 0x400017);
    EXPECT_TRUE(mine.property("InputEvent", "number", Renames::Direction::to_old).keys);
    for (const char* wrong : {"key 1", "key 1 2 3", "key a 2", "key 1 0x", "key -1 2", "key 1 2x",
                              "key 99999999999999999999 1", "keys InputEventKey a"})
        EXPECT_FALSE(mine.add(wrong)) << wrong;
    // A property that the user renames has no numbers of keys.
    ASSERT_TRUE(mine.add("property InputEventKey scancode keycode"));
    EXPECT_FALSE(mine.property("InputEventKey", "scancode", Renames::Direction::to_new).keys);
}

TEST(Renames, ClassesAndInheritedPropertiesThereAndBack) {
    const Variant three = Array{
        object_of("Reference", {}),
        object_of("Button", {{"margin_left", 1.5}, {"pressed", true}, {"text", "ok"}}),
        object_of("Camera", {{"translation", Vector3(1, 2, 3)},
                             {"child", object_of("Spatial", {{"translation", Vector3(4, 5, 6)}})},
                             {"far", 100.0}})};
    const Variant four = Array{
        object_of("RefCounted", {}),
        object_of("Button", {{"offset_left", 1.5}, {"button_pressed", true}, {"text", "ok"}}),
        object_of("Camera3D", {{"position", Vector3(1, 2, 3)},
                               {"child", object_of("Node3D", {{"position", Vector3(4, 5, 6)}})},
                               {"far", 100.0}})};
    const Conversion there = converted(three, dialects::godot_3_1, dialects::godot_4_4);
    expect_is(there, dialects::godot_4_4, four);
    EXPECT_TRUE(there.losses.empty());
    ASSERT_EQ(there.renames.size(), 7u);
    EXPECT_EQ(there.renames[0].path, "$[0]");
    EXPECT_EQ(there.renames[0].from, "Reference");
    EXPECT_EQ(there.renames[0].to, "RefCounted");
    EXPECT_EQ(there.renames[1].path, "$[1].margin_left");
    EXPECT_EQ(there.renames[6].path, "$[2].child.translation");
    const Conversion back = converted(four, dialects::godot_4_4, dialects::godot_3_1);
    expect_is(back, dialects::godot_3_1, three);
    EXPECT_TRUE(back.losses.empty());
    EXPECT_EQ(back.renames.size(), 7u);
}

TEST(Renames, OnlyBetweenGenerations) {
    const Variant three = object_of("Reference", {});
    for (const Dialect* to : {&dialects::godot_3_0, &dialects::pandemonium_5})
        EXPECT_TRUE(converted(three, dialects::godot_3_1, *to).renames.empty()) << to->name;
    for (const Dialect* from : {&dialects::godot_3_0, &dialects::pandemonium_5})
        expect_is(converted(three, *from, dialects::godot_4_4), dialects::godot_4_4,
                  object_of("RefCounted", {}));
    EXPECT_TRUE(converted(three, dialects::godot_3_1, dialects::godot_4_4, {}).renames.empty());
}

TEST(Renames, NamesThatManyBecome) {
    // Merged classes: what they became has a name of its own there.
    expect_is(converted(object_of("YSort", {}), dialects::godot_3_1, dialects::godot_4_4),
              dialects::godot_4_4, object_of("Node2D", {}));
    EXPECT_TRUE(converted(object_of("Node2D", {}), dialects::godot_4_4, dialects::godot_3_1)
                    .losses.empty());
    // Here it can't be known.
    const Conversion back =
        converted(object_of("FontFile", {}), dialects::godot_4_4, dialects::godot_3_1);
    expect_is(back, dialects::godot_3_1, object_of("BitmapFont", {}));
    ASSERT_EQ(back.losses.size(), 1u);
    EXPECT_EQ(back.losses[0].what,
              "FontFile has several names in godot-3.1: BitmapFont, DynamicFont, DynamicFontData");
}

TEST(Renames, ClassesOfTypedContainers) {
    const auto typed = [](const char* text) { return *parse_text_full(text); };
    // Pandemonium has typed arrays of classes, too.
    const Conversion done =
        converted(typed("Array[Sprite2D]([])"), dialects::godot_4_4, dialects::pandemonium_5);
    EXPECT_TRUE(done.losses.empty());
    ASSERT_EQ(done.renames.size(), 1u);
    EXPECT_EQ(done.renames[0].to, "Sprite");
    expect_is(done, dialects::pandemonium_5, typed("Array[Sprite]([])"));
}

TEST(Renames, TheUsersRowsCountForMore) {
    Renames table = Renames::godot_3_to_4();
    ASSERT_TRUE(
        table.add("# mine\n\nclass Hero Player # a comment\nproperty Hero hp health\r\n"
                  "inherits Hero Knight\nclass OldFont FontFile\nclass Sprite Sprite\n"));
    EXPECT_EQ(table.class_name("Hero", to_new).name, "Player");
    EXPECT_EQ(table.class_name("Player", to_old).name, "Hero");
    EXPECT_EQ(table.property("Knight", "hp", to_new).name, "health");
    EXPECT_EQ(table.property("Knight", "health", to_old).name, "hp");
    EXPECT_EQ(table.class_name("FontFile", to_old).name, "OldFont");
    EXPECT_TRUE(table.class_name("FontFile", to_old).candidates.empty());
    EXPECT_EQ(table.class_name("BitmapFont", to_new).name, "FontFile");
    EXPECT_EQ(table.class_name("Sprite", to_new).name, "Sprite");
    EXPECT_EQ(table.class_name("Sprite2D", to_old).name, "Sprite2D");
    EXPECT_EQ(table.class_name("Reference", to_new).name, "RefCounted");
    EXPECT_EQ(Renames::godot_3_to_4().class_name("Hero", to_new).name, "Hero");
}

TEST(Renames, ProblemsHaveALine) {
    Renames table;
    for (const auto& [text, line] : {std::pair("class A\n", 1u),
                                     {"class A B C", 1u},
                                     {"\nproperty A b", 2u},
                                     {"inherits A", 1u},
                                     {"class A B\n# \nrename A B\n", 3u}}) {
        const auto done = table.add(text);
        ASSERT_FALSE(done) << text;
        EXPECT_EQ(done.error().line, line) << text;
        EXPECT_TRUE(table.empty()) << text;
    }
    // In a circle: found, or not, but it ends.
    ASSERT_TRUE(table.add("inherits A B\ninherits B A\nproperty A x y\n"));
    EXPECT_EQ(table.property("B", "x", to_new).name, "y");
    EXPECT_EQ(table.property("B", "z", to_new).name, "z");
}

}  // namespace
}  // namespace gdvar::test
