// Decimal digits as the engines make floats of them, which is not always the nearest float.
#pragma once

#include <cstdint>
#include <string_view>

namespace gdvar::detail {

/// `-?digits[.digits][e[+-]digits]`, as engines read it (wire-format 6.1): 18 digits are looked at,
/// the power of ten is multiplied together from powers of two, so that the last bit may be off.
double engine_real(std::string_view digits) noexcept;

/// The same for digits that are a number of up to 18 digits already: `digits * 10^exponent`.
double engine_decimal(std::uint64_t digits, std::int32_t exponent) noexcept;

}  // namespace gdvar::detail
