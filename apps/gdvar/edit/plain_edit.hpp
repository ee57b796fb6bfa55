// Edits in plain JSON, which does not express all values. Unedited values stay as they were.
#pragma once

#include <expected>
#include <string>

#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// `was`: a value; `shown`: what plain JSON makes of it, read back; `now`: that after a person
/// edited it. Returns the value with the same changes: keys that are no Strings stay, an array of
/// numbers becomes the vector or packed array that it stands for, a string the StringName or
/// NodePath. Errors, in words: a change that can't be told from plain JSON, with the path below
/// the value's.
std::expected<Variant, std::string> with_plain_changes(const View& was, const View& shown,
                                                       const View& now);

}  // namespace gdvar::app
