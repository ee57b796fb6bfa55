// The process's secret, under which hashes of foreign keys are made.
// Room: base, private.
#pragma once

#include "base/siphash.hpp"

namespace gdvar::detail {

/// Made once in each process, from the system's randomness.
const SipKey& process_key() noexcept;

}  // namespace gdvar::detail
