// Changed values of text resources: what stands twice in them is kept alike.
#pragma once

#include <expected>

#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

struct ResourceChange {
    /// The value that the text is changed to: keys of tags that only get other attributes are the
    /// old ones, so that each is found in the text.
    Variant edited;
    /// The value that the changed text is read to.
    Variant expected;
};

/// Errors: wrong_type, missing_key, not_in_dialect, those of `complete_scene`, with the path. May
/// throw bad_alloc.
[[nodiscard]] std::expected<ResourceChange, inspect::RewriteError> complete_resource(
    const Variant& before, Variant after);

/// Gives the tags of `ext` and `node` the keys that reading makes of their attributes. The document
/// is one that was read, or that `complete_resource` has seen. May throw bad_alloc.
void set_tag_keys(Dictionary& document);

}  // namespace gdvar::detail
