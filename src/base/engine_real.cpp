#include "base/engine_real.hpp"

#include <limits>

#include "base/ascii.hpp"

namespace gdvar::detail {
namespace {

/// 10^exponent, rounded at each step.
double power_of_ten(unsigned exponent) noexcept {
    constexpr double squares[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    double power = 1.0;
    for (int i = 0; exponent; exponent >>= 1, ++i)
        if (exponent & 1)
            power *= squares[i];
    return power;
}

/// The value of the digits after the e. It wraps like a 32-bit int.
std::uint32_t exponent_of(std::string_view text) noexcept {
    std::uint32_t value = 0;
    for (const char c : text)
        value = value * 10 + static_cast<std::uint32_t>(c - '0');
    return value;
}

/// value * 10^exponent, by one multiplication or division.
double scaled(double value, std::int32_t exponent) noexcept {
    const bool divide = exponent < 0;
    const auto size =
        divide ? 0 - static_cast<std::uint32_t>(exponent) : static_cast<std::uint32_t>(exponent);
    const double power = power_of_ten(size > 511 ? 511 : size);
    const double result = divide ? value / power : value * power;
    // For 0e511, engines multiply 0 by infinity. That NaN has a sign on x86, where they were
    // recorded, and none on ARM. Here it always has the sign.
    return result == result ? result : -std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

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
    // Two halves of nine digits: nine digits fit an int, and the engines do the same.
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
        // Without digits the exponent and the point are ignored.
        if (tail.empty() || !is_digit(tail[0]))
            return finish();
        exponent = minus ? exponent - exponent_of(tail) : exponent + exponent_of(tail);
    }
    value = scaled(value, static_cast<std::int32_t>(exponent));
    return finish();
}

double engine_decimal(std::uint64_t digits, std::int32_t exponent) noexcept {
    constexpr std::uint64_t half = 1'000'000'000;
    const std::uint64_t high = digits / half, low = digits % half;
    return scaled(1.0e9 * static_cast<double>(high) + static_cast<double>(low), exponent);
}

}  // namespace gdvar::detail
