// The math types, single and double width, laid out in memory as on the wire.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/type.hpp"

namespace gdvar GDVAR_EXPORT {

/// x and y. `Real`: float, double or, for Vector2i, std::int32_t. Like all types here it owns
/// nothing, and its default is that of Godot's constructor without arguments (wire-format 2.1).
template <class Real>
struct BasicVector2 {
    Real x{}, y{};
    friend constexpr bool operator==(const BasicVector2&, const BasicVector2&) = default;
};
/// x, y and z; Vector3i, too.
template <class Real>
struct BasicVector3 {
    Real x{}, y{}, z{};
    friend constexpr bool operator==(const BasicVector3&, const BasicVector3&) = default;
};
/// x, y, z and w; Vector4i, too.
template <class Real>
struct BasicVector4 {
    Real x{}, y{}, z{}, w{};
    friend constexpr bool operator==(const BasicVector4&, const BasicVector4&) = default;
};
/// The corner with the least coordinates, and the size; Rect2i, too.
template <class Real>
struct BasicRect2 {
    BasicVector2<Real> position, size;
    friend constexpr bool operator==(const BasicRect2&, const BasicRect2&) = default;
};
/// Two axis columns and the origin.
template <class Real>
struct BasicTransform2D {
    BasicVector2<Real> x{1, 0}, y{0, 1}, origin;
    friend constexpr bool operator==(const BasicTransform2D&, const BasicTransform2D&) = default;
};
/// The normal, and the plane's distance from the origin along it.
template <class Real>
struct BasicPlane {
    BasicVector3<Real> normal;
    Real d{};
    friend constexpr bool operator==(const BasicPlane&, const BasicPlane&) = default;
};
/// A rotation: x, y, z and w. Not normalised.
template <class Real>
struct BasicQuaternion {
    Real x{}, y{}, z{}, w{1};
    friend constexpr bool operator==(const BasicQuaternion&, const BasicQuaternion&) = default;
};
/// A box along the axes: the corner with the least coordinates, and the size.
template <class Real>
struct BasicAABB {
    BasicVector3<Real> position, size;
    friend constexpr bool operator==(const BasicAABB&, const BasicAABB&) = default;
};
/// Kept by rows, as the engines keep it and write it (wire-format 2.1); a script's `basis.x` is
/// `column(0)`.
template <class Real>
struct BasicBasis {
    BasicVector3<Real> rows[3]{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    constexpr BasicVector3<Real> column(int i) const noexcept {
        if (i == 0)
            return {rows[0].x, rows[1].x, rows[2].x};
        if (i == 1)
            return {rows[0].y, rows[1].y, rows[2].y};
        return {rows[0].z, rows[1].z, rows[2].z};
    }
    static constexpr BasicBasis from_columns(BasicVector3<Real> x, BasicVector3<Real> y,
                                             BasicVector3<Real> z) noexcept {
        return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    }
    friend constexpr bool operator==(const BasicBasis&, const BasicBasis&) = default;
};
/// The basis, by rows, then the origin.
template <class Real>
struct BasicTransform3D {
    BasicBasis<Real> basis;
    BasicVector3<Real> origin;
    friend constexpr bool operator==(const BasicTransform3D&, const BasicTransform3D&) = default;
};
/// Four columns, as the engines keep it and write it.
template <class Real>
struct BasicProjection {
    BasicVector4<Real> columns[4]{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    friend constexpr bool operator==(const BasicProjection&, const BasicProjection&) = default;
};
/// Engines always write single precision; the double width exists for the pages' unflagged
/// double-precision layout (wire-format 3).
template <class Real>
struct BasicColor {
    Real r{}, g{}, b{}, a{1};
    friend constexpr bool operator==(const BasicColor&, const BasicColor&) = default;
};

using Vector2 = BasicVector2<float>;
using Vector2d = BasicVector2<double>;
using Vector2i = BasicVector2<std::int32_t>;
using Vector3 = BasicVector3<float>;
using Vector3d = BasicVector3<double>;
using Vector3i = BasicVector3<std::int32_t>;
using Vector4 = BasicVector4<float>;
using Vector4d = BasicVector4<double>;
using Vector4i = BasicVector4<std::int32_t>;
using Rect2 = BasicRect2<float>;
using Rect2d = BasicRect2<double>;
using Rect2i = BasicRect2<std::int32_t>;
using Transform2D = BasicTransform2D<float>;
using Transform2Dd = BasicTransform2D<double>;
using Plane = BasicPlane<float>;
using Planed = BasicPlane<double>;
using Quaternion = BasicQuaternion<float>;
using Quaterniond = BasicQuaternion<double>;
using AABB = BasicAABB<float>;
using AABBd = BasicAABB<double>;
using Basis = BasicBasis<float>;
using Basisd = BasicBasis<double>;
using Transform3D = BasicTransform3D<float>;
using Transform3Dd = BasicTransform3D<double>;
using Projection = BasicProjection<float>;
using Projectiond = BasicProjection<double>;
using Color = BasicColor<float>;
using Colord = BasicColor<double>;

/// `MathTraits<Vector3>::type`, `::wide`, `::Component`: the Type of a math struct, and its
/// components.
template <class T>
struct MathTraits {};

namespace detail {
template <Type type_, class ComponentT>
struct MathTraitsOf {
    static constexpr Type type = type_;
    static constexpr bool wide = std::is_same_v<ComponentT, double>;
    using Component = ComponentT;
};
}  // namespace detail

#define GDVAR_MATH(Name, type_)                                                            \
    template <>                                                                            \
    struct MathTraits<Name> : detail::MathTraitsOf<Type::type_, float> {};                 \
    template <>                                                                            \
    struct MathTraits<Name##d> : detail::MathTraitsOf<Type::type_, double> {};             \
    static_assert(sizeof(Name) == std::size_t{4} * type_info(Type::type_).components &&    \
                  sizeof(Name##d) == std::size_t{8} * type_info(Type::type_).components && \
                  std::is_trivially_copyable_v<Name>)
#define GDVAR_MATH_I(Name, type_)                                                 \
    template <>                                                                   \
    struct MathTraits<Name> : detail::MathTraitsOf<Type::type_, std::int32_t> {}; \
    static_assert(sizeof(Name) == std::size_t{4} * type_info(Type::type_).components)
GDVAR_MATH(Vector2, vector2);
GDVAR_MATH(Vector3, vector3);
GDVAR_MATH(Vector4, vector4);
GDVAR_MATH(Rect2, rect2);
GDVAR_MATH(Transform2D, transform2d);
GDVAR_MATH(Plane, plane);
GDVAR_MATH(Quaternion, quaternion);
GDVAR_MATH(AABB, aabb);
GDVAR_MATH(Basis, basis);
GDVAR_MATH(Transform3D, transform3d);
GDVAR_MATH(Projection, projection);
GDVAR_MATH(Color, color);
GDVAR_MATH_I(Vector2i, vector2i);
GDVAR_MATH_I(Vector3i, vector3i);
GDVAR_MATH_I(Vector4i, vector4i);
GDVAR_MATH_I(Rect2i, rect2i);
#undef GDVAR_MATH
#undef GDVAR_MATH_I

/// A math struct of this library: Vector2, Rect2i, Transform3Dd, Color, ...
template <class T>
concept MathType = requires { MathTraits<T>::type; };

namespace detail {
template <class T>
struct ComponentsOf {
    using Component = typename MathTraits<T>::Component;
    static constexpr std::size_t count = sizeof(T) / sizeof(Component);
    Component of[count];
};
template <class Component>
constexpr bool is_number(Component value) noexcept {
    return value <= std::numeric_limits<Component>::infinity();
}
template <class Component>
constexpr auto ordered(Component a, Component b) noexcept {
    if constexpr (!std::is_floating_point_v<Component>)
        return a <=> b;
    else if (a < b || a > b)
        return a < b ? std::weak_ordering::less : std::weak_ordering::greater;
    else
        return std::weak_ordering(!is_number(a) <=> !is_number(b));
}
}  // namespace detail

/// An order for `std::map`, `std::set` and sorting: the first components that differ decide. 0.0
/// and -0.0 are equal, as by `==`. A NaN comes behind all numbers and is equal to every other NaN;
/// by `==` it equals nothing. For numbers the order and `==` agree.
template <MathType T>
[[nodiscard]] constexpr auto operator<=>(const T& a, const T& b) noexcept {
    const auto left = std::bit_cast<detail::ComponentsOf<T>>(a);
    const auto right = std::bit_cast<detail::ComponentsOf<T>>(b);
    auto order = detail::ordered(left.of[0], right.of[0]);
    for (std::size_t i = 1; i < left.count && order == 0; ++i)
        order = detail::ordered(left.of[i], right.of[i]);
    return order;
}

}  // namespace gdvar
