// Prints in pieces, so that a long text is never in memory as a whole.
#pragma once

#include <functional>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Called by a printer with each piece of its text, in order. A piece is valid during the call and
/// has about 64 KiB, whatever the value.
using TextPieces = std::function<void(std::string_view piece)>;

}  // namespace gdvar
