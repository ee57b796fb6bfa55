// Conversion of the elements of typed containers that Godot 4 reads from text.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// `unknown`: the engine converts here, but we do not (to and between Color, Quaternion, Basis,
/// transforms, Projection; between Array and packed arrays).
enum class Fit : std::uint8_t { fits, refused, unknown };

/// Makes `value` fit a container's element type as Array.assign does: int, float and bool turn into
/// each other, so do String, StringName and NodePath, and vectors with and without i. Where the
/// engine refuses, it leaves the whole container empty. May throw bad_alloc.
Fit fit_element(Variant& value, const ContainerType& type);

}  // namespace gdvar::detail
