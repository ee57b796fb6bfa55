// Converts elements of typed containers as Godot 4's text reader does.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// `unknown`: the engine converts, but we do not (to and between Color, Quaternion, Basis,
/// transforms, Projection; between Array and packed arrays).
enum class Fit : std::uint8_t { fits, refused, unknown };

/// Converts `value` to a container's element type as Array.assign does: among int, float and bool;
/// among String, StringName and NodePath; vectors with and without i. If the engine refuses, it
/// empties the whole container. May throw bad_alloc.
GDVAR_EXPORT Fit fit_element(Variant& value, const ContainerType& type);

}  // namespace gdvar::detail
