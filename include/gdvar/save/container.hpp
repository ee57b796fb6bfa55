// Containers of saves, read and written in parts: GCPF (compressed) and GDEC (encrypted), streams
// of one compression, such as gzip, and RSCC, the compressed form of binary resources. Rules:
// wire-format 5 and 8.1.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/save/compression.hpp"
#include "gdvar/save/target.hpp"

namespace gdvar GDVAR_EXPORT {

enum class Wrapping : std::uint8_t {
    none,
    gcpf,    ///< blocks in one of the compressions, at most 4 GiB in all
    gdec_3,  ///< Godot 1 to 3, Pandemonium: AES-256-ECB
    gdec_4,  ///< Godot 4: AES-256-CFB
    rscc,    ///< a compressed binary resource: as gcpf, with another magic (wire-format 8.1)
    // Streams, which do not contain the size of their content.
    gzip,     ///< PackedByteArray.compress(COMPRESSION_GZIP); one member or several
    zlib,     ///< the engines' COMPRESSION_DEFLATE
    deflate,  ///< without zlib's header and checksum; no magic
    zstd,     ///< PackedByteArray.compress(COMPRESSION_ZSTD); one frame or several
    brotli,   ///< no magic
};

/// "none", "gcpf", "gdec-3", "gdec-4", "rscc", "gzip", "zlib", "deflate", "zstd", "brotli".
std::string_view wrapping_name(Wrapping kind) noexcept;
/// True for a stream of one compression: gzip and the kinds after it.
constexpr bool is_stream(Wrapping kind) noexcept {
    return kind >= Wrapping::gzip;
}

/// A key of AES-256. The destructor overwrites it.
struct ContainerKey {
    std::array<std::byte, 32> bytes{};
    ContainerKey() = default;
    ContainerKey(const ContainerKey&) = default;
    ContainerKey& operator=(const ContainerKey&) = default;
    ~ContainerKey();
};

/// The engines' key from a password (UTF-8): its MD5 in hex. Errors: bad_mode (this system's
/// libcrypto offers no MD5).
[[nodiscard]] std::expected<ContainerKey, Error> key_from_password(std::string_view password);
/// 32 bytes, or 64 hex digits with white space. Errors: bad_key, no_memory.
[[nodiscard]] std::expected<ContainerKey, Error> key_from_bytes(ByteView bytes);

/// Options of opening a container.
struct OpenOptions {
    /// `none`: recognises GCPF, GDEC, gzip and zstd by their magic. The others must be named.
    Wrapping kind = Wrapping::none;
    /// For GDEC. Borrowed during open_container.
    const ContainerKey* key = nullptr;
    std::uint64_t skip = 0;  ///< bytes of the source before the container
    /// GCPF: a header that claims more is refused. Streams: refused beyond so much output. Limits
    /// decompression bombs.
    std::uint64_t max_bytes = 1u << 30;
    /// GCPF: a block, or a table of blocks, that needs more memory is refused; zstd: a window.
    std::uint64_t max_memory = 64u << 20;
    /// For the encrypted bytes of a GDEC whose source can't rewind.
    SpoolOptions spool{};
};

/// The content of a container. Can rewind if the source can.
class ContainerSource : public Source {
public:
    Wrapping kind() const noexcept { return kind_; }
    Compression compression() const noexcept { return compression_; }  ///< of GCPF
    std::uint32_t block_size() const noexcept { return block_size_; }  ///< of GCPF
    /// For GCPF and GDEC.
    std::optional<std::uint64_t> size() const override {
        return is_stream(kind_) ? std::nullopt : std::optional(size_);
    }
    /// The number of bytes behind the container, which are not part of the content. For a stream it
    /// is 0 until the content has been read to the end; for GCPF and GDEC 0 if the source's size is
    /// unknown.
    std::uint64_t trailing() const noexcept { return trailing_; }

protected:
    Wrapping kind_ = Wrapping::none;
    Compression compression_ = Compression::fastlz;
    std::uint32_t block_size_ = 0;
    std::uint64_t size_ = 0, trailing_ = 0;
};

/// Opens the container that begins after `skip` bytes of `source`. The source must be at its start.
/// It is borrowed and must not change while the result is read.
///
/// GCPF is decompressed block by block. Memory: one block and the table of block sizes. Damage is
/// found when its block is reached. Streams are decompressed while they are read. Memory: their
/// window, `max_memory` at most. The two kinds of GDEC are told apart by content. The checksum of a
/// GDEC is verified here, over all bytes, before any byte is returned. Reading then decrypts a
/// second time (memory: a few pages); if the source has changed in between, it ends in
/// bad_checksum.
///
/// Errors: bad_magic, truncated, bad_mode, bad_key (GDEC without a key), bad_checksum (another key,
/// or damaged), bad_block (block size 0), bad_length, size_limit (`max_bytes`, `max_memory`),
/// no_memory, and those of the source. Offsets are positions in the source. Errors when reading:
/// bad_block, truncated, bad_checksum, no_memory, those of the source; for streams also size_limit
/// (`max_bytes`, or a window over `max_memory`) and bad_mode (a stream that needs a dictionary).
[[nodiscard]] std::expected<std::unique_ptr<ContainerSource>, FileError> open_container(
    Source& source, const OpenOptions& options = {});

/// Options of writing a container.
struct WriteOptions {
    Wrapping kind = Wrapping::gcpf;
    Compression compression = Compression::zstd;  ///< for GCPF; not Brotli
    std::uint32_t block_size = 4096;              ///< for GCPF; the engines'
    /// For GDEC. Borrowed during the call.
    const ContainerKey* key = nullptr;
    /// For GDEC 4; random if it is left out.
    std::optional<std::array<std::byte, 16>> iv{};
    /// The replaced container, in a source that can rewind; null: none. Borrowed during the call.
    /// Unchanged parts are copied from it: blocks of GCPF, members of gzip and frames of zstd with
    /// the same content; headers of gzip members, which hold names and times; the bytes behind the
    /// container.
    Source* before = nullptr;
    std::uint64_t before_skip = 0;  ///< bytes of `before` before the container
    /// For the compressed or encrypted bytes until the header can be written.
    SpoolOptions spool{};
};

/// Wraps the rest of `from` as the engines do; `none` copies it. GCPF and GDEC read everything
/// before they write to `to`. With `before`, `from` must be able to rewind. Returns the number of
/// bytes read. Errors: bad_mode (Brotli in GCPF, block size 0), bad_key (GDEC without a key),
/// too_large (GCPF from 4 GiB on), no_memory, and those of source, target and spool.
[[nodiscard]] std::expected<std::uint64_t, FileError> write_container(Source& from, Target& to,
                                                                      const WriteOptions& options);

}  // namespace gdvar
