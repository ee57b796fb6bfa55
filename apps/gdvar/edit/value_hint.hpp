// Hints for a value that can't be read.
#pragma once

#include <string>
#include <string_view>

#include "gdvar/value/document.hpp"
#include "options/values.hpp"

namespace gdvar::app {

/// "; write 'Vector2i(1, 2)'" for the text `(1,2)` where a Vector2i stands, "; write '\"Bob\"'" for
/// Bob where a String stands. `old`: what stands there; leads nowhere if that is nothing. Empty
/// where nothing better is known.
std::string value_hint(const ValueOptions& options, const Dialect& dialect, std::string_view text,
                       const View& old);

}  // namespace gdvar::app
