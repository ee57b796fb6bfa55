// The whole hash of a key, where a std::size_t may have half of it.
// Room: value, private.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// What `hash_key` returns, in 64 bits everywhere.
std::uint64_t key_hash(const Variant& key);

}  // namespace gdvar::detail
