// Bytes as programs print them and people post them.
// Room: save, private.
#pragma once

#include <string>
#include <string_view>

#include "gdvar/save/coding.hpp"

namespace gdvar::save {

/// What may stand around and between digits.
inline constexpr std::string_view white_space = " \t\r\n\f\v";

/// Appends the bytes in a form that is neither hex nor Base64: what stands between `before` and
/// `behind`.
void append_printed(std::string& out, ByteView bytes, const DigitForm& form);

}  // namespace gdvar::save
