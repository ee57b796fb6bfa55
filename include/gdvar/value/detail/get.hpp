// get: converts a View or a Variant to a C++ value by the table of conversions
// (wire/conversion.hpp). Included by document.hpp and variant.hpp.
#pragma once

#include <expected>
#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/detail/converting.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

template <class T>
inline constexpr bool is_packed_array = false;
template <class T>
inline constexpr bool is_packed_array<PackedArray<T>> = true;

/// Types that are taken directly from a value. All others are read by their Bind.
template <class T>
concept TakenDirectly = std::same_as<T, bool> || ArithmeticNumber<T> || MathType<T> ||
                        std::same_as<T, std::string_view> || std::same_as<T, std::string>;

/// Reads a T by Bind<T>. Defined in value/binding.hpp.
template <class T>
struct BoundGet;
template <class T>
concept CanBeBound = requires { sizeof(BoundGet<T>); };

template <class T, class From>
[[nodiscard]] std::expected<T, Error> get_bound(const From& from) {
    static_assert(CanBeBound<T>, "gdvar: include gdvar/value/binding.hpp to get this type");
    if constexpr (CanBeBound<T>)
        return BoundGet<T>::get(from);
}

template <class T>
constexpr Type stands_for() {
    if constexpr (std::same_as<T, bool>)
        return Type::boolean;
    else if constexpr (std::integral<T>)
        return Type::integer;
    else if constexpr (std::floating_point<T>)
        return Type::real;
    else if constexpr (MathType<T>)
        return MathTraits<T>::type;
    else
        return Type::string;
}

template <TakenDirectly T, class From>
[[nodiscard]] std::expected<T, Error> get_directly(const From& from, std::uint64_t offset) {
    const Type type = from.type();
    if (!(types_for(stands_for<T>()) & type_bit(type)))
        return std::unexpected(
            Error{Errc::wrong_type, type, offset}.about_types(types_for(stands_for<T>())));
    const Error refused{Errc::number_out_of_range, type, offset};
    if constexpr (std::same_as<T, bool>) {
        return from.boolean();
    } else if constexpr (ArithmeticNumber<T>) {
        T out;
        if (type == Type::integer) {
            if (!to_number(from.integer(), true, out))
                return std::unexpected(about_number<T>(refused, from.integer()));
        } else if (!to_number(from.real(), true, out)) {
            return std::unexpected(about_number<T>(refused, from.real()));
        }
        return out;
    } else if constexpr (MathType<T>) {
        T out{};
        double component;
        if (!to_math(from.math(), true, out, component))
            return std::unexpected(about_number<float>(refused, component));
        return out;
    } else {
        return T(from.text());
    }
}

}  // namespace detail

}  // namespace gdvar
