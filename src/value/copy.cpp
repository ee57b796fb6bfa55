#include "blocks.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/reader.hpp"
#include "held.hpp"

namespace gdvar {

using detail::ArrayBlock;
using detail::Block;
using detail::DictionaryBlock;
using detail::ObjectBlock;
using detail::PartMaker;

namespace {

template <class T>
inline constexpr bool is_container =
    std::is_same_v<T, Array> || std::is_same_v<T, Dictionary> || std::is_same_v<T, Object>;

/// An empty block like `from`'s, with room for its items.
ArrayBlock* like(const ArrayBlock& from, PartMaker& maker) noexcept {
    auto* block = detail::make_block<ArrayBlock>(from.size, &maker);
    if (!block)
        return nullptr;
    block->kind = from.kind;
    block->type = from.type;
    if (maker.text(block->name, from.name))
        return block;
    detail::free_tree(block);
    return nullptr;
}
DictionaryBlock* like(const DictionaryBlock& from, PartMaker& maker) noexcept {
    auto* block = detail::make_block<DictionaryBlock>(from.size, &maker);
    if (!block)
        return nullptr;
    for (const int i : {0, 1}) {
        block->kinds[i] = from.kinds[i];
        block->types[i] = from.types[i];
    }
    if (maker.text(block->names[0], from.names[0]) && maker.text(block->names[1], from.names[1]))
        return block;
    detail::free_tree(block);
    return nullptr;
}
ObjectBlock* like(const ObjectBlock& from, PartMaker& maker) noexcept {
    auto* block = detail::make_block<ObjectBlock>(from.size, &maker);
    if (!block)
        return nullptr;
    if (maker.text(block->name, from.name))
        return block;
    detail::free_tree(block);
    return nullptr;
}

struct Copy {
    Block* to;
    const Block* from;
};
using Copies = detail::EntryStack<Copy, 32>;

}  // namespace

/// Copies trees level by level, with the containers that still need filling on a stack.
class TreeCopier {
public:
    bool copy(Variant& to, const Variant& from) noexcept { return value(to, from) && drain(); }
    /// Copies one block; null on failure or for a null block.
    template <class B>
    bool block(B*& to, const B* from) noexcept {
        to = nullptr;
        if (!from)
            return true;
        to = like(*from, maker_);
        return to && waiting_.push({to, from}) && drain();
    }

private:
    bool drain() noexcept {
        while (!waiting_.empty()) {
            const Copy next = waiting_.pop();
            bool done = false;
            switch (next.from->what) {
                case Type::array:
                    done = fill<ArrayBlock>(next);
                    break;
                case Type::dictionary:
                    done = fill<DictionaryBlock>(next);
                    break;
                default:
                    done = fill_object(next);
                    break;
            }
            if (!done)
                return false;
        }
        return true;
    }
    /// Arrays, and Dictionaries as runs of keys and values.
    template <class B>
    bool fill(const Copy& next) noexcept {
        constexpr std::size_t each = sizeof(detail::ItemOf<B>) / sizeof(Variant);
        auto* to = reinterpret_cast<Variant*>(static_cast<B&>(*next.to).items());
        auto& source = const_cast<B&>(static_cast<const B&>(*next.from));
        const auto* from = reinterpret_cast<const Variant*>(source.items());
        const std::size_t n = source.size * each;
        next.to->hints = 0;
        if (source.is_trivial()) {
            next.to->hints = Block::trivial;
            std::memcpy(static_cast<void*>(to), from, n * sizeof(Variant));
            next.to->size = source.size;
            return true;
        }
        trivial_ = true;
        std::size_t i = 0;
        while (i < n && value(*new (to + i) Variant(), from[i]))
            ++i;
        next.to->size = source.size;
        next.to->hints = trivial_ ? Block::trivial : 0;
        if (i == n)
            return true;
        // The failed value exists; its pair is completed.
        if (++i % each)
            new (to + i++) Variant();
        next.to->size = static_cast<std::uint32_t>(i / each);
        return false;
    }
    bool fill_object(const Copy& next) noexcept {
        auto& to = static_cast<ObjectBlock&>(*next.to);
        auto& from = const_cast<ObjectBlock&>(static_cast<const ObjectBlock&>(*next.from));
        for (std::uint32_t i = 0; i < from.size; ++i) {
            auto* item = new (to.items() + i) Object::Property();
            ++to.size;
            const Object::Property& source = from.items()[i];
            if (!maker_.text(item->name, source.name) || !value(item->value, source.value))
                return false;
        }
        return true;
    }
    /// `to` is nil and owns nothing.
    bool value(Variant& to, const Variant& from) noexcept {
        switch (detail::owning_of(from)) {
            case detail::Owning::nothing:
                std::memcpy(static_cast<void*>(&to), &from, sizeof to);
                return true;
            case detail::Owning::text:
                if (VariantAccess::as<String>(from).size() <= 15) {
                    std::memcpy(static_cast<void*>(&to), &from, sizeof to);
                    return true;
                }
                trivial_ = false;
                return VariantAccess::copy_text(to, from, maker_);
            default:
                trivial_ = false;
                return shallow(to, from);
        }
    }
    bool shallow(Variant& to, const Variant& from) noexcept {
        const Block* inner = nullptr;
        Block* made = nullptr;
        if (!VariantAccess::copy_shallow(to, from, maker_, inner, made))
            return false;
        return !made || waiting_.push({made, inner});
    }

    Copies waiting_;
    PartMaker maker_;
    bool trivial_ = true;  ///< no item of the current block owns memory
};

namespace {

template <class T>
bool copy_held(T& to, const T& from) noexcept {
    if constexpr (std::is_trivially_copyable_v<T>) {
        to = from;
        return true;
    } else if constexpr (std::is_same_v<T, String>) {
        return to.try_assign(from);
    } else if constexpr (std::is_same_v<T, StringName>) {
        return to.text.try_assign(from.text);
    } else if constexpr (std::is_same_v<T, NodePath>) {
        return to.try_assign(from.view());
    } else if constexpr (std::is_same_v<T, Signal>) {
        to.object = from.object;
        return to.name.try_assign(from.name);
    } else if constexpr (std::is_same_v<T, PackedStringArray>) {
        return to.try_copy(from);
    } else if constexpr (std::is_same_v<T, Image>) {
        to.format = from.format;
        to.mipmaps = from.mipmaps;
        to.width = from.width;
        to.height = from.height;
        return copy_held(to.data, from.data);
    } else {
        if (from.empty())
            return true;
        if (!to.try_reserve(from.size()))
            return false;
        to.set_size(from.size());
        std::memcpy(static_cast<void*>(to.data()), from.data(),
                    from.size() * sizeof(typename T::value_type));
        return true;
    }
}

}  // namespace

bool Variant::try_copy(const Variant& other) noexcept {
    Variant copy;
    TreeCopier copier;
    const bool done = copier.copy(copy, other);
    if (!done)
        copy = Variant();
    swap(copy);
    return done;
}

bool Variant::copy_shallow(const Variant& from, PartMaker& maker, const Block*& inner,
                           Block*& made) noexcept {
    return detail::with_held_type(from.type_, from.wide_, [&]<class T>() -> bool {
        const T& held = from.as<T>();
        if constexpr (is_container<T>) {
            inner = VariantAccess::block(from);
            if (!inner) {
                if constexpr (std::is_same_v<T, Object>)
                    new (data_) Object(held.kind() == ObjectKind::id ? Object::from_id(held.id())
                                                                     : Object());
                else
                    new (data_) T();
            } else if constexpr (std::is_same_v<T, Array>) {
                auto* block = like(static_cast<const ArrayBlock&>(*inner), maker);
                if (!block)
                    return false;
                (new (data_) Array())->block_ = block;
                made = block;
            } else if constexpr (std::is_same_v<T, Dictionary>) {
                auto* block = like(static_cast<const DictionaryBlock&>(*inner), maker);
                if (!block)
                    return false;
                (new (data_) Dictionary())->block_ = block;
                made = block;
            } else {
                auto* block = like(static_cast<const ObjectBlock&>(*inner), maker);
                if (!block)
                    return false;
                auto* object = new (data_) Object();
                object->id_ = reinterpret_cast<std::uintptr_t>(block);
                object->kind_ = ObjectKind::full;
                made = block;
            }
        } else if constexpr (detail::fits_in_place<T>) {
            T* to = new (data_) T();
            if (!copy_held(*to, held))
                return false;
        } else {
            std::uint16_t place = 0;
            T* box = static_cast<T*>(maker.take(sizeof(T), place));
            if (!box)
                return false;
            new (box) T();
            if (!copy_held(*box, held)) {
                box->~T();
                detail::free_part(box, place);
                return false;
            }
            std::memcpy(data_, &box, sizeof box);
            place_ = place;
        }
        type_ = from.type_;
        wide_ = from.wide_;
        return true;
    });
}

bool VariantAccess::copy_shallow(Variant& to, const Variant& from, PartMaker& maker,
                                 const Block*& inner, Block*& made) noexcept {
    return to.copy_shallow(from, maker, inner, made);
}

bool VariantAccess::copy_text(Variant& to, const Variant& from, PartMaker& maker) noexcept {
    if (!maker.text(as<String>(to), as<String>(from)))
        return false;
    to.type_ = from.type_;
    return true;
}

Array::Array(const Array& other) {
    if (TreeCopier copier; !copier.block(block_, other.block_)) {
        detail::free_tree(std::exchange(block_, nullptr));
        detail::throw_no_memory();
    }
}
Dictionary::Dictionary(const Dictionary& other) {
    if (TreeCopier copier; !copier.block(block_, other.block_)) {
        detail::free_tree(std::exchange(block_, nullptr));
        detail::throw_no_memory();
    }
}
Object::Object(const Object& other) : id_(other.id_), kind_(other.kind_) {
    if (kind_ != ObjectKind::full)
        return;
    ObjectBlock* copy = nullptr;
    if (TreeCopier copier; !copier.block(copy, other.block())) {
        detail::free_tree(copy);
        kind_ = ObjectKind::null;
        detail::throw_no_memory();
    }
    id_ = reinterpret_cast<std::uintptr_t>(copy);
}

}  // namespace gdvar
