// The parts of `rewrite`: matching of children, layout of brackets, layout of a text.
#pragma once

#include <optional>
#include <vector>

#include "base/line_text.hpp"
#include "gdvar/inspect/rewrite.hpp"
#include "inspect/align.hpp"
#include "inspect/fingerprints.hpp"

namespace gdvar::inspect {

/// For each child of `to` its partner in `from`, or ChangedChildren::none. Elements of Arrays are
/// aligned; between two kept ones, as many as both sides have change in place. Pairs and properties
/// are matched by their keys, the n-th of equal ones with the n-th. With `renames`, a child with a
/// new key also matches one at its place with the same or a similar value. n log n.
std::vector<std::uint32_t> find_partners(const detail::Side& from,
                                         const detail::Fingerprints& from_prints,
                                         const detail::Side& to,
                                         const detail::Fingerprints& to_prints, bool renames);

/// True for containers of one kind, with the same element types.
inline bool alike(const View& a, const View& b) {
    return a.type() == b.type() && detail::is_container(a) && detail::is_container(b) &&
           a.element_type() == b.element_type() && a.key_type() == b.key_type() &&
           a.value_type() == b.value_type();
}

/// True if child `i` and its partner have the same key or name.
bool same_name(const detail::Side& from, std::size_t i, const detail::Side& to, std::size_t j);

/// The text's layout, from its values until all is known. Time: linear.
TextLayout layout_of(std::string_view text, const Outline& outline, const TextSyntax& syntax);

/// The white space before a position, if the line, not the first, has nothing else before it.
std::optional<std::string_view> own_indent(const detail::LineText& text, std::size_t at) noexcept;
/// True if the text between a key and a value is a colon with spaces around it.
inline bool is_colon(std::string_view between) noexcept {
    return between.find_first_not_of(": \t") == between.npos;
}

/// The most white space that new items take from their neighbours: in a text with one long line of
/// spaces each of them would take that line.
inline constexpr std::size_t most_space = 256;

/// Makes one edit of the content of a node's brackets, with the children in their new order.
Rewritten rearrange(TextEdits& edits, const ChangedChildren& change, const TextSyntax& syntax);

/// The start of a child: its key, if it has one.
inline std::uint32_t item_begin(const OutlineNode& node) noexcept {
    return node.key_end ? node.key_begin : node.begin;
}

/// A refusal of the value that a function was called for.
inline std::unexpected<RewriteError> refused(Errc code, Type type, const char* why,
                                             std::string path = {}) {
    return std::unexpected(RewriteError{Error{code, type}.about_reason(why), std::move(path)});
}

/// Checks that a typed container takes the child: converted elements would be other values.
Rewritten check_type(const View& container, const detail::Child& child);

/// Prefixes the error's path with the step to the child.
std::unexpected<RewriteError> below(const detail::Child& child, RewriteError error);

}  // namespace gdvar::inspect
