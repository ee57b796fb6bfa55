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

/// Whether the packet decodes strictly by the options with which it was written: in that dialect,
/// with Objects only if they were allowed, with nothing behind it, without repeated keys, and no
/// deeper than `how.max_depth`. To be called before a file is replaced. Time: n log n. Errors:
/// those of `validate` with `strict`, for the packet.
[[nodiscard]] std::expected<void, Error> check_written(ByteView packet, const EncodeOptions& how);

/// Whether an edit left a packet no worse than it was: it decodes strictly, or, if it did not
/// before the edit, nothing that strict reading refuses occurs more often than before (each code,
/// and repeated keys, counted by itself). So odd saves can still be edited. Check the new value by
/// itself with `check_value`, because its oddity could take the place of one that it replaces.
/// Time: n log n. Errors: that of the first thing that is new; those of `read` for `after`;
/// no_memory.
[[nodiscard]] std::expected<void, Error> check_edited(ByteView before, ByteView after,
                                                      const EncodeOptions& how);
/// The same for one value that an edit puts in: encoded by itself it decodes strictly. Errors:
/// those of `encode` and check_written, for the value's own packet.
[[nodiscard]] std::expected<void, Error> check_value(const Variant& value,
                                                     const EncodeOptions& how);

/// Removes the pairs of a conversion's result that keep it from decoding strictly: of equal keys,
/// which the input had or the target's form made equal, only the last pair stays; each other one is
/// a loss. Keys that are containers may become equal by that, so it is repeated, eight times at
/// most. `how` and `report` as for `convert`. Errors: as check_written, for what stays.
[[nodiscard]] std::expected<void, Error> make_strict(Conversion& done, const EncodeOptions& how,
                                                     ConversionReport* report = nullptr);

}  // namespace gdvar
