#include "gdvar/file/sections_guess.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"
#include "text/tokens.hpp"

namespace gdvar {
namespace {

using detail::is_digit;
using detail::is_letter;
using detail::TextToken;
using detail::TokenKind;

constexpr std::size_t most_looked_at = 4096;

/// Editors put a byte order mark in front, which changes nothing of what a text is meant to be.
std::string_view behind_mark(std::string_view text) noexcept {
    return text.substr(text.starts_with(utf8::byte_order_mark) ? utf8::byte_order_mark.size() : 0);
}

std::string_view line_of(std::string_view text) noexcept {
    return text.substr(0, text.find_first_of("\r\n"));
}

/// Whether it can be a section's name and not a JSON Array.
bool is_name(std::string_view name) noexcept {
    return !name.empty() && name.find_first_of("\"{},") == name.npos &&
           std::any_of(
               name.begin(), name.end(),
               [](char c) { return is_letter(c) || static_cast<unsigned char>(c) > 127; }) &&
           name != "true" && name != "false" && name != "null";
}

/// The word at the start, letters and digits.
std::string_view word_of(std::string_view text) noexcept {
    const auto end = std::find_if(text.begin(), text.end(),
                                  [](char c) { return !is_letter(c) && !is_digit(c); });
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// A word that tells a family from others.
struct Telling {
    std::string_view word;
    TextFamily family = newest_text_family;
};
using enum TextFamily;

/// The names of types that a family prints and the others do not.
class TellingNames {
public:
    TellingNames() noexcept {
        tell(godot_4, {godot_3_6, pandemonium});
        // Pandemonium, whose own names come first, has most of these, too.
        tell(godot_3_6, {godot_4});
        tell(pandemonium, {godot_3_6, godot_4});
        tell(godot_2, {godot_3_6, godot_4});
    }
    std::span<const Telling> all() const noexcept { return {words_.data(), count_}; }

private:
    static bool prints(TextFamily family, std::string_view name) noexcept {
        const Dialect& dialect = newest_dialect(family);
        return std::any_of(dialect.rows.begin(), dialect.rows.begin() + dialect.row_count,
                           [&](const TypeRow& row) {
                               return detail::text_rules(family).type_name(row.type) == name;
                           });
    }
    void tell(TextFamily family, std::initializer_list<TextFamily> others) noexcept {
        const Dialect& dialect = newest_dialect(family);
        for (std::size_t i = 0; i < dialect.row_count && count_ < words_.size(); ++i) {
            const std::string_view name =
                detail::text_rules(family).type_name(dialect.rows[i].type);
            if (std::none_of(others.begin(), others.end(),
                             [&](TextFamily other) { return prints(other, name); }))
                words_[count_++] = {name, family};
        }
    }

    std::array<Telling, 64> words_{};
    std::size_t count_ = 0;
};

/// Properties of InputEvents, which games keep in ConfigFiles, that one family alone has.
constexpr Telling telling_properties[] = {
    {"control", godot_3_6},    {"scancode", godot_3_6}, {"doubleclick", godot_3_6},
    {"ctrl_pressed", godot_4}, {"keycode", godot_4},    {"double_click", godot_4},
};

/// InputEvents of Godot 1 and 2.
constexpr Telling telling_events[] = {
    {"key", godot_2}, {"jbutton", godot_2}, {"jaxis", godot_2}, {"mbutton", godot_2}};

/// How often each sign of a family stands in a text.
struct SignCounts {
    std::size_t words[text_family_count] = {}, names_and = 0, names_at = 0, loose = 0, tight = 0;
};

/// Counts what tells the families apart.
class Signs : public SignCounts {
public:
    explicit Signs(std::string_view text) noexcept
        : text_(text), tokens_(text, detail::text_rules(newest_text_family)) {}

    void count() noexcept {
        for (;;) {
            const TextToken token = tokens_.next();
            if (!depth_ && text_.substr(token.space, token.begin - token.space).contains('\n'))
                before_line_ = static_cast<const SignCounts&>(*this);
            depth_ += token.opens();
            depth_ -= token.closes() && depth_;
            in_event_ = in_event_ && token.kind != TokenKind::parenthesis_close;
            if (token.kind == TokenKind::end) {
                if (token.end == text_.size())
                    return;
                tokens_.seek(token.end + 1);  // files go on behind a NUL
            } else if (token.kind == TokenKind::equal && !depth_) {
                // The look of a key says nothing.
                static_cast<SignCounts&>(*this) = before_line_;
            } else if (token.kind == TokenKind::string) {
                string(token);
            } else if (token.kind == TokenKind::string_name) {
                ++(text_[token.begin] == '&' ? names_and : names_at);
            } else if (token.kind == TokenKind::identifier) {
                word(token);
            }
        }
    }

private:
    void count_word(std::span<const Telling> known, std::string_view word) noexcept {
        for (const Telling& each : known)
            words[static_cast<std::size_t>(each.family)] += each.word == word;
    }
    void string(const TextToken& token) noexcept {
        if (in_event_ && tokens_.peek(token.end) == ':')
            count_word(telling_properties,
                       text_.substr(token.begin + 1, token.end - token.begin - 2));
    }
    void word(const TextToken& token) noexcept {
        static const TellingNames names;
        const std::string_view word = tokens_.text(token);
        const char next = tokens_.peek(token.end);
        if (next == '[' && (word == "Array" || word == "Dictionary"))
            ++words[static_cast<std::size_t>(godot_4)];
        if (next != '(')
            return;
        count_word(telling_events, word);
        // Constructors begin with a capital letter; keys may hold anything.
        if (word[0] < 'A' || word[0] > 'Z')
            return;
        // All print an Object without spaces.
        if (word == "Object") {
            in_event_ = text_.substr(token.end).starts_with("(InputEvent");
            return;
        }
        const char inside = tokens_.peek(token.end + 1);
        if (inside == ' ')
            ++loose;
        else if (inside != '\0' && inside != '"' && inside != ')')
            ++tight;
        count_word(names.all(), word);
    }

    std::string_view text_;
    detail::Tokens tokens_;
    bool in_event_ = false;     ///< in an Object of an InputEvent
    std::size_t depth_ = 0;     ///< of brackets
    SignCounts before_line_{};  ///< what was counted before this line
};

/// Whether halves of characters stand in the text, as no UTF-8 has them.
bool has_halves(std::string_view text) noexcept {
    for (std::size_t at = 0; (at = text.find('\xED', at)) != text.npos; ++at)
        if (at + 2 < text.size() && utf8::continues(text[at + 1]) &&
            utf8::continues(text[at + 2]) && static_cast<unsigned char>(text[at + 1]) >= 0xA0)
            return true;
    return false;
}

/// The digit behind `format=` in the first tag, or nothing.
char format_of(std::string_view text) noexcept {
    text = without_comments(behind_mark(text));
    if (!text.starts_with("[gd_"))
        return 0;
    const std::string_view tag = text.substr(0, text.find(']'));
    std::size_t at = tag.find(" format");
    if (at == tag.npos)
        return 0;
    at = tag.find_first_not_of(" \t=", at + 7);
    return at != tag.npos && is_digit(tag[at]) ? tag[at] : '\0';
}

/// looks_like_config for a text without a byte order mark.
SectionsSign first_line(std::string_view text) {
    if (looks_like_resource(text).fits)
        return {false, "it is a text resource"};
    const std::string_view start = without_comments(text.substr(0, most_looked_at));
    const std::string_view line = line_of(start);
    if (line.empty())
        return {false, "nothing but comments is in its first 4 KiB"};
    if (line.starts_with('[')) {
        const std::size_t end = line.find(']');
        if (end == line.npos || !is_name(line.substr(1, end - 1)))
            return {false, "its first line begins with [ and is no section's header"};
        return {true, "it begins with the section [" + std::string(line.substr(1, end - 1)) + "]"};
    }
    const std::size_t equals = line.find('=');
    const std::string_view key = line.substr(0, equals);
    if (equals == line.npos || key.find_first_of("{}<>(),") != key.npos)
        return {false, "its first line is neither a section's header nor an assignment"};
    return {true, "it begins with an assignment"};
}

}  // namespace

std::string_view without_comments(std::string_view text) noexcept {
    const detail::Tokens tokens(text, detail::text_rules(newest_text_family));
    std::size_t at = tokens.behind_space(0);
    while (at < text.size() && text[at] == '\0')
        at = tokens.behind_space(at + 1);
    return text.substr(at);
}

SectionsSign looks_like_resource(std::string_view text) {
    const std::string_view start = without_comments(behind_mark(text.substr(0, most_looked_at)));
    if (start.starts_with('[')) {
        const std::string_view name = word_of(start.substr(1));
        if (name == "gd_resource" || name == "gd_scene")
            return {true, "it begins with [" + std::string(name) + "]"};
    }
    return {false, "it does not begin with [gd_resource] or [gd_scene]"};
}

SectionsSign looks_like_config(std::string_view text) {
    SectionsSign sign = first_line(behind_mark(text));
    if (text.starts_with(utf8::byte_order_mark))
        sign.why.insert(0, "behind a byte order mark, ");
    return sign;
}

FamilyGuess guess_family(std::string_view text) noexcept {
    if (const char format = format_of(text)) {
        if (format >= '3')
            return {godot_4, true, "the resource has format 3 or 4"};
        if (format == '2')
            return {godot_3_6, true, "the resource has format 2"};
        return {godot_2, true, "the resource has format 1"};
    }
    Signs signs(text);
    signs.count();
    const auto words = [&](TextFamily family) {
        return signs.words[static_cast<std::size_t>(family)];
    };
    if (words(godot_2))
        return {godot_2, true, "names as in Godot 2"};
    if (words(pandemonium) || (signs.names_at && !words(godot_4) && !signs.names_and))
        return {pandemonium, true, "names of types that Pandemonium alone has"};
    if (words(godot_4) || signs.names_and)
        return {godot_4, true, "names that Godot 4 alone has"};
    if (has_halves(text))
        return {godot_3_6, true, "characters in two halves, as Godot 3 wrote them on Windows"};
    if (words(godot_3_6))
        return {godot_3_6, true, "names as in Godot 3"};
    if (signs.loose > signs.tight)
        return {godot_3_6, true, "spaces inside of brackets, as Godot 3 prints them"};
    if (signs.tight)
        return {godot_4, true, "no spaces inside of brackets, as Godot 4 prints them"};
    return {godot_4, false, "nothing shows it"};
}

}  // namespace gdvar
