// Compression of single blocks. The libraries' working memory is kept between blocks.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <memory>

#include "gdvar/save/compression.hpp"
#include "save/io.hpp"

namespace gdvar::save {

/// The most bytes that `size` bytes can decompress to in this mode. A larger declared size is
/// false.
std::uint64_t most_output(Compression mode, std::uint64_t size) noexcept;

/// zlib's state, which `end` frees.
template <auto end>
struct ZlibState : z_stream {
    ZlibState() noexcept : z_stream{} {}
    ZlibState(const ZlibState&) = delete;
    ZlibState& operator=(const ZlibState&) = delete;
    ~ZlibState() { end(this); }
    void set(ByteView from, std::span<std::byte> to) noexcept {
        next_in = codec_bytes(from.empty() ? &nothing_ : from.data());
        avail_in = static_cast<uInt>(from.size());
        next_out = codec_bytes(to.empty() ? &nothing_ : to.data());
        avail_out = static_cast<uInt>(to.size());
    }

private:
    std::byte nothing_{};  ///< a place for empty buffers: zlib refuses null
};
using InflateState = ZlibState<::inflateEnd>;
using DeflateState = ZlibState<::deflateEnd>;
using UnzstdState = std::unique_ptr<ZSTD_DCtx, FreeBy<ZSTD_freeDCtx>>;
using ZstdState = std::unique_ptr<ZSTD_CCtx, FreeBy<ZSTD_freeCCtx>>;

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
    std::unique_ptr<InflateState> inflate_;
    UnzstdState zstd_;
};

class BlockEncoder {
public:
    /// Sets `to` to the compressed form of `from`. An encoder keeps the state of one mode: always
    /// use the same. Errc: bad_mode, no_memory, too_large. Throws bad_alloc.
    Errc encode(Compression mode, ByteView from, std::vector<std::byte>& to);

private:
    Errc deflated(bool gzip, ByteView from, std::vector<std::byte>& to);
    Errc zstd(ByteView from, std::vector<std::byte>& to);
    std::unique_ptr<DeflateState> deflate_;
    ZstdState zstd_;
};

}  // namespace gdvar::save
