// Which repeated keys of a packet an edit has made.
// Room: inspect, private.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/wire/packed.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar::detail {

/// The pairs of one Dictionary that have one key. All but `at` are hashes, under the process's key.
struct KeyGroup {
    std::uint64_t path;    ///< of the Dictionary: the keys and indices that lead to it
    std::uint64_t key;     ///< the key
    std::uint64_t places;  ///< which pairs of the Dictionary these are
    std::uint64_t keys;    ///< all keys of the Dictionary, in their order
    std::uint64_t at;      ///< offset of the first of the keys
    std::uint32_t count;   ///< pairs that a later one replaces
};

/// The groups of the keys that `replaced_keys` gave for the packet, in the order of the bytes.
/// Time: n log n. Errors: those of Document::parse. May throw bad_alloc.
[[nodiscard]] std::expected<std::vector<KeyGroup>, Error> key_groups(
    ByteView packet, const PackedArray<RepeatedKey>& keys, const DecodeOptions& options);

/// The first group that was not there before. A group was there if a Dictionary at the same path
/// had that key as often, or a repeated key in the same pairs (it got another name), or if a
/// Dictionary with all the same keys was elsewhere. Each group of before serves one.
[[nodiscard]] std::optional<KeyGroup> first_new_group(const std::vector<KeyGroup>& before,
                                                      const std::vector<KeyGroup>& after);

}  // namespace gdvar::detail
