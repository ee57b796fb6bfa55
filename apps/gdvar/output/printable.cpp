#include "output/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace gdvar::app {
namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t size = 0;  ///< bytes; 0 for invalid UTF-8
};

/// The first character of the text. The text is not empty.
Character first_of(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80)
        return {byte(0), 1};
    const std::size_t size = byte(0) < 0xC2   ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
    if (!size || size > text.size())
        return {};
    std::uint32_t code = byte(0) & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool sound = code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return sound ? Character{code, size} : Character{};
}

struct Range {
    std::uint32_t first, last;
};
constexpr Range unprintable[] = {
    {0x00, 0x1F},       {0x7F, 0x9F},      // C0, DEL, C1
    {0x061C, 0x061C},   {0x200E, 0x200F},  // marks of direction
    {0x2028, 0x202E},                      // separators, embeddings, overrides
    {0x2066, 0x2069},                      // isolates
    {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},  // byte order mark, interlinear annotation
    {0xE0000, 0xE007F},                    // tags
};

bool is_printable(std::uint32_t code) noexcept {
    return std::none_of(std::begin(unprintable), std::end(unprintable), [&](const Range& range) {
        return code >= range.first && code <= range.last;
    });
}

std::string escaped(std::string_view text, bool lines) {
    std::string out;
    out.reserve(text.size());
    const auto add = [&](const char* form, unsigned value) {
        char digits[16];
        out.append(digits,
                   static_cast<std::size_t>(std::snprintf(digits, sizeof digits, form, value)));
    };
    while (!text.empty()) {
        const Character c = first_of(text);
        const std::size_t size = std::max<std::size_t>(c.size, 1);
        if (!c.size)
            add("\\x%02x", static_cast<unsigned char>(text[0]));
        else if (is_printable(c.code) || (lines && (c.code == '\n' || c.code == '\t')))
            out += text.substr(0, size);
        else if (c.code == '\n' || c.code == '\t')
            out += c.code == '\n' ? "\\n" : "\\t";
        else
            add(c.code > 0xFFFF ? "\\U%08x" : "\\u%04x", c.code);
        text.remove_prefix(size);
    }
    return out;
}

}  // namespace

std::string printable(std::string_view text) {
    return escaped(text, false);
}
std::string printable_lines(std::string_view text) {
    return escaped(text, true);
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width)
        text.append(width - text.size(), ' ');
    return text;
}

}  // namespace gdvar::app
