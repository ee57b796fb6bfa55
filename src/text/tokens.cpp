#include "tokens.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace gdvar::detail {
namespace {

enum class Start : std::uint8_t { other, mark, letter, digit, quote, minus, hash };

struct StartTable {
    std::array<Start, 256> starts{};
    std::array<TokenKind, 128> marks{};
};
constexpr StartTable start_table = [] {
    StartTable out;
    constexpr std::string_view marks = "{}[]():,.=";
    for (std::size_t i = 0; i < marks.size(); ++i) {
        out.starts[static_cast<unsigned char>(marks[i])] = Start::mark;
        out.marks[static_cast<unsigned char>(marks[i])] = static_cast<TokenKind>(i);
    }
    for (int c = 0; c < 128; ++c)
        if (is_letter(static_cast<char>(c)))
            out.starts[static_cast<std::size_t>(c)] = Start::letter;
        else if (is_digit(static_cast<char>(c)))
            out.starts[static_cast<std::size_t>(c)] = Start::digit;
    out.starts['"'] = Start::quote;
    out.starts['-'] = Start::minus;
    out.starts['#'] = Start::hash;
    return out;
}();

}  // namespace

std::size_t Tokens::behind_any_space(std::size_t at) const noexcept {
    for (; at < text_.size(); ++at) {
        if (text_[at] == rules_.comment && rules_.comment) {
            at = text_.find('\n', at);
            if (at == text_.npos)
                return text_.size();
        } else if (!rules_.blanks.has(text_[at])) {
            return at;
        }
    }
    return text_.size();
}

TextToken Tokens::next() noexcept {
    space_ = at_;
    begin_ = behind_space(at_);
    const char c = peek(begin_);
    switch (start_table.starts[static_cast<unsigned char>(c)]) {
        case Start::mark:
            return make(start_table.marks[static_cast<unsigned char>(c)], begin_ + 1);
        case Start::letter:
            return identifier();
        case Start::digit:
            return number();
        case Start::quote:
            return string(TokenKind::string, begin_);
        case Start::minus:
            // Godot 3 takes any minus for a number, and no digits for 0.
            if (rules_.minus_alone || is_digit(peek(begin_ + 1)))
                return number();
            if (is_letter(peek(begin_ + 1)))
                return identifier();
            break;
        case Start::hash: {
            if (rules_.json)
                break;
            std::size_t end = begin_ + 1;
            while (hex_value(peek(end)) >= 0)
                ++end;
            return make(TokenKind::color, end);
        }
        case Start::other:
            // Engines' strings end at a NUL, so the text does, too.
            if (c == '\0')
                return make(TokenKind::end, begin_);
            if (rules_.name_marks.find(c) == rules_.name_marks.npos)
                break;
            if (peek(begin_ + 1) == '"')
                return string(TokenKind::string_name, begin_ + 1);
            return fail(Errc::bad_syntax, begin_ + 1, "expected '\"' of a StringName", begin_ + 1);
    }
    return fail(Errc::bad_syntax, begin_, "unexpected character", begin_ + 1);
}

TextToken Tokens::number() noexcept {
    std::size_t at = begin_ + (text_[begin_] == '-');
    const auto digits = [&] {
        while (is_digit(peek(at)))
            ++at;
    };
    digits();
    bool real = false;
    if (peek(at) == '.') {
        real = true;
        ++at;
        digits();
    }
    if (peek(at) == 'e' || (rules_.exponent_E && peek(at) == 'E')) {
        real = true;
        ++at;
        if (peek(at) == '-' || peek(at) == '+')
            ++at;
        digits();
    }
    return make(real ? TokenKind::real : TokenKind::integer, at);
}

TextToken Tokens::identifier() noexcept {
    std::size_t at = begin_ + 1;
    while (is_letter(peek(at)) || is_digit(peek(at)))
        ++at;
    if (!rules_.nan_bits || peek(at) != '(' || text_.substr(begin_, at - begin_) != "nan")
        return make(TokenKind::identifier, at);
    if (peek(at + 1) != '0' || peek(at + 2) != 'x')
        return fail(Errc::bad_number, begin_, "expected nan(0x...)", at + 1);
    const std::size_t digits = at += 3;
    while (hex_value(peek(at)) >= 0)
        ++at;
    if (at == digits || at - digits > 16 || peek(at) != ')')
        return fail(Errc::bad_number, begin_, "expected nan(0x...) with up to 16 digits", at);
    return make(TokenKind::nan_bits, at + 1);
}

TextToken Tokens::string(TokenKind kind, std::size_t quote) noexcept {
    escapes_ = false;
    for (std::size_t at = quote + 1;; at += 2, escapes_ = true) {
        if (peek(at) != '\\')
            at = SpecialBytes<1, '"', '\\'>::find(text_, at);
        const char c = peek(at);
        if (c == '"')
            return make(kind, at + 1);
        if (c == '\0' || at + 1 >= text_.size() || text_[at + 1] == '\0')
            return fail(Errc::bad_syntax, quote, "the string has no end",
                        c == '\0' ? at : std::min(at + 1, text_.size()));
    }
}

}  // namespace gdvar::detail
