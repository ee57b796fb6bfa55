// Parses text: Godot's form, as `str_to_var` and `str2var` read it, and our own lossless form.
#pragma once

#include <expected>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/value/text_error.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar GDVAR_EXPORT {

/// Treatment of a typed container with an element of another type, as in `Array[int](["one"])`.
/// Godot 4 prints an error and leaves the container empty.
enum class WrongElements : std::uint8_t {
    refused,  ///< the text is an error, wrong_type
    /// The container keeps its type and elements; those that fit are converted to it as in any
    /// other. `loss` is called. An element type whose name is
    /// not known is ignored, as Godot 4 does, and `loss` is called. The other two refuse it
    /// (unknown_constructor).
    kept,
    untyped,  ///< the container loses its type and keeps its elements unchanged; `loss` is called
};

/// The message of `loss` for a container that is kept.
inline constexpr std::string_view left_empty =
    "Godot 4 leaves this container empty, since its type does not take one of its elements";

/// Options of parsed text. The defaults are Godot 4's own.
struct ParseOptions {
    /// The engine family whose constructors, escapes and number rules hold (wire-format 6.1).
    TextFamily family = TextFamily::godot_4;
    /// Parses our own lossless form (`to_text_full`), which has exact numbers, equal keys,
    /// `Vector3d` and object ids. Godot 4's text is accepted, too. `family` has no effect.
    bool full = false;
    /// Accepts texts for which the engine reports an error but returns a value: an unfinished
    /// `NodePath("A"`, a typed container with a wrong element (it becomes empty), a `#` without a
    /// color (black), an unknown element type (untyped container). By default these are errors.
    bool tolerant = false;
    /// Ignored with `tolerant`: such a container becomes empty, as in Godot 4.
    WrongElements wrong_elements = WrongElements::refused;
    /// Reads each number exactly, or as the nearest float, and refuses (bad_number) numbers that do
    /// not fit: ints beyond 64 bits, floats beyond the range (`1e400`, `1e-400`, `1e4294967297`),
    /// an exponent without digits, a component or element beyond its type
    /// (`Vector2i(1.5, 3000000000)`, `PackedByteArray(256)`, `Vector2(1e39, 0)`). An engine
    /// silently reads these as other numbers. `full` implies this option. For the 3.2 family it
    /// also reads `-inf.0` and the like, which that engine prints but can't read.
    bool strict_numbers = false;
    /// Refuses text after the value, other than white space and comments. Engines ignore it.
    bool whole = false;
    /// Reads strings by the engine's rules for files (wire-format 9.2), not those for a String:
    /// each loses one leading byte order mark, and `\u00e9` is one byte of UTF-8. The text itself
    /// does not begin with a mark. `full` has no such rule.
    bool file = false;
    /// Accepts references to resources, as in `.tres` and `.tscn` files and ConfigFiles, as data.
    /// Each becomes an Object of the name's class with these properties, in the order of the text:
    ///
    ///     ExtResource("1_abc"), ExtResource( 1 )         id, a String or an int
    ///     SubResource("Gradient_x"), SubResource( 1 )    id
    ///     Resource("res://x.tres")                       path
    ///     Resource("uid://c8", "res://x.tres")           uid, path; Godot 4 only
    ///
    /// A reference as the element type of a container, as in `Array[ExtResource("1_abc")]`, becomes
    /// a class whose name is the whole reference, `ExtResource("1_abc")`; `Resource("res://x.gd")`
    /// becomes a script with that path, as without this option. Without this option references are
    /// refused.
    bool resources = false;
    /// Receives the position of each value (value/outline.hpp). The nodes are added behind those
    /// that it holds; the first of them is the text's value. If the text is refused, nothing is
    /// added. With an outline, Dictionaries keep every pair of the text, equal keys too, so that
    /// the outline is parallel to the value; lookup finds the last one, as an engine does. Memory:
    /// 32 bytes for each value. May be null.
    Outline* outline = nullptr;
    /// Added to all positions in the outline: the start of the text in a larger one. Positions that
    /// do not fit 32 bits are refused (size_limit).
    std::uint64_t outline_shift = 0;
    /// Called for each value that is dropped or changed as the engine does it: numbers of an
    /// incomplete element at the end of a packed array, earlier values of a repeated key, elements
    /// that become another number in a typed container, and characters that `file` changes. For a
    /// key and an element the offset is the container's. With it, families of Godot 4 read U+FFFD
    /// for bytes that are not UTF-8, as their `get_as_text` does. May be null.
    const TextLoss* loss = nullptr;
    /// `max_bytes` limits the text, `max_depth` nested containers, `max_nodes` values.
    Limits limits = Limits::engine();
};

/// Parses the value at the start of the text as that family's engine does. Nothing is instantiated
/// or loaded: objects become data, `Resource("...")` is refused. docs/text.md lists the differences
/// from the engine, which returns some values in spite of an error. `size`, if given, receives the
/// number of bytes up to the end of the value, where the caller can go on. Iterative. Memory: the
/// value's own, and at most 16 times the text's size. Errors: bad_syntax, bad_number, bad_escape,
/// bad_utf8, unknown_constructor, wrong_arguments, wrong_type (an element of another type in a
/// typed container), unsupported_type (a Resource, without `resources`), bad_node_path, bad_base64,
/// depth_limit, size_limit, node_limit, trailing_bytes (with `whole`), no_memory.
[[nodiscard]] std::expected<Variant, TextError> parse_text(std::string_view text,
                                                           const ParseOptions& options = {},
                                                           std::size_t* size = nullptr);

/// Our own form: `parse_text` with `full` set. Errors: as there.
[[nodiscard]] inline std::expected<Variant, TextError> parse_text_full(
    std::string_view text, ParseOptions options = {}, std::size_t* size = nullptr) {
    options.full = true;
    return parse_text(text, options, size);
}

/// As Godot 4's `str_to_var`, except that refused text is an error, not null.
[[nodiscard]] inline std::expected<Variant, TextError> str_to_var(std::string_view text) {
    return parse_text(text);
}
/// As Godot 3's `str2var`, except that refused text is an error, not that text.
[[nodiscard]] inline std::expected<Variant, TextError> str2var(std::string_view text) {
    return parse_text(text, {.family = TextFamily::godot_3_6});
}

}  // namespace gdvar
