// The engines' compressions, one buffer at a time: what PackedByteArray.compress() gives, and the
// blocks of a GCPF file.
// Room: save. Rules: wire-format 5.1.
#pragma once

#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

/// The numbers are the engine's, in files and in FileAccess.COMPRESSION_*.
enum class Compression : std::uint8_t { fastlz, deflate, zstd, gzip, brotli };

/// "fastlz", "deflate", "zstd", "gzip", "brotli".
std::string_view compression_name(Compression mode) noexcept;
std::optional<Compression> find_compression(std::string_view name) noexcept;

/// As `bytes.compress(mode)` does; input shorter than 16 bytes is zero-extended for FastLZ.
/// Nothing becomes nothing, in every mode.
/// Errors: bad_mode (Brotli, which no engine writes), too_large (from 2 GiB on), no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> compress(ByteView bytes,
                                                                    Compression mode);

/// As `bytes.decompress(size, mode)` does: `size` is the most that comes out. Memory: what the
/// bytes could hold, whatever `size` says. No bytes are an empty buffer. Errors: bad_block
/// (damaged, or not in this mode), size_limit (more than `size` comes out), no_memory, too_large
/// (from 2 GiB on).
[[nodiscard]] std::expected<std::vector<std::byte>, Error> decompress(ByteView bytes,
                                                                      Compression mode,
                                                                      std::uint64_t size);

/// As `bytes.decompress_dynamic(max_bytes, mode)`, for when the size is not known. Takes all modes
/// but FastLZ, whose short buffers come out zero-extended. Errors: as decompress, bad_mode.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> decompress_dynamic(
    ByteView bytes, Compression mode, std::uint64_t max_bytes = 256u << 20);

}  // namespace gdvar
