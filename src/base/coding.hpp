// Base64 and hexadecimal digits. Public: gdvar/save/coding.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar::detail {

struct Decoded {
    static constexpr std::size_t all = SIZE_MAX;

    std::size_t size;  ///< the number of bytes that were written
    /// Offset of the error; the text's size if characters are missing; `all` if there is none.
    std::size_t wrong_at;
    bool ok() const noexcept { return wrong_at == all; }
};

enum class Base64Rule : std::uint8_t {
    lenient,  ///< white space is skipped; `=` at the end may be missing
    engine,   ///< as in the engines' text: line ends are skipped, `=` is required
};

/// The most bytes that so many characters can encode.
constexpr std::size_t most_from_base64(std::size_t characters) noexcept {
    return characters / 4 * 3 + 3;
}
constexpr std::size_t most_from_hex(std::size_t characters) noexcept {
    return characters / 2;
}

/// Decodes standard Base64. `to` has space for `most_from_base64(text.size())` bytes.
GDVAR_EXPORT Decoded decode_base64(std::string_view text, Base64Rule rule, std::byte* to) noexcept;
/// Decodes pairs of digits; white space and a leading `0x` are passed over. `to` has space for
/// `most_from_hex(text.size())` bytes.
GDVAR_EXPORT Decoded decode_hex(std::string_view text, std::byte* to) noexcept;

GDVAR_EXPORT void append_base64(std::string& out, ByteView bytes);
GDVAR_EXPORT void write_hex(ByteView bytes, char* to) noexcept;
GDVAR_EXPORT void append_hex(std::string& out, ByteView bytes);
GDVAR_EXPORT void append_hex_digits(std::string& out, std::uint64_t value, int digits);
/// Appends a number without leading zeros.
GDVAR_EXPORT void append_hex_number(std::string& out, std::uint64_t value);
/// The same as a text, with `0x` before it.
inline std::string hex_number(std::uint64_t value) {
    std::string out = "0x";
    append_hex_number(out, value);
    return out;
}

}  // namespace gdvar::detail
