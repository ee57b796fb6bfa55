// Converting packets from one dialect to another, and saying what is lost.
// Room: inspect.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/inspect/renames.hpp"
#include "gdvar/value/losses.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// One value that the target can't express.
struct Loss {
    /// Longer paths are cut in the middle (`shortened_path`): otherwise each of many losses behind
    /// one long key would hold that key.
    static constexpr std::size_t most_path = 1000;

    std::string path;          ///< `$.players[3].pos`
    Type type = Type::nil;     ///< of the value
    std::string what;          ///< "StringName does not exist in godot-3.1"
    std::string substitution;  ///< "becomes a String"
};

/// A class or a property that the target's engines know under another name. No loss.
struct Rename {
    std::string path;  ///< of the Object or property, with the names of the source; as a Loss's
    std::string from, to;
};

/// A summary of what a conversion changes, in place of Conversion's lists. Losses are gathered by
/// kind: a few hundred bytes for each kind, however many losses there are. Renames are given one by
/// one. Long paths are cut in the middle (`shortened_path`).
struct ConversionReport {
    Losses& losses;  ///< "StringName does not exist in godot-3.1; it becomes a String"
    /// Called for each rename; may be null.
    std::function<void(const Rename&)> renamed{};
    /// Rewordings of a text without any loss: "note: escapes that Godot 4's JSON does
    /// not read were written as what they mean". May be null.
    Losses* notes = nullptr;
};

/// A converted packet, and what the conversion changed.
struct Conversion {
    PackedByteArray bytes;        ///< the packet in the target dialect, substitutions made
    std::vector<Loss> losses;     ///< empty: the target says exactly the same
    std::vector<Rename> renames;  ///< where Objects got other names
    std::size_t size = 0;         ///< bytes that the source packet took
};

/// Reads a packet in `from.dialect` and writes it in `to.dialect`; the Reader drives the Encoder.
/// A value without a form in the target is replaced by its nearest form, with one Loss each.
/// A caller that must not lose anything discards the result if there are losses. Between Godot 4's
/// dialects and those before it, and Pandemonium's, Objects' classes and properties are renamed as
/// `renames` says; an empty table leaves them. A name that may be any of several old ones is a
/// Loss, and becomes the first. With `report`, losses and renames go there, and `losses` and
/// `renames` stay empty. Without it, memory grows by a path for each of them. The result may have
/// keys that an engine merges; see make_strict (inspect/written.hpp). Errors: as `read` and
/// `encode`; offsets are in the source packet.
[[nodiscard]] std::expected<Conversion, Error> convert(
    ByteView packet, const DecodeOptions& from, const EncodeOptions& to,
    const Renames& renames = Renames::godot_3_to_4(), ConversionReport* report = nullptr);

}  // namespace inspect
}  // namespace gdvar
