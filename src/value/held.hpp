// What values hold: by their types, as C++ types and as what they own.
#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// Calls `use.template operator()<T>()` for the C++ type that a Variant of this type and width
/// holds. Array, Dictionary and Object included.
template <class Use>
auto with_held_type(Type type, bool wide, Use&& use) {
#define GDVAR_BOTH(type_, T) \
    case Type::type_:        \
        return wide ? use.template operator()<T##d>() : use.template operator()<T>()
#define GDVAR_BOTH_PACKED(type_, T)                                \
    case Type::type_:                                              \
        return wide ? use.template operator()<PackedArray<T##d>>() \
                    : use.template operator()<PackedArray<T>>()
#define GDVAR_ONE(type_, T) \
    case Type::type_:       \
        return use.template operator()<T>()
    switch (type) {
        GDVAR_ONE(nil, Callable);
        GDVAR_ONE(callable, Callable);
        GDVAR_ONE(boolean, bool);
        GDVAR_ONE(integer, std::int64_t);
        GDVAR_ONE(real, double);
        GDVAR_ONE(string, String);
        GDVAR_ONE(string_name, StringName);
        GDVAR_BOTH(vector2, Vector2);
        GDVAR_ONE(vector2i, Vector2i);
        GDVAR_BOTH(rect2, Rect2);
        GDVAR_ONE(rect2i, Rect2i);
        GDVAR_BOTH(vector3, Vector3);
        GDVAR_ONE(vector3i, Vector3i);
        GDVAR_BOTH(transform2d, Transform2D);
        GDVAR_BOTH(vector4, Vector4);
        GDVAR_ONE(vector4i, Vector4i);
        GDVAR_BOTH(plane, Plane);
        GDVAR_BOTH(quaternion, Quaternion);
        GDVAR_BOTH(aabb, AABB);
        GDVAR_BOTH(basis, Basis);
        GDVAR_BOTH(transform3d, Transform3D);
        GDVAR_BOTH(projection, Projection);
        GDVAR_BOTH(color, Color);
        GDVAR_ONE(node_path, NodePath);
        GDVAR_ONE(rid, RID);
        GDVAR_ONE(object, Object);
        GDVAR_ONE(signal, Signal);
        GDVAR_ONE(dictionary, Dictionary);
        GDVAR_ONE(array, Array);
        GDVAR_ONE(packed_typed_array, Array);
        GDVAR_ONE(packed_byte_array, PackedByteArray);
        GDVAR_ONE(packed_int32_array, PackedInt32Array);
        GDVAR_ONE(packed_int64_array, PackedInt64Array);
        GDVAR_ONE(packed_float32_array, PackedFloat32Array);
        GDVAR_ONE(packed_float64_array, PackedFloat64Array);
        GDVAR_ONE(packed_string_array, PackedStringArray);
        GDVAR_BOTH_PACKED(packed_vector2_array, Vector2);
        GDVAR_BOTH_PACKED(packed_vector3_array, Vector3);
        GDVAR_BOTH_PACKED(packed_vector4_array, Vector4);
        GDVAR_BOTH_PACKED(packed_color_array, Color);
        GDVAR_ONE(packed_vector2i_array, PackedVector2iArray);
        GDVAR_ONE(packed_vector3i_array, PackedVector3iArray);
        GDVAR_ONE(packed_vector4i_array, PackedVector4iArray);
        GDVAR_ONE(image, Image);
        GDVAR_ONE(input_event, InputEvent);
    }
#undef GDVAR_BOTH
#undef GDVAR_BOTH_PACKED
#undef GDVAR_ONE
    __builtin_unreachable();
}

/// What a value owns, for freeing and copying.
enum class Owning : std::uint8_t { nothing, text, container, box, more };
struct OwningTable {
    Owning of[128]{};  ///< by type, and 64 on where it is wide
    constexpr OwningTable() {
        for (unsigned i = 0; i < 128; ++i) {
            const TypeInfo& info = type_table[i % 64 < type_count ? i % 64 : 0];
            const std::uint64_t plain = i < 64 ? plain_narrow : plain_wide;
            if (!(plain >> i % 64 & 1))
                of[i] = info.lanes && !info.packed ? Owning::box : Owning::more;
        }
        for (Type t : {Type::string, Type::string_name})
            of[static_cast<unsigned>(t)] = Owning::text;
        for (Type t : {Type::array, Type::packed_typed_array, Type::dictionary, Type::object})
            of[static_cast<unsigned>(t)] = Owning::container;
    }
};
inline constexpr OwningTable owning;
static_assert(type_count <= 64);

inline Owning owning_of(const Variant& v) noexcept {
    return owning.of[static_cast<unsigned>(v.type()) + v.wide() * 64u];
}

}  // namespace gdvar::detail
