// Frames: the u32 length that `store_var` and `put_var` write before a packet (wire-format 4).
#pragma once

#include <bit>
#include <expected>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// The order of the length; the packet itself is always little-endian.
enum class ByteOrder : std::uint8_t { little, big };

/// A packet after its length.
struct Frame {
    ByteView packet;       ///< borrowed
    std::size_t size = 0;  ///< including the length's four bytes
};

/// The frame at the start of `bytes`. `max_packet` bounds the accepted length. Errors: truncated,
/// with `need` the missing bytes; bad_length (negative); size_limit.
[[nodiscard]] inline std::expected<Frame, Error> read_frame(
    ByteView bytes, ByteOrder order, std::uint64_t max_packet = 0x7FFF'FFFF) noexcept {
    if (bytes.size() < 4)
        return std::unexpected(Error{Errc::truncated, Type::nil, 0, 4 - bytes.size()});
    auto length = detail::load<std::uint32_t>(bytes.data());
    if (order == ByteOrder::big)
        length = detail::byteswap(length);
    if (length > 0x7FFF'FFFFu)
        return std::unexpected(Error{Errc::bad_length, Type::nil, 0, 0});
    if (length > max_packet)
        return std::unexpected(Error{Errc::size_limit, Type::nil, 0, 0});
    if (length > bytes.size() - 4)
        return std::unexpected(Error{Errc::truncated, Type::nil, 0, length - (bytes.size() - 4)});
    return Frame{bytes.subspan(4, length), std::size_t{4} + length};
}

/// Writes the length of a packet of `size` bytes (under 2 GiB) to the four bytes at `to`.
inline void write_frame_length(std::byte* to, std::uint32_t size, ByteOrder order) noexcept {
    detail::store(to, order == ByteOrder::big ? detail::byteswap(size) : size);
}

}  // namespace gdvar
