// Items in brackets, separated by commas: inserted, removed, reordered.
#include "inspect/rewriting.hpp"
#include "text/rules.hpp"

namespace gdvar::inspect {
namespace {

using detail::LineText, detail::Side, detail::TextRules;

/// An item and its surrounding text.
///
///     , ; of the one before       <- behind the comma of the item before: that item's
///     ; above                     <- `above`: comments on lines in front of the item
///       "key": value , ; behind   <- white space from `space`; the item from `begin` to `end`;
///                                    then its comma, and the rest of the line up to `tail`
struct Item {
    std::size_t above, space, begin, end, comma, tail;
    bool comment;  ///< a comment ends at `tail`
    bool has_comma() const noexcept { return comma != SIZE_MAX; }
};

class Brackets {
public:
    Brackets(const ChangedChildren& change, const TextRules& rules)
        : text_(change.text), rules_(rules) {
        std::size_t at = change.place().inner;
        header_end = at;
        if (const std::size_t behind = text_.behind_blanks(at); is_comment(behind)) {
            header_end = at = text_.line_end(behind);
            header_comment = true;
        }
        items.reserve(change.nodes.size());
        for (const std::uint32_t number : change.nodes) {
            items.push_back(item(change.outline.nodes[number], at));
            at = items.back().tail;
        }
        rest = at;
        close = spaces(at).end;
    }

    std::size_t header_end;  ///< of a comment on the line of the opening bracket
    bool header_comment = false;
    std::vector<Item> items;
    std::size_t rest;   ///< behind the last item
    std::size_t close;  ///< the closing bracket

    /// White space and comments; `space` is the start of the white space behind the last comment.
    struct Gap {
        std::size_t end, space;
    };
    Gap spaces(std::size_t at) const noexcept {
        Gap out{at, at};
        for (;; out.end = out.space = text_.line_end(out.end)) {
            while (out.end < text_.size() && rules_.blanks.has(text_[out.end]))
                ++out.end;
            if (!is_comment(out.end))
                return out;
        }
    }
    bool has_line(std::size_t begin, std::size_t end) const noexcept {
        return text_.part(begin, end).contains('\n');
    }

private:
    bool is_comment(std::size_t at) const noexcept {
        return rules_.comment && at < text_.size() && text_[at] == rules_.comment;
    }

    Item item(const OutlineNode& node, std::size_t above) const noexcept {
        Item out{above, 0, item_begin(node), node.end, SIZE_MAX, 0, false};
        out.space = spaces(above).space;
        const std::size_t next = spaces(out.end).end;
        std::size_t at = out.end;
        if (next < text_.size() && text_[next] == ',') {
            out.comma = next;
            at = next + 1;
        }
        // The rest of the line, if it is blank.
        const std::size_t behind = text_.behind_blanks(at);
        out.comment = is_comment(behind);
        out.tail = out.comment ? text_.line_end(behind) : text_.is_line_end(behind) ? behind : at;
        return out;
    }

    LineText text_;
    const TextRules& rules_;
};

/// Builds the edit from left to right.
class Rearranger {
public:
    Rearranger(TextEdits& edits, const ChangedChildren& change, const TextSyntax& syntax)
        : edits_(edits),
          change_(change),
          syntax_(syntax),
          text_(change.text),
          in_(change, syntax.rules()),
          trailing_(!in_.items.empty() && in_.items.back().has_comma()) {}

    Rewritten run() {
        edits_.begin(change_.place().inner, in_.close);
        keep(change_.place().inner, in_.header_end);
        in_comment_ = in_.header_comment;
        stays_.assign(in_.items.size(), false);
        for (const std::uint32_t i : change_.partner)
            if (i != detail::no_partner)
                stays_[i] = true;
        for (std::size_t j = 0; j < change_.to.size(); ++j) {
            const bool last = j + 1 == change_.to.size();
            if (change_.partner[j] != detail::no_partner)
                old_item(j, change_.partner[j], !last || trailing_);
            else if (auto done = new_item(j, !last || trailing_); !done)
                return done;
        }
        end();
        return {};
    }

private:
    void keep(std::size_t begin, std::size_t end) {
        edits_.keep(begin, end);
        something_ = something_ || begin != end;
    }

    /// Ends the line of a comment, unless `next` does.
    void end_comment(std::string_view next) {
        const std::size_t line = next.find('\n');
        if (in_comment_ && (line == next.npos || !detail::all_space(next.substr(0, line))))
            edits_.put(change_.layout.newline);
        in_comment_ = false;
    }
    /// White space before an item: copied from `from`, or new.
    void space(std::string_view space, std::size_t from = SIZE_MAX) {
        end_comment(space);
        if (from == SIZE_MAX)
            edits_.put(space);
        else
            edits_.keep(from, from + space.size());
    }

    /// The comments above item `i`, and above removed items before it.
    void comments_above(std::size_t i) {
        std::size_t first = i;
        while (first && !stays_[first - 1])
            --first;
        for (; first <= i; ++first)
            comments_above_one(first);
    }
    void comments_above_one(std::size_t i) {
        const Item& item = in_.items[i];
        if (item.above == item.space)
            return;
        end_comment(part(item.above, item.space));
        keep(item.above, item.space);
        in_comment_ = true;
    }

    void old_item(std::size_t j, std::size_t i, bool comma) {
        const Item& item = in_.items[i];
        comments_above(i);
        const std::string_view own = part(item.space, item.begin);
        // On one line the first item and the others differ in the space before them.
        const bool moved = (i == 0) != (j == 0) && own.find('\n') == own.npos;
        if (moved)
            space(j ? other_space() : first_space());
        else
            space(own, item.space);
        something_ = true;
        if (comma == item.has_comma()) {
            keep(item.begin, item.tail);
        } else if (comma) {
            keep(item.begin, item.end);
            edits_.put(",");
            keep(item.end, item.tail);
        } else {
            keep(item.begin, item.comma);
            keep(item.comma + 1, item.tail);
        }
        in_comment_ = item.comment;
    }

    Rewritten new_item(std::size_t j, bool comma) {
        const std::string_view before = space_of_new(j);
        space(before);
        something_ = true;
        TextLayout layout = change_.layout;
        const std::size_t line = before.rfind('\n');
        layout.lines = line != before.npos;
        const std::string_view indent = layout.lines ? before.substr(line + 1) : change_.indent;
        const TextSpot spot{layout, indent, {}};
        const detail::Child child = change_.to.step(j);
        if (auto fits = check_type(change_.after, child); !fits)
            return fits;
        made_.clear();
        if (child.role != detail::Child::element) {
            if (auto key = syntax_.key(made_, child, change_.place().kind); !key)
                return below(child, std::move(key.error()));
            made_ += colon();
        }
        if (auto value = syntax_.value(made_, child.view, spot); !value)
            return below(child, std::move(value.error()));
        edits_.put(made_);
        if (comma)
            edits_.put(",");
        in_comment_ = false;
        return {};
    }

    void end() {
        // Comments above removed items at the end.
        std::size_t first = in_.items.size();
        while (first && !stays_[first - 1])
            --first;
        for (; first < in_.items.size(); ++first)
            comments_above_one(first);
        const std::string_view rest = part(in_.rest, in_.close);
        if (!something_ && detail::all_space(rest))
            return;
        end_comment(rest);
        keep(in_.rest, in_.close);
    }

    // ---- the style of new items

    std::string_view part(std::size_t begin, std::size_t end) const noexcept {
        return text_.substr(begin, end - begin);
    }
    std::string_view space_before(std::size_t i) const noexcept {
        return part(in_.items[i].space, in_.items[i].begin);
    }
    /// Without empty lines: from the last line break on.
    static std::string_view one_line(std::string_view space) noexcept {
        const std::size_t line = space.rfind('\n');
        if (line != space.npos)
            space.remove_prefix(line && space[line - 1] == '\r' ? line - 1 : line);
        return space.substr(0, most_space);
    }
    std::string_view first_space() const noexcept {
        return in_.items.empty() ? std::string_view() : one_line(space_before(0));
    }
    /// Before an item that is not the first.
    std::string_view other_space() {
        if (in_.items.size() > 1)
            return one_line(space_before(1));
        if (!in_.items.empty() && in_.has_line(in_.items[0].space, in_.items[0].begin))
            return first_space();
        return change_.layout.space;
    }
    std::string_view space_of_new(std::size_t j) {
        if (in_.items.empty())
            return line_in_empty();
        if (j == 0)
            return first_space();
        // Like the previous item, else like the next kept one.
        if (const std::uint32_t i = change_.partner[j - 1]; i != detail::no_partner && i)
            return run_space_ = one_line(space_before(i));
        if (j > 1 && change_.partner[j - 1] == detail::no_partner)
            return run_space_;
        for (std::size_t next = j + 1; next < change_.to.size(); ++next)
            if (const std::uint32_t i = change_.partner[next]; i != detail::no_partner)
                return run_space_ = i ? one_line(space_before(i)) : other_space();
        return run_space_ = other_space();
    }
    /// For brackets with nothing but comments.
    std::string_view line_in_empty() {
        if (empty_line_.empty()) {
            const auto own = own_indent(LineText(text_), in_.close);
            empty_line_ = change_.layout.newline;
            empty_line_ += own.value_or(change_.indent).substr(0, most_space);
            empty_line_ += change_.layout.unit;
        }
        return empty_line_;
    }
    std::string_view colon() {
        for (const std::uint32_t number : change_.nodes) {
            const OutlineNode& node = change_.outline.nodes[number];
            const std::string_view between = part(node.key_end, node.begin);
            if (between.size() <= most_space && is_colon(between))
                return between;
            break;
        }
        return change_.layout.colon;
    }

    TextEdits& edits_;
    const ChangedChildren& change_;
    const TextSyntax& syntax_;
    std::string_view text_;
    const Brackets in_;
    const bool trailing_;
    std::vector<bool> stays_;
    std::string made_, empty_line_;
    std::string_view run_space_;  ///< before the last new item
    bool something_ = false;      ///< an item or comment was written
    bool in_comment_ = false;     ///< the last kept text is a comment whose line has not ended
};

}  // namespace

Rewritten rearrange(TextEdits& edits, const ChangedChildren& change, const TextSyntax& syntax) {
    return Rearranger(edits, change, syntax).run();
}

}  // namespace gdvar::inspect
