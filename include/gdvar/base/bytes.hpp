// Bytes: little-endian loads and stores, the base of everything else.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gdvar/base/attributes.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Borrowed input bytes. Never owns.
using ByteView = std::span<const std::byte>;

namespace detail {

inline constexpr bool host_is_little = std::endian::native == std::endian::little;

template <class T>
    requires(std::is_arithmetic_v<T>)
constexpr T byteswap(T value) noexcept {
    auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i)
        std::swap(raw[i], raw[sizeof(T) - 1 - i]);
    return std::bit_cast<T>(raw);
}

/// Reads a little-endian T from `from`; no alignment is needed.
template <class T>
    requires(std::is_arithmetic_v<T>)
inline T load(const std::byte* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (!host_is_little)
        value = byteswap(value);
    return value;
}

/// Writes `value` little-endian at `to`; no alignment is needed.
template <class T>
    requires(std::is_arithmetic_v<T>)
inline void store(std::byte* to, T value) noexcept {
    if constexpr (!host_is_little)
        value = byteswap(value);
    std::memcpy(to, &value, sizeof value);
}

/// Hides `x` from the optimiser: its value, its bounds, and any equality with another variable. For
/// the few places where the optimised code is slower.
template <class T>
inline void do_not_optimize([[maybe_unused]] T& x) noexcept {
#if defined(__GNUC__)
    asm("" : "+r"(x));
#endif
}

/// memcpy for mostly short copies: two pieces, which may overlap.
[[gnu::always_inline]] inline void copy_short(std::byte* to, const std::byte* from,
                                              std::size_t n) noexcept {
    if (n > 32) {
        // With a known bound and an unknown size, compilers emit "rep movs", which takes longer to
        // start than the call to finish.
#if defined(__GNUC__)
        if (!__builtin_constant_p(n))
            do_not_optimize(n);
#endif
        std::memcpy(to, from, n);
    } else if (n >= 16) {
        std::memcpy(to, from, 16);
        std::memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        std::memcpy(to, from, 8);
        std::memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        std::memcpy(to, from, 4);
        std::memcpy(to + n - 4, from + n - 4, 4);
    } else if (n) {
        to[0] = from[0];
        to[n / 2] = from[n / 2];
        to[n - 1] = from[n - 1];
    }
}

/// True if a float holds the value exactly; false for NaN (wire-format 2.1).
inline bool fits_float(double value) noexcept {
    constexpr double most = static_cast<double>(std::numeric_limits<float>::max());
    if (!(value <= most && value >= -most))
        return value == std::numeric_limits<double>::infinity() ||
               value == -std::numeric_limits<double>::infinity();
    return static_cast<double>(static_cast<float>(value)) == value;
}

/// The number of bytes that pad `size` to a multiple of four.
constexpr std::size_t padding_of(std::size_t size) noexcept {
    return (4 - size % 4) % 4;
}

constexpr std::uint64_t padded_size(std::uint64_t size) noexcept {
    return (size + 3) & ~std::uint64_t{3};
}

inline std::string_view as_text(const std::byte* data, std::size_t size) noexcept {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace detail

/// The bytes of a text or another char sequence, borrowed.
inline ByteView as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

namespace detail {
template <class T>
concept ByteLike =
    std::same_as<T, std::byte> || std::same_as<T, char> || std::same_as<T, signed char> ||
    std::same_as<T, unsigned char> || std::same_as<T, char8_t>;
}  // namespace detail

/// A range of contiguous bytes: std::vector<std::uint8_t>, std::string, std::array<char, 16>,
/// std::span<const char>, ... C arrays are excluded, because a literal's NUL would count.
template <class Range>
concept ByteRange = !std::is_array_v<Range> && requires(const Range& range) {
    requires detail::ByteLike<std::remove_cvref_t<decltype(*std::data(range))>>;
    { std::size(range) } -> std::convertible_to<std::size_t>;
};
/// Byte ranges that do not convert to a ByteView by themselves.
template <class Range>
concept OtherByteRange = ByteRange<Range> && !std::convertible_to<const Range&, ByteView>;

/// The bytes of the range, borrowed.
template <ByteRange Range>
ByteView as_bytes(const Range& range GDVAR_LIFETIMEBOUND) noexcept {
    return {reinterpret_cast<const std::byte*>(std::data(range)),
            static_cast<std::size_t>(std::size(range))};
}

}  // namespace gdvar
