#pragma once

#include <string>

#include "gdvar/gdvar.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar::app {

/// Names the first section of a ConfigFile for Godot 3.6 whose name is not ASCII: 3.2 reads that
/// name differently. `packet`: the sections; `before`: the known ones, or nothing. Silent for other
/// kinds and dialects.
void say_section_names(const std::string& file, InputKind kind, const Dialect* dialect,
                       ByteView packet, ByteView before);

}  // namespace gdvar::app
