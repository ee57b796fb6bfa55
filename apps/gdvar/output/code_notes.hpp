#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "input/input.hpp"

namespace gdvar::app {

/// Prints a line for each place of the item at which an engine runs, loads or instantiates
/// something, by `find_code`: `file: $.a: note[embedded_script]: GDScript: ...`; without `verbose`
/// only the first ones, and the number of the others. Returns the number of places. An unreadable
/// item has none; other functions report it.
std::uint64_t code_notes(const Input& input, const Item& item, bool verbose,
                         const std::function<void(const std::string&)>& line);

}  // namespace gdvar::app
