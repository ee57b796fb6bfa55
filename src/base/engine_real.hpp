// Converts decimal digits to floats as the engines do; the result is not always the nearest float.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar::detail {

/// Reads `-?digits[.digits][e[+-]digits]` as the engines do (wire-format 6.1). Only 18 digits are
/// used. The power of ten is a product of powers, so the last bit may be off.
GDVAR_EXPORT double engine_real(std::string_view text) noexcept;

/// The same for digits that are already a number of at most 18 digits: `digits * 10^exponent`.
GDVAR_EXPORT double engine_decimal(std::uint64_t digits, std::int32_t exponent) noexcept;

/// True if the engines read the shortest digits of a float as that float.
inline bool engine_reads(std::string_view digits, double value) noexcept {
    // Up to 15 digits and a power up to 10^15 are exact floats, so the engine rounds only once.
    const bool simple = digits.size() <= 16 && digits.find('e') == digits.npos;
    return simple || engine_real(digits) == value;
}

/// `any`: digits that the engines read as the value. `nearest_too`: the value is also their nearest
/// float.
enum class EngineDigits : std::uint8_t { any, nearest_too };
/// Appends digits of a finite float that the engines read as that float, with a point or an
/// exponent; the shortest digits if they are such. False, with nothing appended, if none were
/// found.
GDVAR_EXPORT bool append_engine_digits(std::string& out, double value, EngineDigits wanted);

}  // namespace gdvar::detail
