#include "output/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "gdvar/base/utf8.hpp"

namespace gdvar::app {
namespace {

struct Unprintable {
    std::uint32_t first, last;
};
constexpr Unprintable unprintable[] = {
    {0x00, 0x1F},       {0x7F, 0x9F},      // C0, DEL, C1
    {0x061C, 0x061C},   {0x200E, 0x200F},  // marks of direction
    {0x2028, 0x202E},                      // separators, embeddings, overrides
    {0x2066, 0x2069},                      // isolates
    {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},  // byte order mark, interlinear annotation
    {0xE0000, 0xE007F},                    // tags
};

bool is_printable(std::uint32_t code) noexcept {
    return std::none_of(
        std::begin(unprintable), std::end(unprintable),
        [&](const Unprintable& range) { return code >= range.first && code <= range.last; });
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
        const utf8::Character c = utf8::first(text);
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
