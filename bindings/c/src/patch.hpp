// Patches as packets, and back.
#pragma once

#include "common.hpp"
#include "gdvar/inspect/diff.hpp"

namespace gdvar::c {

/// Appends a patch as a packet. Returns the code.
std::uint16_t give_patch(const inspect::Patch& patch, gdvar_buffer& to, gdvar_error* error);
/// Reads the packet of a patch. Returns the code.
std::uint16_t take_patch(gdvar_bytes packet, inspect::Patch& to, gdvar_error* error);

}  // namespace gdvar::c
