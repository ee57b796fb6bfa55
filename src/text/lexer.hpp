// Tokens with their content, by a family's rules (wire-format 6.1) or our own form's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/text/parse.hpp"
#include "tokens.hpp"
#include "value/text_fault.hpp"
#include "wire/key_rules.hpp"

namespace gdvar::detail {

struct Token {
    TokenKind kind = TokenKind::end;
    std::size_t offset = 0;
    /// The name; the content of a string; the digits of a number, behind `#` or in nan(0x...).
    /// Valid until the next token is read.
    std::string_view text{};
};

/// Room file, a separate library, reads tags of sections with it.
class Lexer {
public:
    GDVAR_EXPORT Lexer(std::string_view text, const ParseOptions& options) noexcept;

    /// Reads the next token into `token`. False, with `fault` set, if there is none.
    GDVAR_EXPORT bool next();
    /// True if only white space and comments follow.
    GDVAR_EXPORT bool at_end() noexcept;
    /// Whether a file's rules hold: ParseOptions::file.
    bool in_file() const noexcept { return file_; }
    /// True if that character follows. Skips white space and comments before it.
    bool followed_by(char c) noexcept {
        tokens_.seek(tokens_.behind_space(tokens_.position()));
        return tokens_.peek(tokens_.position()) == c;
    }

    /// Reads a string that has no escapes and needs no change. False, with nothing read, if none
    /// begins at that quote.
    bool plain_string(std::size_t& at, std::string_view& content) const noexcept {
        const std::size_t end = SpecialBytes<1, '"', '\\'>::find(text_, at + 1);
        if (end == text_.size() || text_[end] != '"')
            return false;
        content = text_.substr(at + 1, end - at - 1);
        if (!valid_text_inline(content, file_ ? Utf8Rule::strict : rules_.utf8) ||
            (file_ ? content.starts_with(utf8::byte_order_mark)
                   : key_rules(rules_.family).texts.has_overlong(content)))
            return false;
        at = end + 1;
        return true;
    }

    Token token;
    TextFault fault;
    std::size_t position() const noexcept { return tokens_.position(); }
    void seek(std::size_t position) noexcept { tokens_.seek(position); }
    bool fail(Errc code, std::size_t offset, std::string_view detail, Type type = Type::nil) {
        fault = {code, offset, detail, type};
        return false;
    }

private:
    bool printed_special();
    bool string(const TextToken& read);
    bool decode(std::size_t quote);
    bool hold();
    bool escape();
    bool hex_escape(std::size_t digits);
    bool code_point(std::uint32_t value, std::size_t from);
    bool escaped_byte(std::uint32_t value, std::size_t from);
    bool end_in_file(std::size_t quote, bool valid);
    bool left_as_it_was(std::size_t quote);
    void append_run(std::string_view run);
    bool no_lead(std::size_t from);
    char peek(std::size_t ahead = 0) const noexcept {
        return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
    }

    std::string_view text_;
    const TextRules& rules_;
    Tokens tokens_;
    bool tolerant_;
    bool printed_words_;  ///< reads numbers that 3.2 prints but can't read
    bool file_;           ///< ParseOptions::file
    bool latin_ = false;  ///< each byte is a character
    const TextLoss* loss_;
    // The current string
    std::size_t at_ = 0, end_ = 0;  ///< the position, and the closing quote
    std::string buffer_;
    std::uint32_t lead_ = 0;  ///< first half of a surrogate pair
    bool high_ = false;       ///< an escape gave a byte beyond ASCII
    std::size_t cut_ = 0;     ///< position of an escape that ended the string
};

}  // namespace gdvar::detail
