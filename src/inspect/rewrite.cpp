#include "gdvar/inspect/rewrite.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <numeric>
#include <optional>

#include "base/exceptions.hpp"
#include "inspect/differing.hpp"
#include "inspect/rewriting.hpp"
#include "text/rules.hpp"

namespace gdvar::inspect {
namespace {

using detail::Child, detail::LineText;
using detail::Side;

struct OpenNodes {
    Side from, to;
    std::vector<std::uint32_t> nodes, partner;
    std::size_t length;       ///< of the path to it
    std::string_view indent;  ///< of the node's first line
    std::uint32_t next = 0;   ///< of `to`
};

/// Walks both values and the outline together.
class Rewriter {
public:
    Rewriter(TextEdits& edits, std::string_view text, const Outline& outline, const View& before,
             const View& after, const TextSyntax& syntax)
        : edits_(edits),
          text_(text),
          outline_(outline),
          syntax_(syntax),
          same_bytes_(before, after) {}

    Rewritten run(const View& before, const View& after) {
        if (same_bytes_.all())
            return {};
        if (outline_.empty())
            return detail::same(before, after) ? Rewritten() : other_value();
        if (auto done = compare(0, before, after, {}); !done)
            return done;
        while (!open_.empty()) {
            OpenNodes& top = open_.back();
            path_.resize(top.length);
            if (top.next == top.to.size()) {
                open_.pop_back();
                continue;
            }
            const std::uint32_t i = top.next++;
            if (top.partner[i] == detail::no_partner)
                continue;
            const View was = top.from.values[top.partner[i]], is = top.to.values[i];
            if (equal(was, is))
                continue;
            const std::uint32_t node = top.nodes[top.partner[i]];
            const Child child = top.to.step(i);
            // A value that did not fit the container's type before may be replaced by another such.
            if (auto fits = check_type(top.to.container, child);
                !fits && check_type(top.from.container, top.from.step(top.partner[i])))
                return refuse(std::move(fits.error()));
            detail::append_step(path_, child);
            const auto indent = own_indent(LineText(text_), item_begin(outline_.nodes[node]));
            if (auto done = compare(node, was, is, indent.value_or(top.indent)); !done)
                return done;
        }
        return {};
    }

private:
    bool equal(const View& a, const View& b) const {
        if (same_bytes_(a, b))
            return true;
        if (prints_)
            return prints_->from.of(a) == prints_->to.of(b) && detail::same(a, b);
        // On the way to the one place that differs, containers are looked into.
        return !(detail::is_container(a) && detail::is_container(b)) && detail::same(a, b);
    }
    /// Which children are which. Where a single one has other bytes, all are found at their places,
    /// without the fingerprints of everything in them.
    void match(OpenNodes& made, bool renames) {
        const auto all = static_cast<std::uint32_t>(made.from.size());
        std::uint32_t same = 0, others = made.from.size() != made.to.size() ? 2 : 0;
        for (; same < all && others < 2; ++same)
            others += !same_name(made.from, same, made.to, same)
                          ? 2
                          : !same_bytes_(made.from.values[same], made.to.values[same]);
        if (others < 2) {
            made.partner.resize(all);
            std::iota(made.partner.begin(), made.partner.end(), 0u);
            return;
        }
        if (!prints_)
            prints_.emplace(Prints{detail::Fingerprints(made.from.container),
                                   detail::Fingerprints(made.to.container)});
        made.partner = find_partners(made.from, prints_->from, made.to, prints_->to, renames);
    }

    const TextLayout& layout() {
        if (!layout_)
            layout_ = layout_of(text_, outline_, syntax_);
        return *layout_;
    }

    Rewritten other_value() const {
        return std::unexpected(RewriteError{
            Error{Errc::wrong_arguments}.about_reason("the outline is that of another value"),
            path_});
    }
    Rewritten refuse(RewriteError error) const {
        error.path.insert(0, path_);
        return std::unexpected(std::move(error));
    }

    static bool named(const View& view) {
        return view.is(Type::dictionary) || view.is(Type::object);
    }
    Rewritten compare(std::uint32_t number, const View& before, const View& after,
                      std::string_view indent) {
        if (equal(before, after))
            return {};
        const OutlineNode& node = outline_.nodes[number];
        if (node.begin > node.end || node.end > text_.size())
            return other_value();
        if (node.kind == OutlineKind::leaf)
            return replace(node, after, indent);
        if (!detail::is_container(before) || node.count != before.size())
            return other_value();
        const ChangedNode change{text_, outline_, number, before, after, layout(), indent};
        const bool both = alike(before, after);
        const bool one_class =
            !both || !before.is(Type::object) || before.class_name() == after.class_name();
        if (both && one_class)
            return open(change);
        if (!is_bracketed(node.kind)) {
            if (auto done = syntax_.retype(edits_, change); !done)
                return refuse(std::move(done.error()));
            return both ? open(change) : Rewritten();
        }
        if (both && syntax_.rename_class(edits_, change))
            return open(change);
        return replace(node, after, indent);
    }

    Rewritten replace(const OutlineNode& node, const View& after, std::string_view indent) {
        made_.clear();
        const std::string_view old = text_.substr(node.begin, node.end - node.begin);
        // A number or a text needs no layout, so the text's layout need not be found.
        const bool laid_out = detail::is_container(after);
        static const TextLayout plain;
        const TextSpot spot{laid_out ? layout() : plain, indent, old};
        if (auto done = syntax_.value(made_, after, spot); !done)
            return refuse(std::move(done.error()));
        edits_.replace(node.begin, node.end, made_);
        return {};
    }

    /// Continues with the children, after added, removed and moved ones.
    Rewritten open(const ChangedNode& node) {
        // No layout to keep.
        if (node.place().count == 0 && is_bracketed(node.place().kind) && blank_inside(node))
            return replace(node.place(), node.after, node.indent);
        OpenNodes& made = open_.emplace_back(
            OpenNodes{Side(node.before), Side(node.after), {}, {}, path_.size(), node.indent});
        made.nodes.reserve(node.place().count);
        for (std::uint32_t child = node.node + 1; child < node.place().next;
             child = outline_.nodes[child].next)
            made.nodes.push_back(child);
        if (made.nodes.size() != made.from.size())
            return other_value();
        match(made, named(node.before) && syntax_.renames(node.place().kind) &&
                        has_keys(node.place().kind, made.nodes));
        const ChangedChildren change{node, made.from, made.to, made.nodes, made.partner};
        if (moves(made)) {
            Rewritten done = is_bracketed(node.place().kind) ? rearrange(edits_, change, syntax_)
                                                             : syntax_.children(edits_, change);
            if (!done)
                return refuse(std::move(done.error()));
        }
        if (!named(node.before))
            return {};
        for (std::size_t j = 0; j < made.to.size(); ++j) {
            const std::uint32_t i = made.partner[j];
            if (i == detail::no_partner || same_name(made.from, i, made.to, j))
                continue;
            const Child child = made.to.step(j);
            if (auto fits = check_type(node.after, child); !fits)
                return refuse(std::move(fits.error()));
            if (auto done = syntax_.rename(edits_, change, j); !done)
                return refuse(std::move(below(child, std::move(done.error())).error()));
        }
        return {};
    }
    /// True if children are identified by keys in the text: not for tags, whose keys come from
    /// attributes.
    bool has_keys(OutlineKind kind, const std::vector<std::uint32_t>& nodes) const {
        return kind != OutlineKind::group || nodes.empty() || outline_.nodes[nodes[0]].key_end;
    }
    bool blank_inside(const ChangedNode& node) const {
        const std::size_t first = detail::behind_space(text_, node.place().inner);
        return first == text_.size() || text_[first] != syntax_.rules().comment;
    }
    /// True if children are added, removed or moved.
    static bool moves(const OpenNodes& open) {
        if (open.from.size() != open.to.size())
            return true;
        for (std::uint32_t i = 0; i < open.partner.size(); ++i)
            if (open.partner[i] != i)
                return true;
        return false;
    }

    TextEdits& edits_;
    std::string_view text_;
    const Outline& outline_;
    const TextSyntax& syntax_;
    const detail::SameBytes same_bytes_;
    struct Prints {
        detail::Fingerprints from, to;
    };
    std::optional<Prints> prints_;  ///< of the innermost containers in which several places differ
    std::optional<TextLayout> layout_;
    std::deque<OpenNodes> open_;
    std::string path_ = "$", made_;
};

}  // namespace

std::unexpected<RewriteError> below(const Child& child, RewriteError error) {
    std::string step;
    detail::append_step(step, child);
    error.path.insert(0, step);
    return std::unexpected(std::move(error));
}

Rewritten check_type(const View& container, const Child& child) {
    const auto refuse = [&](const View& view) {
        return below(child, {Error{Errc::wrong_type, view.type()}.about_reason(
                                 "the typed container does not take it"),
                             {}});
    };
    if (child.role == Child::element && !container.element_type().takes(child.view.type()))
        return refuse(child.view);
    if (child.role == Child::value && !container.key_type().takes(child.key_view.type()))
        return refuse(child.key_view);
    if (child.role == Child::value && !container.value_type().takes(child.view.type()))
        return refuse(child.view);
    return {};
}

// ---- defaults of a syntax ---------------------------------------------------------------------

bool TextSyntax::rename_class(TextEdits&, const ChangedNode&) const {
    return false;
}

Rewritten TextSyntax::children(TextEdits&, const ChangedChildren& change) const {
    return refused(Errc::not_in_dialect, change.before.type(),
                   "nothing can be added to it or removed from it here");
}

bool TextSyntax::renames(OutlineKind in) const {
    return is_bracketed(in);
}

Rewritten TextSyntax::rename(TextEdits& edits, const ChangedChildren& change, std::size_t i) const {
    const OutlineNode& child = change.outline.nodes[change.nodes[change.partner[i]]];
    std::string made;
    if (auto done = key(made, change.to.step(i), change.place().kind); !done)
        return done;
    edits.replace(child.key_begin, child.key_end, made);
    return {};
}

Rewritten TextSyntax::retype(TextEdits&, const ChangedNode& node) const {
    return refused(Errc::not_in_dialect, node.after.type(), "no other type can stand here");
}

// ---- the functions ------------------------------------------------------------------------------

Rewritten plan_rewrite(TextEdits& edits, std::string_view text, const Outline& outline,
                       const View& before, const View& after, const TextSyntax& syntax) GDVAR_TRY {
    for (const View& view : {before, after})
        if (!view)
            return std::unexpected(RewriteError{view.error(), "$"});
    return Rewriter(edits, text, outline, before, after, syntax).run(before, after);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(RewriteError{Error{Errc::no_memory}, {}}))

std::expected<std::string, RewriteError> rewrite(std::string_view text, const Outline& outline,
                                                 const View& before, const View& after,
                                                 const TextSyntax& syntax) {
    TextEdits edits;
    if (auto done = plan_rewrite(edits, text, outline, before, after, syntax); !done)
        return std::unexpected(std::move(done.error()));
    auto out = edits.apply(text);
    if (!out)
        return std::unexpected(RewriteError{out.error(), {}});
    return *std::move(out);
}

std::string to_string(const RewriteError& error) {
    const std::string said = gdvar::to_string(error.error);
    return error.path.empty() ? said : error.path + ": " + said;
}

}  // namespace gdvar::inspect
