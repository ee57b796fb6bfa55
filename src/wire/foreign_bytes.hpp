#pragma once

#include <cstdint>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

enum class ForeignKind : std::uint8_t { text, http, tls, packed, encrypted };

/// A known kind of foreign data, in place of a packet or its length.
struct ForeignBytes {
    std::string_view magic;  ///< its first bytes
    ForeignKind kind;
    const char* packet;  ///< the sentence about a packet: "it is gzip-compressed data"
};

/// By the first bytes, of which four suffice; for a text all given bytes must be printable. Null if
/// unknown.
const ForeignBytes* foreign_bytes(ByteView bytes) noexcept;

}  // namespace detail
}  // namespace gdvar
