#pragma once

#include <expected>
#include <string_view>

#include "gdvar/inspect/edit_plan.hpp"

namespace gdvar::detail {

/// As `inspect::plan_set` for an existing value. `parent`: its container; lost for the root,
/// ignored for a part. `path`: for messages. `root`: whether it is the whole value. Throws
/// std::bad_alloc.
std::expected<inspect::SetPlan, inspect::SetRefusal> plan_there(inspect::Found old,
                                                                const View& parent,
                                                                std::string_view path, bool root,
                                                                const Variant& value,
                                                                const inspect::SetRules& rules);

}  // namespace gdvar::detail
