// Converts decimal digits to floats as the engines do; the result is not always the nearest float.
#pragma once

#include <cstdint>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar::detail {

/// Reads `-?digits[.digits][e[+-]digits]` as the engines do (wire-format 6.1). Only 18 digits are
/// used. The power of ten is a product of powers, so the last bit may be off.
GDVAR_EXPORT double engine_real(std::string_view text) noexcept;

/// The same for digits that are already a number of at most 18 digits: `digits * 10^exponent`.
GDVAR_EXPORT double engine_decimal(std::uint64_t digits, std::int32_t exponent) noexcept;

}  // namespace gdvar::detail
