#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/value/path.hpp"

namespace gdvar::detail {

/// As inspect::first_misstep, without `near`, which takes as long as all keys there do.
std::optional<inspect::Misstep> first_misstep_alone(const View& root, const Path& path);

/// As `inspect::plan_set` for an existing value. `parent`: its container; lost for the root,
/// ignored for a part. `path`: for messages. `root`: whether it is the whole value. Throws
/// std::bad_alloc.
std::expected<inspect::SetPlan, inspect::SetRefusal> plan_there(inspect::Found old,
                                                                const View& parent,
                                                                std::string_view path, bool root,
                                                                const Variant& value,
                                                                const inspect::SetRules& rules);

}  // namespace gdvar::detail
