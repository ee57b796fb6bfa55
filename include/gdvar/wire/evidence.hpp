// The plausibility of bytes as a packet of a dialect. Used by `recognise` and `guess_dialect`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// The result of reading a packet as one dialect.
struct Evidence {
    bool whole = false;  ///< the packet is read to its end, with no bytes left over
    std::size_t oddities =
        0;  ///< number of details that this dialect's engines would not have written
    std::uint64_t read = 0;  ///< bytes up to the packet's end, or up to the break
    /// The reason of the break; trailing_bytes if bytes are left over; ok if it is whole.
    Error error{};
    /// About twice the logarithm of a likelihood ratio: these bytes as a packet against these bytes
    /// as anything else. Raised by headers, lengths, and by texts and numbers like those of games;
    /// lowered by tiny and huge floats, control characters in texts, meaningless bits and bytes
    /// left over.
    std::int64_t score = 0;
    /// The bits that oddities and unlikely values took from it, without what spoke for it.
    std::int64_t against = 0;
};

/// Knowledge about the bytes, and a limit of the work.
struct WeighOptions {
    /// The bytes are the start of a longer packet: their end is not a break.
    bool cut = false;
    std::uint64_t follows = UINT64_MAX;  ///< with `cut`: bytes that follow, if known
    /// The most values to weigh; `validate` only checks the rest.
    std::uint64_t max_values = 1u << 16;
    /// `against` leaves out what is in containers that begin there or behind it.
    std::uint64_t closed_from = UINT64_MAX;
};

/// Reads the packet as the dialect and weighs the values. Objects are allowed. There are no errors:
/// a break is part of the result. Time: one reading. Memory: one entry for each open container,
/// otherwise constant.
Evidence weigh(ByteView packet, const Dialect& dialect, const WeighOptions& options = {}) noexcept;

}  // namespace gdvar
