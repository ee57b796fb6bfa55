// One block in any of the compressions, with the libraries' working memory kept between blocks.
#pragma once

#include <memory>

#include "gdvar/save/compression.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace gdvar::save {

/// The most that `size` bytes can hold in this mode: a larger claim is a lie.
std::uint64_t most_output(Compression mode, std::uint64_t size) noexcept;

class BlockDecoder {
public:
    BlockDecoder();
    BlockDecoder(const BlockDecoder&) = delete;
    BlockDecoder& operator=(const BlockDecoder&) = delete;
    ~BlockDecoder();
    /// Fills `to` from its start; returns how much. What follows the block's end in `from` is
    /// ignored where the engines ignore it. Errc: bad_block, size_limit (`to` is too small),
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
    /// One mode per encoder: it keeps that mode's state. Makes `to` the compressed form of `from`.
    /// Errc: bad_mode, no_memory, too_large. Throws bad_alloc.
    Errc encode(Compression mode, ByteView from, std::vector<std::byte>& to);

private:
    Errc deflated(bool gzip, ByteView from, std::vector<std::byte>& to);
    Errc zstd(ByteView from, std::vector<std::byte>& to);
    struct Deflate;
    std::unique_ptr<Deflate> deflate_;
    ZSTD_CCtx_s* zstd_ = nullptr;
};

}  // namespace gdvar::save
