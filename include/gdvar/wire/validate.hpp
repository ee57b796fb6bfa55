// validate: checks a packet.
#pragma once

#include <expected>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {

/// Reads one packet and keeps nothing; returns its size in bytes. Same verdict, code and offset as
/// every other way to read it. Errors: as `read`; with `strict` also duplicate_key.
[[nodiscard]] std::expected<std::size_t, Error> validate(
    ByteView bytes, const DecodeOptions& options = default_decode_options);

template <OtherByteRange Bytes>
[[nodiscard]] std::expected<std::size_t, Error> validate(
    const Bytes& bytes, const DecodeOptions& options = default_decode_options) {
    return validate(as_bytes(bytes), options);
}

/// Finds keys that the dialect's engine would merge with an earlier key of the same Dictionary
/// (wire-format 2.6). `packet` must have been read without error under these options. Keys are
/// compared by 128-bit hashes of their whole content, under a key that each process makes anew.
/// Time: n log n. Memory: 32 bytes for each pair, and half as much again while growing. Errors:
/// duplicate_key at the later key's offset, no_memory.
[[nodiscard]] std::expected<void, Error> check_keys(ByteView packet, const DecodeOptions& options);

}  // namespace gdvar
