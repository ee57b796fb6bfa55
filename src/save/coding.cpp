#include "gdvar/save/coding.hpp"

#include <algorithm>
#include <new>

namespace gdvar {
namespace {

constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64_value(char c) noexcept {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}
int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}
bool is_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::unexpected<Error> at(Errc code, std::size_t offset) {
    return std::unexpected(Error{code, Type::nil, offset, 0});
}

}  // namespace

std::expected<std::vector<std::byte>, Error> from_base64(std::string_view text) try {
    std::vector<std::byte> out;
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t word = 0;
    int digits = 0, ends = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_space(text[i]))
            continue;
        if (text[i] == '=') {
            if (digits + ++ends > 4 || digits < 2)
                return at(Errc::bad_base64, i);
            continue;
        }
        const int value = base64_value(text[i]);
        if (value < 0 || ends)
            return at(Errc::bad_base64, i);
        word = word << 6 | static_cast<std::uint32_t>(value);
        if (++digits < 4)
            continue;
        for (const int shift : {16, 8, 0})
            out.push_back(static_cast<std::byte>(word >> shift));
        word = 0;
        digits = 0;
    }
    if (digits == 1 || (ends && digits + ends != 4))
        return at(Errc::bad_base64, text.size());
    if (digits >= 2)
        out.push_back(static_cast<std::byte>(word >> (digits == 2 ? 4 : 10)));
    if (digits == 3)
        out.push_back(static_cast<std::byte>(word >> 2));
    return out;
} catch (const std::bad_alloc&) {
    return at(Errc::no_memory, 0);
}

std::string to_base64(ByteView bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t b = 0; b < 3; ++b)
            word = word << 8 | (b < n ? static_cast<std::uint32_t>(bytes[i + b]) : 0u);
        for (std::size_t d = 0; d < 4; ++d)
            out += d <= n ? base64_digits[word >> (18 - 6 * d) & 63] : '=';
    }
    return out;
}

std::expected<std::vector<std::byte>, Error> from_hex(std::string_view text) try {
    std::vector<std::byte> out;
    out.reserve(text.size() / 2);
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
            return at(Errc::bad_hex, i);
        if (high < 0) {
            high = value;
            continue;
        }
        out.push_back(static_cast<std::byte>(high << 4 | value));
        high = -1;
    }
    if (high >= 0)
        return at(Errc::bad_hex, text.size());
    return out;
} catch (const std::bad_alloc&) {
    return at(Errc::no_memory, 0);
}

std::string to_hex(ByteView bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const std::byte byte : bytes) {
        out += "0123456789abcdef"[static_cast<unsigned>(byte) >> 4];
        out += "0123456789abcdef"[static_cast<unsigned>(byte) & 15];
    }
    return out;
}

}  // namespace gdvar
