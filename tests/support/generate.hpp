// Random values of every type.
#pragma once

#include <bit>
#include <random>
#include <string>

#include "gdvar/value/variant.hpp"

namespace gdvar::test {

using Random = std::mt19937_64;

inline std::uint64_t below(Random& random, std::uint64_t n) {
    return random() % n;
}

inline double any_real(Random& random) {
    switch (below(random, 6)) {
        case 0:
            return static_cast<double>(static_cast<std::int64_t>(random()) >> 40);
        case 1:
            return static_cast<double>(random()) / 1e19;
        case 2:
            return std::bit_cast<double>(random());
        case 3:
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
        case 4:
            return -0.0;
        default:
            return static_cast<double>(below(random, 1000)) / 8;
    }
}

inline std::string any_text(Random& random) {
    const char* pieces[] = {"a", "B", "_", "7", " ", "é", "日", "👾", "\"", "\\", "\n", "/", ":"};
    std::string out;
    for (std::uint64_t n = below(random, 20); n; --n)
        out += pieces[below(random, std::size(pieces))];
    return out;
}

template <MathType T>
T any_math(Random& random) {
    using Component = typename MathTraits<T>::Component;
    Component components[sizeof(T) / sizeof(Component)];
    for (Component& component : components) {
        if constexpr (std::is_integral_v<Component>)
            component = static_cast<Component>(random());
        else if (below(random, 8) == 0)
            component = std::numeric_limits<Component>::quiet_NaN();
        else
            component =
                static_cast<Component>(static_cast<float>(below(random, 4000)) / 16.0f - 100.0f);
    }
    T out;
    std::memcpy(static_cast<void*>(&out), components, sizeof out);
    return out;
}

template <class T>
PackedArray<T> any_packed(Random& random) {
    PackedArray<T> out;
    for (std::uint64_t n = below(random, 6); n; --n) {
        if constexpr (MathType<T>)
            out.push_back(any_math<T>(random));
        else
            out.push_back(static_cast<T>(below(random, 200)));
    }
    return out;
}

inline Variant any_leaf(Random& random) {
    switch (below(random, 52)) {
        case 0:
            return {};
        case 1:
            return below(random, 2) == 0;
        case 2:
            return static_cast<std::int64_t>(random());
        case 3:
            return static_cast<std::int64_t>(below(random, 100)) - 50;
        case 4:
        case 5:
            return any_real(random);
        case 6:
        case 7:
            return any_text(random);
        case 8:
            return StringName(any_text(random));
        case 9:
            return NodePath(any_text(random));
        case 10:
            return any_math<Vector2>(random);
        case 11:
            return any_math<Vector2i>(random);
        case 12:
            return any_math<Rect2>(random);
        case 13:
            return any_math<Rect2i>(random);
        case 14:
            return any_math<Vector3>(random);
        case 15:
            return any_math<Vector3i>(random);
        case 16:
            return any_math<Transform2D>(random);
        case 17:
            return any_math<Vector4>(random);
        case 18:
            return any_math<Vector4i>(random);
        case 19:
            return any_math<Plane>(random);
        case 20:
            return any_math<Quaternion>(random);
        case 21:
            return any_math<AABB>(random);
        case 22:
            return any_math<Basis>(random);
        case 23:
            return any_math<Transform3D>(random);
        case 24:
            return any_math<Projection>(random);
        case 25:
            return any_math<Color>(random);
        case 26:
            return any_math<Vector3d>(random);
        case 27:
            return any_math<Transform3Dd>(random);
        case 28:
            return any_math<Projectiond>(random);
        case 29:
            return RID{below(random, 3)};
        case 30:
            return Object::from_id(random());
        case 31:
            return Callable{};
        case 32:
            return Signal{String(any_text(random)), below(random, 9)};
        case 33:
            return any_packed<std::uint8_t>(random);
        case 34:
            return any_packed<std::int32_t>(random);
        case 35:
            return any_packed<std::int64_t>(random);
        case 36:
            return any_packed<float>(random);
        case 37:
            return any_packed<double>(random);
        case 38:
            return any_packed<Vector2>(random);
        case 39:
            return any_packed<Vector3>(random);
        case 40:
            return any_packed<Vector4>(random);
        case 41:
            return any_packed<Color>(random);
        case 42:
            return any_packed<Vector2d>(random);
        case 43:
            return any_packed<Vector2i>(random);
        case 44:
            return any_packed<Vector4i>(random);
        case 45: {
            PackedStringArray out;
            for (std::uint64_t n = below(random, 5); n; --n)
                out.push_back(any_text(random));
            return out;
        }
        case 46:
            return Object();
        case 47:
            return Image{1, 0, 2, 1, {1, 2, 3}};
        case 48:
            return InputEvent{1, 0, {1u << 25, 65}};
        default:
            return static_cast<std::int64_t>(below(random, 1u << 20));
    }
}

inline Variant any_value(Random& random, int depth) {
    const std::uint64_t pick = depth > 0 ? below(random, 10) : 9;
    if (pick < 3) {
        Array out;
        if (below(random, 4) == 0)
            out.set_element_type(below(random, 3) ? ContainerType::of(Type::integer)
                                                  : ContainerType::of_class("Node"));
        for (std::uint64_t n = below(random, 5); n; --n)
            out.push_back(any_value(random, depth - 1));
        return out;
    }
    if (pick < 6) {
        Dictionary out;
        if (below(random, 4) == 0)
            out.set_types(ContainerType::of(Type::string), ContainerType{});
        for (std::uint64_t n = below(random, 5); n; --n)
            out.append(below(random, 3) ? Variant(any_text(random)) : any_value(random, depth - 1),
                       any_value(random, depth - 1));
        return out;
    }
    if (pick == 6) {
        Object out("Some" + std::to_string(below(random, 3)));
        for (std::uint64_t n = below(random, 4); n; --n)
            out.set(any_text(random), any_value(random, depth - 1));
        return out;
    }
    return any_leaf(random);
}

}  // namespace gdvar::test
