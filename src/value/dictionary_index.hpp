// Finding a pair in a Dictionary: by looking, and from 16 pairs on through an index.
// Room: value, private.
#pragma once

#include <string_view>

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

inline constexpr std::uint32_t no_pair = UINT32_MAX;

/// The last pair with that key, or `no_pair`. May build the index, also for a const Dictionary;
/// several threads may look at once. Without memory for an index it looks through the pairs.
std::uint32_t find_pair(DictionaryBlock& block, const Variant& key);
/// The same for a String or StringName key.
std::uint32_t find_pair(DictionaryBlock& block, std::string_view key) noexcept;
/// The last pair is new.
void index_added(DictionaryBlock& block);
/// Gives that pair, the last one of its key, another key, which no other pair has.
void rename_pair(DictionaryBlock& block, std::uint32_t number, Variant to);
void drop_index(DictionaryBlock& block) noexcept;

}  // namespace gdvar::detail
