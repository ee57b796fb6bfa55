#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text_buffer.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/value/text_pieces.hpp"

namespace gdvar::detail {

/// The part of a text that is printed but not passed on yet.
class PieceOutput {
public:
    explicit PieceOutput(const TextPieces* to) : to_(to) {}
    /// For one text of about `expected` bytes.
    explicit PieceOutput(std::size_t expected) : to_(nullptr) {
        text_.reserve(std::min(expected, size));
    }
    TextBuffer& text() noexcept { return text_; }
    /// Called between two appends: passes the text on once it has the size of a piece.
    void check() {
        if (to_ && text_.size() >= size)
            flush();
    }
    void flush() {
        if (!to_ || !text_.size())
            return;
        (*to_)(text_.view());
        text_.clear();
    }
    /// Calls `append(part)` with parts of the text. Each part ends between two characters.
    template <class Append>
    void in_parts(std::string_view text, Append&& append) {
        while (to_ && text.size() > size) {
            const std::size_t n = utf8::cut(text, size);
            append(text.substr(0, n));
            text.remove_prefix(n);
            check();
        }
        append(text);
    }

    static constexpr std::size_t size = std::size_t{1} << 16;

private:
    const TextPieces* to_;
    TextBuffer text_;
};

/// Begins a line, with `indent` columns for each level; none if `indent` is not positive.
/// Indentation ends at 64 columns: otherwise the output would grow with the square of the depth.
inline void append_line(TextBuffer& to, std::size_t depth, int indent) {
    if (indent <= 0)
        return;
    to += '\n';
    to.append(std::min<std::size_t>(depth * static_cast<std::size_t>(indent), 64), ' ');
}

}  // namespace gdvar::detail
