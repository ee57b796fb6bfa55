// gdvar_describe: the dialect tables as descriptions for other programs.
#pragma once

#include <string>
#include <string_view>

#include "gdvar/wire/dialect.hpp"

namespace gdvar::describe {

/// A Wireshark dissector in Lua: all dialects.
std::string wireshark();
/// An ImHex pattern of one dialect.
std::string imhex(const Dialect& dialect);
/// A Kaitai Struct description of one dialect.
std::string kaitai(const Dialect& dialect);

/// Whether the packed array or math type, bit 16 set, has 64-bit components.
constexpr bool widens(const TypeRow& row) {
    return row.wide_bytes != 0 && (row.flags & 0x1'0000u) != 0;
}
/// "godot_4_4": the dialect's name where only letters, digits and underscores will do.
std::string identifier(const Dialect& dialect);
/// Replaces `mark`, which occurs once, by `text`.
std::string filled(std::string_view pattern, std::string_view mark, std::string_view text);

}  // namespace gdvar::describe
