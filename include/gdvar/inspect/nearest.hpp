// Did you mean ...? The name that comes nearest to a misspelt one.
// Room: inspect.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// The least number of insertions, deletions, replacements and swaps of neighbours that turn one
/// text into the other, ignoring case; `most + 1` if it takes more than `most`. Bytes are counted,
/// not characters. Texts over 64 bytes are only compared for equality. Cost: the product of the
/// lengths.
std::size_t edit_distance(std::string_view one, std::string_view other, std::size_t most) noexcept;

/// The name nearest to `wanted`; the first of equals. At most a third of its letters differ, or one
/// of the two begins with the other. Nothing if none is near.
std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> names) noexcept;

}  // namespace inspect
}  // namespace gdvar
