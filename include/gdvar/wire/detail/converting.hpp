// Conversion of numbers and math values, by the table in wire/conversion.hpp. Not for users.
#pragma once

#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/conversion.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

constexpr std::uint64_t type_bit(Type type) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(type);
}
/// The Types that convert to C++ types that stand for `to`, one bit each.
constexpr std::uint64_t types_for(Type to) noexcept {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < type_count; ++i)
        if (conversion(static_cast<Type>(i), to) != Check::never)
            out |= std::uint64_t{1} << i;
    return out;
}
/// The Types that convert to a sequence whose elements stand for `element`. Includes packed arrays
/// whose elements convert.
constexpr std::uint64_t types_for_sequence(Type element) noexcept {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < type_count; ++i) {
        const auto from = static_cast<Type>(i);
        const Check check = conversion(from, Type::array);
        if (check == Check::elements ? conversion(packed_element(from), element) != Check::never
                                     : check != Check::never)
            out |= std::uint64_t{1} << i;
    }
    return out;
}

/// Check::exact.
constexpr bool fits_real(std::int64_t value) noexcept {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    return value >= -most && value <= most;
}
/// Check::whole. 2^63 itself is outside int64_t.
inline bool is_whole(double value) noexcept {
    constexpr double most = 0x1p63;
    return value >= -most && value < most && value == std::trunc(value);
}
/// Check::rounds for a float. False on overflow, and if rounding is needed and `rounds` is false.
[[gnu::always_inline]] inline bool to_float(double value, bool rounds, float& out) noexcept {
    constexpr double most = static_cast<double>(std::numeric_limits<float>::max());
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if ((value > most && value != infinite) || (value < -most && value != -infinite)) [[unlikely]]
        return false;
    out = static_cast<float>(value);
    return rounds || value != value || static_cast<double>(out) == value;
}

template <class T>
concept ArithmeticNumber = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// Converts an int or a float to a C++ number by the table. False if a check fails; `out` is then
/// meaningless. `rounds`: a float may round a number to the nearest that it can hold.
template <ArithmeticNumber T>
[[gnu::always_inline]] inline bool to_number(std::int64_t value, bool rounds, T& out) noexcept {
    if constexpr (std::integral<T>) {
        out = static_cast<T>(value);
        return std::in_range<T>(value);
    } else if constexpr (sizeof(T) == sizeof(float)) {
        return fits_real(value) && to_float(static_cast<double>(value), rounds, out);
    } else {
        out = static_cast<T>(value);
        return fits_real(value);
    }
}
template <ArithmeticNumber T>
[[gnu::always_inline]] inline bool to_number(double value, bool rounds, T& out) noexcept {
    if constexpr (std::integral<T>) {
        return is_whole(value) && to_number(static_cast<std::int64_t>(value), rounds, out);
    } else if constexpr (sizeof(T) == sizeof(float)) {
        return to_float(value, rounds, out);
    } else {
        out = value;
        return true;
    }
}

/// Adds the details of a number that `to_number` refused.
template <ArithmeticNumber T>
Error about_number(const Error& error, std::int64_t value) noexcept {
    if constexpr (std::integral<T>) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        using Limits = std::numeric_limits<T>;
        return error.about_integer(value, static_cast<std::int64_t>(Limits::min()),
                                   std::in_range<std::int64_t>(Limits::max())
                                       ? static_cast<std::int64_t>(Limits::max())
                                       : most);
    } else {
        constexpr std::int64_t most = std::int64_t{1} << 53;
        return fits_real(value) ? error.about_inexact(static_cast<double>(value))
                                : error.about_integer(value, -most, most);
    }
}
template <ArithmeticNumber T>
Error about_number(const Error& error, double value) noexcept {
    if constexpr (std::integral<T>) {
        if (is_whole(value))
            return about_number<T>(error, static_cast<std::int64_t>(value));
        if (value - value == 0 && value != std::trunc(value))
            return error.about_fraction(value);
        return error.about_real(value, -0x1p63, 0x1p63);
    } else {
        constexpr double most = static_cast<double>(std::numeric_limits<float>::max());
        if (value > most || value < -most)
            return error.about_real(value, -most, most);
        return error.about_inexact(value);
    }
}

/// Converts a math value to a struct of its Type. False if a component is refused, which `refused`
/// receives.
template <MathType T>
bool to_math(const MathView& from, bool rounds, T& out, double& refused) noexcept {
    using Traits = MathTraits<T>;
    using Component = typename Traits::Component;
    if (from.wide == Traits::wide || from.integral()) {
        out = from.as<T>();
        return true;
    }
    if constexpr (std::floating_point<Component>) {
        constexpr std::size_t count = sizeof(T) / sizeof(Component);
        Component all[count];
        for (std::size_t i = 0; i < count; ++i) {
            refused = from.real(i);
            if (!to_number(refused, rounds, all[i]))
                return false;
        }
        std::memcpy(static_cast<void*>(&out), all, sizeof out);
    }
    return true;
}

/// Converts the elements of a packed array one by one into `count` places from `out` on. `refuse`
/// gets the first refused number.
template <ArithmeticNumber T, class Refuse>
bool to_numbers(const PackedView& from, bool rounds, T* out, Refuse&& refuse) {
    return with_component(from.component(), [&]<class From>(std::type_identity<From>) {
        using Wide = std::conditional_t<std::integral<From>, std::int64_t, double>;
        for (std::uint32_t i = 0; i < from.count; ++i) {
            const auto value = static_cast<Wide>(from.component_at<From>(i));
            if (!to_number(value, rounds, out[i])) [[unlikely]] {
                refuse(value);
                return false;
            }
        }
        return true;
    });
}
/// The same for math structs of the elements' Type.
template <MathType T, class Refuse>
bool to_numbers(const PackedView& from, bool rounds, T* out, Refuse&& refuse) {
    MathView item{MathTraits<T>::type, from.wide, from.host_order, from.data};
    for (std::uint32_t i = 0; i < from.count; ++i, item.data += from.element_size()) {
        double refused;
        if (!to_math(item, rounds, out[i], refused)) [[unlikely]] {
            refuse(refused);
            return false;
        }
    }
    return true;
}

}  // namespace detail
}  // namespace gdvar
