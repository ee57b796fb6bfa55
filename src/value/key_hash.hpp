// The whole hash of a key, where a std::size_t may have half of it.
// Room: value, private.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// What `hash_key` returns, in 64 bits everywhere. The hashes of containers that are keys in `key`
/// are kept with them, so that keys in keys are looked at once, whichever of their Dictionaries is
/// searched first.
std::uint64_t key_hash(const Variant& key);
/// The same of a key that is in a Dictionary: it is kept, too.
std::uint64_t kept_key_hash(const Variant& key);

}  // namespace gdvar::detail
