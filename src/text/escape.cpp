#include "escape.hpp"

#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {
namespace {

void append_hex(std::string& out, unsigned value, int digits) {
    for (int i = digits - 1; i >= 0; --i)
        out += "0123456789abcdef"[value >> (4 * i) & 15];
}

/// Bytes of the sound UTF-8 sequence at the start of `text`, or 0.
std::size_t sequence(std::string_view text) noexcept {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t n = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    return n <= text.size() && valid_text(text.substr(0, n), Utf8Rule::strict) ? n : 0;
}

}  // namespace

std::string_view without_mark(std::string_view text) noexcept {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
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

void append_lossless(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text[0]);
        std::size_t n = 1;
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += text[0];
        } else if (byte == '\n') {
            out += "\\n";
        } else if (byte == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\u";
            append_hex(out, byte, 4);
        } else if (n = sequence(text); n == 0) {
            n = 1;
            out += "\\x";
            append_hex(out, byte, 2);
        } else {
            out += text.substr(0, n);
        }
        text.remove_prefix(n);
    }
}

}  // namespace gdvar::detail
