#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "input/input.hpp"

namespace gdvar::app {

/// Gives a line for each place of the item at which an engine runs, loads or makes something, as
/// `find_code` names it: `file: $.a: note[embedded_script]: GDScript: ...`; without `verbose` only
/// the first ones, and the number of the others. Returns how many there are. An item that can't be
/// read has none; others say so.
std::uint64_t code_notes(const Input& input, const Item& item, bool verbose,
                         const std::function<void(const std::string&)>& line);

}  // namespace gdvar::app
