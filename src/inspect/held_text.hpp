// What an engine makes of the texts in a packet.
// Room: inspect, private.
#pragma once

#include <string>
#include <string_view>

#include "base/special_bytes.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/inspect/engine.hpp"
#include "text/rules.hpp"

namespace gdvar::inspect {

/// A NUL cuts a text, and a byte order mark in front of it is dropped. Godot 3 holds code points:
/// of overlong characters as of all others. Halves of characters stay halves in its memory; 3.6
/// joins them where it writes [3.2.3, 3.6.2].
class HeldText {
public:
    explicit HeldText(const Engine& engine) noexcept
        : overlong_(engine.dialect->utf8 == Utf8Rule::lenient),
          joins_(detail::text_rules(engine.family).surrogates == detail::Surrogates::spaces) {}

    /// Whether the engine holds the text as it stands, and writes it so.
    bool stays(std::string_view text) const noexcept {
        using Odd = detail::SpecialBytes<1, '\xE0', '\xED', '\xF0', '\xF8', '\xFC'>;
        if (text.starts_with(utf8::byte_order_mark))
            return false;
        return Odd::find(text, 0) == text.size() ||
               (!text.contains('\0') && !(joins_ && text.contains('\xED')) &&
                next_overlong(text, 0) == text.size());
    }
    bool joins() const noexcept { return joins_; }
    /// The position of the first overlong character from `at` on; the text's size if there is none.
    std::size_t next_overlong(std::string_view text, std::size_t at) const noexcept;
    /// The text with such characters in their shortest form. May throw bad_alloc.
    std::string shortened(std::string_view text) const;

private:
    const bool overlong_, joins_;
};

}  // namespace gdvar::inspect
