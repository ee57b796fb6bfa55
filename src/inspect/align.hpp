// Which elements of two rows stay, and in which order: an alignment in n log n.
// Room: inspect, private.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace gdvar::detail {

/// Pairs of places with equal numbers, rising in both rows.
using Kept = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A row of numbers, one for each element.
struct Row {
    std::uint32_t count;
    std::function<std::uint64_t(std::uint32_t)> at;
};

/// What is the same at both ends stays. Between them, where a table of the two parts pays (up to a million steps, and
/// 512 for each element), as much as can: a longest common subsequence. Where it does not, the first of equal elements
/// goes with the first, the second with the second, and the longest rising row of such pairs stays; what stands between
/// those is treated in the same way, once. Time: n log n; memory: 20 bytes for each element, 4 MB for the table.
Kept align(const Row& from, const Row& to);

}  // namespace gdvar::detail
