// Paths of nodes in a scene that was changed: parents, connections, editable instances.
#pragma once

#include <expected>

#include "file/sections/resource.hpp"
#include "gdvar/inspect/rewrite.hpp"

namespace gdvar::detail {

/// Makes the paths of a changed scene follow the nodes that moved. Then refuses what the change has
/// made of the scene if engines do not make that scene of it: a path into a node that is gone, a
/// parent that is not above its node, two nodes of one path, a name that no node keeps, a
/// connection whose end is not there, an instance that is no resource. Faults of the old scene
/// stay. Both have the parts of a scene with the right types; `after` has the keys of `before`.
///
/// Errors: bad_reference, wrong_type, with the path. May throw bad_alloc. Rules:
/// SceneState::instantiate (4.6.3; `instance` in 3.2.3), String::invalid_node_name_characters.
[[nodiscard]] std::expected<void, inspect::RewriteError> complete_scene(
    const Resource<const Dictionary>& before, const Resource<Dictionary>& after);

}  // namespace gdvar::detail
