#include "index.hpp"

#include <atomic>
#include <bit>

#include "blocks.hpp"
#include "hash.hpp"

namespace gdvar::detail {

/// Open addressing, at most half full: a pair's number above a tag of its key's hash, in the bits
/// that no number needs, by which most other keys are told apart without a look at them. A mask of
/// 0: the keys crowd too much, they are searched one by one.
struct Index {
    std::uint32_t mask;
    std::uint32_t used;
    std::uint32_t tag_bits() const noexcept {
        return static_cast<std::uint32_t>(std::countl_zero(mask));
    }
    std::uint32_t tag_of(std::size_t hash) const noexcept {
        return static_cast<std::uint32_t>(std::uint64_t{hash} >> 32) &
               ((std::uint32_t{1} << tag_bits()) - 1);
    }
    bool may_be(std::uint32_t slot, std::size_t hash) const noexcept {
        return ((slot ^ tag_of(hash)) & ((std::uint32_t{1} << tag_bits()) - 1)) == 0;
    }
    std::uint32_t* slots() noexcept { return reinterpret_cast<std::uint32_t*>(this + 1); }
};

namespace {

constexpr std::uint32_t smallest_indexed = 16;
/// Keys that crowd more than this have one hash: large containers that differ late, or somebody's
/// doing.
constexpr std::uint32_t most_probes = 256;

bool is_text(const Variant& v) noexcept {
    return v.is(Type::string) || v.is(Type::string_name);
}

/// Puts pair `number` in; of equal keys the later one stays.
void put(Index& index, DictionaryBlock& block, std::uint32_t number) noexcept {
    const Variant& key = block.items()[number].key;
    const std::size_t hash = hash_key(key);
    const std::uint32_t tag_bits = index.tag_bits(), made = number << tag_bits | index.tag_of(hash);
    std::size_t at = hash & index.mask;
    std::uint32_t probes = 0;
    for (; index.slots()[at] != no_pair; at = (at + 1) & index.mask) {
        if (++probes > most_probes) {
            index.mask = 0;
            return;
        }
        const std::uint32_t slot = index.slots()[at];
        if (index.may_be(slot, hash) && same_key(block.items()[slot >> tag_bits].key, key)) {
            index.slots()[at] = made;
            return;
        }
    }
    index.slots()[at] = made;
    ++index.used;
}

Index* make_index(DictionaryBlock& block) noexcept {
    const std::size_t slots = std::bit_ceil(std::size_t{block.size} * 2 + 2);
    auto* index = static_cast<Index*>(
        ::operator new(sizeof(Index) + slots * sizeof(std::uint32_t), std::nothrow));
    if (!index) return nullptr;
    index->mask = static_cast<std::uint32_t>(slots - 1);
    index->used = 0;
    std::fill_n(index->slots(), slots, no_pair);
    for (std::uint32_t i = 0; i < block.size && index->mask; ++i) put(*index, block, i);
    return index;
}

/// The index, built by whoever asks first; null when it is not worth it or memory is short.
Index* index_of(DictionaryBlock& block) noexcept {
    if (block.size < smallest_indexed) return nullptr;
    std::atomic_ref<Index*> shared(block.index);
    Index* index = shared.load(std::memory_order_acquire);
    if (index) return index;
    Index* mine = make_index(block);
    if (!mine) return nullptr;
    if (shared.compare_exchange_strong(index, mine, std::memory_order_acq_rel)) return mine;
    ::operator delete(mine);
    return index;
}

template <class Same>
std::uint32_t look(DictionaryBlock& block, std::size_t hash, Index* index, Same&& same) noexcept {
    if (index && index->mask) {
        for (std::size_t at = hash & index->mask;; at = (at + 1) & index->mask) {
            const std::uint32_t slot = index->slots()[at];
            if (slot == no_pair) return no_pair;
            const std::uint32_t number = slot >> index->tag_bits();
            if (index->may_be(slot, hash) && same(block.items()[number].key)) return number;
        }
    }
    for (std::uint32_t i = block.size; i-- > 0;)
        if (same(block.items()[i].key)) return i;
    return no_pair;
}

}  // namespace

std::uint64_t hash_seed() noexcept {
    // Addresses differ from process to process, and a peer does not learn them.
    static const std::uint64_t seed = [] {
        std::uint64_t out = reinterpret_cast<std::uintptr_t>(&seed) ^ 0x9E37'79B9'7F4A'7C15u;
        if (void* there = ::operator new(64, std::nothrow)) {
            out ^= static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(there)) << 20;
            ::operator delete(there);
        }
        out *= 0xBF58'476D'1CE4'E5B9u;
        return out ^ out >> 31;
    }();
    return seed;
}

std::size_t hash_text(std::string_view text) noexcept {
    return static_cast<std::size_t>(hash_bytes(text, hash_seed()));
}

std::uint32_t find_pair(DictionaryBlock& block, const Variant& key) noexcept {
    Index* index = index_of(block);
    return look(block, index ? hash_key(key) : 0, index,
                [&](const Variant& other) { return same_key(other, key); });
}

std::uint32_t find_pair(DictionaryBlock& block, std::string_view key) noexcept {
    Index* index = index_of(block);
    return look(block, index ? hash_text(key) : 0, index,
                [&](const Variant& other) { return is_text(other) && other.text() == key; });
}

void index_added(DictionaryBlock& block) noexcept {
    if (!block.index || !block.index->mask) return;
    // Equal keys take no slot, but have numbers.
    if (std::size_t{block.index->used} * 2 > block.index->mask || block.size > block.index->mask)
        return drop_index(block);
    put(*block.index, block, block.size - 1);
}

void drop_index(DictionaryBlock& block) noexcept { free_index(std::exchange(block.index, nullptr)); }

void free_index(Index* index) noexcept { ::operator delete(index); }

}  // namespace gdvar::detail
