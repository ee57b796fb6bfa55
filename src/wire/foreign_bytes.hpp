// What bytes seem to be that are no packet and no length.
// Room: wire.
#pragma once

#include <cstdint>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

enum class ForeignKind : std::uint8_t { text, http, tls, packed, encrypted };

/// What bytes seem to be that stand where a packet or its length should.
struct ForeignBytes {
    std::string_view magic;  ///< how they begin
    ForeignKind kind;
    const char* packet;  ///< the sentence about a packet: "it is gzip-compressed data"
};

/// By their first bytes, of which four suffice; all that are there must be printable for a text.
/// Null: nothing that is known.
const ForeignBytes* foreign_bytes(ByteView bytes) noexcept;

}  // namespace detail
}  // namespace gdvar
