// Floats in files: digits that the family's own reader reads as the same float.
#pragma once

#include <string>

#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// As `append_float`, with more digits where the reader needs them. About one double of 17 digits
/// in 70 is read from no digits, because the reader multiplies and divides rounded numbers. It gets
/// its shortest digits, which are read as a float near it.
void append_file_float(std::string& out, double value, TextFamily family);
/// As `append_component`, likewise. `wide`: the component has 64 bits, else 32.
void append_file_component(std::string& out, double value, bool wide, TextFamily family);

}  // namespace gdvar::detail
