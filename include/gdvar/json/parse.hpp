// Parses JSON: typed, in the shape of Godot's `JSON.from_native`, and plain.
#pragma once

#include <expected>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/value/text_error.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar GDVAR_EXPORT {

/// Options of parsed JSON.
struct JsonParseOptions {
    /// Refuses text after the value, other than white space.
    bool whole = true;
    /// Plain JSON: refuses (bad_number) ints beyond 64 bits, which otherwise become floats, and
    /// floats that are too small, which otherwise become 0. Typed JSON always refuses a number that
    /// does not fit.
    bool strict_numbers = false;
    /// Plain JSON: keeps a repeated name as a pair of its own. By default it replaces the earlier
    /// value.
    bool repeated_names = false;
    /// Accepts a comma behind the last element or member, as all versions of Godot's JSON do.
    bool trailing_commas = false;
    /// Accepts numbers that all versions of Godot's JSON read: with leading zeros (`007`), without
    /// digits after the point (`1.`, `1.e5`) or between the minus and the point (`-.5`). In plain
    /// JSON numbers beyond a float's range become infinite, as in engines.
    bool loose_numbers = false;
    /// Accepts a backslash before any other character for that character, as Godot 3's JSON does:
    /// `"\q"` is "q", `"\x41"` is "x41". Godot 4 refuses such texts.
    bool any_escape = false;
    /// Accepts strings that are not UTF-8, as engines do: a character encoded as two surrogates, as
    /// Godot 3 on Windows wrote it, is joined, and U+FFFD replaces other bytes. `loss` is called
    /// for each.
    bool any_bytes = false;
    /// Plain JSON: receives the position of each value (value/outline.hpp). The nodes are added
    /// behind those that it holds; the first of them is the text's value. If the text is refused,
    /// nothing is added. Repeated names stay, so that the outline is parallel to the value. Memory:
    /// 32 bytes for each value. May be null. `parse_json` does not fill it.
    Outline* outline = nullptr;
    /// Added to all positions in the outline: the start of the text in a larger one. Positions that
    /// do not fit 32 bits are refused (size_limit).
    std::uint64_t outline_shift = 0;
    /// Called for each value that a repeated name drops or changes in plain JSON. May be null.
    const TextLoss* loss = nullptr;
    /// `max_bytes` limits the text, which must be shorter than 4 GiB in any case; `max_depth`
    /// nested containers of the value; `max_nodes` values.
    Limits limits = Limits::engine();
};

/// Typed JSON as `to_json` and Godot's `JSON.from_native` write it (docs/json.md): `"i:1"`,
/// `{"type":"Vector2","args":[1.0,2.0]}`. Lossless with `to_json`. Digits and ids that Godot's own
/// printer lost stay lost. `size`, if given, receives the number of bytes up to the end of the
/// value. Iterative. Memory: the value's own, and at most 16 times the text's size. Errors:
/// bad_syntax, bad_number, bad_escape, bad_utf8, unknown_constructor (no such type),
/// wrong_arguments, wrong_type (a bare number or string), bad_node_path, depth_limit, size_limit,
/// node_limit, trailing_bytes, no_memory.
[[nodiscard]] std::expected<Variant, TextError> parse_json(std::string_view text,
                                                           const JsonParseOptions& options = {},
                                                           std::size_t* size = nullptr);

/// Parses any JSON of other tools. Objects become Dictionaries with String keys in order; a
/// repeated name replaces the earlier value (see `repeated_names`). Arrays become Arrays. Numbers
/// without point and exponent that fit 64 bits become ints, others floats. Strings stay Strings.
/// Errors: as above, without unknown_constructor and wrong_arguments.
[[nodiscard]] std::expected<Variant, TextError> parse_plain_json(
    std::string_view text, const JsonParseOptions& options = {}, std::size_t* size = nullptr);

/// As Godot's `JSON.to_native(JSON.parse_string(text))`, except that refused text is an error.
[[nodiscard]] inline std::expected<Variant, TextError> json_to_native(std::string_view text) {
    return parse_json(text);
}

}  // namespace gdvar
