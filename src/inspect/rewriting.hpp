// The parts of `rewrite`: which children stay, how brackets are laid out, how a text is.
// Room: inspect, private.
#pragma once

#include <optional>
#include <vector>

#include "base/line_text.hpp"
#include "gdvar/inspect/rewrite.hpp"
#include "inspect/align.hpp"
#include "inspect/fingerprints.hpp"

namespace gdvar::inspect {

/// For each child of `to` the one of `from` that it is, or ChangedChildren::none. Elements of
/// Arrays are aligned; between two that stay, as many as both sides have change in place. Pairs and
/// properties are found by their keys, the n-th of equal ones by the n-th. With `renames`, a child
/// with a new key is also one that stood at its place and has the same value, or one like it.
/// n log n.
std::vector<std::uint32_t> find_partners(const detail::Side& from,
                                         const detail::Fingerprints& from_prints,
                                         const detail::Side& to,
                                         const detail::Fingerprints& to_prints, bool renames);

/// Whether the key or name of child `i` and of its partner are the same.
bool same_name(const detail::Side& from, std::size_t i, const detail::Side& to, std::size_t j);

/// How the text is laid out: looks at its values until all is known. Time: linear.
TextLayout layout_of(std::string_view text, const Outline& outline, const TextSyntax& syntax);

/// The white space in front of a position, if nothing else stands before it on its line, which is
/// not the first.
std::optional<std::string_view> own_indent(const detail::LineText& text, std::size_t at) noexcept;
/// Whether what stands between a key and a value is laid out on its line.
inline bool is_colon(std::string_view between) noexcept {
    return between.find_first_not_of(": \t") == between.npos;
}

/// New items take no more white space than this from their neighbours: else a text with one long
/// line of spaces would give each of them that line.
inline constexpr std::size_t most_space = 256;

/// Makes one edit of what stands in a node's brackets, with the children in their new order.
Rewritten rearrange(TextEdits& edits, const ChangedChildren& change, const TextSyntax& syntax);

/// The position where a child begins: its key, if it has one.
inline std::uint32_t item_begin(const OutlineNode& node) noexcept {
    return node.key_end ? node.key_begin : node.begin;
}

/// A refusal of the value that a function was called for.
inline std::unexpected<RewriteError> refused(Errc code, Type type, const char* why,
                                             std::string path = {}) {
    return std::unexpected(RewriteError{Error{code, type}.about_reason(why), std::move(path)});
}

/// Whether a typed container takes the child: elements that it converts would become others.
Rewritten check_type(const View& container, const detail::Child& child);

/// Puts the step to the child in front of the path of what was refused inside of it.
std::unexpected<RewriteError> below(const detail::Child& child, RewriteError error);

}  // namespace gdvar::inspect
