#include "base/engine_real.hpp"

#include <array>
#include <limits>

#include "base/ascii.hpp"

namespace gdvar::detail {
namespace {

/// 10^exponent, rounded at each step.
constexpr double power_of_ten(unsigned exponent) noexcept {
    constexpr double squares[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    double power = 1.0;
    for (int i = 0; exponent; exponent >>= 1, ++i)
        if (exponent & 1)
            power *= squares[i];
    return power;
}

constexpr auto small_powers = [] {
    std::array<double, 32> out{};
    for (unsigned i = 0; i < out.size(); ++i)
        out[i] = power_of_ten(i);
    return out;
}();

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
    const double power =
        size < small_powers.size() ? small_powers[size] : power_of_ten(size > 511 ? 511 : size);
    const double result = divide ? value / power : value * power;
    // For 0e511, engines multiply 0 by infinity. That NaN has a sign on x86, where they were
    // recorded, and none on ARM. Here it always has the sign.
    return result == result ? result : -std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double engine_real(std::string_view text) noexcept {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative);
    constexpr std::size_t most = 18;
    std::uint64_t mantissa = 0;
    std::size_t digits = 0, point = text.npos, e = 0;
    for (; e < text.size() && text[e] != 'e' && text[e] != 'E'; ++e) {
        if (text[e] == '.')
            point = digits;
        else if (digits++ < most)
            mantissa = mantissa * 10 + static_cast<std::uint64_t>(text[e] - '0');
    }
    if (!digits)
        return negative ? -0.0 : 0.0;
    if (point == text.npos)
        point = digits;
    const std::size_t used = digits < most ? digits : most;
    // Engines add two halves of nine digits each. Both are exact floats, so this is the same sum.
    auto value = static_cast<double>(mantissa);
    const auto finish = [&] { return negative ? -value : value; };

    std::uint32_t exponent = static_cast<std::uint32_t>(point - used);
    if (e != text.size()) {
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
    return scaled(static_cast<double>(digits), exponent);
}

}  // namespace gdvar::detail
