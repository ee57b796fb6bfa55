// A line that is typed: its text and the place where the next character goes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "browse/canvas.hpp"
#include "browse/key.hpp"

namespace gdvar::app::browse {

/// The text may hold any characters; they are shown printable.
class Field {
public:
    Field() = default;
    /// The caret is at the end. `marked`: what is typed or pasted first replaces the text.
    explicit Field(std::string text, bool marked = false)
        : text_(std::move(text)), caret_(text_.size()), marked_(marked && !text_.empty()) {}

    const std::string& text() const noexcept { return text_; }
    /// Takes a key that edits. False: it is none.
    bool key(const Key& key);
    void insert(std::string_view text);
    /// Draws the part around the caret. Returns the caret's column.
    int draw(Canvas& canvas, int x, int y, int columns, Style style);

private:
    std::size_t before(std::size_t at) const noexcept;
    std::size_t after(std::size_t at) const noexcept;
    void erase(std::size_t from, std::size_t to);
    bool control(char letter);
    std::string text_;
    std::size_t caret_ = 0;  ///< in bytes
    std::size_t first_ = 0;  ///< the first byte that is shown
    bool marked_ = false;    ///< nothing was typed yet
};

}  // namespace gdvar::app::browse
