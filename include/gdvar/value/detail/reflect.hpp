// Reflection of aggregates: number, names and addresses of members. For struct binding (bind.hpp);
// `meta` (meta.hpp) gives the rest.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// The most members of an aggregate that is bound without a `meta`.
inline constexpr std::size_t max_members = 40;

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

/// Stands for a member's initialiser when members are counted.
struct AnyMember {
    template <class T>
    operator T() const noexcept;  // never defined
};
template <class T, std::size_t... i>
consteval bool takes(std::index_sequence<i...>) {
    return requires { T{(static_cast<void>(i), AnyMember{})...}; };
}
/// The most initialisers that the aggregate takes; members that are aggregates count one,
/// std::array too. C arrays count each of their elements, and bases one.
template <class T, std::size_t n = max_members + 1>
consteval std::size_t member_count() {
    if constexpr (n == 0)
        return 0;
    else if constexpr (takes<T>(std::make_index_sequence<n>()))
        return n;
    else
        return member_count<T, n - 1>();
}

// clang-format off
template <class T, std::size_t... before, std::size_t... behind>
consteval bool takes_braces(std::index_sequence<before...>, std::index_sequence<behind...>) {
    return requires {
        T{(static_cast<void>(before), AnyMember{})..., {}, (static_cast<void>(behind), AnyMember{})...};
    };
}
/// True if an empty list at initialiser `i` of `n` initialises several of the `n` elements.
template <class T, std::size_t n, std::size_t i>
consteval bool is_c_array() {
    constexpr std::make_index_sequence<i> before;
    return !takes_braces<T>(before, std::make_index_sequence<n - i - 1>()) &&
           takes_braces<T>(before, std::index_sequence<>());
}
template <class T, std::size_t n>
consteval bool has_c_array() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return (is_c_array<T, n, i>() || ...);
    }(std::make_index_sequence<n>());
}
struct NoMember {};
template <class Derived>
struct AnyBase {
    template <class T>
        requires(std::is_base_of_v<T, Derived> && !std::is_same_v<T, Derived>)
    operator T() const noexcept;  // never defined
};
/// A base with one member and none beside it, as in `struct PlayerId : Id {}`, is accepted.
template <class T, std::size_t n>
consteval bool has_base() {
    constexpr bool base = requires { T{AnyBase<T>{}}; } && !requires { T{NoMember{}}; };
    constexpr bool alone = n == 1 && requires { T{{AnyMember{}}}; } &&
                           !requires { T{{AnyMember{}, AnyMember{}}}; };
    return base && !alone;
}
// clang-format on

/// The aggregate's number of members; if it can't be determined, a compile error with the reason.
template <class T>
consteval std::size_t aggregate_member_count() {
    constexpr std::size_t n = member_count<T>();
    constexpr bool derived = has_base<T, n>(), array = has_c_array<T, n>();
    constexpr bool many = n > max_members && !array;
    static_assert(!derived, "gdvar: a struct with a base class needs a gdvar::meta<T>");
    static_assert(!array, "gdvar: a C array can't be bound; use std::array");
    static_assert(!many, "gdvar: a struct of more than 40 members needs a gdvar::meta<T>");
    return derived || array || many ? 0 : n;
}

/// The same for a struct that `meta` describes; 0 if the members can't be counted.
template <class T>
consteval std::size_t countable_members() {
    constexpr std::size_t n = member_count<T>();
    if constexpr (n > max_members)
        return 0;
    else
        return has_base<T, n>() || has_c_array<T, n>() ? 0 : n;
}

// clang-format off
/// `f(members...)`: all members, in order, const if the object is.
template <class T, class F>
[[gnu::always_inline]] constexpr decltype(auto) with_members(T& object, F&& f) {
    constexpr std::size_t n = aggregate_member_count<std::remove_const_t<T>>();
    if constexpr (n == 0) return f();
    else if constexpr (n == 1) { auto& [m0] = object; return f(m0); }
    else if constexpr (n == 2) { auto& [m0, m1] = object; return f(m0, m1); }
    else if constexpr (n == 3) { auto& [m0, m1, m2] = object; return f(m0, m1, m2); }
    else if constexpr (n == 4) { auto& [m0, m1, m2, m3] = object; return f(m0, m1, m2, m3); }
    else if constexpr (n == 5) { auto& [m0, m1, m2, m3, m4] = object; return f(m0, m1, m2, m3, m4); }
    else if constexpr (n == 6) { auto& [m0, m1, m2, m3, m4, m5] = object; return f(m0, m1, m2, m3, m4, m5); }
    else if constexpr (n == 7) { auto& [m0, m1, m2, m3, m4, m5, m6] = object; return f(m0, m1, m2, m3, m4, m5, m6); }
    else if constexpr (n == 8) { auto& [m0, m1, m2, m3, m4, m5, m6, m7] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7); }
    else if constexpr (n == 9) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8); }
    else if constexpr (n == 10) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9); }
    else if constexpr (n == 11) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10); }
    else if constexpr (n == 12) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11); }
    else if constexpr (n == 13) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12); }
    else if constexpr (n == 14) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13); }
    else if constexpr (n == 15) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14); }
    else if constexpr (n == 16) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15); }
    else if constexpr (n == 17) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16); }
    else if constexpr (n == 18) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17); }
    else if constexpr (n == 19) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18); }
    else if constexpr (n == 20) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19); }
    else if constexpr (n == 21) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20); }
    else if constexpr (n == 22) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21); }
    else if constexpr (n == 23) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22); }
    else if constexpr (n == 24) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23); }
    else if constexpr (n == 25) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24); }
    else if constexpr (n == 26) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25); }
    else if constexpr (n == 27) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26); }
    else if constexpr (n == 28) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27); }
    else if constexpr (n == 29) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28); }
    else if constexpr (n == 30) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29); }
    else if constexpr (n == 31) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30); }
    else if constexpr (n == 32) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31); }
    else if constexpr (n == 33) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32); }
    else if constexpr (n == 34) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33); }
    else if constexpr (n == 35) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34); }
    else if constexpr (n == 36) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35); }
    else if constexpr (n == 37) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36); }
    else if constexpr (n == 38) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37); }
    else if constexpr (n == 39) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38); }
    else if constexpr (n == 40) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39] = object; return f(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39); }
}
// clang-format on

template <class T>
struct Nowhere {
    T object;
};
/// Never defined: only addresses inside it are used, at compile time.
template <class T>
extern const Nowhere<T> nowhere;

template <class Pointer>
struct MemberAddress {
    Pointer pointer;
};
template <MemberAddress address>
consteval std::string_view spelled() {
    return __PRETTY_FUNCTION__;
}

template <std::size_t i, class Item>
struct Leaf {
    Item item;
};
template <class Indices, class... Item>
struct Leaves;
/// A std::tuple that costs less to compile.
template <std::size_t... i, class... Item>
struct Leaves<std::index_sequence<i...>, Item...> : Leaf<i, Item>... {};
template <std::size_t i, class Item>
constexpr const Item& leaf(const Leaf<i, Item>& from) noexcept {
    return from.item;
}
/// A function, for a variable would need the object that is never defined.
template <class T>
consteval auto member_addresses() {
    return with_members(nowhere<T>.object, [](auto&... member) {
        return Leaves<std::index_sequence_for<decltype(member)...>, decltype(&member)...>{
            {&member}...};
    });
}
template <class T, std::size_t i>
using MemberOf = std::remove_const_t<
    std::remove_pointer_t<std::remove_cvref_t<decltype(leaf<i>(member_addresses<T>()))>>>;

/// True if `pointer` points to member `i`.
template <class T, std::size_t i, class Pointer>
constexpr bool is_member(Pointer pointer) {
    const auto* const address = &(nowhere<T>.object.*pointer);
    if constexpr (std::is_same_v<decltype(address), const MemberOf<T, i>* const>)
        return address == leaf<i>(member_addresses<T>());
    else
        return false;
}

/// The name of member `i`, from the compiler's spelling of its address: "...object.E::name)}; ..."
/// or "...object.name}]".
template <class T, std::size_t i>
consteval std::string_view member_name() {
    std::string_view text = spelled<MemberAddress{leaf<i>(member_addresses<T>())}>();
    const std::size_t gcc_end = text.find(")}");
    text = text.substr(0, gcc_end != text.npos ? gcc_end : text.rfind('}'));
    return text.substr(text.find_last_of(":.") + 1);
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace detail
}  // namespace gdvar
