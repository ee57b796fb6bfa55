#include "lexer.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "file_bytes.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {
namespace {

/// Tokens of one character.
constexpr std::string_view marks = "{}[]():,.=";
constexpr TokenKind mark_kinds[] = {
    TokenKind::brace_open,
    TokenKind::brace_close,
    TokenKind::bracket_open,
    TokenKind::bracket_close,
    TokenKind::parenthesis_open,
    TokenKind::parenthesis_close,
    TokenKind::colon,
    TokenKind::comma,
    TokenKind::period,
    TokenKind::equal,
};

}  // namespace

Lexer::Lexer(std::string_view text, const ParseOptions& options) noexcept
    : text_(text),
      full_(options.full),
      modern_(options.full || options.family == TextFamily::godot_4),
      tolerant_(options.tolerant),
      printed_3_2_(options.strict_numbers && !options.full &&
                   options.family == TextFamily::godot_3_2),
      string_names_at_(modern_ || options.family == TextFamily::pandemonium),
      string_names_and_(modern_),
      file_(options.file && !options.full),
      loss_(options.loss),
      utf8_(modern_ || options.family == TextFamily::pandemonium ? Utf8Rule::strict
                                                                 : Utf8Rule::lenient) {
    if (!file_ && text_.starts_with(utf8::byte_order_mark))
        at_ = 3;
    if (options.full)
        return;
    if (options.family == TextFamily::godot_3_2)
        surrogates_ = Surrogates::kept;
    if (options.family == TextFamily::godot_3_6)
        surrogates_ = Surrogates::spaces;
    // 3.6 makes spaces of halves that stand in a file.
    if (file_ && options.family == TextFamily::godot_3_6)
        utf8_ = Utf8Rule::strict;
}

void Lexer::skip_space() noexcept {
    while (at_ < text_.size()) {
        const auto c = static_cast<unsigned char>(text_[at_]);
        if (c == ';') {
            const std::size_t end = text_.find('\n', at_);
            at_ = end == text_.npos ? text_.size() : end;
        } else if (c == 0 || c > 32) {
            return;
        } else {
            ++at_;
        }
    }
}

bool Lexer::at_end() noexcept {
    skip_space();
    return at_ == text_.size();
}

bool Lexer::make(TokenKind kind, std::size_t from, std::size_t to) noexcept {
    token.kind = kind;
    token.text = text_.substr(from, to - from);
    return true;
}

bool Lexer::next() {
    skip_space();
    token.offset = at_;
    const char c = peek();
    // Engines' strings end at a NUL, so the text ends there, too.
    if (c == '\0')
        return make(TokenKind::end, at_, at_);
    if (const std::size_t mark = marks.find(c); mark != marks.npos) {
        ++at_;
        return make(mark_kinds[mark], at_ - 1, at_);
    }
    if (c == '"')
        return string(TokenKind::string);
    if (c == '#')
        return color();
    if ((c == '&' && string_names_and_) || (c == '@' && string_names_at_)) {
        ++at_;
        if (peek() != '"')
            return fail(Errc::bad_syntax, at_, "expected '\"' of a StringName");
        return string(TokenKind::string_name);
    }
    if (is_letter(c))
        return identifier();
    if (is_digit(c))
        return number();
    if (c == '-' && printed_3_2_ && printed_special())
        return true;
    if (c == '-') {
        // Godot 3 takes any minus for a number, and no digits for 0.
        if (!modern_ || is_digit(peek(1)))
            return number();
        if (is_letter(peek(1)))
            return identifier();
    }
    return fail(Errc::bad_syntax, at_, "unexpected character");
}

/// `-inf` and `-nan`; outside of brackets `.0` follows. Godot 3.2 prints these and can't read them.
bool Lexer::printed_special() {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with("-inf") && !rest.starts_with("-nan"))
        return false;
    make(TokenKind::identifier, at_, at_ + 4);
    at_ += rest.substr(4).starts_with(".0") ? 6 : 4;
    return true;
}

bool Lexer::number() {
    const std::size_t from = at_;
    const auto digits = [&] {
        while (is_digit(peek()))
            ++at_;
    };
    if (peek() == '-')
        ++at_;
    digits();
    bool real = false;
    if (peek() == '.') {
        real = true;
        ++at_;
        digits();
    }
    if (peek() == 'e' || (modern_ && peek() == 'E')) {
        real = true;
        ++at_;
        if (peek() == '-' || peek() == '+')
            ++at_;
        digits();
    }
    return make(real ? TokenKind::real : TokenKind::integer, from, at_);
}

bool Lexer::identifier() {
    const std::size_t from = at_;
    if (peek() == '-')
        ++at_;
    while (is_letter(peek()) || is_digit(peek()))
        ++at_;
    make(TokenKind::identifier, from, at_);
    return full_ && token.text == "nan" && peek() == '(' ? nan_bits(from) : true;
}

bool Lexer::nan_bits(std::size_t from) {
    ++at_;
    if (peek() != '0' || peek(1) != 'x')
        return fail(Errc::bad_number, from, "expected nan(0x...)");
    at_ += 2;
    const std::size_t digits = at_;
    while (hex_value(peek()) >= 0)
        ++at_;
    if (at_ == digits || at_ - digits > 16 || peek() != ')')
        return fail(Errc::bad_number, from, "expected nan(0x...) with up to 16 digits");
    make(TokenKind::nan_bits, digits, at_);
    ++at_;
    return true;
}

bool Lexer::color() {
    const std::size_t from = ++at_;
    while (hex_value(peek()) >= 0)
        ++at_;
    // Engines read one character beyond the digits, and there find the end of the text.
    if (peek() == '\0' && !full_)
        return make(TokenKind::end, at_, at_);
    return make(TokenKind::color, from, at_);
}

bool Lexer::string(TokenKind kind) {
    const std::size_t quote = at_++;
    const std::size_t from = at_;
    buffer_.clear();
    lead_ = 0;
    high_ = false;
    cut_ = std::string::npos;
    for (;;) {
        const std::size_t run = at_;
        while (peek() != '\0' && peek() != '"' && peek() != '\\')
            ++at_;
        if (run != at_) {
            if (!no_lead(run))
                return false;
            append_run(text_.substr(run, at_ - run));
        }
        const char c = peek();
        if (c == '\0')
            return fail(Errc::bad_syntax, quote, "the string has no end");
        if (c == '"')
            break;
        if (!escape())
            return false;
    }
    if (!no_lead(at_))
        return false;
    if (!valid_text(text_.substr(from, at_ - from), utf8_))
        return fail(Errc::bad_utf8, quote, "the string is not UTF-8");
    ++at_;
    if (file_)
        return end_in_file(quote, kind);
    token.kind = kind;
    token.text = buffer_;
    return true;
}

void Lexer::append_run(std::string_view run) {
    if (!latin_)
        buffer_.append(run);
    else
        for (const char c : run)
            utf8::append(buffer_, static_cast<unsigned char>(c));
}

/// Engines read a file's strings byte by byte and take the bytes for UTF-8 at the end, where one
/// byte order mark goes (wire-format 9.2).
bool Lexer::end_in_file(std::size_t quote, TokenKind kind) {
    if (high_ && !valid_text(buffer_, utf8_)) {
        if (!modern_)
            return left_as_it_was(quote, kind);
        if (loss_)
            (*loss_)(quote,
                     "in a file, escapes from \\u0080 to \\u00ff are bytes; U+FFFD takes the "
                     "place of those that are not UTF-8");
        buffer_ = decoded_by_godot_4(buffer_);
    }
    buffer_.resize(std::min(buffer_.size(), cut_));
    if (buffer_.starts_with(utf8::byte_order_mark))
        buffer_.erase(0, utf8::byte_order_mark.size());
    token.kind = kind;
    token.text = buffer_;
    return true;
}

/// Engines before Godot 4 leave the characters as they are that do not become UTF-8: those of
/// escapes, and the bytes of the file as one character each.
bool Lexer::left_as_it_was(std::size_t quote, TokenKind kind) {
    const std::string_view raw = text_.substr(quote, at_ - quote);
    const bool ascii = std::all_of(raw.begin(), raw.end(),
                                   [](char c) { return static_cast<signed char>(c) >= 0; });
    const bool godot_3 = surrogates_ != Surrogates::paired;
    if (!ascii && !godot_3)
        return fail(Errc::bad_escape, quote,
                    "in a file, escapes from \\u0080 to \\u00ff are bytes of UTF-8");
    const std::string bytes = buffer_;
    at_ = quote;
    file_ = false;
    latin_ = true;
    const bool read = string(kind);
    file_ = true;
    latin_ = false;
    if (read && godot_3) {
        buffer_ = decoded_by_godot_3(bytes, buffer_, surrogates_ == Surrogates::spaces);
        token.text = buffer_;
    }
    return read;
}

bool Lexer::escape() {
    const std::size_t from = at_++;
    const char c = peek();
    if (c == '\0')
        return fail(Errc::bad_syntax, from, "the string has no end");
    ++at_;
    if (c == 'u')
        return hex_escape(4);
    if (c == 'U' && modern_)
        return hex_escape(6);
    if (c == 'x' && full_) {
        const int high = hex_value(peek()), low = high < 0 ? -1 : hex_value(peek(1));
        if (low < 0)
            return fail(Errc::bad_escape, from, "expected two hexadecimal digits");
        at_ += 2;
        if (!no_lead(from))
            return false;
        buffer_ += static_cast<char>(high * 16 + low);
        return true;
    }
    constexpr std::string_view names = "btnfr", values = "\b\t\n\f\r";
    const std::size_t known = names.find(c);
    if (!no_lead(from))
        return false;
    // Any other character is itself. Its further bytes, if any, follow.
    buffer_ += known == names.npos ? c : values[known];
    return true;
}

bool Lexer::hex_escape(int digits) {
    const std::size_t from = at_ - 2;
    std::uint32_t value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
        if (peek() == '\0')
            return fail(Errc::bad_syntax, from, "the string has no end");
        const int digit = hex_value(peek());
        if (digit < 0)
            return fail(Errc::bad_escape, from, "expected hexadecimal digits");
        value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    return code_point(value, from);
}

bool Lexer::code_point(std::uint32_t value, std::size_t from) {
    const bool lead = utf8::is_first_half(value), trail = utf8::is_second_half(value);
    if (file_ && surrogates_ != Surrogates::paired)
        return escaped_byte(value, from);
    if (surrogates_ == Surrogates::kept) {
        utf8::append(buffer_, value);
        return true;
    }
    if (trail && lead_) {
        value = utf8::joined(lead_, value);
        lead_ = 0;
    } else if (!no_lead(from)) {
        return false;
    } else if (lead) {
        lead_ = value;
        return true;
    } else if (trail) {
        if (surrogates_ == Surrogates::paired)
            return fail(Errc::bad_escape, from, "the surrogate has no first half");
        value = ' ';
    }
    if (modern_ && !full_ && (value == 0 || value > 0x10'FFFF)) {
        if (!tolerant_ && !file_)
            return fail(Errc::bad_escape, from, "no such character");
        value = 0xFFFD;  // in a file a space
    }
    if (value > 0x10'FFFF)
        return fail(Errc::bad_escape, from, "no such character");
    if (file_)
        return escaped_byte(value, from);
    utf8::append(buffer_, value);
    return true;
}

/// A character that a string in a file has as an escape. It becomes one byte: Godot 4 makes a space
/// of what does not fit, Godot 3 takes the lowest eight bits, of which NUL ends the string.
bool Lexer::escaped_byte(std::uint32_t value, std::size_t from) {
    if (value > 0xFF && loss_)
        (*loss_)(from, "in a file, an escape above \\u00ff becomes another character");
    const bool paired = surrogates_ == Surrogates::paired;
    const std::uint32_t byte = paired && value > 0xFF ? ' ' : value & 0xFF;
    high_ = high_ || byte >= 0x80;
    if (byte == 0)
        cut_ = std::min(cut_, buffer_.size());
    buffer_ += static_cast<char>(byte);
    return true;
}

/// Called when no second half of a surrogate pair follows a first half.
bool Lexer::no_lead(std::size_t from) {
    if (!lead_)
        return true;
    if (surrogates_ == Surrogates::paired)
        return fail(Errc::bad_escape, from, "the surrogate has no second half");
    lead_ = 0;
    buffer_ += ' ';
    return true;
}

}  // namespace gdvar::detail
