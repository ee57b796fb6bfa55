#include "edit/value_hint.hpp"

#include <algorithm>

#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/misstep.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t most_shown = 100;

/// In the quotes of a shell.
std::string write_this(const std::string& value) {
    return value.size() > most_shown || value.contains('\'') ? "" : "; write '" + value + "'";
}

std::string in_small_letters(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

std::string_view without_brackets(std::string_view text) {
    const bool round = text.starts_with('(') && text.ends_with(')');
    const bool square = text.starts_with('[') && text.ends_with(']');
    return text.size() >= 2 && (round || square) ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string value_hint(const ValueOptions& options, const Dialect& dialect, std::string_view text,
                       const View& old) {
    if (options.input != "text")
        return {};
    const Type type = old ? old.type() : Type::nil;
    if (type == Type::string || type == Type::string_name || type == Type::node_path)
        return write_this(quote(text));
    const std::string small = in_small_letters(text);
    if (small == "true" || small == "false")
        return write_this(small);
    if (small == "none" || small == "nil" || small == "null")
        return write_this("null");
    if (is_math(type)) {
        const std::string made =
            std::string(type_name(type)) + '(' + std::string(without_brackets(text)) + ')';
        const auto value = parse_value(options, dialect, made);
        if (value && value->type() == type)
            return write_this(inspect::brief_value(*value));
    }
    if (old && type != Type::nil)
        return "; there is " + gdvar::detail::with_article(type) + ": " + inspect::brief_value(old);
    return text.contains('"')
               ? ""
               : "; a text is written with its quotes: '" + quote(text.substr(0, 40)) + "'";
}

}  // namespace gdvar::app
