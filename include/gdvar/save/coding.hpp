// Base64, hex, and bytes as programs print them: packets as text.
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

/// The form of bytes in a text: enough to write other bytes in the same form.
struct DigitForm {
    enum class Digits : std::uint8_t {
        hex,
        base64,
        decimal,  ///< `15, 0, 0`
        python,   ///< `\x0f\x00abc`; `upper`: in double quotes
        dump,     ///< lines of xxd or `hexdump -C`
    };
    Digits digits = Digits::base64;
    std::string before{}, behind{};  ///< around the digits: white space, "0x", "<Buffer "
    std::size_t group = 0;           ///< digits between two separators; 0: no separators
    std::string separator{};         ///< a line break, the space between two bytes, ", 0x"
    std::size_t line = 0;            ///< groups in a line, for a dump bytes; 0: no lines
    std::string line_end{};          ///< the separator between two lines; of a dump "" is "\n"
    bool upper = false;              ///< of hex
    bool url = false;                ///< of Base64: with - and _, not + and /
    bool padded = true;              ///< of Base64: `=` at the end
    // For a dump:
    bool xxd = false;        ///< a colon behind the offset; else as hexdump -C
    bool repeats = false;    ///< `*` stands for repeated lines; not for xxd
    std::size_t places = 8;  ///< digits of the offset
};

/// Bytes, and the form of their text.
struct DigitText {
    std::vector<std::byte> bytes;
    DigitForm form;
    /// True if `digits_of(bytes, form)` is the text. Other texts, as with lines of different
    /// lengths, can be read, but not be written in their own form.
    bool exact = true;
};

/// Reads a text of digits, with or without a byte order mark. Base64 may also be in the URL
/// alphabet. A dump is not hex: its offsets would be taken for bytes. Errors: as from_base64 and
/// from_hex.
[[nodiscard]] std::expected<DigitText, TextError> read_digits(std::string_view text,
                                                              DigitForm::Digits digits);
/// Reads bytes as programs print them, with or without a byte order mark: `[15, 0]` (Godot,
/// JavaScript), `<Buffer 0f 00>` and `{"type":"Buffer","data":[15,0]}` (Node), `b'\x0f\x00'`
/// (Python), `0F-00`, `0f:00`, `0x0f, 0x00` and `{0x0f, 0x00}` (C), and dumps by xxd and hexdump,
/// whose offsets and characters must fit the bytes. Time and memory: linear, since `*` in a dump
/// stands for at most 64 bytes for each character of the text. Errors: bad_hex at the first misfit;
/// truncated (a print that was cut, `... 50 more bytes`); size_limit (`*` stands for lines up to
/// more than `most` bytes); no_memory.
[[nodiscard]] std::expected<DigitText, TextError> read_printed_bytes(
    std::string_view text, std::uint64_t most = UINT64_MAX);
/// The text of the bytes in that form.
std::string digits_of(ByteView bytes, const DigitForm& form);

}  // namespace gdvar
