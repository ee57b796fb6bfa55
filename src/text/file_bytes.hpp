// Decodes strings of files that are not UTF-8 as engines do (wire-format 9.2).
#pragma once

#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar::detail {

/// As Godot 3.2.3 and 3.6.2, which decode in place and stop at the first fault: the string's former
/// characters stay there, as many as the lead bytes promise. If these promise more than there is,
/// all stay. `characters`: the former ones, one for each byte, as UTF-8. `spaces`: surrogate pairs
/// are joined, and lone halves become spaces, as in 3.6. Time: linear. May throw bad_alloc.
GDVAR_EXPORT std::string decoded_by_godot_3(std::string_view bytes, std::string_view characters,
                                            bool spaces);

/// The message for such bytes, which became `text`.
GDVAR_EXPORT std::string_view told_by_godot_3(std::string_view bytes, std::string_view text);
inline constexpr std::string_view replaced_bytes =
    "U+FFFD takes the place of bytes that are not UTF-8";

}  // namespace gdvar::detail
