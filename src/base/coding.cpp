#include "base/coding.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace gdvar::detail {
namespace {

constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char hex_digits[] = "0123456789abcdef";

/// The value of each Base64 digit, by its byte; 0xFF for other bytes.
constexpr auto base64_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(0xFF);
    for (std::uint8_t i = 0; i < 64; ++i)
        values[static_cast<unsigned char>(base64_digits[i])] = i;
    return values;
}();

}  // namespace

Decoded decode_base64(std::string_view text, Base64Rule rule, std::byte* to) noexcept {
    const std::byte* const begin = to;
    const auto done = [&](std::size_t wrong_at) {
        return Decoded{static_cast<std::size_t>(to - begin), wrong_at};
    };
    const auto passed_over = [=](char c) {
        return rule == Base64Rule::engine ? c == '\n' || c == '\r' : is_space(c);
    };
    std::uint32_t word = 0;
    int digits = 0, ends = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint8_t value = base64_values[static_cast<unsigned char>(text[i])];
        if (value == 0xFF) {
            if (passed_over(text[i]))
                continue;
            if (text[i] != '=' || digits + ++ends > 4 || digits < 2)
                return done(i);
            continue;
        }
        if (ends)
            return done(i);
        word = word << 6 | value;
        if (++digits < 4)
            continue;
        for (const int shift : {16, 8, 0})
            *to++ = static_cast<std::byte>(word >> shift);
        word = 0;
        digits = 0;
    }
    const bool cut = digits + ends != 0 && digits + ends != 4;
    if (digits == 1 || (cut && (ends || rule == Base64Rule::engine)))
        return done(text.size());
    if (digits >= 2)
        *to++ = static_cast<std::byte>(word >> (digits == 2 ? 4 : 10));
    if (digits == 3)
        *to++ = static_cast<std::byte>(word >> 2);
    return done(Decoded::all);
}

Decoded decode_hex(std::string_view text, std::byte* to) noexcept {
    const std::byte* const begin = to;
    const auto done = [&](std::size_t wrong_at) {
        return Decoded{static_cast<std::size_t>(to - begin), wrong_at};
    };
    std::size_t i = 0;
    while (i < text.size() && is_space(text[i]))
        ++i;
    if (text.substr(i).starts_with("0x"))
        i += 2;
    int high = -1;
    for (; i < text.size(); ++i) {
        if (is_space(text[i]))
            continue;
        const int value = hex_value(text[i]);
        if (value < 0)
            return done(i);
        if (high < 0) {
            high = value;
            continue;
        }
        *to++ = static_cast<std::byte>(high << 4 | value);
        high = -1;
    }
    return done(high < 0 ? Decoded::all : text.size());
}

void append_base64(std::string& out, ByteView bytes) {
    const std::size_t from = out.size();
    out.resize(from + (bytes.size() + 2) / 3 * 4);
    char* to = out.data() + from;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t b = 0; b < 3; ++b)
            word = word << 8 | (b < n ? static_cast<std::uint32_t>(bytes[i + b]) : 0u);
        for (std::size_t d = 0; d < 4; ++d)
            *to++ = d <= n ? base64_digits[word >> (18 - 6 * d) & 63] : '=';
    }
}

void write_hex(ByteView bytes, char* to) noexcept {
    for (const std::byte byte : bytes) {
        *to++ = hex_digits[static_cast<unsigned>(byte) >> 4];
        *to++ = hex_digits[static_cast<unsigned>(byte) & 15];
    }
}

void append_hex(std::string& out, ByteView bytes) {
    const std::size_t from = out.size();
    out.resize(from + bytes.size() * 2);
    write_hex(bytes, out.data() + from);
}

void append_hex_digits(std::string& out, std::uint64_t value, int digits) {
    for (int i = digits - 1; i >= 0; --i)
        out += hex_digits[value >> (4 * i) & 15];
}

void append_hex_number(std::string& out, std::uint64_t value) {
    int digits = 1;
    while (digits < 16 && value >> (4 * digits))
        ++digits;
    append_hex_digits(out, value, digits);
}

}  // namespace gdvar::detail
