// Tells an unreadable text that is cut from other ones.
#pragma once

#include <span>
#include <string_view>

#include "gdvar/save/recognise.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// True if one of the readings fails at the end of the text: in its last word, or in a string
/// without an end. Readings that were ruled out begin with LINE:COLUMN.
bool breaks_off(std::string_view text, std::span<const Reading> ruled_out);

}  // namespace gdvar::app
