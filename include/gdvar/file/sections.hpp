// Texts of sections: ConfigFiles and text resources (.tres, .tscn), read as one value with an
// outline of where everything stands.
// Room: file. Rules: wire-format 9.
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

/// How a text of sections is read.
struct SectionsOptions {
    /// The engine family that reads the file.
    TextFamily family = TextFamily::godot_4;
    /// `max_bytes` limits the text, `max_depth` and `max_nodes` the value, the containers of the
    /// document included.
    Limits limits = Limits::engine();
    /// Called for what stands in the text and not in the value, or is otherwise than it looks: text
    /// that engines skip or glue to the next key, values without a key, what `ParseOptions::loss`
    /// tells. Positions are those of the text. May be null.
    const TextLoss* note = nullptr;
};

/// A text of sections as one value.
struct SectionsText {
    Variant value;    ///< a Dictionary
    Outline outline;  ///< parallel to it, down to the values in the text
};

/// Reads a ConfigFile as `ConfigFile.load` of that family does.
///
/// The value is a Dictionary of sections, each a Dictionary of its keys, in the order in which they
/// first stand in the text: `$.audio.volume`. Keys before the first section are in the section "":
/// `$[""].volume`. A section that stands several times is one Dictionary. Unlike in the engine, a
/// key that stands several times has a pair for each (lookup finds the last), a null stays a value
/// (an engine erases the key), and a section without keys is there.
///
/// The outline: the root is of kind `sections`, its children of kind `section`. A section's spans
/// are its headers, from `[` to `]`, in the order of the text; for keys before the first header it
/// has none. Nothing is instantiated or loaded: Objects and references to resources are data, as
/// ParseOptions::resources says.
///
/// Iterative. Time: linear, n log n for n sections. Errors: those of `parse_text`; bad_syntax (a
/// header without an end). An engine keeps what it read before the error, and `load` fails.
[[nodiscard]] std::expected<SectionsText, TextError> read_config(
    std::string_view text, const SectionsOptions& options = {});

/// Reads a text resource or scene as `ResourceLoader.load` of that family does.
///
/// The value is a Dictionary of these, whether the text has any or not:
///
///     $.header              the attributes of gd_resource or gd_scene, and `tag`, which of both
///     $.ext["1_abc"]        the attributes of an ext_resource; the key is its id: an int, if the
///                           text has one, as Godot 3 writes it
///     $.sub["Curve_x"]      a sub_resource: an Object of its class with its properties
///     $.resource            of a gd_resource: an Object of its type with its properties
///     $.node["Player/Arm"]  of a gd_scene: by the path from the root, which is ".", the attributes
///                           of a node and `properties`: an Object of the node's type; a Dictionary
///                           for a node without a type, whose class another scene knows
///     $.connection[0]       of a gd_scene: the attributes of a connection
///     $.editable[0]         likewise
///
/// What stands several times (two nodes with one path, a property) has a pair for each; lookup
/// finds the last. Attributes of `sub_resource` and `resource` that engines do not read are told to
/// `note`.
///
/// The outline: the root is of kind `sections`; `ext`, `sub`, `node`, `connection` and `editable`
/// are of kind `group`; tags are of kind `attributes`, from `[` to `]`; lines of properties are of
/// kind `section`, with the tag in front of them as their span.
///
/// Iterative. Time: linear, n log n for n ids. Errors: those of `parse_text`; bad_syntax (also for
/// what an engine does not load: tags in another order, an attribute that is missing);
/// bad_reference (SubResource or ExtResource of an id that does not stand above it);
/// unsupported_type (a format that is newer than the family).
[[nodiscard]] std::expected<SectionsText, TextError> read_resource(
    std::string_view text, const SectionsOptions& options = {});

}  // namespace gdvar
