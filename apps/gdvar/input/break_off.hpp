// Whether a text that can't be read breaks off, as a file does that was cut.
#pragma once

#include <span>
#include <string_view>

#include "gdvar/save/recognise.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// Whether one of the readings fails where the text ends: there, in its last word, or in a string
/// without an end. Readings that were ruled out begin with LINE:COLUMN.
bool breaks_off(std::string_view text, std::span<const Reading> ruled_out);

}  // namespace gdvar::app
