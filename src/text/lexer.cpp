#include "lexer.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"
#include "file_bytes.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {

namespace {

/// Whether the token ends where another character follows: it has no closing one.
constexpr bool is_open_ended(TokenKind kind) noexcept {
    return kind == TokenKind::identifier || kind == TokenKind::integer || kind == TokenKind::real ||
           kind == TokenKind::color;
}

}  // namespace

Lexer::Lexer(std::string_view text, const ParseOptions& options) noexcept
    : text_(text),
      rules_(options.full ? full_text_rules : text_rules(options.family)),
      tokens_(text, rules_),
      tolerant_(options.tolerant),
      printed_words_(options.strict_numbers && rules_.negative_words),
      file_(options.file && !options.full),
      loss_(options.loss) {
    if (!file_ && text_.starts_with(utf8::byte_order_mark))
        tokens_.seek(utf8::byte_order_mark.size());
}

bool Lexer::at_end() noexcept {
    tokens_.seek(tokens_.behind_space(tokens_.position()));
    return tokens_.position() == text_.size();
}

bool Lexer::next() {
    if (printed_words_ && printed_special())
        return true;
    const TextToken read = tokens_.next();
    token = {read.kind, read.begin, tokens_.text(read)};
    // In a file engines put the character back that they read behind a token. A NUL means none.
    if (file_ && is_open_ended(read.kind) && read.end < text_.size() && text_[read.end] == '\0')
        tokens_.seek(read.end + 1);
    switch (read.kind) {
        case TokenKind::string:
        case TokenKind::string_name:
            return string(read);
        case TokenKind::nan_bits:
            token.text = token.text.substr(6, token.text.size() - 7);
            return true;
        case TokenKind::color:
            token.text.remove_prefix(1);
            // Engines read one character beyond the digits, and find the end of the text there.
            if (tokens_.peek(tokens_.position()) == '\0' && !rules_.color_at_end)
                token.kind = TokenKind::end;
            return true;
        case TokenKind::fault:
            return fail(tokens_.fault().code, tokens_.fault().offset, tokens_.fault().detail);
        default:
            return true;
    }
}

/// `-inf` and `-nan`; outside of brackets `.0` follows. Godot 3.2 prints these and can't read them.
bool Lexer::printed_special() {
    const std::size_t begin = tokens_.behind_space(tokens_.position());
    const std::string_view rest = text_.substr(begin);
    if (!rest.starts_with("-inf") && !rest.starts_with("-nan"))
        return false;
    token = {TokenKind::identifier, begin, rest.substr(0, 4)};
    tokens_.seek(begin + (rest.substr(4).starts_with(".0") ? 6 : 4));
    return true;
}

bool Lexer::string(const TextToken& read) {
    const std::size_t quote = read.begin + (read.kind == TokenKind::string_name);
    end_ = read.end - 1;
    const std::string_view raw = text_.substr(quote + 1, end_ - quote - 1);
    const Utf8Rule rule = file_ ? Utf8Rule::strict : rules_.utf8;
    if (tokens_.escapes()) {
        if (!decode(quote))
            return false;
        token.text = buffer_;
    } else {
        token.text = raw;
        high_ = false;
        cut_ = std::string::npos;
    }
    const bool valid = valid_text(raw, rule);
    if (file_)
        return end_in_file(quote, valid);
    if (valid)
        return hold();
    if (!loss_ || rules_.utf8 != Utf8Rule::strict)
        return fail(Errc::bad_utf8, quote, "the string is not UTF-8");
    (*loss_)(quote, replaced_bytes);
    buffer_ = utf8::repaired(token.text, true);
    token.text = buffer_;
    return true;
}

/// Makes the text the one that the engine holds: the whole was read before its strings are.
bool Lexer::hold() {
    const HeldText& held = key_rules(rules_.family).texts;
    if (!held.has_overlong(token.text))
        return true;
    PackedArray<char> made;
    if (!held.shorten(token.text, made))
        GDVAR_THROW_NO_MEMORY();
    buffer_.assign(made.data(), made.size());
    token.text = buffer_;
    return true;
}

/// The same with escapes, into `buffer_`.
bool Lexer::decode(std::size_t quote) {
    buffer_.clear();
    buffer_.reserve(end_ - quote);
    lead_ = 0;
    high_ = false;
    cut_ = std::string::npos;
    for (at_ = quote + 1; at_ < end_;) {
        const std::size_t run = at_;
        if (text_[at_] != '\\')
            at_ = SpecialBytes<0, '\\'>::find(text_.substr(0, end_), at_);
        if (run != at_) {
            if (!no_lead(run))
                return false;
            append_run(text_.substr(run, at_ - run));
        }
        if (at_ < end_ && !escape())
            return false;
    }
    return no_lead(at_);
}

void Lexer::append_run(std::string_view run) {
    if (!latin_)
        buffer_.append(run);
    else
        for (const char c : run)
            utf8::append(buffer_, static_cast<unsigned char>(c));
}

/// Engines read a file's strings by bytes, and decode them as UTF-8 at the end, dropping one byte
/// order mark (wire-format 9.2).
bool Lexer::end_in_file(std::size_t quote, bool valid) {
    if (!valid || (high_ && !valid_text(buffer_, Utf8Rule::strict))) {
        if (!high_)
            buffer_ = token.text;
        const bool godot_3 = rules_.surrogates != Surrogates::paired;
        if (godot_3 || (valid && !rules_.long_escapes))
            return left_as_it_was(quote);
        if (loss_)
            (*loss_)(quote, valid ? "in a file, escapes from \\u0080 to \\u00ff are bytes; U+FFFD "
                                    "takes the place of those that are not UTF-8"
                                  : replaced_bytes);
        buffer_ = utf8::repaired(buffer_);
        token.text = buffer_;
    }
    token.text = token.text.substr(0, cut_);
    if (token.text.starts_with(utf8::byte_order_mark))
        token.text.remove_prefix(utf8::byte_order_mark.size());
    return true;
}

/// Engines before Godot 4 keep characters that do not become UTF-8: those of escapes, and the
/// file's bytes as one character each.
bool Lexer::left_as_it_was(std::size_t quote) {
    const std::string_view raw = text_.substr(quote, end_ - quote);
    const bool ascii = std::all_of(raw.begin(), raw.end(),
                                   [](char c) { return static_cast<signed char>(c) >= 0; });
    const bool godot_3 = rules_.surrogates != Surrogates::paired;
    if (!ascii && !godot_3)
        return fail(Errc::bad_escape, quote,
                    "in a file, escapes from \\u0080 to \\u00ff are bytes of UTF-8");
    const std::string bytes = buffer_;
    file_ = false;
    latin_ = true;
    const bool read = decode(quote);
    file_ = true;
    latin_ = false;
    if (read && godot_3)
        buffer_ = decoded_by_godot_3(bytes, buffer_, rules_.surrogates == Surrogates::spaces);
    if (read && loss_ && buffer_ != bytes)
        (*loss_)(quote, told_by_godot_3(bytes, buffer_));
    token.text = buffer_;
    return read;
}

bool Lexer::escape() {
    const std::size_t from = at_++;
    const char c = text_[at_++];
    if (c == 'u')
        return hex_escape(4);
    if (c == 'U' && rules_.long_escapes)
        return hex_escape(6);
    if (!no_lead(from))
        return false;
    if (c == 'x' && rules_.byte_escapes) {
        const int high = hex_value(peek()), low = high < 0 ? -1 : hex_value(peek(1));
        if (low < 0)
            return fail(Errc::bad_escape, from, "expected two hexadecimal digits");
        at_ += 2;
        buffer_ += static_cast<char>(high * 16 + low);
        return true;
    }
    // Any other character is itself. Its further bytes, if any, follow.
    const char control = escaped_control(c);
    buffer_ += control ? control : c;
    return true;
}

bool Lexer::hex_escape(std::size_t digits) {
    const std::size_t from = at_ - 2;
    const auto value = read_hex(text_.substr(0, end_), at_, digits);
    if (!value)
        return fail(Errc::bad_escape, from, "expected hexadecimal digits");
    at_ += digits;
    return code_point(*value, from);
}

bool Lexer::code_point(std::uint32_t value, std::size_t from) {
    const bool lead = utf8::is_first_half(value), trail = utf8::is_second_half(value);
    if (file_ && rules_.surrogates != Surrogates::paired)
        return escaped_byte(value, from);
    if (rules_.surrogates == Surrogates::kept) {
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
        if (rules_.surrogates == Surrogates::paired)
            return fail(Errc::bad_escape, from, "the surrogate has no first half");
        value = ' ';
    }
    if (rules_.no_nul_escapes && (value == 0 || value > 0x10'FFFF)) {
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

/// An escaped character of a string in a file becomes one byte: Godot 4 replaces it by a space if
/// it does not fit, Godot 3 takes the lowest eight bits, and NUL ends the string.
bool Lexer::escaped_byte(std::uint32_t value, std::size_t from) {
    if (value > 0xFF && loss_)
        (*loss_)(from, "in a file, an escape above \\u00ff becomes another character");
    const bool paired = rules_.surrogates == Surrogates::paired;
    const std::uint32_t byte = paired && value > 0xFF ? ' ' : value & 0xFF;
    high_ = high_ || byte >= 0x80;
    if (byte == 0)
        cut_ = std::min(cut_, buffer_.size());
    buffer_ += static_cast<char>(byte);
    return true;
}

/// Called when the first half of a surrogate pair is alone.
bool Lexer::no_lead(std::size_t from) {
    if (!lead_)
        return true;
    if (rules_.surrogates == Surrogates::paired)
        return fail(Errc::bad_escape, from, "the surrogate has no second half");
    lead_ = 0;
    buffer_ += ' ';
    return true;
}

}  // namespace gdvar::detail
