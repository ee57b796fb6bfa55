// A user's input at the terminal.
#pragma once

#include <cstdint>
#include <span>

namespace gdvar::app::browse {

struct Key {
    enum Name : std::uint8_t {
        character,  ///< `code`
        control,    ///< with Ctrl: `code` is the letter, 'a' to 'z'
        enter,
        escape,
        backspace,
        del,
        up,
        down,
        left,
        right,
        page_up,
        page_down,
        home,
        end,
        tab,
        paste_begin,  ///< what follows, up to `paste_end`, is text
        paste_end,
        click,  ///< at `x`, `y`
        wheel_up,
        wheel_down,
        other,
    };
    Name name = other;
    char32_t code = 0;
    int x = 0, y = 0;

    static Key of(char32_t code) { return {.name = character, .code = code}; }
    static Key with_control(char letter) {
        return {.name = control, .code = static_cast<char32_t>(letter)};
    }
    /// A key by the character that it gives, which may be a control character.
    static Key typed(char32_t code) {
        if (code == '\r' || code == '\n')
            return {.name = enter};
        if (code == 27)
            return {.name = escape};
        if (code == 127 || code == 8)
            return {.name = backspace};
        if (code == '\t')
            return {.name = tab};
        if (code < 32)
            return with_control(static_cast<char>('a' + code - 1));
        return of(code);
    }
    bool is(char32_t of) const noexcept { return name == character && code == of; }
    bool is_control(char letter) const noexcept {
        return name == control && code == static_cast<char32_t>(letter);
    }
};

/// A key by the code that a terminal's library gives it.
struct CodeOfKey {
    std::uint32_t code;
    Key::Name name;
};
inline Key named_key(std::span<const CodeOfKey> keys, std::uint32_t code) noexcept {
    for (const CodeOfKey& key : keys)
        if (key.code == code)
            return {.name = key.name};
    return {};
}

}  // namespace gdvar::app::browse
