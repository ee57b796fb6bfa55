// The rules of texts as data, one row a family of engines (wire-format 6.1, 9).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// Sets of constructor names: a bit for each row of constructors.cpp.
enum class Names : std::uint8_t { godot_2, godot_3_2, godot_3_6, godot_4, pandemonium };

/// \ud800 to \udfff: pairs, a lone half is an error; pairs, a lone half becomes a space; halves are
/// kept.
enum class Surrogates : std::uint8_t { paired, spaces, kept };

/// Printed floats: the digits of a float's or a double's own width (4.5 and later), six digits (4.0
/// to 4.4), six digits of the nearest float.
enum class FloatDigits : std::uint8_t { own, six, six_of_float };

/// A container's element types in text: none; `Array[int]([...])`; `TypedArray( int , ...)`.
enum class TypedForm : std::uint8_t { none, brackets, arguments };

enum class KeySort : std::uint8_t { godot_3_2, godot_3, godot_4 };

/// A set of characters up to U+003F.
struct CharSet {
    std::uint64_t bits = 0;
    constexpr bool has(char c) const noexcept {
        const auto code = static_cast<unsigned char>(c);
        return code < 64 && (bits >> code & 1);
    }
    /// The first position from `at` on without one of them.
    constexpr std::size_t behind(std::string_view text, std::size_t at) const noexcept {
        while (at < text.size() && has(text[at]))
            ++at;
        return at;
    }
    /// The text without them at both ends.
    constexpr std::string_view strip(std::string_view text) const noexcept {
        while (!text.empty() && has(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && has(text.back()))
            text.remove_suffix(1);
        return text;
    }
};

/// A family's name for a type, if it is not the type's own.
struct PrintedName {
    Type type;
    std::string_view name;
};

/// One family's rules. Our own form and JSON have a row, too.
struct TextRules {
    TextFamily family = TextFamily::godot_4;

    // ---- tokens
    CharSet blanks{};             ///< white space
    char comment = ';';           ///< begins a comment, to the end of the line; 0: no comments
    bool json = false;            ///< the tokens of JSON
    std::string_view name_marks;  ///< each makes a StringName before quotes
    bool exponent_E = true;       ///< numbers may have `E` for `e`
    bool minus_alone = false;     ///< `-` begins a number in any case
    bool nan_bits = false;        ///< `nan(0x7ff8000000000000)`
    bool color_at_end = false;    ///< the text may end behind `#ff0000`
    bool negative_words = false;  ///< prints `-inf.0` and `-nan.0`, and does not read them

    // ---- strings
    bool long_escapes = true;       ///< `\U01f47e`
    bool byte_escapes = false;      ///< `\x80` is a byte
    bool no_nul_escapes = true;     ///< refuses `\u0000`, and code points beyond U+10FFFF
    bool escapes_question = false;  ///< prints `\?`
    Surrogates surrogates = Surrogates::paired;
    Utf8Rule utf8 = Utf8Rule::strict;  ///< for strings outside of files

    // ---- values
    Names names = Names::godot_4;
    std::span<const PrintedName> printed{};
    bool inf_neg = true;             ///< reads `inf_neg`
    bool minus_inf = true;           ///< reads `-inf`
    bool special_components = true;  ///< reads `Vector2(inf, nan)`
    bool alpha_first = false;        ///< `#aarrggbb`
    bool base64_bytes = true;        ///< reads Base64 in byte arrays
    bool rids = true;                ///< `RID()` and `RID(5)` are RIDs; else `RID(5)` is an int
    bool uids = true;                ///< `Resource("uid://c8", "res://x.tres")`
    bool checks_elements = true;     ///< typed containers refuse elements of other types
    bool reads_on = false;           ///< reads on behind a wrong character or color
    bool json_ends = true;           ///< refuses text behind a JSON value

    // ---- printing
    FloatDigits floats = FloatDigits::own;
    TypedForm typed = TypedForm::brackets;
    KeySort keys = KeySort::godot_4;
    std::string_view open = "(", close = ")";  ///< of a constructor's arguments
    std::string_view array_open = "[", array_close = "]";
    std::uint8_t empty_lines = 0;        ///< in the braces of an empty Dictionary
    std::string_view string_name = "&";  ///< the prefix of the quotes
    std::size_t max_depth = 100;
    bool named_handles = true;  ///< RID(), Callable(), Signal() are written
    bool prints_base64 = false;
    bool scripts = true;  ///< an Object's script is printed as a resource
    bool empty_paths =
        true;  ///< NodePaths without a name may be absolute; a single empty subname goes

    // ---- sections
    bool header_escapes = true;  ///< `\]` in a ConfigFile's header
    bool header_bytes = false;   ///< each byte of a header is a character
    bool text_ids = true;        ///< resources have texts for ids
    bool plain_metadata = true;  ///< drops metadata whose name is no identifier
    std::uint8_t format = 4;     ///< the newest `format` of resources that is loaded

    constexpr std::string_view type_name(Type type) const noexcept {
        for (const PrintedName& each : printed)
            if (each.type == type)
                return each.name;
        return gdvar::type_name(type);
    }
};

GDVAR_EXPORT const TextRules& text_rules(TextFamily family) noexcept;
GDVAR_EXPORT extern const TextRules full_text_rules;
/// JSON (RFC 8259) as tokens; `JsonGrammar` lists the extensions.
GDVAR_EXPORT extern const TextRules json_text_rules;

}  // namespace gdvar::detail
