#pragma once

#include <string>
#include <string_view>

#include "base/escape.hpp"
#include "base/special_bytes.hpp"
#include "value/piece_output.hpp"

namespace gdvar::detail {

/// ASCII characters that are escaped in a JSON string.
using JsonSpecial = SpecialBytes<0x20, '"', '\\'>;
/// The inside of a JSON string, without the quotes. Bytes that are not UTF-8 become \udc80 to
/// \udcff, one for each byte, so that they can be restored. Valid UTF-8 never holds those.
template <class Out>
void append_json_text(Out& out, std::string_view text);
/// A JSON string, in pieces. `open`: its quote and any text before it.
inline void append_json_quoted(PieceOutput& pieces, std::string_view open, std::string_view text) {
    TextBuffer& out = pieces.text();
    if (append_plain<JsonSpecial, true>(out, open, text))
        return;
    out += open;
    pieces.in_parts(text, [&](std::string_view part) { append_json_text(out, part); });
    out += '"';
}
/// The shortest number that reads back the same, always with a point or an exponent; infinities as
/// 1e99999 and NaN as null, as Godot writes and reads them.
void append_json_real(TextBuffer& out, double value);
/// A finite float of typed JSON: the shortest exact digits that the engine's `JSON.to_native` also
/// reads as that float, if any are found near it.
void append_native_real(TextBuffer& out, double value);

}  // namespace gdvar::detail
