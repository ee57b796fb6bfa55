// Converting packets from one dialect to another, and saying what is lost.
// Room: inspect.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "gdvar/inspect/renames.hpp"
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

struct Conversion {
    PackedByteArray bytes;        ///< the packet in the target dialect, substitutions made
    std::vector<Loss> losses;     ///< empty: the target says exactly the same
    std::vector<Rename> renames;  ///< where Objects got other names
    std::size_t size = 0;         ///< bytes that the source packet took
};

/// Reads a packet in `from.dialect` and writes it in `to.dialect`, the Reader driving the Encoder.
/// What the target has no form for is replaced by the nearest that it has, with one Loss each; who
/// must not lose anything looks at `losses` and keeps nothing when there are any.
/// Between Godot 4's dialects and those before it, and Pandemonium's, Objects' classes and properties
/// are renamed as `renames` says; an empty table leaves them. A name that may be any of several old
/// ones is a Loss, and becomes the first.
/// What comes out may have keys that an engine merges; see make_strict (inspect/written.hpp).
/// Errors: as `read` and `encode`, their offset in the source packet.
[[nodiscard]] std::expected<Conversion, Error> convert(ByteView packet, const DecodeOptions& from,
                                         const EncodeOptions& to,
                                         const Renames& renames = Renames::godot_3_to_4());

}  // namespace gdvar
