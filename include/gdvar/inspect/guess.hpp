// Which dialect are these packets in?
// Room: inspect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// How one dialect reads the packets.
struct Candidate {
    const Dialect* dialect = nullptr;
    bool fits = false;         ///< every packet is read, with nothing left over
    std::size_t oddities = 0;  ///< things that this dialect's engines would not have written
    std::int64_t score = 0;    ///< sum of Evidence::score over the packets
    std::size_t packet = 0;    ///< where it fails: which packet
    Error error{};             ///< and why
    /// "decodes as godot-4.4 with nothing left", "as godot-3.1 fails at 0x8: ...".
    std::string reason;
};

/// The result of `guess_dialect`.
struct Guess {
    std::vector<Candidate> candidates;  ///< every engine's dialect, newest first
    /// The most plausible of those that fit; the newest of equals. Null if none fits.
    const Dialect* dialect = nullptr;
    bool ambiguous = false;  ///< others of those engines fit as well
    /// The most plausible dialect, whether it fits or not: for damaged packets. Null if none is
    /// plausible.
    const Dialect* likely = nullptr;
};

/// Knowledge of the packets before guessing.
struct GuessOptions {
    /// The last packet is cut off: a break at its end does not count against a dialect.
    bool cut = false;
    /// Whether Godot 4 wrote them, where something around them shows it: such engines' dialects go
    /// first, and others are taken only if none of those fits.
    std::optional<bool> godot_4{};
};

/// Reads all packets as every dialect that an engine speaks; the pages' dialects are never guessed.
/// Objects are allowed here. Cost: ten readings (`weigh`).
Guess guess_dialect(std::span<const ByteView> packets, const GuessOptions& options = {});

}  // namespace inspect
}  // namespace gdvar
