// Shared by the files of this module: errors, and reading and writing whole spans.
#pragma once

#include <cerrno>
#include <string>
#include <utility>

#include "base/platform/file.hpp"
#include "gdvar/save/target.hpp"
#include "wire/refuse.hpp"

namespace gdvar::save {

/// The number of bytes copied at a time.
inline constexpr std::size_t step = 1 << 16;

using detail::refuse;

/// Bytes as the libraries of compression take them: without `const`, also what they only read.
inline std::uint8_t* codec_bytes(const std::byte* at) noexcept {
    return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(at));
}

/// An io error with the system's number.
inline std::unexpected<FileError> refuse_io(int number) {
    return std::unexpected(FileError::io(number));
}
inline std::unexpected<FileError> refuse_io(platform::SystemError error) {
    return refuse_io(error.number);
}
/// What the system gave, or why it did not, as an io error.
template <class T>
std::expected<T, FileError> or_io(platform::Result<T> result) {
    if (!result)
        return refuse_io(result.error());
    if constexpr (std::is_void_v<T>)
        return {};
    else
        return *std::move(result);
}

/// Reads until `to` is full or the source ends. Returns the number of bytes.
std::expected<std::size_t, FileError> read_full(Source& source, std::span<std::byte> to);

/// Goes to a place of a source that can rewind. Errors: truncated behind its end; its own.
std::expected<void, FileError> go_to(Source& source, std::uint64_t at);

/// Makes `to` the next `size` bytes of the source, or all that are left. It grows by what has
/// arrived, not by what `size` claims.
std::expected<void, FileError> read_up_to(Source& source, std::uint64_t size,
                                          std::vector<std::byte>& to);

}  // namespace gdvar::save
