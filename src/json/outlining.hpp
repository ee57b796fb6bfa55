#pragma once

#include "gdvar/value/outline.hpp"
#include "tree.hpp"

namespace gdvar::detail {

/// Adds the tree's values to the outline, with `shift` added to all positions, which must fit 32
/// bits. Iterative. Time: linear in the text. May throw bad_alloc; then nothing was added.
void add_outline(Outline& to, const JsonTree& tree, std::uint64_t shift);

}  // namespace gdvar::detail
