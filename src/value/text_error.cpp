#include "gdvar/value/text_error.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar {

TextError text_error_at(std::string_view text, std::uint64_t offset, Errc code, Type type,
                        std::string_view detail) noexcept {
    const std::string_view before =
        text.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size())));
    TextError error{code, type, before.size(), 1, 1, detail, {}};
    if (code == Errc::unknown_constructor) {
        const std::string_view rest = text.substr(before.size());
        for (std::size_t i = 0;
             i < rest.size() && i + 1 < error.name.size() &&
             (gdvar::detail::is_letter(rest[i]) || gdvar::detail::is_digit(rest[i]));
             ++i)
            error.name[i] = rest[i];
    }
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
    if (error.name[0])
        out.append(error.name.data()).append(": ");
    return out.append(error.detail);
}

std::string to_string(const Error& error, std::string_view text) {
    const TextError at = text_error_at(text, error.offset, error.code);
    std::string what = to_string(error);
    if (const std::size_t colon = what.find("]: "); at.name[0] && colon != what.npos)
        what.insert(colon + 3, std::string(at.name.data()) + ": ");
    return std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what;
}

}  // namespace gdvar
