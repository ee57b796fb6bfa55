// Compression of single blocks. The libraries' working memory is kept between blocks.
#pragma once

#include <memory>

#include "gdvar/save/compression.hpp"

struct z_stream_s;
struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace gdvar::save {

/// The most bytes that `size` bytes can decompress to in this mode. A larger declared size is
/// false.
std::uint64_t most_output(Compression mode, std::uint64_t size) noexcept;

/// Frees the libraries' states.
struct FreeDecoder {
    void operator()(z_stream_s* state) const noexcept;
    void operator()(ZSTD_DCtx_s* state) const noexcept;
};
struct FreeEncoder {
    void operator()(z_stream_s* state) const noexcept;
    void operator()(ZSTD_CCtx_s* state) const noexcept;
};

class BlockDecoder {
public:
    /// Decodes into `to` and returns the number of bytes. Bytes after the block's end in `from` are
    /// ignored where the engines ignore them. Errc: bad_block, size_limit (`to` is too small),
    /// no_memory, too_large.
    std::expected<std::size_t, Errc> decode(Compression mode, ByteView from,
                                            std::span<std::byte> to);

private:
    std::expected<std::size_t, Errc> inflated(bool gzip, ByteView from, std::span<std::byte> to);
    std::expected<std::size_t, Errc> unzstd(ByteView from, std::span<std::byte> to);
    std::unique_ptr<z_stream_s, FreeDecoder> inflate_;
    std::unique_ptr<ZSTD_DCtx_s, FreeDecoder> zstd_;
};

class BlockEncoder {
public:
    /// Sets `to` to the compressed form of `from`. An encoder keeps the state of one mode: always
    /// use the same. Errc: bad_mode, no_memory, too_large. Throws bad_alloc.
    Errc encode(Compression mode, ByteView from, std::vector<std::byte>& to);

private:
    Errc deflated(bool gzip, ByteView from, std::vector<std::byte>& to);
    Errc zstd(ByteView from, std::vector<std::byte>& to);
    std::unique_ptr<z_stream_s, FreeEncoder> deflate_;
    std::unique_ptr<ZSTD_CCtx_s, FreeEncoder> zstd_;
};

}  // namespace gdvar::save
