#include "writing.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/coding.hpp"
#include "base/engine_real.hpp"
#include "base/escape.hpp"
#include "base/number.hpp"
#include "gdvar/json/json.hpp"

namespace gdvar::detail {
void append_json_text(std::string& out, std::string_view text) {
    const auto stays = [](std::uint32_t code) {
        return code >= 0x20 && code != '"' && code != '\\';
    };
    append_replaced(out, text, stays, [&](utf8::Character character, std::string_view bytes) {
        out += '\\';
        switch (bytes[0]) {
            case '"':
            case '\\':
                out += bytes;
                break;
            case '\n':
                out += 'n';
                break;
            case '\r':
                out += 'r';
                break;
            case '\t':
                out += 't';
                break;
            default: {
                const auto byte = static_cast<unsigned char>(bytes[0]);
                out += 'u';
                append_hex_digits(out, character.size ? byte : 0xDC00u + byte, 4);
            }
        }
    });
}

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    append_json_text(out, text);
    out += '"';
}

void append_json_real(std::string& out, double value) {
    if (value != value) {
        out += "null";
    } else if (value > std::numeric_limits<double>::max()) {
        out += "1e99999";
    } else if (value < -std::numeric_limits<double>::max()) {
        out += "-1e99999";
    } else {
        append_finite(out, value, WholeMark::yes);
    }
}

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
/// were found. The engine's result is off by up to a few units in the last place, and by about the
/// same for all numbers near the value.
bool append_surviving(std::string& out, double value) {
    const double size = std::fabs(value);
    const Decimal exact = eighteen_digits(size);
    const auto take = [&](Decimal decimal) {
        if (engine_decimal(decimal.digits, decimal.exponent) != size)
            return false;
        std::string found = std::to_string(decimal.digits);
        const auto point = static_cast<int>(found.size()) - 1;
        found.insert(1, ".");
        found += 'e' + std::to_string(decimal.exponent + point);
        if (nearest(found) != size)
            return false;
        if (value < 0)
            out += '-';
        out += found;
        return true;
    };
    if (take({(exact.digits + 50) / 100, exact.exponent + 2}) ||
        take({(exact.digits + 5) / 10, exact.exponent + 1}) || take(exact))
        return true;
    for (std::uint64_t off = 1; off <= 60; ++off)
        for (const std::uint64_t near : {exact.digits + off, exact.digits - off})
            if (near >= 100'000'000'000'000'000 && near < 1'000'000'000'000'000'000 &&
                take({near, exact.exponent}))
                return true;
    return false;
}

}  // namespace

void append_native_real(std::string& out, double value) {
    const auto take = [&](std::string_view digits) { append_digits(out, digits, WholeMark::yes); };
    const Shortest<double> shortest(value);
    const std::string_view digits = shortest.view();
    // Up to 15 digits and a power up to 10^15 are exact floats. So the engine's result is rounded
    // only once.
    const bool simple = digits.size() <= 16 && digits.find('e') == digits.npos;
    if (simple || engine_real(digits) == value)
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
    if (!append_surviving(out, value))
        append_json_real(out, value);
}

}  // namespace gdvar::detail

std::string gdvar::json_string(std::string_view text) {
    std::string out;
    detail::append_json_string(out, text);
    return out;
}
