// Numbers as each engine family prints them (wire-format 6.1).
// Room: text.
#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar GDVAR_EXPORT {

/// A float value on its own, as `var_to_str` / `var2str` prints it: always with `.0` when it is
/// whole; Godot 3 and Pandemonium round to single precision and 6 digits first.
void append_float(std::string& out, double value, TextFamily family);
/// A float inside a constructor, such as Vector2's: without `.0`.
void append_component(std::string& out, double value, TextFamily family);

namespace detail {
/// Decimal digits of a positive finite value by Grisu2: `value = digits * 10^exponent`. Not always
/// the shortest, but the ones that Godot 4 prints. `single`: the value is a float's.
struct Digits {
    char text[20];
    int count;
    int exponent;
};
Digits grisu2(double value, bool single) noexcept;
}  // namespace detail

}  // namespace gdvar
