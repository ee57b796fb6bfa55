// project.binary: the settings of an exported game. Layout: magic "ECFG", u32 count, then for each
// entry u32 key length, key, u32 length, packet. Newer engines pad the key with a NUL or two inside
// its length.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// One setting of `project.binary`.
struct ProjectEntry {
    std::string_view key;      ///< borrowed, unchanged
    std::uint64_t offset = 0;  ///< of the packet
    ByteView packet;
};

/// All entries, borrowed from `bytes`. Errors: bad_magic, truncated, bad_length, trailing_bytes,
/// no_memory.
[[nodiscard]] std::expected<std::vector<ProjectEntry>, Error> read_project(ByteView bytes);
/// The file with these entries. Errors: too_large, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> write_project(
    const std::vector<ProjectEntry>& entries);

}  // namespace gdvar
