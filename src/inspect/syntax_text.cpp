#include <algorithm>
#include <deque>

#include "base/ascii.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/variant.hpp"
#include "inspect/rewriting.hpp"
#include "text/rules.hpp"

namespace gdvar::inspect {
namespace {

using detail::Child;

bool is_base64(std::string_view text) noexcept {
    const std::size_t open = text.find('(');
    return open != text.npos && text.find("ByteArray") < open &&
           text.substr(detail::behind_space(text, open + 1)).starts_with('"');
}

/// Prints values and reads them back.
class TextCheck {
public:
    explicit TextCheck(const GodotText::Options& options) : options_(options) {}

    /// Prints the value. False if its text does not read back as the value.
    bool print(std::string& out, const View& value, std::string_view newline, bool base64) const {
        const auto wanted = value.get<Variant>();
        if (!wanted)
            return false;
        FileText how{.family = options_.family,
                     .newline = newline,
                     .base64_bytes = base64 || options_.base64_bytes,
                     .resources = options_.resources};
        if (!print(out, value, how))
            return false;
        if (!options_.strict_numbers && reads_as(out, *wanted, false))
            return true;
        if (!options_.strict_numbers && !options_.round_floats)
            return false;
        if (reads_as(out, *wanted, true))
            return true;
        how.exact_digits = true;
        return print(out, value, how) && reads_as(out, *wanted, true);
    }

    /// The reason why the value has no text: its innermost value that has none.
    RewriteError reason(const View& value) const {
        std::deque<detail::OpenContainer> open;
        std::string text;
        const auto refused_at = [&](const View& view) {
            std::string path;
            detail::append_path(path, open);
            return RewriteError{why(view), std::move(path)};
        };
        const auto bad = [&](const View& view) { return !print(text, view, "\n", false); };
        if (detail::is_container(value))
            open.emplace_back(value);
        while (!open.empty()) {
            detail::OpenContainer& top = open.back();
            if (top.children.done()) {
                open.pop_back();
                continue;
            }
            top.next_value();
            if (top.child.role == Child::value && bad(top.child.key_view))
                return refused_at(top.child.key_view);
            if (detail::is_container(top.child.view))
                open.emplace_back(top.child.view);
            else if (bad(top.child.view))
                return refused_at(top.child.view);
        }
        return {why(value), {}};
    }

private:
    static bool print(std::string& out, const View& value, const FileText& how) {
        auto text = to_file_text(value, how);
        if (!text)
            return false;
        // An engine writes a line break behind an Object, which is not part of it.
        if (text->ends_with(how.newline) && value.is(Type::object))
            text->resize(text->size() - how.newline.size());
        out = *std::move(text);
        return true;
    }

    bool reads_as(std::string_view text, const Variant& wanted, bool nearest) const {
        ParseOptions reading{.family = options_.family,
                             .wrong_elements = options_.wrong_elements,
                             .strict_numbers = nearest,
                             .whole = true,
                             .resources = options_.resources};
        // Equal keys are kept, as in the surrounding text.
        Outline outline;
        reading.outline = &outline;
        reading.limits.max_bytes = UINT32_MAX;
        reading.limits.max_nodes = UINT64_MAX;
        const auto read = parse_text(text, reading);
        return read && identical(*read, wanted);
    }

    static Error why(const View& view) {
        const Error out{Errc::not_in_dialect, view.type()};
        return view.is(Type::real)
                   ? out.about_reason("the engine reads no digits as this float")
                   : out.about_reason("it has no text that this engine reads back as it was");
    }

    const GodotText::Options& options_;
};

}  // namespace

const detail::TextRules& GodotText::rules() const noexcept {
    return detail::text_rules(options_.family);
}

Rewritten GodotText::value(std::string& out, const View& value, const TextSpot& spot) const {
    const TextCheck check(options_);
    std::string text;
    if (!check.print(text, value, spot.layout.newline, is_base64(spot.old)))
        return std::unexpected(check.reason(value));
    out += text;
    return {};
}

Rewritten GodotText::key(std::string& out, const Child& child, OutlineKind) const {
    if (child.role == Child::property) {
        const auto text = to_file_text(Variant(child.name), {.family = options_.family});
        const auto read = text ? parse_text(*text, {.family = options_.family, .whole = true})
                               : std::expected<Variant, TextError>(std::unexpect);
        if (!read || read->text() != child.name)
            return refused(Errc::not_in_dialect, Type::string,
                           "the property's name has no text that this engine reads back");
        out += *text;
        return {};
    }
    static const TextLayout plain;
    return value(out, child.key_view, {plain, {}, {}});
}

/// `Object(Class,`
bool GodotText::rename_class(TextEdits& edits, const ChangedNode& node) const {
    const auto is_name = [](char c) { return detail::is_letter(c) || detail::is_digit(c); };
    const std::string_view old = node.before.class_name(), made = node.after.class_name();
    // In a reference the class is not a name in brackets.
    const std::string_view head =
        node.text.substr(node.place().begin, node.place().inner - node.place().begin);
    const std::size_t at = head.find('(');
    const std::size_t name = at == head.npos ? at : head.find(old, at);
    const bool plain = !made.empty() && detail::is_letter(made[0]) &&
                       std::all_of(made.begin(), made.end(), is_name);
    if (name == head.npos || !plain)
        return false;
    // Comments may contain the name, too.
    if (!detail::all_space(head.substr(at + 1, name - at - 1)))
        return false;
    const std::size_t begin = node.place().begin + name;
    edits.replace(begin, begin + old.size(), made);
    return true;
}

}  // namespace gdvar::inspect
