// What kind of input is this?
// Room: save.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/save/source.hpp"

namespace gdvar {

enum class InputKind : std::uint8_t {
    gdec, gcpf, project, records, records_be, packet, hex, base64,
    foreign,  ///< something else that is known: gzip, a resource, JSON text
    unknown
};

/// "records", "packet", "project", ...
std::string_view input_kind_name(InputKind kind) noexcept;

/// One way to read the input.
struct Reading {
    InputKind kind = InputKind::unknown;
    /// Why it fits: "3 records cover the 2916 bytes exactly". For what is foreign, what it is: "gzip-
    /// compressed data".
    std::string reason;
    /// For what is foreign: what to do with it, "gunzip it first"; may be empty.
    std::string hint{};
    bool whole = true;       ///< all bytes are read so, with nothing left over
    std::int64_t score = 0;  ///< how plausible what comes out is; see Evidence
    const char* foreign = nullptr;  ///< for what is foreign, what it is: static text, for Errors
};

struct RecogniseOptions {
    std::uint64_t skip = 0;  ///< bytes that are not looked at
    /// Larger input is not loaded to see whether it is one packet, hex or Base64; magics and
    /// records are seen in any size.
    std::uint64_t max_load = 256u << 20;
    /// Whether to go on when a magic, or records that cover the bytes exactly, are found: what else
    /// fits takes all the bytes in memory.
    bool all = true;
};

/// The readings of the input, the one to choose first. A magic comes before all else, ours or a
/// foreign one; bytes without any control are text (hex, Base64, or foreign) and never a packet; then
/// the most plausible one counts, records that cover the bytes, records that break off, one packet of
/// any dialect (objects allowed). Readings that break or leave bytes over (`whole` is false) are only
/// given where what they read up to there is plausible. Empty when nothing is. Reads the source several times,
/// only the lengths of records where it can skip, and leaves it rewound.
/// Errors: io (ESPIPE for a source that can't rewind: put it in a Spool), no_memory, truncated
/// (`skip` goes past the end), and those of the source.
[[nodiscard]] std::expected<std::vector<Reading>, Error> recognise(Source& source,
                                                     const RecogniseOptions& options = {});

/// Why nothing of ours is read, of the readings that there are: not_recognised, with what the input
/// is.
Error not_recognised(std::span<const Reading> readings, bool empty) noexcept;

/// The kinds of the readings of bytes in memory, foreign ones left out. Nothing when memory can't be
/// had.
std::vector<InputKind> recognise(ByteView bytes);

}  // namespace gdvar
