// Type: the types of a Variant in any dialect, independent of any engine's ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Every type that any dialect knows. The first 39 have the order of Godot 4.4's own ids; the
/// numbers are ours nevertheless and never go to the wire without a dialect's table.
enum class Type : std::uint8_t {
    nil,
    boolean,
    integer,
    real,
    string,
    vector2,
    vector2i,
    rect2,
    rect2i,
    vector3,
    vector3i,
    transform2d,
    vector4,
    vector4i,
    plane,
    quaternion,
    aabb,
    basis,
    transform3d,
    projection,
    color,
    string_name,
    node_path,
    rid,
    object,
    callable,
    signal,
    dictionary,
    array,
    packed_byte_array,
    packed_int32_array,
    packed_int64_array,
    packed_float32_array,
    packed_float64_array,
    packed_string_array,
    packed_vector2_array,
    packed_vector3_array,
    packed_color_array,
    packed_vector4_array,
    packed_vector2i_array,  ///< Pandemonium only (PoolVector2iArray)
    packed_vector3i_array,  ///< Pandemonium only (PoolVector3iArray)
    packed_vector4i_array,  ///< Pandemonium only (PoolVector4iArray)
    packed_typed_array,     ///< Pandemonium 5 only (PackedTypedArray)
    image,                  ///< Godot 1 and 2 only
    input_event,            ///< Godot 1 and 2 only
};

inline constexpr std::size_t type_count = 45;

/// The kinds of components of math types and of packed arrays' elements.
enum class ComponentType : std::uint8_t { none, u8, i32, i64, f32, f64 };

constexpr std::size_t component_bytes(ComponentType component) noexcept {
    constexpr std::uint8_t sizes[] = {0, 1, 4, 8, 4, 8};
    return sizes[static_cast<std::size_t>(component)];
}

/// Calls `use(std::type_identity<T>())`, where T is the component in C++: std::uint8_t,
/// std::int32_t, std::int64_t, float, or double.
template <class Use>
constexpr decltype(auto) with_component(ComponentType type, Use&& use) {
    switch (type) {
        case ComponentType::u8:
            return use(std::type_identity<std::uint8_t>());
        case ComponentType::i32:
            return use(std::type_identity<std::int32_t>());
        case ComponentType::i64:
            return use(std::type_identity<std::int64_t>());
        case ComponentType::f32:
            return use(std::type_identity<float>());
        default:
            return use(std::type_identity<double>());
    }
}

/// Facts about a type that hold in every dialect.
struct TypeInfo {
    std::string_view name;  ///< Godot 4's own name: "Vector2", "PackedByteArray", "int"
    ComponentType component =
        ComponentType::none;      ///< single-precision component of a math type or packed element
    std::uint8_t components = 0;  ///< components of a value (math) or of one element (packed)
    bool packed = false;          ///< a packed array of such elements
    bool widens = false;          ///< the components may be 64-bit reals (`Vector3d`)
};

namespace detail {
inline constexpr TypeInfo type_table[type_count] = {
    {"Nil"},
    {"bool"},
    {"int"},
    {"float"},
    {"String"},
    {"Vector2", ComponentType::f32, 2, false, true},
    {"Vector2i", ComponentType::i32, 2},
    {"Rect2", ComponentType::f32, 4, false, true},
    {"Rect2i", ComponentType::i32, 4},
    {"Vector3", ComponentType::f32, 3, false, true},
    {"Vector3i", ComponentType::i32, 3},
    {"Transform2D", ComponentType::f32, 6, false, true},
    {"Vector4", ComponentType::f32, 4, false, true},
    {"Vector4i", ComponentType::i32, 4},
    {"Plane", ComponentType::f32, 4, false, true},
    {"Quaternion", ComponentType::f32, 4, false, true},
    {"AABB", ComponentType::f32, 6, false, true},
    {"Basis", ComponentType::f32, 9, false, true},
    {"Transform3D", ComponentType::f32, 12, false, true},
    {"Projection", ComponentType::f32, 16, false, true},
    {"Color", ComponentType::f32, 4, false, true},
    {"StringName"},
    {"NodePath"},
    {"RID"},
    {"Object"},
    {"Callable"},
    {"Signal"},
    {"Dictionary"},
    {"Array"},
    {"PackedByteArray", ComponentType::u8, 1, true},
    {"PackedInt32Array", ComponentType::i32, 1, true},
    {"PackedInt64Array", ComponentType::i64, 1, true},
    {"PackedFloat32Array", ComponentType::f32, 1, true},
    {"PackedFloat64Array", ComponentType::f64, 1, true},
    {"PackedStringArray"},
    {"PackedVector2Array", ComponentType::f32, 2, true, true},
    {"PackedVector3Array", ComponentType::f32, 3, true, true},
    {"PackedColorArray", ComponentType::f32, 4, true, true},
    {"PackedVector4Array", ComponentType::f32, 4, true, true},
    {"PackedVector2iArray", ComponentType::i32, 2, true},
    {"PackedVector3iArray", ComponentType::i32, 3, true},
    {"PackedVector4iArray", ComponentType::i32, 4, true},
    {"PackedTypedArray"},
    {"Image"},
    {"InputEvent"},
};
}  // namespace detail

constexpr const TypeInfo& type_info(Type type) noexcept {
    return detail::type_table[static_cast<std::size_t>(type)];
}

/// Godot 4's own name of the type, for messages: "Vector2", "PackedByteArray".
constexpr std::string_view type_name(Type type) noexcept {
    return type_info(type).name;
}

/// The type of that name (Godot 4's spelling), or nothing.
constexpr std::optional<Type> type_by_name(std::string_view name) noexcept {
    for (std::size_t i = 0; i < type_count; ++i)
        if (detail::type_table[i].name == name)
            return static_cast<Type>(i);
    return std::nullopt;
}

constexpr bool is_math(Type type) noexcept {
    return type_info(type).components != 0 && !type_info(type).packed;
}
/// A packed array whose elements have a fixed size (all but PackedStringArray).
constexpr bool is_packed(Type type) noexcept {
    return type_info(type).packed;
}

/// The kind of a container's element type (wire-format 2.7).
enum class ContainerKind : std::uint8_t { untyped, builtin, class_name, script };

/// The element, key or value type of an Array or a Dictionary. `name` is borrowed from the
/// container's owner (the packet, the Array): a class name or a `res://` path.
struct ContainerType {
    ContainerKind kind = ContainerKind::untyped;
    Type type = Type::nil;  ///< builtin: that type; class_name and script: object
    std::string_view name{};

    constexpr bool typed() const noexcept { return kind != ContainerKind::untyped; }
    /// True if the container has elements of that type. Classes are not told apart.
    constexpr bool takes(Type element) const noexcept {
        return type == Type::nil || element == type ||
               (type == Type::object && element == Type::nil);
    }
    friend constexpr bool operator==(const ContainerType&, const ContainerType&) = default;

    static constexpr ContainerType of(Type builtin) noexcept {
        return {ContainerKind::builtin, builtin, {}};
    }
    static constexpr ContainerType of_class(std::string_view name) noexcept {
        return {ContainerKind::class_name, Type::object, name};
    }
    static constexpr ContainerType of_script(std::string_view path) noexcept {
        return {ContainerKind::script, Type::object, path};
    }
};

/// The class name for "objects by their instance id" in container headers.
inline constexpr std::string_view encoded_object_as_id = "EncodedObjectAsID";

}  // namespace gdvar
