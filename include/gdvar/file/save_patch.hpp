// The differences between two saves, and the changes made in another one.
// Room: file. The changes: docs/patch.md.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "gdvar/base/export.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/inspect/diff.hpp"

namespace gdvar GDVAR_EXPORT {

/// The changes that give `from` the values of `to`, as `inspect::diff` gives them: layers, dialects
/// and layouts are not compared. In a save of several values each path begins with the number of
/// the record or line, or with the setting's name. `max_bytes`: as in `inspect::diff`. Errors:
/// wrong_type (one holds records, the other settings or one value), duplicate_key (a setting stands
/// twice), too_large; those of SaveFile::check and of `inspect::diff`.
[[nodiscard]] std::expected<inspect::Patch, Error> diff_saves(
    const SaveFile& from, const SaveFile& to, std::optional<std::uint64_t> max_bytes = {});

/// Makes the changes in the save, in order: all of them or, after an error, none. The bytes of
/// values and the text that no change touches stay. New values must decode strictly, and
/// nothing else may get worse (`check_written`, `check_edited`). Nothing is written to the file.
/// Errors: bad_path, with the number of the change, for one that does not fit; not_in_dialect, of a
/// text; those of `inspect::patch_packet`, `encode` and the checks; misplaced (no value would be
/// left); trailing_bytes (a value changes, and bytes that follow it would be lost).
[[nodiscard]] std::expected<void, inspect::PatchError> patch_save(SaveFile& save,
                                                                  const inspect::Patch& patch);

}  // namespace gdvar
