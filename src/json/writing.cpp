#include "writing.hpp"

#include <limits>

#include "base/ascii.hpp"
#include "base/coding.hpp"
#include "base/engine_real.hpp"
#include "base/escape.hpp"
#include "base/number.hpp"
#include "base/special_bytes.hpp"
#include "gdvar/json/json.hpp"

namespace gdvar::detail {
template <class Out>
void append_json_text(Out& out, std::string_view text) {
    append_special_replaced<JsonSpecial>(
        out, text, [&](utf8::Character character, std::string_view bytes) {
            out += '\\';
            switch (bytes[0]) {
                case '"':
                case '\\':
                    out += bytes;
                    break;
                case '\n':
                case '\r':
                case '\t':
                    out += letter_of_control(bytes[0]);
                    break;
                default: {
                    const auto byte = static_cast<unsigned char>(bytes[0]);
                    out += 'u';
                    std::string hex;
                    append_hex_digits(hex, character.size ? byte : 0xDC00u + byte, 4);
                    out += hex;
                }
            }
        });
}
template void append_json_text(std::string&, std::string_view);
template void append_json_text(TextBuffer&, std::string_view);

void append_json_real(TextBuffer& out, double value) {
    if (value != value) {
        out += "null";
    } else if (value > std::numeric_limits<double>::max()) {
        out += "1e99999";
    } else if (value < -std::numeric_limits<double>::max()) {
        out += "-1e99999";
    } else {
        append_finite(out, value, WholeMark::yes);
    }
}

void append_native_real(TextBuffer& out, double value) {
    const Shortest<double> shortest(value);
    if (engine_reads(shortest.view(), value))
        append_digits(out, shortest.view(), WholeMark::yes);
    else if (!append_engine_digits(out.string(), value, EngineDigits::nearest_too))
        append_json_real(out, value);
}

}  // namespace gdvar::detail

std::string gdvar::json_string(std::string_view text) {
    std::string out = "\"";
    detail::append_json_text(out, text);
    return out + '"';
}
