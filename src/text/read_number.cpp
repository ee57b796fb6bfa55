#include "read_number.hpp"

#include <charconv>
#include <limits>

namespace gdvar::detail {
namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// 10^exponent, rounded at each step.
double power_of_ten(unsigned exponent) noexcept {
    constexpr double squares[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    double power = 1.0;
    for (int i = 0; exponent; exponent >>= 1, ++i)
        if (exponent & 1)
            power *= squares[i];
    return power;
}

/// The digits after the e; wraps as a 32-bit int does.
std::uint32_t exponent_of(std::string_view text) noexcept {
    std::uint32_t value = 0;
    for (const char c : text)
        value = value * 10 + static_cast<std::uint32_t>(c - '0');
    return value;
}

}  // namespace

std::int64_t engine_integer(std::string_view digits) noexcept {
    const bool negative = digits.starts_with('-');
    std::uint64_t value = 0;
    for (const char c : digits.substr(negative)) {
        // One more digit may take it past 64 bits, which then wraps; the engines let it.
        if (static_cast<std::int64_t>(value) > std::numeric_limits<std::int64_t>::max() / 10)
            return negative ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max();
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

double engine_real(std::string_view text) noexcept {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative);
    const std::size_t e = text.find_first_of("eE");
    const std::string_view mantissa = text.substr(0, e);
    std::size_t point = mantissa.find('.');
    const std::size_t digits = mantissa.size() - (point != mantissa.npos);
    if (point == mantissa.npos)
        point = mantissa.size();
    if (!digits)
        return negative ? -0.0 : 0.0;

    const std::size_t used = digits < 18 ? digits : 18;
    // Two halves: nine digits fit an int, and engines collect them so.
    std::uint32_t half[2] = {0, 0};
    std::size_t left = used;
    for (const char c : mantissa) {
        if (c == '.')
            continue;
        if (!left)
            break;
        std::uint32_t& part = half[left > 9 ? 0 : 1];
        part = part * 10 + static_cast<std::uint32_t>(c - '0');
        --left;
    }
    double value = 1.0e9 * half[0] + half[1];
    const auto finish = [&] { return negative ? -value : value; };

    std::uint32_t exponent = static_cast<std::uint32_t>(point - used);
    if (e != text.npos) {
        std::string_view tail = text.substr(e + 1);
        const bool minus = tail.starts_with('-');
        if (minus || tail.starts_with('+'))
            tail.remove_prefix(1);
        // Without digits the exponent does not count, and neither does the point.
        if (tail.empty() || !is_digit(tail[0]))
            return finish();
        exponent = minus ? exponent - exponent_of(tail) : exponent + exponent_of(tail);
    }
    const bool divide = static_cast<std::int32_t>(exponent) < 0;
    if (divide)
        exponent = 0 - exponent;
    const double power = power_of_ten(exponent > 511 ? 511 : exponent);
    value = divide ? value / power : value * power;
    return finish();
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
