// The full hash of a key in 64 bits; a std::size_t may hold only half of it.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// The hash of `hash_key`, with 64 bits on every platform. Containers that are keys inside `key`
/// store their hashes, so nested keys are hashed only once, whichever of their Dictionaries is
/// searched first.
std::uint64_t key_hash(const Variant& key);
/// The same for a key in a Dictionary: its own hash is stored, too.
std::uint64_t kept_key_hash(const Variant& key);

}  // namespace gdvar::detail
