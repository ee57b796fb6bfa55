// Changed values of ConfigFiles and text resources: what stands twice in them is kept alike, and
// what was written is what it should be.
#pragma once

#include <expected>

#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

struct ResourceChange {
    /// What the text is to be changed to: keys of tags that only get other attributes are the old
    /// ones, so that each is found in the text.
    Variant edited;
    /// What the changed text is read to.
    Variant expected;
};

/// Errors: wrong_type, missing_key, not_in_dialect, with the path. May throw bad_alloc.
[[nodiscard]] std::expected<ResourceChange, inspect::RewriteError> complete_resource(
    const Variant& before, Variant after);

/// The refusal of a text that is read to something else than it should, with the path of the first
/// difference. `why`: static text. May throw bad_alloc.
inspect::RewriteError other_value(const Variant& wanted, const Variant& got, TextFamily family,
                                  const char* why);

/// Gives the tags of `ext` and `node` the keys that reading makes of their attributes. The document
/// is one that was read, or that `complete_resource` has seen. May throw bad_alloc.
void set_tag_keys(Dictionary& document);

}  // namespace gdvar::detail
