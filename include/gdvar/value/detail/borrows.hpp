// Recognises C++ types that point into the packet that they were read from.
#pragma once

#include <span>
#include <string_view>
#include <tuple>
#include <variant>

#include "gdvar/base/export.hpp"
#include "gdvar/value/meta.hpp"
#include "gdvar/wire/cursor.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

template <class T>
inline constexpr bool points_elsewhere =
    std::same_as<T, std::string_view> || std::same_as<T, NodePathView>;
template <class T>
inline constexpr bool points_elsewhere<PackedSpan<T>> = true;
template <class T, std::size_t n>
inline constexpr bool points_elsewhere<std::span<T, n>> = true;

/// True if a T that was read points into the packet, as far as T can be inspected. `Around` are the
/// types that contain T; T may be one of them again.
template <class T, class... Around>
consteval bool borrows() {
    if constexpr ((std::same_as<T, Around> || ...)) {
        return false;
    } else if constexpr (points_elsewhere<T>) {
        return true;
    } else if constexpr (requires { typename T::mapped_type; }) {
        return borrows<typename T::key_type, T, Around...>() ||
               borrows<typename T::mapped_type, T, Around...>();
    } else if constexpr (requires { typename T::deleter_type; }) {
        return borrows<typename T::element_type, T, Around...>();
    } else if constexpr (requires(T t) { t.items; } && has_other_binding<T>) {
        return borrows<decltype(T::items), T, Around...>();
    } else if constexpr (requires(T t) { t.value; } && has_other_binding<T>) {
        return borrows<decltype(T::value), T, Around...>();
    } else if constexpr (Struct<T>) {
        return []<std::size_t... i>(std::index_sequence<i...>) {
            return (borrows<typename Fields<T>::template Member<i>, T, Around...>() || ...);
        }(std::make_index_sequence<Fields<T>::count>());
    } else if constexpr (
        requires { std::tuple_size<T>::value; } && !requires { typename T::value_type; }) {
        return []<std::size_t... i>(std::index_sequence<i...>) {
            return (borrows<std::tuple_element_t<i, T>, T, Around...>() || ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>());
    } else if constexpr (requires { std::variant_size<T>::value; }) {
        return []<std::size_t... i>(std::index_sequence<i...>) {
            return (borrows<std::variant_alternative_t<i, T>, T, Around...>() || ...);
        }(std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (requires { typename T::value_type; }) {
        return borrows<typename T::value_type, T, Around...>();
    } else {
        return false;
    }
}

}  // namespace detail
}  // namespace gdvar
