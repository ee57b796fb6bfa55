// Whether bytes are packets without lengths, or packets behind a header, found out by reading them.
#pragma once

#include <optional>
#include <vector>

#include "gdvar/save/recognise.hpp"

namespace gdvar::save {

/// Adds a reading if the bytes are two packets or more, one behind the other, as one engine writes
/// them. Half of the bytes must stand in packets longer than 8 bytes, and the last is no null, so
/// that zeros and numbers are none; nor is a container whose count is damaged. `likely`:
/// the best Evidence of the first packet; other dialects are not tried. Time: linear.
void try_packets(ByteView bytes, std::int64_t likely, std::vector<Reading>& fits);

/// Whether bytes that look like a packet of a text, with a NUL in it, are a number and records
/// behind it.
bool is_number_and_records(ByteView bytes);

/// Records or a packet behind a header of up to 64 bytes: at least two records, or 32 bytes, all as
/// one engine writes them. `header` of the reading says how many bytes stand in front. `cut`: more
/// bytes follow. Time: linear, for each length of the header.
std::optional<Reading> behind_header(ByteView bytes, bool cut);

}  // namespace gdvar::save
