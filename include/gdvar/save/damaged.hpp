// Damaged containers and codings: what of their content can still be read, and where.
// Room: save. Rules: wire-format 5.
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

/// A part of a content that was damaged.
struct DamagedPart {
    std::uint64_t begin = 0, end = 0;  ///< bytes of the content
    /// Whether the bytes are there and may be wrong: damage that a checksum shows has no place. If
    /// not, they are lost: zeros stand in the content, or nothing if they are behind its end.
    bool doubtful = false;
    Errc code = Errc::ok;
    std::string what;  ///< "block 3, bytes 0x120 to 0x240"
};

/// The content of a damaged container, as far as it can be read.
struct DamagedContent {
    std::vector<std::byte> bytes;
    std::vector<DamagedPart> parts;  ///< by where they begin; parts that are lost do not overlap
    /// What is wrong with the container itself, in words: "the checksum does not match".
    std::vector<std::string> notes;
    Wrapping kind = Wrapping::none;
    Compression compression = Compression::zstd;  ///< of GCPF
    std::uint32_t block_size = 4096;              ///< of GCPF
    /// Up to 15 zeros may follow the content: its size is not known exactly (GDEC).
    bool padded = false;
};

/// Reads a GCPF whose header, table of blocks, blocks or end are damaged. Each block that can be
/// decompressed to its full size is kept; of another one, what comes before its break. A header or
/// a table that contradicts the file's size or the blocks is corrected where only one correction
/// fits. The magic is not looked at. Time: linear in the bytes and in the content. Memory: the
/// content, of at most `max_bytes`.
/// Errors: bad_block (nothing of it can be read), size_limit, no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_gcpf(
    ByteView bytes, std::uint64_t max_bytes = 256u << 20);

/// Decrypts a GDEC that is cut or whose checksum does not match, as that kind (gdec_3, gdec_4).
/// In gdec_3, a damaged byte spoils the 16 bytes around it, in gdec_4 itself and the 16 bytes
/// behind. Where that is, nobody knows: if the checksum does not match, all bytes are one doubtful
/// part. A wrong key gives noise; the caller must see whether the content makes sense. The magic is
/// not looked at. Errors: truncated (not even a header), bad_mode, no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_gdec(ByteView bytes,
                                                                     const ContainerKey& key,
                                                                     Wrapping kind);

/// How characters that stand for nothing came into a text of digits.
enum class WrongDigits : std::uint8_t {
    replaced,  ///< each took the place of a digit: the bytes of that digit are lost
    added,     ///< they do not count
};

/// Decodes hex digits, of which some are wrong. Errors: no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_hex(std::string_view text,
                                                                    WrongDigits wrong);
/// Decodes Base64, of which some characters are wrong. Errors: no_memory.
[[nodiscard]] std::expected<DamagedContent, Error> read_damaged_base64(std::string_view text,
                                                                       WrongDigits wrong);

}  // namespace gdvar
