// Printing of strings and numbers, shared by typed and plain JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/escape.hpp"
#include "base/special_bytes.hpp"
#include "value/piece_output.hpp"

namespace gdvar::detail {

/// The ASCII characters that are not themselves in a JSON string.
using JsonSpecial = SpecialBytes<0x20, '"', '\\'>;
/// The inside of a JSON string, without the quotes. Bytes that are not UTF-8 become \udc80 to
/// \udcff, one for each byte, so that they can be restored. Valid UTF-8 never holds those.
template <class Out>
void append_json_text(Out& out, std::string_view text);
/// A JSON string, in pieces. `open`: its quote, and what stands before it and the text.
inline void append_json_quoted(PieceOutput& pieces, std::string_view open, std::string_view text) {
    TextBuffer& out = pieces.text();
    if (append_plain<JsonSpecial, true>(out, open, text))
        return;
    out += open;
    pieces.in_parts(text, [&](std::string_view part) { append_json_text(out, part); });
    out += '"';
}
/// The shortest number that reads back the same, always with a point or an exponent; infinities
/// as 1e99999 and NaN as null, which is how Godot writes and reads them.
void append_json_real(TextBuffer& out, double value);
/// A finite float of typed JSON. The digits are exact in any case. The engine's `JSON.to_native`
/// also reads them as that float, if such digits are found near it. Writes the shortest ones.
void append_native_real(TextBuffer& out, double value);

}  // namespace gdvar::detail
