// The floats of the WebAssembly modules (bindings/js/wasm/floats.hpp) against those of the standard
// library.
#include "wasm/floats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace gdvar::wasm {
namespace {

template <class Print>
std::string text_of(Print print) {
    char text[1200];
    const auto [end, error] = print(text, text + sizeof text);
    EXPECT_EQ(error, std::errc{});
    return {text, end};
}

/// The bits that are read, or "none" and the like.
template <class Real>
std::string outcome(std::errc error, std::size_t size, Real value) {
    if (error == std::errc::invalid_argument)
        return "none";
    const bool fits = error == std::errc{};
    return std::to_string(size) +
           (fits ? " " + std::to_string(std::bit_cast<typename Layout<Real>::Bits>(value))
                 : " range");
}

template <class Real>
void same_reading(const std::string& text) {
    Real value{};
    const auto standard = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto mine = read<Real>(text.data(), text.data() + text.size());
    EXPECT_EQ(
        outcome<Real>(mine.error, mine.size, mine.value),
        outcome<Real>(standard.ec, static_cast<std::size_t>(standard.ptr - text.data()), value))
        << text;
}

template <class Real>
void same_printing(Real value) {
    if (!std::isfinite(value))
        return;
    using enum Style;
    const auto mine = [&](Style style) {
        return text_of([&](char* at, char* last) { return print(at, last, value, style); });
    };
    const auto standard = [&](auto... format) {
        return text_of(
            [&](char* at, char* last) { return std::to_chars(at, last, value, format...); });
    };
    EXPECT_EQ(mine(shorter), standard());
    EXPECT_EQ(mine(fixed), standard(std::chars_format::fixed));
    EXPECT_EQ(mine(scientific), standard(std::chars_format::scientific));
    same_reading<Real>(standard());
    if constexpr (sizeof(Real) == 8)
        for (const int precision : {0, 5, 6, 17}) {
            const auto rounded = [&](bool general) {
                return text_of([&](char* at, char* last) {
                    return print_rounded(at, last, value, general, precision);
                });
            };
            EXPECT_EQ(rounded(true), standard(std::chars_format::general, precision));
            EXPECT_EQ(rounded(false), standard(std::chars_format::scientific, precision));
        }
}

/// The number halfway between a float and the next one, or just below or above it.
template <class Real>
std::string halfway(Real value, int side) {
    const auto [mantissa, power] =
        binary_of<Real>(std::bit_cast<typename Layout<Real>::Bits>(std::fabs(value)));
    const Decimal decimal({2 * mantissa + 1, power - 1});
    const Digits middle = decimal.digits();
    std::string digits(middle.text, static_cast<std::size_t>(middle.size));
    int exponent = middle.before - middle.size;
    if (side < 0)
        --digits.back();
    if (side > 0) {
        digits += "01";
        exponent -= 2;
    }
    return digits + "e" + std::to_string(exponent);
}

TEST(WasmFloats, RandomFloats) {
    std::mt19937_64 random(7);
    const auto below = [&](std::uint64_t end) { return static_cast<int>(random() % end); };
    for (int i = 0; i < 20'000; ++i) {
        const auto any = std::bit_cast<double>(random());
        const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        same_printing(any);
        same_printing(single);
        same_printing(static_cast<double>(static_cast<std::int64_t>(random()) >> below(64)));
        same_printing(below(1'000'000) / std::pow(10.0, below(8)));
        same_printing(std::bit_cast<double>(random() % 5000));
        same_printing(std::ldexp(1.0, below(2100) - 1075));
        same_printing(std::ldexp(1.0f, below(280) - 150));
        if (std::isfinite(any))
            same_reading<double>(halfway(any, i % 3 - 1));
        if (std::isfinite(single))
            same_reading<float>(halfway(single, i % 3 - 1));
    }
    for (const double value :
         {0.0, -0.0, 1e23, 9007199254740993.0, 5e-324, 1.7976931348623157e308}) {
        same_printing(value);
        same_printing(static_cast<float>(value));
    }
}

TEST(WasmFloats, RandomTexts) {
    std::mt19937_64 random(8);
    const auto below = [&](std::uint64_t end) { return static_cast<int>(random() % end); };
    for (int i = 0; i < 200'000; ++i) {
        std::string text(random() % 4 ? "" : "-");
        for (int left = 1 + below(40); left > 0; --left) {
            text += static_cast<char>('0' + below(random() % 3 ? 10 : 1));
            if (random() % 20 == 0)
                text += '.';
        }
        if (random() % 2)
            text += "e" + std::to_string(below(700) - 350);
        same_reading<double>(text);
        same_reading<float>(text);
    }
    for (const char* text : {"",
                             "-",
                             ".",
                             "-.",
                             "e5",
                             "1e",
                             "1e+",
                             "1e-",
                             "1.",
                             ".5",
                             "00",
                             "0.0",
                             "-0",
                             "1e400",
                             "1e-400",
                             "0e999",
                             "1e99999999999999999999",
                             "1..5",
                             "2.4703282292062327e-324",
                             "2.4703282292062328e-324",
                             "1.7976931348623158e308",
                             "1.7976931348623159e308",
                             "9007199254740993.00000000000000000000001"}) {
        same_reading<double>(text);
        same_reading<float>(text);
    }
}

TEST(WasmFloats, TooLittleSpace) {
    char text[4];
    EXPECT_EQ(print(text, text + 4, -1.25, Style::shorter).ec, std::errc::value_too_large);
    EXPECT_EQ(print_rounded(text, text + 4, 1.25, false, 3).ec, std::errc::value_too_large);
    EXPECT_EQ(print(text, text + 4, 1.25, Style::shorter).ptr, text + 4);
}

}  // namespace
}  // namespace gdvar::wasm
