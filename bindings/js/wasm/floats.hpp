// Floats as text, and text as floats: <charconv>'s functions, with little code and no tables in the
// module.
#pragma once

#include <bit>
#include <charconv>
#include <limits>
#include <string_view>

#include "decimal.hpp"
#include "powers.hpp"

namespace gdvar::wasm {

template <class Real>
struct Layout;
template <>
struct Layout<double> {
    using Bits = std::uint64_t;
    static constexpr int fraction = 52, bias = 1023;
};
template <>
struct Layout<float> {
    using Bits = std::uint32_t;
    static constexpr int fraction = 23, bias = 127;
};

/// A float that is not negative, and finite.
template <class Real>
Binary binary_of(typename Layout<Real>::Bits bits) noexcept {
    constexpr int fraction = Layout<Real>::fraction, least = 1 - Layout<Real>::bias - fraction;
    constexpr std::uint64_t hidden = std::uint64_t{1} << fraction;
    const auto exponent = static_cast<int>(bits >> fraction);
    const std::uint64_t mantissa = bits & (hidden - 1);
    return exponent ? Binary{mantissa | hidden, exponent - 1 + least} : Binary{mantissa, least};
}

// ---- printing -----------------------------------------------------------------------------------

/// digits * 10^exponent.
struct Shortest {
    std::uint64_t digits;
    int exponent;
};

/// The nearest of the shortest decimal numbers that read back as the float, which is not 0:
/// Schubfach (Raffaello Giulietti).
template <class Real>
Shortest shortest(Binary value) noexcept {
    const auto [mantissa, power] = value;
    constexpr int fraction = Layout<Real>::fraction;
    const bool dense_below =
        mantissa == std::uint64_t{1} << fraction && power > 1 - Layout<Real>::bias - fraction;
    // floor(log10(2^power)), or that of 3/4 of it.
    const int k = (power * 1262611 - (dense_below ? 524031 : 0)) >> 22;
    const Wide ten = power_of_ten(-k);
    const int shift = power + log2_of_ten(-k) + 1;
    // Four times the value over 10^k, rounded to odd.
    const auto scaled = [&](std::uint64_t quarters) {
        quarters <<= shift;
        const Wide low = Wide{static_cast<std::uint64_t>(ten)} * quarters;
        const Wide all = Wide{static_cast<std::uint64_t>(ten >> 64)} * quarters + (low >> 64);
        return static_cast<std::uint64_t>(all >> 64) | (static_cast<std::uint64_t>(all) > 1);
    };
    const std::uint64_t odd = mantissa & 1, here = scaled(4 * mantissa);
    const std::uint64_t least = scaled(4 * mantissa - (dense_below ? 1 : 2)) + odd;
    const std::uint64_t most = scaled(4 * mantissa + 2) - odd;
    const std::uint64_t below = here / 4, short_below = below / 10;
    if (below >= 10 && (least <= 40 * short_below) != (40 * short_below + 40 <= most))
        return {short_below + (40 * short_below + 40 <= most), k + 1};
    if ((least <= 4 * below) != (4 * below + 4 <= most))
        return {below + (4 * below + 4 <= most), k};
    const std::uint64_t middle = 4 * below + 2;
    return {below + (here > middle || (here == middle && below % 2)), k};
}

/// Writes to [at, last), and remembers a lack of space.
class FloatText {
public:
    FloatText(char* at, char* last) noexcept : at_(at), last_(last) {}
    void put(char c) noexcept {
        if (at_ == last_)
            full_ = true;
        else
            *at_++ = c;
    }
    void fixed(Digits digits, int behind) noexcept {
        put(digits, digits.before < 1 ? digits.before - 1 : 0, digits.before, behind);
    }
    void scientific(Digits digits, int behind) noexcept {
        put(digits, 0, 1, behind);
        const int exponent = digits.exponent(), size = exponent < 0 ? -exponent : exponent;
        put('e');
        put(exponent < 0 ? '-' : '+');
        for (int unit = size >= 100 ? 100 : 10; unit; unit /= 10)
            put(static_cast<char>('0' + size / unit % 10));
    }
    std::to_chars_result result() const noexcept {
        return full_ ? std::to_chars_result{last_, std::errc::value_too_large}
                     : std::to_chars_result{at_, std::errc{}};
    }

private:
    /// The digits from a place to the point, and after it.
    void put(Digits digits, int from, int point, int behind) noexcept {
        for (int i = from; i < point + behind; ++i) {
            if (i == point)
                put('.');
            put(digits[i]);
        }
    }

    char *at_, *last_;
    bool full_ = false;
};

/// The bits of a finite float without its sign, for which it prints '-'.
template <class Real>
typename Layout<Real>::Bits unsigned_bits(FloatText& out, Real value) noexcept {
    using Bits = typename Layout<Real>::Bits;
    constexpr Bits sign = Bits{1} << (8 * sizeof(Real) - 1);
    const auto bits = std::bit_cast<Bits>(value);
    if (bits & sign)
        out.put('-');
    return bits & ~sign;
}

enum class Style { shorter, fixed, scientific };

/// The shortest digits of a finite float. As with std::to_chars, a whole number has all its own
/// digits.
template <class Real>
std::to_chars_result print(char* first, char* last, Real value, Style style) noexcept {
    FloatText out(first, last);
    const Binary binary = binary_of<Real>(unsigned_bits(out, value));
    char text[20] = "0";
    Digits digits{text, 1, 1};
    if (binary.mantissa) {
        const auto [whole, exponent] = shortest<Real>(binary);
        digits.size = static_cast<int>(std::to_chars(text, text + sizeof text, whole).ptr - text);
        digits.before = digits.size + exponent;
        digits.drop_zeros();
    }
    const int size = digits.size, before = digits.before, power = digits.exponent();
    const int behind = size > before ? size - before : 0;
    const int as_fixed = (before < 1 ? 1 : before) + (behind ? behind + 1 : 0);
    const int as_scientific = size + (size > 1) + (power <= -100 || power >= 100 ? 5 : 4);
    if (style == Style::scientific || (style == Style::shorter && as_scientific < as_fixed)) {
        out.scientific(digits, size - 1);
    } else if (binary.power > 0 && !behind) {  // digits beyond the shortest ones
        out.fixed(Decimal(binary).digits(), 0);
    } else {
        out.fixed(digits, behind);
    }
    return out.result();
}

/// A finite float, rounded: as %e, or, `general`, as %g of printf.
inline std::to_chars_result print_rounded(char* first, char* last, double value, bool general,
                                          int precision) noexcept {
    FloatText out(first, last);
    Decimal decimal(binary_of<double>(unsigned_bits(out, value)));
    const int wanted = general && precision > 0 ? precision - 1 : precision;
    decimal.round(wanted + 1);
    Digits digits = decimal.digits();
    if (!general) {
        out.scientific(digits, wanted);
        return out.result();
    }
    digits.drop_zeros();
    if (digits.exponent() < -4 || digits.exponent() > wanted)
        out.scientific(digits, digits.size - 1);
    else
        out.fixed(digits, digits.size > digits.before ? digits.size - digits.before : 0);
    return out.result();
}

// ---- reading ------------------------------------------------------------------------------------

struct Written {
    std::string_view text;      ///< digits and perhaps a point, without zeros in front
    std::uint64_t first = 0;    ///< the number of its first 19 digits
    std::int64_t exponent = 0;  ///< of the last of these
    std::int64_t before = 0;    ///< digits of `text` before the point, the exponent counted
    bool more = false;          ///< there are further digits
    std::size_t size = 0;       ///< characters in all; 0: not a number
};

inline bool is_decimal(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// digits [. digits] [e [sign] digits], without a sign.
inline Written scan(std::string_view all) noexcept {
    Written out;
    std::size_t at = 0, start = all.npos;
    int taken = 0;
    bool point = false, any = false;
    for (; at < all.size() && (is_decimal(all[at]) || (all[at] == '.' && !point)); ++at) {
        if (all[at] == '.') {
            point = true;
            continue;
        }
        any = true;
        if (start == all.npos && all[at] != '0')
            start = at;
        if (start == all.npos) {
            out.exponent -= point;
            out.before -= point;
            continue;
        }
        if (taken < 19) {
            ++taken;
            out.first = out.first * 10 + static_cast<std::uint64_t>(all[at] - '0');
            out.exponent -= point;
        } else {
            out.more = true;
            out.exponent += !point;
        }
        out.before += !point;
    }
    if (!any)
        return out;
    out.size = at;
    if (start != all.npos)
        out.text = all.substr(start, at - start);
    std::size_t e = at + 1;
    if (at < all.size() && (all[at] == 'e' || all[at] == 'E')) {
        const bool negative = e < all.size() && all[e] == '-';
        e += e < all.size() && (negative || all[e] == '+');
        std::int64_t power = 0;
        for (at = e; at < all.size() && is_decimal(all[at]); ++at)
            if (power < std::int64_t{1} << 40)
                power = power * 10 + (all[at] - '0');
        if (at > e) {
            out.size = at;
            out.exponent += negative ? -power : power;
            out.before += negative ? -power : power;
        }
    }
    return out;
}

/// Negative, 0 or positive: the number is less than, equal to, or more than the other.
inline std::int64_t compare(const Written& number, Digits other) noexcept {
    if (number.before != other.before)
        return number.before - other.before;
    int place = 0;
    for (const char c : number.text)
        if (c != '.') {
            if (c != other[place])
                return c - other[place];
            ++place;
        }
    while (other[place] == '0' && place < other.size)
        ++place;
    return place < other.size ? -1 : 0;
}

/// The bits of the float nearest to a number just above wide * 2^power.
template <class Real>
typename Layout<Real>::Bits rounded(Wide wide, int power) noexcept {
    using Bits = typename Layout<Real>::Bits;
    constexpr int fraction = Layout<Real>::fraction, bias = Layout<Real>::bias;
    const auto high = static_cast<std::uint64_t>(wide >> 64);
    const int size = 128 - __builtin_clzll(high);  // the upper bits of the inputs are set
    const int exponent = power + size - 1 + bias;  // with the bias
    if (exponent > 2 * bias)
        return Bits{2 * bias + 1} << fraction;
    const int keep = exponent > 0 ? fraction + 1 : fraction + exponent;
    if (keep < 0)
        return 0;
    const int shift = size - keep;
    const auto mantissa = static_cast<Bits>((wide >> (shift - 1) >> 1) + (wide >> (shift - 1) & 1));
    return exponent > 0 ? (static_cast<Bits>(exponent - 1) << fraction) + mantissa : mantissa;
}

/// The bits of the float nearest to a number other than 0.
template <class Real>
typename Layout<Real>::Bits nearest(const Written& number) noexcept {
    using Bits = typename Layout<Real>::Bits;
    if (number.exponent > 308)
        return Bits{2 * Layout<Real>::bias + 1} << Layout<Real>::fraction;
    if (number.exponent < least_ten)
        return 0;
    const auto ten = static_cast<int>(number.exponent);
    const int zeros = __builtin_clzll(number.first);
    const std::uint64_t digits = number.first << zeros;
    const Wide power = power_of_ten(ten);
    const Wide product = Wide{static_cast<std::uint64_t>(power >> 64)} * digits +
                         (Wide{static_cast<std::uint64_t>(power)} * digits >> 64);
    const int exponent = 64 + log2_of_ten(ten) - 127 - zeros;
    // The true product is smaller, since the power was rounded up, or larger by the omitted digits.
    const Wide left_off = number.more ? (power >> (64 - zeros)) + 2 : Wide{0};
    const Bits low = rounded<Real>(product - 1, exponent);
    const Bits high = rounded<Real>(product + left_off, exponent);
    if (low == high)
        return low;
    const auto [mantissa, least] = binary_of<Real>(low);
    const std::int64_t order = compare(number, Decimal({2 * mantissa + 1, least - 1}).digits());
    return order > 0 || (order == 0 && low % 2) ? high : low;
}

template <class Real>
struct Read {
    Real value;
    std::size_t size;  ///< characters
    std::errc error;
};

/// Reads as std::from_chars does; infinity and 0 for numbers out of range. Words are not numbers
/// here.
template <class Real>
Read<Real> read(const char* first, const char* last) noexcept {
    const bool negative = first != last && *first == '-';
    first += negative;
    const Written number = scan({first, static_cast<std::size_t>(last - first)});
    if (!number.size)
        return {0, 0, std::errc::invalid_argument};
    const auto bits = number.first ? nearest<Real>(number) : 0;
    const auto value = std::bit_cast<Real>(bits);
    const bool fits = value <= std::numeric_limits<Real>::max() && (bits || !number.first);
    return {negative ? -value : value, number.size + negative,
            fits ? std::errc{} : std::errc::result_out_of_range};
}

}  // namespace gdvar::wasm
