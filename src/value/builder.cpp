#include "gdvar/value/builder.hpp"

#include "blocks.hpp"

namespace gdvar {

using detail::ArrayBlock;
using detail::DictionaryBlock;
using detail::ObjectBlock;

Variant* VariantBuilder::place() noexcept {
    if (!open_) return std::exchange(slot_, nullptr);
    if (open_->what == Type::array) {
        auto& block = static_cast<ArrayBlock&>(*open_);
        if (block.size == block.capacity) return nullptr;
        return new (block.items() + block.size++) Variant();
    }
    if (open_->what == Type::dictionary) {
        auto& block = static_cast<DictionaryBlock&>(*open_);
        if (std::exchange(block.at_value, !block.at_value))
            return &block.items()[block.size - 1].value;
        if (block.size == block.capacity) {
            block.at_value = false;
            return nullptr;
        }
        return &(new (block.items() + block.size++) Dictionary::Pair())->key;
    }
    auto& block = static_cast<ObjectBlock&>(*open_);
    return std::exchange(block.at_value, false) ? &block.items()[block.size - 1].value : nullptr;
}

Errc VariantBuilder::string(std::string_view text) {
    return put([&](Variant& to) {
        String* made = new (to.data_) String();
        if (!made->try_assign(text)) return false;
        to.type_ = Type::string;
        return true;
    });
}

Errc VariantBuilder::string_name(std::string_view text) {
    return put([&](Variant& to) {
        auto* made = new (to.data_) StringName();
        if (!made->text.try_assign(text)) return false;
        to.type_ = Type::string_name;
        return true;
    });
}

template <class T>
T* VariantBuilder::boxed(Variant& to) noexcept {
    T* box = static_cast<T*>(::operator new(sizeof(T), std::nothrow));
    if (!box) return nullptr;
    new (box) T();
    std::memcpy(to.data_, &box, sizeof box);
    to.type_ = detail::VariantTraits<T>::type;
    to.wide_ = detail::VariantTraits<T>::wide;
    return box;
}

Errc VariantBuilder::node_path(const NodePathView& value) {
    return put([&](Variant& to) {
        NodePath* made = boxed<NodePath>(to);
        return made && made->try_assign(value);
    });
}

Errc VariantBuilder::signal(std::string_view name, std::uint64_t object) {
    return put([&](Variant& to) {
        Signal* made = boxed<Signal>(to);
        if (!made || !made->name.try_assign(name)) return false;
        made->object = object;
        return true;
    });
}

Errc VariantBuilder::image(const ImageView& value) {
    return put([&](Variant& to) {
        Image* made = boxed<Image>(to);
        if (!made) return false;
        made->format = value.format;
        made->mipmaps = value.mipmaps;
        made->width = value.width;
        made->height = value.height;
        if (value.data.empty()) return true;
        if (!made->data.try_reserve(value.data.size())) return false;
        std::memcpy(made->data.data(), value.data.data(), value.data.size());
        made->data.set_size(value.data.size());
        return true;
    });
}

template <class T>
bool VariantBuilder::fill_math(Variant& to, const MathView& from) noexcept {
    if constexpr (detail::fits_in_place<T>) {
        new (to.data_) T(from.as<T>());
        to.type_ = MathTraits<T>::type;
        to.wide_ = MathTraits<T>::wide;
        return true;
    } else {
        T* made = boxed<T>(to);
        if (!made) return false;
        *made = from.as<T>();
        return true;
    }
}

Errc VariantBuilder::math(const MathView& v) {
#define GDVAR_MATH(type_, T) \
    case Type::type_: return v.wide ? fill_math<T##d>(to, v) : fill_math<T>(to, v)
#define GDVAR_MATH_I(type_, T) \
    case Type::type_: return fill_math<T>(to, v)
    return put([&](Variant& to) {
        switch (v.type) {
            GDVAR_MATH(vector2, Vector2);
            GDVAR_MATH_I(vector2i, Vector2i);
            GDVAR_MATH(rect2, Rect2);
            GDVAR_MATH_I(rect2i, Rect2i);
            GDVAR_MATH(vector3, Vector3);
            GDVAR_MATH_I(vector3i, Vector3i);
            GDVAR_MATH(transform2d, Transform2D);
            GDVAR_MATH(vector4, Vector4);
            GDVAR_MATH_I(vector4i, Vector4i);
            GDVAR_MATH(plane, Plane);
            GDVAR_MATH(quaternion, Quaternion);
            GDVAR_MATH(aabb, AABB);
            GDVAR_MATH(basis, Basis);
            GDVAR_MATH(transform3d, Transform3D);
            GDVAR_MATH(projection, Projection);
            GDVAR_MATH(color, Color);
            default: return true;
        }
    });
#undef GDVAR_MATH
#undef GDVAR_MATH_I
}

template <class T>
bool VariantBuilder::fill_packed(Variant& to, const PackedView& from) noexcept {
    auto* made = new (to.data_) PackedArray<T>();
    to.type_ = from.type;
    to.wide_ = from.wide;
    if (!from.count) return true;
    if (!made->try_reserve(from.count)) return false;
    std::memcpy(static_cast<void*>(made->data()), from.data, from.size());
    made->set_size(from.count);
    if constexpr (!detail::host_is_little)
        if (!from.host_order) detail::swap_lanes(made->data(), from);
    return true;
}

Errc VariantBuilder::packed(const PackedView& v) {
#define GDVAR_PACKED(type_, T) \
    case Type::type_: return v.wide ? fill_packed<T##d>(to, v) : fill_packed<T>(to, v)
#define GDVAR_PACKED_ONE(type_, T) \
    case Type::type_: return fill_packed<T>(to, v)
    return put([&](Variant& to) {
        switch (v.type) {
            GDVAR_PACKED_ONE(packed_byte_array, std::uint8_t);
            GDVAR_PACKED_ONE(packed_int32_array, std::int32_t);
            GDVAR_PACKED_ONE(packed_int64_array, std::int64_t);
            GDVAR_PACKED_ONE(packed_float32_array, float);
            GDVAR_PACKED_ONE(packed_float64_array, double);
            GDVAR_PACKED(packed_vector2_array, Vector2);
            GDVAR_PACKED(packed_vector3_array, Vector3);
            GDVAR_PACKED(packed_vector4_array, Vector4);
            GDVAR_PACKED(packed_color_array, Color);
            GDVAR_PACKED_ONE(packed_vector2i_array, Vector2i);
            GDVAR_PACKED_ONE(packed_vector3i_array, Vector3i);
            GDVAR_PACKED_ONE(packed_vector4i_array, Vector4i);
            default: return true;
        }
    });
#undef GDVAR_PACKED
#undef GDVAR_PACKED_ONE
}

// ---- containers ---------------------------------------------------------------------------------
// An open container without a block (an empty untyped one owns nothing) can't be on the chain, so
// such containers are given a block while they are open only where they have children: their `end`
// comes at once otherwise, and is counted in `hollow_`.

Errc VariantBuilder::begin_array(Type type, const ContainerType& element, std::uint32_t count) {
    return put([&](Variant& to) {
        Array* made = new (to.data_) Array();
        to.type_ = type;
        if (!count && !element.typed()) {
            hollow_ = true;
            return true;
        }
        auto* block = detail::make_block<ArrayBlock>(count);
        if (!block) return false;
        made->block_ = block;
        block->kind = element.kind;
        block->type = element.type;
        block->link = std::exchange(open_, block);
        return block->name.try_assign(element.name);
    });
}

Errc VariantBuilder::begin_dictionary(const ContainerType& key, const ContainerType& value,
                                      std::uint32_t count) {
    return put([&](Variant& to) {
        auto* made = new (to.data_) Dictionary();
        to.type_ = Type::dictionary;
        if (!count && !key.typed() && !value.typed()) {
            hollow_ = true;
            return true;
        }
        auto* block = detail::make_block<DictionaryBlock>(count);
        if (!block) return false;
        made->block_ = block;
        block->link = std::exchange(open_, block);
        const ContainerType* types[] = {&key, &value};
        for (int i : {0, 1}) {
            block->kinds[i] = types[i]->kind;
            block->types[i] = types[i]->type;
            if (!block->names[i].try_assign(types[i]->name)) return false;
        }
        return true;
    });
}

Errc VariantBuilder::begin_object(std::string_view name, std::uint32_t count) {
    return put([&](Variant& to) {
        auto* made = new (to.data_) Object();
        to.type_ = Type::object;
        auto* block = detail::make_block<ObjectBlock>(count);
        if (!block) return false;
        made->id_ = reinterpret_cast<std::uintptr_t>(block);
        made->kind_ = ObjectKind::full;
        block->link = std::exchange(open_, block);
        return block->name.try_assign(name);
    });
}

Errc VariantBuilder::property(std::string_view name) {
    if (!open_ || open_->what != Type::object || open_->at_value) return Errc::misplaced;
    auto& block = static_cast<ObjectBlock&>(*open_);
    if (block.size == block.capacity) return Errc::too_many_items;
    auto* made = new (block.items() + block.size++) Object::Property();
    block.at_value = true;
    return made->name.try_assign(name) ? Errc::ok : Errc::no_memory;
}

Errc VariantBuilder::begin_packed_strings(std::uint32_t count) {
    return put([&](Variant& to) {
        strings_ = new (to.data_) PackedStringArray();
        to.type_ = Type::packed_string_array;
        return strings_->try_reserve(count);
    });
}

Errc VariantBuilder::packed_string(std::string_view text) {
    return strings_->try_push(text) ? Errc::ok : Errc::no_memory;
}

Errc VariantBuilder::end() {
    if (strings_)
        strings_ = nullptr;
    else if (hollow_)
        hollow_ = false;
    else
        open_ = std::exchange(open_->link, nullptr);
    return Errc::ok;
}

}  // namespace gdvar
