// A packet's quirks and their places, found in one walk.
// Room: inspect.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/quirk.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// One quirk of a packet, and where it is.
struct FoundQuirk {
    Quirk quirk{};
    std::uint64_t offset = 0;
    std::string path;  ///< of the value that it is in: "$.players[3]"
};

/// The quirks of a packet: the first ones, and how many there are.
struct Quirks {
    /// Longer paths are cut in the middle (`shortened_path`).
    static constexpr std::size_t most_path = 300;

    std::vector<FoundQuirk> first;  ///< in the order of the bytes
    std::uint64_t count = 0;        ///< of all
    bool strict = true;             ///< strict reading accepts all of them
    std::size_t size = 0;           ///< bytes that the packet took
};

/// Reads the packet at the start of `packet` leniently and notes its quirks, with its repeated keys
/// and what follows it: their number, and the first `most` with their paths. Whatever strict
/// reading (`validate`) would refuse is among them. A packet without quirks is canonical: the
/// engines of the dialect (all_engines) write the same bytes, as far as can be known outside of
/// them. Time: two readings, n log n for n keys, and those paths; without quirks also a Variant of
/// it and its packet. Errors: those of `read`; no_memory.
[[nodiscard]] std::expected<Quirks, Error> find_quirks(ByteView packet,
                                                       const DecodeOptions& options,
                                                       std::size_t most = 100);

}  // namespace inspect
}  // namespace gdvar
