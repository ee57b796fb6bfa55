#include "gdvar/text/number.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/text_buffer.hpp"
#include "gdvar/base/bytes.hpp"
#include "write_float.hpp"

namespace gdvar {
namespace {

// Grisu2 (Loitsch, "Printing floating-point numbers quickly and accurately with integers", 2010),
// with the cached powers of ten every eight decades, rounded to 64 bits.

/// `value = text * 10^exponent`.
struct Digits {
    char text[20];
    int count;
    int exponent;
};

struct Scaled {
    std::uint64_t f;
    int e;
};

struct Power {
    std::uint64_t f;
    int e, k;
};

constexpr Power powers[] = {
    {0xAB70FE17C79AC6CAu, -1060, -300}, {0xFF77B1FCBEBCDC4Fu, -1034, -292},
    {0xBE5691EF416BD60Cu, -1007, -284}, {0x8DD01FAD907FFC3Cu, -980, -276},
    {0xD3515C2831559A83u, -954, -268},  {0x9D71AC8FADA6C9B5u, -927, -260},
    {0xEA9C227723EE8BCBu, -901, -252},  {0xAECC49914078536Du, -874, -244},
    {0x823C12795DB6CE57u, -847, -236},  {0xC21094364DFB5637u, -821, -228},
    {0x9096EA6F3848984Fu, -794, -220},  {0xD77485CB25823AC7u, -768, -212},
    {0xA086CFCD97BF97F4u, -741, -204},  {0xEF340A98172AACE5u, -715, -196},
    {0xB23867FB2A35B28Eu, -688, -188},  {0x84C8D4DFD2C63F3Bu, -661, -180},
    {0xC5DD44271AD3CDBAu, -635, -172},  {0x936B9FCEBB25C996u, -608, -164},
    {0xDBAC6C247D62A584u, -582, -156},  {0xA3AB66580D5FDAF6u, -555, -148},
    {0xF3E2F893DEC3F126u, -529, -140},  {0xB5B5ADA8AAFF80B8u, -502, -132},
    {0x87625F056C7C4A8Bu, -475, -124},  {0xC9BCFF6034C13053u, -449, -116},
    {0x964E858C91BA2655u, -422, -108},  {0xDFF9772470297EBDu, -396, -100},
    {0xA6DFBD9FB8E5B88Fu, -369, -92},   {0xF8A95FCF88747D94u, -343, -84},
    {0xB94470938FA89BCFu, -316, -76},   {0x8A08F0F8BF0F156Bu, -289, -68},
    {0xCDB02555653131B6u, -263, -60},   {0x993FE2C6D07B7FACu, -236, -52},
    {0xE45C10C42A2B3B06u, -210, -44},   {0xAA242499697392D3u, -183, -36},
    {0xFD87B5F28300CA0Eu, -157, -28},   {0xBCE5086492111AEBu, -130, -20},
    {0x8CBCCC096F5088CCu, -103, -12},   {0xD1B71758E219652Cu, -77, -4},
    {0x9C40000000000000u, -50, 4},      {0xE8D4A51000000000u, -24, 12},
    {0xAD78EBC5AC620000u, 3, 20},       {0x813F3978F8940984u, 30, 28},
    {0xC097CE7BC90715B3u, 56, 36},      {0x8F7E32CE7BEA5C70u, 83, 44},
    {0xD5D238A4ABE98068u, 109, 52},     {0x9F4F2726179A2245u, 136, 60},
    {0xED63A231D4C4FB27u, 162, 68},     {0xB0DE65388CC8ADA8u, 189, 76},
    {0x83C7088E1AAB65DBu, 216, 84},     {0xC45D1DF942711D9Au, 242, 92},
    {0x924D692CA61BE758u, 269, 100},    {0xDA01EE641A708DEAu, 295, 108},
    {0xA26DA3999AEF774Au, 322, 116},    {0xF209787BB47D6B85u, 348, 124},
    {0xB454E4A179DD1877u, 375, 132},    {0x865B86925B9BC5C2u, 402, 140},
    {0xC83553C5C8965D3Du, 428, 148},    {0x952AB45CFA97A0B3u, 455, 156},
    {0xDE469FBD99A05FE3u, 481, 164},    {0xA59BC234DB398C25u, 508, 172},
    {0xF6C69A72A3989F5Cu, 534, 180},    {0xB7DCBF5354E9BECEu, 561, 188},
    {0x88FCF317F22241E2u, 588, 196},    {0xCC20CE9BD35C78A5u, 614, 204},
    {0x98165AF37B2153DFu, 641, 212},    {0xE2A0B5DC971F303Au, 667, 220},
    {0xA8D9D1535CE3B396u, 694, 228},    {0xFB9B7CD9A4A7443Cu, 720, 236},
    {0xBB764C4CA7A44410u, 747, 244},    {0x8BAB8EEFB6409C1Au, 774, 252},
    {0xD01FEF10A657842Cu, 800, 260},    {0x9B10A4E5E9913129u, 827, 268},
    {0xE7109BFBA19C0C9Du, 853, 276},    {0xAC2820D9623BF429u, 880, 284},
    {0x80444B5E7AA7CF85u, 907, 292},    {0xBF21E44003ACDD2Du, 933, 300},
    {0x8E679C2F5E44FF8Fu, 960, 308},    {0xD433179D9C8CB841u, 986, 316},
    {0x9E19DB92B4E31BA9u, 1013, 324},
};

/// The upper 64 bits of the product, rounded to nearest. In halves if there is no 128-bit type.
Scaled times(Scaled a, Scaled b) noexcept {
#if defined(__SIZEOF_INT128__) && !defined(GDVAR_SMALL)
    __extension__ using Wide = unsigned __int128;
    constexpr std::uint64_t half_of_last = std::uint64_t{1} << 63;
    return {static_cast<std::uint64_t>((Wide{a.f} * b.f + half_of_last) >> 64), a.e + b.e + 64};
#else
    constexpr std::uint64_t half = 0xFFFF'FFFFu;
    const std::uint64_t a_high = a.f >> 32, a_low = a.f & half;
    const std::uint64_t b_high = b.f >> 32, b_low = b.f & half;
    const std::uint64_t one = a_low * b_high, other = a_high * b_low;
    const std::uint64_t middle =
        (a_low * b_low >> 32) + (one & half) + (other & half) + (std::uint64_t{1} << 31);
    return {a_high * b_high + (one >> 32) + (other >> 32) + (middle >> 32), a.e + b.e + 64};
#endif
}

Scaled normalised(Scaled a) noexcept {
    const int shift = std::countl_zero(a.f);
    return {a.f << shift, a.e - shift};
}

struct Boundaries {
    Scaled value, minus, plus;
};

/// The value, and the ends of the interval of decimals that read back as it.
Boundaries boundaries(double value, bool single) noexcept {
    std::uint64_t fraction, hidden;
    std::uint64_t biased;
    int bias;
    if (single) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        fraction = bits & 0x7F'FFFFu;
        hidden = std::uint64_t{1} << 23;
        biased = bits >> 23 & 0xFF;
        bias = 127 + 23;
    } else {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        fraction = bits & 0xF'FFFF'FFFF'FFFFu;
        hidden = std::uint64_t{1} << 52;
        biased = bits >> 52 & 0x7FF;
        bias = 1023 + 52;
    }
    const Scaled v = biased == 0 ? Scaled{fraction, 1 - bias}
                                 : Scaled{fraction + hidden, static_cast<int>(biased) - bias};
    const bool lower_is_closer = fraction == 0 && biased > 1;
    const Scaled plus = normalised({2 * v.f + 1, v.e - 1});
    const Scaled minus =
        lower_is_closer ? Scaled{4 * v.f - 1, v.e - 2} : Scaled{2 * v.f - 1, v.e - 1};
    return {normalised(v), {minus.f << (minus.e - plus.e), plus.e}, plus};
}

/// Moves the last digit towards the value, within the interval.
void round_last(Digits& out, std::uint64_t dist, std::uint64_t delta, std::uint64_t rest,
                std::uint64_t unit) noexcept {
    while (rest < dist && delta - rest >= unit &&
           (rest + unit < dist || dist - rest > rest + unit - dist)) {
        --out.text[out.count - 1];
        rest += unit;
    }
}

void generate(Digits& out, const Boundaries& scaled) noexcept {
    std::uint64_t delta = scaled.plus.f - scaled.minus.f;
    std::uint64_t dist = scaled.plus.f - scaled.value.f;
    const int shift = -scaled.plus.e;
    const std::uint64_t one = std::uint64_t{1} << shift;
    auto whole = static_cast<std::uint32_t>(scaled.plus.f >> shift);
    std::uint64_t fraction = scaled.plus.f & (one - 1);
    std::uint32_t unit = 1;
    int left = 0;
    if (fraction > delta) {
        // The remainder is too large for any digit before the point to be the last.
        const char* end = std::to_chars(out.text, out.text + sizeof out.text, whole).ptr;
        out.count = static_cast<int>(end - out.text);
    } else {
        for (left = 1; left < 10 && whole / unit >= 10; ++left)
            unit *= 10;
    }
    while (left > 0) {
        out.text[out.count++] = static_cast<char>('0' + whole / unit);
        whole %= unit;
        --left;
        const std::uint64_t rest = (std::uint64_t{whole} << shift) + fraction;
        if (rest <= delta) {
            out.exponent += left;
            round_last(out, dist, delta, rest, std::uint64_t{unit} << shift);
            return;
        }
        unit /= 10;
    }
    for (;;) {
        fraction *= 10;
        delta *= 10;
        dist *= 10;
        out.text[out.count++] = static_cast<char>('0' + (fraction >> shift));
        fraction &= one - 1;
        --out.exponent;
        if (fraction <= delta)
            break;
    }
    round_last(out, dist, delta, fraction, one);
}

/// Decimal digits of a positive finite value by Grisu2: not always the shortest, but those that
/// Godot 4 prints. `single`: the value is a float's.
Digits grisu2(double value, bool single) noexcept {
    constexpr int alpha = -60, first_k = -300, step = 8;
    const Boundaries exact = boundaries(value, single);
    // The power of ten that brings the product's exponent between -60 and -32.
    const int wanted = alpha - exact.plus.e - 1;
    const int k = wanted * 78913 / (1 << 18) + (wanted > 0);
    const Power& power = powers[(-first_k + k + step - 1) / step];
    const Scaled ten{power.f, power.e};
    Boundaries scaled{times(exact.value, ten), times(exact.minus, ten), times(exact.plus, ten)};
    ++scaled.minus.f;  // inside the interval, however the products were rounded
    --scaled.plus.f;
    Digits out{{}, 0, -power.k};
    generate(out, scaled);
    return out;
}

/// Writes digits in fixed notation from 1e-4 to below 1e15, else with an exponent of two digits.
char* write_digits(char* to, const Digits& d, bool whole_mark) noexcept {
    const auto put = [&](std::string_view part) { to = detail::copied_to(to, part); };
    const auto zeros = [&](int count) { to = std::fill_n(to, count, '0'); };
    const int point = d.count + d.exponent;  // digits before the decimal point
    const std::string_view text(d.text, static_cast<std::size_t>(d.count));
    if (d.count <= point && point <= 15) {
        put(text);
        zeros(point - d.count);
        if (whole_mark)
            put(".0");
    } else if (0 < point && point <= 15) {
        put(text.substr(0, static_cast<std::size_t>(point)));
        put(".");
        put(text.substr(static_cast<std::size_t>(point)));
    } else if (-4 < point && point <= 0) {
        put("0.");
        zeros(-point);
        put(text);
    } else {
        put(text.substr(0, 1));
        if (d.count > 1) {
            put(".");
            put(text.substr(1));
        }
        const int exponent = std::abs(point - 1);
        put(point < 1 ? "e-" : "e+");
        zeros(exponent < 10);
        to = std::to_chars(to, to + 3, exponent).ptr;
    }
    return to;
}

char* write_own_digits(char* to, double value, bool whole_mark) noexcept {
    *to = '-';
    return write_digits(to + (value < 0), grisu2(std::fabs(value), detail::fits_float(value)),
                        whole_mark);
}

/// C's %g with 6 digits, whatever the locale.
char* write_six_digits(char* to, double value, bool whole_mark) noexcept {
    char* const end =
        std::to_chars(to, to + detail::most_of_float, value, std::chars_format::general, 6).ptr;
    const bool marked = std::any_of(to, end, [](char c) { return c == '.' || c == 'e'; });
    return whole_mark && !marked ? detail::copied_to(end, ".0") : end;
}

std::string_view special(double value, const detail::TextRules& rules, bool alone) noexcept {
    if (value != value) {
        const bool negative = rules.negative_words && std::signbit(value);
        return !negative ? "nan" : alone ? "-nan.0" : "-nan";
    }
    if (value > 0)
        return "inf";
    return !rules.negative_words ? "inf_neg" : alone ? "-inf.0" : "-inf";
}

double rounded(double value) noexcept {
    constexpr double most = std::numeric_limits<float>::max();
    if (value > most)
        return value < 3.4028235677973366e38 ? most : HUGE_VAL;
    if (value < -most)
        return value > -3.4028235677973366e38 ? -most : -HUGE_VAL;
    return static_cast<double>(static_cast<float>(value));
}

void append(std::string& out, double value, TextFamily family, bool alone) {
    char text[detail::most_of_float];
    out.append(text, detail::write_float(text, value, detail::text_rules(family), alone));
}

}  // namespace

char* detail::write_float(char* to, double value, const TextRules& rules, bool alone) noexcept {
    if (rules.floats == FloatDigits::six_of_float)
        value = rounded(value);
    if (!std::isfinite(value))
        return copied_to(to, special(value, rules, alone));
    if (value == 0)
        return copied_to(to, alone ? "0.0" : "0");
    return rules.floats == FloatDigits::own ? write_own_digits(to, value, alone)
                                            : write_six_digits(to, value, alone);
}

void append_float(std::string& out, double value, TextFamily family) {
    append(out, value, family, true);
}

void append_component(std::string& out, double value, TextFamily family) {
    append(out, value, family, false);
}

}  // namespace gdvar
