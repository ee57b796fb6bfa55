// Parses the paths that users write into steps.
#include <charconv>

#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {

using detail::PathPart;

namespace {

PathPart named(std::string_view name) {
    detail::PathStep step;
    step.kind = detail::PathStep::property;
    step.form = detail::PathStep::text;
    step.name = name;
    PathPart part{{}, std::string(name)};
    detail::append_step(part.printed, step);
    return part;
}

/// The text of `["..."]` or `[&"..."]`, in the form in which keys are printed.
PathPart bracketed(std::string_view inner) {
    inner = inner.substr(1, inner.size() - 2);
    while (inner.starts_with(' '))
        inner.remove_prefix(1);
    while (inner.ends_with(' '))
        inner.remove_suffix(1);
    if (inner.starts_with("&\""))
        inner.remove_prefix(1);
    if (inner.size() < 2 || inner[0] != '"' || !inner.ends_with('"'))
        return {"[" + std::string(inner) + "]", std::nullopt};
    std::string text;
    inner = inner.substr(1, inner.size() - 2);
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] != '\\' || i + 1 == inner.size()) {
            text += inner[i];
            continue;
        }
        const char c = inner[++i];
        unsigned value = 0;
        const std::size_t digits = c == 'u' ? 4 : c == 'x' ? 2 : 0;
        if (digits && i + digits < inner.size()) {
            std::from_chars(inner.data() + i + 1, inner.data() + i + 1 + digits, value, 16);
            i += digits;
            if (c == 'u')
                utf8::append(text, value);
            else
                text += static_cast<char>(value);
        } else {
            text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
    }
    return named(text);
}

}  // namespace

std::expected<std::vector<PathPart>, Error> detail::path_parts(std::string_view path) {
    std::vector<PathPart> parts;
    std::size_t at = path.starts_with('$') ? 1 : 0;
    const auto bad = [&](std::size_t where) {
        return std::unexpected(Error{Errc::bad_path}.about_key(path.substr(where)));
    };
    while (at < path.size()) {
        const std::size_t start = at;
        if (path[at] == '[') {
            int depth = 0;
            bool quoted = false;
            for (; at < path.size(); ++at) {
                if (quoted && path[at] == '\\')
                    ++at;
                else if (path[at] == '"')
                    quoted = !quoted;
                else if (!quoted && (path[at] == '[' || path[at] == '('))
                    ++depth;
                else if (!quoted && (path[at] == ']' || path[at] == ')') && --depth == 0)
                    break;
            }
            if (at >= path.size())
                return bad(start);
            ++at;
        } else {
            if (path[at] == '.')
                ++at;
            else if (start != 0)
                return bad(start);
            const std::size_t name = at;
            while (at < path.size() && path[at] != '.' && path[at] != '[')
                ++at;
            if (at == name)
                return bad(start);
            parts.push_back(named(path.substr(name, at - name)));
            continue;
        }
        parts.push_back(bracketed(path.substr(start, at - start)));
    }
    return parts;
}

std::optional<std::int64_t> PathPart::index() const noexcept {
    std::int64_t value = 0;
    const char* end = printed.data() + printed.size() - 1;
    const auto [stop, code] = std::from_chars(printed.data() + 1, end, value);
    if (name || code != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

}  // namespace gdvar
