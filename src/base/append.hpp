// Appends to a string without a call where it has room.
// Room: base, private.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "gdvar/base/bytes.hpp"

/// Where g++ would call. A build for size does call.
#if defined(__GNUC__) && !defined(GDVAR_SMALL)
#define GDVAR_ALWAYS_INLINE [[gnu::always_inline]] inline
#define GDVAR_IS_LITERAL(text) __builtin_constant_p((text).size())
#else
#define GDVAR_ALWAYS_INLINE inline
#define GDVAR_IS_LITERAL(text) false
#endif

namespace gdvar::detail {

/// Makes room for `most` more bytes, so that growing takes linear time in all.
[[gnu::noinline]] inline void make_room(std::string& out, std::size_t most) {
    constexpr std::size_t least = 64;
    out.reserve(std::max({out.size() + most, 2 * out.capacity(), least}));
}

/// Appends what `write(to)` writes from `to` on, at most `most` bytes; it returns their end.
template <class Write>
GDVAR_ALWAYS_INLINE void append_written(std::string& out, std::size_t most, Write&& write) {
    const std::size_t size = out.size();
    if (out.capacity() - size < most)
        make_room(out, most);
#if defined(__GNUC__)
    if (size + most > out.capacity())
        __builtin_unreachable();  // spares the code that would grow here, too
#endif
    out.resize_and_overwrite(size + most, [&](char* all, std::size_t) {
        return static_cast<std::size_t>(write(all + size) - all);
    });
}

GDVAR_ALWAYS_INLINE char* copied_to(char* to, std::string_view text) noexcept {
    copy_short(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(text.data()),
               text.size());
    return to + text.size();
}

inline void append_text(std::string& out, std::string_view text) {
    append_written(out, text.size(), [=](char* to) { return copied_to(to, text); });
}

template <std::integral T>
void append_number(std::string& out, T value) {
    constexpr std::size_t most = std::numeric_limits<T>::digits10 + 2;
    append_written(out, most, [=](char* to) { return std::to_chars(to, to + most, value).ptr; });
}

/// A string to which many short texts are appended.
class Appended {
public:
    explicit Appended(std::string& to) noexcept : to_(to) {}
    operator std::string&() const noexcept { return to_; }

    GDVAR_ALWAYS_INLINE void operator+=(char c) const {
        append_written(to_, 1, [=](char* to) { return *to = c, to + 1; });
    }
    GDVAR_ALWAYS_INLINE void operator+=(std::string_view text) const {
        if (GDVAR_IS_LITERAL(text))
            append_written(to_, text.size(), [=](char* to) { return copied_to(to, text); });
        else
            append_text(to_, text);
    }
    void append(std::size_t count, char c) const {
        append_written(to_, count, [=](char* to) { return std::fill_n(to, count, c); });
    }
    template <std::integral T>
    void number(T value) const {
        append_number(to_, static_cast<Wide<T>>(value));
    }

private:
    template <class T>
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

    std::string& to_;
};

}  // namespace gdvar::detail
