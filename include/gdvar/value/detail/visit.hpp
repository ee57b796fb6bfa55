// Variant::visit: the held value as its C++ type. Included by variant.hpp.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// Calls `use.template operator()<T>()` for the C++ type of a Variant of this type and width,
/// including Array, Dictionary and Object.
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

}  // namespace detail

template <class F>
auto Variant::visit(F&& f) const {
    if (is_nil())
        return f(nullptr);
    return detail::with_held_type(type_, wide_, [&]<class T>() { return f(*get_if<T>()); });
}

}  // namespace gdvar
