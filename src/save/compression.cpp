#include "gdvar/save/compression.hpp"

#include <brotli/decode.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "save/codec.hpp"
#include "save/fastlz.hpp"

namespace gdvar {
namespace save {
namespace {

/// Engines and the libraries count buffers in int.
constexpr std::size_t most_bytes = 0x7FFF'FFFF;
/// FastLZ needs a minimum of bytes; engines add zeros.
constexpr std::size_t least_fastlz = 16;

using Decoded = std::expected<std::size_t, Errc>;

/// Brotli's decoder with bounded memory. The library allocates the window that a block declares, up
/// to 16 MiB, before it reads the block.
class Unbrotli {
public:
    /// `most`: limit of the decoded bytes.
    explicit Unbrotli(ByteView from, std::uint64_t most)
        : largest_(std::max(tables, 2 * most + slack)),
          state_(BrotliDecoderCreateInstance(allocate, release, this),
                 BrotliDecoderDestroyInstance),
          in_(codec_bytes(from.data())),
          left_(from.size()) {}

    /// Decodes into `to`; returns the total size. Errors: size_limit if more is to come; a larger
    /// `to` then takes it, unless it is over `most`.
    Decoded next(std::span<std::byte> to) {
        if (!state_)
            return std::unexpected(Errc::no_memory);
        std::size_t space = to.size(), total = 0;
        std::uint8_t* out = codec_bytes(to.data());
        switch (BrotliDecoderDecompressStream(state_.get(), &left_, &in_, &space, &out, &total)) {
            case BROTLI_DECODER_RESULT_SUCCESS:
                return total;
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
                return std::unexpected(Errc::size_limit);
            default:
                return std::unexpected(refused_);
        }
    }

    /// True if a larger `to` gives more bytes.
    bool more() const { return refused_ != Errc::size_limit; }

private:
    /// 256 Huffman tables take 1.2 MB; a window is a power of two just above the block's size.
    static constexpr std::uint64_t tables = 2u << 20, slack = 4096;

    static void* allocate(void* self, std::size_t size) {
        auto& it = *static_cast<Unbrotli*>(self);
        void* const made = size <= it.largest_ ? ::operator new(size, std::nothrow) : nullptr;
        if (!made)
            it.refused_ = size <= it.largest_ ? Errc::no_memory : Errc::size_limit;
        return made;
    }
    static void release(void*, void* at) { ::operator delete(at); }

    std::uint64_t largest_;
    Errc refused_ = Errc::bad_block;
    std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)> state_;
    const std::uint8_t* in_;
    std::size_t left_;
};

Decoded unfastlz(ByteView from, std::span<std::byte> to) {
    if (to.size() >= least_fastlz)
        return fastlz_decode(from, to);
    // Removes the zeros that the encoder added to short input.
    std::byte extended[least_fastlz];
    Decoded size = fastlz_decode(from, extended);
    if (!size)
        return size;
    const std::size_t n = std::min(*size, to.size());
    if (n)
        std::memcpy(to.data(), extended, n);
    return n;
}

}  // namespace

std::uint64_t most_output(Compression mode, std::uint64_t size) noexcept {
    // The densest form of each: a length byte, deflate's own bound, and a block of one repeated
    // byte. The rest lets decoders notice an input that is too short.
    constexpr std::uint64_t rest = 64;
    switch (mode) {
        case Compression::fastlz:
            return size * 264 + rest;
        case Compression::deflate:
        case Compression::gzip:
            return size * 1032 + rest;
        case Compression::zstd:
            return (size / 4 + 1) * (128u << 10);
        default:
            return UINT64_MAX;
    }
}

std::expected<std::size_t, Errc> BlockDecoder::inflated(bool gzip, ByteView from,
                                                        std::span<std::byte> to) {
    const int window = gzip ? 15 + 16 : 15;
    if (!inflate_) {
        auto fresh = std::make_unique<InflateState>();
        if (::inflateInit2(fresh.get(), window) != Z_OK)
            return std::unexpected(Errc::no_memory);
        inflate_ = std::move(fresh);
    }
    InflateState& stream = *inflate_;
    if (::inflateReset2(&stream, window) != Z_OK)
        return std::unexpected(Errc::no_memory);
    stream.set(from, to);
    switch (::inflate(&stream, Z_FINISH)) {
        case Z_STREAM_END:
            return stream.total_out;
        case Z_MEM_ERROR:
            return std::unexpected(Errc::no_memory);
        case Z_OK:
        case Z_BUF_ERROR:
            return std::unexpected(stream.avail_out ? Errc::bad_block : Errc::size_limit);
        default:
            return std::unexpected(Errc::bad_block);
    }
}

std::expected<std::size_t, Errc> BlockDecoder::unzstd(ByteView from, std::span<std::byte> to) {
    if (!zstd_)
        zstd_.reset(ZSTD_createDCtx());
    if (!zstd_)
        return std::unexpected(Errc::no_memory);
    const std::size_t size =
        ZSTD_decompressDCtx(zstd_.get(), to.data(), to.size(), from.data(), from.size());
    switch (ZSTD_getErrorCode(size)) {
        case ZSTD_error_no_error:
            return size;
        case ZSTD_error_dstSize_tooSmall:
            return std::unexpected(Errc::size_limit);
        case ZSTD_error_memory_allocation:
            return std::unexpected(Errc::no_memory);
        default:
            return std::unexpected(Errc::bad_block);
    }
}

std::expected<std::size_t, Errc> BlockDecoder::decode(Compression mode, ByteView from,
                                                      std::span<std::byte> to) {
    if (from.size() > most_bytes || to.size() > 0xFFFF'FFFFu)
        return std::unexpected(Errc::too_large);
    switch (mode) {
        case Compression::fastlz:
            return unfastlz(from, to);
        case Compression::deflate:
            return inflated(false, from, to);
        case Compression::gzip:
            return inflated(true, from, to);
        case Compression::zstd:
            return unzstd(from, to);
        case Compression::brotli:
            return Unbrotli(from, to.size()).next(to);
    }
    return std::unexpected(Errc::bad_mode);
}

Errc BlockEncoder::deflated(bool gzip, ByteView from, std::vector<std::byte>& to) {
    if (!deflate_) {
        auto fresh = std::make_unique<DeflateState>();
        // The engines' settings: the default level, 32 KiB of window, 8 for the memory.
        if (::deflateInit2(fresh.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip ? 15 + 16 : 15, 8,
                           Z_DEFAULT_STRATEGY) != Z_OK)
            return Errc::no_memory;
        deflate_ = std::move(fresh);
    }
    DeflateState& stream = *deflate_;
    if (::deflateReset(&stream) != Z_OK)
        return Errc::no_memory;
    to.resize(::deflateBound(&stream, static_cast<uLong>(from.size())));
    stream.set(from, to);
    if (::deflate(&stream, Z_FINISH) != Z_STREAM_END)
        return Errc::no_memory;
    to.resize(stream.total_out);
    return Errc::ok;
}

Errc BlockEncoder::zstd(ByteView from, std::vector<std::byte>& to) {
    if (!zstd_)
        zstd_.reset(ZSTD_createCCtx());
    if (!zstd_)
        return Errc::no_memory;
    to.resize(ZSTD_compressBound(from.size()));
    // Level 3 is the engines' default.
    const std::size_t size =
        ZSTD_compressCCtx(zstd_.get(), to.data(), to.size(), from.data(), from.size(), 3);
    if (ZSTD_isError(size))
        return Errc::no_memory;
    to.resize(size);
    return Errc::ok;
}

Errc BlockEncoder::encode(Compression mode, ByteView from, std::vector<std::byte>& to) {
    if (from.size() > most_bytes)
        return Errc::too_large;
    switch (mode) {
        case Compression::fastlz: {
            to.clear();
            if (from.size() >= least_fastlz) {
                fastlz_encode(from, to);
                return Errc::ok;
            }
            std::byte extended[least_fastlz] = {};
            std::copy(from.begin(), from.end(), extended);
            fastlz_encode(extended, to);
            return Errc::ok;
        }
        case Compression::deflate:
            return deflated(false, from, to);
        case Compression::gzip:
            return deflated(true, from, to);
        case Compression::zstd:
            return zstd(from, to);
        case Compression::brotli:
            break;
    }
    return Errc::bad_mode;
}

}  // namespace save

using save::refuse;

namespace {
constexpr std::string_view names[] = {"fastlz", "deflate", "zstd", "gzip", "brotli"};
}

std::string_view compression_name(Compression mode) noexcept {
    return names[static_cast<std::size_t>(mode)];
}

std::optional<Compression> find_compression(std::string_view name) noexcept {
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (names[i] == name)
            return static_cast<Compression>(i);
    return std::nullopt;
}

std::expected<std::vector<std::byte>, Error> compress(ByteView bytes, Compression mode) GDVAR_TRY {
    save::BlockEncoder encoder;
    std::vector<std::byte> out;
    if (bytes.empty() && mode < Compression::brotli)
        return out;
    if (const Errc code = encoder.encode(mode, bytes, out); code != Errc::ok)
        return refuse(code);
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

namespace {

/// Decodes into a buffer that grows with the output, up to `most`.
std::expected<std::vector<std::byte>, Error> growing_brotli(ByteView bytes, std::uint64_t most) {
    save::Unbrotli decoder(bytes, most);
    std::vector<std::byte> out;
    for (std::size_t filled = 0;; filled = out.size()) {
        const std::uint64_t more = std::max<std::uint64_t>(save::step, filled);
        out.resize(static_cast<std::size_t>(std::min(most, filled + more)));
        auto size = decoder.next(std::span(out).subspan(filled));
        if (size) {
            out.resize(*size);
            return out;
        }
        if (size.error() != Errc::size_limit || !decoder.more() || out.size() == most)
            return refuse(size.error());
    }
}

/// Decodes into a buffer that grows up to `most`. It starts small, because a size may be false.
std::expected<std::vector<std::byte>, Error> growing(ByteView bytes, Compression mode,
                                                     std::uint64_t most) {
    save::BlockDecoder decoder;
    std::vector<std::byte> out;
    if (bytes.empty())
        return out;
    if (mode == Compression::brotli)
        return growing_brotli(bytes, most);
    most = std::min(most, save::most_output(mode, bytes.size()));
    std::uint64_t capacity = std::min<std::uint64_t>(most, std::max(save::step, bytes.size() * 8));
    for (;;) {
        out.resize(static_cast<std::size_t>(capacity));
        auto size = decoder.decode(mode, bytes, out);
        if (size) {
            out.resize(*size);
            return out;
        }
        if (size.error() != Errc::size_limit || capacity == most)
            return refuse(size.error());
        capacity = std::min(most, capacity * 4);
    }
}

}  // namespace

std::expected<std::vector<std::byte>, Error> decompress(ByteView bytes, Compression mode,
                                                        std::uint64_t size) GDVAR_TRY {
    if (size > save::most_bytes)
        return refuse(Errc::too_large);
    return growing(bytes, mode, size);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<std::vector<std::byte>, Error> decompress_dynamic(ByteView bytes, Compression mode,
                                                                std::uint64_t max_bytes) GDVAR_TRY {
    if (mode == Compression::fastlz)
        return refuse(Errc::bad_mode);
    return growing(bytes, mode, std::min<std::uint64_t>(max_bytes, save::most_bytes));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
