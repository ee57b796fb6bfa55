#pragma once

#include <expected>
#include <span>

#include "gdvar/save/compression.hpp"

namespace gdvar::save {

struct Partial {
    std::size_t produced = 0;  ///< bytes of output
    std::size_t consumed = 0;  ///< bytes of input, up to the stream's own end
    /// ok: the stream is complete. truncated: the input ends before it. bad_block: it is damaged.
    /// size_limit: there is more output.
    Errc end = Errc::ok;
};

/// Decompresses `from` into `to` as far as possible. Brotli, which no engine writes, gives nothing.
/// Errc: no_memory, too_large.
std::expected<Partial, Errc> decode_to_break(Compression mode, ByteView from,
                                             std::span<std::byte> to);

}  // namespace gdvar::save
