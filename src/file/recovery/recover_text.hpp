// Damaged texts: JSON, JSON lines, ConfigFiles, text resources, Godot's text of one value.
// Room: file, private.
#pragma once

#include "file/recovery/recover_layers.hpp"

namespace gdvar::recovering {

/// Whether most bytes are those of a text. Runs of zeros, which a crash leaves, do not count.
bool is_mostly_text(std::string_view text);

/// Whether a text that can be read is damaged all the same: a ConfigFile with what engines read and
/// never write, JSON that the engines of the dialect in the options refuse. `read_in`: the dialect
/// that it was read in.
bool is_odd_text(std::string_view text, InputKind kind, const Dialect& read_in,
                 const SaveOptions& options);

/// Reads `found.document` as a text, sound or damaged, and sets what `found` says of it. `seen`:
/// what the text is, `unknown` if that is not certain. `asked`: the caller says so. Errors:
/// not_recognised (no such text, or nothing of it can be kept), size_limit (more than `max_values`
/// values). Throws bad_alloc.
std::expected<void, Error> read_text(Found& found, InputKind seen, bool asked,
                                     const SaveOptions& options, std::uint64_t max_values);

}  // namespace gdvar::recovering
