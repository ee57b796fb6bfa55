// Reading JSON: typed, in the shape of Godot's `JSON.from_native`, and plain.
// Room: json.
#pragma once

#include <expected>
#include <string_view>

#include "gdvar/value/text_error.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar {

struct JsonParseOptions {
    /// Refuse text after the value, other than white space.
    bool whole = true;
    /// Plain JSON: refuse (bad_number) an int beyond 64 bits, which else becomes a float, and a
    /// float that is too small and else becomes 0. Typed JSON always refuses what does not fit.
    bool strict_numbers = false;
    /// Told what is dropped or changed because a name is repeated in plain JSON; null: nobody.
    const TextLoss* loss = nullptr;
    /// `max_bytes` of text, which has to be shorter than 4 GiB anyhow; `max_depth` open containers of
    /// the value; `max_nodes` values.
    Limits limits = Limits::engine();
};

/// Typed JSON as `to_json` and Godot's `JSON.from_native` write it (docs/json.md): `"i:1"`,
/// `{"type":"Vector2","args":[1.0,2.0]}`. Lossless with `to_json`. What Godot's own printer lost
/// (digits, ids) stays lost. `size`, if given, becomes the number of bytes up to the end of the
/// value. Iterative; memory: what the value takes, and at most 16 times the text's size.
/// Errors: bad_syntax, bad_number, bad_escape, bad_utf8, unknown_constructor (no such type),
/// wrong_arguments, wrong_type (a bare number or string), bad_node_path, depth_limit, size_limit,
/// node_limit, trailing_bytes, no_memory.
[[nodiscard]] std::expected<Variant, TextError> parse_json(std::string_view text,
                                             const JsonParseOptions& options = {},
                                             std::size_t* size = nullptr);

/// Any JSON, such as other tools write. Objects become Dictionaries with String keys, in order, an
/// equal name replacing the earlier value; arrays Arrays; numbers without point and exponent that
/// fit 64 bits ints, others floats; no string is taken apart. Errors: as above, without
/// unknown_constructor and wrong_arguments.
[[nodiscard]] std::expected<Variant, TextError> parse_plain_json(std::string_view text,
                                                   const JsonParseOptions& options = {},
                                                   std::size_t* size = nullptr);

/// As Godot's `JSON.to_native(JSON.parse_string(text))`, but that refused text is an error.
[[nodiscard]] inline std::expected<Variant, TextError> json_to_native(std::string_view text) {
    return parse_json(text);
}

}  // namespace gdvar
