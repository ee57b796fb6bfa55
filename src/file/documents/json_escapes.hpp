// Escapes that only Godot 3's JSON reads: a backslash before a character that needs none.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/outline.hpp"

namespace gdvar::detail {

/// The positions of these escapes' backslashes: `\q`, `\x41`, `\v`. `text` is one or more values of
/// JSON, as documents are read. Time: linear. May throw bad_alloc.
std::vector<std::uint32_t> odd_escapes(std::string_view text);

/// The text of the same value without such escapes, for Godot 4, which refuses a text that has one.
/// Godot 3 reads the same from it. All other bytes stay. The Strings and names that change go to
/// `report.notes`. The result has been read again. May throw bad_alloc.
std::expected<std::string, inspect::RewriteError> without_odd_escapes(
    std::string_view text, const Outline& outline, const View& value,
    inspect::ConversionReport& report);

}  // namespace gdvar::detail
