// Finding a pair in a Dictionary: by looking, and from 16 pairs on through a hash index.
#pragma once

#include <string_view>

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

inline constexpr std::uint32_t no_pair = UINT32_MAX;

/// The last pair with that key, or `no_pair`. May build the index, also for a const Dictionary;
/// several threads may look at once. Without memory for an index it looks through the pairs.
std::uint32_t find_pair(DictionaryBlock& block, const Variant& key) noexcept;
/// The same for a String or StringName key.
std::uint32_t find_pair(DictionaryBlock& block, std::string_view key) noexcept;
/// The last pair is new.
void index_added(DictionaryBlock& block) noexcept;
void drop_index(DictionaryBlock& block) noexcept;

/// Another one in each process, so that nobody can choose keys that crowd an index.
std::uint64_t hash_seed() noexcept;
std::size_t hash_text(std::string_view text) noexcept;

}  // namespace gdvar::detail
