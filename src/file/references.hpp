#pragma once

#include "gdvar/save/recognise.hpp"

namespace gdvar::detail {

/// True if values of such a document may be `SubResource("x")`, `ExtResource("1")` or
/// `Resource("res://x")`, as in Godot's own text.
constexpr bool has_references(InputKind kind) noexcept {
    return kind == InputKind::config || kind == InputKind::resource || kind == InputKind::text;
}

}  // namespace gdvar::detail
