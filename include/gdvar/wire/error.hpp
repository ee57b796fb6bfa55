// Error: the fault, its byte, and the bytes needed to go on. The list of codes is stable;
// docs/errors.md is generated from this table.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/type.hpp"

namespace gdvar GDVAR_EXPORT {

/// Numbers and names never change meaning. A code's kind is in the table of codes (`error_info`),
/// not in its number.
enum class Errc : std::uint16_t {
    ok = 0,
    stopped = 1,

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
    refused = 309,

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
    bad_reference = 612,
    handler_failed = 613,

    bad_syntax = 700,
    bad_number = 701,
    bad_escape = 702,
    unknown_constructor = 703,
    wrong_arguments = 704,
};

/// The subject of an error.
enum class ErrorKind : std::uint8_t {
    none,        ///< no error
    stopped,     ///< a sink or a caller ended the reading; nothing was refused
    bytes,       ///< the packet's bytes are wrong
    options,     ///< well-formed, but the limits or options refuse it
    request,     ///< the value is valid, but not of the requested kind
    writing,     ///< the value can't be written, or not in this order or buffer
    system,      ///< memory or files
    container,   ///< layers around packets in a save: records, encodings, compression, encryption
    connection,  ///< a network message, or the connection itself
    text,        ///< Godot's text form or JSON
};
/// The name of a kind: "bytes".
std::string_view error_kind_name(ErrorKind kind) noexcept;

/// One row of the table of codes.
struct ErrorInfo {
    Errc code;
    ErrorKind kind;
    std::string_view name;     ///< as printed in brackets: `error[truncated]`
    std::string_view meaning;  ///< one sentence for docs/errors.md
};

/// All codes in order of number, `ok` first.
std::span<const ErrorInfo> error_table() noexcept;
/// The row of a code; the row of `ok` for an unknown number.
const ErrorInfo& error_info(Errc code) noexcept;
/// The stable name of a code: "truncated".
std::string_view error_name(Errc code) noexcept;
/// The code's meaning, in one sentence.
std::string_view error_meaning(Errc code) noexcept;

/// The subject of an Error's detail, and the member of Error that holds it.
enum class ErrorAbout : std::uint8_t {
    nothing,
    key,       ///< `about_text()`: a key, property or name that is missing, unknown or repeated
    index,     ///< `detail.numbers`: the requested index, 0, and the number of elements
    types,     ///< `expected`: the accepted types; `about_text()`: the key, if any
    integer,   ///< `detail.numbers`: the refused int and the requested range
    natural,   ///< the same for numbers that may be over INT64_MAX
    real,      ///< the same as floats
    length,    ///< `detail.numbers`: the refused length or count and the requested range
    choices,   ///< `name`: the list of names; `about_text()`: the name found
    dialect,   ///< `about_text()`: the name of the dialect; `name`: the part of the type that it
               ///< lacks
    fraction,  ///< `detail.numbers`: a float that is not whole
    type_id,   ///< `detail.numbers`: the id in a header, unknown to the dialect
    inexact,   ///< `detail.numbers`: a number that the requested type does not hold exactly
    reason,    ///< `name`: the reason, in words; with `type`, its subject
    input,     ///< `name`: the kind of input: "gzip-compressed data"
    records,   ///< `detail.numbers`: the number of records, none of which was named
    anywhere,  ///< `about_text()`: a key or property that is missing at any depth
    frame,     ///< `detail.numbers`: the length before a packet, its four bytes, the most allowed
    hint,      ///< `name`: the probable cause, in words, after the usual message
};

/// The place and reason of a refusal. Trivially copyable; owns nothing. Foreign text in it is a
/// copy of the first bytes.
///
/// Decoding: `offset` is the refused value or field, in bytes from the start of the input.
/// Encoding: `offset` is the position in the output at which the refused value would have started.
/// The path (`$.players[3].pos`) is computed on demand from the same bytes, or from the same
/// Variant: see `error_path` in wire/path.hpp and value/variant.hpp.
///
/// The members behind `need` are for the message (`to_string`); equality ignores them. The
/// `about_...` functions set them; each returns a changed copy:
///
///     return std::unexpected(Error{Errc::missing_key, type, offset}.about_key("child"));
struct Error {
    Errc code = Errc::ok;
    Type type = Type::nil;     ///< the type that was being read or written, or that was found
    std::uint64_t offset = 0;  ///< see above
    /// truncated and buffer_full: the least number of further bytes before the same error at this
    /// place can go away; otherwise 0.
    std::uint64_t need = 0;
    /// Static text, or null. Struct binding: the missing or refused field. `choices`: the list of
    /// names. `dialect`: the part of `type` that it lacks ("with 64-bit components"). An int key:
    /// why it can't be made. `reason` and `input`: the whole detail.
    const char* name = nullptr;

    static constexpr std::size_t most_text = 24, most_expected = 4;
    ErrorAbout about = ErrorAbout::nothing;
    std::uint8_t text_size = 0;
    bool text_is_cut = false;  ///< `text` is only the beginning
    std::uint8_t expected_count =
        0;  ///< the size of `expected`; if more than `most_expected`: there are more
    Type expected[most_expected]{};
    /// A number or an index, and its bounds. `about` tells which.
    struct Numbers {
        /// Integers, or the bits of doubles.
        std::uint64_t value, low, high;
    };
    /// The first bytes of a foreign text: a copy, of `text_size` bytes.
    struct Text {
        char bytes[most_text];
    };
    /// The message's detail: numbers or a text, according to `about`.
    union Detail {
        Numbers numbers{};
        Text text;  ///< see `about_text`
    };
    Detail detail{};

    /// A key, a property or a name. The first bytes are copied.
    constexpr Error about_key(std::string_view key) const noexcept {
        return with_text(ErrorAbout::key, key);
    }
    /// The same for a key that was searched for at any depth.
    constexpr Error about_key_anywhere(std::string_view key) const noexcept {
        return with_text(ErrorAbout::anywhere, key);
    }
    /// An index, and the number of elements.
    constexpr Error about_index(std::int64_t index, std::uint64_t size) const noexcept {
        return with_numbers(ErrorAbout::index, static_cast<std::uint64_t>(index), 0, size);
    }
    /// The types that would have been accepted instead of `type`.
    template <class... Types>
        requires(std::same_as<Types, Type> && ...)
    constexpr Error about_types(Types... types) const noexcept {
        return about_types(
            (std::uint64_t{0} | ... | (std::uint64_t{1} << static_cast<unsigned>(types))));
    }
    /// The same as bits: bit n is the Type with number n. All bits set: no detail is added.
    constexpr Error about_types(std::uint64_t types) const noexcept {
        Error out = *this;
        if (types == ~std::uint64_t{0})
            return out;
        if (out.about != ErrorAbout::key)
            out.text_size = 0;
        out.about = ErrorAbout::types;
        out.expected_count = 0;
        for (std::size_t i = 0; i < type_count; ++i)
            if (types >> i & 1) {
                if (out.expected_count < most_expected)
                    out.expected[out.expected_count] = static_cast<Type>(i);
                ++out.expected_count;
            }
        return out;
    }
    /// A number, and the requested range.
    constexpr Error about_integer(std::int64_t value, std::int64_t low,
                                  std::int64_t high) const noexcept {
        return with_numbers(ErrorAbout::integer, static_cast<std::uint64_t>(value),
                            static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
    }
    constexpr Error about_natural(std::uint64_t value, std::uint64_t low,
                                  std::uint64_t high) const noexcept {
        return with_numbers(ErrorAbout::natural, value, low, high);
    }
    constexpr Error about_real(double value, double low, double high) const noexcept {
        return with_numbers(ErrorAbout::real, std::bit_cast<std::uint64_t>(value),
                            std::bit_cast<std::uint64_t>(low), std::bit_cast<std::uint64_t>(high));
    }
    /// A float in place of an int.
    constexpr Error about_fraction(double value) const noexcept {
        return with_numbers(ErrorAbout::fraction, std::bit_cast<std::uint64_t>(value), 0, 0);
    }
    constexpr Error about_type_id(std::uint32_t id) const noexcept {
        return with_numbers(ErrorAbout::type_id, id, 0, 0);
    }
    /// A number that the requested type does not hold without rounding.
    constexpr Error about_inexact(double value) const noexcept {
        return with_numbers(ErrorAbout::inexact, std::bit_cast<std::uint64_t>(value), 0, 0);
    }
    /// A length, and the requested least and greatest length; UINT64_MAX: there is no greatest.
    constexpr Error about_length(std::uint64_t size, std::uint64_t low,
                                 std::uint64_t high) const noexcept {
        return with_numbers(ErrorAbout::length, size, low, high);
    }
    /// The found name, and the list of valid names (static text).
    constexpr Error about_choices(std::string_view found, const char* list) const noexcept {
        Error out = with_text(ErrorAbout::choices, found);
        out.name = list;
        return out;
    }
    constexpr Error about_dialect(std::string_view dialect) const noexcept {
        return with_text(ErrorAbout::dialect, dialect);
    }
    /// The reason in words: "it is encrypted". Static text.
    constexpr Error about_reason(const char* why) const noexcept {
        return with_name(ErrorAbout::reason, why);
    }
    /// The kind of input: "gzip-compressed data". Static text.
    constexpr Error about_input(const char* what) const noexcept {
        return with_name(ErrorAbout::input, what);
    }
    /// The number of records, none of which was named.
    constexpr Error about_records(std::uint64_t count) const noexcept {
        return with_numbers(ErrorAbout::records, 0, 0, count);
    }
    /// The length before a packet, its four bytes as a little-endian number, and the greatest
    /// accepted length. The message names the bytes' probable meaning: text, HTTP.
    constexpr Error about_frame(std::uint32_t length, std::uint32_t bytes,
                                std::uint64_t most) const noexcept {
        return with_numbers(ErrorAbout::frame, length, bytes, most);
    }
    /// The probable cause, in words: "it is plain text". Static text.
    constexpr Error about_hint(const char* hint) const noexcept {
        return with_name(ErrorAbout::hint, hint);
    }
    /// The field to which the value belongs. Static text.
    constexpr Error in_field(const char* field) const noexcept {
        Error out = *this;
        out.name = field;
        return out;
    }
    /// The text of `key`, `anywhere`, `types`, `choices` and `dialect`, else empty. UTF-8 text is
    /// not cut inside a character.
    constexpr std::string_view about_text() const noexcept {
        return text_size ? std::string_view(detail.text.bytes, text_size) : std::string_view();
    }

    friend constexpr bool operator==(const Error& a, const Error& b) noexcept {
        return a.code == b.code && a.type == b.type && a.offset == b.offset && a.need == b.need;
    }

private:
    constexpr Error with_numbers(ErrorAbout what, std::uint64_t value, std::uint64_t low,
                                 std::uint64_t high) const noexcept {
        Error out = *this;
        out.about = what;
        out.text_size = 0;
        out.detail.numbers = {value, low, high};
        return out;
    }
    constexpr Error with_name(ErrorAbout what, const char* text) const noexcept {
        Error out = *this;
        out.about = what;
        out.text_size = 0;
        out.name = text;
        return out;
    }
    constexpr Error with_text(ErrorAbout what, std::string_view from) const noexcept {
        Error out = *this;
        out.about = what;
        out.text_is_cut = from.size() > most_text;
        const std::size_t n = utf8::cut(from, most_text);
        out.text_size = static_cast<std::uint8_t>(n);
        Text cut{};
        for (std::size_t i = 0; i < n; ++i)
            cut.bytes[i] = from[i];
        out.detail.text = cut;
        return out;
    }
};
static_assert(std::is_trivially_copyable_v<Error> && sizeof(Error) <= 64);

/// The message, without place or path: `error[truncated]: need 4 more bytes for a Vector3`,
/// `error[missing_key]: no key "child"`, `error[number_out_of_range]: 300 is not in 0 to 255`. It
/// is safe for a terminal: `quote` (base/quote.hpp) prints the foreign text in it.
std::string to_string(const Error& error);

}  // namespace gdvar
