// What engines need of the nodes and connections of a scene that was changed.
#pragma once

#include <expected>

#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// Refuses what a change has made of a scene if engines do not make that scene of it: a parent that
/// is not above its node, two nodes of one path, a name that no node keeps, a connection whose end
/// is not there, an instance that is no resource. What was so before stays as it is. Both are
/// values of a whole resource whose parts have the right types; `after` has the keys of `before`.
/// Where it comes from: SceneState::instantiate (4.6.3; `instance` in 3.2.3) and
/// String::invalid_node_name_characters.
std::expected<void, inspect::RewriteError> check_scene(const Dictionary& before,
                                                       const Dictionary& after);

}  // namespace gdvar::detail
