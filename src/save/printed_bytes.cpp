#include "save/printed_bytes.hpp"

#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

#include "base/ascii.hpp"
#include "base/coding.hpp"
#include "base/exceptions.hpp"

namespace gdvar {
namespace {

using Form = DigitForm::Digits;
using detail::hex_value;
using detail::is_digit;
using save::white_space;

/// Of what is no form of bytes at all, the error is about its first character.
struct Wrong {
    std::size_t at = 0;
    std::string_view why{};
};

bool shows(std::byte byte) noexcept {
    return byte >= std::byte{0x20} && byte < std::byte{0x7F};
}

/// Takes a text apart from left to right. Every member that returns bool returns false with `wrong`
/// set.
class Printed {
public:
    explicit Printed(std::string_view text) : text_(text) {}

    bool run() {
        const std::size_t begin = std::min(text_.find_first_not_of(white_space), text_.size());
        end_ = text_.find_last_not_of(white_space) + 1;
        at_ = begin;
        const std::string_view all = text_.substr(begin, end_ - begin);
        if (all.starts_with("<Buffer"))
            return list(begin + 7, '>', true);
        if (all.starts_with("bytearray(b") && all.ends_with(')'))
            return python(begin + 11, end_ - 1);
        if (all.starts_with("b'") || all.starts_with("b\""))
            return python(begin + 1, end_);
        if (all.starts_with('[') || all.starts_with('{'))
            return brackets(begin);
        if (const std::size_t line = all.find('\n'); line != all.npos || all.find(": ") != all.npos)
            if (dump(begin))
                return true;
        return wrong.at <= begin && list(begin, '\0', true);
    }

    DigitText made;
    Wrong wrong;

private:
    bool fail(std::size_t at, std::string_view why) {
        wrong = {at, why};
        return false;
    }
    char peek(std::size_t at) const noexcept { return at < end_ ? text_[at] : '\0'; }
    std::string part(std::size_t begin, std::size_t end) const {
        return std::string(text_.substr(begin, end - begin));
    }

    /// `[15, 0]`, `{0x0f, 0x00}`, `{"type":"Buffer","data":[15,0]}`.
    bool brackets(std::size_t begin) {
        std::size_t open = begin;
        char close = text_[begin] == '[' ? ']' : '}';
        if (close == '}') {
            const std::string_view all = text_.substr(begin, end_ - begin);
            const std::size_t data = all.find("\"data\"");
            if (data != all.npos && data < 64 &&
                all.substr(0, data).find("\"Buffer\"") != all.npos) {
                open = text_.find('[', begin);
                close = ']';
                if (open == text_.npos)
                    return fail(begin, "no list of bytes");
            }
        }
        const std::size_t first = std::min(text_.find_first_not_of(white_space, open + 1), end_);
        const bool hex = text_.substr(first).starts_with("0x");
        return list(open + 1, close, hex);
    }

    /// One byte from `at_` on.
    bool byte(bool hex) {
        const std::size_t begin = at_;
        if (hex && peek(at_) == '0' && (peek(at_ + 1) | 0x20) == 'x')
            at_ += 2;
        unsigned value = 256;
        const auto [stop, error] = std::from_chars(
            text_.data() + at_, text_.data() + std::min(at_ + 3, end_), value, hex ? 16 : 10);
        const auto size = static_cast<std::size_t>(stop - (text_.data() + at_));
        if (error != std::errc() || value > 255 || (hex && size != 2))
            return fail(
                begin, hex ? "expected two hexadecimal digits" : "expected a number from 0 to 255");
        at_ += size;
        made.bytes.push_back(static_cast<std::byte>(value));
        return true;
    }

    /// Bytes with separators between, up to `close` and what follows it.
    bool list(std::size_t begin, char close, bool hex) {
        DigitForm& form = made.form;
        form.digits = hex ? Form::hex : Form::decimal;
        at_ = std::min(text_.find_first_not_of(white_space, begin), end_);
        const bool prefixed =
            hex && (text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X"));
        std::string_view separator;
        std::size_t last = at_;
        form.before = part(0, at_ + 2 * prefixed);
        const auto ends = [&] { return at_ >= end_ || (close && text_[at_] == close); };
        while (!ends()) {
            if (!byte(hex))
                return false;
            last = at_;
            while (at_ < end_ &&
                   (white_space.find(text_[at_]) != white_space.npos || text_[at_] == ',' ||
                    (!close && (text_[at_] == '-' || text_[at_] == ':'))))
                ++at_;
            if (at_ == last && !ends())
                return fail(at_, "expected a separator");
            const std::size_t next = at_ + (prefixed && peek(at_) == '0' ? 2 : 0);
            if (separator.empty() && !ends())
                separator = text_.substr(last, next - last);
            if (peek(at_) == '.' && text_.substr(at_).starts_with("... "))
                return fail(at_, "the print was cut: not all bytes are there");
        }
        if (close && peek(at_) != close)
            return fail(at_, "the list has no end");
        // Digits with nothing but white space between are hex.
        if (made.bytes.size() < 2 ||
            (!close && !prefixed && separator.find_first_of(",-:") == separator.npos))
            return fail(begin, "no list of bytes");
        const std::size_t behind = std::min(at_ + (close != 0), end_);
        const std::string_view rest = text_.substr(behind, end_ - behind);
        if (rest.find_first_not_of(" \t\r\n};") != rest.npos)
            return fail(at_, "more stands behind the bytes");
        form.behind = part(last, text_.size());
        form.separator = separator;
        form.group = hex ? 2 : 1;
        const std::string_view body = text_.substr(form.before.size(), last - form.before.size());
        form.upper = hex && body.find_first_of("ABCDEF") != body.npos;
        return true;
    }

    /// `'\x1b\x00abc'` as Python prints it.
    bool python(std::size_t begin, std::size_t end) {
        const char quote = text_[begin];
        if ((quote != '\'' && quote != '"') || end < begin + 2 || text_[end - 1] != quote)
            return fail(begin, "expected a closing quote");
        made.form.digits = Form::python;
        made.form.upper = quote == '"';
        made.form.before = part(0, begin + 1);
        made.form.behind = part(end - 1, text_.size());
        constexpr std::string_view letters = "\\'\"abfnrtv", values = "\\'\"\a\b\f\n\r\t\v";
        for (at_ = begin + 1; at_ < end - 1;) {
            const char c = text_[at_];
            if (c == quote || static_cast<unsigned char>(c) < 0x20 ||
                static_cast<unsigned char>(c) > 0x7E)
                return fail(at_, "not what Python prints");
            if (c != '\\') {
                made.bytes.push_back(static_cast<std::byte>(c));
                ++at_;
                continue;
            }
            const char next = peek(at_ + 1);
            const int high = hex_value(peek(at_ + 2)), low = hex_value(peek(at_ + 3));
            const std::size_t known = next ? letters.find(next) : letters.npos;
            if (next == 'x' && high >= 0 && low >= 0) {
                made.bytes.push_back(static_cast<std::byte>(high * 16 + low));
                at_ += 4;
            } else if (next == '0' && !is_digit(peek(at_ + 2))) {
                made.bytes.push_back(std::byte{0});
                at_ += 2;
            } else if (known != letters.npos) {
                made.bytes.push_back(static_cast<std::byte>(values[known]));
                at_ += 2;
            } else {
                return fail(at_, "no such escape");
            }
        }
        return true;
    }

    /// Lines of xxd, `hexdump -C` and `hexdump`: an offset, bytes, perhaps their characters.
    bool dump(std::size_t begin) {
        // A line may end with the character of a space.
        const std::size_t end = text_.find_last_not_of("\r\n") + 1;
        made = {};
        made.form.digits = Form::dump;
        made.form.before = part(0, begin);
        made.form.behind = part(end, text_.size());
        bool repeats = false;
        std::size_t lines = 0;
        for (std::size_t line = begin; line < end;) {
            const std::size_t next = std::min(text_.find('\n', line), end);
            std::size_t stop = next;
            if (stop > line && text_[stop - 1] == '\r')
                --stop;
            if (text_.substr(line, stop - line) == "*") {
                repeats = true;
            } else if (!dump_line(line, stop, lines++, repeats)) {
                return false;
            } else {
                repeats = false;
            }
            line = next + 1;
        }
        return lines > 1 || (lines == 1 && made.form.xxd) || fail(begin, "no dump");
    }

    bool dump_line(std::size_t at, std::size_t stop, std::size_t number, bool repeats) {
        const std::size_t start = at;
        std::size_t offset = 0, digits = 0;
        for (; at < stop && hex_value(text_[at]) >= 0 && digits < 16; ++at, ++digits)
            offset = offset * 16 + static_cast<std::size_t>(hex_value(text_[at]));
        const bool colon = at < stop && text_[at] == ':';
        if (digits < 6 || (!colon && at < stop && text_[at] != ' '))
            return fail(start, "no dump");
        at += colon;
        if (!number)
            made.form.xxd = colon;
        if (repeats && !again(offset))
            return fail(start, "the lines behind * do not fit the offset");
        if (offset != made.bytes.size())
            return fail(start, "the offset of this line does not fit the bytes above it");
        const std::size_t before = made.bytes.size();
        std::size_t width = 0;  // digits of a group
        for (;;) {
            std::size_t spaces = 0;
            while (at < stop && text_[at] == ' ')
                ++at, ++spaces;
            const std::size_t group = at;
            while (at < stop && hex_value(text_[at]) >= 0)
                ++at;
            const std::size_t size = at - group;
            const bool ends = at == stop || text_[at] == ' ';
            // xxd has two spaces in front of the characters, hexdump between two halves, too.
            if (!size || !ends || size % 2 || size > 32 ||
                (made.form.xxd && spaces != 1 && made.bytes.size() != before)) {
                at = group - spaces;
                break;
            }
            width = std::max(width, size);
            for (std::size_t i = 0; i < size; i += 2) {
                const auto value = static_cast<std::byte>(hex_value(text_[group + i]) * 16 +
                                                          hex_value(text_[group + i + 1]));
                made.bytes.push_back(value);
            }
            if (size == 4 && !made.form.xxd)
                std::swap(made.bytes.end()[-1], made.bytes.end()[-2]);
        }
        const std::size_t count = made.bytes.size() - before;
        if (!number) {
            made.form.group = count;
            made.form.width = width;
            made.form.places = digits;
        }
        if (count > made.form.group || count > 256)
            return fail(start, "no dump");
        return characters(at, stop, before) ||
               fail(at, "the characters of this line are not those of its bytes");
    }

    /// `|..ab|` or `..ab`, which must be those of the bytes; or nothing.
    bool characters(std::size_t at, std::size_t stop, std::size_t before) {
        std::string_view shown = text_.substr(at, stop - at);
        const auto bytes = ByteView(made.bytes).subspan(before);
        const std::size_t frame = made.form.xxd ? 0 : 1;
        if (shown.find_first_not_of(' ') == shown.npos && (frame || shown.size() < bytes.size()))
            return true;
        // They stand at the end of the line. A space may be one of them.
        const std::size_t size = bytes.size() + 2 * frame;
        if (shown.size() < size ||
            shown.substr(0, shown.size() - size).find_first_not_of(' ') != shown.npos)
            return false;
        shown.remove_prefix(shown.size() - size);
        if (frame && (shown.front() != '|' || shown.back() != '|'))
            return false;
        shown = shown.substr(frame, bytes.size());
        return shown.size() == bytes.size() &&
               std::equal(bytes.begin(), bytes.end(), shown.begin(), [](std::byte byte, char c) {
                   return c == (shows(byte) ? static_cast<char>(byte) : '.');
               });
    }

    /// Lines as the one above, up to an offset.
    bool again(std::size_t offset) {
        const std::size_t size = made.form.group;
        if (!size || made.bytes.size() < size || offset < made.bytes.size() ||
            offset > text_.size() * 4096)
            return false;
        while (made.bytes.size() < offset)
            made.bytes.push_back(made.bytes[made.bytes.size() - size]);
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0, end_ = 0;
};

}  // namespace

void save::append_printed(std::string& out, ByteView bytes, const DigitForm& form) {
    if (form.digits == Form::decimal) {
        for (std::size_t i = 0; i < bytes.size(); ++i)
            out.append(i ? form.separator : "")
                .append(std::to_string(static_cast<unsigned>(bytes[i])));
        return;
    }
    if (form.digits == Form::python) {
        const char quote = form.upper ? '"' : '\'';
        for (const std::byte byte : bytes) {
            const char c = static_cast<char>(byte);
            const std::size_t known = std::string_view("\t\n\r").find(c);
            if (c == '\\' || c == quote)
                (out += '\\') += c;
            else if (known != std::string_view::npos)
                (out += '\\') += "tnr"[known];
            else if (shows(byte))
                out += c;
            else
                detail::append_hex_digits(out += "\\x", static_cast<unsigned char>(byte), 2);
        }
        return;
    }
    for (std::size_t at = 0; at < bytes.size(); at += form.group) {
        const ByteView line = bytes.subspan(at, std::min(form.group, bytes.size() - at));
        const std::size_t begin = out.size() + (at != 0);
        if (at)
            out += '\n';
        detail::append_hex_digits(out, static_cast<std::uint32_t>(at),
                                  static_cast<int>(form.places));
        out += form.xxd ? ": " : "  ";
        const std::size_t group = form.width / 2;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (i && i % group == 0)
                out += !form.xxd && i == 8 ? "  " : " ";
            detail::append_hex_digits(out, static_cast<unsigned char>(line[i]), 2);
        }
        const std::size_t gaps =
            (form.group + group - 1) / group - 1 + (!form.xxd && form.group > 8);
        out.resize(std::max(out.size(), begin + form.places + 2 + 2 * form.group + gaps), ' ');
        out += form.xxd ? "  " : "  |";
        for (const std::byte byte : line)
            out += shows(byte) ? static_cast<char>(byte) : '.';
        out += form.xxd ? "" : "|";
    }
    if (!form.xxd) {
        out += '\n';
        detail::append_hex_digits(out, static_cast<std::uint32_t>(bytes.size()),
                                  static_cast<int>(form.places));
    }
}

std::expected<DigitText, TextError> read_printed_bytes(std::string_view text) GDVAR_TRY {
    Printed read(text);
    if (!read.run())
        return std::unexpected(
            text_error_at(text, read.wrong.at, Errc::bad_hex, Type::nil, read.wrong.why));
    DigitForm& form = read.made.form;
    read.made.exact = digits_of(read.made.bytes, form) == text;
    // A single line does not show how long lines are.
    if (!read.made.exact && form.digits == Form::dump && read.made.bytes.size() < 16) {
        form.group = 16;
        form.width = form.xxd ? 4 : 2;
        read.made.exact = digits_of(read.made.bytes, form) == text;
    }
    return std::move(read.made);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar
