#include "save/partial.hpp"

#include <zstd_errors.h>

#include <algorithm>
#include <cstring>

#include "save/codec.hpp"
#include "save/fastlz.hpp"

namespace gdvar::save {
namespace {

using Result = std::expected<Partial, Errc>;

Result inflate_to_break(bool gzip, ByteView from, std::span<std::byte> to) {
    InflateState stream;
    if (::inflateInit2(&stream, gzip ? 15 + 16 : 15) != Z_OK)
        return std::unexpected(Errc::no_memory);
    stream.set(from, to);
    std::byte beyond{};
    bool full = false;
    for (;;) {
        const int done = ::inflate(&stream, Z_SYNC_FLUSH);
        const std::size_t size = std::min<std::size_t>(stream.total_out, to.size());
        const std::size_t taken = stream.total_in;
        if (stream.total_out > to.size())
            return Partial{size, taken, Errc::size_limit};
        switch (done) {
            case Z_STREAM_END:
                return Partial{size, taken, Errc::ok};
            case Z_MEM_ERROR:
                return std::unexpected(Errc::no_memory);
            case Z_OK:
            case Z_BUF_ERROR:
                break;
            default:
                return Partial{size, taken, Errc::bad_block};
        }
        if (stream.avail_out || full)
            return Partial{size, taken, Errc::truncated};
        // The stream's end and checksum take no space; any output here is beyond `to`.
        full = true;
        stream.next_out = reinterpret_cast<Bytef*>(&beyond);
        stream.avail_out = 1;
    }
}

/// Windows larger than the engines' compression has are refused, so that a false header costs no
/// memory.
constexpr int most_window_log = 23;

Result unzstd_to_break(ByteView from, std::span<std::byte> to) {
    const UnzstdState context(ZSTD_createDCtx());
    if (!context ||
        ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, most_window_log)))
        return std::unexpected(Errc::no_memory);
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    std::byte beyond{};
    for (;;) {
        const std::size_t before = in.pos + out.pos;
        const std::size_t hint = ZSTD_decompressStream(context.get(), &out, &in);
        const bool spare = out.dst == &beyond;
        const std::size_t size = spare ? to.size() : out.pos;
        if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation)
            return std::unexpected(Errc::no_memory);
        if (spare && out.pos)
            return Partial{size, in.pos, Errc::size_limit};
        if (ZSTD_isError(hint))
            return Partial{size, in.pos, Errc::bad_block};
        if (hint == 0)
            return Partial{size, in.pos, Errc::ok};
        if (out.pos == out.size && !spare)
            out = {&beyond, 1, 0};
        else if (in.pos + out.pos == before || in.pos == in.size)
            return Partial{size, in.pos, Errc::truncated};
    }
}

Result unfastlz_to_break(ByteView from, std::span<std::byte> to) {
    // The encoder adds zeros to short input.
    std::byte extended[16];
    const std::span<std::byte> room = to.size() < sizeof extended ? extended : to;
    FastlzBreak before;
    const auto done = fastlz_decode(from, room, &before);
    const std::size_t size = std::min(done ? *done : before.size, to.size());
    if (room.data() != to.data() && size)
        std::memcpy(to.data(), extended, size);
    // FastLZ can't tell an input that is cut between two instructions from a complete one.
    const Errc end = done && *done < to.size() ? Errc::truncated : done ? Errc::ok : done.error();
    return Partial{size, from.size(), before.cut ? Errc::truncated : end};
}

}  // namespace

Result decode_to_break(Compression mode, ByteView from, std::span<std::byte> to) {
    if (from.size() > 0x7FFF'FFFFu || to.size() > 0x7FFF'FFFFu)
        return std::unexpected(Errc::too_large);
    switch (mode) {
        case Compression::fastlz:
            return unfastlz_to_break(from, to);
        case Compression::deflate:
            return inflate_to_break(false, from, to);
        case Compression::gzip:
            return inflate_to_break(true, from, to);
        case Compression::zstd:
            return unzstd_to_break(from, to);
        case Compression::brotli:
            break;
    }
    return Partial{0, 0, Errc::bad_block};
}

}  // namespace gdvar::save
