// Bytes as programs print them and people post them.
// Room: save, private.
#pragma once

#include <string_view>

#include "gdvar/save/coding.hpp"

namespace gdvar::save {

/// What may stand around and between digits.
inline constexpr std::string_view white_space = " \t\r\n\f\v";

/// A character that dumps show and Python prints as it is.
constexpr bool is_shown(std::byte byte) noexcept {
    return byte >= std::byte{0x20} && byte < std::byte{0x7F};
}

/// Whether the lines of a text of hex digits begin with offsets, as those of every dump do, also of
/// one that can't be read. Time: linear.
bool has_offsets(std::string_view text) noexcept;

}  // namespace gdvar::save
