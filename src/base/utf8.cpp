#include "gdvar/base/utf8.hpp"

#include "base/utf8_wasm.hpp"
#include "base/utf8_x86.hpp"

namespace gdvar {
namespace {

using Byte = unsigned char;

/// Unicode's rule: shortest forms only, no surrogates, nothing over U+10FFFF.
bool strict_utf8(const Byte* p, const Byte* end) noexcept {
    while (p != end) {
        if (end - p >= 8) {
            std::uint64_t word;
            std::memcpy(&word, p, 8);
            if (!(word & 0x8080'8080'8080'8080u)) {
                p += 8;
                continue;
            }
        }
        const Byte lead = *p;
        if (lead < 0x80) {
            ++p;
            continue;
        }
        const std::ptrdiff_t left = end - p;
        if (lead >= 0xC2 && lead <= 0xDF) {
            if (left < 2 || (p[1] & 0xC0) != 0x80)
                return false;
            p += 2;
        } else if ((lead & 0xF0) == 0xE0) {
            if (left < 3 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80)
                return false;
            if ((lead == 0xE0 && p[1] < 0xA0) || (lead == 0xED && p[1] > 0x9F))
                return false;
            p += 3;
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            if (left < 4 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80 || (p[3] & 0xC0) != 0x80)
                return false;
            if ((lead == 0xF0 && p[1] < 0x90) || (lead == 0xF4 && p[1] > 0x8F))
                return false;
            p += 4;
        } else {
            return false;
        }
    }
    return true;
}

/// Godot 3's rule (String::parse_utf8): lead bytes up to the 6-byte form; overlong forms are
/// refused only with two bytes, and longer ones if their first ten bits are zero.
bool lenient_utf8(const Byte* p, const Byte* end) noexcept {
    while (p != end) {
        const Byte lead = *p;
        std::ptrdiff_t n = 1;
        if (lead < 0x80)
            n = 1;
        else if ((lead & 0xE0) == 0xC0)
            n = 2;
        else if ((lead & 0xF0) == 0xE0)
            n = 3;
        else if ((lead & 0xF8) == 0xF0)
            n = 4;
        else if ((lead & 0xFC) == 0xF8)
            n = 5;
        else if ((lead & 0xFE) == 0xFC)
            n = 6;
        else
            return false;
        if (n > end - p || (n == 2 && (lead & 0x1E) == 0))
            return false;
        std::uint32_t value = n == 1 ? lead : (0xFFu >> (n + 1)) & lead;
        for (std::ptrdiff_t i = 1; i < n; ++i) {
            if ((p[i] & 0xC0) != 0x80)
                return false;
            if (value == 0 && i == 2 && ((p[i] & 0x7Fu) >> (7 - n)) == 0)
                return false;
            value = value << 6 | (p[i] & 0x3Fu);
        }
        p += n;
    }
    return true;
}

bool valid(std::string_view text, Utf8Rule rule) noexcept {
    const auto* p = reinterpret_cast<const Byte*>(text.data());
    return rule == Utf8Rule::strict ? strict_utf8(p, p + text.size())
                                    : lenient_utf8(p, p + text.size());
}

[[gnu::noinline]] bool valid_by_bytes(std::string_view text, Utf8Rule rule) noexcept {
    if (valid(text, rule))
        return true;
    const std::size_t nul = text.find('\0');
    return nul != std::string_view::npos && valid(text.substr(0, nul), rule);
}

/// Size and code point of the character at `p`, whose first byte is not ASCII; {0, 0} if it is not
/// UTF-8 by Unicode's rule.
utf8::Character long_character(const Byte* p, std::size_t left) noexcept {
    const Byte lead = p[0];
    const std::uint32_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4 || left < size)
        return {0, 0};
    std::uint32_t code = lead & (0x7Fu >> size);
    for (std::uint32_t i = 1; i < size; ++i) {
        if ((p[i] & 0xC0) != 0x80)
            return {0, 0};
        code = code << 6 | (p[i] & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x1'0000};
    const bool sound = code >= least[size] && code <= 0x10'FFFF && (code & 0xFFFF'F800u) != 0xD800u;
    return sound ? utf8::Character{code, size} : utf8::Character{0, 0};
}

}  // namespace

utf8::Character utf8::first(std::string_view text) noexcept {
    const auto* p = reinterpret_cast<const Byte*>(text.data());
    return *p < 0x80 ? Character{*p, 1} : long_character(p, text.size());
}

void utf8::append(std::string& out, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    const auto tail = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80)
        return put(code);
    if (code < 0x800) {
        put(0xC0 | code >> 6);
    } else {
        if (code < 0x1'0000) {
            put(0xE0 | code >> 12);
        } else {
            put(0xF0 | code >> 18);
            tail(12);
        }
        tail(6);
    }
    tail(0);
}

bool detail::valid_text_beyond_ascii(std::string_view text, std::size_t readable,
                                     Utf8Rule rule) noexcept {
#ifdef GDVAR_UTF8_AVX2
    // Valid UTF-8 by Unicode's rule is valid by Godot 3's.
    const auto* p = reinterpret_cast<const Byte*>(text.data());
    const std::size_t n = text.size();
    if (readable >= 32 && n < 32 && detail::has_avx2) {
        if (detail::Utf8Avx2::short_valid(p, n)) [[likely]]
            return true;
    } else if (n >= 24 && detail::has_avx2) {
        if (detail::Utf8Avx2::valid(p, n, readable)) [[likely]]
            return true;
    }
#elif defined(GDVAR_UTF8_WASM)
    if (readable - text.size() >= 16 &&
        detail::Utf8Wasm::valid(reinterpret_cast<const Byte*>(text.data()), text.size()))
        return true;
#else
    (void)readable;
#endif
    return valid_by_bytes(text, rule);
}

bool valid_text(std::string_view text, Utf8Rule rule) noexcept {
    return detail::valid_text_inline(text, rule);
}

namespace {

/// The character's length by its lead byte; 1 for any other byte.
std::size_t promised(char byte) noexcept {
    const auto lead = static_cast<unsigned char>(byte);
    return lead >= 0xF0 && lead < 0xF8   ? 4
           : lead >= 0xE0 && lead < 0xF0 ? 3
           : lead >= 0xC0 && lead < 0xE0 ? 2
                                         : 1;
}

/// The number of bytes that one U+FFFD replaces. `rest` does not begin with a character.
std::size_t replaced(std::string_view rest, bool goes_on) noexcept {
    const std::size_t size = promised(rest[0]);
    const auto lead = static_cast<unsigned char>(rest[0]);
    const int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t good = 1; good < size; ++good) {
        if (good == rest.size())
            return goes_on ? good : 1;
        const auto next = static_cast<unsigned char>(rest[good]);
        if (good == 1 ? next < least || next > most : !utf8::continues(rest[good]))
            return good;
    }
    return 1;
}

/// The surrogate in the first three bytes, or 0.
std::uint32_t half_at(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.size() < 3 || byte(0) != 0xED || byte(1) < 0xA0 || byte(1) > 0xBF ||
        !utf8::continues(text[2]))
        return 0;
    return 0xD000u | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
}

}  // namespace

std::string utf8::repaired(std::string_view text, bool goes_on) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (const Character character = first(rest); character.size) {
            out += rest.substr(0, character.size);
            at += character.size;
        } else {
            append(out, 0xFFFD);
            at += replaced(rest, goes_on);
        }
    }
    return out;
}

std::optional<std::string> utf8::with_joined_halves(std::string_view text, bool spaces) {
    std::optional<std::string> out;
    std::size_t copied = 0;
    for (std::size_t at = 0; (at = text.find('\xED', at)) != text.npos;) {
        const std::uint32_t half = half_at(text.substr(at));
        const std::uint32_t next = is_first_half(half) ? half_at(text.substr(at + 3)) : 0;
        const bool pair = is_second_half(next);
        const std::size_t size = half ? (pair ? 6 : 3) : 1;
        if (half && (pair || spaces)) {
            if (!out)
                out.emplace();
            out->append(text.substr(copied, at - copied));
            append(*out, pair ? joined(half, next) : ' ');
            copied = at + size;
        }
        at += size;
    }
    if (out)
        out->append(text.substr(copied));
    return out;
}

}  // namespace gdvar
