// Error: what went wrong, at which byte, and what it would take to go on.
// Room: wire. The list of codes is stable; docs/errors.md is generated from the table here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gdvar/wire/type.hpp"

namespace gdvar {

/// Numbers and names never change meaning. 1xx: the bytes are wrong. 2xx: well-formed, but the
/// options refuse it. 3xx: asked for what is not there. 4xx: writing. 5xx: the machine.
/// 6xx: containers and streams around packets. 7xx: text.
enum class Errc : std::uint16_t {
    ok = 0,

    truncated = 100,
    unknown_type = 101,
    bad_length = 102,
    bad_utf8 = 103,
    bad_container_type = 104,
    bad_node_path = 105,
    bad_script = 106,
    unsupported_type = 107,

    depth_limit = 200,
    size_limit = 201,
    node_limit = 202,
    objects_forbidden = 203,
    trailing_bytes = 204,
    nonzero_padding = 205,
    missing_padding = 206,
    wide_number = 207,
    unknown_flags = 208,
    not_canonical = 209,
    duplicate_key = 210,

    wrong_type = 300,
    number_out_of_range = 301,
    missing_key = 302,
    unknown_key = 303,
    index_out_of_range = 304,
    bad_path = 305,
    length_out_of_range = 306,
    unknown_name = 307,
    repeated_key = 308,

    buffer_full = 400,
    not_in_dialect = 401,
    too_large = 402,
    too_many_items = 403,
    too_few_items = 404,
    unclosed_container = 405,
    misplaced = 406,

    no_memory = 500,
    io = 501,

    bad_magic = 600,
    bad_frame = 601,
    bad_base64 = 602,
    bad_hex = 603,
    bad_block = 604,
    bad_checksum = 605,
    bad_mode = 606,
    bad_key = 607,
    not_recognised = 608,
    bad_packet = 609,
    timed_out = 610,
    closed = 611,

    bad_syntax = 700,
    bad_number = 701,
    bad_escape = 702,
    unknown_constructor = 703,
    wrong_arguments = 704,
};

/// One row of the table of codes.
struct ErrorInfo {
    Errc code;
    std::string_view name;     ///< as printed in brackets: `error[truncated]`
    std::string_view meaning;  ///< one sentence for docs/errors.md
};

/// All codes in order of number, `ok` first.
std::span<const ErrorInfo> error_table() noexcept;
/// The stable name of a code: "truncated".
std::string_view error_name(Errc code) noexcept;
/// What the code means, in one sentence.
std::string_view error_meaning(Errc code) noexcept;

/// Where and why something was refused. Trivially copyable, owns nothing.
///
/// Decoding: `offset` is the byte, counted from the start of the bytes given, of the value or
/// field that was refused. Encoding: `offset` is the position in the output at which the refused
/// value would have started. The path (`$.players[3].pos`) is worked out on demand from the same
/// bytes, or from the same Variant: see `error_path` in wire/path.hpp and value/variant.hpp.
struct Error {
    Errc code = Errc::ok;
    Type type = Type::nil;     ///< the type that was being read or written
    std::uint64_t offset = 0;  ///< see above
    /// truncated and buffer_full: at least this many more bytes are needed before the same
    /// error at this place can go away; otherwise 0.
    std::uint64_t need = 0;
    /// Struct binding: the field that is missing or whose value was refused, as static text; else
    /// null. Equality leaves it out.
    const char* name = nullptr;

    friend constexpr bool operator==(const Error& a, const Error& b) noexcept {
        return a.code == b.code && a.type == b.type && a.offset == b.offset && a.need == b.need;
    }
};
static_assert(std::is_trivially_copyable_v<Error>);

/// "error[truncated]: need 4 more bytes for Vector3", without place or path.
std::string to_string(const Error& error);

}  // namespace gdvar
