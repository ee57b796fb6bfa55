// FastLZ, from its format: a sequence of instructions, each a run of literals or a copy of earlier
// output.
//
//   000LLLLL                      literals: the next L + 1 bytes
//   LLLDDDDD DDDDDDDD             copy L + 2 bytes (L 1 to 6) from D + 1 bytes back
//   111DDDDD LLLLLLLL DDDDDDDD    copy L + 9 bytes from D + 1 back
//
// The top bits of the first instruction, which is always literals, are the level: 0 or 1. In the
// second level a length byte of 255 is followed by another that is added, and a distance of 8191 by
// 16 more bits (high byte first) that are added.
#pragma once

#include <expected>
#include <span>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar::save {

struct FastlzBreak {
    std::size_t size = 0;  ///< bytes
    bool cut = false;      ///< the input ends inside an instruction
};

/// Decodes into `to` and returns the number of bytes. `before`, unless null, gets the progress of a
/// failure. Errc: bad_block, size_limit (`to` is too small).
std::expected<std::size_t, Errc> fastlz_decode(ByteView from, std::span<std::byte> to,
                                               FastlzBreak* before = nullptr) noexcept;

/// Appends the first level's form of `from`, which may not be empty. Throws bad_alloc.
void fastlz_encode(ByteView from, std::vector<std::byte>& to);

}  // namespace gdvar::save
