// How a text is laid out.
#include "inspect/rewriting.hpp"

namespace gdvar::inspect {
namespace {

/// Longer indentation and longer spaces are nobody's style.
constexpr std::size_t most_unit = 32;

bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t';
}

/// Whether the part is white space alone.
bool all_space(std::string_view part) noexcept {
    return part.find_first_not_of(" \t\r\n") == part.npos;
}

/// Looks at one container after the other, until every member of the layout is known.
class LayoutFinder {
public:
    LayoutFinder(std::string_view text, const Outline& outline, const TextSyntax& syntax)
        : text_(text), nodes_(outline.nodes), layout_(syntax.usual_layout()) {}

    TextLayout run() {
        const std::size_t line = text_.find('\n');
        if (line != text_.npos && line && text_[line - 1] == '\r')
            layout_.newline = "\r\n";
        for (std::uint32_t i = 0; i < nodes_.size() && !(lines_ && space_ && colon_); ++i)
            if (is_bracketed(nodes_[i].kind) && nodes_[i].count)
                look_at(nodes_[i], nodes_[i + 1]);
        return std::move(layout_);
    }

private:
    std::string_view part(std::size_t begin, std::size_t end) const noexcept {
        return text_.substr(begin, end - begin);
    }

    void look_at(const OutlineNode& parent, const OutlineNode& child) {
        const std::size_t begin = item_begin(child);
        const LineStart own = line_start(text_, begin);
        if (!lines_ && own.found && parent.inner <= begin - own.indent.size()) {
            lines_ = layout_.lines = true;
            const std::string_view outer = indent_of_line(item_begin(parent));
            if (own.indent.starts_with(outer))
                layout_.unit = own.indent.substr(outer.size(), most_unit);
        }
        if (!colon_ && child.key_end && child.key_end < child.begin) {
            const std::string_view between = part(child.key_end, child.begin);
            // A section's `=` is none, and comments are nobody's style.
            colon_ = between.size() <= most_unit && between.find(':') != between.npos &&
                     between.find_first_not_of(": \t") == between.npos;
            if (colon_)
                layout_.colon = between;
        }
        if (!space_ && parent.count > 1 && child.next < nodes_.size()) {
            const std::string_view between = part(child.end, item_begin(nodes_[child.next]));
            const std::size_t comma = between.find(',');
            space_ = comma != between.npos && between.size() - comma <= most_unit &&
                     between.find_first_of("\n;") == between.npos &&
                     all_space(between.substr(comma + 1));
            if (space_)
                layout_.space = between.substr(comma + 1);
        }
    }

    /// The white space at the front of the line that the position is on.
    std::string_view indent_of_line(std::size_t at) const noexcept {
        const std::size_t line = at ? text_.rfind('\n', at - 1) : text_.npos;
        const std::size_t begin = line == text_.npos ? 0 : line + 1;
        std::size_t end = begin;
        while (end < at && is_blank(text_[end]))
            ++end;
        return part(begin, end);
    }

    std::string_view text_;
    const std::vector<OutlineNode>& nodes_;
    TextLayout layout_;
    bool lines_ = false, space_ = false, colon_ = false;
};

}  // namespace

LineStart line_start(std::string_view text, std::size_t at) noexcept {
    std::size_t begin = at;
    while (begin && is_blank(text[begin - 1]))
        --begin;
    if (begin && text[begin - 1] != '\n')
        return {};
    return {begin != 0, text.substr(begin, at - begin)};
}

TextLayout layout_of(std::string_view text, const Outline& outline, const TextSyntax& syntax) {
    return LayoutFinder(text, outline, syntax).run();
}

}  // namespace gdvar::inspect
