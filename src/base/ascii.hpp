// Classes of ASCII characters, whatever the locale.
// Room: base, private.
#pragma once

#include <cstddef>
#include <string_view>

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

/// The control character that a letter behind a backslash means; 0 if it means none. Engines know
/// the first five, Godot 3's JSON `v`, C `a`.
constexpr char escaped_control(char letter, std::size_t known = 5) noexcept {
    constexpr std::string_view letters = "btnfrva", controls = "\b\t\n\f\r\v\a";
    const std::size_t at = letters.substr(0, known).find(letter);
    return at == letters.npos ? '\0' : controls[at];
}

}  // namespace gdvar::detail
