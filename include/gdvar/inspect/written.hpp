// Checks of written packets: whether the target's engines would write the same.
// Room: inspect.
#pragma once

#include <expected>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// Checks that the packet decodes strictly with the options with which it was written: in that
/// dialect, with Objects only if they were allowed, with nothing after it, without repeated keys,
/// and no deeper than `how.max_depth`. Call it before a file is replaced. Time: n log n. Errors:
/// those of `validate` with `strict`, for the packet.
[[nodiscard]] std::expected<void, Error> check_written(ByteView packet, const EncodeOptions& how);

/// Checks that an edit left a packet no worse than it was. Either the packet decodes strictly, or
/// it did not before the edit and nothing that strict reading refuses occurs more often than before
/// (each code counted by itself). A repeated key was there before if a Dictionary at the same path
/// had it as often, or had repeated keys in the same pairs, which got another name, or if a
/// Dictionary with all the same keys stood elsewhere. Saves with quirks can so still be edited.
/// Check the new value separately with `check_value`: its quirk could take the place of one that it
/// replaces. Time: n log n. Errors: that of the first new fault; those of `read` for `after`;
/// no_memory.
[[nodiscard]] std::expected<void, Error> check_edited(ByteView before, ByteView after,
                                                      const EncodeOptions& how);
/// Checks that the new value of an edit, encoded by itself, decodes strictly. Errors: those of
/// `encode` and check_written, for the value's own packet.
[[nodiscard]] std::expected<void, Error> check_value(const Variant& value,
                                                     const EncodeOptions& how);

/// Tells `to` of each element, key and value that the typed container around it does not take. Such
/// a packet decodes strictly, but no engine writes it. Errors: those of `read` for the packet;
/// no_memory.
[[nodiscard]] std::expected<void, Error> find_misfits(ByteView packet, const EncodeOptions& how,
                                                      Losses& to);

/// Removes the pairs that keep a conversion's result from decoding strictly. If keys are
/// equal, in the input or by the conversion, only the last pair stays; each removed pair is a
/// loss. Keys that are containers may become equal by this, so it is repeated, at most eight times.
/// `how` and `report` as for `convert`. Errors: as check_written, for what stays.
[[nodiscard]] std::expected<void, Error> make_strict(Conversion& done, const EncodeOptions& how,
                                                     ConversionReport* report = nullptr);

}  // namespace inspect
}  // namespace gdvar
