// How engines decode the bytes of a string in a file where they are not UTF-8 (wire-format 9.2).
#pragma once

#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar::detail {

/// As Godot 3.2.3 and 3.6.2 do, which decode in place and stop at the first fault: so the
/// characters that the string had before stay there, as many as the lead bytes promise. Where
/// these promise more than there is, all stay. `characters`: those, one for each byte, as UTF-8.
/// `spaces`: pairs of surrogates are joined, and halves without the other become spaces, as in 3.6.
/// Time: linear. May throw bad_alloc.
GDVAR_EXPORT std::string decoded_by_godot_3(std::string_view bytes, std::string_view characters,
                                            bool spaces);

/// What is told of such bytes, which became `text`.
GDVAR_EXPORT std::string_view told_by_godot_3(std::string_view bytes, std::string_view text);
inline constexpr std::string_view replaced_bytes =
    "U+FFFD takes the place of bytes that are not UTF-8";

}  // namespace gdvar::detail
