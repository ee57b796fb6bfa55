// Bytes as programs print them and people post them.
// Room: save, private.
#pragma once

#include <string_view>

#include "gdvar/base/utf8.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar::save {

/// What may stand around and between digits.
inline constexpr std::string_view white_space = " \t\r\n\f\v";

/// A character that dumps show and Python prints as it is.
constexpr bool is_shown(std::byte byte) noexcept {
    return byte >= std::byte{0x20} && byte < std::byte{0x7F};
}

/// `read(text)`, behind a byte order mark if there is one. May throw bad_alloc.
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

/// Whether the lines of a text of hex digits begin with offsets, as those of every dump do, also of
/// one that can't be read. Time: linear.
bool has_offsets(std::string_view text) noexcept;

}  // namespace gdvar::save
