// Foreign text for a terminal, a log or a diagnostic: names and values of the data, names of files,
// words of the command line. All such text passes through one of these two functions.
#pragma once

#include <string>
#include <string_view>

namespace gdvar::app {

/// The text on one line, without characters that a terminal obeys instead of showing them. It
/// escapes C0 and C1 controls (also line feeds), characters that change the writing direction, line
/// separators, invisible tags and invalid UTF-8 (`\n`, `\u001b`, `\U000e0041`, `\xff`).
std::string printable(std::string_view text);

/// The same for several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

/// Appends spaces up to that number of bytes.
std::string padded(std::string text, std::size_t width);

}  // namespace gdvar::app
