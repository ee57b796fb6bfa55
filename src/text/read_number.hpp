// Parses numbers: as the engines do, which is not always the nearest float, and exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/engine_real.hpp"

namespace gdvar::detail {

/// `-?digits`, as engines read it: saturates past 64 bits.
std::int64_t engine_integer(std::string_view digits) noexcept;
/// A double as int32, int64 or byte, as x86-64 converts: out of range gives the least value.
std::int32_t engine_int32(double value) noexcept;
std::int64_t engine_int64(double value) noexcept;
/// As uint64: out of range gives 0.
std::uint64_t engine_uint64(double value) noexcept;

/// The nearest T; nothing if the text is not a number or does not fit.
template <class T>
std::optional<T> exact_number(std::string_view digits) noexcept;

/// An Object's id: an int of 64 bits, signed or not.
inline std::optional<std::uint64_t> object_id_of(std::string_view digits) noexcept {
    if (const auto id = exact_number<std::int64_t>(digits))
        return static_cast<std::uint64_t>(*id);
    return exact_number<std::uint64_t>(digits);
}

}  // namespace gdvar::detail
