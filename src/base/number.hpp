// Floats in their shortest digits. The engines' format is in text/number.cpp.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/special_bytes.hpp"

namespace gdvar::detail {

/// The shortest digits that read back as the same float, whatever the locale.
template <class Real>
class Shortest {
public:
    explicit Shortest(Real value) noexcept
        : end_(std::to_chars(text_, text_ + sizeof text_, value).ptr) {}
    Shortest(const Shortest&) = delete;
    Shortest& operator=(const Shortest&) = delete;

    std::string_view view() const noexcept {
        return {text_, static_cast<std::size_t>(end_ - text_)};
    }

private:
    char text_[32];
    const char* end_;
};

/// An Object's id as Godot prints it: ids of 2^63 and more, as those of RefCounted, are negative.
inline std::string object_id_text(std::uint64_t id) {
    return std::to_string(static_cast<std::int64_t>(id));
}

/// Chooses ".0" behind a whole number without an exponent, to show that it is a float.
enum class WholeMark : bool { no, yes };

template <class Out>
void append_digits(Out& out, std::string_view digits, WholeMark mark) {
    out += digits;
    if (mark == WholeMark::yes && SpecialBytes<0, '.', 'e'>::find(digits, 0) == digits.size())
        out += ".0";
}

template <class Real, class Out>
void append_finite(Out& out, Real value, WholeMark mark) {
    if constexpr (requires { out.written(0, nullptr); }) {
        constexpr std::size_t most = 32;
        out.written(most, [=](char* const to) {
            char* end = std::to_chars(to, to + most - 2, value).ptr;
            const std::string_view digits(to, static_cast<std::size_t>(end - to));
            if (mark == WholeMark::yes &&
                SpecialBytes<0, '.', 'e'>::find(digits, 0) == digits.size()) {
                *end++ = '.';
                *end++ = '0';
            }
            return end;
        });
    } else {
        append_digits(out, Shortest<Real>(value).view(), mark);
    }
}

/// The same for any float: "nan", "inf" and "-inf".
template <class Real, class Out>
void append_float(Out& out, Real value, WholeMark mark) {
    if (std::isnan(value))
        out += "nan";
    else if (std::isinf(value))
        out += value < 0 ? "-inf" : "inf";
    else
        append_finite(out, value, mark);
}

}  // namespace gdvar::detail
