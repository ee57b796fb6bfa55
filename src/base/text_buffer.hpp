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
#include <utility>

#include "gdvar/base/bytes.hpp"

/// Inlines what g++ would call. A size-optimised build calls.
#if defined(__GNUC__) && !defined(GDVAR_SMALL)
#define GDVAR_ALWAYS_INLINE [[gnu::always_inline]] inline
#define GDVAR_IS_LITERAL(text) __builtin_constant_p((text).size())
#else
#define GDVAR_ALWAYS_INLINE inline
#define GDVAR_IS_LITERAL(text) false
#endif

namespace gdvar::detail {

/// Copies the text and returns the end of the copy.
GDVAR_ALWAYS_INLINE char* copied_to(char* to, std::string_view text) noexcept {
    copy_short(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(text.data()),
               text.size());
    return to + text.size();
}

/// A string and the length of its text: the rest is spare room. A short piece is appended without a
/// call, and without std::string's NUL and short-string case. May throw bad_alloc.
class TextBuffer {
public:
    TextBuffer() = default;
    TextBuffer(const TextBuffer&) = delete;
    TextBuffer& operator=(const TextBuffer&) = delete;

    std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - all_.data()); }
    std::string_view view() const noexcept { return {all_.data(), size()}; }
    void clear() noexcept { end_ = all_.data(); }
    /// Returns the text and leaves the buffer empty.
    std::string take() {
        all_.resize(size());
        std::string out = std::exchange(all_, {});
        end_ = room_end_ = all_.data();
        return out;
    }

    void reserve(std::size_t room) {
        written(room, [](char* to) { return to; });
    }
    /// Appends the output of `write(to)`, which writes at most `most` bytes and returns their end.
    template <class Write>
    GDVAR_ALWAYS_INLINE void written(std::size_t most, Write&& write) {
        if (static_cast<std::size_t>(room_end_ - end_) < most)
            grow(most);
        end_ = write(end_);
    }
    GDVAR_ALWAYS_INLINE void operator+=(char c) {
        written(1, [=](char* to) { return *to = c, to + 1; });
    }
    GDVAR_ALWAYS_INLINE void operator+=(std::string_view text) {
        if (GDVAR_IS_LITERAL(text))
            written(text.size(), [=](char* to) { return copied_to(to, text); });
        else
            append(text);
    }
    void append(std::string_view text) {
        written(text.size(), [=](char* to) { return copied_to(to, text); });
    }
    void append(std::size_t count, char c) {
        written(count, [=](char* to) { return std::fill_n(to, count, c); });
    }
    template <std::integral T>
    void number(T value) {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        append_number(static_cast<Wide>(value));
    }

    /// Lends the text as a string, until the end of the expression, to functions that append to
    /// one.
    class AsString {
    public:
        explicit AsString(TextBuffer& of) : of_(of) { of_.all_.resize(of_.size()); }
        AsString(const AsString&) = delete;
        AsString& operator=(const AsString&) = delete;
        ~AsString() { of_.use_all(); }
        operator std::string&() const noexcept { return of_.all_; }

    private:
        TextBuffer& of_;
    };
    AsString string() { return AsString(*this); }

private:
    template <class T>
    void append_number(T value) {
        constexpr std::size_t most = std::numeric_limits<T>::digits10 + 2;
        written(most, [=](char* to) { return std::to_chars(to, to + most, value).ptr; });
    }
    /// Grows by a factor, so that the total takes linear time.
    [[gnu::noinline]] void grow(std::size_t most) {
        constexpr std::size_t least = 64;
        all_.resize(size());
        all_.reserve(std::max({all_.size() + most, 2 * all_.capacity(), least}));
        use_all();
    }
    /// Turns the string's spare capacity into room.
    void use_all() noexcept {
        const std::size_t size = all_.size();
        all_.resize_and_overwrite(all_.capacity(), [](char*, std::size_t n) { return n; });
        end_ = all_.data() + size;
        room_end_ = all_.data() + all_.size();
    }

    std::string all_;
    char *end_ = all_.data(), *room_end_ = end_;
};

}  // namespace gdvar::detail
