#include "gdvar/base/quote.hpp"

#include "base/ascii.hpp"
#include "base/coding.hpp"
#include "base/escape.hpp"
#include "base/special_bytes.hpp"
#include "base/text_buffer.hpp"

namespace gdvar {
namespace {

struct Range {
    std::uint32_t first, last;
};
/// Unicode's control characters, separators, direction marks, and characters without width.
constexpr Range unseen[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x061C, 0x061C},
    {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

bool is_hidden(std::uint32_t code, detail::Hidden hidden) noexcept {
    if (hidden == detail::Hidden::controls || code < 0x7F)
        return code < 0x20 || code == 0x7F;
    for (const Range& range : unseen)
        if (code >= range.first && code <= range.last)
            return true;
    return false;
}

using detail::Hidden;

template <class Out>
void append_escaped_to(Out& out, std::string_view text, Hidden hidden) {
    const auto hex = [&](std::uint32_t value, int digits) {
        std::string made;
        detail::append_hex_digits(made, value, digits);
        out += made;
    };
    const auto stays = [=](std::uint32_t code) {
        return code != '"' && code != '\\' && !is_hidden(code, hidden);
    };
    const auto replace = [&](utf8::Character character, std::string_view bytes) {
        if (character.size == 0 || character.code > 0xFFFF) {
            for (const char byte : bytes) {
                out += "\\x";
                hex(static_cast<unsigned char>(byte), 2);
            }
            return;
        }
        out += '\\';
        switch (character.code) {
            case '"':
            case '\\':
                out += bytes;
                break;
            case '\n':
            case '\t':
                out += detail::letter_of_control(bytes[0]);
                break;
            default:
                out += 'u';
                hex(character.code, 4);
        }
    };
    if (hidden == Hidden::controls)
        detail::append_special_replaced<detail::SpecialBytes<0x20, '"', '\\', '\x7F'>>(out, text,
                                                                                       replace);
    else
        detail::append_replaced(out, text, stays, replace);
}

}  // namespace

void detail::append_escaped(std::string& out, std::string_view text, Hidden hidden) {
    append_escaped_to(out, text, hidden);
}
void detail::append_escaped(TextBuffer& out, std::string_view text, Hidden hidden) {
    append_escaped_to(out, text, hidden);
}

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    detail::append_escaped(out, text, detail::Hidden::unseen);
    out += '"';
}

std::string quote(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

}  // namespace gdvar
