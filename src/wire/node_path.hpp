#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar::detail {

/// Appends the path's text: "/root/A:b:c".
GDVAR_EXPORT void append_node_path(std::string& out, const NodePathView& path);
/// True if that text reads back as the same path.
GDVAR_EXPORT bool is_text_exact(const NodePathView& path) noexcept;

}  // namespace gdvar::detail
