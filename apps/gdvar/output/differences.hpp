// Differences as people read them.
#pragma once

#include <string>

#include "gdvar/inspect/diff.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// "~ $.hp: 97 -> 9999", "+ $.new: 1", "- $.old: 2". `place`: where, as it is shown. `full`: values
/// are not shortened. Long texts and packed arrays are shown where they first differ.
std::string difference_line(const Difference& difference, const std::string& place, bool full);

}  // namespace gdvar::app
