// Notes on values that engines read differently, or run.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "input/input.hpp"

namespace gdvar::app {

/// Warns of changed values in a text that an engine may read differently: numbers in JSON that
/// engines read from no digits, values in Godot 3's form that Godot 3.2 does not read, and values
/// that other engines than the text's read differently, if its engine is not certain. `before` is
/// the document into which `items` are written.
void say_change_notes(const std::string& name, const SaveDocument& before,
                      std::span<const SaveItem> items);

/// Names the first section of a ConfigFile for Godot 3.6 whose name is not ASCII: 3.2 reads that
/// name differently. `packet`: the sections; `before`: the known ones, or nothing. Silent for other
/// kinds and dialects.
void say_section_names(const std::string& file, InputKind kind, const Dialect* dialect,
                       ByteView packet, ByteView before);

/// Prints a line for each place of the item at which an engine runs, loads or instantiates
/// something, by `find_code`: `file: $.a: note[embedded_script]: GDScript: ...`; without `verbose`
/// only the first ones, and the number of the others. Returns the number of places. An unreadable
/// item has none; other functions report it.
std::uint64_t code_notes(const Input& input, const Item& item, bool verbose,
                         const std::function<void(const std::string&)>& line);

}  // namespace gdvar::app
