// Finds a pair in a Dictionary: by a linear search, and from 16 pairs on through an index.
#pragma once

#include <string_view>

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

inline constexpr std::uint32_t no_pair = UINT32_MAX;

/// The number of the last pair with that key, or `no_pair`. May build the index, also for a const
/// Dictionary. Several threads may search at once. Without memory for an index the search is
/// linear.
std::uint32_t find_pair(DictionaryBlock& block, const Variant& key);
std::uint32_t find_pair(DictionaryBlock& block, std::string_view key) noexcept;
/// Adds the pair that was just appended to the index.
void index_added(DictionaryBlock& block);
/// Changes the key of a pair, which must be the last one with its key. No other pair may have the
/// key `to`.
void rename_pair(DictionaryBlock& block, std::uint32_t number, Variant to);
void drop_index(DictionaryBlock& block) noexcept;

}  // namespace gdvar::detail
