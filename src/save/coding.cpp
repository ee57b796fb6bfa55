#include "gdvar/save/coding.hpp"

#include <algorithm>
#include <new>

#include "base/coding.hpp"
#include "base/exceptions.hpp"
#include "save/printed_bytes.hpp"

namespace gdvar {
namespace {

/// What `decode(to)` writes, which is `most` bytes or less.
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

/// The text of the digits alone, without separators.
std::string bare_digits(ByteView bytes, const DigitForm& form) {
    std::string out;
    if (form.digits == DigitForm::Digits::hex) {
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

/// The form that the text seems to have.
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
        form.group = first;
        form.separator = body.substr(first, next - first);
    }
    form.upper = body.find_first_of("ABCDEF") != body.npos;
    const auto white_ones =
        std::ranges::count_if(body, [](char c) { return white_space.find(c) != white_space.npos; });
    form.padded =
        body.ends_with('=') || (body.size() - static_cast<std::size_t>(white_ones)) % 4 == 0;
    return form;
}

}  // namespace

std::string digits_of(ByteView bytes, const DigitForm& form) {
    if (form.digits > DigitForm::Digits::base64) {
        std::string out = form.before;
        save::append_printed(out, bytes, form);
        return out + form.behind;
    }
    const std::string all = bare_digits(bytes, form);
    std::string out = form.before;
    const std::size_t group = form.group ? form.group : all.size();
    for (std::size_t at = 0; at < all.size(); at += group) {
        if (at)
            out += form.separator;
        out.append(all, at, group);
    }
    return out + form.behind;
}

std::expected<DigitText, TextError> read_digits(std::string_view text,
                                                DigitForm::Digits digits) GDVAR_TRY {
    std::string standard;
    const bool base64 = digits == DigitForm::Digits::base64;
    if (!base64)
        if (const auto printed = read_printed_bytes(text);
            printed && printed->form.digits == DigitForm::Digits::dump)
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
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar
