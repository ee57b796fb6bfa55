// decode and encode: between bytes and Variants, under our own names and Godot's.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/output.hpp"

namespace gdvar GDVAR_EXPORT {

/// A value and the size of its packet.
struct Decoded {
    Variant value;
    std::size_t size = 0;
};

/// Reads one packet from the start of `bytes` into an owning value; `size`, if given, becomes the
/// packet's size in bytes. Memory stays within 16 times the packet's size, plus a constant,
/// whatever the bytes. Containers and long texts share slabs of 1 to 32 KiB, except the first four
/// and large ones; a slab is freed with its last part. Errors: all of `read`'s (wire/reader.hpp);
/// with `strict` also duplicate_key.
[[nodiscard]] std::expected<Variant, Error> decode(
    ByteView bytes, const DecodeOptions& options = default_decode_options,
    std::size_t* size = nullptr);
/// The same for any contiguous bytes. (The int parameter keeps this template apart from `decode<T>`
/// in value/binding.hpp.)
template <int = 0, OtherByteRange Bytes>
[[nodiscard]] std::expected<Variant, Error> decode(
    const Bytes& bytes, const DecodeOptions& options = default_decode_options,
    std::size_t* size = nullptr) {
    return decode(as_bytes(bytes), options, size);
}

/// The value as a packet. Errors: not_in_dialect, objects_forbidden, bad_utf8, too_large,
/// depth_limit, no_memory; their offset is the place in the output where the refused value would
/// have begun, and `error_path(value, options, error)` is its path in the value.
[[nodiscard]] std::expected<PackedByteArray, Error> encode(
    const Variant& value, const EncodeOptions& options = default_encode_options);
/// Appends the packet to `to`, which keeps its memory from call to call; returns the packet's size.
/// After an error `to` is unchanged. Errors: as `encode`.
[[nodiscard]] std::expected<std::size_t, Error> encode_to(
    PackedByteArray& to, const Variant& value,
    const EncodeOptions& options = default_encode_options);
/// Fills `to` from its start. Errors: as `encode`, and buffer_full with the least number of missing
/// bytes; `to` then holds a part of the packet.
[[nodiscard]] std::expected<std::size_t, Error> encode_to(
    std::span<std::byte> to, const Variant& value,
    const EncodeOptions& options = default_encode_options);
/// The size of the packet: encodes without storing. Errors: as `encode`.
[[nodiscard]] std::expected<std::size_t, Error> encoded_size(
    const Variant& value, const EncodeOptions& options = default_encode_options);

/// The path (`$.players[3].pos`) of the value that `encode` refused with `error`.
std::string error_path(const Variant& value, const EncodeOptions& options, const Error& error);

// ---- Godot's own names --------------------------------------------------------------------------

/// As Godot's `var_to_bytes`: by default Godot 4.4's dialect, no objects in full.
[[nodiscard]] std::expected<PackedByteArray, Error> var_to_bytes(
    const Variant& value, const Dialect& dialect = dialects::godot_4_4);
/// As Godot's `var_to_bytes_with_objects`; objects are inert data here.
[[nodiscard]] std::expected<PackedByteArray, Error> var_to_bytes_with_objects(
    const Variant& value, const Dialect& dialect = dialects::godot_4_4);
/// As Godot's `bytes_to_var`: bytes after the packet are ignored.
[[nodiscard]] std::expected<Variant, Error> bytes_to_var(
    ByteView bytes, const Dialect& dialect = dialects::godot_4_4);
/// As Godot's `bytes_to_var_with_objects`: nothing is instantiated, objects become data.
[[nodiscard]] std::expected<Variant, Error> bytes_to_var_with_objects(
    ByteView bytes, const Dialect& dialect = dialects::godot_4_4);
[[nodiscard]] inline std::expected<Variant, Error> bytes_to_var(
    const PackedByteArray& bytes, const Dialect& d = dialects::godot_4_4) {
    return bytes_to_var(as_bytes(bytes), d);
}
[[nodiscard]] inline std::expected<Variant, Error> bytes_to_var_with_objects(
    const PackedByteArray& bytes, const Dialect& d = dialects::godot_4_4) {
    return bytes_to_var_with_objects(as_bytes(bytes), d);
}

/// As PackedByteArray.encode_var: writes the packet into `buffer` at `offset`, which must have the
/// room; returns its size. Errors: as `encode`, and buffer_full (an offset past the end, too).
[[nodiscard]] std::expected<std::size_t, Error> encode_var(
    PackedByteArray& buffer, std::size_t offset, const Variant& value, bool allow_objects = false,
    const Dialect& dialect = dialects::godot_4_4);
/// As PackedByteArray.decode_var: the value whose packet begins at `offset`. The error's offset
/// counts from the start of the buffer. Errors: as `decode`; truncated for an offset past the end.
[[nodiscard]] std::expected<Variant, Error> decode_var(
    ByteView buffer, std::size_t offset, bool allow_objects = false,
    const Dialect& dialect = dialects::godot_4_4);
/// As PackedByteArray.decode_var_size: the packet's size. Like the engine it counts the padding of
/// a final PackedByteArray even if the buffer ends before it, so that `offset + size` may lie up to
/// three bytes past the end.
[[nodiscard]] std::expected<std::size_t, Error> decode_var_size(
    ByteView buffer, std::size_t offset, bool allow_objects = false,
    const Dialect& dialect = dialects::godot_4_4);

}  // namespace gdvar
