// Digits that the engines read as a given float.
#include <charconv>
#include <cmath>

#include "base/engine_real.hpp"
#include "base/number.hpp"

namespace gdvar::detail {
namespace {

double nearest(std::string_view digits) noexcept {
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

/// A decimal number: `digits * 10^exponent`.
struct Decimal {
    std::uint64_t digits;
    int exponent;
};

/// A positive value, rounded to 18 digits.
Decimal eighteen_digits(double value) {
    char text[40];
    const char* end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 17).ptr;
    const std::string_view all(text, static_cast<std::size_t>(end - text));
    const std::size_t e = all.find('e');
    Decimal out{0, 0};
    for (const char c : all.substr(0, e))
        if (c != '.')
            out.digits = out.digits * 10 + static_cast<std::uint64_t>(c - '0');
    const std::size_t sign = all[e + 1] == '+' ? e + 2 : e + 1;
    std::from_chars(all.data() + sign, all.data() + all.size(), out.exponent);
    out.exponent -= 17;
    return out;
}

/// Appends digits, more than the value needs, that the engine reads as the value. False if none
/// were found. The engine's result is off by up to a few units in the last place, by about the same
/// for all numbers near the value.
bool append_surviving(std::string& out, double value, EngineDigits wanted) {
    const double size = std::fabs(value);
    const Decimal exact = eighteen_digits(size);
    const auto take = [&](Decimal decimal) {
        if (engine_decimal(decimal.digits, decimal.exponent) != size)
            return false;
        std::string found = std::to_string(decimal.digits);
        const auto point = static_cast<int>(found.size()) - 1;
        found.insert(1, ".");
        found += 'e' + std::to_string(decimal.exponent + point);
        if (wanted == EngineDigits::nearest_too && nearest(found) != size)
            return false;
        if (value < 0)
            out += '-';
        out += found;
        return true;
    };
    // Tries `decimal` and its neighbours, with as many digits.
    const auto take_near = [&](Decimal decimal, std::uint64_t least) {
        for (std::uint64_t off = 0; off <= 60; ++off)
            for (const std::uint64_t near : {decimal.digits + off, decimal.digits - off})
                if (near >= least && near < 10 * least && take({near, decimal.exponent}))
                    return true;
        return false;
    };
    constexpr std::uint64_t least_18 = 100'000'000'000'000'000, least_17 = least_18 / 10;
    if (take({(exact.digits + 50) / 100, exact.exponent + 2}) ||
        take({(exact.digits + 5) / 10, exact.exponent + 1}) || take_near(exact, least_18))
        return true;
    const double read = engine_decimal(exact.digits, exact.exponent);
    if (wanted == EngineDigits::nearest_too || !(read > 0) || read - read != 0)
        return false;
    // Compensates for the engine's error. The engine keeps 53 bits of 18 digits, and may skip a
    // float that it reads from 17.
    const double off = (size / read - 1.0) * static_cast<double>(exact.digits);
    if (!(std::fabs(off) < 1e6))
        return false;
    const std::uint64_t middle =
        exact.digits + static_cast<std::uint64_t>(static_cast<std::int64_t>(off));
    return take_near({middle, exact.exponent}, least_18) ||
           take_near({(exact.digits + 5) / 10, exact.exponent + 1}, least_17) ||
           take_near({(middle + 5) / 10, exact.exponent + 1}, least_17);
}

}  // namespace

bool append_engine_digits(std::string& out, double value, EngineDigits wanted) {
    const auto take = [&](std::string_view digits) {
        append_digits(out, digits, WholeMark::yes);
        return true;
    };
    const Shortest<double> shortest(value);
    const std::string_view digits = shortest.view();
    if (engine_reads(digits, value))
        return take(digits);
    // The engine prints all digits of large whole numbers, and reads 18 of them.
    if (std::fabs(value) < 1e19 && std::fabs(value) >= 1e15) {
        char text[40];
        const char* end =
            std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
        const std::string_view all(text, static_cast<std::size_t>(end - text));
        if (engine_real(all) == value)
            return take(all);
    }
    return append_surviving(out, value, wanted);
}

}  // namespace gdvar::detail
