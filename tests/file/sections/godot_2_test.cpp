// Texts of Godot 1 and 2: engine.cfg, and resources of format 1.
#include <gtest/gtest.h>

#include "gdvar/file/sections.hpp"
#include "gdvar/file/sections_convert.hpp"
#include "gdvar/file/sections_guess.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "support/data.hpp"
#include "support/sections.hpp"

namespace gdvar::test {
namespace {

constexpr TextFamily family = TextFamily::godot_2;

std::string engine_cfg() {
    return read_text(data_dir() / "texts" / "godot-2-engine.cfg");
}

TEST(Godot2, IsGuessedByItsWords) {
    for (const char* text :
         {"[input]\njump=[key(Space)]\n", "a=Matrix32( 1, 0, 0, 1, 0, 0 )\n", "a=IntArray( 1 )\n",
          "[gd_resource type=\"X\" format=1]\n[resource]\n"}) {
        const FamilyGuess guess = guess_family(text);
        EXPECT_EQ(guess.family, family) << text;
        EXPECT_TRUE(guess.certain) << text;
    }
    EXPECT_NE(guess_family("a=Vector2( 1, 2 )\n").family, family);
}

TEST(Godot2, InputEventsAreDataWithTheirArguments) {
    const auto read = read_config(engine_cfg(), {.family = family});
    ASSERT_TRUE(read) << to_string(read.error());
    const Variant* jump =
        read->value.get_if<Dictionary>()->find("input")->get_if<Dictionary>()->find("jump");
    ASSERT_TRUE(jump);
    EXPECT_EQ(*to_text_full(*jump),
              R"([Object("key", "key": "Space"), Object("jbutton", "device": 0, "button": 0)])");
    EXPECT_EQ(*to_text(*jump, family), "[ key(Space), jbutton(0, 0) ]");
}

TEST(Godot2, AreChangedInTheirForm) {
    const std::string text = engine_cfg();
    const std::string made = changed(config_file, text, family, [](Variant& value) {
        Dictionary& input = *value.get_if<Dictionary>()->find("input")->get_if<Dictionary>();
        Object& key = *(*input.find("jump")->get_if<Array>())[0].get_if<Object>();
        *key.find("key") = Variant("Enter");
        Object axis("jaxis");
        axis.append("device", Variant(std::int64_t{1}));
        axis.append("axis", Variant(std::int64_t{3}));
        input.find("left")->get_if<Array>()->push_back(Variant(std::move(axis)));
    });
    std::string wanted = text;
    wanted.replace(wanted.find("key(Space)"), 10, "key(Enter)");
    wanted.replace(wanted.find("jaxis(0, 0)"), 11, "jaxis(0, 0), jaxis(1, 3)");
    EXPECT_EQ(made, wanted);
}

TEST(Godot2, EveryValueOfItsOwnComesBack) {
    for (const char* text :
         {"Image( 1, 1, 0, RGB, 1, 2, 3 )", "Image()", "InputEvent(KEY,32,AS)", "InputEvent(NONE)",
          "InputEvent(MBUTTON,2)", "InputEvent(JBUTTON,11)", "InputEvent(JAXIS,1,-1)",
          "key(Kp Enter, CS)", "mbutton(0, 1)", "Matrix32( 1, 0, 0, 1, 5, 6 )",
          "Matrix3( 1, 0, 0, 0, 1, 0, 0, 0, 1 )", "ByteArray( 1, 2 )", "FloatArray( 1.5 )",
          "StringArray( \"a\" )", "Vector2Array( 1, 2 )", "ColorArray( 1, 1, 1, 1 )",
          "Quat( 0, 0, 0, 1 )", "Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 )"}) {
        const auto read = parse_text(text, {.family = family, .whole = true});
        ASSERT_TRUE(read) << text << to_string(read.error());
        EXPECT_EQ(*to_file_text(*read, {.family = family}), text);
        // Only Godot 2 has these. Others know some of its older names.
        if (std::string_view(text).find_first_of("Ikm") == 0) {
            EXPECT_FALSE(parse_text(text, {.family = TextFamily::godot_4, .whole = true})) << text;
        }
    }
    for (const char* text :
         {"key()", "key(A, B, C)", "mbutton(0)", "jaxis(0, x)", "key(Space", "InputEvent(WHAT)",
          "Image( 1, 1, 0, NONE, 1 )", "PoolIntArray( 1 )", "Object(Node)"})
        EXPECT_FALSE(parse_text(text, {.family = family, .whole = true})) << text;
}

TEST(Godot2, NumbersAndModifiersThatAnEventDoesNotHoldAreRefused) {
    for (const char* text :
         {"InputEvent(KEY,4294967296)", "InputEvent(KEY,-1)", "InputEvent(MBUTTON,2147483648)",
          "InputEvent(JBUTTON,99999999999999999999)", "InputEvent(JAXIS,1,16777217)",
          "InputEvent(JAXIS,-2147483649,1)", "InputEvent(KEY,32,X)", "InputEvent(KEY,32,SX)",
          "InputEvent(KEY,32,7)", "jbutton(0, 4294967296)", "jaxis(0, 1, 2)", "mbutton(0, )",
          "key(A, )"})
        EXPECT_FALSE(parse_text(text, {.family = family, .whole = true})) << text;
    for (const char* text : {"InputEvent(KEY,4294967295)", "InputEvent(MBUTTON,-1)",
                             "InputEvent(JAXIS,-3,16777216)"}) {
        const auto read = parse_text(text, {.family = family, .whole = true});
        ASSERT_TRUE(read) << text << to_string(read.error());
        EXPECT_EQ(*to_file_text(*read, {.family = family}), text);
    }
    // Engines look for the letters in any case.
    const auto read = parse_text("InputEvent(KEY,32,sc)", {.family = family});
    ASSERT_TRUE(read);
    EXPECT_EQ(*to_file_text(*read, {.family = family}), "InputEvent(KEY,32,SC)");
}

TEST(Godot2, AnUnknownNameIsInTheMessage) {
    const auto read = parse_text("[whatever(1)]", {});
    ASSERT_FALSE(read);
    EXPECT_NE(to_string(read.error()).find("whatever"), std::string::npos)
        << to_string(read.error());
}

}  // namespace
}  // namespace gdvar::test
