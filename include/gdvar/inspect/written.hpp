// Whether what was written is what the target's engines would write themselves.
// Room: inspect.
#pragma once

#include <expected>

#include "gdvar/inspect/convert.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/bytes.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar {

/// Whether the packet decodes strictly as what it was written as: in that dialect, with Objects
/// where they were allowed, with nothing behind it, no repeated key and no deeper than
/// `how.max_depth`. To be asked before a file is replaced. Time: n log n.
/// Errors: those of `validate` with `strict`, for the packet.
[[nodiscard]] std::expected<void, Error> check_written(ByteView packet, const EncodeOptions& how);

/// Whether an edit left a packet no worse than it was: it decodes strictly; or it did not before,
/// and of nothing that strict reading refuses (each of its codes, keys that come again) is there
/// more than there was. A save that its engine wrote otherwise stays editable that way. What the
/// edit put in is to be asked for by itself, with `check_value`: it could hide behind what it
/// replaced. Time: n log n. Errors: that of the first thing that is new; those of `read` for
/// `after`; no_memory.
[[nodiscard]] std::expected<void, Error> check_edited(ByteView before, ByteView after,
                                                      const EncodeOptions& how);
/// The same for one value that an edit puts in: encoded by itself it decodes strictly. Errors:
/// those of `encode` and check_written, for the value's own packet.
[[nodiscard]] std::expected<void, Error> check_value(const Variant& value,
                                                     const EncodeOptions& how);

/// Makes a conversion decode strictly, where what was read has, or its target's form makes, keys
/// that an engine merges: all but the last pair of such a key are taken out, with one loss each.
/// Keys that hold others are looked at again then, eight times at most. `how` and `report` as for
/// `convert`.
/// Errors: as check_written, for what stays.
[[nodiscard]] std::expected<void, Error> make_strict(Conversion& done, const EncodeOptions& how,
                                                     ConversionReport* report = nullptr);

}  // namespace gdvar
