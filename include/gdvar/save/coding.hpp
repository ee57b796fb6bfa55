// Base64 and hex: packets as text.
// Room: save.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/text_error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Decodes standard Base64, as `Marshalls.variant_to_base64` writes it. White space is ignored, and
/// `=` at the end may be missing. Errors: bad_base64 at the wrong character, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, TextError> from_base64(std::string_view text);
std::string to_base64(ByteView bytes);
/// Decodes pairs of hex digits. White space and a leading `0x` are ignored. Errors: bad_hex at the
/// wrong character, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, TextError> from_hex(std::string_view text);
std::string to_hex(ByteView bytes);

/// How the digits of bytes stand in a text: enough to write other bytes in the same form.
struct DigitForm {
    enum class Digits : std::uint8_t { hex, base64 };
    Digits digits = Digits::base64;
    std::string before, behind;  ///< white space around them; before hex digits also "0x"
    std::size_t group = 0;       ///< digits between two separators; 0: there are none
    std::string separator;       ///< white space: a line end, the space between two bytes
    bool upper = false;          ///< of hex
    bool url = false;            ///< of Base64: with - and _, not + and /
    bool padded = true;          ///< of Base64: `=` at the end
};

/// Bytes, and the form of the text that they stood in.
struct DigitText {
    std::vector<std::byte> bytes;
    DigitForm form;
    /// Whether `digits_of(bytes, form)` is the text. Other texts, as with lines of different
    /// lengths, can be read, but not be written in their own form.
    bool exact = true;
};

/// Reads a text of digits. Base64 may also be in the URL alphabet. Errors: as from_base64 and
/// from_hex.
[[nodiscard]] std::expected<DigitText, TextError> read_digits(std::string_view text,
                                                              DigitForm::Digits digits);
/// The text of the bytes in that form.
std::string digits_of(ByteView bytes, const DigitForm& form);

}  // namespace gdvar
