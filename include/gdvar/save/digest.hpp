// Checksums that games store beside their data: CRC-32, MD5, SHA-1, SHA-256.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar GDVAR_EXPORT {

enum class DigestKind : std::uint8_t { crc32, md5, sha1, sha256 };

/// "CRC-32", "MD5", "SHA-1", "SHA-256".
std::string_view digest_name(DigestKind kind) noexcept;
/// In bytes: 4, 16, 20, 32.
std::size_t digest_size(DigestKind kind) noexcept;
/// The digest of the rest of a source; CRC-32 with its highest byte first, as in its hex digits.
/// Errors: bad_mode (this system's libcrypto does not offer it), no_memory, those of the source.
[[nodiscard]] std::expected<std::vector<std::byte>, FileError> digest_of(Source& from,
                                                                         DigestKind kind);

}  // namespace gdvar
