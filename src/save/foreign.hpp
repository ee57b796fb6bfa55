// Foreign formats, which gdvar does not read, by their first bytes.
#pragma once

#include <optional>
#include <string_view>

#include "gdvar/save/recognise.hpp"

namespace gdvar::save {

/// A foreign format by its magic; nothing for other bytes.
std::optional<Reading> foreign_magic(ByteView start);

/// True for the first bytes of a text: UTF-8 without controls other than white space; a few damaged
/// bytes are allowed. A packet or record never is one, because every header holds a zero.
bool is_text(ByteView start) noexcept;

Reading foreign_text(std::string_view start);

}  // namespace gdvar::save
