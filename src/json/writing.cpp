#include "writing.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/engine_real.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/json/json.hpp"

namespace gdvar::detail {
namespace {

void append_hex4(std::string& out, unsigned value) {
    out += "\\u";
    for (int i = 3; i >= 0; --i)
        out += "0123456789abcdef"[value >> (4 * i) & 15];
}

std::size_t sequence(std::string_view text) noexcept {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t n = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    return n <= text.size() && valid_text(text.substr(0, n), Utf8Rule::strict) ? n : 0;
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text[0]);
        std::size_t n = 1;
        switch (byte) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                if (byte < 0x20) {
                    append_hex4(out, byte);
                } else if (n = sequence(text); n == 0) {
                    n = 1;
                    append_hex4(out, 0xDC00u + byte);
                } else {
                    out += text.substr(0, n);
                }
        }
        text.remove_prefix(n);
    }
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
        char text[64];
        const std::string_view shortest(text, std::to_chars(text, text + sizeof text, value).ptr);
        out += shortest;
        if (shortest.find_first_of(".e") == shortest.npos)
            out += ".0";
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
    char text[40];
    const char* end = std::to_chars(text, text + sizeof text, value).ptr;
    const auto digits = [&] {
        return std::string_view(text, static_cast<std::size_t>(end - text));
    };
    const auto take = [&] {
        out += digits();
        if (digits().find_first_of(".e") == std::string_view::npos)
            out += ".0";
    };
    // Up to 15 digits and a power up to 10^15 are exact floats. So the engine's result is rounded
    // only once.
    const bool simple = end - text <= 16 && digits().find('e') == std::string_view::npos;
    if (simple || engine_real(digits()) == value)
        return take();
    // The engine prints all digits of large whole numbers, and reads 18 of them.
    if (std::fabs(value) < 1e19 && std::fabs(value) >= 1e15) {
        end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
        if (engine_real(digits()) == value)
            return take();
    }
    if (!append_surviving(out, value))
        append_json_real(out, value);
}

std::string path_text(const NodePathView& path) {
    std::string text;
    if (path.absolute())
        text += '/';
    bool first = true;
    path.each([&](std::string_view name, bool subname) {
        if (subname)
            text += ':';
        else if (!first)
            text += '/';
        first = false;
        text += name;
    });
    return text;
}

bool is_plain_path(const NodePathView& path) {
    bool sound = !path.separate_property();
    path.each([&](std::string_view name, bool subname) {
        sound = sound && !name.empty() && name.find_first_of(subname ? ":" : "/:") == name.npos;
    });
    return sound;
}

}  // namespace gdvar::detail

std::string gdvar::json_string(std::string_view text) {
    std::string out;
    detail::append_json_string(out, text);
    return out;
}
