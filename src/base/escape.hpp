// Replaces characters of texts: by escapes, or by nothing. Used by `quote` (gdvar/base/quote.hpp).
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "base/text_buffer.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {

/// Appends `text` to a string or a TextBuffer. Characters for which `stays(code)` is true are
/// copied. For each other character, and for each byte that is not UTF-8,
/// `replace(character, bytes)` is called, which may append anything; for such a byte the
/// character's size is 0.
template <class Out, class Stays, class Replace>
void append_replaced(Out& out, std::string_view text, Stays&& stays, Replace&& replace) {
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const utf8::Character character =
            byte < 0x80 ? utf8::Character{byte, 1} : utf8::first(text.substr(at));
        const std::size_t size = character.size ? character.size : 1;
        if (!character.size || !stays(character.code)) {
            out += text.substr(copied, at - copied);
            replace(character, text.substr(at, size));
            copied = at + size;
        }
        at += size;
    }
    out += text.substr(copied);
}

/// The same, where all valid characters stay except the ASCII ones that `Special` finds
/// (special_bytes.hpp).
template <class Special, class Out, class Replace>
void append_special_replaced(Out& out, std::string_view text, Replace&& replace) {
    const auto stays = [](std::uint32_t) { return true; };
    for (std::size_t at = 0;; ++at) {
        const std::size_t special = Special::find(text, at);
        const std::string_view plain = text.substr(at, special - at);
        if (valid_text_inline(plain, Utf8Rule::strict))
            out += plain;
        else
            append_replaced(out, plain, stays, replace);
        at = special;
        if (at == text.size())
            return;
        replace(utf8::Character{static_cast<unsigned char>(text[at]), 1}, text.substr(at, 1));
    }
}

/// Appends `open`, the text and a quote, if nothing in the text is `Special` and, with `utf8`, it
/// is UTF-8: the common case. False, with nothing appended, for other texts and for texts long
/// enough to be printed in pieces.
template <class Special, bool utf8>
GDVAR_ALWAYS_INLINE bool append_plain(TextBuffer& out, std::string_view open,
                                      std::string_view text) {
    if (text.size() > 0xFFFF || Special::find(text, 0) != text.size() ||
        (utf8 && !valid_text_inline(text, Utf8Rule::strict)))
        return false;
    out.written(open.size() + text.size() + 1, [=](char* to) {
        to = copied_to(copied_to(to, open), text);
        *to = '"';
        return to + 1;
    });
    return true;
}

/// The characters that `append_escaped` escapes, besides the quote and the backslash.
enum class Hidden : bool {
    controls,  ///< C0 and DEL
    unseen,    ///< all that a terminal does not show unchanged; see `quote`
};

/// The inside of a quoted text: `\"`, `\\`, `\n`, `\t`, `\uXXXX` for hidden characters up to
/// U+FFFF, `\xXX` for each byte of other hidden characters and of bytes that are not UTF-8.
GDVAR_EXPORT void append_escaped(std::string& out, std::string_view text, Hidden hidden);
GDVAR_EXPORT void append_escaped(TextBuffer& out, std::string_view text, Hidden hidden);

}  // namespace gdvar::detail
