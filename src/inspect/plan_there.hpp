// Planning a change of a value that was found.
// Room: inspect, private.
#pragma once

#include <expected>
#include <string_view>

#include "gdvar/inspect/edit_plan.hpp"

namespace gdvar::detail {

/// As `inspect::plan_set` for a value that is there. `parent`: the container in which it stands;
/// lost if it is the root. It does not count for a part. `path`: for messages. `root`: whether it
/// is the whole value. Throws std::bad_alloc.
std::expected<inspect::SetPlan, inspect::SetRefusal> plan_there(inspect::Found old,
                                                                const View& parent,
                                                                std::string_view path, bool root,
                                                                const Variant& value,
                                                                const inspect::SetRules& rules);

}  // namespace gdvar::detail
