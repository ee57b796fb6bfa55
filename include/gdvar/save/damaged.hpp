// Damaged containers and codings: the readable part of their content. Rules: wire-format 5.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/save/compression.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// A damaged part of a content.
struct DamagedPart {
    std::uint64_t begin = 0, end = 0;  ///< bytes of the content
    /// True: the bytes exist and may be wrong, because a checksum shows damage but not its place.
    /// False: they are lost, and replaced by zeros in the content, or by nothing at its end.
    bool doubtful = false;
    Errc code = Errc::ok;
    std::string what;  ///< "block 3, bytes 0x120 to 0x240"
};

/// The readable content of a damaged container.
struct DamagedContent {
    std::vector<std::byte> bytes;
    std::vector<DamagedPart> parts;  ///< by their begin; lost parts do not overlap
    /// Faults of the container itself, in words: "the checksum does not match".
    std::vector<std::string> notes;
    Wrapping kind = Wrapping::none;
    Compression compression = Compression::zstd;  ///< of GCPF
    std::uint32_t block_size = 4096;              ///< of GCPF
    /// Up to 15 zeros may follow the content: its exact size is unknown (GDEC).
    bool padded = false;
};

/// Reads a GCPF whose header, table of blocks, blocks or end are damaged. Each block that can be
/// decompressed to its full size is kept; of any other, the part before its break. A header or a
/// table that contradicts the file's size or the blocks is corrected if only one correction fits.
/// The magic is ignored. Time: linear in the bytes and in the content. Memory: the content, at most
/// `max_bytes`. Errors: bad_block (nothing of it can be read), size_limit, no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_gcpf(
    ByteView bytes, std::uint64_t max_bytes = 256u << 20);

/// Decrypts a GDEC that is cut or whose checksum does not match, as that kind (gdec_3, gdec_4). In
/// gdec_3, a damaged byte spoils the 16 bytes around it, in gdec_4 itself and the 16 bytes behind.
/// The place is unknown: if the checksum does not match, all bytes are one doubtful part. A wrong
/// key gives noise; the caller must check that the content makes sense. The magic is ignored.
/// Errors: truncated (not even a header), bad_mode, no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_gdec(ByteView bytes,
                                                                     const ContainerKey& key,
                                                                     Wrapping kind);

/// How invalid characters came into a text of digits.
enum class WrongDigits : std::uint8_t {
    replaced,  ///< each replaced a digit: that digit's bytes are lost
    added,     ///< they are ignored
};

/// Decodes hex digits with invalid ones. Errors: no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_hex(std::string_view text,
                                                                    WrongDigits wrong);
/// Decodes Base64 with invalid characters. Errors: no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_base64(std::string_view text,
                                                                       WrongDigits wrong);

}  // namespace gdvar
