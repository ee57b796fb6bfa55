#include "writing.hpp"

#include <charconv>
#include <limits>

#include "gdvar/wire/utf8.hpp"

namespace gdvar::detail {
namespace {

void append_hex4(std::string& out, unsigned value) {
    out += "\\u";
    for (int i = 3; i >= 0; --i) out += "0123456789abcdef"[value >> (4 * i) & 15];
}

std::size_t sequence(std::string_view text) noexcept {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t n = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    return n <= text.size() && valid_text(text.substr(0, n), Utf8Rule::strict) ? n : 0;
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text[0]);
        std::size_t n = 1;
        switch (byte) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\n': out += "\\n"; break;
            case '\r': out += "\\r"; break;
            case '\t': out += "\\t"; break;
            default:
                if (byte < 0x20) {
                    append_hex4(out, byte);
                } else if (n = sequence(text); n == 0) {
                    n = 1;
                    append_hex4(out, 0xDC00u + byte);
                } else {
                    out += text.substr(0, n);
                }
        }
        text.remove_prefix(n);
    }
}

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    append_json_text(out, text);
    out += '"';
}

void append_json_real(std::string& out, double value) {
    if (value != value) {
        out += "null";
    } else if (value > std::numeric_limits<double>::max()) {
        out += "1e99999";
    } else if (value < -std::numeric_limits<double>::max()) {
        out += "-1e99999";
    } else {
        char text[64];
        const std::string_view shortest(text, std::to_chars(text, text + sizeof text, value).ptr);
        out += shortest;
        if (shortest.find_first_of(".e") == shortest.npos) out += ".0";
    }
}

std::string path_text(const NodePathView& path) {
    std::string text;
    if (path.absolute()) text += '/';
    bool first = true;
    path.each([&](std::string_view name, bool subname) {
        if (subname)
            text += ':';
        else if (!first)
            text += '/';
        first = false;
        text += name;
    });
    return text;
}

bool is_plain_path(const NodePathView& path) {
    bool sound = !path.separate_property();
    path.each([&](std::string_view name, bool subname) {
        sound = sound && !name.empty() && name.find_first_of(subname ? ":" : "/:") == name.npos;
    });
    return sound;
}

}  // namespace gdvar::detail
