// Foreign formats, which gdvar does not read, found by their first bytes.
#pragma once

#include <optional>
#include <string_view>

#include "gdvar/save/recognise.hpp"

namespace gdvar::save {

/// A foreign format by its magic; nothing for other bytes.
std::optional<Reading> foreign_magic(ByteView start);

/// Whether these are the first bytes of a text: UTF-8 without controls other than white space; a
/// few damaged bytes are allowed. A packet or record never is, because every header holds a zero.
bool is_text(ByteView start) noexcept;

/// What kind of text it begins like.
Reading foreign_text(std::string_view start);

}  // namespace gdvar::save
