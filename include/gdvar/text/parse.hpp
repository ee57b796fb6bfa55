// Reading text: what `str_to_var` and `str2var` read, and our own lossless form.
// Room: text.
#pragma once

#include <expected>
#include <string_view>

#include "gdvar/value/text_error.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar {

/// How text is read. The defaults are Godot 4's own.
struct ParseOptions {
    /// Whose reader: its constructors, escapes, number rules (wire-format 6.1).
    TextFamily family = TextFamily::godot_4;
    /// Our own form (`to_text_full`) instead, in which nothing is lost: exact numbers, equal keys
    /// kept, `Vector3d`, object ids; `family` does not matter then. Godot 4's text is read, too.
    bool full = false;
    /// Give what the engine gives where it complains and yet returns something: an unfinished
    /// `NodePath("A"`, a typed container emptied because of a wrong element, black for a `#` that
    /// is no color, an untyped container for an unknown element type. Otherwise that is an error.
    bool tolerant = false;
    /// Take numbers for what they say, to the nearest float, and refuse (bad_number) those that do
    /// not fit: ints beyond 64 bits, floats beyond the range (`1e400`, `1e-400`, `1e4294967297`), an
    /// exponent without digits, a component or element that its type does not hold
    /// (`Vector2i(1.5, 3000000000)`, `PackedByteArray(256)`, `Vector2(1e39, 0)`). An engine reads
    /// these as other numbers without a word. `full` does so always. Of the 3.2 family `-inf.0` and
    /// the like are read, too, which it prints and can't read itself.
    bool strict_numbers = false;
    /// Refuse text after the value, other than white space and comments. Engines ignore it.
    bool whole = false;
    /// Told what is dropped or changed because the engine reads it so: numbers that make no
    /// whole element of a packed array, earlier values of a repeated key, elements that become
    /// another number in a typed container. The offset of the latter two is the container's; null:
    /// nobody.
    const TextLoss* loss = nullptr;
    /// `max_bytes` of text, `max_depth` open containers, `max_nodes` values.
    Limits limits = Limits::engine();
};

/// The value that the text begins with, as that family's engine reads it; nothing is ever
/// instantiated or loaded: objects become data, `Resource("...")` is refused. Where the engine
/// gives something in spite of an error, and where else this differs: docs/text.md. `size`, if
/// given, becomes the number of bytes up to the end of the value, so that one can go on from there.
/// Iterative; memory: what the value takes, and at most 16 times the text's size.
/// Errors: bad_syntax, bad_number, bad_escape, bad_utf8, unknown_constructor, wrong_arguments,
/// wrong_type (an element that the typed container does not take), unsupported_type (a Resource),
/// bad_node_path, bad_base64, depth_limit, size_limit, node_limit, trailing_bytes (with `whole`),
/// no_memory.
[[nodiscard]] std::expected<Variant, TextError> parse_text(std::string_view text,
                                             const ParseOptions& options = {},
                                             std::size_t* size = nullptr);

/// Our own form: `parse_text` with `full` set. Errors: as there.
[[nodiscard]] inline std::expected<Variant, TextError> parse_text_full(std::string_view text,
                                                         ParseOptions options = {},
                                                         std::size_t* size = nullptr) {
    options.full = true;
    return parse_text(text, options, size);
}

/// As Godot 4's `str_to_var`, but that refused text is an error and not null.
[[nodiscard]] inline std::expected<Variant, TextError> str_to_var(std::string_view text) {
    return parse_text(text);
}
/// As Godot 3's `str2var`, but that refused text is an error and not that text.
[[nodiscard]] inline std::expected<Variant, TextError> str2var(std::string_view text) {
    return parse_text(text, {.family = TextFamily::godot_3_6});
}

}  // namespace gdvar
