// Tells whether texts differ, by one number for each.
#pragma once

#include <algorithm>
#include <vector>

#include "base/sort.hpp"
#include "base/special_bytes.hpp"

namespace gdvar::detail {

/// A weak hash: equal texts have equal marks, different texts nearly always others, unless chosen
/// by an attacker.
inline std::uint64_t text_mark(std::string_view text) noexcept {
    const std::size_t n = text.size();
    const std::uint64_t first = load_some(text.data(), n);
    const std::uint64_t last = n > 8 ? load_some(text.data() + n - 8, 8) : 0;
    return first + last * 0x9E37'79B9'7F4A'7C15u + n;
}

/// True if no two marks are equal. May sort them.
inline bool all_differ(std::vector<std::uint64_t>& marks) {
    constexpr std::size_t few = 16;
    if (marks.size() > few) {
        sort(marks);
        return std::ranges::adjacent_find(marks) == marks.end();
    }
    std::uint64_t seen = 0;  // one bit for each; most texts have a bit of their own
    for (auto at = marks.begin(); at != marks.end(); ++at) {
        const std::uint64_t bit = std::uint64_t{1} << (*at * 0x9E37'79B9'7F4A'7C15u >> 58);
        if ((seen & bit) && std::find(marks.begin(), at, *at) != at)
            return false;
        seen |= bit;
    }
    return true;
}

}  // namespace gdvar::detail
