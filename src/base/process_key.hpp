// The process's secret key, for hashes of foreign keys.
#pragma once

#include "base/siphash.hpp"
#include "gdvar/base/export.hpp"

namespace gdvar::detail {

GDVAR_EXPORT const SipKey& process_key() noexcept;

}  // namespace gdvar::detail
