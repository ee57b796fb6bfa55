#include "gdvar/save/coding.hpp"

#include <algorithm>
#include <new>

#include "base/coding.hpp"
#include "base/exceptions.hpp"
#include "save/printed_bytes.hpp"

namespace gdvar {
namespace {

/// The output of `decode(to)`, at most `most` bytes.
template <class Decode>
std::expected<std::vector<std::byte>, TextError> decoded(std::string_view text, std::size_t most,
                                                         Errc wrong, Decode&& decode) GDVAR_TRY {
    std::vector<std::byte> out(most);
    const detail::Decoded done = decode(out.data());
    if (!done.ok())
        return std::unexpected(text_error_at(text, done.wrong_at, wrong));
    out.resize(done.size);
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace

std::expected<std::vector<std::byte>, TextError> from_base64(std::string_view text) {
    return decoded(text, detail::most_from_base64(text.size()), Errc::bad_base64,
                   [=](std::byte* to) {
                       return detail::decode_base64(text, detail::Base64Rule::lenient, to);
                   });
}

std::string to_base64(ByteView bytes) {
    std::string out;
    detail::append_base64(out, bytes);
    return out;
}

std::expected<std::vector<std::byte>, TextError> from_hex(std::string_view text) {
    return decoded(text, detail::most_from_hex(text.size()), Errc::bad_hex,
                   [=](std::byte* to) { return detail::decode_hex(text, to); });
}

std::string to_hex(ByteView bytes) {
    std::string out;
    detail::append_hex(out, bytes);
    return out;
}

namespace {

using save::white_space;

std::string bare_digits(ByteView bytes, const DigitForm& form) {
    std::string out;
    if (form.digits != DigitForm::Digits::base64) {
        detail::append_hex(out, bytes);
        if (form.upper)
            std::ranges::transform(out, out.begin(), [](char c) {
                return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
            });
        return out;
    }
    detail::append_base64(out, bytes);
    if (!form.padded)
        out.resize(out.find_last_not_of('=') + 1);
    if (form.url) {
        std::ranges::replace(out, '+', '-');
        std::ranges::replace(out, '/', '_');
    }
    return out;
}

/// Numbers, or groups of digits, with separators.
void append_groups(std::string& out, ByteView bytes, const DigitForm& form) {
    const bool numbers = form.digits == DigitForm::Digits::decimal;
    const std::string all = numbers ? "" : bare_digits(bytes, form);
    const std::size_t size = numbers ? bytes.size() : all.size();
    const std::size_t group = numbers ? 1 : form.group ? form.group : size;
    for (std::size_t at = 0, count = 0; at < size; at += group, ++count) {
        if (count)
            out += form.line && count % form.line == 0 ? form.line_end : form.separator;
        if (numbers)
            out += std::to_string(static_cast<unsigned>(bytes[at]));
        else
            out.append(all, at, group);
    }
}

void append_python(std::string& out, ByteView bytes, const DigitForm& form) {
    constexpr std::string_view known = "\t\n\r", names = "tnr";
    for (const std::byte byte : bytes) {
        const char c = static_cast<char>(byte);
        if (c == '\\' || c == (form.upper ? '"' : '\''))
            (out += '\\') += c;
        else if (const std::size_t at = known.find(c); at != known.npos)
            (out += '\\') += names[at];
        else if (save::is_shown(byte))
            out += c;
        else
            detail::append_hex_digits(out += "\\x", static_cast<unsigned char>(byte), 2);
    }
}

/// In the format of xxd and `hexdump -C`. hexdump has the size in a last line.
void append_dump(std::string& out, ByteView bytes, const DigitForm& form) {
    const std::size_t size = form.line ? form.line : 16, group = form.group ? form.group : 2;
    const auto append_offset = [&](std::size_t at) {
        detail::append_hex_digits(out, at, static_cast<int>(form.places));
    };
    const std::string newline = form.line_end.empty() ? "\n" : form.line_end;
    const bool halves = !form.xxd;  // hexdump puts two spaces between the halves of a line
    ByteView above;
    bool starred = false;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
        const ByteView line = bytes.subspan(at, std::min(size, bytes.size() - at));
        const bool again = form.repeats && std::ranges::equal(line, above);
        if (at && !(again && starred))
            out.append(newline).append(again ? "*" : "");
        above = line;
        starred = again;
        if (again)
            continue;
        append_offset(at);
        out += form.xxd ? ": " : "  ";
        const std::string digits = bare_digits(line, form);
        for (std::size_t i = 0; i < digits.size(); i += group) {
            out.append(i ? 1 + (halves && i == 16) : 0, ' ');
            out.append(digits, i, group);
        }
        const auto width = [&](std::size_t count) {
            return count + (count - 1) / group + (halves && count > 16);
        };
        out.append(width(2 * size) - width(digits.size()), ' ');
        out += form.xxd ? "  " : "  |";
        for (const std::byte byte : line)
            out += save::is_shown(byte) ? static_cast<char>(byte) : '.';
        out += form.xxd ? "" : "|";
    }
    if (!form.xxd) {
        out += newline;
        append_offset(bytes.size());
    }
}

DigitForm form_of(std::string_view text, DigitForm::Digits digits, bool url) {
    DigitForm form;
    form.digits = digits;
    form.url = url;
    std::size_t start = std::min(text.find_first_not_of(white_space), text.size());
    if (digits == DigitForm::Digits::hex && text.substr(start).starts_with("0x"))
        start += 2;
    const std::size_t end = std::max(text.find_last_not_of(white_space) + 1, start);
    form.before = text.substr(0, start);
    form.behind = text.substr(end);
    const std::string_view body = text.substr(start, end - start);
    if (const std::size_t first = body.find_first_of(white_space); first != body.npos) {
        const std::size_t next = body.find_first_not_of(white_space, first);
        // Engines refuse Base64 with a space inside a line.
        const std::string_view between = body.substr(first, next - first);
        if (digits == DigitForm::Digits::hex || between.find('\n') != between.npos) {
            form.group = first;
            form.separator = between;
        }
    }
    form.upper = body.find_first_of("ABCDEF") != body.npos;
    const auto white_ones =
        std::ranges::count_if(body, [](char c) { return white_space.find(c) != white_space.npos; });
    form.padded =
        body.ends_with('=') || (body.size() - static_cast<std::size_t>(white_ones)) % 4 == 0;
    return form;
}

std::expected<DigitText, TextError> digits_in(std::string_view text, DigitForm::Digits digits) {
    std::string standard;
    const bool base64 = digits == DigitForm::Digits::base64;
    if (!base64 && save::has_offsets(text))
        return std::unexpected(text_error_at(text, 0, Errc::bad_hex, Type::nil,
                                             "the lines begin with offsets: it is a dump"));
    // The alphabets are not mixed.
    const bool url =
        base64 && text.find_first_of("-_") != text.npos && text.find_first_of("+/") == text.npos;
    if (url) {
        standard = text;
        std::ranges::replace(standard, '-', '+');
        std::ranges::replace(standard, '_', '/');
    }
    auto bytes = base64 ? from_base64(url ? standard : text) : from_hex(text);
    if (!bytes)
        return std::unexpected(bytes.error());
    DigitText out{*std::move(bytes), form_of(text, digits, url)};
    out.exact = digits_of(out.bytes, out.form) == text;
    return out;
}

}  // namespace

std::string digits_of(ByteView bytes, const DigitForm& form) {
    std::string out = form.before;
    const auto append = form.digits == DigitForm::Digits::python ? append_python
                        : form.digits == DigitForm::Digits::dump ? append_dump
                                                                 : append_groups;
    append(out, bytes, form);
    return out + form.behind;
}

std::expected<DigitText, TextError> read_digits(std::string_view text,
                                                DigitForm::Digits digits) GDVAR_TRY {
    return save::read_behind_mark(
        text, [digits](std::string_view part) { return digits_in(part, digits); });
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar
