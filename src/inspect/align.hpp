// Alignment of two rows in n log n: which elements stay, and in which order.
// Room: inspect, private.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace gdvar::detail {

/// Stands for the partner of an element that has none.
inline constexpr std::uint32_t no_partner = UINT32_MAX;

/// Pairs of places with equal numbers, rising in both rows.
using Kept = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A row of numbers, one for each element.
struct Row {
    std::uint32_t count;
    std::function<std::uint64_t(std::uint32_t)> at;
};

/// Equal elements at both ends stay. Between them, a longest common subsequence is found with a
/// table if the table is small enough (up to a million steps, and 512 for each element). Otherwise
/// the first of equal elements is paired with the first, the second with the second, and the
/// longest rising sequence of such pairs stays; the parts between these pairs are treated once in
/// the same way. Time: n log n. Memory: 20 bytes for each element, 4 MB for the table.
Kept align(const Row& from, const Row& to);

}  // namespace gdvar::detail
