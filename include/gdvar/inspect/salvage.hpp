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

/// The values around a break.
struct Salvaged {
    /// A sound packet of all values that were complete. The containers in which the break is hold
    /// what came before it, or around it, with counts to match.
    std::vector<std::byte> packet;
    Error error{};  ///< the break: why, and where in the broken packet
    /// Bytes of the broken packet that are not in `packet`: up to its end, or to the next item.
    std::size_t begin = 0, end = 0;
    /// If it goes on behind them: where the damaged value, or key, begins.
    std::optional<std::size_t> around{};
};

/// The part of a broken packet up to the break: every container around the break, with the
/// elements, pairs and properties that are complete. Nothing if the packet is sound, if the root
/// itself is broken, or if memory runs out. Time and memory: one reading, one copy.
std::optional<Salvaged> up_to_break(ByteView packet, const DecodeOptions& options);

/// All of a damaged packet but its one damaged item: a pair of a Dictionary or an element of an
/// Array, wherever it is. Where only a count is wrong, nothing is left out but the count. The
/// packet must end where the bytes end. The values behind the item and the counts of the containers
/// around it say where it ends; one word of it, changed, would make it sound. Nothing if the packet
/// is sound, if there is no such item or if several are as likely, if a sound value with bytes
/// behind it is about as likely, if `work` does not suffice or if memory runs out. `work`: how many
/// steps the search may take, of about a byte each; the steps taken are subtracted. 64 for each
/// byte suffice for large packets, 1,000 for small ones. Time: linear in the packet and the steps.
/// Memory: a small constant times the packet's size.
std::optional<Salvaged> around_break(ByteView packet, const DecodeOptions& options,
                                     std::uint64_t& work);

}  // namespace inspect
}  // namespace gdvar
