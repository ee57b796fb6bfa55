#include "value/dictionary_index.hpp"

#include <atomic>

#include "gdvar/wire/hash.hpp"
#include "value/index.hpp"
#include "value/key_hash.hpp"

namespace gdvar::detail {
namespace {

constexpr std::uint32_t smallest_indexed = 16;

bool is_text(const Variant& v) noexcept {
    return v.is(Type::string) || v.is(Type::string_name);
}

/// Puts pair `number` in; of equal keys the later one stays.
void put(Index& index, DictionaryBlock& block, std::uint32_t number) {
    const Variant& key = block.items()[number].key;
    index.put(number, key_hash(key),
              [&](std::uint32_t other) { return same_key(block.items()[other].key, key); });
}

Index* make_index(DictionaryBlock& block) {
    Index* index = Index::make(block.size);
    for (std::uint32_t i = 0; index && i < block.size; ++i)
        put(*index, block, i);
    return index;
}

/// The index, built by whoever asks first; null when it is not worth it or memory is short.
Index* index_of(DictionaryBlock& block) {
    if (block.size < smallest_indexed)
        return nullptr;
    std::atomic_ref<Index*> shared(block.index);
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
    // Equal keys take no slot, but have numbers.
    if (!block.index->takes(block.size - 1))
        return drop_index(block);
    put(*block.index, block, block.size - 1);
}

void drop_index(DictionaryBlock& block) noexcept {
    free_index(std::exchange(block.index, nullptr));
}

}  // namespace gdvar::detail
