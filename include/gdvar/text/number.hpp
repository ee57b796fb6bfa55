// Numbers as each engine family prints them (wire-format 6.1).
#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar GDVAR_EXPORT {

/// A float by itself, as `var_to_str` / `var2str` prints it: with `.0` if it is whole; Godot 3 and
/// Pandemonium round to single precision and 6 digits first.
void append_float(std::string& out, double value, TextFamily family);
/// A float inside a constructor, such as Vector2's: without `.0`.
void append_component(std::string& out, double value, TextFamily family);

}  // namespace gdvar
