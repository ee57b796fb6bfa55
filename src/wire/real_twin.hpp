// Types that differ in nothing but their numbers.
// Room: wire, private.
#pragma once

#include "gdvar/wire/type.hpp"

namespace gdvar::detail {

/// The real-valued type for a type of integer vectors; nil for any other.
constexpr Type real_twin(Type integral) noexcept {
    using enum Type;
    constexpr Type twins[][2] = {{vector2i, vector2},
                                 {rect2i, rect2},
                                 {vector3i, vector3},
                                 {vector4i, vector4},
                                 {packed_vector2i_array, packed_vector2_array},
                                 {packed_vector3i_array, packed_vector3_array},
                                 {packed_vector4i_array, packed_vector4_array}};
    for (const auto& [whole, real] : twins)
        if (whole == integral)
            return real;
    return nil;
}

}  // namespace gdvar::detail
