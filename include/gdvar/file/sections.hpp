// Texts of sections: ConfigFiles and text resources (.tres, .tscn), read as one value with an
// outline of where everything stands.
// Room: file. Rules: wire-format 9.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/value/text_error.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar GDVAR_EXPORT {

/// How a text of sections is read.
struct SectionsOptions {
    /// The engine family that reads the file.
    TextFamily family = newest_text_family;
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
/// Repeated names have a pair for each, and lookup finds the one that engines take: the last
/// property, attribute and ext_resource; the first sub_resource (the others stand in front of it in
/// the value), unless a load leaves the cache alone (`CACHE_MODE_IGNORE`). Engines make every node:
/// the first at a path has it as its key, and the next one "A:2". `find_repeats` tells
/// them. Attributes of `sub_resource` and `resource` that engines do not read are told to `note`.
///
/// The outline: the root is of kind `sections`; `ext`, `sub`, `node`, `connection` and `editable`
/// are of kind `group`; tags are of kind `attributes`, from `[` to `]`, with `inner` behind their
/// name; lines of properties are of kind `section`, with the tag in front of them as their span and
/// `inner` behind it. A sub_resource's key is its id, as it stands in the tag.
///
/// Iterative. Time: linear, n log n for n ids. Errors: those of `parse_text`; bad_syntax (also for
/// what an engine does not load: tags in another order, an attribute that is missing);
/// bad_reference (SubResource or ExtResource of an id that does not stand above it);
/// unsupported_type (a format that is newer than the family).
[[nodiscard]] std::expected<SectionsText, TextError> read_resource(
    std::string_view text, const SectionsOptions& options = {});

/// Tags of a text resource that have the id or the path of another one.
struct RepeatedTag {
    std::string path;          ///< of the value that engines take: `$.sub["x"]`, `$.node["A"]`
    std::string_view meaning;  ///< what engines do with these; static text
};

/// The repeated tags of a value that `read_resource` gave, each id and path once, in the order of
/// the value. Empty for any other value. Rules: runs of Godot 3.2.3, 3.6.2 and 4.6.3
/// (`tests/recorders/repeats4.gd`). Time: n log n. May throw bad_alloc.
[[nodiscard]] std::vector<RepeatedTag> find_repeats(const Variant& document, TextFamily family);

/// The dialect of packets that hold these values: godot-4.4, godot-3.1 or pandemonium-5, in which
/// any value may be an Object's `script`. Lives as long as the program.
const Dialect& sections_dialect(TextFamily family) noexcept;
/// The same for the engines of one dialect, which may have fewer types than the newest ones of its
/// family: godot-4.3 has no typed Dictionaries.
const Dialect& sections_dialect(const Dialect& engines) noexcept;

/// The text with the differences between two values made in it. `text` and `outline` are those that
/// were read, `before` is the value that was read with them, as a packet of `sections_dialect`, and
/// `after` another such packet. All other bytes stay: comments, order, spacing, line ends, the
/// spelling of numbers (`inspect::rewrite`). New assignments and tags stand behind those before
/// them in the value, in the style of their neighbours, else as engines write them. A section that
/// goes takes its lines and the comments between them along.
///
/// The result has been read again, and gave `after`. Errors: not_in_dialect with the path of what
/// this engine can't store, or would read as something else: a null (which erases the key), a
/// section's name with `]` in Godot 3; wrong_type (a section that is no Dictionary, a key that is
/// no String); misplaced; those of `inspect::rewrite`.
[[nodiscard]] std::expected<std::string, inspect::RewriteError> rewrite_config(
    std::string_view text, const Outline& outline, const View& before, const View& after,
    const SectionsOptions& options = {});

/// The same for text resources. Data that is in the value twice is kept alike: with a class its
/// `type` attribute changes, and the other way round; with a `name`, `parent` or `id` the key, and
/// with a new key these attributes. A new node needs no attributes but `type`, a new ext_resource
/// no `id`. `load_steps`, if there is one, counts the resources.
[[nodiscard]] std::expected<std::string, inspect::RewriteError> rewrite_resource(
    std::string_view text, const Outline& outline, const View& before, const View& after,
    const SectionsOptions& options = {});

}  // namespace gdvar
