// Foreign text on its way to a terminal, a log or a diagnostic: names and values of the data, names of
// files, words of the command line. Everything of that kind passes one of these two functions.
#pragma once

#include <string>
#include <string_view>

namespace gdvar::app {

/// The text on one line, with nothing in it that a terminal obeys instead of showing it: C0 and C1
/// controls (line feeds, too), what turns the direction of writing, line separators, invisible tags,
/// and bytes that are no UTF-8 are escaped (`\n`, `\u001b`, `\U000e0041`, `\xff`).
std::string printable(std::string_view text);

/// The same for text of several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace gdvar::app
