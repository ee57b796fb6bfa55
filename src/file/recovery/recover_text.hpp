// Damaged texts: JSON, JSON lines, ConfigFiles, text resources, Godot's text of one value.
// Room: file, private.
#pragma once

#include "file/recovery/recover_layers.hpp"
#include "gdvar/file/sections.hpp"

namespace gdvar::recovering {

/// Whether most bytes are those of a text. Runs of zeros, which a crash leaves, do not count.
bool is_mostly_text(std::string_view text);

/// What a ConfigFile that engines read shows of damage.
struct ConfigLook {
    /// It has what engines read and never write: a line without '=', which is a part of the next
    /// key, a header that goes on to a `]` in another line.
    bool odd = true;
    bool pairs = false;  ///< it has any
};
ConfigLook look_at_config(std::string_view text, TextFamily family);

/// Reads `found.document` as a text, sound or damaged, and sets what `found` says of it. `seen`:
/// what the text is, `unknown` if that is not certain. `asked`: the caller says so. Errors:
/// not_recognised (no such text, or nothing of it can be kept), size_limit (more than `max_values`
/// values). Throws bad_alloc.
std::expected<void, Error> read_text(Found& found, InputKind seen, bool asked,
                                     const RecoverOptions& options, std::uint64_t max_values);

}  // namespace gdvar::recovering
