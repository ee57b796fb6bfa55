// Recognises the kind of an input.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar GDVAR_EXPORT {

enum class InputKind : std::uint8_t {
    gdec,
    gcpf,
    gzip,
    zlib,     ///< with its header and checksum; without, it can't be recognised
    deflate,  ///< never recognised, as it has no magic
    zstd,
    brotli,  ///< never recognised, as it has no magic
    project,
    records,
    records_be,
    packet,
    packets,  ///< consecutive packets, without lengths
    hex,
    base64,
    byte_text,        ///< bytes as programs print them: a list of numbers, a dump
    pascal,           ///< a length, and a text of that length
    size,             ///< a size, and a container of that size
    config,           ///< text: a ConfigFile, project.godot
    resource,         ///< text: a resource or a scene (.tres, .tscn)
    binary_resource,  ///< a resource or a scene (.res, .scn)
    json,             ///< text: one JSON value
    json_lines,       ///< text: a JSON value in each line
    text,             ///< text: one value in Godot's form
    pack,             ///< files of a game (PCK), also at the end of an executable
    browser_files,    ///< text: files that a game has left in a browser, exported as JSON
    foreign,          ///< another known format: a PNG image, a zip archive
    unknown
};

/// "records", "packet", "project", ...
std::string_view input_kind_name(InputKind kind) noexcept;

/// One way to read the input.
struct Reading {
    InputKind kind = InputKind::unknown;
    /// Why the reading fits: "3 records cover the 2916 bytes exactly". For a foreign format, its
    /// name: "a zip archive".
    std::string reason;
    /// For a foreign format: the user's next step, "unpack it first"; may be empty.
    std::string hint{};
    bool whole = true;              ///< the reading takes all bytes
    std::int64_t score = 0;         ///< how plausible the reading is; see Evidence
    const char* foreign = nullptr;  ///< a foreign format's name: static text, for Errors
    /// Foreign: it is text, which room file may know. Ruled out: it is text up to a NUL.
    bool text = false;
    /// Foreign text: it begins as one that room file reads.
    bool begins_well = false;
    /// Ruled out, of a text: where it breaks the rules of this kind; ok: it keeps them.
    Error broken{};
    /// Ruled out: the size of a header without which it would be this.
    std::uint64_t header = 0;
};

/// Options of recognition.
struct RecogniseOptions {
    std::uint64_t skip = 0;  ///< bytes to skip
    /// Larger input is not loaded to check for one packet, hex or Base64. Magics and records are
    /// recognised in input of any size.
    std::uint64_t max_load = 256u << 20;
    /// Limit of the values of a text (room file), which take far more memory than its bytes.
    std::uint64_t max_values = UINT64_MAX;
    /// Searches for more readings after a magic was found, or records that cover the bytes exactly.
    /// The other readings need all the bytes in memory.
    bool all = true;
    /// Searches for a pack at the end of the input, if its size is known. In a container that takes
    /// a pass over all of it.
    bool at_end = true;
    /// Hex and Base64 may be records or a packet. Inside a layer, which would hold the bytes
    /// themselves, they are a further layer or text.
    bool packets_as_text = true;
    /// Bytes as programs print them are a layer; such a text is often JSON, too.
    bool printed_bytes = true;
    /// Gets formats that the input resembles but is not, each with the reason in words; null: none.
    std::vector<Reading>* ruled_out = nullptr;
};

/// The readings of the input, the best first. Empty if none is plausible. A magic, ours or a
/// foreign one, comes first; then a size in front of a container (find_size), and a length of four
/// bytes with a text of that length to the end, which no record can be. Bytes without control
/// characters are text (hex, Base64, or foreign) and never a packet. They are hex, Base64 or
/// printed bytes only if they decode to a container, records or one packet of at least 12 bytes; a
/// list of numbers, which is JSON, only if a container opens to its end, or each packet is valid
/// and one of them a Dictionary, Array or Object that holds more than nulls. A foreign text may be
/// followed by such a reading of another text. All other readings are ordered by plausibility:
/// records that cover the bytes, records that are cut, one packet of any dialect (objects allowed).
/// A reading that breaks or leaves bytes over (`whole` is false) is listed only if the part before
/// that is plausible. Packets without lengths are read only if each is as its engine writes it, and
/// half of the bytes are in packets longer than 8 bytes. If no reading takes all bytes, records or
/// a packet behind a header of up to 64 bytes are among `ruled_out`, with `header`. Reads the
/// source several times and leaves it rewound. In records it reads only the lengths if the source
/// can skip. Errors: io (ESPIPE for a source that cannot rewind: put it in a Spool), no_memory,
/// truncated (`skip` goes past the end), and those of the source.
[[nodiscard]] std::expected<std::vector<Reading>, FileError> recognise(
    Source& source, const RecogniseOptions& options = {});

/// The error for an input in none of gdvar's formats: not_recognised, with the name of the foreign
/// format if the readings have one.
Error not_recognised(std::span<const Reading> readings, bool empty) noexcept;

/// The kinds of the readings of bytes in memory, without foreign ones. Empty when out of memory.
std::vector<InputKind> recognise(ByteView bytes);

}  // namespace gdvar
