// Variant::get, by the table of conversions (wire/conversion.hpp). Included by variant.hpp.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {
/// The Types that convert to a type of a Variant. Packed arrays of numbers, texts or math values
/// are not converted to an Array here.
template <class T>
inline constexpr std::uint64_t kept_types =
    std::same_as<T, String> || std::same_as<T, StringName>
        ? types_for(VariantTraits<T>::type)
        : type_bit(VariantTraits<T>::type) |
              (std::same_as<T, Array> ? type_bit(Type::packed_typed_array) : 0);
}  // namespace detail

template <class T>
std::expected<T, Error> Variant::get() const {
    if constexpr (std::same_as<T, Variant>) {
        return *this;
    } else if constexpr (detail::TakenDirectly<T>) {
        return detail::get_directly<T>(*this, 0);
    } else if constexpr (requires { detail::VariantTraits<T>::type; } &&
                         !detail::is_packed_array<T>) {
        if (const T* same = get_if<T>())
            return *same;
        // A StringName may become a String.
        if constexpr (std::same_as<T, String> || std::same_as<T, StringName>)
            if (is(Type::string) || is(Type::string_name))
                return T(text());
        return std::unexpected(Error{Errc::wrong_type, type_}.about_types(detail::kept_types<T>));
    } else {
        return detail::get_bound<T>(*this);
    }
}

}  // namespace gdvar
