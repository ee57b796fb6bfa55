// How many columns of a terminal a text takes.
#pragma once

#include <cstddef>
#include <string_view>

namespace gdvar::app {

/// The columns of a text that is printable: two for a wide character (East Asian, emoji), none for
/// one that combines with the character before it, one for each other. It does not depend on the
/// locale. A sequence of emoji that a terminal joins into one takes less than this.
std::size_t columns(std::string_view text) noexcept;

/// The bytes of the longest start of the text that fits in so many columns. It ends where a
/// character and all that combines with it end.
std::size_t bytes_within(std::string_view text, std::size_t columns) noexcept;

}  // namespace gdvar::app
