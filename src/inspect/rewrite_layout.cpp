#include "inspect/rewriting.hpp"

namespace gdvar::inspect {
namespace {

/// Longer indentation and spaces are not a style.
constexpr std::size_t most_unit = 32;

/// Looks at containers until every member of the layout is known.
class LayoutFinder {
public:
    LayoutFinder(std::string_view text, const Outline& outline, const TextSyntax& syntax)
        : text_(text), nodes_(outline.nodes), layout_(syntax.usual_layout()) {}

    TextLayout run() {
        if (const std::size_t line = text_.line_end(0); text_.part(line, line + 2) == "\r\n")
            layout_.newline = "\r\n";
        for (std::uint32_t i = 0; i < nodes_.size() && !(lines_ && space_ && colon_); ++i)
            if (is_bracketed(nodes_[i].kind) && nodes_[i].count)
                look_at(nodes_[i], nodes_[i + 1]);
        return std::move(layout_);
    }

private:
    void look_at(const OutlineNode& parent, const OutlineNode& child) {
        const std::size_t begin = item_begin(child);
        const auto own = own_indent(text_, begin);
        if (!lines_ && own && parent.inner <= begin - own->size()) {
            lines_ = layout_.lines = true;
            const std::string_view outer = text_.indent(item_begin(parent));
            if (own->starts_with(outer))
                layout_.unit = own->substr(outer.size(), most_unit);
        }
        if (!colon_ && child.key_end && child.key_end < child.begin) {
            const std::string_view between = text_.part(child.key_end, child.begin);
            // A section's `=` is not a colon, and comments are not a style.
            colon_ = between.size() <= most_unit && between.contains(':') && is_colon(between);
            if (colon_)
                layout_.colon = between;
        }
        if (!space_ && parent.count > 1 && child.next < nodes_.size()) {
            const std::string_view between = text_.part(child.end, item_begin(nodes_[child.next]));
            const std::size_t comma = between.find(',');
            space_ = comma != between.npos && between.size() - comma <= most_unit &&
                     between.find_first_of("\n;") == between.npos &&
                     detail::all_space(between.substr(comma + 1));
            if (space_)
                layout_.space = between.substr(comma + 1);
        }
    }

    const detail::LineText text_;
    const std::vector<OutlineNode>& nodes_;
    TextLayout layout_;
    bool lines_ = false, space_ = false, colon_ = false;
};

}  // namespace

std::optional<std::string_view> own_indent(const detail::LineText& text, std::size_t at) noexcept {
    const std::size_t begin = text.before_blanks(at);
    return begin && text[begin - 1] == '\n' ? std::optional(text.part(begin, at)) : std::nullopt;
}

TextLayout layout_of(std::string_view text, const Outline& outline, const TextSyntax& syntax) {
    return LayoutFinder(text, outline, syntax).run();
}

}  // namespace gdvar::inspect
