#include "save/printed_bytes.hpp"

#include <algorithm>
#include <charconv>
#include <new>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"

namespace gdvar {
namespace {

using Form = DigitForm::Digits;
using detail::hex_value;
using detail::is_digit;
using save::white_space;

/// A form in which bytes follow each other.
struct ListForm {
    std::string_view open, close;  ///< a space in them means any white space or none
    Form digits;
    std::string_view prefix;  ///< of each byte
    char mark;  ///< separates two bytes, with any white space around it; ' ': white space alone
};
constexpr ListForm lists[] = {
    {"[", "]", Form::decimal, "", ','},                                      // Godot, JavaScript
    {R"({ "type" : "Buffer" , "data" : [)", "] }", Form::decimal, "", ','},  // Node, as JSON
    {"<Buffer", ">", Form::hex, "", ' '},                                    // Node
    {"[", "]", Form::hex, "0x", ','},                                        // Rust, JavaScript
    {"{", "}", Form::hex, "0x", ','},                                        // C
    {"{", "};", Form::hex, "0x", ','},                                       // C
    {"", "", Form::hex, "0x", ','},                                          // C, `xxd -i`
    {"", "", Form::hex, "", '-'},                                            // .NET
    {"", "", Form::hex, "", ':'},                                            // packet tools
};

/// Python's text around the quotes.
constexpr std::string_view python_forms[][2] = {{"bytearray(b", ")"}, {"b", ""}};

constexpr std::size_t least_offset = 6, most_offset = 16;  ///< digits
/// The most bytes that `*` in a dump may stand for, per character of the text.
constexpr std::uint64_t most_repeated = 64;

/// Parses a text from left to right. Functions that return bool return false with `wrong` set.
class Printed {
public:
    Printed(std::string_view text, std::uint64_t most)
        : text_(text),
          begin_(std::min(text.find_first_not_of(white_space), text.size())),
          end_(std::max(text.find_last_not_of(white_space) + 1, begin_)),
          most_(most) {
        (void)fail(begin_, "no bytes as programs print them");
    }

    bool run() {
        if (dump() || std::ranges::any_of(lists, [this](const ListForm& row) { return list(row); }))
            return true;
        const std::string_view all = text_.substr(begin_, end_ - begin_);
        for (const auto& [open, close] : python_forms)
            if (all.starts_with(open) && all.ends_with(close))
                return python(begin_ + open.size(), end_ - close.size());
        return false;
    }

    DigitText made;
    TextError wrong{};  ///< by the form that fits most of the text; without line and column

private:
    bool fail(std::size_t at, std::string_view why, Errc code = Errc::bad_hex) {
        if (wrong.code == Errc::ok || at > wrong.offset)
            wrong = {.code = code, .offset = at, .detail = why};
        return false;
    }
    char peek(std::size_t at) const noexcept { return at < end_ ? text_[at] : '\0'; }
    std::string part(std::size_t begin, std::size_t end) const {
        return std::string(text_.substr(begin, end - begin));
    }
    void start(Form digits) {
        made = {};
        made.form.digits = digits;
        at_ = begin_;
    }

    // ---- lists

    bool space() {
        const std::size_t before = at_;
        at_ = std::min(text_.find_first_not_of(white_space, at_), end_);
        return at_ > before;
    }
    /// Skips an opening or closing part.
    bool literal(std::string_view wanted) {
        for (const char c : wanted) {
            if (c == ' ')
                space();
            else if (peek(at_) != c)
                return false;
            else
                ++at_;
        }
        return true;
    }
    bool mark(char wanted) {
        const bool spaced = space();
        if (wanted == ' ' || peek(at_) != wanted)
            return wanted == ' ' && spaced;
        ++at_;
        space();
        return true;
    }

    bool list(const ListForm& row) {
        start(row.digits);
        if (!literal(row.open))
            return false;
        space();
        const std::size_t first = at_ + row.prefix.size();
        std::size_t last = at_;
        const auto ends = [&] {
            return at_ >= end_ || (!row.close.empty() && text_[at_] == row.close[0]);
        };
        for (bool marked = true; !ends(); marked = mark(row.mark)) {
            if (!marked)
                return fail(at_, "expected the mark that stands between the other bytes");
            if (!byte(row, last))
                return false;
            last = at_;
        }
        if (!literal(row.close))
            return fail(at_, "the list has no end");
        if (at_ < end_)
            return fail(at_, "more stands behind the bytes");
        // Digits without brackets or separators are hex, or a number.
        if (made.bytes.size() < 2)
            return false;
        made.form.before = part(0, first);
        made.form.behind = part(last, text_.size());
        made.form.group = row.digits == Form::hex ? 2 : 1;
        return true;
    }

    /// One byte. `last`: end of the previous byte.
    bool byte(const ListForm& row, std::size_t last) {
        const bool hex = row.digits == Form::hex;
        if (text_.substr(at_).starts_with("..."))
            return fail(at_, "the print was cut: not all bytes are there", Errc::truncated);
        if (!text_.substr(at_, end_ - at_).starts_with(row.prefix))
            return fail(at_, "expected 0x");
        const std::size_t begin = at_ + row.prefix.size();
        unsigned value = 256;
        const auto [stop, error] = std::from_chars(
            text_.data() + begin, text_.data() + std::min(begin + 3, end_), value, hex ? 16 : 10);
        const auto size = static_cast<std::size_t>(stop - text_.data()) - begin;
        if (error != std::errc() || (hex && size != 2))
            return fail(begin, hex ? "expected two hexadecimal digits" : "expected a number");
        if (value > 255 || (!hex && size > 1 && text_[begin] == '0'))
            return fail(begin, "expected a number from 0 to 255");
        if (!made.bytes.empty())
            between(text_.substr(last, begin - last));
        if (hex)
            case_of(text_.substr(begin, size));
        at_ = begin + size;
        made.bytes.push_back(static_cast<std::byte>(value));
        return true;
    }
    /// Notes the separator of two bytes or lines.
    void between(std::string_view gap) {
        DigitForm& form = made.form;
        if (form.separator.empty()) {
            form.separator = gap;
        } else if (!form.line && gap != form.separator) {
            form.line = made.bytes.size();
            form.line_end = gap;
        }
    }
    void case_of(std::string_view digits) {
        made.form.upper = made.form.upper || digits.find_first_of("ABCDEF") != digits.npos;
    }

    // ---- Python

    /// `'\x1b\x00abc'`
    bool python(std::size_t begin, std::size_t end) {
        const char quote = peek(begin);
        start(Form::python);
        if ((quote != '\'' && quote != '"') || end < begin + 2 || text_[end - 1] != quote)
            return fail(begin, "expected a text in quotes");
        made.form.upper = quote == '"';
        made.form.before = part(0, begin + 1);
        made.form.behind = part(end - 1, text_.size());
        for (at_ = begin + 1; at_ < end - 1;) {
            const char c = text_[at_];
            if (c == quote || !save::is_shown(static_cast<std::byte>(c)))
                return fail(at_, "Python prints an escape for it");
            if (c != '\\') {
                made.bytes.push_back(static_cast<std::byte>(c));
                ++at_;
            } else if (!escape()) {
                return false;
            }
        }
        return at_ == end - 1 || fail(end - 1, "the quote is part of an escape");
    }
    bool escape() {
        constexpr std::string_view letters = "\\'\"abfnrtv", values = "\\'\"\a\b\f\n\r\t\v";
        const char next = peek(at_ + 1);
        const int high = hex_value(peek(at_ + 2)), low = hex_value(peek(at_ + 3));
        const std::size_t known = next ? letters.find(next) : letters.npos;
        const bool zero = next == '0' && !is_digit(peek(at_ + 2));
        const bool hex = next == 'x' && high >= 0 && low >= 0;
        if (!hex && !zero && known == letters.npos)
            return fail(at_, "no such escape");
        made.bytes.push_back(static_cast<std::byte>(hex    ? high * 16 + low
                                                    : zero ? 0
                                                           : values[known]));
        at_ += hex ? 4 : 2;
        return true;
    }

    // ---- dumps

    /// Lines of xxd, `hexdump -C` and `hexdump`: an offset, bytes, perhaps their characters.
    bool dump() {
        start(Form::dump);
        // A line may end with the character of a space.
        const std::size_t end = std::max(text_.find_last_not_of("\r\n") + 1, begin_);
        made.form.before = part(0, begin_);
        made.form.behind = part(end, text_.size());
        // All lines may be indented, as in a block of code in Markdown.
        std::string indent = made.form.before.substr(made.form.before.rfind('\n') + 1);
        lines_ = {};
        for (std::size_t line = begin_; line < end;) {
            const std::size_t next = std::min(text_.find('\n', line), end);
            const std::size_t stop = next > line && text_[next - 1] == '\r' ? next - 1 : next;
            at_ = line;
            if (text_.substr(line, stop - line) == "*" && lines_.count && !lines_.ended) {
                lines_.repeats = true;
                made.form.repeats = !made.form.xxd;
            } else if (!dump_line(stop)) {
                return false;
            }
            line = next + 1;
            if (line < end && made.form.line_end.empty())
                made.form.line_end = part(stop, line);
            // What one line lacks is no indent of the dump: written before each, it could be long.
            if (line < end && !text_.substr(line).starts_with(indent))
                indent.clear();
            line += indent.size();
        }
        if (!made.form.line_end.empty())
            made.form.line_end += indent;
        if (made.form.line_end == "\n")
            made.form.line_end.clear();
        if (made.bytes.empty() || lines_.repeats)
            return false;
        if (made.form.group > 4 && !lines_.ordered)
            return fail(lines_.first_group, unordered);
        return true;
    }
    static constexpr std::string_view unordered =
        "the order of the bytes in groups of so many digits is not known";

    bool dump_line(std::size_t stop) {
        const std::size_t start = at_;
        if (!offset(stop))
            return false;
        const std::size_t before = made.bytes.size();
        const bool blank = text_.substr(at_, stop - at_).find_first_not_of(' ') == text_.npos;
        if (lines_.closed || (lines_.ended && !blank))
            return fail(start, "only the last line may be shorter");
        if (!groups(stop))
            return false;
        const std::size_t count = made.bytes.size() - before;
        if (!lines_.count++)
            made.form.line = count;
        if (count > made.form.line)
            return fail(start, "this line is longer than the first");
        lines_.ended = count < made.form.line;
        lines_.closed = count == 0;
        return characters(stop, before) ||
               fail(at_, "the characters of this line are not those of its bytes");
    }

    /// Reads an offset, which must be the number of bytes so far.
    bool offset(std::size_t stop) {
        const std::size_t begin = at_;
        std::uint64_t offset = 0;
        for (; at_ < stop && hex_value(text_[at_]) >= 0 && at_ - begin < most_offset; ++at_)
            offset = offset * 16 + static_cast<std::uint64_t>(hex_value(text_[at_]));
        const bool colon = at_ < stop && text_[at_] == ':';
        const std::size_t places = at_ - begin;
        if (places < least_offset || (!colon && at_ < stop && text_[at_] != ' '))
            return fail(begin, "a line of a dump begins with an offset");
        at_ += colon;
        if (!lines_.count) {
            made.form.xxd = colon;
            made.form.places = places;
        }
        if (lines_.repeats && !again(offset))
            return fail(begin, "the lines that * stands for do not fit the offset");
        lines_.repeats = false;
        // An odd number of bytes is padded to a word.
        if (lines_.words && !lines_.closed && at_ == stop && offset + 1 == made.bytes.size() &&
            made.bytes.back() == std::byte{0})
            made.bytes.pop_back();
        return (offset == made.bytes.size() && colon == made.form.xxd) ||
               fail(begin, "the offset of this line does not fit the bytes above it");
    }

    bool groups(std::size_t stop) {
        DigitForm& form = made.form;
        bool short_one = false;
        for (bool first = true;; first = false) {
            const std::size_t gap = at_;
            while (at_ < stop && text_[at_] == ' ')
                ++at_;
            const std::size_t begin = at_, spaces = begin - gap;
            while (at_ < stop && hex_value(text_[at_]) >= 0)
                ++at_;
            const std::size_t size = at_ - begin;
            // xxd has two spaces before the characters, hexdump also between two halves.
            if (!size || (at_ < stop && text_[at_] != ' ') || (form.xxd && spaces != 1 && !first)) {
                at_ = gap;
                return true;
            }
            if (!form.group) {
                form.group = size;
                lines_.first_group = begin;
                lines_.words = !form.xxd && size == 4;
            }
            if (form.group % 2 || form.group > 32 || (!form.xxd && form.group > 4))
                return fail(begin, unordered);
            if (short_one || size > form.group || size % 2 || (size < form.group && !form.xxd))
                return fail(begin, "the groups of digits have different sizes");
            short_one = size < form.group;
            for (std::size_t i = 0; i < size; i += 2)
                made.bytes.push_back(static_cast<std::byte>(hex_value(text_[begin + i]) * 16 +
                                                            hex_value(text_[begin + i + 1])));
            if (lines_.words)
                std::swap(made.bytes.end()[-1], made.bytes.end()[-2]);
            case_of(text_.substr(begin, size));
        }
    }

    /// `|..ab|` or `..ab`, which must match the bytes; or nothing.
    bool characters(std::size_t stop, std::size_t before) {
        std::string_view shown = text_.substr(at_, stop - at_);
        const auto bytes = ByteView(made.bytes).subspan(before);
        const std::size_t frame = made.form.xxd ? 0 : 1;
        if (shown.find_first_not_of(' ') == shown.npos)
            return true;
        // They are at the end of the line. A space may be one of them.
        const std::size_t size = bytes.size() + 2 * frame;
        if (shown.size() < size ||
            shown.substr(0, shown.size() - size).find_first_not_of(' ') != shown.npos)
            return false;
        shown.remove_prefix(shown.size() - size);
        if (frame && (shown.front() != '|' || shown.back() != '|'))
            return false;
        shown = shown.substr(frame, bytes.size());
        // In groups of reversed bytes these would not match.
        const std::size_t group = made.form.group / 2;
        for (std::size_t at = 0; group && at + group <= shown.size(); at += group) {
            const std::string_view one = shown.substr(at, group);
            lines_.ordered = lines_.ordered || !std::equal(one.begin(), one.end(), one.rbegin());
        }
        return std::ranges::equal(bytes, shown, [](std::byte byte, char c) {
            return c == (save::is_shown(byte) ? static_cast<char>(byte) : '.');
        });
    }

    /// Repeats the previous line up to an offset.
    bool again(std::uint64_t offset) {
        const std::size_t line = made.form.line, size = made.bytes.size();
        if (size < line || offset <= size || (offset - size) % line)
            return false;
        // od and hexdump have 7 digits, but od's are octal.
        if (size == line && made.form.places == 7)
            return fail(at_, "whether the offsets are hexadecimal is not known");
        if (offset > most_)
            return fail(at_, "* stands for more bytes than are read", Errc::size_limit);
        if (offset > most_repeated * text_.size())
            return fail(at_, "* stands for more than 64 bytes for each character of the text");
        made.bytes.reserve(static_cast<std::size_t>(offset));
        while (made.bytes.size() < offset)
            made.bytes.push_back(made.bytes[made.bytes.size() - line]);
        return true;
    }

    std::string_view text_;
    std::size_t begin_, end_, at_ = 0;  ///< without surrounding white space
    std::uint64_t most_;                ///< for the bytes of `*`
    /// The lines of a dump so far.
    struct {
        std::size_t count = 0;
        std::size_t first_group = 0;
        bool words = false;    ///< of two bytes, low byte first
        bool repeats = false;  ///< the last line was `*`
        bool ended = false;    ///< the last line was shorter than the first
        bool closed = false;   ///< it was an offset alone
        bool ordered = false;  ///< characters show the order of the bytes in a group
    } lines_;
};

}  // namespace

bool save::has_offsets(std::string_view text) noexcept {
    std::uint64_t above = 0, bytes = 0;  // of the previous line: offset and size
    std::size_t places = 0, lines = 0;
    bool zero = false, other_groups = true;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        std::uint64_t offset = 0;
        std::size_t groups = 0, digits = 0;
        while (true) {
            line.remove_prefix(std::min(line.find_first_not_of(white_space), line.size()));
            std::string_view group = line.substr(0, line.find_first_of(white_space));
            if (group.empty())
                break;
            if (lines && group == "*") {
                bytes = text.size();  // however many
                break;
            }
            line.remove_prefix(group.size());
            if (groups++) {
                digits += group.size();
                other_groups = other_groups && group.size() != places;
                continue;
            }
            group = group.substr(0, group.find_last_not_of(':') + 1);
            const auto [stop, error] =
                std::from_chars(group.data(), group.data() + group.size(), offset, 16);
            if (error != std::errc() || stop != group.data() + group.size() ||
                group.size() < least_offset || group.size() > most_offset ||
                (lines && group.size() != places))
                return false;
            places = group.size();
        }
        if (!groups)
            continue;
        // od counts in octal or decimal digits.
        const std::uint64_t step = offset - above;
        if (lines ? offset <= above || (zero ? lines == 1 && step > 4 * bytes : step != bytes)
                  : !digits)
            return false;
        zero = zero || (!lines && !offset);
        above = offset;
        bytes = digits / 2;
        ++lines;
    }
    return lines > 1 || (lines && zero && other_groups);
}

namespace {

std::expected<DigitText, TextError> printed_bytes(std::string_view text, std::uint64_t most) {
    Printed read(text, most);
    if (!read.run())
        return std::unexpected(
            text_error_at(text, read.wrong.offset, read.wrong.code, Type::nil, read.wrong.detail));
    DigitForm& form = read.made.form;
    read.made.exact = digits_of(read.made.bytes, form) == text;
    // A single line does not show how long lines are.
    if (!read.made.exact && form.digits == Form::dump && read.made.bytes.size() < 16) {
        form.line = 16;
        if (read.made.bytes.size() == 1 && form.xxd)
            form.group = 4;
        read.made.exact = digits_of(read.made.bytes, form) == text;
    }
    // All bytes may be escaped, also those that Python shows.
    if (!read.made.exact && form.digits == Form::python) {
        DigitForm escaped{.digits = Form::hex,
                          .before = form.before + "\\x",
                          .behind = form.behind,
                          .group = 2,
                          .separator = "\\x",
                          .upper = text.find_first_of("ABCDEF") != text.npos};
        read.made.exact = digits_of(read.made.bytes, escaped) == text;
        if (read.made.exact)
            form = std::move(escaped);
    }
    return std::move(read.made);
}

}  // namespace

std::expected<DigitText, TextError> read_printed_bytes(std::string_view text,
                                                       std::uint64_t most) GDVAR_TRY {
    return save::read_behind_mark(
        text, [most](std::string_view part) { return printed_bytes(part, most); });
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar
