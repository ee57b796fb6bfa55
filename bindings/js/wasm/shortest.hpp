// The shortest digits that read back as the same float, without tables: for gdvar-core.wasm, which
// prints floats in paths and messages alone. It is a hundred times slower than libc++'s (Ryu).
#pragma once

#include "decimal.hpp"

namespace gdvar::wasm {

/// Whether a decimal number reads back as the float between these two.
struct Bounds {
    Decimal low, high;
    bool even;  ///< the bounds themselves read back as it
    bool hold(const Decimal& candidate) const noexcept {
        const int below = candidate.compare(low), above = candidate.compare(high);
        return even ? below >= 0 && above <= 0 : below > 0 && above < 0;
    }
};

/// `lowest`: the mantissa of the least float with that power, below which floats are denser.
inline Decimal shortest_digits(Binary value, std::uint64_t lowest, int least_power) noexcept {
    const auto [m, p] = value;
    const bool dense_below = m == lowest && p > least_power;
    const Bounds bounds{Decimal({4 * m - (dense_below ? 1 : 2), p - 2}),
                        Decimal({4 * m + 2, p - 2}), m % 2 == 0};
    const Decimal exact(value);
    for (int digits = 1; digits < 17; ++digits) {
        Decimal candidate = exact;
        candidate.round(digits);
        if (bounds.hold(candidate))
            return candidate;
        candidate = exact;
        candidate.round(digits, true);
        if (dense_below && bounds.hold(candidate))
            return candidate;
    }
    Decimal longest = exact;
    longest.round(17);
    return longest;
}

/// Writes it as std::to_chars does: in the shorter form; a whole number has all its own digits.
/// Returns the end, or null if there is too little space.
inline char* print_shortest(char* at, char* last, Binary value, std::uint64_t lowest,
                            int least_power) noexcept {
    const auto put = [&](char c) {
        if (at && at != last)
            *at++ = c;
        else
            at = nullptr;
    };
    if (value.mantissa == 0) {
        put('0');
        return at;
    }
    const Decimal digits = shortest_digits(value, lowest, least_power);
    int size = digits.size();
    while (size > 1 && digits[size - 1] == '0')
        --size;
    const int before = digits.before_point(), exponent = before - 1;
    const int fixed = before <= 0 ? 2 - before + size : size <= before ? before : size + 1;
    const int scientific = size + (size > 1) + (exponent <= -100 || exponent >= 100 ? 5 : 4);
    if (fixed <= scientific) {
        const Decimal exact(value);
        const bool whole = size <= before;
        if (before <= 0)
            put('0');
        for (int i = 0; i < before; ++i)
            put(whole ? exact[i] : digits[i]);
        if (before < size)
            put('.');
        for (int i = before; i < size; ++i)
            put(digits[i]);
        return at;
    }
    put(digits[0]);
    if (size > 1)
        put('.');
    for (int i = 1; i < size; ++i)
        put(digits[i]);
    put('e');
    put(exponent < 0 ? '-' : '+');
    const int power = exponent < 0 ? -exponent : exponent;
    if (power >= 100)
        put(static_cast<char>('0' + power / 100));
    put(static_cast<char>('0' + power / 10 % 10));
    put(static_cast<char>('0' + power % 10));
    return at;
}

inline char* print_shortest(char* at, char* last, double value) noexcept {
    return print_shortest(at, last, binary_of(value), std::uint64_t{1} << 52, -1074);
}
inline char* print_shortest(char* at, char* last, float value) noexcept {
    return print_shortest(at, last, binary_of(value), std::uint64_t{1} << 23, -149);
}

}  // namespace gdvar::wasm
