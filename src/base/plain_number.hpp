// Reads numbers of the common form `-?digits[.digits]` in one pass.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ascii.hpp"
#include "base/text_buffer.hpp"
#include "gdvar/base/bytes.hpp"

namespace gdvar::detail {

/// A number without an exponent. `mantissa` holds its digits only if there are 18 at most.
struct PlainNumber {
    std::uint64_t mantissa = 0;
    std::size_t digits = 0, fraction = 0;  ///< all digits; those behind the point
    bool negative = false, real = false;
    std::string_view text{};

    bool held() const noexcept { return digits <= 18; }
    /// True for a number of JSON: no superfluous leading 0, digits after the point.
    bool well_formed() const noexcept {
        return (!real || fraction) && (digits - fraction == 1 || text[negative] != '0');
    }
    std::int64_t whole() const noexcept {
        return static_cast<std::int64_t>(negative ? 0 - mantissa : mantissa);
    }
    /// True if `quotient` is the nearest float: both numbers that it divides are exact.
    bool exact() const noexcept { return held() && mantissa <= std::uint64_t{1} << 53; }
    /// For up to 18 digits: the number by one division.
    GDVAR_ALWAYS_INLINE double quotient() const noexcept {
        constexpr auto powers = [] {
            std::array<double, 19> out{1};
            for (std::size_t i = 1; i < out.size(); ++i)
                out[i] = out[i - 1] * 10;
            return out;
        }();
        const double size = static_cast<double>(mantissa) / powers[fraction];
        return negative ? -size : size;
    }

    /// Reads the number at that position. False if none is there, or one with an exponent or with
    /// a NUL behind it, which has a meaning of its own to engines.
    GDVAR_ALWAYS_INLINE bool read(std::string_view from, std::size_t at) noexcept {
        const char *const begin = from.data() + at, *const end = from.data() + from.size();
        const char* p = begin;
        negative = p != end && *p == '-';
        p += negative;
        const char* const first = p;
        mantissa = 0;
        for (; p != end && is_digit(*p); ++p)
            add(*p);
        digits = static_cast<std::size_t>(p - first);
        real = p != end && *p == '.';
        fraction = 0;
        if (real) {
            const char* const point = p++;
            for (; end - p >= 8 && add_eight(p); p += 8) {
            }
            for (; p != end && is_digit(*p); ++p)
                add(*p);
            fraction = static_cast<std::size_t>(p - point) - 1;
        }
        text = {begin, static_cast<std::size_t>(p - begin)};
        const bool any = digits != 0;
        digits += fraction;
        return any && (p == end || (*p != '\0' && *p != 'e' && *p != 'E'));
    }

    /// The same for a text that must be the number alone.
    bool read_all(std::string_view from) noexcept {
        return read(from, 0) && text.size() == from.size();
    }

private:
    void add(char digit) noexcept {
        mantissa = mantissa * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    /// Adds eight digits at once; false, with nothing added, if one is not a digit.
    bool add_eight(const char* p) noexcept {
        constexpr std::uint64_t high = 0xF0F0'F0F0'F0F0'F0F0u, six = 0x0606'0606'0606'0606u;
        auto all = load<std::uint64_t>(reinterpret_cast<const std::byte*>(p));
        if (((all & high) | ((all + six) & high) >> 4) != 0x3333'3333'3333'3333u)
            return false;
        // Combines digits to pairs, pairs to fours, fours to eight.
        all = (all & ~high) * 2561 >> 8;
        all = (all & 0x00FF'00FF'00FF'00FFu) * 6553601 >> 16;
        all = (all & 0x0000'FFFF'0000'FFFFu) * 42949672960001u >> 32;
        mantissa = mantissa * 100'000'000 + all;
        return true;
    }
};

}  // namespace gdvar::detail
