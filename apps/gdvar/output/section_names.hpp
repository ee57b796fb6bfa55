// A note on the names of sections that engines of one dialect read in different ways.
#pragma once

#include <string>

#include "gdvar/gdvar.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar::app {

/// Says which section of a ConfigFile for Godot 3.6 has a name beyond ASCII: 3.2 reads that name
/// otherwise. `packet`: the sections; `before`: those that are known, or nothing. It says nothing
/// of other kinds and dialects.
void say_section_names(const std::string& file, InputKind kind, const Dialect* dialect,
                       ByteView packet, ByteView before);

}  // namespace gdvar::app
