// The functions of libc++ that print a float with a given number of digits, without tables.
//
// Those of libc++ (Ryu printf) bring 105 kB of tables, and std::to_chars refers to them even where
// the shortest digits are asked for: it prints whole numbers from 2^53 on with them. These are
// exact, too: they write the float as a whole number times a power of ten.
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "decimal.hpp"

namespace {

/// Writes to [first, last), and remembers that there was too little space.
struct Text {
    char* at;
    char* last;
    bool full = false;
    void put(char c) noexcept {
        if (at == last)
            full = true;
        else
            *at++ = c;
    }
    std::to_chars_result result() const noexcept {
        return full ? std::to_chars_result{last, std::errc::value_too_large}
                    : std::to_chars_result{at, std::errc{}};
    }
};

}  // namespace

// The names and parameters are libc++'s own (its ryu.h). The float is not negative, and
// is finite.
_LIBCPP_BEGIN_NAMESPACE_STD

to_chars_result __d2fixed_buffered_n(char* first, char* last, double value,
                                     std::uint32_t precision) {
    gdvar::wasm::Decimal digits(gdvar::wasm::binary_of(value));
    const auto behind = static_cast<int>(precision);
    digits.round(digits.before_point() + behind);
    const int before = digits.before_point();
    Text out{first, last};
    if (before < 1)
        out.put('0');
    for (int i = 0; i < before; ++i)
        out.put(digits[i]);
    if (behind)
        out.put('.');
    for (int i = before; i < before + behind; ++i)
        out.put(digits[i]);
    return out.result();
}

to_chars_result __d2exp_buffered_n(char* first, char* last, double value, std::uint32_t precision) {
    gdvar::wasm::Decimal digits(gdvar::wasm::binary_of(value));
    const auto behind = static_cast<int>(precision);
    digits.round(behind + 1);
    Text out{first, last};
    out.put(digits[0]);
    if (behind)
        out.put('.');
    for (int i = 1; i <= behind; ++i)
        out.put(digits[i]);
    const int exponent = digits.zero() ? 0 : digits.before_point() - 1;
    out.put('e');
    out.put(exponent < 0 ? '-' : '+');
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100)
        out.put(static_cast<char>('0' + size / 100));
    out.put(static_cast<char>('0' + size / 10 % 10));
    out.put(static_cast<char>('0' + size % 10));
    return out.result();
}

/// Writes that many digits of a number, with zeros in front.
void __append_n_digits(std::uint32_t count, std::uint32_t digits, char* to) {
    for (; count; digits /= 10)
        to[--count] = static_cast<char>('0' + digits % 10);
}
void __append_nine_digits(std::uint32_t digits, char* to) {
    __append_n_digits(9, digits, to);
}

_LIBCPP_END_NAMESPACE_STD
