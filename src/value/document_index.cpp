#include "value/document_index.hpp"

#include <atomic>
#include <bit>

#include "value/hash.hpp"

namespace gdvar::detail {

/// All of a Document's, in the order in which they were made.
struct DocumentIndexes {
    static constexpr std::uint32_t most = 4096;
    std::atomic<std::uint32_t> used{0};
    std::atomic<ContainerIndex*> places[most]{};
};

namespace {

constexpr std::uint32_t smallest = 64;
/// Node::place: below, how often the container was searched; `none`: it gets no index; from `first`
/// on, the index's place.
constexpr std::uint16_t pays = 4, none = 5, first = 6;
/// Keys that crowd more than this are somebody's doing: they are searched one by one.
constexpr std::uint32_t most_probes = 128;

bool is_text(const Node& node) noexcept {
    return node.type == Type::string || node.type == Type::string_name;
}
std::string_view text_of(const Arena& arena, const Node& node) noexcept {
    return as_text(arena.bytes + node.offset + 8, node.span.count);
}
std::uint32_t next(const Arena& arena, std::uint32_t i) noexcept {
    const Node& node = arena.nodes()[i];
    const bool skips = node.type == Type::array || node.type == Type::dictionary ||
                       node.type == Type::packed_typed_array ||
                       (node.type == Type::object && node.flags & Node::full) ||
                       node.flags & Node::copied;
    return skips ? node.span.end : i + 1;
}

ContainerIndex* allocate(std::size_t slots) noexcept {
    return static_cast<ContainerIndex*>(
        ::operator new(sizeof(ContainerIndex) + slots * sizeof(std::uint32_t), std::nothrow));
}

ContainerIndex* array_index(const Arena& arena, std::uint32_t node) noexcept {
    const std::uint32_t count = arena.nodes()[node].span.count;
    ContainerIndex* index = allocate(count);
    if (!index)
        return nullptr;
    for (std::uint32_t i = 0, child = node + 1; i < count; ++i, child = next(arena, child))
        index->slots()[i] = child;
    return index;
}

/// The slot of that key, or the free one where it would be; null where too many keys crowd.
const std::uint32_t* find_slot(const ContainerIndex& index, const Arena& arena,
                               std::string_view key, std::uint64_t hash) noexcept {
    const std::uint32_t tag = index.tag_of(hash);
    std::size_t at = hash & index.mask;
    for (std::uint32_t probes = 0; probes < most_probes; at = (at + 1) & index.mask, ++probes) {
        const std::uint32_t& slot = index.slots()[at];
        if (!slot || (index.tag_of(std::uint64_t{slot} << 32) == tag &&
                      text_of(arena, arena.nodes()[slot >> index.tag_bits]) == key))
            return &slot;
    }
    return nullptr;
}

bool put(ContainerIndex& index, const Arena& arena, std::uint32_t key) noexcept {
    const std::string_view text = text_of(arena, arena.nodes()[key]);
    const std::uint64_t hash = hash_bytes(text, index.seed);
    const std::uint32_t* slot = find_slot(index, arena, text, hash);
    if (slot)
        const_cast<std::uint32_t&>(*slot) = key << index.tag_bits | index.tag_of(hash);
    return slot;
}

ContainerIndex* dictionary_index(const Arena& arena, std::uint32_t node) noexcept {
    const std::uint32_t count = arena.nodes()[node].span.count;
    std::uint32_t texts = 0;
    for (std::uint32_t i = 0, key = node + 1; i < count; ++i, key = next(arena, next(arena, key)))
        texts += is_text(arena.nodes()[key]);
    const std::size_t slots = std::bit_ceil(std::size_t{texts} * 2 + 2);
    ContainerIndex* index = allocate(slots);
    if (!index)
        return nullptr;
    index->mask = static_cast<std::uint32_t>(slots - 1);
    index->tag_bits = static_cast<std::uint32_t>(std::countl_zero(arena.count));
    // Goes by an address: not to be foreseen by who writes the keys.
    index->seed = reinterpret_cast<std::uintptr_t>(index) * 0x9E37'79B9'7F4A'7C15u;
    std::fill_n(index->slots(), slots, 0u);
    for (std::uint32_t i = 0, key = node + 1; i < count; ++i, key = next(arena, next(arena, key))) {
        if (is_text(arena.nodes()[key]) && !put(*index, arena, key)) {
            ::operator delete(index);
            return nullptr;
        }
    }
    return index;
}

DocumentIndexes* indexes_of(const Arena& arena) noexcept {
    std::atomic_ref<DocumentIndexes*> shared(const_cast<Arena&>(arena).indexes);
    DocumentIndexes* all = shared.load(std::memory_order_acquire);
    if (all)
        return all;
    auto* mine = new (std::nothrow) DocumentIndexes;
    if (!mine || shared.compare_exchange_strong(all, mine, std::memory_order_acq_rel))
        return mine;
    delete mine;
    return all;
}

/// Makes the index and gives it a place, unless another thread was first.
const ContainerIndex* make(const Arena& arena, std::uint32_t node,
                           std::atomic_ref<std::uint16_t> place) noexcept {
    std::uint16_t expected = pays;
    // One thread makes it; until then the others search one by one.
    if (!place.compare_exchange_strong(expected, none, std::memory_order_acq_rel))
        return nullptr;
    DocumentIndexes* all = indexes_of(arena);
    if (!all)
        return nullptr;
    const std::uint32_t at = all->used.fetch_add(1, std::memory_order_relaxed);
    if (at >= DocumentIndexes::most) {
        all->used.store(DocumentIndexes::most, std::memory_order_relaxed);
        return nullptr;
    }
    ContainerIndex* made = arena.nodes()[node].type == Type::dictionary
                               ? dictionary_index(arena, node)
                               : array_index(arena, node);
    all->places[at].store(made, std::memory_order_release);
    if (made)
        place.store(static_cast<std::uint16_t>(first + at), std::memory_order_release);
    return made;
}

}  // namespace

std::uint32_t ContainerIndex::value_of(const Arena& arena, std::string_view key) const noexcept {
    const std::uint32_t* slot = find_slot(*this, arena, key, hash_bytes(key, seed));
    return slot && *slot ? (*slot >> tag_bits) + 1 : 0;  // a text is one node
}

const ContainerIndex* index_of(const Arena& arena, std::uint32_t node) noexcept {
    auto& container = const_cast<Node&>(arena.nodes()[node]);
    if (container.span.count < smallest)
        return nullptr;
    std::atomic_ref<std::uint16_t> place(container.place);
    const std::uint16_t now = place.load(std::memory_order_acquire);
    if (now >= first) {
        std::atomic_ref<DocumentIndexes*> shared(const_cast<Arena&>(arena).indexes);
        return shared.load(std::memory_order_acquire)
            ->places[now - first]
            .load(std::memory_order_acquire);
    }
    if (now == none)
        return nullptr;
    if (now == pays)
        return make(arena, node, place);
    std::uint16_t expected = now;
    place.compare_exchange_strong(expected, static_cast<std::uint16_t>(now + 1),
                                  std::memory_order_relaxed);
    return nullptr;
}

void free_indexes(Arena& arena) noexcept {
    DocumentIndexes* all = std::exchange(arena.indexes, nullptr);
    if (!all)
        return;
    for (auto& place : all->places)
        if (ContainerIndex* index = place.load(std::memory_order_relaxed))
            ::operator delete(index);
    delete all;
}

}  // namespace gdvar::detail
