#include "read_number.hpp"

#include <charconv>
#include <limits>

namespace gdvar::detail {
std::int64_t engine_integer(std::string_view digits) noexcept {
    const bool negative = digits.starts_with('-');
    std::uint64_t value = 0;
    for (const char c : digits.substr(negative)) {
        // One more digit may exceed 64 bits. The number then wraps, as in the engines.
        if (static_cast<std::int64_t>(value) > std::numeric_limits<std::int64_t>::max() / 10)
            return negative ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max();
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::int32_t engine_int32(double value) noexcept {
    return value > -2147483649.0 && value < 2147483648.0 ? static_cast<std::int32_t>(value)
                                                         : std::numeric_limits<std::int32_t>::min();
}
std::int64_t engine_int64(double value) noexcept {
    return value >= -9223372036854775808.0 && value < 9223372036854775808.0
               ? static_cast<std::int64_t>(value)
               : std::numeric_limits<std::int64_t>::min();
}
std::uint64_t engine_uint64(double value) noexcept {
    // Above the positive half of int64, x86-64 converts the remainder of the number.
    constexpr double half = 9223372036854775808.0;
    return value >= half ? static_cast<std::uint64_t>(engine_int64(value - half)) ^ 1ull << 63
                         : static_cast<std::uint64_t>(engine_int64(value));
}

template <class T>
std::optional<T> exact_number(std::string_view digits) noexcept {
    T value{};
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return value;
}
template std::optional<std::int32_t> exact_number(std::string_view) noexcept;
template std::optional<std::uint8_t> exact_number(std::string_view) noexcept;
template std::optional<std::uint32_t> exact_number(std::string_view) noexcept;
template std::optional<std::int64_t> exact_number(std::string_view) noexcept;
template std::optional<std::uint64_t> exact_number(std::string_view) noexcept;
template std::optional<float> exact_number(std::string_view) noexcept;
template std::optional<double> exact_number(std::string_view) noexcept;

}  // namespace gdvar::detail
