#include "file/documents/json_escapes.hpp"

#include <deque>

#include "file/documents/text_formats.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/json/json.hpp"
#include "text/tokens.hpp"

namespace gdvar::detail {
namespace {

constexpr const char* in_string =
    "note: escapes that Godot 4's JSON does not read were written as what they mean";
constexpr const char* in_name =
    "note: escapes in the name that Godot 4's JSON does not read were written as what they mean";

/// Finds the values in whose text, or whose name's, the escapes stand.
class EscapedPlaces {
public:
    EscapedPlaces(const Outline& outline, const std::vector<std::uint32_t>& escapes, Losses& found)
        : outline_(outline), escapes_(escapes), found_(found) {}

    void run(const View& value) {
        enter(value);
        while (!open_.empty() && next_ < escapes_.size()) {
            detail::OpenContainer& top = open_.back();
            if (top.children.done()) {
                open_.pop_back();
                continue;
            }
            enter(top.next_value().view);
        }
    }

private:
    /// The nodes of the outline are in the order of this walk.
    void enter(const View& value) {
        const OutlineNode& node = outline_.nodes[node_++];
        if (escaped_before(node.key_end))
            found_.add(in_name, [&] { return path(); });
        if (node.kind != OutlineKind::leaf)
            open_.emplace_back(value);
        else if (escaped_before(node.end))
            found_.add(in_string, [&] { return path(); });
    }
    bool escaped_before(std::uint32_t end) {
        const std::size_t from = next_;
        while (next_ < escapes_.size() && escapes_[next_] < end)
            ++next_;
        return next_ != from;
    }
    std::string path() const {
        std::string out = "$";
        detail::append_path(out, open_);
        return out;
    }

    const Outline& outline_;
    const std::vector<std::uint32_t>& escapes_;
    Losses& found_;
    std::deque<detail::OpenContainer> open_;
    std::size_t node_ = 0, next_ = 0;
};

/// Without the backslashes. A control character gets the escape that all read.
std::string without(std::string_view text, const std::vector<std::uint32_t>& escapes) {
    std::string out;
    out.reserve(text.size());
    std::size_t at = 0;
    for (const std::uint32_t escape : escapes) {
        out += text.substr(at, escape - at);
        at = escape + std::size_t{1};
        if (static_cast<unsigned char>(text[at]) >= 0x20)
            continue;
        const std::string quoted = json_string(text.substr(at++, 1));
        out += std::string_view(quoted).substr(1, quoted.size() - 2);
    }
    out += text.substr(at);
    return out;
}

}  // namespace

std::vector<std::uint32_t> odd_escapes(std::string_view text) {
    constexpr std::string_view known = "\"\\/bfnrtu";
    std::vector<std::uint32_t> out;
    Tokens tokens(text, json_text_rules);
    for (TextToken token = tokens.next(); token.kind != TokenKind::end; token = tokens.next())
        for (std::size_t i = token.begin; token.kind == TokenKind::string;) {
            i = text.substr(0, token.end).find('\\', i);
            if (i == text.npos)
                break;
            if (known.find(text[i + 1]) == known.npos)
                out.push_back(static_cast<std::uint32_t>(i));
            i += 2;
        }
    return out;
}

std::expected<std::string, inspect::RewriteError> without_odd_escapes(
    std::string_view text, const Outline& outline, const View& value,
    inspect::ConversionReport& report) {
    const std::vector<std::uint32_t> escapes = odd_escapes(text);
    if (escapes.empty())
        return std::string(text);
    std::string out = without(text, escapes);
    JsonParseOptions options = document_json();
    options.any_escape = false;
    options.repeated_names = true;  // as with an outline
    const auto again = parse_plain_json(out, options);
    const auto was = value.get<Variant>();
    if (!again || !was || !identical(*again, *was))
        return std::unexpected(inspect::RewriteError{
            Error{Errc::not_in_dialect}.about_reason("Godot 4's JSON would read another value"),
            "$"});
    if (report.notes)
        EscapedPlaces(outline, escapes, *report.notes).run(value);
    return out;
}

}  // namespace gdvar::detail
