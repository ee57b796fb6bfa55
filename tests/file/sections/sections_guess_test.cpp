// Guesses at texts of sections.
#include "gdvar/file/sections_guess.hpp"

#include <gtest/gtest.h>

#include "support/texts.hpp"

namespace gdvar::test {
namespace {

TEST(SectionsGuess, TheFamilyOfWhatAnEngineWrote) {
    for (const Recording& recording : std::span(recordings).first(3)) {
        std::size_t certain = 0, wrong = 0;
        for (const RecordedText& line : texts_of(recording)) {
            if (!line.saved)
                continue;
            const FamilyGuess guess = guess_family(line.text);
            const bool four = recording.family == TextFamily::godot_4;
            certain += guess.certain;
            wrong += guess.certain && (guess.family == TextFamily::godot_4) != four;
            EXPECT_FALSE(guess.reason.empty());
        }
        EXPECT_EQ(wrong, 0u) << recording.engine;
        EXPECT_GT(certain, 25u) << recording.engine;
    }
}

TEST(SectionsGuess, SignsOfAFamily) {
    const auto family = [](std::string_view text) {
        const FamilyGuess guess = guess_family(text);
        return guess.certain ? static_cast<int>(guess.family) : -1;
    };
    const int four = static_cast<int>(TextFamily::godot_4);
    const int three = static_cast<int>(TextFamily::godot_3_6);
    EXPECT_EQ(family("[s]\na=1\n"), -1);
    EXPECT_EQ(family("[s]\na=\"PoolIntArray(1) &\" ; Quat(1)\n"), -1);
    EXPECT_EQ(family("[s]\na=PoolIntArray( 1 )\n"), three);
    EXPECT_EQ(family("[s]\na=Vector2( 1, 2 )\n"), three);
    EXPECT_EQ(family("[s]\na=Vector2(1, 2)\n"), four);
    EXPECT_EQ(family("[s]\na=&\"x\"\n"), four);
    EXPECT_EQ(family("[s]\na=Array[int]([1])\n"), four);
    // All families print Objects without spaces. The properties of InputEvents tell them apart.
    EXPECT_EQ(family("[s]\na=Object(Resource,\"x\":1)\n"), -1);
    EXPECT_EQ(family("[s]\na=Object(Resource,\"scancode\":1)\n"), -1);
    EXPECT_EQ(family("[s]\na=Object(InputEventKey,\"x\":\"scancode\",\"control\" :1)\nscancode=1"),
              -1);
    EXPECT_EQ(family("[s]\na=Object(InputEventKey,\"x\":1)\nb={\"scancode\":1}"), -1);
    EXPECT_EQ(family("[s]\na=Object(InputEventKey,\"control\":false,\"scancode\":65)\n"), three);
    EXPECT_EQ(family("[s]\na=Object(InputEventKey,\"ctrl_pressed\":false)\n"), four);
    EXPECT_EQ(family("; c\n[gd_scene load_steps=2 format=2]\n"), three);
    EXPECT_EQ(family("[gd_resource type=\"X\" format=4 uid=\"uid://a\"]\n"), four);
    EXPECT_EQ(family("[s]\na=@\"x\"\n"), static_cast<int>(TextFamily::pandemonium));
}

TEST(SectionsGuess, KeysSayNothing) {
    for (const char* text :
         {"[s]\nIntArray(x)=1\n", "[s]\nkey(x)=1\n", "PoolIntArray( x )=1", "[s]\na=1\n&\"n\"=2"})
        EXPECT_FALSE(guess_family(text).certain) << text;
    EXPECT_EQ(guess_family("[s]\nIntArray(x)=PoolIntArray( 1 )\n").family, TextFamily::godot_3_6);
    EXPECT_EQ(guess_family("[s]\nx={ key(a): IntArray( 1 ) }\n").family, TextFamily::godot_2);
    // Files go on behind a NUL.
    EXPECT_EQ(guess_family(std::string_view("\0[s]\nx=IntArray(1)", 18)).family,
              TextFamily::godot_2);
}

TEST(SectionsGuess, WhatLooksLikeAConfigFileOrAResource) {
    EXPECT_EQ(looks_like_config("; c\n[audio]\nx=1\n").why, "it begins with the section [audio]");
    EXPECT_EQ(looks_like_config("x=1\n").why, "it begins with an assignment");
    EXPECT_EQ(looks_like_config("\xEF\xBB\xBF[a]\nx=1\n").why,
              "behind a byte order mark, it begins with the section [a]");
    EXPECT_FALSE(looks_like_config("\xEF\xBB\xBF\xEF\xBB\xBF{").fits);
    for (const char* text : {"", ";\n", "[1, 2]", "[1]", "[\"a\"]", "{\"a\": 1}", "[true]", "text",
                             "<a b=\"c\">", "[gd_scene format=3]\n", "f(x)=2"})
        EXPECT_FALSE(looks_like_config(text).fits) << text;
    EXPECT_EQ(looks_like_resource("; c\n\n[gd_scene format=3]").why, "it begins with [gd_scene]");
    EXPECT_TRUE(looks_like_resource("\xEF\xBB\xBF[gd_resource type=\"A\" format=3]").fits);
    EXPECT_TRUE(guess_family("\xEF\xBB\xBF[gd_scene format=2]").certain);
    for (const char* text : {"", "[gd_scenes]", "[node]", "x=1", "{}"})
        EXPECT_FALSE(looks_like_resource(text).fits) << text;
    for (const Recording& recording : std::span(recordings).first(3))
        for (const RecordedText& line : texts_of(recording)) {
            if (!line.saved || line.text.empty())
                continue;
            const bool is_config = line.kind == RecordedText::config;
            EXPECT_EQ(looks_like_resource(line.text).fits, !is_config) << line.text;
            EXPECT_TRUE(is_config || !looks_like_config(line.text).fits) << line.text;
        }
}

}  // namespace
}  // namespace gdvar::test
