// Converting packets from one dialect to another, and saying what is lost.
// Room: inspect.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "gdvar/inspect/renames.hpp"
#include "gdvar/value/losses.hpp"
#include "gdvar/wire/bytes.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar {

/// One value that the target can't express.
struct Loss {
    std::string path;          ///< `$.players[3].pos`
    Type type = Type::nil;     ///< of the value
    std::string what;          ///< "StringName does not exist in godot-3.1"
    std::string substitution;  ///< "becomes a String"
};

/// A class or a property that the target's engines know under another name. No loss.
struct Rename {
    std::string path;  ///< of the Object or property, with the names of the source
    std::string from, to;
};

/// For those who only want to say what a conversion changes: what is lost gathered by kind, so that
/// it takes a few lines and a few hundred bytes a kind, however many there are; names as they come.
/// Long paths are cut in the middle (`shortened_path`).
struct ConversionReport {
    Losses& losses;  ///< "StringName does not exist in godot-3.1; it becomes a String"
    /// Called for each; null: not at all.
    std::function<void(const Rename&)> renamed{};
};

struct Conversion {
    PackedByteArray bytes;        ///< the packet in the target dialect, substitutions made
    std::vector<Loss> losses;     ///< empty: the target says exactly the same
    std::vector<Rename> renames;  ///< where Objects got other names
    std::size_t size = 0;         ///< bytes that the source packet took
};

/// Reads a packet in `from.dialect` and writes it in `to.dialect`, the Reader driving the Encoder.
/// What the target has no form for is replaced by the nearest that it has, with one Loss each; who
/// must not lose anything looks at `losses` and keeps nothing when there are any.
/// Between Godot 4's dialects and those before it, and Pandemonium's, Objects' classes and
/// properties are renamed as `renames` says; an empty table leaves them. A name that may be any of
/// several old ones is a Loss, and becomes the first. With `report` all of this goes there, and
/// `losses` and `renames` stay empty. Memory without: one path for each of them. What comes out may
/// have keys that an engine merges; see make_strict (inspect/written.hpp). Errors: as `read` and
/// `encode`, their offset in the source packet.
[[nodiscard]] std::expected<Conversion, Error> convert(
    ByteView packet, const DecodeOptions& from, const EncodeOptions& to,
    const Renames& renames = Renames::godot_3_to_4(), ConversionReport* report = nullptr);

}  // namespace gdvar
