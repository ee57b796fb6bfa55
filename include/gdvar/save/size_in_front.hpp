// A number in front of a container that says how large it is, as games write one for `decompress`.
// Room: save. Rules: wire-format 5.4.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "gdvar/base/export.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/source.hpp"
#include "gdvar/wire/frame.hpp"

namespace gdvar GDVAR_EXPORT {

/// How such a number is written.
struct SizeForm {
    std::uint8_t width = 4;  ///< in bytes: 4 or 8
    ByteOrder order = ByteOrder::little;
    /// Whether it is the size of what the container holds, and not that of the container.
    bool unpacked = false;
    friend bool operator==(const SizeForm&, const SizeForm&) = default;
};

/// The sizes that such a number may give.
struct ContainerSizes {
    std::uint64_t packed = 0;    ///< up to the end of the file
    std::uint64_t unpacked = 0;  ///< of what the container holds
};

/// A number in front of a container, whatever it says.
struct NumberInFront {
    std::uint64_t number = 0;
    SizeForm form{};  ///< but for `unpacked`
    /// The container, by its magic. `size`: another number in front of one.
    InputKind container = InputKind::unknown;
};

/// The number in front of a container that has a magic, which may be damaged: none of its sizes.
/// None if no magic is there, or a number is 0. The byte order is the one in which
/// the number is smaller: in the wrong one its zeros make it large.
std::optional<NumberInFront> number_in_front(ByteView start) noexcept;

/// Whether the bytes behind `skip` are a number, or two of the same form but for `unpacked`, in
/// front of a container that has a magic (GCPF, GDEC, gzip, zlib, zstd), each of them exactly a
/// size of that: the form of the first. Of one that is both sizes: `unpacked`, which is what the
/// engines' `decompress` takes. None if there is no such number, or the container can't be opened.
/// A stream may break further on, if its number is the size of the container. Reads the source
/// several times, at most up to `max_bytes` of what a stream holds, and leaves it rewound. Errors:
/// those of the source; truncated (`skip` goes past the end); no_memory.
[[nodiscard]] std::expected<std::optional<SizeForm>, FileError> find_size(
    Source& source, std::uint64_t skip = 0, std::uint64_t max_bytes = 1u << 30);

}  // namespace gdvar
