#pragma once

#include <string>

#include "gdvar/inspect/diff.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// "~ $.hp: 97 -> 9999", "+ $.new: 1", "- $.old: 2". `place`: the path to show. `full`: values are
/// not shortened. Long texts and packed arrays are shown at their first difference.
std::string difference_line(const Difference& difference, const std::string& place, bool full);

}  // namespace gdvar::app
