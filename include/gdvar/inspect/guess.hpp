// Which dialect are these packets in?
// Room: inspect.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar {

/// How one dialect reads the packets.
struct Candidate {
    const Dialect* dialect = nullptr;
    bool fits = false;         ///< every packet is read, with nothing left over
    std::size_t oddities = 0;  ///< things that this dialect's engines would not have written
    std::int64_t score = 0;    ///< how plausible what it reads is: Evidence, summed up
    std::size_t packet = 0;    ///< where it fails: which packet
    Error error{};             ///< and why
    /// "decodes as godot-4.4 with nothing left", "as godot-3.1 fails at 0x8: ...".
    std::string reason;
};

struct Guess {
    std::vector<Candidate> candidates;  ///< every engine's dialect, newest first
    /// Of those that fit, the most plausible, the newest where several are; else null.
    const Dialect* dialect = nullptr;
    bool ambiguous = false;  ///< others fit as well
    /// The most plausible whether it fits or not, for damaged packets; null where none is plausible.
    const Dialect* likely = nullptr;
};

struct GuessOptions {
    /// The last packet is cut off: its end says nothing against a dialect.
    bool cut = false;
};

/// Reads all packets as every dialect that an engine speaks; the pages' dialects are never guessed.
/// Objects are allowed here. Cost: ten readings (`weigh`).
Guess guess_dialect(std::span<const ByteView> packets, const GuessOptions& options = {});

}  // namespace gdvar
