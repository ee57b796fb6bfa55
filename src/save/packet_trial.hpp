// Recognises packets without lengths, and packets behind a header, by reading them.
#pragma once

#include <optional>
#include <vector>

#include "gdvar/save/recognise.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::save {

struct BarePackets {
    const Dialect* dialect = nullptr;  ///< the best fit; null if there is none
    std::vector<ByteView> packets;     ///< views of the bytes
    std::int64_t score = 0;            ///< as Reading::score
    bool written = false;              ///< that dialect's engines write exactly these bytes
};

/// Finds the ends of packets without lengths: two or more, that cover the bytes. Half of the bytes
/// must be in packets longer than 8 bytes, and the last is not a null, which excludes zeros and
/// numbers; nor a container with a damaged count, nor probably a single packet that is cut. Time:
/// linear.
GDVAR_EXPORT BarePackets best_packets(ByteView bytes);

/// Adds a reading if the bytes are packets without lengths as one engine writes them.
void try_packets(ByteView bytes, std::vector<Reading>& fits);

/// True if bytes that look like a packet of a text with a NUL are a number and a record after it.
bool is_number_and_records(ByteView bytes);

/// Records or a packet behind a header of up to 64 bytes: at least two records, or 32 bytes, all as
/// one engine writes them. `header` of the reading is the header's size. `cut`: more bytes follow.
/// Time: linear, for each length of the header.
std::optional<Reading> behind_header(ByteView bytes, bool cut);

/// True for one packet, or records, that can't be numbers by chance: one dialect reads all of them
/// as its engines write them, except padding; texts have no control characters, floats are too
/// large to be ids or counts; and one packet is a Dictionary, Array or Object that holds more than
/// nulls. Time: linear.
bool hold_containers(ByteView bytes, InputKind kind);

}  // namespace gdvar::save
