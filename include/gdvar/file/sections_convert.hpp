// ConfigFiles and text resources for engines of another family: what means the same stays as it is.
// Room: file. Rules: wire-format 9.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/inspect/convert.hpp"

namespace gdvar GDVAR_EXPORT {

/// A converted text, and what the conversion changed.
struct SectionsConversion {
    std::string text;
    std::vector<inspect::Loss> losses;     ///< empty: the target's engines read the same
    std::vector<inspect::Rename> renames;  ///< of classes and properties
};

/// Converts a ConfigFile from the family `options.family` for those `engines`. `outline` and
/// `value` are those that were read from the text, the value as a packet of `sections_dialect`. The
/// values are converted by `inspect::convert`, with its substitutions, losses and renames. A value
/// that the target's engines read alike, and that has no name of a type that only the other family
/// prints (PoolIntArray, Quat), keeps its text; others are printed anew. All else stays: comments,
/// order, spacing, keys, and what stands around a value that changes inside of a container.
///
/// The result has been read again as the target's engines do. With `report`, losses and renames go
/// there. Errors: those of `inspect::convert` and `rewrite_config`.
[[nodiscard]] std::expected<SectionsConversion, inspect::RewriteError> convert_config(
    std::string_view text, const Outline& outline, const View& value, const Dialect& engines,
    const SectionsOptions& options = {},
    const inspect::Renames& renames = inspect::Renames::godot_3_to_4(),
    inspect::ConversionReport* report = nullptr);

/// The same for text resources. Besides, between Godot 4 and the others: `format`; the classes in
/// `type` attributes; ids, which are numbers in Godot 3 and texts in Godot 4, and the references to
/// them; metadata, which Godot 3 has in one property (`__meta__`) and Godot 4 in several
/// (`metadata/name`). Losses are also the attributes of connections and nodes that Godot 3 does not
/// know (`unbinds`, `node_paths`; they stay in the text), and metadata whose names Godot 4 does not
/// take. The properties of a node without a type keep their names.
[[nodiscard]] std::expected<SectionsConversion, inspect::RewriteError> convert_resource(
    std::string_view text, const Outline& outline, const View& value, const Dialect& engines,
    const SectionsOptions& options = {},
    const inspect::Renames& renames = inspect::Renames::godot_3_to_4(),
    inspect::ConversionReport* report = nullptr);

}  // namespace gdvar
