// How plausible is it that these bytes are a packet of that dialect?
// Room: save. Recognition and guessing stand on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>

#include "gdvar/wire/bytes.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

/// What one dialect makes of a packet.
struct Evidence {
    bool whole = false;        ///< it is read, with nothing left over
    std::size_t oddities = 0;  ///< things that this dialect's engines would not have written
    std::uint64_t read = 0;    ///< bytes up to its end, or up to where the reading breaks
    /// Why it breaks; trailing_bytes where bytes are left over; ok where it is whole.
    Error error{};
    /// About twice the logarithm of how much likelier these bytes are as a packet than as anything
    /// else: positive for headers, lengths, texts and numbers as games have them, negative for
    /// tiny and huge floats, controls in texts, bits without meaning, bytes left over.
    std::int64_t score = 0;
};

struct WeighOptions {
    /// More bytes of the packet follow behind those that are there: that they end is no break.
    bool cut = false;
    std::uint64_t follows = UINT64_MAX;  ///< with `cut`: how many, where that is known
    /// No more values than that are looked at; the rest is only read, by `validate`.
    std::uint64_t max_values = 1u << 16;
};

/// Reads the packet as that dialect and weighs what comes out. Objects are allowed. No errors: what
/// can't be read is what it tells. Cost: one reading, and no memory that grows with the packet but
/// for one entry an open container.
Evidence weigh(ByteView packet, const Dialect& dialect, const WeighOptions& options = {}) noexcept;

}  // namespace gdvar
