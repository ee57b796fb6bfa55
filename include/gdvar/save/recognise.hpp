// What kind of input is this?
// Room: save.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/save/source.hpp"

namespace gdvar {

enum class InputKind : std::uint8_t {
    gdec, gcpf, project, records, records_be, packet, hex, base64, unknown
};

/// "records", "packet", "project", ...
std::string_view input_kind_name(InputKind kind) noexcept;

/// One way to read the input, and why it fits: "3 records cover the 2916 bytes exactly".
struct Reading {
    InputKind kind = InputKind::unknown;
    std::string reason;
};

struct RecogniseOptions {
    std::uint64_t skip = 0;  ///< bytes that are not looked at
    /// Larger input is not loaded to see whether it is one packet, hex or Base64; magics and
    /// records are seen in any size.
    std::uint64_t max_load = 256u << 20;
    /// Whether to go on when a magic or records fit, which come first: what else fits takes all the
    /// bytes in memory.
    bool all = true;
};

/// All readings that fit, the one to choose first: a magic, then records that cover the bytes
/// exactly, then one packet of any dialect (objects allowed), then hex or Base64 text. Reads the
/// source several times, only the lengths of records where it can skip, and leaves it rewound.
/// Errors: io (ESPIPE for a source that can't rewind: put it in a Spool), no_memory, truncated
/// (`skip` goes past the end), and those of the source.
std::expected<std::vector<Reading>, Error> recognise(Source& source,
                                                     const RecogniseOptions& options = {});

/// The same for bytes in memory, without the reasons. Nothing when memory can't be had.
std::vector<InputKind> recognise(ByteView bytes);

}  // namespace gdvar
