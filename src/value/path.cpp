#include "gdvar/value/path.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {
namespace {

using Step = Path::Step;
using Kind = Path::StepKind;

template <class Number>
std::optional<Number> number_in(std::string_view text) noexcept {
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    return code == std::errc() && stop == end && !text.empty() ? std::optional(value)
                                                               : std::nullopt;
}

std::string_view trimmed(std::string_view text) noexcept {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

/// The inverse of append_quoted, without the quotes. Also reads C's and JSON's escapes: a surrogate
/// pair is one character. False, with the offset in `at`, for an invalid escape.
bool unquote(std::string_view text, std::string& out, std::size_t& at) {
    constexpr std::string_view themselves = "\"'\\/";
    for (at = 0; at < text.size();) {
        const std::size_t run = std::min(text.find_first_of("\\\"", at), text.size());
        out.append(text, at, run - at);
        at = run;
        if (at == text.size())
            break;
        if (text[at] == '"')
            return false;
        const char c = at + 1 < text.size() ? text[at + 1] : '\0';
        if (c == 'u' || c == 'x') {
            const std::size_t digits = c == 'u' ? 4 : 2;
            auto value = detail::read_hex(text, at + 2, digits);
            if (!value)
                return false;
            std::size_t next = at + 2 + digits;
            if (c == 'x') {
                out += static_cast<char>(*value);
                at = next;
                continue;
            }
            if (utf8::is_first_half(*value) && text.substr(next).starts_with("\\u"))
                if (const auto half = detail::read_hex(text, next + 2, 4);
                    half && utf8::is_second_half(*half)) {
                    value = utf8::joined(*value, *half);
                    next += 6;
                }
            utf8::append(out, *value);
            at = next;
            continue;
        }
        const char control = detail::escaped_control(c, 7);
        if (!control && (!c || themselves.find(c) == themselves.npos))
            return false;
        out += control ? control : c;
        at += 2;
    }
    return true;
}

class Parser {
public:
    explicit Parser(std::string_view text) noexcept : text_(text) {}

    std::expected<Path, PathError> run() {
        if (text_.starts_with('#') && !records())
            return std::unexpected(error_);
        const std::size_t start = at_;
        if (at_ < text_.size() && text_[at_] == '$')
            ++at_;
        while (at_ < text_.size()) {
            const std::size_t step_at = at_;
            if (!step(at_ == start))
                return std::unexpected(error_);
            if (out_.steps.back().descends && !descends_)
                descends_ = out_.steps.size() - 1;
            if (descends_ && out_.steps.size() - *descends_ > Path::most_descending)
                return std::unexpected(PathError{step_at, "too many steps follow '..'"});
        }
        return std::move(out_);
    }

private:
    bool fail(std::size_t position, std::string_view what) noexcept {
        error_ = {position, what};
        return false;
    }

    /// `#2`, `#-1`, `#*`, and the spaces behind it.
    bool records() {
        // Copied from one: to clang 19, a nested class with default member initializers has no
        // default constructor where std::optional asks for it.
        Path::Records& records = out_.records.emplace(Path::Records{});
        at_ = 1;
        if (text_.substr(at_).starts_with('*')) {
            records.all = true;
            ++at_;
        } else {
            const char* const begin = text_.data() + at_;
            const auto [end, code] =
                std::from_chars(begin, text_.data() + text_.size(), records.number);
            if (code != std::errc())
                return fail(at_, "a record's number or '*' is expected behind '#'");
            at_ += static_cast<std::size_t>(end - begin);
        }
        at_ = std::min(text_.size(), text_.find_first_not_of(' ', at_));
        return true;
    }

    bool step(bool first) {
        const std::size_t start = at_;
        bool dot = false, descends = false;
        if (text_[at_] == '.') {
            dot = true;
            descends = text_.substr(++at_).starts_with('.');
            at_ += descends;
        }
        if (at_ < text_.size() && text_[at_] == '[' && (!dot || descends)) {
            if (!bracketed())
                return false;
        } else if (!dot && !first) {
            return fail(start, "a step begins with '.' or '['");
        } else if (!named(start)) {
            return false;
        }
        Step& made = out_.steps.back();
        made.descends = descends;
        return !descends || made.kind != Kind::append ||
               fail(start, "[+] stands for no value, so '..' can't find it");
    }

    /// `name`, `*`
    bool named(std::size_t start) {
        const std::size_t end = std::min(text_.size(), text_.find_first_of(".[", at_));
        if (end == at_)
            return fail(start, "a name is expected behind '.'");
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end;
        if (name == "*")
            out_.steps.push_back({.kind = Kind::all, .text = {}, .slice = {}});
        else
            out_.steps.push_back({.text = std::string(name), .slice = {}});
        return true;
    }

    /// The position of the matching bracket; npos if there is none.
    std::size_t closing() const noexcept {
        int depth = 0;
        bool quoted = false;
        for (std::size_t at = at_; at < text_.size(); ++at) {
            const char c = text_[at];
            if (quoted && c == '\\')
                ++at;
            else if (c == '"')
                quoted = !quoted;
            else if (!quoted && (c == '[' || c == '('))
                ++depth;
            else if (!quoted && (c == ']' || c == ')') && --depth == 0)
                return at;
        }
        return text_.npos;
    }

    bool bracketed() {
        const std::size_t start = at_, end = closing();
        if (end == text_.npos)
            return fail(start, "']' is missing");
        std::string_view inner = trimmed(text_.substr(start + 1, end - start - 1));
        at_ = end + 1;
        if (inner.empty())
            return fail(start, "nothing stands in the brackets");
        if (inner.starts_with("&\""))
            inner.remove_prefix(1);
        if (inner.size() >= 2 && inner.starts_with('"') && inner.ends_with('"')) {
            const std::string_view quoted = inner.substr(1, inner.size() - 2);
            std::size_t bad = 0;
            Step name{.text = {}, .slice = {}};
            if (!unquote(quoted, name.text, bad))
                return fail(static_cast<std::size_t>(quoted.data() - text_.data()) + bad,
                            quoted[bad] == '"' ? "more than one text stands in the brackets"
                                               : "no such escape");
            out_.steps.push_back(std::move(name));
            return true;
        }
        if (inner.starts_with('"'))
            return fail(start, "the text does not end before the bracket");
        if (inner.find_first_not_of("0123456789-: ") == inner.npos && inner.find(':') != inner.npos)
            return slice(inner, start);
        Step step;
        if (const auto index = number_in<std::int64_t>(inner)) {
            step.kind = Kind::index;
            step.index = *index;
        } else if (inner == "*") {
            step.kind = Kind::all;
        } else if (inner == "+") {
            step.kind = Kind::append;
        } else {
            step.kind = Kind::key;
            step.text = inner;
        }
        out_.steps.push_back(std::move(step));
        return true;
    }

    bool slice(std::string_view inner, std::size_t start) {
        Step step;
        step.kind = Kind::slice;
        std::optional<std::int64_t> numbers[3];
        std::size_t parts = 0;
        for (bool more = true; more; ++parts) {
            const std::size_t colon = std::min(inner.size(), inner.find(':'));
            const std::string_view number = trimmed(inner.substr(0, colon));
            more = colon < inner.size();
            inner.remove_prefix(colon + more);
            if (parts == 3)
                return fail(start, "a slice is written [from:to] or [from:to:step]");
            numbers[parts] = number_in<std::int64_t>(number);
            if (!number.empty() && !numbers[parts])
                return fail(start, "a slice is written [from:to] or [from:to:step]");
        }
        step.slice = {numbers[0], numbers[1], numbers[2].value_or(1)};
        if (step.slice.step < 1)
            return fail(start, "a slice's step is 1 or more");
        out_.steps.push_back(std::move(step));
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Path out_;
    std::optional<std::size_t> descends_;  ///< the first step with `..`
    PathError error_;
};

void append_number(std::string& out, std::optional<std::int64_t> number) {
    if (number)
        out += std::to_string(*number);
}

}  // namespace

bool Path::Slice::takes(std::size_t index, std::size_t size) const noexcept {
    const auto count = static_cast<std::int64_t>(size), i = static_cast<std::int64_t>(index);
    const auto bound = [&](std::int64_t n) { return std::clamp(n < 0 ? n + count : n, {}, count); };
    const std::int64_t first = bound(from.value_or(0));
    return i >= first && i < bound(to.value_or(count)) && (i - first) % step == 0;
}

void Path::Step::append_to(std::string& out) const {
    if (descends)
        out += "..";
    if (kind == Kind::name) {
        detail::PathStep name;
        name.kind = detail::PathStep::property;
        name.form = detail::PathStep::text;
        name.name = text;
        const std::size_t at = out.size();
        detail::append_step(out, name);
        if (descends && out[at] == '.')
            out.erase(at, 1);
        return;
    }
    out += '[';
    switch (kind) {
        case Kind::index:
            out += std::to_string(index);
            break;
        case Kind::all:
            out += '*';
            break;
        case Kind::append:
            out += '+';
            break;
        case Kind::slice:
            append_number(out, slice.from);
            out += ':';
            append_number(out, slice.to);
            if (slice.step != 1)
                out += ":" + std::to_string(slice.step);
            break;
        default:
            out += text;
    }
    out += ']';
}

std::string Path::Step::to_string() const {
    std::string out;
    append_to(out);
    return out;
}

bool Path::several() const noexcept {
    return std::ranges::any_of(steps, &Step::several);
}

std::string Path::to_string() const {
    std::string out;
    if (records)
        out = records->all ? "#* " : "#" + std::to_string(records->number) + " ";
    return out + detail::to_string(steps);
}

std::expected<Path, PathError> Path::parse(std::string_view text) {
    return Parser(text).run();
}

std::string detail::to_string(std::span<const Path::Step> steps) {
    std::string out = "$";
    for (const Path::Step& step : steps)
        step.append_to(out);
    return out;
}

std::expected<Path, Error> detail::parse_value_path(std::string_view text) {
    auto path = Path::parse(text);
    if (path && !path->records)
        return *std::move(path);
    return std::unexpected(bad_path(text, path ? PathError{} : path.error()));
}

Error detail::bad_path(std::string_view text, const PathError& error) noexcept {
    return Error{Errc::bad_path}.about_key(text.substr(error.position));
}

}  // namespace gdvar
