// Finds pairs of a packet that share their key with another pair of their Dictionary.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::detail {

struct RepeatedKey {
    std::uint64_t begin;       ///< offset of the key
    std::uint64_t dictionary;  ///< offset of its Dictionary
};

/// Among keys that `check_keys` takes for equal: all but the last, in the order of the bytes.
/// Errors: as `check_keys`, without duplicate_key.
GDVAR_EXPORT std::expected<PackedArray<RepeatedKey>, Error> replaced_keys(
    ByteView packet, const DecodeOptions& options);
/// The same, all but the first: the keys that engines merge with an earlier one.
GDVAR_EXPORT std::expected<PackedArray<RepeatedKey>, Error> merged_keys(
    ByteView packet, const DecodeOptions& options);

}  // namespace gdvar::detail
