// Streams of one compression, a part at a time: gzip's members, zstd's frames, or the whole of
// zlib, deflate and Brotli.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gdvar/save/container.hpp"

namespace gdvar::save {

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
    /// Moves to the next part, or back to the first. Errc: no_memory.
    virtual Errc restart() = 0;
};

/// `max_memory`: for zstd's window. Errc: bad_mode, no_memory.
std::expected<std::unique_ptr<StreamDecoder>, Errc> stream_decoder(Wrapping kind,
                                                                   std::uint64_t max_memory);

/// True if a part of such a stream may begin with these bytes. A stream without a magic may begin
/// with any.
bool begins_stream(Wrapping kind, ByteView start) noexcept;
/// True if another part may follow the first: members of gzip, frames of zstd.
constexpr bool has_parts(Wrapping kind) noexcept {
    return kind == Wrapping::gzip || kind == Wrapping::zstd;
}
bool begins_skipped(Wrapping kind, ByteView start) noexcept;
/// True if these bytes after a part are another part, for zstd even a skipped one.
bool continues_stream(Wrapping kind, ByteView next) noexcept;
/// The number of bytes that decide it.
inline constexpr std::size_t most_magic = 4;

/// Compresses one part as the engines do.
class StreamEncoder {
public:
    StreamEncoder() = default;
    StreamEncoder(const StreamEncoder&) = delete;
    StreamEncoder& operator=(const StreamEncoder&) = delete;
    virtual ~StreamEncoder() = default;
    /// Appends the output for `from` to `to`; with `last`, all that is left. Errc: no_memory.
    /// Throws bad_alloc.
    virtual Errc add(ByteView from, bool last, std::vector<std::byte>& to) = 0;
};

struct PartForm {
    std::uint64_t size = 0;  ///< of the content
    /// gzip: the header of the replaced member, which is copied.
    std::vector<std::byte> header{};
    bool checksum = false;  ///< of zstd
};

/// Errc: bad_mode, no_memory.
std::expected<std::unique_ptr<StreamEncoder>, Errc> stream_encoder(Wrapping kind,
                                                                   const PartForm& form);

/// The settings that a new part takes from an old one. `start`: the first bytes of the old one. A
/// header that extends beyond them is left out.
PartForm form_of(Wrapping kind, ByteView start);

}  // namespace gdvar::save
