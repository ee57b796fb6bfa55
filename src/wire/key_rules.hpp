// Which keys of a Dictionary engines take for the same, and which texts they hold: a row for each
// family of engines (wire-format 2.2, 2.6; tests/data/keys.ndjson).
// Room: wire, private.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/special_bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar::detail {

/// The texts that an engine holds when it has read those of a packet.
struct HeldText {
    bool cuts = true;          ///< at a NUL; and drops a byte order mark in front
    bool code_points = false;  ///< overlong characters are what they stand for [3.2.3, 3.6.2]
    bool joins = false;        ///< where it writes it joins halves of characters [3.6.2]

    /// Whether the engine holds the text as it stands, and writes it so.
    bool stays(std::string_view text) const noexcept {
        using Odd = SpecialBytes<1, '\xE0', '\xED', '\xF0', '\xF8', '\xFC'>;
        if (!cuts)
            return true;
        if (text.starts_with(utf8::byte_order_mark))
            return false;
        return Odd::find(text, 0) == text.size() ||
               (!text.contains('\0') && !(joins && text.contains('\xED')) && !has_overlong(text));
    }
    /// The text without what the engine cuts.
    std::string_view cut(std::string_view text) const noexcept {
        if (!cuts)
            return text;
        if (text.starts_with(utf8::byte_order_mark))
            text.remove_prefix(utf8::byte_order_mark.size());
        return text.substr(0, text.find('\0'));
    }
    /// Whether it has characters that the engine holds otherwise.
    GDVAR_EXPORT bool has_overlong(std::string_view text) const noexcept;
    /// Puts the text with these characters in their shortest form into `into`. False without
    /// memory.
    GDVAR_EXPORT bool shorten(std::string_view text, PackedArray<char>& into) const noexcept;

private:
    std::size_t next_overlong(std::string_view text, std::size_t at) const noexcept;
};

/// How the floats of a packed array of 32 bits are compared: all NaNs and both zeros are equal; by
/// their bits; by their bits, but a NaN equals nothing.
enum class PackedReals : std::uint8_t { values, bits, bits_but_nan };

/// Which keys are equal. In all engines texts are compared as they are held, the zeros of floats,
/// vectors and their packed arrays are equal, and so are their NaNs; each Object but null is a key
/// of its own.
struct KeyRules {
    HeldText texts;
    bool text_types = true;        ///< a String equals a StringName where both are keys
    bool dictionaries = true;      ///< go by content, in order; else each is a key of its own
    bool nan_items = false;        ///< NaNs are equal as elements of Arrays and as values, too
    bool absolute_nowhere = true;  ///< NodePath("/") is not NodePath("")
    PackedReals packed_reals = PackedReals::values;
};

/// Those of the engines of a family.
GDVAR_EXPORT const KeyRules& key_rules(TextFamily family) noexcept;
/// Those of `same_key`: values hold their texts already.
GDVAR_EXPORT extern const KeyRules value_key_rules;

}  // namespace gdvar::detail
