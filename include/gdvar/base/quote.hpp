// Foreign text in messages: names and keys from a packet or a user.
#pragma once

#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Puts `text` in double quotes, as one line that is safe for a terminal. `\n`, `\t` or `\uXXXX`
/// replace control characters (C0, DEL, C1), line and paragraph separators, characters that change
/// the direction of text, and invisible characters. Quotes and backslashes get a backslash. Bytes
/// that are not UTF-8 become `\xXX`. Other characters stay unchanged.
std::string quote(std::string_view text);
/// The same, appended to `out`.
void append_quoted(std::string& out, std::string_view text);

}  // namespace gdvar
