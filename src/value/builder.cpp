#include "gdvar/value/builder.hpp"

#include <algorithm>

#include "blocks.hpp"

namespace gdvar {

using detail::ArrayBlock;
using detail::Block;
using detail::DictionaryBlock;
using detail::ObjectBlock;

namespace {

/// The items of an Array, or the keys and values of a Dictionary.
Variant* values_of(Block& block) noexcept {
    return block.what == Type::array ? static_cast<ArrayBlock&>(block).items()
                                     : static_cast<DictionaryBlock&>(block).run();
}

/// Converts components from the wire's order to the host's (big-endian hosts).
[[maybe_unused]] void swap_components(void* components, const PackedView& from) noexcept {
    const std::size_t component = component_bytes(from.component());
    auto* at = static_cast<std::byte*>(components);
    for (std::byte* end = at + from.size(); at != end; at += component)
        std::reverse(at, at + component);
}

}  // namespace

// A block's size is updated when a value that owns memory is placed, and when a container begins or
// ends, so that everything built so far can be freed at any time.

void VariantBuilder::note() noexcept {
    if (!open_ || open_->what == Type::object)
        return;
    const auto values = static_cast<std::uint32_t>(next_ - values_of(*open_));
    if (open_->what == Type::array) {
        open_->size = values;
        return;
    }
    open_->at_value = values & 1;
    open_->size = (values + 1) / 2;
    if (open_->at_value)
        new (next_) Variant();
}

void VariantBuilder::enter(Block* block) noexcept {
    block->link = std::exchange(open_, block);
    resume();
}

void VariantBuilder::resume() noexcept {
    if (!open_ || open_->what == Type::object) {
        next_ = end_ = nullptr;
        return;
    }
    const bool pairs = open_->what == Type::dictionary;
    Variant* const values = values_of(*open_);
    next_ = values + (std::size_t{open_->size} << pairs) - open_->at_value;
    end_ = values + (std::size_t{open_->capacity} << pairs);
}

template <class Fill>
Errc VariantBuilder::put_owning(Fill&& fill) {
    if (next_ == end_) [[unlikely]]
        return Errc::too_many_items;
    Variant* const to = new (next_++) Variant();
    if (open_)
        open_->hints = 0;
    note();
    return fill(*to) ? Errc::ok : Errc::no_memory;
}

Errc VariantBuilder::long_text(Type type, std::string_view text) {
    return put_owning([&](Variant& to) {
        if (!maker_.text(*new (to.data_) String(), text))
            return false;
        to.type_ = type;
        return true;
    });
}

template <class T>
T* VariantBuilder::boxed(Variant& to) noexcept {
    T* box = static_cast<T*>(maker_.take(sizeof(T), to.place_));
    if (!box)
        return nullptr;
    new (box) T();
    std::memcpy(to.data_, &box, sizeof box);
    to.type_ = detail::VariantTraits<T>::type;
    to.wide_ = detail::VariantTraits<T>::wide;
    return box;
}

Errc VariantBuilder::node_path(const NodePathView& value) {
    return put_owning([&](Variant& to) {
        NodePath* made = boxed<NodePath>(to);
        return made && made->try_assign(value);
    });
}

Errc VariantBuilder::signal(std::string_view name, std::uint64_t object) {
    return put_owning([&](Variant& to) {
        Signal* made = boxed<Signal>(to);
        if (!made || !maker_.text(made->name, name))
            return false;
        made->object = object;
        return true;
    });
}

Errc VariantBuilder::image(const ImageView& value) {
    return put_owning([&](Variant& to) {
        Image* made = boxed<Image>(to);
        if (!made)
            return false;
        made->format = value.format;
        made->mipmaps = value.mipmaps;
        made->width = value.width;
        made->height = value.height;
        if (value.data.empty())
            return true;
        if (!made->data.try_reserve(value.data.size()))
            return false;
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
        if (!made)
            return false;
        *made = from.as<T>();
        return true;
    }
}

Errc VariantBuilder::large_math(const MathView& v) {
#define GDVAR_MATH(type_, T) \
    case Type::type_:        \
        return v.wide ? fill_math<T##d>(to, v) : fill_math<T>(to, v)
#define GDVAR_MATH_I(type_, T) \
    case Type::type_:          \
        return fill_math<T>(to, v)
    return put_owning([&](Variant& to) {
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
            default:
                return true;
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
    if (!from.count)
        return true;
    if (!made->try_reserve(from.count))
        return false;
    std::memcpy(static_cast<void*>(made->data()), from.data, from.size());
    made->set_size(from.count);
    if constexpr (!detail::host_is_little)
        if (!from.host_order)
            swap_components(made->data(), from);
    return true;
}

Errc VariantBuilder::packed(const PackedView& v) {
#define GDVAR_PACKED(type_, T) \
    case Type::type_:          \
        return v.wide ? fill_packed<T##d>(to, v) : fill_packed<T>(to, v)
#define GDVAR_PACKED_ONE(type_, T) \
    case Type::type_:              \
        return fill_packed<T>(to, v)
    return put_owning([&](Variant& to) {
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
            default:
                return true;
        }
    });
#undef GDVAR_PACKED
#undef GDVAR_PACKED_ONE
}

// ---- containers ---------------------------------------------------------------------------------
// An empty untyped container owns no block, so it can't be on the chain of open containers. Open
// containers are given a block only if they have children; an empty one's `end` follows at once,
// and `hollow_` marks it.

Errc VariantBuilder::begin_array(Type type, const ContainerType& element, std::uint32_t count) {
    return put_owning([&](Variant& to) {
        Array* made = new (to.data_) Array();
        to.type_ = type;
        if (!count && !element.typed()) {
            hollow_ = true;
            return true;
        }
        auto* block = detail::make_block<ArrayBlock>(count, &maker_);
        if (!block)
            return false;
        made->block_ = block;
        block->kind = element.kind;
        block->type = element.type;
        enter(block);
        return element.name.empty() || maker_.text(block->name, element.name);
    });
}

Errc VariantBuilder::begin_dictionary(const ContainerType& key, const ContainerType& value,
                                      std::uint32_t count) {
    return put_owning([&](Variant& to) {
        auto* made = new (to.data_) Dictionary();
        to.type_ = Type::dictionary;
        if (!count && !key.typed() && !value.typed()) {
            hollow_ = true;
            return true;
        }
        auto* block = detail::make_block<DictionaryBlock>(count, &maker_);
        if (!block)
            return false;
        made->block_ = block;
        enter(block);
        const ContainerType* types[] = {&key, &value};
        for (const int i : {0, 1}) {
            block->kinds[i] = types[i]->kind;
            block->types[i] = types[i]->type;
            if (!types[i]->name.empty() && !maker_.text(block->names[i], types[i]->name))
                return false;
        }
        return true;
    });
}

Errc VariantBuilder::begin_object(std::string_view name, std::uint32_t count) {
    return put_owning([&](Variant& to) {
        auto* made = new (to.data_) Object();
        to.type_ = Type::object;
        auto* block = detail::make_block<ObjectBlock>(count, &maker_);
        if (!block)
            return false;
        made->id_ = reinterpret_cast<std::uintptr_t>(block);
        made->kind_ = ObjectKind::full;
        enter(block);
        return maker_.text(block->name, name);
    });
}

Errc VariantBuilder::property(std::string_view name) {
    if (!open_ || open_->what != Type::object || next_ != end_)
        return Errc::misplaced;
    auto& block = static_cast<ObjectBlock&>(*open_);
    if (block.size == block.capacity)
        return Errc::too_many_items;
    auto* made = new (block.items() + block.size++) Object::Property();
    next_ = &made->value;
    end_ = next_ + 1;
    return maker_.text(made->name, name) ? Errc::ok : Errc::no_memory;
}

Errc VariantBuilder::begin_packed_strings(std::uint32_t count) {
    return put_owning([&](Variant& to) {
        strings_ = new (to.data_) PackedStringArray();
        to.type_ = Type::packed_string_array;
        return strings_->try_reserve(count);
    });
}

Errc VariantBuilder::packed_string(std::string_view text) {
    String* const made = strings_->try_add();
    return made && maker_.text(*made, text) ? Errc::ok : Errc::no_memory;
}

Errc VariantBuilder::end() {
    if (strings_) {
        strings_ = nullptr;
    } else if (hollow_) {
        hollow_ = false;
    } else {
        note();
        open_ = std::exchange(open_->link, nullptr);
        resume();
    }
    return Errc::ok;
}

}  // namespace gdvar
