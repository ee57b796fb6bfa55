// What the files of this room share: errors, and reading a wanted number of bytes.
#pragma once

#include <cerrno>
#include <string>

#include "gdvar/save/target.hpp"

namespace gdvar::save {

/// A good size for one step of copying.
inline constexpr std::size_t step = 1 << 16;

inline std::unexpected<Error> refuse(Errc code, std::uint64_t offset = 0, std::uint64_t need = 0) {
    return std::unexpected(Error{code, Type::nil, offset, need});
}

/// An io error with the system's number.
inline std::unexpected<Error> refuse_io(int number = errno) {
    return refuse(Errc::io, 0, static_cast<std::uint64_t>(number));
}

/// Reads until `to` is full or the source ends; returns how much.
std::expected<std::size_t, Error> read_full(Source& source, std::span<std::byte> to);

/// Makes `to` the next `size` bytes of the source, or all that are left. It grows by what has
/// arrived, not by what `size` claims.
std::expected<void, Error> read_up_to(Source& source, std::uint64_t size,
                                      std::vector<std::byte>& to);

/// Writes everything. Errors: io.
std::expected<void, Error> write_full(int descriptor, ByteView bytes);

}  // namespace gdvar::save
