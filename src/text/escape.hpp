// Quotes text, in the engines' forms and ours.
#pragma once

#include <string>
#include <string_view>

#include "base/special_bytes.hpp"
#include "base/text_buffer.hpp"
#include "gdvar/base/utf8.hpp"
#include "rules.hpp"

namespace gdvar::detail {

/// The text without the one byte order mark that an engine's reader drops.
inline std::string_view without_mark(std::string_view text) noexcept {
    if (text.starts_with(utf8::byte_order_mark))
        text.remove_prefix(utf8::byte_order_mark.size());
    return text;
}
/// The text as engines hold it: without a byte order mark, cut at the first NUL.
inline std::string_view seen_text(std::string_view text) noexcept {
    text = without_mark(text);
    return text.substr(0, SpecialBytes<1>::find(text, 0));
}

// The inside of quotes. A text may come in pieces that end between characters.

/// A String's form: only the quote and the backslash are escaped.
template <class Out>
void append_multiline(Out& out, std::string_view text);
/// Full C escapes, for StringName, NodePath and elements of PackedStringArray.
void append_c_escaped(TextBuffer& out, std::string_view text, const TextRules& rules);
/// The same, except escapes of the engines that their readers misread: \a and \v.
void append_readable(TextBuffer& out, std::string_view text, const TextRules& rules);
/// Lossless: control characters as \uXXXX, bytes that are not UTF-8 as \xNN.
void append_lossless(TextBuffer& out, std::string_view text);

}  // namespace gdvar::detail
