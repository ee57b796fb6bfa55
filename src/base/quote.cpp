#include "gdvar/base/quote.hpp"

#include <cstddef>

#include "gdvar/base/utf8.hpp"

namespace gdvar {
namespace {

void append_hex(std::string& out, unsigned value, int digits) {
    for (int i = digits - 1; i >= 0; --i)
        out += "0123456789abcdef"[value >> (4 * i) & 15];
}

void append_byte(std::string& out, char byte) {
    out += "\\x";
    append_hex(out, static_cast<unsigned char>(byte), 2);
}

struct Range {
    unsigned first, last;
};
/// Unicode's control characters, separators, format characters for direction, and characters
/// without width.
constexpr Range unseen[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x061C, 0x061C}, {0x180E, 0x180E},
    {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
};
bool is_unseen(unsigned character) noexcept {
    for (const Range& range : unseen)
        if (character >= range.first && character <= range.last)
            return true;
    return character >= 0xE0000 && character <= 0xE0FFF;
}

/// The number of bytes of the character that begins with this byte.
std::size_t length_of(unsigned char first) noexcept {
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

void append_character(std::string& out, std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    unsigned character = bytes.size() == 1 ? first : first & (0xFFu >> (bytes.size() + 1));
    for (std::size_t i = 1; i < bytes.size(); ++i)
        character = character << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3F);
    if (character == '"' || character == '\\') {
        out += '\\';
        out += bytes;
    } else if (character == '\n') {
        out += "\\n";
    } else if (character == '\t') {
        out += "\\t";
    } else if (!is_unseen(character)) {
        out += bytes;
    } else if (character > 0xFFFF) {
        for (const char byte : bytes)
            append_byte(out, byte);
    } else {
        out += "\\u";
        append_hex(out, character, 4);
    }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const std::size_t n = length_of(static_cast<unsigned char>(text[0]));
        // valid_text stops at a NUL, so only the first byte may be one; a NUL by itself is valid.
        const bool sound = n <= text.size() &&
                           text.substr(0, n).find('\0', 1) == std::string_view::npos &&
                           valid_text(text.substr(0, n), Utf8Rule::strict);
        if (sound) {
            append_character(out, text.substr(0, n));
            text.remove_prefix(n);
        } else {
            append_byte(out, text[0]);
            text.remove_prefix(1);
        }
    }
    out += '"';
}

std::string quote(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

}  // namespace gdvar
