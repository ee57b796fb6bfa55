#pragma once

#include "base/index.hpp"
#include "gdvar/value/detail/slab.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

template <class B>
using ItemOf = std::remove_pointer_t<decltype(std::declval<B&>().items())>;

template <class B>
inline constexpr Type what_of = std::is_same_v<B, ArrayBlock>        ? Type::array
                                : std::is_same_v<B, DictionaryBlock> ? Type::dictionary
                                                                     : Type::object;

/// An empty block with room for `capacity` items, in the maker's memory if one is given; null when
/// memory runs out.
template <class B>
B* make_block(std::uint32_t capacity, PartMaker* maker = nullptr) noexcept {
    constexpr std::size_t item = sizeof(ItemOf<B>);
    if (capacity > (SIZE_MAX - sizeof(B)) / item)
        return nullptr;
    const std::size_t bytes = sizeof(B) + capacity * item;
    std::uint16_t place = 0;
    void* room = maker ? maker->take(bytes, place) : ::operator new(bytes, std::nothrow);
    if (!room)
        return nullptr;
    B* block = new (room) B();
    block->link = nullptr;
    block->size = 0;
    block->capacity = capacity;
    block->what = what_of<B>;
    block->at_value = false;
    block->place = place;
    block->hints = maker ? Block::trivial : 0;
    return block;
}

/// A block of the maker's, for `count` items that the caller places without counting. May throw
/// bad_alloc.
template <class B>
B* make_filled_block(std::size_t count, PartMaker& maker) {
    B* const block =
        count > UINT32_MAX ? nullptr : make_block<B>(static_cast<std::uint32_t>(count), &maker);
    if (!block)
        throw_no_memory();
    block->size = static_cast<std::uint32_t>(count);
    block->hints = 0;
    return block;
}

/// Moves the items to a block of that capacity. Items hold no pointers into themselves, so their
/// bytes can move. False, with nothing changed, when memory runs out.
template <class B>
bool regrow(B*& block, std::size_t capacity) noexcept {
    if (capacity > UINT32_MAX)
        return false;
    B* bigger = make_block<B>(static_cast<std::uint32_t>(capacity));
    if (!bigger)
        return false;
    if (block) {
        const std::uint32_t size = block->size;
        std::memcpy(static_cast<void*>(bigger->items()), static_cast<const void*>(block->items()),
                    size * sizeof(ItemOf<B>));
        block->size = 0;
        const std::uint16_t place = block->place;
        *bigger = std::move(*block);
        bigger->place = 0;
        bigger->size = size;
        bigger->capacity = static_cast<std::uint32_t>(capacity);
        block->~B();
        free_part(block, place);
    }
    block = bigger;
    return true;
}

template <class B>
bool reserve_block(B*& block, std::size_t n) noexcept {
    return (block ? n <= block->capacity : n == 0) || regrow(block, n);
}

template <class B>
void make_room(B*& block) {
    if (block && block->size < block->capacity)
        return;
    const std::size_t size = block ? block->size : 0;
    if (!regrow(block, size + size / 2 + 4))
        throw_no_memory();
}

/// Frees a block and everything below it, without recursion and without memory of its own: waiting
/// blocks are chained through their links.
void free_tree(Block* block) noexcept;

}  // namespace gdvar::detail
