#include "gdvar/value/text_error.hpp"

#include <algorithm>

#include "gdvar/base/utf8.hpp"

namespace gdvar {

TextError text_error_at(std::string_view text, std::uint64_t offset, Errc code, Type type,
                        std::string_view detail) noexcept {
    const std::string_view before =
        text.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size())));
    TextError error{code, type, before.size(), 1, 1, detail};
    for (const char c : before) {
        if (c == '\n') {
            ++error.line;
            error.column = 1;
        } else if (!utf8::continues(c)) {
            ++error.column;
        }
    }
    return error;
}

std::string to_string(const TextError& error) {
    std::string out = std::to_string(error.line) + ":" + std::to_string(error.column) + ": ";
    if (error.detail.empty())
        return out + to_string(Error{error.code, error.type});
    out.append("error[").append(error_name(error.code)).append("]: ");
    if (error.type != Type::nil)
        out.append(type_name(error.type)).append(": ");
    return out.append(error.detail);
}

}  // namespace gdvar
