// Classes of ASCII characters, whatever the locale.
// Room: base, private.
#pragma once

namespace gdvar::detail {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
/// A letter, or the underscore: what an identifier may begin with.
constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
/// The value of a hexadecimal digit; -1 for any other character.
constexpr int hex_value(char c) noexcept {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace gdvar::detail
