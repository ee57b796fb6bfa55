#include "output/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/escape.hpp"

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
    const auto stays = [&](std::uint32_t code) {
        return is_printable(code) || (lines && (code == '\n' || code == '\t'));
    };
    const auto replace = [&](utf8::Character c, std::string_view bytes) {
        if (c.size && (c.code == '\n' || c.code == '\t')) {
            out += c.code == '\n' ? "\\n" : "\\t";
            return;
        }
        const char* const form = !c.size ? "\\x%02x" : c.code > 0xFFFF ? "\\U%08x" : "\\u%04x";
        char digits[16];
        std::snprintf(digits, sizeof digits, form,
                      c.size ? c.code : static_cast<unsigned char>(bytes[0]));
        out += digits;
    };
    gdvar::detail::append_replaced(out, text, stays, replace);
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
