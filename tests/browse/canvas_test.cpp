// Shown text: printable, cut, in columns; and typed lines.
#include "browse/canvas.hpp"

#include <gtest/gtest.h>

#include "browse/field.hpp"
#include "output/columns.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

using namespace app::browse;
using app::browse::Field;

std::string put(std::string_view text, int width, int most = INT32_MAX) {
    Canvas canvas(width, 1);
    canvas.put(0, 0, text, {}, most);
    return canvas.line(0);
}

TEST(BrowseCanvas, CutsWhatDoesNotFit) {
    EXPECT_EQ(put("abcdef", 6), "abcdef");
    EXPECT_EQ(put("abcdefg", 6), "abc...");
    EXPECT_EQ(put("abcdefg", 9, 6), "abc...");
    EXPECT_EQ(put("abcdefg", 2), "..");
    EXPECT_EQ(put("日本語", 6), "日本語");
    EXPECT_EQ(put("日本語", 5), "日...");
    EXPECT_EQ(put("日本語", 4), "...") << "half of a character is none";
    EXPECT_EQ(put(std::string(10'000'000, 'x'), 5), "xx...");
    EXPECT_EQ(put("e\u0301e\u0301", 2), "e\u0301e\u0301");
}

TEST(BrowseCanvas, NothingGoesThroughRaw) {
    EXPECT_EQ(put("\x1b[2J\n\t\x07", 40), "\\u001b[2J\\n\\t\\u0007");
    EXPECT_EQ(put("\xff\u202e", 40), "\\xff\\u202e");
    EXPECT_EQ(put("👩\u200d👩", 40), "👩👩") << "no joining";
    EXPECT_EQ(put("Z" + std::string(3000, '\xcc'), 8), "Z\\xcc...");
    const std::string marks = put("Z\u0336\u0336\u0336\u0336\u0336\u0336!", 8);
    EXPECT_EQ(marks, "Z\u0336\u0336\u0336!");
}

TEST(BrowseCanvas, HalvesOfWideCharactersDoNotStay) {
    Canvas canvas(6, 1);
    canvas.put(0, 0, "日本語");
    canvas.put(1, 0, "x");
    EXPECT_EQ(canvas.line(0), " x本語");
    canvas.put(3, 0, "語");
    EXPECT_EQ(canvas.line(0), " x 語");
    canvas.fill(4, 0, 1, {});
    EXPECT_EQ(canvas.line(0), " x");
}

TEST(BrowseCanvas, EveryLineHasItsColumns) {
    Random random(8);
    const std::string_view parts[] = {"a",    "日",   "é",      "e\u0301", "👍",
                                      "\x1b", "\xff", "\u202e", "..."};
    for (int round = 0; round < 2000; ++round) {
        const int width = 1 + static_cast<int>(below(random, 30));
        Canvas canvas(width, 1);
        for (int i = 0; i < 4; ++i) {
            std::string text;
            for (std::uint64_t n = below(random, 20); n; --n)
                text += parts[below(random, std::size(parts))];
            const int x = static_cast<int>(below(random, 30)),
                      most = static_cast<int>(below(random, 30));
            const int used = canvas.put(x, 0, text, {}, most);
            ASSERT_LE(used, std::max(0, std::min(most, width - x)));
        }
        int columns = 0;
        for (int x = 0; x < width; ++x) {
            const Cell& cell = canvas.at(x, 0);
            ASSERT_EQ(app::columns(cell.text), cell.columns);
            columns += cell.columns;
            ASSERT_TRUE(cell.columns != 2 || (x + 1 < width && canvas.at(x + 1, 0).columns == 0));
        }
        ASSERT_EQ(columns, width);
    }
}

// ---- typing

void type(Field& field, std::string_view text) {
    for (const char c : text)
        field.key(Key::of(static_cast<unsigned char>(c)));
}

TEST(BrowseField, EditsInTheMiddle) {
    Field field("hello world");
    field.key({.name = Key::home});
    field.key({.name = Key::right});
    field.key({.name = Key::del});
    type(field, "a");
    EXPECT_EQ(field.text(), "hallo world");
    field.key({.name = Key::end});
    field.key(Key::with_control('w'));
    EXPECT_EQ(field.text(), "hallo ");
    field.key({.name = Key::backspace});
    field.key({.name = Key::left});
    field.key(Key::with_control('k'));
    EXPECT_EQ(field.text(), "hall");
    field.key(Key::with_control('u'));
    EXPECT_EQ(field.text(), "");
    field.key({.name = Key::backspace});
    field.key({.name = Key::del});
    field.key({.name = Key::left});
    field.key({.name = Key::right});
    EXPECT_EQ(field.text(), "");
    field.key(Key::of(U'日'));
    field.key(Key::of(U'é'));
    field.key({.name = Key::left});
    field.key({.name = Key::backspace});
    EXPECT_EQ(field.text(), "é");
    EXPECT_FALSE(field.key({.name = Key::up}));
}

TEST(BrowseField, ShowsThePartAroundTheCaret) {
    Field field(std::string(50, 'x') + "日本語");
    Canvas canvas(20, 1);
    EXPECT_EQ(field.draw(canvas, 2, 0, 10, {}), 2 + 9);
    EXPECT_EQ(canvas.line(0), "  xxx日本語");
    field.key({.name = Key::home});
    EXPECT_EQ(field.draw(canvas, 2, 0, 10, {}), 2);
    EXPECT_EQ(canvas.line(0), "  xxxxxxx...");
    Field odd("\x1b");
    EXPECT_EQ(odd.draw(canvas, 0, 0, 10, {}), 6);
    EXPECT_EQ(canvas.line(0).substr(0, 6), "\\u001b");
    Field narrow("日本");
    EXPECT_GE(narrow.draw(canvas, 0, 0, 1, {}), 0);
}

}  // namespace
}  // namespace gdvar::test
