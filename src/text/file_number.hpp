// Floats in files, in digits that the family's own reader reads as the same float.
#pragma once

#include <string>

#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// As `append_float`, with more digits where the reader needs them. No digits give about one in 70
/// doubles of 17 digits, because the reader multiplies and divides rounded numbers. Such a double
/// gets its shortest digits, which are read as a float near it.
void append_file_float(std::string& out, double value, TextFamily family);
/// The same for `append_component`. `wide`: the component has 64 bits, else 32.
void append_file_component(std::string& out, double value, bool wide, TextFamily family);

}  // namespace gdvar::detail
