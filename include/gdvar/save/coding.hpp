// Base64 and hex: packets as text.
// Room: save.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

/// Standard Base64 with `=`, as `Marshalls.variant_to_base64` writes it; white space is passed
/// over, missing `=` at the end too. Errors: bad_base64 at the offending character, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> from_base64(std::string_view text);
std::string to_base64(ByteView bytes);
/// Pairs of hex digits; white space and a leading `0x` are passed over.
/// Errors: bad_hex at the offending character, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, Error> from_hex(std::string_view text);
std::string to_hex(ByteView bytes);

}  // namespace gdvar
