// Recognises a stream of one compression by decoding its first bytes.
#pragma once

#include <vector>

#include "gdvar/save/recognise.hpp"

namespace gdvar::save {

/// Adds a reading for each stream whose header matches `start` and that decodes. A certain one goes
/// to `certain`, others to `maybe` with a score; a matching header alone to `ruled_out`, unless
/// null. `all`: these are all the bytes.
void try_streams(ByteView start, bool all, std::vector<Reading>& certain,
                 std::vector<Reading>& maybe, std::vector<Reading>* ruled_out);

}  // namespace gdvar::save
