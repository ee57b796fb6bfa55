// The indexes of a Document: where the children of its large containers are.
// Room: value, private.
#pragma once

#include <string_view>

#include "gdvar/value/document.hpp"

namespace gdvar::detail {

/// Of one container. An Array's: the node of each element. A Dictionary's: the nodes of text keys
/// by hash, open addressing, the last of equal ones.
struct ContainerIndex {
    std::uint32_t mask;      ///< of a Dictionary's slots
    std::uint32_t tag_bits;  ///< of a Dictionary's: the bits that no node's number needs
    std::uint64_t seed;
    /// An Array's: nodes. A Dictionary's: a key's node above a tag of its hash, by which most other
    /// keys are told apart without a look at them; 0: free.
    std::uint32_t* slots() noexcept { return reinterpret_cast<std::uint32_t*>(this + 1); }
    const std::uint32_t* slots() const noexcept {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }
    std::uint32_t tag_of(std::uint64_t hash) const noexcept {
        return static_cast<std::uint32_t>(hash >> 32) & ((std::uint32_t{1} << tag_bits) - 1);
    }
    /// The node of that key's value, or 0.
    std::uint32_t value_of(const Arena& arena, std::string_view key) const noexcept;
};

/// The container's index, if it has one or is worth one by now; else null.
const ContainerIndex* index_of(const Arena& arena, std::uint32_t node) noexcept;
void free_indexes(Arena& arena) noexcept;

}  // namespace gdvar::detail
