// Whether bytes are a stream of one compression, found out by decoding the first of them.
#pragma once

#include <vector>

#include "gdvar/save/recognise.hpp"

namespace gdvar::save {

/// Adds a reading for each stream that `start` begins like, and that decodes. One that is certain
/// goes to `certain`, others to `maybe` with a score; what only has the header to `ruled_out`, if
/// that is not null. `all`: these are all the bytes.
void try_streams(ByteView start, bool all, std::vector<Reading>& certain,
                 std::vector<Reading>& maybe, std::vector<Reading>* ruled_out);

}  // namespace gdvar::save
