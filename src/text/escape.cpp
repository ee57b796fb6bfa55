#include "escape.hpp"

#include <algorithm>

#include "base/escape.hpp"

namespace gdvar::detail {

std::string_view without_mark(std::string_view text) noexcept {
    if (text.starts_with(utf8::byte_order_mark))
        text.remove_prefix(utf8::byte_order_mark.size());
    return text;
}

std::string_view seen_text(std::string_view text) noexcept {
    text = without_mark(text);
    return text.substr(0, text.find('\0'));
}

void append_multiline(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
}

void append_c_escaped(std::string& out, std::string_view text, TextFamily family) {
    for (const char c : text) {
        switch (c) {
            case '\\':
                out += "\\\\";
                break;
            case '\a':
                out += "\\a";
                break;
            case '\b':
                out += "\\b";
                break;
            case '\f':
                out += "\\f";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\v':
                out += "\\v";
                break;
            case '\'':
                out += "\\'";
                break;
            case '"':
                out += "\\\"";
                break;
            case '?':
                if (family != TextFamily::godot_4)
                    out += '\\';
                out += '?';
                break;
            default:
                out += c;
                break;
        }
    }
}

void append_readable(std::string& out, std::string_view text, TextFamily family) {
    while (!text.empty()) {
        const std::size_t special = std::min(text.find_first_of("\a\v"), text.size());
        append_c_escaped(out, text.substr(0, special), family);
        if (special != text.size())
            out += text[special];
        text.remove_prefix(std::min(special + 1, text.size()));
    }
}

void append_lossless(std::string& out, std::string_view text) {
    append_escaped(out, text, Hidden::controls);
}

}  // namespace gdvar::detail
