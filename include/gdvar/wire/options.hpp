// Options of decoding and encoding.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar GDVAR_EXPORT {

/// How bytes are read. The defaults are Godot 4.4's own.
struct DecodeOptions {
    /// Borrowed; must outlive the call, and a Document made with it.
    const Dialect* dialect = &dialects::godot_4_4;
    Limits limits = Limits::engine();
    /// Accept objects in full (class and properties), as inert data. Ids are always accepted.
    bool allow_objects = false;
    /// Refuse everything that no engine would write: non-zero padding, wide small numbers, unknown
    /// flag bits, missing final padding, trailing bytes, keys that an engine would merge.
    bool strict = false;
    /// Also accept NodePath's old text form, which engines before 2.1.5 and 3.0.6 read.
    bool node_path_text = false;
    /// 8: every "Float" field of a page dialect has 8 bytes, without a flag (wire-format 3). Other
    /// dialects ignore it: Godot 4 has the width in each header.
    std::uint8_t real_width = 4;
};

/// How bytes are written. The defaults are Godot 4.4's own.
struct EncodeOptions {
    /// Borrowed; must outlive the call.
    const Dialect* dialect = &dialects::godot_4_4;
    /// Write objects in full. Ids are always written.
    bool allow_objects = false;
    /// As in DecodeOptions.
    std::uint8_t real_width = 4;
    /// Containers that may be open around a value. Engines: 1024.
    std::uint32_t max_depth = 1024;
};

/// The default arguments: made once, because options made for a call are read before a processor
/// has written them, which costs a small packet a tenth of its time.
inline constexpr DecodeOptions default_decode_options{};
inline constexpr EncodeOptions default_encode_options{};

}  // namespace gdvar
