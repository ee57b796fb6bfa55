// Compression of single blocks. The libraries' working memory is kept between blocks.
#pragma once

#include <memory>

#include "gdvar/save/compression.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace gdvar::save {

/// The most bytes that `size` bytes can decompress to in this mode. A larger declared size is
/// false.
std::uint64_t most_output(Compression mode, std::uint64_t size) noexcept;

class BlockDecoder {
public:
    BlockDecoder();
    BlockDecoder(const BlockDecoder&) = delete;
    BlockDecoder& operator=(const BlockDecoder&) = delete;
    ~BlockDecoder();
    /// Decodes into `to` and returns the number of bytes. Bytes after the block's end in `from` are
    /// ignored where the engines ignore them. Errc: bad_block, size_limit (`to` is too small),
    /// no_memory, too_large.
    std::expected<std::size_t, Errc> decode(Compression mode, ByteView from,
                                            std::span<std::byte> to);

private:
    std::expected<std::size_t, Errc> inflated(bool gzip, ByteView from, std::span<std::byte> to);
    std::expected<std::size_t, Errc> unzstd(ByteView from, std::span<std::byte> to);
    struct Inflate;
    std::unique_ptr<Inflate> inflate_;
    ZSTD_DCtx_s* zstd_ = nullptr;
};

class BlockEncoder {
public:
    BlockEncoder();
    BlockEncoder(const BlockEncoder&) = delete;
    BlockEncoder& operator=(const BlockEncoder&) = delete;
    ~BlockEncoder();
    /// Sets `to` to the compressed form of `from`. An encoder keeps the state of one mode: always
    /// use the same. Errc: bad_mode, no_memory, too_large. Throws bad_alloc.
    Errc encode(Compression mode, ByteView from, std::vector<std::byte>& to);

private:
    Errc deflated(bool gzip, ByteView from, std::vector<std::byte>& to);
    Errc zstd(ByteView from, std::vector<std::byte>& to);
    struct Deflate;
    std::unique_ptr<Deflate> deflate_;
    ZSTD_CCtx_s* zstd_ = nullptr;
};

}  // namespace gdvar::save
