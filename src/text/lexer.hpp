// Text as tokens, by the rules of each engine family (wire-format 6.1) or of our own form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/text/parse.hpp"
#include "value/text_fault.hpp"

namespace gdvar::detail {

enum class TokenKind : std::uint8_t {
    brace_open,
    brace_close,
    bracket_open,
    bracket_close,
    parenthesis_open,
    parenthesis_close,
    identifier,   ///< `text` is the name
    string,       ///< `text` is its content
    string_name,  ///< likewise
    integer,      ///< `text` is the digits
    real,         ///< likewise
    nan_bits,     ///< `text` is the hexadecimal digits; our own form only
    color,        ///< `text` is the digits after #
    colon,
    comma,
    period,
    equal,
    end,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::size_t offset = 0;
    std::string_view text{};  ///< valid until the next token is read
};

/// Room file, which is a library of its own, reads the tags of sections with it.
class Lexer {
public:
    GDVAR_EXPORT Lexer(std::string_view text, const ParseOptions& options) noexcept;

    /// Reads the next token into `token`. False, with `fault` set, if there is none.
    GDVAR_EXPORT bool next();
    /// Whether nothing but white space and comments follows.
    GDVAR_EXPORT bool at_end() noexcept;
    /// Whether that character follows, after white space and comments.
    bool followed_by(char c) noexcept {
        skip_space();
        return peek() == c;
    }

    Token token;
    TextFault fault;
    std::size_t position() const noexcept { return at_; }
    bool fail(Errc code, std::size_t offset, std::string_view detail, Type type = Type::nil) {
        fault = {code, offset, detail, type};
        return false;
    }

private:
    char peek(std::size_t ahead = 0) const noexcept {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    GDVAR_EXPORT void skip_space() noexcept;
    bool make(TokenKind kind, std::size_t from, std::size_t to) noexcept;
    bool number();
    bool printed_special();
    bool identifier();
    bool nan_bits(std::size_t from);
    bool color();
    bool string(TokenKind kind);
    bool escape();
    bool hex_escape(int digits);
    bool code_point(std::uint32_t value, std::size_t from);
    bool escaped_byte(std::uint32_t value, std::size_t from);
    bool end_in_file(std::size_t quote, TokenKind kind);
    bool left_as_it_was(std::size_t quote, TokenKind kind);
    void append_run(std::string_view run);
    bool no_lead(std::size_t from);

    /// What becomes of \ud800 to \udfff: pairs, and an error where there is none; pairs, and a
    /// space where there is none (3.6); halves as they are (3.2).
    enum class Surrogates : std::uint8_t { paired, spaces, kept };

    std::string_view text_;
    std::size_t at_ = 0;
    bool full_, modern_, tolerant_;  ///< modern: Godot 4's rules
    bool printed_3_2_;               ///< also reads numbers that 3.2 prints but can't read
    Surrogates surrogates_ = Surrogates::paired;
    bool string_names_at_, string_names_and_;
    bool file_;           ///< ParseOptions::file
    bool latin_ = false;  ///< each byte is a character
    const TextLoss* loss_;
    Utf8Rule utf8_;
    std::string buffer_;
    std::uint32_t lead_ = 0;  ///< first half of a surrogate pair
    bool high_ = false;       ///< the string has an escape that is a byte beyond ASCII
    std::size_t cut_ = 0;     ///< where an escape ended the string
};

}  // namespace gdvar::detail
