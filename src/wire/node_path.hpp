// The text of a NodePath that was read.
// Room: wire, private.
#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar::detail {

/// Appends the path's text: "/root/A:b:c".
GDVAR_EXPORT void append_node_path(std::string& out, const NodePathView& path);
/// Whether reading that text gives the same path back.
GDVAR_EXPORT bool is_text_exact(const NodePathView& path) noexcept;

}  // namespace gdvar::detail
