// A number in front of a container with its size, as games write one for `decompress`. Rules:
// wire-format 5.4.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "gdvar/base/export.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/source.hpp"
#include "gdvar/wire/frame.hpp"

namespace gdvar GDVAR_EXPORT {

/// The form of such a number.
struct SizeForm {
    std::uint8_t width = 4;  ///< in bytes: 4 or 8
    ByteOrder order = ByteOrder::little;
    /// It is the size of the container's content, not of the container.
    bool unpacked = false;
    friend bool operator==(const SizeForm&, const SizeForm&) = default;
};

/// The possible values of such a number.
struct ContainerSizes {
    std::uint64_t packed = 0;    ///< up to the end of the file
    std::uint64_t unpacked = 0;  ///< of the container's content
};

/// A number in front of a container, with any value.
struct NumberInFront {
    std::uint64_t number = 0;
    SizeForm form{};  ///< except `unpacked`
    /// The container, by its magic. `size`: another number in front of one.
    InputKind container = InputKind::unknown;
};

/// The number in front of a container with a magic; it may be damaged and need not be one of the
/// sizes. None if no magic follows, or a number is 0. The byte order is the one in which the number
/// is smaller: in the wrong one its zeros make it large.
std::optional<NumberInFront> number_in_front(ByteView start) noexcept;

/// The form of a number, or of the first of two that differ only in `unpacked`, if the bytes behind
/// `skip` are such numbers in front of a container with a magic (GCPF, GDEC, gzip, zlib, zstd),
/// each exactly one of its sizes. If it is both sizes: `unpacked`, which the engines' `decompress`
/// takes. None if there is no such number, or the container can't be opened. A stream may break
/// further on, if its number is the size of the container. Reads the source several times, at most
/// up to `max_bytes` of a stream's content, and leaves it rewound. Errors: those of the source;
/// truncated (`skip` goes past the end); no_memory.
[[nodiscard]] std::expected<std::optional<SizeForm>, FileError> find_size(
    Source& source, std::uint64_t skip = 0, std::uint64_t max_bytes = 1u << 30);

}  // namespace gdvar
