#include "gdvar/value/variant.hpp"

#include "blocks.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/walk.hpp"
#include "held.hpp"

namespace gdvar {

using detail::ArrayBlock;
using detail::Block;
using detail::DictionaryBlock;
using detail::ObjectBlock;

Block* VariantAccess::block(const Variant& v) noexcept {
    switch (v.type_) {
        case Type::array:
        case Type::packed_typed_array:
            return v.as<Array>().block_;
        case Type::dictionary:
            return v.as<Dictionary>().block_;
        case Type::object: {
            const Object& object = v.as<Object>();
            return object.kind() == ObjectKind::full ? object.block() : nullptr;
        }
        default:
            return nullptr;
    }
}

// ---- freeing ------------------------------------------------------------------------------------

namespace detail {
namespace {

/// Frees what lies below values whose own memory is about to be freed. Containers' blocks join the
/// chain.
void free_values(Variant* from, const Variant* to, Block*& waiting, PartFreer& freer) noexcept {
    for (; from != to; ++from) {
        switch (owning_of(*from)) {
            case Owning::nothing:
                break;
            case Owning::text:
                freer.text(VariantAccess::as<String>(*from));
                break;
            case Owning::container:
                if (Block* block = VariantAccess::block(*from))
                    block->link = std::exchange(waiting, block);
                break;
            case Owning::box:
                freer.free(VariantAccess::box(*from), VariantAccess::place(*from));
                break;
            case Owning::more:
                from->~Variant();
                break;
        }
    }
}

void free_items(ArrayBlock& block, Block*& waiting, PartFreer& freer) noexcept {
    if (!(block.hints & Block::trivial))
        free_values(block.items(), block.items() + block.size, waiting, freer);
    freer.text(block.name);
}
void free_items(DictionaryBlock& block, Block*& waiting, PartFreer& freer) noexcept {
    auto* const first = block.run();
    if (!(block.hints & Block::trivial))
        free_values(first, first + std::size_t{block.size} * 2, waiting, freer);
    freer.text(block.names[0]);
    freer.text(block.names[1]);
    if (block.index)
        free_index(block.index);
}
void free_items(ObjectBlock& block, Block*& waiting, PartFreer& freer) noexcept {
    for (std::uint32_t i = 0; i < block.size; ++i) {
        Object::Property& property = block.items()[i];
        free_values(&property.value, &property.value + 1, waiting, freer);
        freer.text(property.name);
    }
    freer.text(block.name);
}

}  // namespace

void free_tree(Block* block) noexcept {
    if (!block)
        return;
    block->link = nullptr;
    Block* waiting = block;
    PartFreer freer;
    while (waiting) {
        Block* next = std::exchange(waiting, waiting->link);
        switch (next->what) {
            case Type::array:
                free_items(static_cast<ArrayBlock&>(*next), waiting, freer);
                break;
            case Type::dictionary:
                free_items(static_cast<DictionaryBlock&>(*next), waiting, freer);
                break;
            default:
                free_items(static_cast<ObjectBlock&>(*next), waiting, freer);
                break;
        }
        freer.free(next, next->place);
    }
}

}  // namespace detail

Array::~Array() {
    detail::free_tree(block_);
}
Dictionary::~Dictionary() {
    detail::free_tree(block_);
}
Object::~Object() {
    if (kind_ == ObjectKind::full)
        detail::free_tree(block());
}

void Variant::destroy() noexcept {
    detail::with_held_type(type_, wide_, [&]<class T>() {
        T& held = as<T>();
        held.~T();
        if constexpr (!detail::fits_in_place<T>)
            detail::free_part(&held, place_);
    });
    type_ = Type::nil;
}

// ---- looking ------------------------------------------------------------------------------------

MathView Variant::math() const& noexcept {
    assert(is_math(type_));
    const auto* data = detail::with_held_type(type_, wide_, [&]<class T>() -> const std::byte* {
        if constexpr (MathType<T>)
            return reinterpret_cast<const std::byte*>(&as<T>());
        else
            return nullptr;
    });
    return {type_, wide_, true, data};
}

PackedView Variant::packed() const& noexcept {
    assert(is_packed(type_));
    return detail::with_held_type(type_, wide_, [&]<class T>() -> PackedView {
        if constexpr (detail::is_packed_array<T>) {
            const T& held = as<T>();
            return {type_, wide_, true, static_cast<std::uint32_t>(held.size()),
                    reinterpret_cast<const std::byte*>(held.data())};
        } else {
            return {};
        }
    });
}

std::size_t Variant::size() const noexcept {
    return detail::with_held_type(type_, wide_, [&]<class T>() -> std::size_t {
        if constexpr (std::is_same_v<T, StringName>)
            return as<T>().text.size();
        else if constexpr (requires(const T& held) { held.size(); } && !MathType<T>)
            return as<T>().size();
        else
            return 0;
    });
}

template <>
std::expected<Variant, Error> detail::variant_of<Variant>(const View& view) {
    Variant out;
    VariantBuilder builder(out);
    if (auto done = view.drive(builder); !done)
        return std::unexpected(done.error());
    return out;
}

}  // namespace gdvar
