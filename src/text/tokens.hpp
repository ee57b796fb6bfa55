// A text as tokens with their positions, by the rules of a family (rules.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/special_bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "rules.hpp"

namespace gdvar::detail {

enum class TokenKind : std::uint8_t {
    brace_open,
    brace_close,
    bracket_open,
    bracket_close,
    parenthesis_open,
    parenthesis_close,
    colon,
    comma,
    period,
    equal,
    identifier,
    string,       ///< with its quotes
    string_name,  ///< with its quotes and the mark before them
    integer,
    real,
    nan_bits,  ///< `nan(0x7ff8000000000000)`; our own form only
    color,     ///< `#ff0000`
    end,       ///< of the text, or the NUL that ends it for engines
    fault,     ///< not a token: see `Tokens::fault`
};

/// A token's position. `space` to `begin` is white space and comments before it.
struct TextToken {
    TokenKind kind = TokenKind::end;
    std::size_t space = 0, begin = 0, end = 0;

    /// Whether it is an opening bracket.
    bool opens() const noexcept {
        return kind == TokenKind::brace_open || kind == TokenKind::bracket_open ||
               kind == TokenKind::parenthesis_open;
    }
    /// Whether it is a closing bracket.
    bool closes() const noexcept {
        return kind == TokenKind::brace_close || kind == TokenKind::bracket_close ||
               kind == TokenKind::parenthesis_close;
    }
    bool is_string() const noexcept {
        return kind == TokenKind::string || kind == TokenKind::string_name;
    }
};

/// Splits a text into tokens. It never fails: invalid text becomes a fault, and the next token is
/// searched behind it. The text must outlive it. Time: linear.
class GDVAR_EXPORT Tokens {
public:
    Tokens(std::string_view text, const TextRules& rules, std::size_t at = 0) noexcept
        : text_(text), rules_(rules), at_(at) {}

    TextToken next() noexcept;

    std::size_t position() const noexcept { return at_; }
    void seek(std::size_t position) noexcept { at_ = position; }
    std::string_view text(const TextToken& token) const noexcept {
        return text_.substr(token.begin, token.end - token.begin);
    }
    /// The first position from `at` on that is neither white space nor a comment.
    std::size_t behind_space(std::size_t at) const noexcept {
        // No character above the blank is white space.
        return static_cast<unsigned char>(peek(at)) > ' ' && peek(at) != rules_.comment
                   ? at
                   : behind_any_space(at);
    }
    /// True if the last string has a backslash.
    bool escapes() const noexcept { return escapes_; }
    char peek(std::size_t at) const noexcept { return at < text_.size() ? text_[at] : '\0'; }

    struct Fault {
        Errc code = Errc::bad_syntax;
        std::size_t offset = 0;
        std::string_view detail{};
    };
    const Fault& fault() const noexcept { return fault_; }

private:
    TextToken make(TokenKind kind, std::size_t end) noexcept {
        at_ = end;
        return {kind, space_, begin_, end};
    }
    TextToken fail(Errc code, std::size_t offset, std::string_view detail,
                   std::size_t end) noexcept {
        fault_ = {code, offset, detail};
        return make(TokenKind::fault, end);
    }
    std::size_t behind_any_space(std::size_t at) const noexcept;
    TextToken number() noexcept;
    TextToken identifier() noexcept;
    TextToken string(TokenKind kind, std::size_t quote) noexcept;

    std::string_view text_;
    const TextRules& rules_;
    std::size_t at_, space_ = 0, begin_ = 0;
    bool escapes_ = false;
    Fault fault_;
};

}  // namespace gdvar::detail
