// Scanner: a position in a packet, and one operation for each rule of the wire. The Reader loops
// over it, and Cursor steps the Reader.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/quirk.hpp"
#include "gdvar/wire/sink.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// `from + bytes`. If `bytes` is one of `likely`, the processor predicts the jump and reads on
/// without waiting for the number.
template <std::size_t... likely>
[[gnu::always_inline]] inline const std::byte* foreseen(const std::byte* from,
                                                        std::uint64_t bytes) noexcept {
    const std::byte* to = from + bytes;
    (void)((bytes == likely ? (to = from + likely, do_not_optimize(to), true) : false) || ...);
    return to;
}
/// `first ? a : b` without a branch.
inline double choose(bool first, double a, double b) noexcept {
    const auto mask = std::uint64_t{0} - static_cast<std::uint64_t>(first);
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) |
                                 (std::bit_cast<std::uint64_t>(b) & ~mask));
}

/// The log of a Scanner's operations. This one, for the fast paths, ignores everything: the Reader
/// reads refused bytes again and reports them.
struct Unobserved {
    /// True if the least bytes of values still to come are taken out of `slack` when their
    /// container is opened.
    static constexpr bool sets_aside = true;
    /// True if texts were checked before.
    static constexpr bool checked = false;
    /// True if `note` wants quirks.
    static constexpr bool noting() noexcept { return false; }
    /// Called after each field.
    static void raw(Field, const std::byte*, std::uint64_t) noexcept {}
    /// False: the quirk is refused.
    static bool note(Quirk, const std::byte*) noexcept { return true; }
    /// Returns false. `where`: the place of the fault, if not the value's header.
    static bool refuse(Errc, const std::byte* = nullptr) noexcept { return false; }
    /// The value needs `n` more bytes than there are.
    static bool lacks(std::uint64_t) noexcept { return false; }
};
/// For bytes that a Reader has read before.
struct Reread : Unobserved {
    static constexpr bool checked = true;
};

/// The place where the four bytes of a counted string's length are taken out of `slack`.
enum class Length : std::uint8_t {
    unclaimed,  ///< here
    owed,       ///< by the container, if the log sets aside
    claimed,
};

/// Each `take_...` reads the bytes of one rule from `at` on. It is false if they are truncated, not
/// valid, or refused by the log; the ones that the fast paths use (all but the compound ones) have
/// then changed nothing.
struct Scanner {
    /// The longest text of a record.
    static constexpr std::uint32_t most_text = 0x7FFF'FFFC;

    const std::byte* at = nullptr;     ///< the next byte
    const std::byte* value = nullptr;  ///< header of the last begun value
    const std::byte* end = nullptr;    ///< of the bytes
    std::uint64_t slack = 0;           ///< bytes neither read nor owed to values still to come
    std::uint64_t owed = 0;            ///< bytes owed but not set aside; only for `need`
    std::uint64_t nodes = 0;           ///< number of values that the limits still allow
    std::uint32_t left = 0;            ///< values that the innermost container still takes
    bool object = false;               ///< that container is an Object

    /// For bytes that a Reader has read before, with the value's payload at `from`.
    static Scanner reread(const std::byte* from, const std::byte* end) noexcept {
        return {from, from, end, static_cast<std::uint64_t>(end - from), 0, UINT64_MAX, 0, false};
    }

    // ---- bounds: one subtraction a field ------------------------------------------------

    template <class Log>
    [[gnu::always_inline]] bool claim(std::uint64_t n, Log&& log) {
        if (n > slack) [[unlikely]]
            return log.lacks(n - slack);
        slack -= n;
        return true;
    }
    /// Claims four bytes that a container owes: set aside, or only counted.
    template <class Log>
    [[gnu::always_inline]] bool claim_owed(Log&& log) {
        if (sets_aside(log))
            return true;
        owed -= 4;
        return claim(4, log);
    }
    /// Sets aside the least bytes of values or texts still to come.
    template <class Log>
    [[gnu::always_inline]] bool owe(std::uint64_t n, Log&& log) {
        if (sets_aside(log))
            return claim(n, log);
        owed += n;
        return true;
    }

    // ---- headers ------------------------------------------------------------------------

    /// Begins the next value by reading its header.
    [[gnu::always_inline]] std::uint32_t begin() noexcept {
        value = at;
        at += 4;
        --left;
        return load<std::uint32_t>(value);
    }
    /// Undoes `begin`.
    [[gnu::always_inline]] void back() noexcept {
        at = value;
        ++left;
    }
    /// True if a value comes next and has exactly this header.
    [[gnu::always_inline]] bool next_is(std::uint64_t header) const noexcept {
        return left != 0 && load<std::uint32_t>(at) == header;
    }
    /// A copy that has begun the next value, for an attempt to read it; `accept` takes it over.
    [[gnu::always_inline]] Scanner ahead() const noexcept {
        Scanner copy = local();
        (void)copy.begin();
        return copy;
    }
    [[gnu::always_inline]] bool accept(const Scanner& ahead_of_this) noexcept {
        go_on_from(ahead_of_this);
        return true;
    }
    /// A copy that lives in registers. Each member is loaded by itself: a wider load of two members
    /// that were just stored one by one would stall store forwarding.
    [[gnu::always_inline]] Scanner local() const noexcept {
        Scanner copy{at, value, end, slack, owed, nodes, left, object};
        do_not_optimize(copy.at), do_not_optimize(copy.value);
        do_not_optimize(copy.slack), do_not_optimize(copy.nodes);
        return copy;
    }
    /// Takes over a copy's progress; by member, too.
    [[gnu::always_inline]] void go_on_from(const Scanner& copy) noexcept {
        nodes = copy.nodes;
        go_on_from(copy.at, copy.value, copy.slack, copy.left);
    }
    [[gnu::always_inline]] void go_on_from(const std::byte* next, const std::byte* last,
                                           std::uint64_t free, std::uint32_t values) noexcept {
        at = next;
        value = last;
        slack = free;
        left = values;
    }

    // ---- payloads of known size -----------------------------------------------------------

    template <std::size_t... likely, class Log>
    [[gnu::always_inline]] bool take_bytes(std::uint64_t n, Log&& log) {
        if (!claim(n, log))
            return false;
        at = foreseen<likely...>(at, n);
        return true;
    }
    /// A number of type T.
    template <class T, class Log>
    [[gnu::always_inline]] bool take_number(T& out, Log&& log) {
        if (!claim(sizeof(T), log))
            return false;
        out = load<T>(at);
        at += sizeof(T);
        return true;
    }
    /// i32 or i64.
    template <class Log>
    [[gnu::always_inline]] bool take_integer(bool wide, std::int64_t& out, Log&& log) {
        if (wide)
            return take_number(out, log);
        std::int32_t narrow;
        if (!take_number(narrow, log))
            return false;
        out = narrow;
        return true;
    }
    /// f32 or f64. Widths of floats alternate without a pattern: there is no branch on them if
    /// eight bytes may be read.
    template <class Log>
    [[gnu::always_inline]] bool take_real(bool wide, double& out, Log&& log) {
        const std::uint64_t bytes = 4u + wide * 4u;
        if (!claim(bytes, log))
            return false;
        const auto narrow = static_cast<double>(load<float>(at));
        out = end - at >= 8 ? choose(wide, load<double>(at), narrow) : narrow;
        at += bytes;
        return true;
    }
    /// Exactly these bytes.
    template <std::size_t n>
    [[gnu::always_inline]] bool take_same(const std::byte* bytes) noexcept {
        return slack >= n && std::memcmp(at, bytes, n) == 0 && take_bytes(n, Unobserved{});
    }
    /// Consecutive ints or floats of either width, up to `n`; returns their number. Exists beside
    /// `take_integer` and `take_real` because it does not branch on the widths, which alternate.
    template <class Number>
    std::size_t take_numbers(std::uint64_t narrow_header, std::uint64_t wide_header, Number* to,
                             std::size_t n) noexcept {
        if (narrow_header == FastHeaders::never || wide_header != (narrow_header | 0x1'0000u))
            return 0;
        const auto header = static_cast<std::uint32_t>(narrow_header);
        Scanner s = local();
        n = std::min<std::size_t>(n, left);
        std::size_t i = 0;
        for (; i < n && s.end - s.at >= 12; ++i) {
            const std::uint32_t found = load<std::uint32_t>(s.at) ^ header;
            const std::uint64_t wide = found >> 16, bytes = 4 + wide * 4;
            if (found & ~0x1'0000u || s.slack < bytes)
                break;
            (void)s.begin();
            if constexpr (std::is_same_v<Number, double>)
                to[i] = choose(wide, load<double>(s.at), static_cast<double>(load<float>(s.at)));
            else
                to[i] = wide ? load<std::int64_t>(s.at) : load<std::int32_t>(s.at);
            s.at += bytes;
            s.slack -= bytes;
        }
        go_on_from(s);
        return i;
    }

    // ---- texts ----------------------------------------------------------------------------

    [[gnu::always_inline]] bool sound_text(std::string_view text, Utf8Rule rule) const noexcept {
        const auto* from = reinterpret_cast<const std::byte*>(text.data());
        const auto readable = static_cast<std::size_t>(end - from);
        if (text.size() <= 16) {
            if (readable >= 16 && ascii_within_16(from, text.size())) [[likely]]
                return true;
        } else if (text.size() <= 32 && readable >= 32) {
            if (ascii_within_16(from, 16) && ascii_within_16(from + 16, text.size() - 16))
                [[likely]]
                return true;
        }
        return valid_text_beyond_ascii(text, readable, rule);
    }
    /// A counted string: length, text, zeros up to a multiple of four.
    template <Length length = Length::unclaimed, class Log>
    [[gnu::always_inline]] bool take_text(std::string_view& out, Utf8Rule rule, Log&& log) {
        const bool aside = sets_aside(log);
        if (length == Length::owed && !aside)
            owed -= 4;
        const std::uint64_t already =
            length == Length::claimed || (length == Length::owed && aside) ? 4 : 0;
        if (already == 0 && slack < 4) [[unlikely]]
            return log.lacks(4 - slack);
        const std::uint32_t n = load<std::uint32_t>(at);
        if (n > most_text) [[unlikely]]
            return log.refuse(Errc::bad_length);
        const std::uint64_t bytes = record_size(n);
        if (bytes - already > slack) [[unlikely]]
            return log.lacks(bytes - already - slack);
        const std::string_view text = as_text(at + 4, n);
        if constexpr (!std::remove_reference_t<Log>::checked)
            if (!sound_text(text, rule)) [[unlikely]]
                return log.refuse(Errc::bad_utf8);
        slack -= bytes - already;
        const std::byte* const start = at;
        at += bytes;
        out = text;
        const std::size_t padding = padding_of(n);
        log.raw(Field::length, start, 4);
        log.raw(Field::text, start + 4, n);
        log.raw(Field::padding, at - padding, padding);
        if (log.noting()) [[unlikely]]
            return note_text(text, log) && note_padding(at - padding, padding, log);
        return true;
    }
    /// The text of the next record if all its bytes exist, for a message; else empty.
    std::string_view text_ahead() const noexcept {
        const auto rest = static_cast<std::size_t>(end - at);
        const std::size_t n = rest < 4 ? 0 : load<std::uint32_t>(at);
        return rest < 4 || n > rest - 4 ? std::string_view() : as_text(at + 4, n);
    }
    /// `take_text` for up to 16 ASCII bytes, as in most keys and many values. Exists beside
    /// `take_text` because it ignores the dialect and needs a single check of the bounds.
    [[gnu::always_inline]] bool take_short_text(std::string_view& out) noexcept {
        // 20 bytes that are not owed to other values hold the length and 16 more.
        if (slack < 20) [[unlikely]]
            return false;
        const std::uint32_t n = load<std::uint32_t>(at);
        if (n > 16 || !ascii_within_16(at + 4, n))
            return false;
        out = as_text(at + 4, n);
        const auto bytes = static_cast<std::uint32_t>(record_size(n));
        slack -= bytes;
        at = foreseen<8, 12, 16>(at, bytes);
        return true;
    }

    // ---- counts ---------------------------------------------------------------------------

    /// The count of a container with values, or pairs of values, still to come. Engines use bit 31
    /// for something else.
    template <class Log>
    [[gnu::always_inline]] bool take_count(std::uint32_t& out, bool pairs, Log&& log) {
        if (slack < 4) [[unlikely]]
            return log.lacks(4 - slack);
        const std::uint32_t found = load<std::uint32_t>(at), n = found & most_count;
        log.raw(Field::count, at, 4);
        if (log.noting() && n != found && !log.note(Quirk::shared_bit, at))
            return false;
        if (!take_children(std::uint64_t{n} << pairs, 4, log)) [[unlikely]]
            return false;
        out = n;
        return true;
    }
    /// An Object's count of properties: each takes at least a name's length and a header.
    template <class Log>
    bool take_property_count(std::uint32_t& out, Log&& log) {
        if (slack < 4)
            return log.lacks(4 - slack);
        const auto found = load<std::int32_t>(at);
        log.raw(Field::property_count, at, 4);
        if (found < 0 && log.noting() && !log.note(Quirk::negative_properties, at))
            return false;
        out = found < 0 ? 0 : static_cast<std::uint32_t>(found);
        return take_children(out, 8, log);
    }
    /// The count of a packed array, without taking it.
    template <class Log>
    [[gnu::always_inline]] bool packed_count(std::uint32_t& out, std::size_t element,
                                             Log&& log) const {
        if (slack < 4) [[unlikely]]
            return log.lacks(4 - slack);
        out = load<std::uint32_t>(at);
        log.raw(Field::count, at, 4);
        if (out > most_count || std::uint64_t{out} * element > most_count) [[unlikely]]
            return log.refuse(Errc::bad_length);
        return true;
    }

    /// The word after the next value's header; UINT32_MAX if the packet ends before it.
    std::uint32_t count_ahead() const noexcept {
        return slack < 4 ? UINT32_MAX : load<std::uint32_t>(at + 4);
    }

    // ---- packed arrays --------------------------------------------------------------------

    /// Count and elements, which end at the new `at`.
    template <class Log>
    [[gnu::always_inline]] bool take_packed(std::uint32_t& out, std::size_t element, Log&& log) {
        std::uint32_t n;
        if (!packed_count(n, element, log))
            return false;
        const std::uint64_t bytes = std::uint64_t{n} * element;
        if (bytes > slack - 4) [[unlikely]]
            return log.lacks(bytes - (slack - 4));
        slack -= 4 + bytes;
        log.raw(Field::elements, at + 4, bytes);
        at += 4 + bytes;
        out = n;
        return true;
    }
    /// Count; sets aside the texts' lengths. Engines read a negative count as an empty array, which
    /// nobody writes.
    template <class Log>
    bool take_strings_count(std::uint32_t& out, Log&& log) {
        if (!packed_count(out, 1, log))
            return false;
        slack -= 4;
        at += 4;
        return owe(std::uint64_t{out} * 4, log);
    }
    /// Count and bytes, padded.
    template <class Log>
    bool take_packed_bytes(std::uint32_t& out, Log&& log) {
        if (!packed_count(out, 1, log))
            return false;
        slack -= 4;
        at += 4;
        return take_padded(out, log);
    }
    /// Bytes and their padding, which may be missing only at the packet's end.
    template <class Log>
    bool take_padded(std::uint64_t n, Log&& log) {
        const std::uint64_t padded = padded_size(n);
        const bool more_owed = sets_aside(log) && static_cast<std::uint64_t>(end - at) != slack;
        if (padded > slack && (n > slack || more_owed))
            return log.lacks((more_owed || owed ? padded : n) - slack);
        const std::uint64_t there = std::min(padded, slack);
        // The values after this one lack the bytes of the padding, too.
        if (owed)
            owed += padded - there;
        log.raw(Field::elements, at, n);
        log.raw(Field::padding, at + n, there - n);
        at += there;
        slack -= there;
        return !log.noting() || (note_padding(at - (there - n), there - n, log) &&
                                 (there == padded || log.note(Quirk::missing_padding, at)));
    }

    // ---- compound values --------------------------------------------------------------------

    /// Counts, flags and names; or text, in old packets.
    template <class Log>
    bool take_node_path(NodePathView& out, const DecodeOptions& options, Log&& log) {
        const Dialect& dialect = *options.dialect;
        std::string_view text;
        if (slack < 4)
            return log.lacks(4 - slack);
        if (!(load<std::uint32_t>(at) & 0x8000'0000u)) {
            if (!dialect.node_path_text && !options.node_path_text)
                return log.refuse(Errc::bad_node_path);
            if (log.noting() && !log.note(Quirk::node_path_text, at))
                return false;
            if (!take_text(text, dialect.utf8, log))
                return false;
            out = NodePathView::from_text(text);
            return true;
        }
        slack -= 4;
        const std::uint32_t names = word(Field::name_count, log) & 0x7FFF'FFFFu;
        if (!claim(8, log))
            return false;
        const std::uint32_t subnames = word(Field::subname_count, log);
        const std::uint32_t flags = word(Field::path_flags, log);
        const bool property = flags & 2;
        const std::uint64_t all = std::uint64_t{names} + subnames + property;
        // Engines let the sum wrap and read an empty path, which nobody writes (wire-format 2.3).
        if (all > 0xFFFF'FFFFu)
            return log.refuse(Errc::bad_node_path);
        if (!claim(all * 4, log))
            return false;
        if (log.noting()) {
            if ((flags & ~3u) && !log.note(Quirk::node_path_flags, at - 4))
                return false;
            if (property && !dialect.node_path_property &&
                !log.note(Quirk::node_path_property, at - 4))
                return false;
        }
        const std::byte* const records = at;
        for (std::uint64_t i = 0; i < all; ++i)
            if (!take_text<Length::claimed>(text, dialect.utf8, log))
                return false;
        out = NodePathView(names, subnames + property, flags & 1,
                           property && dialect.node_path_property, {records, at});
        return true;
    }
    /// Name and the Object's id.
    template <class Log>
    bool take_signal(std::string_view& name, std::uint64_t& id, Utf8Rule rule, Log&& log) {
        return take_text(name, rule, log) && take_id(id, Field::object_id, log);
    }
    template <class Log>
    bool take_id(std::uint64_t& out, Field field, Log&& log) {
        if (!take_number(out, log))
            return false;
        log.raw(field, at - 8, 8);
        return true;
    }
    template <class Log>
    bool take_image(ImageView& out, Log&& log) {
        if (!claim(20, log))
            return false;
        std::uint32_t n = 0;
        for (std::uint32_t* to : {&out.format, &out.mipmaps, &out.width, &out.height, &n})
            *to = word(Field::image_header, log);
        if (n > most_count)
            return log.refuse(Errc::bad_length);
        out.data = ByteView(at, n);
        return take_padded(n, log);
    }
    template <class Log>
    bool take_input_event(InputEventView& out, Log&& log) {
        if (!claim(12, log))
            return false;
        out.type = word(Field::event, log);
        out.device = word(Field::event, log);
        const std::uint32_t length = word(Field::event, log);
        const std::size_t words = InputEventView::word_count(out.type);
        if (!claim(words * 4, log))
            return false;
        for (std::size_t i = 0; i < words; ++i)
            out.words[i] = word(Field::event, log);
        return !log.noting() || length == 12 + words * 4 || log.note(Quirk::event_length, value);
    }

    // ---- types of typed containers ------------------------------------------------------------

    /// The types in the header of an Array or Dictionary (wire-format 2.7, 2.9): the element's, or
    /// the key's and the value's.
    template <class Log>
    bool take_types(std::uint32_t header, const TypeRow& row, ContainerType& first,
                    ContainerType& second, const DecodeOptions& options, Log&& log) {
        if (row.shape == Shape::typed_array)
            return take_element_type(header & row.flags & 0x1'0000u, first, options, log);
        const std::uint32_t kinds = (header & row.flags) >> 16;
        return take_type(kinds & 3, first, options, log) &&
               (row.shape != Shape::dictionary || take_type(kinds >> 2 & 3, second, options, log));
    }
    /// One type, whose kind was in the header.
    template <class Log>
    bool take_type(std::uint32_t kind, ContainerType& out, const DecodeOptions& options,
                   Log&& log) {
        const Dialect& dialect = *options.dialect;
        out.kind = static_cast<ContainerKind>(kind);
        if (kind == 0)
            return true;
        if (kind == 1) {
            if (!claim(4, log))
                return false;
            const std::uint32_t id = word(Field::element_type, log);
            if (id >= dialect.row_count || dialect.rows[id].shape == Shape::absent)
                return log.refuse(Errc::bad_container_type);
            out.type = dialect.rows[id].type;
            return !log.noting() || id != 0 || log.note(Quirk::builtin_nil, at - 4);
        }
        out.type = Type::object;
        if (!take_text(out.name, dialect.utf8, log))
            return false;
        if (kind == 3 && options.allow_objects && dialect.script == ScriptForm::resource_path &&
            !out.name.starts_with(resource_scheme))
            return log.refuse(Errc::bad_script);
        return true;
    }
    /// Pandemonium's: a type id; for an Object that is not just an id also the class, as a complete
    /// StringName packet.
    template <class Log>
    bool take_element_type(bool by_id, ContainerType& out, const DecodeOptions& options,
                           Log&& log) {
        const Dialect& dialect = *options.dialect;
        if (!claim(4, log))
            return false;
        const std::uint32_t id = word(Field::element_type, log) & 0x7FFF'FFFFu;
        out = ContainerType::of(Type::nil);
        if (id < dialect.row_count)
            out.type = dialect.rows[id].type;
        else if (log.noting() && !log.note(Quirk::unknown_element_type, at - 4))
            return false;
        if (out.type != Type::object)
            return true;
        out = ContainerType::of_class(encoded_object_as_id);
        if (by_id)
            return true;
        if (!claim(4, log))
            return false;
        const std::uint32_t name_id = word(Field::header, log) & dialect.type_mask;
        if (name_id != dialect.id_of[static_cast<std::size_t>(Type::string_name)])
            return log.refuse(Errc::bad_container_type);
        return take_text(out.name, dialect.utf8, log);
    }

    /// Godot 4.3 on: checks that the value of the property `script`, which comes next, is nil or a
    /// String with a resource path (wire-format 2.4). Takes nothing.
    template <class Log>
    bool script_follows(const Dialect& dialect, Log&& log) const {
        if (end - at < 8)
            return true;  // nil, or a truncation that the value will report
        const std::uint32_t id = load<std::uint32_t>(at) & dialect.type_mask;
        if (id == dialect.id_of[0])
            return true;
        const auto rest = static_cast<std::size_t>(end - at - 8);
        const std::size_t n = resource_scheme.size();
        if (id != dialect.id_of[static_cast<std::size_t>(Type::string)] ||
            load<std::uint32_t>(at + 4) < n || (rest >= n && as_text(at + 8, n) != resource_scheme))
            return log.refuse(Errc::bad_script, at);
        return true;
    }

private:
    /// A constant of the log, except for an AnySink.
    template <class Log>
    [[gnu::always_inline]] static constexpr bool sets_aside(const Log& log) noexcept {
        if constexpr (requires { log.sets_aside_now(); })
            return log.sets_aside_now();
        else
            return Log::sets_aside;
    }
    static constexpr std::uint32_t most_count = 0x7FFF'FFFF;
    static constexpr std::string_view resource_scheme = "res://";

    /// After a count; takes its four bytes, too.
    template <class Log>
    [[gnu::always_inline]] bool take_children(std::uint64_t children, std::uint64_t least,
                                              Log&& log) {
        if (children > nodes) [[unlikely]]
            return log.refuse(Errc::node_limit);
        const bool aside = sets_aside(log);
        const std::uint64_t bytes = aside ? children * least : 0;
        if (bytes > slack - 4) [[unlikely]]
            return log.lacks(bytes - (slack - 4));
        if (!aside)
            owed += children * least;
        slack -= 4 + bytes;
        nodes -= children;
        at += 4;
        return true;
    }
    /// A claimed word.
    template <class Log>
    std::uint32_t word(Field field, Log&& log) {
        log.raw(field, at, 4);
        at += 4;
        return load<std::uint32_t>(at - 4);
    }

    template <class Log>
    [[gnu::noinline]] static bool note_text(std::string_view text, Log&& log) {
        const auto* at = reinterpret_cast<const std::byte*>(text.data());
        const std::size_t nul = text.find('\0');
        // Elements of PackedStringArray are written with one NUL at the end.
        if (nul < text.size() && nul + 1 != text.size() && !log.note(Quirk::embedded_nul, at))
            return false;
        if (text.starts_with("\xEF\xBB\xBF") && !log.note(Quirk::byte_order_mark, at))
            return false;
        return valid_text_inline(text, Utf8Rule::strict) || log.note(Quirk::lenient_text, at);
    }
    template <class Log>
    static bool note_padding(const std::byte* from, std::uint64_t n, Log&& log) {
        for (std::uint64_t i = 0; i < n; ++i)
            if (from[i] != std::byte{0})
                return log.note(Quirk::nonzero_padding, from);
        return true;
    }
};
static_assert(std::is_trivially_copyable_v<Scanner>);

}  // namespace detail
}  // namespace gdvar
