// Classes of ASCII characters, whatever the locale, and what they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gdvar::detail {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
/// A letter or the underscore: the first character of an identifier.
constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/// White space in texts that are not an engine's.
inline constexpr std::string_view space_characters = " \t\r\n";
constexpr bool is_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t';
}
/// The first position from `at` on without white space.
constexpr std::size_t behind_space(std::string_view text, std::size_t at = 0) noexcept {
    while (at < text.size() && is_space(text[at]))
        ++at;
    return at;
}
constexpr bool all_space(std::string_view text) noexcept {
    return behind_space(text) == text.size();
}
/// The value of a hexadecimal digit; -1 for any other character.
constexpr int hex_value(char c) noexcept {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
/// The value of the hexadecimal digits at that position: up to 8. Nothing if one is not a digit.
constexpr std::optional<std::uint32_t> read_hex(std::string_view text, std::size_t at,
                                                std::size_t count) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        const int digit = i < text.size() ? hex_value(text[i]) : -1;
        if (digit < 0)
            return std::nullopt;
        value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    return value;
}

/// The letters that mean control characters behind a backslash. Engines know the first five,
/// Godot 3's JSON `v`, C `a`.
inline constexpr std::string_view control_letters = "btnfrva", escaped_controls = "\b\t\n\f\r\v\a";
/// The control character that one of the first `known` letters stands for; else 0.
constexpr char escaped_control(char letter, std::size_t known = 5) noexcept {
    for (std::size_t i = 0; i < known; ++i)
        if (control_letters[i] == letter)
            return escaped_controls[i];
    return '\0';
}

/// The letter that stands for a control character; else 0.
constexpr char letter_of_control(char control) noexcept {
    const std::size_t at = escaped_controls.find(control);
    return at == escaped_controls.npos ? '\0' : control_letters[at];
}

}  // namespace gdvar::detail
