#pragma once

#include "rules.hpp"

namespace gdvar::detail {

inline constexpr std::size_t most_of_float = 32;  ///< bytes: a sign, 17 digits, a point, e-308

/// Writes the float as that family prints it, and returns the end. `alone`: with a mark of a float,
/// which components lack.
char* write_float(char* to, double value, const TextRules& rules, bool alone) noexcept;

}  // namespace gdvar::detail
