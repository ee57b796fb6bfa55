#include "gdvar/file/sections_guess.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar {
namespace {

using detail::is_digit;
using detail::is_letter;

constexpr std::size_t most_looked_at = 4096;

bool is_leading_blank(char c) noexcept {
    return static_cast<unsigned char>(c) <= 32;
}

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

/// Words that one family alone prints.
struct Telling {
    std::string_view word;
    TextFamily family;
};
using enum TextFamily;
constexpr Telling telling[] = {
    {"Quaternion", godot_4},
    {"Transform3D", godot_4},
    {"PackedByteArray", godot_4},
    {"PackedInt32Array", godot_4},
    {"PackedInt64Array", godot_4},
    {"PackedFloat32Array", godot_4},
    {"PackedFloat64Array", godot_4},
    {"PackedStringArray", godot_4},
    {"PackedVector2Array", godot_4},
    {"PackedVector3Array", godot_4},
    {"PackedVector4Array", godot_4},
    {"PackedColorArray", godot_4},
    {"Callable", godot_4},
    {"Signal", godot_4},
    {"Quat", godot_3_6},
    {"PoolByteArray", godot_3_6},
    {"PoolIntArray", godot_3_6},
    {"PoolRealArray", godot_3_6},
    {"PoolStringArray", godot_3_6},
    {"PoolVector2Array", godot_3_6},
    {"PoolVector3Array", godot_3_6},
    {"PoolColorArray", godot_3_6},
    {"PoolVector2iArray", pandemonium},
    {"PoolVector3iArray", pandemonium},
    {"PoolVector4Array", pandemonium},
    {"PoolVector4iArray", pandemonium},
    {"TypedArray", pandemonium},
    {"PackedTypedArray", pandemonium},
};

/// Properties of InputEvents, which games keep in ConfigFiles, that one family alone has.
constexpr Telling telling_properties[] = {
    {"control", godot_3_6},    {"scancode", godot_3_6}, {"doubleclick", godot_3_6},
    {"ctrl_pressed", godot_4}, {"keycode", godot_4},    {"double_click", godot_4},
};

/// Counts what tells the families apart.
class Signs {
public:
    explicit Signs(std::string_view text) noexcept : text_(text) {}

    void count() noexcept {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == ';') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == '"') {
                skip_string();
            } else if (c == '&' || c == '@') {
                const bool name = text_.substr(at_ + 1).starts_with('"');
                (c == '&' ? names_and : names_at) += name;
                ++at_;
            } else if (is_letter(c)) {
                word();
            } else {
                in_event_ = in_event_ && c != ')';
                ++at_;
            }
        }
    }
    std::size_t words[4] = {}, names_and = 0, names_at = 0, loose = 0, tight = 0;

private:
    void skip_string() noexcept {
        const std::size_t from = at_ + 1;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            at_ += text_[at_] == '\\';
        ++at_;
        if (!in_event_ || at_ >= text_.size() || text_[at_] != ':')
            return;
        for (const Telling& each : telling_properties)
            words[static_cast<std::size_t>(each.family)] +=
                each.word == text_.substr(from, at_ - 1 - from);
    }
    void word() noexcept {
        const std::string_view word = word_of(text_.substr(at_));
        at_ += word.size();
        const std::string_view rest = text_.substr(std::min(at_, text_.size()));
        const bool typed = rest.starts_with('[');
        if (typed && (word == "Array" || word == "Dictionary"))
            ++words[static_cast<std::size_t>(godot_4)];
        // Constructors begin with a capital letter; keys may hold anything.
        if (!rest.starts_with('(') || word[0] < 'A' || word[0] > 'Z')
            return;
        // All print an Object without spaces.
        if (word == "Object") {
            in_event_ = rest.starts_with("(InputEvent");
            return;
        }
        if (rest.starts_with("( "))
            ++loose;
        else if (rest.size() > 1 && rest[1] != '"' && rest[1] != ')')
            ++tight;
        for (const Telling& each : telling)
            words[static_cast<std::size_t>(each.family)] += each.word == word;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool in_event_ = false;  ///< in an Object of an InputEvent
};

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

/// What looks_like_config says of a text without a byte order mark.
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
    for (;;) {
        while (!text.empty() && is_leading_blank(text.front()))
            text.remove_prefix(1);
        if (!text.starts_with(';'))
            return text;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
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
        return {godot_3_6, true, "the resource has format 2"};
    }
    Signs signs(text);
    signs.count();
    const auto words = [&](TextFamily family) {
        return signs.words[static_cast<std::size_t>(family)];
    };
    if (words(pandemonium) || (signs.names_at && !words(godot_4) && !signs.names_and))
        return {pandemonium, true, "names of types that Pandemonium alone has"};
    if (words(godot_4) || signs.names_and)
        return {godot_4, true, "names that Godot 4 alone has"};
    if (words(godot_3_6))
        return {godot_3_6, true, "names as in Godot 3"};
    if (signs.loose > signs.tight)
        return {godot_3_6, true, "spaces inside of brackets, as Godot 3 prints them"};
    if (signs.tight)
        return {godot_4, true, "no spaces inside of brackets, as Godot 4 prints them"};
    return {godot_4, false, "nothing shows it"};
}

}  // namespace gdvar
