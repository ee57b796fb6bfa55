// The value of a text resource for engines of another family, besides the types of values.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "file/sections/conversion_losses.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// The new ids of tags, by the old ones as texts.
using NewIds = std::map<std::string, Variant, std::less<>>;

/// Makes the value of a resource that `inspect::convert` has converted one of the other family,
/// between Godot 4 and the others: ids, references, metadata, `type`, `format`. Its keys stay as
/// they are. Returns the new ids of sub_resources, which are their keys; none: they stay. May throw
/// bad_alloc.
NewIds convert_parts(Dictionary& document, TextFamily from, TextFamily to,
                     const inspect::Renames& renames, const ConversionNotes& notes);

}  // namespace gdvar::detail
