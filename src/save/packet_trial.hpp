// Whether bytes are packets without lengths, or packets behind a header, found out by reading them.
#pragma once

#include <optional>
#include <vector>

#include "gdvar/save/recognise.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::save {

/// Bytes as packets, one behind the other.
struct BarePackets {
    const Dialect* dialect = nullptr;  ///< that fits them best; null if none does
    std::vector<ByteView> packets;     ///< views of the bytes
    std::int64_t score = 0;            ///< what speaks for it, as Reading::score
    bool written = false;              ///< that dialect's engines write exactly these bytes
};

/// Finds where packets without lengths end: two or more, that cover the bytes. Half of the bytes
/// must stand in packets longer than 8 bytes, and the last is no null, so that zeros and numbers
/// are none; nor is a container whose count is damaged, nor what is likelier one packet that breaks
/// off. Time: linear.
GDVAR_EXPORT BarePackets best_packets(ByteView bytes);

/// Adds a reading if the bytes are packets without lengths as one engine writes them.
void try_packets(ByteView bytes, std::vector<Reading>& fits);

/// Whether bytes that look like a packet of a text, with a NUL in it, are a number and records
/// behind it.
bool is_number_and_records(ByteView bytes);

/// Records or a packet behind a header of up to 64 bytes: at least two records, or 32 bytes, all as
/// one engine writes them. `header` of the reading says how many bytes stand in front. `cut`: more
/// bytes follow. Time: linear, for each length of the header.
std::optional<Reading> behind_header(ByteView bytes, bool cut);

/// Whether bytes are one packet, or records, that no numbers are by chance: one dialect reads all
/// of them as its engines write them, but for padding; texts have no control characters, floats are
/// not so small that they are ids or counts; and one packet is a Dictionary, Array or Object that
/// holds more than nulls. Time: linear.
bool hold_containers(ByteView bytes, InputKind kind);

}  // namespace gdvar::save
