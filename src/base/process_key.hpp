// The process's secret, under which hashes of foreign keys are made.
// Room: base, private.
#pragma once

#include "base/siphash.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar::detail {

/// Made once in each process, from the system's randomness.
GDVAR_EXPORT const SipKey& process_key() noexcept;

}  // namespace gdvar::detail
