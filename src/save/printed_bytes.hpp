// Bytes as programs print them.
#pragma once

#include <string_view>

#include "gdvar/base/utf8.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar::save {

/// Allowed around and between digits.
inline constexpr std::string_view white_space = " \t\r\n\f\v";

/// A printable character, which dumps and Python show unchanged.
constexpr bool is_shown(std::byte byte) noexcept {
    return byte >= std::byte{0x20} && byte < std::byte{0x7F};
}

/// `read(text)`, after a byte order mark if there is one. May throw bad_alloc.
template <class Read>
std::expected<DigitText, TextError> read_behind_mark(std::string_view text, Read&& read) {
    if (!text.starts_with(utf8::byte_order_mark))
        return read(text);
    constexpr std::size_t size = utf8::byte_order_mark.size();
    auto out = read(text.substr(size));
    if (!out)
        return std::unexpected(text_error_at(text, size + out.error().offset, out.error().code,
                                             out.error().type, out.error().detail));
    out->form.before.insert(0, utf8::byte_order_mark);
    return out;
}

/// True if the lines of hex digits begin with offsets, as in every dump, also an unreadable one.
/// Time: linear.
bool has_offsets(std::string_view text) noexcept;

}  // namespace gdvar::save
