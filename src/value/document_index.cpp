#include "value/document_index.hpp"

#include <atomic>
#include <bit>

#include "gdvar/wire/hash.hpp"

namespace gdvar::detail {
namespace {

constexpr std::uint32_t smallest = 64;
/// Values of Node::place: the number of searches in the container, up to `pays`; then these states.
constexpr std::uint16_t pays = 4, none = 5, made = 6;

std::string_view text_of(const Arena& arena, const Node& node) noexcept {
    return as_text(arena.bytes + node.offset + (node.flags & Node::property ? 4 : 8),
                   node.span.count);
}
bool is_text(const Node& node) noexcept {
    return node.type == Type::string || node.type == Type::string_name;
}
bool is_key(const Arena& arena, std::uint32_t i, std::string_view key) noexcept {
    const Node& node = arena.nodes()[i];
    return is_text(node) && text_of(arena, node) == key;
}
bool is_key(const Arena& arena, std::uint32_t i, std::int64_t key) noexcept {
    const Node& node = arena.nodes()[i];
    return node.type == Type::integer && node.integer == key;
}
std::uint64_t hash_of(std::string_view key) noexcept {
    return hash_text(key);
}
std::uint64_t hash_of(std::int64_t key) noexcept {
    return hash_integer(key);
}

struct ContainerIndex {
    ContainerIndex* next;  ///< the next index in the same chain
    std::uint32_t node;
    Index* keys;  ///< nodes of a Dictionary's text and int keys, or of an Object's names
    std::uint32_t* elements;  ///< nodes of an Array's elements
};

}  // namespace

/// All indexes of a Document, in a table of chains. There are at least as many chains as large
/// containers are possible. An unpredictable multiplication chooses the chain, so chains stay
/// short.
struct DocumentIndexes {
    std::uint64_t multiplier;
    int shift;
    std::size_t chains() const noexcept { return std::size_t{1} << (64 - shift); }
    std::atomic<ContainerIndex*>* heads() noexcept {
        return reinterpret_cast<std::atomic<ContainerIndex*>*>(this + 1);
    }
    std::atomic<ContainerIndex*>& chain_of(std::uint32_t node) noexcept {
        return heads()[static_cast<std::size_t>(node * multiplier >> shift)];
    }

    static DocumentIndexes* make(const Arena& arena) noexcept {
        const std::size_t chains = std::bit_ceil(std::size_t{arena.count} / smallest + 2);
        auto* all = static_cast<DocumentIndexes*>(::operator new(
            sizeof(DocumentIndexes) + chains * sizeof(std::atomic<ContainerIndex*>), std::nothrow));
        if (!all)
            return nullptr;
        all->multiplier = hash_integer(arena.count) | 1;
        all->shift = 64 - std::countr_zero(chains);
        for (std::size_t i = 0; i < chains; ++i)
            new (all->heads() + i) std::atomic<ContainerIndex*>(nullptr);
        return all;
    }
    static void free(DocumentIndexes* all) noexcept {
        for (std::size_t i = 0; i < all->chains(); ++i) {
            ContainerIndex* index = all->heads()[i].load(std::memory_order_relaxed);
            while (index)
                free(std::exchange(index, index->next));
        }
        ::operator delete(all);
    }
    static void free(ContainerIndex* index) noexcept {
        free_index(index->keys);
        ::operator delete(index->elements);
        delete index;
    }
    /// Takes the container's index out of its chain; null if it has none.
    ContainerIndex* take(std::uint32_t node) noexcept {
        std::atomic<ContainerIndex*>& head = chain_of(node);
        ContainerIndex* index = head.load(std::memory_order_relaxed);
        ContainerIndex* before = nullptr;
        for (; index && index->node != node; index = index->next)
            before = index;
        if (index && before)
            before->next = index->next;
        else if (index)
            head.store(index->next, std::memory_order_relaxed);
        return index;
    }
};

namespace {

/// Calls `use` with the node of each key or property name.
template <class Use>
void each_key(const Arena& arena, std::uint32_t node, Use&& use) noexcept {
    std::uint32_t key = node + 1;
    for (std::uint32_t i = 0; i < arena.nodes()[node].span.count; ++i) {
        const std::uint32_t value = node_behind(arena, key);
        use(key);
        key = node_behind(arena, value);
    }
}

std::uint32_t* elements_of(const Arena& arena, std::uint32_t node) noexcept {
    const std::uint32_t count = arena.nodes()[node].span.count;
    auto* elements =
        static_cast<std::uint32_t*>(::operator new(count * sizeof(std::uint32_t), std::nothrow));
    for (std::uint32_t i = 0, child = node + 1; elements && i < count; ++i) {
        elements[i] = child;
        child = node_behind(arena, child);
    }
    return elements;
}

/// Calls `use` with a text or int key, as std::string_view or std::int64_t.
template <class Use>
void with_key(const Arena& arena, std::uint32_t i, Use&& use) noexcept {
    const Node& key = arena.nodes()[i];
    if (is_text(key))
        use(text_of(arena, key));
    else if (key.type == Type::integer)
        use(key.integer);
}
void put_key(const Arena& arena, Index& index, std::uint32_t i) noexcept {
    with_key(arena, i, [&](auto key) {
        index.put(i, hash_of(key), [&](std::uint32_t other) { return is_key(arena, other, key); });
    });
}

Index* keys_of(const Arena& arena, std::uint32_t node) noexcept {
    std::size_t count = 0;
    each_key(arena, node, [&](std::uint32_t i) { with_key(arena, i, [&](auto) { ++count; }); });
    Index* index = Index::make(count, arena.count);
    if (index)
        each_key(arena, node, [&](std::uint32_t i) { put_key(arena, *index, i); });
    return index;
}

DocumentIndexes* indexes_of(const Arena& arena) noexcept {
    const std::atomic_ref<DocumentIndexes*> shared(const_cast<Arena&>(arena).indexes);
    DocumentIndexes* all = shared.load(std::memory_order_acquire);
    if (all)
        return all;
    DocumentIndexes* mine = DocumentIndexes::make(arena);
    if (!mine || shared.compare_exchange_strong(all, mine, std::memory_order_acq_rel))
        return mine;
    DocumentIndexes::free(mine);
    return all;
}

/// Makes the index and puts it into its chain. Null if another thread was first or memory runs out.
const ContainerIndex* make(const Arena& arena, std::uint32_t node,
                           std::atomic_ref<std::uint16_t> place) noexcept {
    std::uint16_t expected = pays;
    // One thread makes it; the others search linearly until then.
    if (!place.compare_exchange_strong(expected, none, std::memory_order_acq_rel))
        return nullptr;
    DocumentIndexes* all = indexes_of(arena);
    if (!all)
        return nullptr;
    const Type type = arena.nodes()[node].type;
    const bool keyed = type == Type::dictionary || type == Type::object;
    Index* const keys = keyed ? keys_of(arena, node) : nullptr;
    std::uint32_t* const elements = keyed ? nullptr : elements_of(arena, node);
    if (!keys && !elements)
        return nullptr;
    auto* index = new (std::nothrow) ContainerIndex{nullptr, node, keys, elements};
    if (!index) {
        free_index(keys);
        ::operator delete(elements);
        return nullptr;
    }
    std::atomic<ContainerIndex*>& chain = all->chain_of(node);
    index->next = chain.load(std::memory_order_relaxed);
    while (!chain.compare_exchange_weak(index->next, index, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
    place.store(made, std::memory_order_release);
    return index;
}

/// The container's index, made after enough searches; else null.
const ContainerIndex* index_of(const Arena& arena, std::uint32_t node) noexcept {
    auto& container = const_cast<Node&>(arena.nodes()[node]);
    if (container.span.count < smallest)
        return nullptr;
    const std::atomic_ref<std::uint16_t> place(container.place);
    const std::uint16_t now = place.load(std::memory_order_acquire);
    if (now == made) {
        const std::atomic_ref<DocumentIndexes*> shared(const_cast<Arena&>(arena).indexes);
        const ContainerIndex* index =
            shared.load(std::memory_order_acquire)->chain_of(node).load(std::memory_order_acquire);
        while (index->node != node)
            index = index->next;
        return index;
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

template <class Key>
std::uint32_t find(const Arena& arena, std::uint32_t node, Key key) noexcept {
    if (!has_children(arena.nodes()[node]))
        return Index::none;
    const auto is_it = [&](std::uint32_t i) { return is_key(arena, i, key); };
    if (const ContainerIndex* index = index_of(arena, node))
        return index->keys->find(hash_of(key), is_it);
    std::uint32_t found = Index::none;
    each_key(arena, node, [&](std::uint32_t i) {
        if (is_it(i))
            found = i;
    });
    return found;
}

}  // namespace

std::uint32_t find_key(const Arena& arena, std::uint32_t node, std::string_view key) noexcept {
    return find(arena, node, key);
}
std::uint32_t find_key(const Arena& arena, std::uint32_t node, std::int64_t key) noexcept {
    return find(arena, node, key);
}

std::uint32_t element_at(const Arena& arena, std::uint32_t node, std::uint32_t i) noexcept {
    if (const ContainerIndex* index = index_of(arena, node))
        return index->elements[i];
    std::uint32_t child = node + 1;
    while (i-- > 0)
        child = node_behind(arena, child);
    return child;
}

void free_indexes(Arena& arena) noexcept {
    if (DocumentIndexes* all = std::exchange(arena.indexes, nullptr))
        DocumentIndexes::free(all);
}

void drop_indexes(Arena& arena) noexcept {
    if (!arena.indexes)
        return;
    free_indexes(arena);
    Node* const nodes = arena.nodes();
    // The components of a copied value stand in the place of nodes.
    for (std::uint32_t i = 0; i < arena.count;
         i = nodes[i].flags & Node::copied ? nodes[i].span.end : i + 1)
        nodes[i].place = 0;
}

void add_to_index(Arena& arena, std::uint32_t node, std::uint32_t key) noexcept {
    Node& container = arena.nodes()[node];
    if (!arena.indexes || container.place != made)
        return;
    ContainerIndex* index = arena.indexes->take(node);
    if (index->keys && index->keys->takes_below(key)) {
        put_key(arena, *index->keys, key);
        std::atomic<ContainerIndex*>& chain = arena.indexes->chain_of(node);
        index->next = chain.load(std::memory_order_relaxed);
        chain.store(index, std::memory_order_release);
        return;
    }
    DocumentIndexes::free(index);
    container.place = pays;  // the next search makes it
}

}  // namespace gdvar::detail
