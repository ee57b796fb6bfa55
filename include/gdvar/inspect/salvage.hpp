// What can be read of a broken packet, as a packet.
// Room: inspect.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdvar/wire/bytes.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar {

/// The values before a break.
struct Salvaged {
    /// A packet of all that was complete: the containers that were open hold what was in them before,
    /// and so their counts are other ones.
    std::vector<std::byte> packet;
    Error error{};  ///< the break: why, and where in the broken packet
};

/// The part of a broken packet up to the break: every container that is open there, with the elements,
/// pairs and properties that are whole. Nothing where the packet is sound, where its first value breaks, or
/// where memory can't be had. Time and memory: one reading, one copy.
std::optional<Salvaged> up_to_break(ByteView packet, const DecodeOptions& options);

}  // namespace gdvar
