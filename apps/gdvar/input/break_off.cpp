#include "input/break_off.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::app {
namespace {

/// Takes the number before a colon, and the colon.
std::optional<std::size_t> number_before_colon(std::string_view& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ':')
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return number;
}

std::string_view text_from(std::string_view text, std::size_t line, std::size_t column) {
    for (; line > 1; --line) {
        const std::size_t end = text.find('\n');
        if (end == text.npos)
            return {};
        text.remove_prefix(end + 1);
    }
    for (; column > 1 && !text.empty(); --column)
        text.remove_prefix(std::max<std::size_t>(utf8::first(text).size, 1));
    return text;
}

bool is_in_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-';
}

bool fails_at_end(std::string_view text, std::string_view reason) {
    const auto line = number_before_colon(reason);
    const auto column = line ? number_before_colon(reason) : std::nullopt;
    if (!column || (*line == 1 && *column == 1))
        return false;
    if (reason.ends_with("has no end") || reason.ends_with("has no ']'"))
        return true;
    std::string_view rest = text_from(text, *line, *column);
    rest = rest.substr(0, rest.find_last_not_of(detail::space_characters) + 1);
    return std::ranges::all_of(rest, is_in_word);
}

}  // namespace

bool breaks_off(std::string_view text, std::span<const Reading> ruled_out) {
    // Wrong offsets may be in the last line of a dump.
    return std::ranges::any_of(ruled_out, [&](const Reading& reading) {
        return reading.kind != InputKind::byte_text && fails_at_end(text, reading.reason);
    });
}

}  // namespace gdvar::app
