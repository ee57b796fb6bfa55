// Damaged texts: JSON, JSON lines, ConfigFiles, text resources, Godot's text of one value.
// Room: file, private.
#pragma once

#include "file/recovery/recover_layers.hpp"

namespace gdvar::recovering {

/// Reads `found.document` as a text, sound or damaged, and sets what `found` says of it. `seen`:
/// what the text is, `unknown` if that is not certain. `asked`: the caller says so. False if it is
/// no such text, or nothing of it can be kept. Throws bad_alloc.
bool read_text(Found& found, InputKind seen, bool asked, const RecoverOptions& options);

}  // namespace gdvar::recovering
