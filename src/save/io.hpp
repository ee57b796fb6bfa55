// Shared by this room's files: errors, reading and writing of whole spans.
#pragma once

#include <cerrno>
#include <utility>

#include "base/platform/file.hpp"
#include "gdvar/save/target.hpp"
#include "wire/refuse.hpp"

namespace gdvar::save {

inline constexpr std::size_t step = 1 << 16;

using detail::refuse;

/// Bytes in the compression libraries' type: without `const`, even for input.
inline std::uint8_t* codec_bytes(const std::byte* at) noexcept {
    return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(at));
}

/// Frees a library's state by the library's own function.
template <auto free>
struct FreeBy {
    void operator()(auto* state) const noexcept { free(state); }
};

inline std::unexpected<FileError> refuse_io(int number) {
    return std::unexpected(FileError::io(number));
}
inline std::unexpected<FileError> refuse_io(platform::SystemError error) {
    return refuse_io(error.number);
}
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

/// Moves a source that can rewind. Errors: truncated, with the missing bytes; its own.
std::expected<void, FileError> go_to(Source& source, std::uint64_t at);

/// The bytes from there on; those of a source without a size are read. Errors: those of the source.
std::expected<std::uint64_t, FileError> size_from(Source& source, std::uint64_t at);

/// Sets `to` to the next `size` bytes of the source, or all that are left. It grows with the bytes
/// that arrive, not by the claimed `size`.
std::expected<void, FileError> read_up_to(Source& source, std::uint64_t size,
                                          std::vector<std::byte>& to);

}  // namespace gdvar::save
