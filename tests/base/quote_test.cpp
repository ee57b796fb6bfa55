// Foreign text in quotes, and replaced characters.
#include "gdvar/base/quote.hpp"

#include <gtest/gtest.h>

#include "base/escape.hpp"

namespace gdvar {
namespace {

TEST(Quote, ChangesNothingInATerminal) {
    using namespace std::string_literals;
    EXPECT_EQ(quote("hp"), "\"hp\"");
    EXPECT_EQ(quote("\"\\\n\t\x1b\x7f\0!"s), R"("\"\\\n\t\u001b\u007f\u0000!")");
    EXPECT_EQ(quote("\u0085\u202e\u2066\u2028\u200b\ufeff\u00ad"),
              R"("\u0085\u202e\u2066\u2028\u200b\ufeff\u00ad")");
    EXPECT_EQ(quote("\U000E0041"), R"("\xf3\xa0\x81\x81")");
    EXPECT_EQ(quote("gr\u00fc\u00df \u4f60 \U0001F600"), "\"gr\u00fc\u00df \u4f60 \U0001F600\"");
    EXPECT_EQ(quote("a\xff\xc3(\xe2\x82"), R"("a\xff\xc3(\xe2\x82")");
    EXPECT_EQ(quote("\xc0\x80\xed\xa0\x80\xf8"), R"("\xc0\x80\xed\xa0\x80\xf8")");
}

TEST(Quote, HidesOnlyWhatItIsToldTo) {
    using namespace std::string_literals;
    const auto escaped = [](std::string_view text) {
        std::string out;
        detail::append_escaped(out, text, detail::Hidden::controls);
        return out;
    };
    EXPECT_EQ(escaped("\"\\\n\t\x1b\x7f\0\r"s), R"(\"\\\n\t\u001b\u007f\u0000\u000d)");
    EXPECT_EQ(escaped("\u0085\u202e\U000E0041"), "\u0085\u202e\U000E0041");
    EXPECT_EQ(escaped("a\xff\xc3(\xe2\x82"), R"(a\xff\xc3(\xe2\x82)");
}

TEST(Replaced, GetsEachCharacterThatDoesNotStayAndEachBrokenByte) {
    std::string out = "<", seen;
    detail::append_replaced(
        out, "a\u00fcb\xffz\xe2\x82", [](std::uint32_t code) { return code < 'z'; },
        [&](utf8::Character character, std::string_view bytes) {
            seen += std::to_string(character.code) + "/" + std::to_string(character.size) + "/" +
                    std::to_string(bytes.size()) + " ";
            out += '_';
        });
    EXPECT_EQ(out, "<a_b____");
    EXPECT_EQ(seen, "252/2/2 0/0/1 122/1/1 0/0/1 0/0/1 ");
}

}  // namespace
}  // namespace gdvar
