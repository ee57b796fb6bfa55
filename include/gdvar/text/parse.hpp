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
    /// Reads each number exactly, or as the nearest float, and refuses (bad_number) numbers that do
    /// not fit: ints beyond 64 bits, floats beyond the range (`1e400`, `1e-400`, `1e4294967297`),
    /// an exponent without digits, a component or element beyond its type (`Vector2i(1.5,
    /// 3000000000)`, `PackedByteArray(256)`, `Vector2(1e39, 0)`). An engine silently reads these as
    /// other numbers. `full` implies this option. For the 3.2 family it also reads `-inf.0` and the
    /// like, which that engine prints but can't read.
    bool strict_numbers = false;
    /// Refuse text after the value, other than white space and comments. Engines ignore it.
    bool whole = false;
    /// Called for each value that is dropped or changed, as the engine does: numbers that make no
    /// whole element of a packed array, earlier values of a repeated key, elements that become
    /// another number in a typed container. The offset of the latter two is the container's. May be
    /// null.
    const TextLoss* loss = nullptr;
    /// `max_bytes` of text, `max_depth` open containers, `max_nodes` values.
    Limits limits = Limits::engine();
};

/// The value at the start of the text, as that family's engine reads it. Nothing is instantiated or
/// loaded: objects become data, `Resource("...")` is refused. docs/text.md lists the differences
/// from the engine, which gives some values in spite of an error. `size`, if given, becomes the
/// number of bytes up to the end of the value, where the caller can go on.
/// Iterative. Memory: the value's own, and at most 16 times the text's size.
/// Errors: bad_syntax, bad_number, bad_escape, bad_utf8, unknown_constructor, wrong_arguments,
/// wrong_type (an element that the typed container does not take), unsupported_type (a Resource),
/// bad_node_path, bad_base64, depth_limit, size_limit, node_limit, trailing_bytes (with `whole`),
/// no_memory.
[[nodiscard]] std::expected<Variant, TextError> parse_text(std::string_view text,
                                                           const ParseOptions& options = {},
                                                           std::size_t* size = nullptr);

/// Our own form: `parse_text` with `full` set. Errors: as there.
[[nodiscard]] inline std::expected<Variant, TextError> parse_text_full(
    std::string_view text, ParseOptions options = {}, std::size_t* size = nullptr) {
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
