#include "escape.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/special_bytes.hpp"

namespace gdvar::detail {

namespace {

/// The letter of a byte's escape; 0 if the byte is not escaped.
using Letters = std::array<char, '\\' + 1>;

constexpr Letters multiline_letters = [] {
    Letters of{};
    of['"'] = '"';
    of['\\'] = '\\';
    return of;
}();

constexpr Letters c_letters = [] {
    Letters of = multiline_letters;
    for (char c = '\a'; c <= '\r'; ++c)
        of[static_cast<std::size_t>(c)] = letter_of_control(c);
    of['\''] = '\'';
    return of;
}();

/// `Special` finds at least the bytes with a letter. `own`: one more byte that gets a backslash; 0:
/// none.
template <class Special, class Out>
void append_with_letters(Out& out, std::string_view text, const Letters& letters, char own) {
    std::size_t done = 0;
    for (std::size_t i = 0; (i = Special::find(text, i)) != text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const char letter = byte >= letters.size() ? 0 : letters[byte];
        if (!letter && (!own || text[i] != own))
            continue;
        out += text.substr(done, i - done);
        out += '\\';
        out += letter ? letter : own;
        done = i + 1;
    }
    out += text.substr(done);
}

}  // namespace

template <class Out>
void append_multiline(Out& out, std::string_view text) {
    append_with_letters<SpecialBytes<0, '"', '\\'>>(out, text, multiline_letters, 0);
}

template void append_multiline(std::string&, std::string_view);
template void append_multiline(TextBuffer&, std::string_view);

void append_c_escaped(TextBuffer& out, std::string_view text, const TextRules& rules) {
    using Special = SpecialBytes<'\r' + 1, '"', '\'', '\\', '?'>;
    append_with_letters<Special>(out, text, c_letters, rules.escapes_question ? '?' : '\0');
}

void append_readable(TextBuffer& out, std::string_view text, const TextRules& rules) {
    while (!text.empty()) {
        const std::size_t special = std::min(text.find_first_of("\a\v"), text.size());
        append_c_escaped(out, text.substr(0, special), rules);
        if (special != text.size())
            out += text[special];
        text.remove_prefix(std::min(special + 1, text.size()));
    }
}

void append_lossless(TextBuffer& out, std::string_view text) {
    append_escaped(out, text, Hidden::controls);
}

}  // namespace gdvar::detail
