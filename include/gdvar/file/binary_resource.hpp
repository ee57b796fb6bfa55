// Binary resources: the files .res and .scn (RSRC), also compressed ones (RSCC). They are read
// only. Room: file. Rules: wire-format 8.
#pragma once

#include <cstdint>
#include <expected>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar GDVAR_EXPORT {

/// How a binary resource is read.
struct BinaryResourceOptions {
    /// Limit of the content of a compressed resource, in bytes. A larger one is refused.
    std::uint64_t max_bytes = 256u << 20;
    /// Containers that may be open around a value. Engines: as many as their stack holds.
    std::uint32_t max_depth = 1024;
};

/// Whether the bytes begin like a binary resource: RSRC or RSCC.
bool is_binary_resource(ByteView start) noexcept;

/// A binary resource as one value, of the shape that text resources have (file/sections.hpp), in a
/// packet:
///
///     $.header     a Dictionary: `type`, `format`, `engine` ("4.6"), `path`; where they apply
///                  `script_class`, `uid`, `big_endian`, `compressed`, `double_precision`,
///                  `no_end_mark`, and `unread`, the number of bytes that belong to nothing
///     $.ext[0]     an external resource, by its number: a Dictionary of `type`, `path`, `uid`
///     $.sub["id"]  an internal resource: an Object of its class with its properties; up to format
///                  3 the id is an int
///     $.resource   the resource itself: an Object of its class with its properties
///     $.import     how the resource was imported (Godot 1 and 2 alone)
///
/// Inside of properties, `ExtResource` and `SubResource` are Objects with the property `id`, and
/// `Resource` is one with `path` and `type`.
struct BinaryResource {
    /// The packet's: godot-4.4, godot-3.1 or pandemonium-5, whichever family wrote the file. Any
    /// value may be an Object's `script` in it, but for that it is as its name says.
    const Dialect* dialect = nullptr;
    PackedByteArray packet{};
};

/// Reads a binary resource of the format versions 0 to 6, of either byte order, compressed or not.
/// Owns nothing of `bytes`. Time and memory are linear in the file's size, or that of the
/// decompressed content. Offsets of errors are positions in the file; in the content, counted from
/// its start, if it is compressed.
///
/// Errors: bad_magic, truncated, bad_length, bad_utf8, unknown_type, not_recognised (a newer
/// format), bad_reference (a number or offset that leads to nothing), bad_container_type,
/// depth_limit, size_limit (`max_bytes`; parts that overlap; names that are repeated until they
/// exceed 4 times the file and 1 MiB), too_large, no_memory; of compressed ones also those of
/// open_container.
[[nodiscard]] std::expected<BinaryResource, Error> read_binary_resource(
    ByteView bytes, const BinaryResourceOptions& options = {});

/// The same value as a Variant.
[[nodiscard]] std::expected<Variant, Error> decode_binary_resource(
    ByteView bytes, const BinaryResourceOptions& options = {});

}  // namespace gdvar
