// An index over keys that are stored elsewhere: finds the number of a key by its hash. Used for
// Dictionaries, Documents, patches and the engines' models.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace gdvar::detail {

/// A hash table with open addressing, at most half full. A slot holds a key's number and, in the
/// remaining low bits, a tag of its hash, which tells nearly all other keys apart without a
/// comparison. The hash key is secret to the process, so nobody outside can cause collisions. Equal
/// keys share one slot. `same(number)` says whether the key with that number is the one searched
/// for.
struct Index {
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t mask;      ///< number of slots, less 1
    std::uint32_t tag_bits;  ///< number of bits in a slot below the key's number
    std::uint32_t used;      ///< number of slots in use
    /// By number: the number that it replaced, or `none`. Null until a number replaces another.
    std::uint32_t* earlier;

    /// Makes an index for `keys` different keys, with numbers below `numbers` (0: below the number
    /// of slots, less 1). Null when memory runs out.
    static Index* make(std::size_t keys, std::uint32_t numbers = 0) noexcept {
        const std::size_t slots = std::bit_ceil(keys * 2 + 2);
        auto* index = static_cast<Index*>(
            ::operator new(sizeof(Index) + slots * sizeof(std::uint32_t), std::nothrow));
        if (!index)
            return nullptr;
        index->mask = static_cast<std::uint32_t>(slots - 1);
        index->tag_bits =
            static_cast<std::uint32_t>(std::countl_zero(numbers ? numbers : index->mask));
        index->used = 0;
        index->earlier = nullptr;
        std::fill_n(index->slots(), slots, none);
        return index;
    }

    template <class Same>
    std::uint32_t find(std::uint64_t hash, Same&& same) const noexcept {
        const std::uint32_t slot = slots()[place_of(hash, same)];
        return slot == none ? none : slot >> tag_bits;
    }
    /// Adds a number. A number with the same key is replaced and returned; else `none` is returned.
    template <class Same>
    std::uint32_t put(std::uint32_t number, std::uint64_t hash, Same&& same) noexcept {
        std::uint32_t& slot = slots()[place_of(hash, same)];
        const std::uint32_t before = slot == none ? none : slot >> tag_bits;
        used += slot == none;
        slot = number << tag_bits | tag_of(hash);
        return before;
    }
    /// Remembers that `number` replaced `before`. Numbers must be below the number of slots, less
    /// 1. False when memory runs out.
    bool remember(std::uint32_t number, std::uint32_t before) noexcept {
        if (!earlier) {
            earlier = static_cast<std::uint32_t*>(
                ::operator new(mask * sizeof(std::uint32_t), std::nothrow));
            if (!earlier)
                return false;
            std::fill_n(earlier, mask, none);
        }
        earlier[number] = before;
        return true;
    }
    /// Removes a number, which must be in the index; the number that it replaced comes back.
    /// `hash_of(number)` gives the hash of the key with that number; it is called for the slots
    /// that follow.
    template <class HashOf>
    void take_out(std::uint32_t number, std::uint64_t hash, HashOf&& hash_of) noexcept {
        const auto is_it = [=](std::uint32_t other) { return other == number; };
        std::size_t hole = place_of(hash, is_it);
        const std::uint32_t before = earlier ? std::exchange(earlier[number], none) : none;
        if (before != none) {
            slots()[hole] = before << tag_bits | tag_of(hash);
            return;
        }
        --used;
        slots()[hole] = none;
        // A search ends at the first free slot, so entries that were placed beyond this slot move
        // up.
        for (std::size_t at = (hole + 1) & mask; slots()[at] != none; at = (at + 1) & mask) {
            const std::size_t home =
                static_cast<std::size_t>(hash_of(slots()[at] >> tag_bits)) & mask;
            if (((at - home) & mask) < ((at - hole) & mask))
                continue;
            slots()[hole] = std::exchange(slots()[at], none);
            hole = at;
        }
    }
    /// True if a slot is free for another key, and the number is low enough.
    bool takes(std::uint32_t number) const noexcept {
        return std::size_t{used} * 2 <= mask && number < mask;
    }

    /// The same of an index that was made for larger numbers.
    bool takes_below(std::uint32_t number) const noexcept {
        return std::size_t{used} * 2 <= mask && number < none >> tag_bits;
    }

    /// The most slots that a search can look at: the longest run of used slots and the free slot
    /// behind it. For tests.
    std::size_t longest_search() const noexcept {
        std::size_t longest = 0, row = 0;
        for (std::size_t i = 0; i <= 2 * std::size_t{mask}; ++i) {
            row = slots()[i & mask] == none ? 0 : row + 1;
            longest = std::max(longest, row);
        }
        return longest + 1;
    }

private:
    std::uint32_t tag_of(std::uint64_t hash) const noexcept {
        return static_cast<std::uint32_t>(hash >> 32) & ((std::uint32_t{1} << tag_bits) - 1);
    }
    /// The slot of the key, or the free slot where it would be.
    template <class Same>
    std::size_t place_of(std::uint64_t hash, Same& same) const noexcept {
        const std::uint32_t tags = (std::uint32_t{1} << tag_bits) - 1, tag = tag_of(hash);
        std::size_t at = static_cast<std::size_t>(hash) & mask;
        for (;; at = (at + 1) & mask) {
            const std::uint32_t slot = slots()[at];
            if (slot == none || ((slot & tags) == tag && same(slot >> tag_bits)))
                return at;
        }
    }
    std::uint32_t* slots() noexcept { return reinterpret_cast<std::uint32_t*>(this + 1); }
    const std::uint32_t* slots() const noexcept {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }
};

inline void free_index(Index* index) noexcept {
    if (index)
        ::operator delete(index->earlier);
    ::operator delete(index);
}

struct FreeIndex {
    void operator()(Index* index) const noexcept { free_index(index); }
};
using OwnedIndex = std::unique_ptr<Index, FreeIndex>;

}  // namespace gdvar::detail
