// Sound text, and characters one at a time.
#include "gdvar/base/utf8.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "gdvar/base/quote.hpp"

namespace gdvar {
namespace {

TEST(Text, RulesOfTheEngines) {
    const std::string_view bad_everywhere[] = {"\xFF", "\xE3\x81", "\xC0\xAF", "a\x80"};
    for (const auto text : bad_everywhere) {
        EXPECT_FALSE(valid_text(text, Utf8Rule::strict));
        EXPECT_FALSE(valid_text(text, Utf8Rule::lenient));
    }
    const std::string_view bad_in_godot_4[] = {"\xED\xA0\x80", "\xF8\x88\x80\x80\x80",
                                               "\xF4\x90\x80\x80"};
    for (const auto text : bad_in_godot_4) {
        EXPECT_FALSE(valid_text(text, Utf8Rule::strict));
        EXPECT_TRUE(valid_text(text, Utf8Rule::lenient));
    }
    EXPECT_TRUE(valid_text(std::string_view("a\0\xFF", 3), Utf8Rule::strict));
    EXPECT_FALSE(valid_text("\xE0\x80\x80", Utf8Rule::strict));
    EXPECT_TRUE(valid_text("\xEF\xBF\xBD\xF0\x9F\x91\xBE", Utf8Rule::strict));
    // Whatever the length and the place of the one bad byte.
    for (std::size_t n = 1; n < 80; ++n)
        for (std::size_t at = 0; at < n; ++at) {
            std::string text(n, 'a');
            EXPECT_TRUE(valid_text(text, Utf8Rule::strict));
            text[at] = '\xFF';
            ASSERT_FALSE(valid_text(text, Utf8Rule::strict)) << n << " " << at;
        }
}

/// Whatever stands around a sequence, it is as good as by itself: short texts are checked byte by
/// byte, long ones 32 at a time where the processor can.
TEST(Text, LongTextsAreJudgedAsShortOnes) {
    const unsigned char seconds[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F,
                                     0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xF0, 0xFF};
    const unsigned char fourths[] = {0x41, 0x7F, 0x80, 0xBF, 0xC2, 0xFF};
    std::size_t sound = 0, broken = 0;
    const auto judge = [&](std::string_view piece) {
        if (piece.find('\0') != std::string_view::npos)
            return;
        for (const Utf8Rule rule : {Utf8Rule::strict, Utf8Rule::lenient}) {
            const bool expected = valid_text(piece, rule);
            ++(expected ? sound : broken);
            for (const std::size_t before : {0u, 5u, 28u, 29u, 30u, 31u, 32u, 61u, 63u})
                for (const std::size_t after : {0u, 1u, 33u}) {
                    if (before + after + piece.size() < 24)
                        continue;
                    const std::string text =
                        std::string(before, 'a') + std::string(piece) + std::string(after, 'z');
                    ASSERT_EQ(valid_text(text, rule), expected) << quote(text);
                }
        }
    };
    for (unsigned lead = 0x80; lead < 0x100; ++lead)
        for (const unsigned char second : seconds)
            for (const unsigned char third : seconds)
                for (const unsigned char fourth : fourths) {
                    const char bytes[] = {static_cast<char>(lead), static_cast<char>(second),
                                          static_cast<char>(third), static_cast<char>(fourth)};
                    // A prefix that later bytes do not change is judged once.
                    const std::size_t shortest = fourth != fourths[0]   ? 4
                                                 : third != seconds[0]  ? 3
                                                 : second != seconds[0] ? 2
                                                                        : 1;
                    for (std::size_t n = shortest; n <= 4; ++n)
                        judge({bytes, n});
                }
    EXPECT_GT(sound, 1000u);
    EXPECT_GT(broken, 1000u);
}

/// All code points, and surrogates, there and back.
TEST(Characters, ThereAndBack) {
    for (std::uint32_t code = 0; code < 0x20'0000; ++code) {
        std::string text;
        utf8::append(text, code);
        const std::uint32_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1'0000 ? 3 : 4;
        ASSERT_EQ(text.size(), size) << code;
        const bool sound = code < 0x11'0000 && (code < 0xD800 || code > 0xDFFF);
        const utf8::Character got = utf8::first(text + "x");
        ASSERT_EQ(got.size, sound ? size : 0) << code;
        ASSERT_EQ(got.code, sound ? code : 0) << code;
        ASSERT_EQ(valid_text(text, Utf8Rule::strict), sound) << code;
        for (std::size_t n = 1; n < size; ++n)
            ASSERT_EQ(utf8::first(std::string_view(text).substr(0, n)).size, 0u) << code;
    }
}

/// The first character is sound if a text of its bytes alone is.
TEST(Characters, AgreeWithTheCheckOfTexts) {
    const unsigned char bytes[] = {0x01, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
                                   0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF};
    std::size_t sound = 0;
    for (unsigned lead = 1; lead < 0x100; ++lead)
        for (const unsigned char second : bytes)
            for (const unsigned char third : bytes)
                for (const unsigned char fourth : bytes) {
                    const char text[] = {static_cast<char>(lead), static_cast<char>(second),
                                         static_cast<char>(third), static_cast<char>(fourth)};
                    const std::uint32_t size = utf8::first({text, 4}).size;
                    std::uint32_t expected = 0;
                    for (std::uint32_t n = 4; n > 0; --n)
                        if (valid_text({text, n}, Utf8Rule::strict))
                            expected = n;
                    ASSERT_EQ(size, expected) << quote({text, 4});
                    sound += size > 1;
                }
    EXPECT_GT(sound, 10'000u);
}

TEST(Characters, ATextIsCutBetweenThem) {
    const std::string_view text = "a\u00fc\u4f60\U0001F600";  // 1, 2, 3 and 4 bytes
    const std::size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (std::size_t most = 0; most < std::size(cuts); ++most)
        EXPECT_EQ(utf8::cut(text, most), cuts[most]) << most;
    EXPECT_EQ(utf8::cut("", 0), 0u);
    // No more than three bytes are given up for what is no character.
    EXPECT_EQ(utf8::cut(std::string(9, '\x80'), 8), 5u);
    EXPECT_EQ(utf8::cut(std::string(9, '\x80'), 2), 0u);
    static_assert(utf8::cut("abc", 2) == 2);
}

TEST(Characters, HalvesOfUtf16) {
    EXPECT_TRUE(utf8::is_first_half(0xD800) && utf8::is_first_half(0xDBFF));
    EXPECT_TRUE(utf8::is_second_half(0xDC00) && utf8::is_second_half(0xDFFF));
    EXPECT_FALSE(utf8::is_first_half(0xD7FF) || utf8::is_first_half(0xDC00));
    EXPECT_FALSE(utf8::is_second_half(0xDBFF) || utf8::is_second_half(0xE000));
    EXPECT_FALSE(utf8::is_first_half(0x1'D800) || utf8::is_second_half(0x1'DC00));
    EXPECT_EQ(utf8::joined(0xD83D, 0xDE00), 0x1'F600u);
    EXPECT_EQ(utf8::joined(0xD800, 0xDC00), 0x1'0000u);
    EXPECT_EQ(utf8::joined(0xDBFF, 0xDFFF), 0x10'FFFFu);
}

// Godot 4.6.3, by get_string_from_utf8 and get_file_as_string.
TEST(Utf8, WhatIsReplaced) {
    const std::string one = "\uFFFD";
    for (const auto& [bytes, at_end, inside] : {std::tuple{"\xE6\x97", one + one, one},
                                                {"\xF0\x9F\x91", one + one + one, one},
                                                {"\xF0\x9F", one + one, one},
                                                {"\xE6\x97\x41", one + "A", one + "A"},
                                                {"\xED\xA0", one + one, one + one},
                                                {"\xF4\x90", one + one, one + one},
                                                {"\xC0\xAF", one + one, one + one},
                                                {"\xC3", one, one}}) {
        EXPECT_EQ(utf8::repaired(bytes), at_end);
        EXPECT_EQ(utf8::repaired(bytes, true), inside);
    }
}

}  // namespace
}  // namespace gdvar
