// Shared by edits of one value and of several.
// Room: inspect, private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>

#include "gdvar/base/bytes.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "inspect/part.hpp"

namespace gdvar::detail {

inline void append_bytes(PackedByteArray& to, ByteView bytes) {
    to.append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

/// The error, at that offset.
inline std::unexpected<Error> moved(Error error, std::uint64_t offset) {
    error.offset = offset;
    return std::unexpected(error);
}

/// Adds to a count. Other bits that an engine put beside it stay, as that of a shared container.
inline void change_count(std::byte* count, std::int32_t by) {
    store(count, load<std::uint32_t>(count) + static_cast<std::uint32_t>(by));
}

/// Whether a typed container takes the value. Error: wrong_type, at `offset`.
std::expected<void, Error> taken(const ContainerType& type, const Variant& value,
                                 std::uint64_t offset);
/// Whether the container takes it as an element or value.
std::expected<void, Error> taken_in(const View& container, const Variant& value,
                                    std::uint64_t offset);

/// Other bytes for a place in a packet.
struct Overwrite {
    std::size_t at = 0, size = 0;
    std::byte bytes[16 * 8];

    ByteView span() const noexcept { return {bytes, size}; }
};
/// The bytes that a math value, or an element of a packed array of numbers, has when the part of it
/// is `value`. Errors: wrong_type, number_out_of_range, those of `encode`; at the whole.
std::expected<Overwrite, Error> put_part(ByteView packet, const View& whole, const Part& part,
                                         const Variant& value, const EncodeOptions& how);

}  // namespace gdvar::detail
