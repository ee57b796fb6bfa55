#include "file_bytes.hpp"

#include <cstdint>
#include <optional>

#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {
namespace {

/// The character's length by its lead byte; 0 for any other byte.
std::size_t promised(char byte, std::size_t most) noexcept {
    const auto lead = static_cast<unsigned char>(byte);
    if (lead < 0x80)
        return 1;
    std::size_t ones = 0;
    while (ones < 8 && (lead << ones & 0x80))
        ++ones;
    return ones >= 2 && ones <= most ? ones : 0;
}

/// The code point of a character whose lead byte gives its size. Nothing if Godot 3 refuses it;
/// Godot 3 takes some overlong forms.
std::optional<std::uint32_t> code_point(std::string_view bytes) noexcept {
    if (!valid_text(bytes, Utf8Rule::lenient))
        return std::nullopt;
    const auto lead = static_cast<unsigned char>(bytes[0]);
    std::uint32_t code = bytes.size() == 1 ? lead : lead & (0x7Fu >> bytes.size());
    for (const char next : bytes.substr(1))
        code = code << 6 | (static_cast<unsigned char>(next) & 0x3F);
    return code;
}

/// The number of characters by the lead bytes. Nothing if they need more bytes than there are.
std::optional<std::size_t> promised_characters(std::string_view bytes) noexcept {
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); ++count) {
        const std::size_t size = promised(bytes[at], 6);
        const bool overlong = size == 2 && (bytes[at] & 0x1E) == 0;
        if (!size || overlong || size > bytes.size() - at)
            return std::nullopt;
        at += size;
    }
    return count;
}

std::size_t behind(std::string_view text, std::size_t characters) noexcept {
    std::size_t at = 0;
    for (; characters && at < text.size(); --characters)
        do
            ++at;
        while (at < text.size() && utf8::continues(text[at]));
    return at;
}

}  // namespace

std::string decoded_by_godot_3(std::string_view bytes, std::string_view characters, bool spaces) {
    bytes = bytes.substr(0, bytes.find('\0'));
    const auto count = promised_characters(bytes);
    if (!count)
        return std::string(characters);
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = 0; at < bytes.size(); ++done) {
        const std::string_view next = bytes.substr(at, promised(bytes[at], 6));
        const auto code = code_point(next);
        if (!code)
            break;
        at += next.size();
        const bool half = utf8::is_first_half(*code) || utf8::is_second_half(*code);
        if (!spaces || !half) {
            if (*code <= 0x10'FFFF)
                utf8::append(out, *code);
            else
                out += next;
            continue;
        }
        const std::string_view pair = bytes.substr(at - next.size(), 2 * next.size());
        if (const auto joined = utf8::with_joined_halves(pair); joined && pair.size() == 6) {
            out += *joined;
            at += next.size();
            ++done;
        } else {
            out += ' ';
        }
    }
    const std::size_t kept = behind(characters, done);
    const std::size_t all = kept + behind(characters.substr(kept), *count - done);
    return out.append(characters.substr(kept, all - kept));
}

std::string_view told_by_godot_3(std::string_view bytes, std::string_view text) {
    if (utf8::with_joined_halves(bytes) == text)
        return "this engine joins characters in two halves, as Godot 3 wrote them on Windows";
    return "bytes that are not UTF-8 are other characters to this engine";
}

}  // namespace gdvar::detail
