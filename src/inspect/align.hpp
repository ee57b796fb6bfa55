// Aligns two rows in n log n: which elements stay, in which order.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace gdvar::detail {

/// Marks an element without a partner.
inline constexpr std::uint32_t no_partner = UINT32_MAX;

/// Pairs of places with equal numbers, rising in both rows.
using Kept = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Row {
    std::uint32_t count;
    std::function<std::uint64_t(std::uint32_t)> at;
};

/// Equal elements at both ends stay. Between them, a table finds a longest common subsequence if it
/// is small enough (up to a million steps, and 512 for each element). Otherwise the n-th of equal
/// elements is paired with the n-th, and the longest rising sequence of such pairs stays; the parts
/// between these pairs are treated once in the same way. Time: n log n. Memory: 20 bytes for each
/// element, 4 MB for the table.
Kept align(const Row& from, const Row& to);

}  // namespace gdvar::detail
