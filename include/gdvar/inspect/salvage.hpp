// The readable part of a broken packet, as a packet.
// Room: inspect.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// The values before a break.
struct Salvaged {
    /// A sound packet of all values that were complete. The containers in which the break is hold
    /// what came before it, with counts to match.
    std::vector<std::byte> packet;
    Error error{};  ///< the break: why, and where in the broken packet
};

/// The part of a broken packet up to the break: every container around the break, with the
/// elements, pairs and properties that are complete. Nothing if the packet is sound, if the root
/// itself is broken, or if memory runs out. Time and memory: one reading, one copy.
std::optional<Salvaged> up_to_break(ByteView packet, const DecodeOptions& options);

}  // namespace inspect
}  // namespace gdvar
