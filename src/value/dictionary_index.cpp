#include "value/dictionary_index.hpp"

#include <atomic>

#include "base/index.hpp"
#include "gdvar/wire/hash.hpp"
#include "value/key_hash.hpp"

namespace gdvar::detail {
namespace {

constexpr std::uint32_t smallest_indexed = 16;

bool is_text(const Variant& v) noexcept {
    return v.is(Type::string) || v.is(Type::string_name);
}

/// Adds a pair to the index. Among equal keys the later stays. False when memory runs out.
bool put(Index& index, DictionaryBlock& block, std::uint32_t number) {
    const Variant& key = block.items()[number].key;
    const std::uint32_t before = index.put(number, kept_key_hash(key), [&](std::uint32_t other) {
        return same_key(block.items()[other].key, key);
    });
    return before == no_pair || index.remember(number, before);
}

Index* make_index(DictionaryBlock& block) {
    Index* index = Index::make(block.size);
    for (std::uint32_t i = 0; index && i < block.size; ++i)
        if (!put(*index, block, i))
            free_index(std::exchange(index, nullptr));
    return index;
}

/// The index, built at the first call. Null if the Dictionary is too small or memory runs out.
Index* index_of(DictionaryBlock& block) {
    if (block.size < smallest_indexed)
        return nullptr;
    const std::atomic_ref<Index*> shared(block.index);
    Index* index = shared.load(std::memory_order_acquire);
    if (index)
        return index;
    Index* mine = make_index(block);
    if (!mine)
        return nullptr;
    if (shared.compare_exchange_strong(index, mine, std::memory_order_acq_rel))
        return mine;
    free_index(mine);
    return index;
}

template <class Hash, class Same>
std::uint32_t look(DictionaryBlock& block, Hash&& hash, Same&& same) {
    const auto has = [&](std::uint32_t number) { return same(block.items()[number].key); };
    if (const Index* index = index_of(block))
        return index->find(hash(), has);
    for (std::uint32_t i = block.size; i-- > 0;)
        if (has(i))
            return i;
    return no_pair;
}

}  // namespace

std::uint32_t find_pair(DictionaryBlock& block, const Variant& key) {
    return look(
        block, [&] { return key_hash(key); },
        [&](const Variant& other) { return same_key(other, key); });
}

std::uint32_t find_pair(DictionaryBlock& block, std::string_view key) noexcept {
    return look(
        block, [&] { return hash_text(key); },
        [&](const Variant& other) { return is_text(other) && other.text() == key; });
}

void index_added(DictionaryBlock& block) {
    if (!block.index)
        return;
    // Pairs with equal keys share a slot but have separate numbers.
    if (!block.index->takes(block.size - 1))
        return drop_index(block);
    if (!put(*block.index, block, block.size - 1))
        drop_index(block);
}

void rename_pair(DictionaryBlock& block, std::uint32_t number, Variant to) {
    Variant& key = block.run()[std::size_t{number} * 2];
    Index* const index = block.index;
    const bool kept = index && !same_key(key, to);
    // Everything that may fail comes first.
    const std::uint64_t from = kept ? kept_key_hash(key) : 0;
    if (kept)
        (void)kept_key_hash(to);
    if (!kept) {
        key = std::move(to);
        return;
    }
    index->take_out(number, from,
                    [&](std::uint32_t other) { return kept_key_hash(block.items()[other].key); });
    key = std::move(to);
    if (!index->takes(number) || !put(*index, block, number))
        drop_index(block);
}

void drop_index(DictionaryBlock& block) noexcept {
    free_index(std::exchange(block.index, nullptr));
}

}  // namespace gdvar::detail
