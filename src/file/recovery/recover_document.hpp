// The document of a damaged save: which kind and dialect it is, and what can be read of it.
// Room: file, private.
#pragma once

#include "file/recovery/recover_layers.hpp"

namespace gdvar::recovering {

/// Whether no other dialect fits packets without lengths better: one that does not fit splits them
/// into many small ones.
bool fits_best(ByteView packets, const Dialect& dialect);

/// Whether they are one packet with one damaged item rather than several packets: what is read of
/// the first one ends too early, and looks less likely.
bool is_one_packet(ByteView packets, const Dialect& dialect);

/// Reads `found.document` as the kind that gives the most, and sets what `found` says of it.
/// `seen`: what `recognise` says of the bytes; `sure`: without doubt. False if nothing is in it.
/// Throws bad_alloc.
bool read_document(Found& found, InputKind seen, bool sure, const SaveOptions& given);

}  // namespace gdvar::recovering
