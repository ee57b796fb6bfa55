// Base64 and hex: packets as text.
// Room: save.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/text_error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Decodes standard Base64, as `Marshalls.variant_to_base64` writes it. White space is ignored, and
/// `=` at the end may be missing. Errors: bad_base64 at the wrong character, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, TextError> from_base64(std::string_view text);
std::string to_base64(ByteView bytes);
/// Decodes pairs of hex digits. White space and a leading `0x` are ignored. Errors: bad_hex at the
/// wrong character, no_memory.
[[nodiscard]] std::expected<std::vector<std::byte>, TextError> from_hex(std::string_view text);
std::string to_hex(ByteView bytes);

}  // namespace gdvar
