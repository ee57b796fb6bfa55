// UTF-8: validity of text on the wire (wire-format 2.2), and single characters.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Rules for valid text (wire-format 2.2).
enum class Utf8Rule : std::uint8_t {
    strict,   ///< Unicode's own rule
    lenient,  ///< Godot 2 and 3: surrogates, values over U+10FFFF, 5- and 6-byte forms pass
};

/// True if an engine with that rule accepts `text`. Like the engines, ignores everything after the
/// first NUL. Cost: linear; ASCII runs at the speed of memory.
bool valid_text(std::string_view text, Utf8Rule rule) noexcept;

namespace utf8 {

/// The byte order mark, with which some programs begin a text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The result of `first`. Owns nothing.
struct Character {
    std::uint32_t code;  ///< its code point; 0 if the bytes are not UTF-8
    std::uint32_t size;  ///< its bytes; 0 if the bytes are not UTF-8
};

/// The character at the start of a text that is not empty, by Unicode's own rule.
Character first(std::string_view text) noexcept;
/// Appends a code point, in up to four bytes. The value must be below 2^21 and is otherwise not
/// checked, so a surrogate gets its three bytes.
void append(std::string& out, std::uint32_t code);

/// The text with U+FFFD in place of each incomplete character and of each other byte that is not
/// UTF-8, as Godot 4 and browsers replace them. At the text's end each byte of an incomplete
/// character becomes one, as in Godot. `goes_on`: the text is a part of a larger one, so such a
/// character becomes a single U+FFFD. Time: linear.
std::string repaired(std::string_view text, bool goes_on = false);
/// The text with each surrogate pair that is encoded as two halves (`ED A0 BD ED B1 BE`) joined to
/// one character: Godot 3 on Windows wrote characters beyond U+FFFF so. A lone half stays, or with
/// `spaces` becomes a space, as Godot 3.6 reads it. Nothing if nothing changes. Time: linear.
std::optional<std::string> with_joined_halves(std::string_view text, bool spaces = false);

/// True for a byte that continues a character.
constexpr bool continues(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}
/// The number of bytes, at most `most`, at which a longer text can be cut without cutting a
/// character. The size of a text that fits.
constexpr std::size_t cut(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most)
        return text.size();
    // A character has at most three continuation bytes.
    for (int i = 0; i < 3 && most && continues(text[most]); ++i)
        --most;
    return most;
}

/// True for the first or the second surrogate of a pair.
constexpr bool is_first_half(std::uint32_t unit) noexcept {
    return (unit & 0xFFFF'FC00u) == 0xD800u;
}
constexpr bool is_second_half(std::uint32_t unit) noexcept {
    return (unit & 0xFFFF'FC00u) == 0xDC00u;
}
/// The code point of a surrogate pair.
constexpr std::uint32_t joined(std::uint32_t first_half, std::uint32_t second_half) noexcept {
    return 0x1'0000 + ((first_half & 0x3FF) << 10) + (second_half & 0x3FF);
}

}  // namespace utf8

namespace detail {

/// The same for text that is probably not ASCII. `readable` bytes, at least the text's size, may be
/// read.
bool valid_text_beyond_ascii(std::string_view text, std::size_t readable, Utf8Rule rule) noexcept;

/// True if the first `n` bytes, 16 at most, are ASCII; 16 must be readable.
inline bool ascii_within_16(const std::byte* p, std::size_t n) noexcept {
#if defined(__SSE2__) && defined(__GNUC__)
    using Bytes [[gnu::vector_size(16)]] = char;
    Bytes bytes;
    std::memcpy(&bytes, p, 16);
    const auto high = static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128(bytes));
    return (high & ((std::uint32_t{1} << n) - 1)) == 0;
#elif defined(__wasm_simd128__)
    using Bytes [[gnu::vector_size(16)]] = signed char;
    Bytes bytes;
    std::memcpy(&bytes, p, 16);
    const auto high = static_cast<std::uint32_t>(__builtin_wasm_bitmask_i8x16(bytes));
    return (high & ((std::uint32_t{1} << n) - 1)) == 0;
#else
    std::byte all{};
    for (std::size_t i = 0; i < n; ++i)
        all |= p[i];
    return all < std::byte{0x80};
#endif
}

/// Short ASCII strings, the most frequent in packets, need no call.
inline bool valid_text_inline(std::string_view text, Utf8Rule rule) noexcept {
    constexpr std::uint64_t high = 0x8080'8080'8080'8080u;
    const char* p = text.data();
    std::size_t n = text.size();
    if (n >= 8) {
        if (n > 32)
            return valid_text_beyond_ascii(text, text.size(), rule);
        std::uint64_t all = 0, word;
        for (; n > 8; n -= 8, p += 8) {
            std::memcpy(&word, p, 8);
            all |= word;
        }
        std::memcpy(&word, p + n - 8, 8);
        if (((all | word) & high) == 0)
            return true;
        return valid_text_beyond_ascii(text, text.size(), rule);
    }
    unsigned char all = 0;
    if (n >= 4) {
        std::uint32_t a, b;
        std::memcpy(&a, p, 4);
        std::memcpy(&b, p + n - 4, 4);
        if (((a | b) & 0x8080'8080u) == 0)
            return true;
        return valid_text_beyond_ascii(text, text.size(), rule);
    }
    for (std::size_t i = 0; i < n; ++i)
        all |= static_cast<unsigned char>(p[i]);
    return all < 0x80 || valid_text_beyond_ascii(text, text.size(), rule);
}

}  // namespace detail
}  // namespace gdvar
