// Whether what was written is what the target's engines would write themselves.
// Room: inspect.
#pragma once

#include <expected>

#include "gdvar/inspect/convert.hpp"
#include "gdvar/wire/bytes.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar {

/// Whether the packet decodes strictly as what it was written as: in that dialect, with Objects
/// where they were allowed, with nothing behind it, no repeated key and no deeper than
/// `how.max_depth`. To be asked before a file is replaced. Time: n log n.
/// Errors: those of `validate` with `strict`, for the packet.
std::expected<void, Error> check_written(ByteView packet, const EncodeOptions& how);

/// Makes a conversion decode strictly, where what was read has, or its target's form makes, keys
/// that an engine merges: all but the last pair of such a key are taken out, with one Loss each.
/// Keys that hold others are looked at again then, eight times at most. `how` as for `convert`.
/// Errors: as check_written, for what stays.
std::expected<void, Error> make_strict(Conversion& done, const EncodeOptions& how);

}  // namespace gdvar
