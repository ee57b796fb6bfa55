// Foreign text in messages: names and keys that a packet or a user brought.
// Room: wire.
#pragma once

#include <string>
#include <string_view>

namespace gdvar {

/// `text` in double quotes, as one line that changes nothing in a terminal: control characters
/// (C0, DEL, C1), line and paragraph separators, and what turns the direction of text or is not seen
/// are written `\n`, `\t` or `\uXXXX`; quotes and backslashes get a backslash; bytes that are not
/// UTF-8 are `\xXX`. Other characters stay as they are.
std::string quote(std::string_view text);
/// The same at the end of `out`.
void append_quoted(std::string& out, std::string_view text);

}  // namespace gdvar
