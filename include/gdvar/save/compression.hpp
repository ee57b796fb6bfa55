// The engines' compressions of one buffer, as in PackedByteArray.compress() and the blocks of a
// GCPF file. Rules: wire-format 5.1.
#pragma once

#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// The numbers are the engine's, in files and in FileAccess.COMPRESSION_*.
enum class Compression : std::uint8_t { fastlz, deflate, zstd, gzip, brotli };

/// "fastlz", "deflate", "zstd", "gzip", "brotli".
std::string_view compression_name(Compression mode) noexcept;
std::optional<Compression> find_compression(std::string_view name) noexcept;

/// Compresses as `bytes.compress(mode)` does. For FastLZ, input shorter than 16 bytes is extended
/// with zeros. Empty input gives empty output in every mode. Errors: bad_mode (Brotli, which no
/// engine writes), too_large (from 2 GiB on), no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> compress(ByteView bytes,
                                                                    Compression mode);

/// Decompresses as `bytes.decompress(size, mode)` does. `size` limits the output. Memory: the most
/// that the bytes can decompress to, even if `size` is larger. Empty input gives empty output.
/// Errors: bad_block (damaged, or not in this mode), size_limit (the output exceeds `size`),
/// no_memory, too_large (from 2 GiB on).
[[nodiscard]] std::expected<std::vector<std::byte>, Error> decompress(ByteView bytes,
                                                                      Compression mode,
                                                                      std::uint64_t size);

/// Decompresses as `bytes.decompress_dynamic(max_bytes, mode)` does, for an unknown size. FastLZ is
/// refused, because short buffers come out extended with zeros. Errors: as decompress, bad_mode.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> decompress_dynamic(
    ByteView bytes, Compression mode, std::uint64_t max_bytes = 256u << 20);

}  // namespace gdvar
