#include "gdvar/wire/error.hpp"

#include <algorithm>
#include <array>

#include "base/number.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/wire/quirk.hpp"
#include "wire/foreign_bytes.hpp"

namespace gdvar {
namespace {

constexpr ErrorInfo errors[] = {
    {Errc::ok, ErrorKind::none, "ok", "No error."},
    {Errc::stopped, ErrorKind::stopped, "stopped",
     "The sink or the caller had enough; nothing was refused."},
    {Errc::truncated, ErrorKind::bytes, "truncated", "The bytes end before the value does."},
    {Errc::unknown_type, ErrorKind::bytes, "unknown_type",
     "The header names a type id that the dialect does not have."},
    {Errc::bad_length, ErrorKind::bytes, "bad_length",
     "A length or count is negative, or too large for any packet."},
    {Errc::bad_utf8, ErrorKind::bytes, "bad_utf8", "Text that is not UTF-8 by the dialect's rule."},
    {Errc::bad_container_type, ErrorKind::bytes, "bad_container_type",
     "A typed Array or Dictionary names an element type that does not exist."},
    {Errc::bad_node_path, ErrorKind::bytes, "bad_node_path",
     "A NodePath in the obsolete text form, or with counts that wrap around."},
    {Errc::bad_script, ErrorKind::bytes, "bad_script",
     "A script is neither null nor a res:// path."},
    {Errc::unsupported_type, ErrorKind::bytes, "unsupported_type",
     "The page that the dialect follows says that this type can't be sent."},
    {Errc::depth_limit, ErrorKind::options, "depth_limit",
     "More containers inside each other than max_depth allows."},
    {Errc::size_limit, ErrorKind::options, "size_limit", "More bytes than the limit allows."},
    {Errc::node_limit, ErrorKind::options, "node_limit", "More values than max_nodes allows."},
    {Errc::objects_forbidden, ErrorKind::options, "objects_forbidden",
     "An Object in full, while allow_objects is off."},
    {Errc::trailing_bytes, ErrorKind::options, "trailing_bytes", "Strict: bytes follow the value."},
    {Errc::nonzero_padding, ErrorKind::options, "nonzero_padding",
     "Strict: padding bytes that are not zero."},
    {Errc::missing_padding, ErrorKind::options, "missing_padding",
     "Strict: the padding of the last bytes is missing."},
    {Errc::wide_number, ErrorKind::options, "wide_number",
     "Strict: a 64-bit number that fits 32 bits."},
    {Errc::unknown_flags, ErrorKind::options, "unknown_flags",
     "Strict: header bits that have no meaning here."},
    {Errc::not_canonical, ErrorKind::options, "not_canonical",
     "Strict: bytes that no engine writes for this value."},
    {Errc::duplicate_key, ErrorKind::options, "duplicate_key",
     "Strict: a key that an engine would merge with an earlier one."},
    {Errc::wrong_type, ErrorKind::request, "wrong_type",
     "The value has another type than the one asked for."},
    {Errc::number_out_of_range, ErrorKind::request, "number_out_of_range",
     "The number does not fit the type asked for."},
    {Errc::missing_key, ErrorKind::request, "missing_key",
     "The Dictionary or Object does not have the key."},
    {Errc::unknown_key, ErrorKind::request, "unknown_key",
     "The Dictionary has a key that nothing is bound to."},
    {Errc::index_out_of_range, ErrorKind::request, "index_out_of_range",
     "The index is past the end."},
    {Errc::bad_path, ErrorKind::request, "bad_path", "Not a path, or a path that leads nowhere."},
    {Errc::length_out_of_range, ErrorKind::request, "length_out_of_range",
     "A text or array is shorter or longer than allowed."},
    {Errc::unknown_name, ErrorKind::request, "unknown_name", "A name that the enum does not have."},
    {Errc::repeated_key, ErrorKind::request, "repeated_key",
     "The Dictionary has the key more than once."},
    {Errc::refused, ErrorKind::request, "refused", "A rule of the program refuses the value."},
    {Errc::buffer_full, ErrorKind::writing, "buffer_full", "The output buffer is too small."},
    {Errc::not_in_dialect, ErrorKind::writing, "not_in_dialect",
     "The dialect can't express the value."},
    {Errc::too_large, ErrorKind::writing, "too_large",
     "A length or count that does not fit the format's 31 bits, or a packet that no datagram "
     "holds."},
    {Errc::too_many_items, ErrorKind::writing, "too_many_items",
     "More items were written than announced."},
    {Errc::too_few_items, ErrorKind::writing, "too_few_items",
     "Fewer items were written than announced."},
    {Errc::unclosed_container, ErrorKind::writing, "unclosed_container",
     "A container was begun and not ended."},
    {Errc::misplaced, ErrorKind::writing, "misplaced",
     "A call that is not possible here: a value where a property name belongs, end without begin, "
     "erasing a whole packet."},
    {Errc::no_memory, ErrorKind::system, "no_memory", "Out of memory."},
    {Errc::io, ErrorKind::system, "io",
     "Reading or writing failed; the system's own error says why."},
    {Errc::bad_magic, ErrorKind::container, "bad_magic",
     "The bytes do not begin with the container's magic."},
    {Errc::bad_frame, ErrorKind::container, "bad_frame",
     "A record's length does not fit the bytes that are there."},
    {Errc::bad_base64, ErrorKind::container, "bad_base64", "Not Base64 text."},
    {Errc::bad_hex, ErrorKind::container, "bad_hex", "Not hex text."},
    {Errc::bad_block, ErrorKind::container, "bad_block", "A compressed block is damaged."},
    {Errc::bad_checksum, ErrorKind::container, "bad_checksum",
     "The checksum does not match: the password or key is wrong, or the data is damaged."},
    {Errc::bad_mode, ErrorKind::container, "bad_mode",
     "A compression or encryption mode that does not exist or is not supported."},
    {Errc::bad_key, ErrorKind::container, "bad_key",
     "A password or key is missing, or the key is not 32 bytes long."},
    {Errc::not_recognised, ErrorKind::container, "not_recognised", "Nothing that gdvar reads."},
    {Errc::bad_packet, ErrorKind::connection, "bad_packet",
     "A network message that does not follow its protocol."},
    {Errc::timed_out, ErrorKind::connection, "timed_out", "The peer did not answer in time."},
    {Errc::closed, ErrorKind::connection, "closed", "The peer closed the connection."},
    {Errc::bad_reference, ErrorKind::container, "bad_reference",
     "A number, offset or name in a file leads to nothing that is in it."},
    {Errc::handler_failed, ErrorKind::connection, "handler_failed",
     "A handler of this side threw an exception."},
    {Errc::bad_syntax, ErrorKind::text, "bad_syntax", "The text does not follow the grammar."},
    {Errc::bad_number, ErrorKind::text, "bad_number",
     "Not a number, or one that does not fit its type."},
    {Errc::bad_escape, ErrorKind::text, "bad_escape", "An escape sequence that does not exist."},
    {Errc::unknown_constructor, ErrorKind::text, "unknown_constructor",
     "A name that constructs nothing."},
    {Errc::wrong_arguments, ErrorKind::text, "wrong_arguments",
     "Arguments that the constructor does not take."},
};

constexpr bool in_order() {
    for (std::size_t i = 1; i < std::size(errors); ++i)
        if (errors[i - 1].code >= errors[i].code)
            return false;
    return true;
}
static_assert(in_order());

constexpr QuirkInfo quirks[] = {
    {Quirk::header_bits, "header_bits", Errc::unknown_flags,
     "Header bits that have no meaning for this type; readers ignore them."},
    {Quirk::shared_bit, "shared_bit", Errc::not_canonical,
     "The top bit of a count, Godot 2's mark of a shared container; readers mask it off."},
    {Quirk::wide_integer, "wide_integer", Errc::wide_number,
     "A 64-bit int that fits 32 bits; writers would use 32."},
    {Quirk::wide_real, "wide_real", Errc::wide_number,
     "A 64-bit float that a 32-bit float holds exactly; writers would use 32."},
    {Quirk::narrow_nan, "narrow_nan", Errc::not_canonical,
     "A 32-bit NaN; writers always use 64 bits for NaN."},
    {Quirk::bool_value, "bool_value", Errc::not_canonical,
     "A bool that is neither 0 nor 1; readers take it as true."},
    {Quirk::nonzero_padding, "nonzero_padding", Errc::nonzero_padding,
     "Padding that is not zero; older engines leave memory garbage there."},
    {Quirk::missing_padding, "missing_padding", Errc::missing_padding,
     "The padding after the last bytes is missing; readers do not mind."},
    {Quirk::embedded_nul, "embedded_nul", Errc::ok,
     "Text with a NUL inside; readers cut it there."},
    {Quirk::byte_order_mark, "byte_order_mark", Errc::ok,
     "Text that begins with a byte order mark; readers drop it."},
    {Quirk::lenient_text, "lenient_text", Errc::ok,
     "Text that is not UTF-8 but that Godot 2 and 3 take: surrogates, or values over U+10FFFF."},
    {Quirk::no_final_nul, "no_final_nul", Errc::not_canonical,
     "A PackedStringArray element without the final NUL that writers count in."},
    {Quirk::node_path_flags, "node_path_flags", Errc::unknown_flags,
     "NodePath flag bits that have no meaning; readers ignore them."},
    {Quirk::node_path_property, "node_path_property", Errc::not_canonical,
     "A NodePath with Godot 2's separate property; later readers make it the last subname."},
    {Quirk::node_path_text, "node_path_text", Errc::not_canonical,
     "A NodePath in the old text form, which current engines refuse."},
    {Quirk::negative_properties, "negative_properties", Errc::not_canonical,
     "A negative property count, which readers take as 0."},
    {Quirk::builtin_nil, "builtin_nil", Errc::not_canonical,
     "A container typed as nil, which readers take as untyped."},
    {Quirk::unknown_element_type, "unknown_element_type", Errc::not_canonical,
     "A TypedArray of an unknown type id, which reads as an unusable empty array."},
    {Quirk::event_length, "event_length", Errc::not_canonical,
     "An InputEvent whose length field does not fit its type; readers ignore the field."},
    {Quirk::engine_miscounts, "engine_miscounts", Errc::ok,
     "The engine's own reader miscounts this type's bytes and misreads what follows."},
    {Quirk::duplicate_key, "duplicate_key", Errc::duplicate_key,
     "A key that engines merge with an earlier one."},
    {Quirk::trailing_bytes, "trailing_bytes", Errc::trailing_bytes,
     "Bytes behind the value; readers ignore them."},
    {Quirk::engine_rewrites, "engine_rewrites", Errc::ok,
     "Bytes that engines read and write back otherwise."},
};

constexpr bool quirks_in_order() {
    for (std::size_t i = 0; i < std::size(quirks); ++i)
        if (static_cast<std::size_t>(quirks[i].quirk) != i)
            return false;
    return true;
}
static_assert(quirks_in_order());

constexpr auto strict_codes = [] {
    std::array<Errc, std::size(quirks)> out{};
    for (std::size_t i = 0; i < std::size(quirks); ++i)
        out[i] = quirks[i].strict;
    return out;
}();

constexpr auto rows = [] {
    std::array<std::uint8_t, static_cast<std::size_t>(errors[std::size(errors) - 1].code) + 1>
        out{};
    for (std::size_t i = 0; i < std::size(errors); ++i)
        out[static_cast<std::size_t>(errors[i].code)] = static_cast<std::uint8_t>(i);
    return out;
}();

constexpr std::string_view kinds[] = {"none",    "stopped", "bytes",     "options",    "request",
                                      "writing", "system",  "container", "connection", "text"};
static_assert(std::size(kinds) == static_cast<std::size_t>(ErrorKind::text) + 1);

}  // namespace

const ErrorInfo& error_info(Errc code) noexcept {
    const auto number = static_cast<std::size_t>(code);
    return errors[number < rows.size() ? rows[number] : 0];
}
std::string_view error_kind_name(ErrorKind kind) noexcept {
    return kinds[static_cast<std::size_t>(kind)];
}

std::span<const ErrorInfo> error_table() noexcept {
    return errors;
}
std::string_view error_name(Errc code) noexcept {
    return error_info(code).name;
}
std::string_view error_meaning(Errc code) noexcept {
    return error_info(code).meaning;
}
std::span<const QuirkInfo> quirk_table() noexcept {
    return quirks;
}
const QuirkInfo& quirk_info(Quirk quirk) noexcept {
    return quirks[static_cast<std::size_t>(quirk)];
}
Errc strict_code(Quirk quirk) noexcept {
    return strict_codes[static_cast<std::size_t>(quirk)];
}

namespace {

/// Appends a type's name with its article: "an int".
void append_a(std::string& out, Type type) {
    const std::string_view name = type == Type::nil ? "null" : type_name(type);
    if (type != Type::nil)
        out += std::string_view("AEIOaeio").find(name[0]) != std::string_view::npos ? "an " : "a ";
    out += name;
}
void append_field(std::string& out, const Error& error) {
    if (!error.name)
        return;
    out += error.name;
    out += ": ";
}
/// Appends the foreign text, quoted and cut with "...".
void append_text(std::string& out, const Error& error) {
    append_quoted(out, error.about_text());
    if (error.text_is_cut)
        out += "...";
}
void append_name(std::string& out, const Error& error) {
    const auto graphic = [](char c) { return c > ' ' && c < '\x7F' && c != '"' && c != '\\'; };
    const std::string_view name = error.about_text();
    if (error.text_is_cut || !std::ranges::all_of(name, graphic))
        append_text(out, error);
    else
        out += name;
}
void append_number(std::string& out, const Error& error, std::uint64_t bits) {
    if (error.about == ErrorAbout::integer || error.about == ErrorAbout::index) {
        out += std::to_string(static_cast<std::int64_t>(bits));
    } else if (error.about == ErrorAbout::natural || error.about == ErrorAbout::length) {
        out += std::to_string(bits);
    } else {
        detail::append_float(out, std::bit_cast<double>(bits), detail::WholeMark::no);
    }
}
void append_range(std::string& out, const Error& error) {
    append_field(out, error);
    if (error.about == ErrorAbout::length)
        out += "a length of ";
    append_number(out, error, error.detail.numbers.value);
    if (error.detail.numbers.low == error.detail.numbers.high) {
        out += " is not ";
        return append_number(out, error, error.detail.numbers.low);
    }
    if (error.about == ErrorAbout::length && error.detail.numbers.high == UINT64_MAX) {
        out += " is less than ";
        return append_number(out, error, error.detail.numbers.low);
    }
    out += " is not in ";
    append_number(out, error, error.detail.numbers.low);
    out += " to ";
    append_number(out, error, error.detail.numbers.high);
}

void append_types(std::string& out, const Error& error) {
    append_field(out, error);
    out += "expected ";
    const std::size_t n = std::min<std::size_t>(error.expected_count, Error::most_expected);
    for (std::size_t i = 0; i < n; ++i) {
        if (i)
            out += i + 1 == n && n == error.expected_count ? " or " : ", ";
        append_a(out, error.expected[i]);
    }
    if (error.expected_count > n)
        out += ", ...";
    if (error.text_size) {
        out += " for ";
        append_text(out, error);
    }
    out += ", found ";
    append_a(out, error.type);
}

void append_key(std::string& out, const Error& error) {
    switch (error.code) {
        case Errc::missing_key:
            out += "no key ";
            return append_text(out, error);
        case Errc::unknown_key:
            out += "nothing is bound to the key ";
            return append_text(out, error);
        case Errc::objects_forbidden:
            out += "an Object of class ";
            append_text(out, error);
            out += ", while allow_objects is off";
            return;
        case Errc::repeated_key:
            out += "the key ";
            append_text(out, error);
            out += " is there more than once";
            return;
        default:
            out += error_meaning(error.code);
            out.back() = ':';  // its full stop
            out += ' ';
            append_text(out, error);
    }
}

void append_choices(std::string& out, const Error& error) {
    append_text(out, error);
    out += " is none of ";
    out += error.name ? error.name : "";
}

void append_type(std::string& out, const Error& error) {
    if (error.type != Type::nil)
        out.append(" (").append(type_name(error.type)).append(")");
}

/// "3 records: name one, #0 to #2".
void append_records(std::string& out, std::uint64_t count) {
    if (count == 0)
        out += "there are no records";
    else
        out += std::to_string(count) + " records: name one, #0 to #" + std::to_string(count - 1);
}

/// "a length of 1953719668 is not in 0 to 1048576: it is the text "test"; ...".
void append_frame(std::string& out, const Error& error) {
    const auto& [length, raw, most] = error.detail.numbers;
    out += "a length of " + std::to_string(length) + " is not in 0 to " + std::to_string(most);
    std::byte bytes[4];
    detail::store(bytes, static_cast<std::uint32_t>(raw));
    const detail::ForeignBytes* foreign = detail::foreign_bytes(bytes);
    if (!foreign) {
        const std::uint32_t other = detail::byteswap(static_cast<std::uint32_t>(length));
        if (other && other <= most)
            out += "; in the other byte order it is " + std::to_string(other);
        return;
    }
    using enum detail::ForeignKind;
    if (foreign->kind == tls) {
        out += "; the first bytes, 16 03, look like TLS";
        return;
    }
    if (foreign->kind == text || foreign->kind == http) {
        out += ": it is the text ";
        append_quoted(out, detail::as_text(bytes, sizeof bytes));
    } else {
        out.append(": ").append(foreign->packet);
    }
    out += foreign->kind == http ? ", as HTTP has it; ws:// and wss:// alone answer that"
                                 : "; on a stream each packet has its length in front, which "
                                   "put_var writes and put_data does not";
}

void append_about(std::string& out, const Error& error) {
    switch (error.about) {
        case ErrorAbout::nothing:
        case ErrorAbout::hint:
            return;
        case ErrorAbout::frame:
            return append_frame(out, error);
        case ErrorAbout::key:
            return append_key(out, error);
        case ErrorAbout::index:
            if (error.code == Errc::missing_key) {  // an int as a Dictionary's key
                out += "no key ";
                append_number(out, error, error.detail.numbers.value);
                if (error.name)
                    out.append(": ").append(error.name);
                return;
            }
            out += "no element " +
                   std::to_string(static_cast<std::int64_t>(error.detail.numbers.value)) +
                   ": there are " + std::to_string(error.detail.numbers.high);
            return;
        case ErrorAbout::types:
            return append_types(out, error);
        case ErrorAbout::integer:
        case ErrorAbout::natural:
        case ErrorAbout::real:
        case ErrorAbout::length:
            return append_range(out, error);
        case ErrorAbout::choices:
            return append_choices(out, error);
        case ErrorAbout::dialect:
            append_name(out, error);
            out += " has no ";
            out += type_name(error.type);
            if (error.name)
                out.append(" ").append(error.name);
            return;
        case ErrorAbout::type_id:
            out += "the dialect has no type " + std::to_string(error.detail.numbers.value);
            return;
        case ErrorAbout::fraction:
            append_field(out, error);
            append_number(out, error, error.detail.numbers.value);
            out += " is not a whole number";
            return;
        case ErrorAbout::inexact:
            append_field(out, error);
            append_number(out, error, error.detail.numbers.value);
            out += " can't be held exactly";
            return;
        case ErrorAbout::reason:
            out += error.name;
            return append_type(out, error);
        case ErrorAbout::input:
            out.append("this is ").append(error.name);
            return;
        case ErrorAbout::anywhere:
            append_key(out, error);
            out += " at any depth";
            return;
        case ErrorAbout::records:
            return append_records(out, error.detail.numbers.high);
    }
}

/// "need 4 more bytes for a Vector3".
void append_need(std::string& out, const Error& error) {
    out += "need " + std::to_string(error.need) + " more byte";
    if (error.need != 1)
        out += 's';
    if (error.type == Type::nil)
        return;
    out += " for ";
    append_a(out, error.type);
}

void append_meaning(std::string& out, const Error& error) {
    std::string_view meaning = error_meaning(error.code);
    meaning.remove_suffix(meaning.ends_with('.'));
    out += meaning;
    if (error.code == Errc::buffer_full && error.need)
        out += " by " + std::to_string(error.need) + " bytes";
    if (error.name && error.about != ErrorAbout::hint) {
        out += ": ";
        out += error.name;
    }
    if (error.code != Errc::trailing_bytes)
        append_type(out, error);
}

}  // namespace

std::string to_string(const Error& error) {
    std::string out = "error[";
    out += error_name(error.code);
    out += "]: ";
    if (error.code == Errc::truncated && error.need)
        append_need(out, error);
    else if (error.about != ErrorAbout::nothing && error.about != ErrorAbout::hint)
        append_about(out, error);
    else if (error.code == Errc::missing_key && error.name)
        append_about(out, error.about_key(error.name));
    else
        append_meaning(out, error);
    if (error.about == ErrorAbout::hint)
        out.append("; ").append(error.name);
    return out;
}

}  // namespace gdvar
