// KeyedHash: for hash tables with keys from an attacker.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {
std::uint64_t hash_text(std::string_view text) noexcept;
std::uint64_t hash_integer(std::int64_t value) noexcept;
std::uint64_t hash_math(const MathView& value) noexcept;
}  // namespace detail

/// A hasher for `std::unordered_map` and similar tables that are filled from packets:
/// `std::unordered_map<std::string, int, gdvar::KeyedHash, std::equal_to<>>`. It is SipHash-1-3
/// under a key that each process makes once from the system's randomness. Nobody outside the
/// process can choose keys that collide; with std::hash anybody can.
///
/// It takes texts (std::string, String, StringName, a literal; each can be used to look up the
/// others), integers, enums and the math structs. Values that are equal by `==`, such as 0.0 and
/// -0.0, have equal hashes. The hashes differ from process to process: they are not for files.
struct KeyedHash {
    using is_transparent = void;

    std::size_t operator()(std::string_view text) const noexcept {
        return static_cast<std::size_t>(detail::hash_text(text));
    }
    template <class T>
        requires(std::integral<T> || std::is_enum_v<T>)
    std::size_t operator()(T value) const noexcept {
        return static_cast<std::size_t>(detail::hash_integer(static_cast<std::int64_t>(value)));
    }
    template <MathType T>
    std::size_t operator()(const T& value) const noexcept {
        return static_cast<std::size_t>(
            detail::hash_math({MathTraits<T>::type, MathTraits<T>::wide, true,
                               reinterpret_cast<const std::byte*>(&value)}));
    }
};

}  // namespace gdvar

/// That of KeyedHash: equal for 0.0 and -0.0, and from process to process another.
template <gdvar::MathType T>
struct std::hash<T> : gdvar::KeyedHash {};
