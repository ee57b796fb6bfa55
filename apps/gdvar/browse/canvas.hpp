// A grid of characters with styles: what a screen is to show, without any terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdvar::app::browse {

/// The role of a piece of text. The screen knows the colours.
enum class Role : std::uint8_t {
    plain,
    dim,
    label,
    type,
    text,    ///< the value of a String
    number,  ///< any other value
    note,
    path,
    error,
    changed,
    bar,   ///< the line at the top
    keys,  ///< a key in the line at the bottom
    good,  ///< what was done
};

struct Style {
    Role role = Role::plain;
    bool selected = false;
    friend bool operator==(const Style&, const Style&) = default;
};

/// One column. A wide character has a second cell behind it, without text.
struct Cell {
    std::string text = " ";
    std::uint8_t columns = 1;  ///< 0: the second half of a wide character
    Style style{};
    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Whatever is put here is made printable first: no control character of the data gets through.
/// Text that does not fit is cut.
class Canvas {
public:
    Canvas(int width, int height);

    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    const Cell& at(int x, int y) const { return cells_[index(x, y)]; }

    /// Puts a text on one line, from a column on, in at most `most` columns. A text that is longer
    /// ends in "...". Returns the columns that it takes.
    int put(int x, int y, std::string_view text, Style style = {}, int most = INT32_MAX);
    /// Gives a run of columns a style and no text.
    void fill(int x, int y, int columns, Style style);
    /// The text of a line, without spaces at its end.
    std::string line(int y) const;

private:
    std::size_t index(int x, int y) const noexcept {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }
    void set(int x, int y, std::string_view text, std::uint8_t columns, Style style);
    int put_printable(int x, int y, std::string_view text, Style style, int most);
    int width_, height_;
    std::vector<Cell> cells_;
};

/// The start of a text that is enough for so many columns, in whole characters; and whether that is
/// not all.
std::string_view enough_for(std::string_view text, int columns, bool& cut);
/// Columns of a text as `put` shows it.
int shown_columns(std::string_view text);

}  // namespace gdvar::app::browse
