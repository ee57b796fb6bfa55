#pragma once

#include <cstddef>
#include <string_view>

namespace gdvar::app {

/// The columns of a printable text in a terminal: two for a wide character (East Asian, emoji),
/// none for one that combines with the previous character, one for each other. Independent of the
/// locale. A sequence of emoji that a terminal joins into one takes less.
std::size_t columns(std::string_view text) noexcept;

/// The bytes of the longest start of the text that fits in so many columns. It ends between
/// characters, combining ones included.
std::size_t bytes_within(std::string_view text, std::size_t columns) noexcept;

}  // namespace gdvar::app
