// The streams of one compression, a part at a time: gzip's members, zstd's frames, or the whole of
// zlib, deflate and Brotli.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gdvar/save/container.hpp"

namespace gdvar::save {

/// Decodes one part after the other.
class StreamDecoder {
public:
    struct Step {
        std::size_t taken = 0, made = 0;  ///< bytes
        bool ended = false;               ///< the part is complete; checksums fit
    };

    StreamDecoder() = default;
    StreamDecoder(const StreamDecoder&) = delete;
    StreamDecoder& operator=(const StreamDecoder&) = delete;
    virtual ~StreamDecoder() = default;
    /// Decodes some of `from` into `to`. Takes or makes at least a byte if both have space for it.
    /// Errc: bad_block, bad_checksum, bad_mode (a dictionary is needed), size_limit (the window is
    /// too large), no_memory.
    virtual std::expected<Step, Errc> step(ByteView from, std::span<std::byte> to) = 0;
    /// Goes on to the next part, or back to the first. Errc: no_memory.
    virtual Errc restart() = 0;
};

/// The decoder of a stream. `max_memory`: of zstd's window. Errc: bad_mode, no_memory.
std::expected<std::unique_ptr<StreamDecoder>, Errc> stream_decoder(Wrapping kind,
                                                                   std::uint64_t max_memory);

/// Whether a part of such a stream may begin with these bytes. A stream without a magic may begin
/// with any.
bool begins_stream(Wrapping kind, ByteView start) noexcept;
/// Whether another part may follow the first: members of gzip, frames of zstd.
constexpr bool has_parts(Wrapping kind) noexcept {
    return kind == Wrapping::gzip || kind == Wrapping::zstd;
}
/// Whether they are a frame that zstd skips.
bool begins_skipped(Wrapping kind, ByteView start) noexcept;
/// Whether these bytes behind a part are another part. zstd's may be to be skipped.
bool continues_stream(Wrapping kind, ByteView next) noexcept;
/// The bytes that tell it.
inline constexpr std::size_t most_magic = 4;

/// Compresses one part as the engines do. Makes `to` the compressed bytes of what came.
class StreamEncoder {
public:
    StreamEncoder() = default;
    StreamEncoder(const StreamEncoder&) = delete;
    StreamEncoder& operator=(const StreamEncoder&) = delete;
    virtual ~StreamEncoder() = default;
    /// Appends to `to` what `from` gives; with `last`, all that is left. Errc: no_memory. Throws
    /// bad_alloc.
    virtual Errc add(ByteView from, bool last, std::vector<std::byte>& to) = 0;
};

/// What a part is encoded like.
struct PartForm {
    std::uint64_t size = 0;  ///< of the content
    /// gzip: the header of the member that it takes the place of, which is copied.
    std::vector<std::byte> header{};
    bool checksum = false;  ///< of zstd
};

/// The encoder of a part. Errc: bad_mode, no_memory.
std::expected<std::unique_ptr<StreamEncoder>, Errc> stream_encoder(Wrapping kind,
                                                                   const PartForm& form);

/// What a new part has in common with an old one. `start`: the first bytes of the old one. A header
/// that goes on behind them is left out.
PartForm form_of(Wrapping kind, ByteView start);

}  // namespace gdvar::save
