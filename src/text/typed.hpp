// What Godot 4 does with the elements of typed containers that it reads from text.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// Makes `value` fit a container's element type as Array.assign does: int, float and bool turn into
/// each other, so do String, StringName and NodePath, and vectors with and without i. False when
/// the engine would refuse, and then leave the whole container empty. May throw bad_alloc.
bool fit_element(Variant& value, const ContainerType& type);

}  // namespace gdvar::detail
