// Private parts of Variant, for code that walks and builds values. Not for users.
#pragma once

#include <cstdint>
#include <cstring>

#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/slab.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {

struct VariantAccess {
    template <class T>
    static const T& as(const Variant& v) noexcept {
        return v.as<T>();
    }
    template <class T>
    static T& as(Variant& v) noexcept {
        return v.as<T>();
    }
    /// Turns an Array into a PackedTypedArray (Pandemonium) with the same content.
    static void make_packed_typed_array(Variant& array) noexcept {
        array.type_ = Type::packed_typed_array;
    }
    static const unsigned char* data(const Variant& v) noexcept { return v.data_; }
    /// True if the text is in the String itself, with zeros behind it.
    static bool in_place(const String& text) noexcept { return !text.on_heap(); }
    static bool untyped(const Array& array) noexcept {
        return !array.block_ || array.block_->kind == ContainerKind::untyped;
    }
    static bool untyped(const Dictionary& pairs) noexcept {
        return !pairs.block_ || (pairs.block_->kinds[0] == ContainerKind::untyped &&
                                 pairs.block_->kinds[1] == ContainerKind::untyped);
    }
    /// The block behind an Array, a Dictionary or an Object in full; else null.
    static detail::Block* block(const Variant& v) noexcept;
    static bool copy_shallow(Variant& to, const Variant& from, detail::PartMaker& maker,
                             const detail::Block*& inner, detail::Block*& made) noexcept;
    /// For Strings and StringNames.
    static bool copy_text(Variant& to, const Variant& from, detail::PartMaker& maker) noexcept;
    /// Turns nil into a text; false, and nil, when memory runs out.
    static bool make_text(Variant& nil, Type type, std::string_view text,
                          detail::PartMaker& maker) noexcept {
        if (!maker.text(*new (nil.data_) String(), text))
            return false;
        nil.type_ = type;
        return true;
    }
    /// Gives an empty container the block.
    static void set_block(Array& to, detail::ArrayBlock* block) noexcept { to.block_ = block; }
    static void set_block(Dictionary& to, detail::DictionaryBlock* block) noexcept {
        to.block_ = block;
    }
    static void* box(const Variant& v) noexcept {
        void* box;
        std::memcpy(&box, v.data_, sizeof box);
        return box;
    }
    /// A key that can be changed or moved from. The Dictionary must not be searched afterwards.
    static Variant& key(Dictionary::Pair& pair) noexcept { return const_cast<Variant&>(pair.key); }
    /// The place in its slab of a value in a block of its own.
    static std::uint16_t place(const Variant& v) noexcept { return v.place_; }
};

}  // namespace gdvar
