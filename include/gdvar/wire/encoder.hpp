// Encoder: the only code that writes packets, as a sink. It trusts its source to nest correctly;
// for hand-written sequences use Writer (writer.hpp), which checks.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>

#include "gdvar/base/export.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/output.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {
/// The last value that an Encoder refused.
struct Refused {
    Type type = Type::nil;
    std::uint8_t class_size = 0;
    const char* what = nullptr;  ///< the part that the dialect lacks, as in a message
    /// The class of an Object, with one byte more than an Error takes: the extra byte shows that
    /// the name is cut.
    char class_name[Error::most_text + 1];
};
}  // namespace detail

/// Writes its events in `options.dialect`, into an output (output.hpp), both borrowed.
///
/// Errors: not_in_dialect (the dialect can't express the value), objects_forbidden, bad_utf8,
/// too_large, depth_limit, and the output's own. Rules: wire-format 2 and 7 ("writing policy").
template <Output To>
class Encoder {
public:
    Encoder(To& output, const EncodeOptions& options) noexcept
        : out_(output),
          dialect_(*options.dialect),
          options_(options),
          quick_(dialect_.headers.common && dialect_.numbers <= NumberWidth::wide_integers) {}
    Encoder(To& output, EncodeOptions&& options) = delete;  // it would dangle

    Errc nil() { return header_only(Type::nil); }

    Errc boolean(bool value) {
        if (checks_rows && dialect_.headers.boolean == FastHeaders::never) [[unlikely]]
            return lacks(Type::boolean);
        return words(id(Type::boolean), value ? 1u : 0u);
    }

    Errc integer(std::int64_t value) {
        std::byte* to = out_.reserve(12);
        if (To::grows && !to)
            return out_.error();
        if (to && quick_) [[likely]] {
            // Stores both widths, to avoid a branch.
            const bool wide = value != static_cast<std::int32_t>(value) ||
                              dialect_.numbers == NumberWidth::wide_integers;
            detail::store(to, id(Type::integer) | std::uint32_t{wide} << 16);
            detail::store(to + 4, value);
            out_.use(8 + std::size_t{wide} * 4);
            return Errc::ok;
        }
        if constexpr (retried)
            return Errc::not_in_dialect;
        else
            return number(Type::integer, integer_of_any_width(dialect_.numbers, value));
    }

    Errc real(double value) {
        std::byte* to = out_.reserve(12);
        if (To::grows && !to)
            return out_.error();
        // The width is as random as the values: computes both, to avoid a branch.
        constexpr double most = static_cast<double>(std::numeric_limits<float>::max());
        const bool beyond = value > most || value < -most;
        if (to && quick_ && !beyond) [[likely]] {
            const auto narrow = static_cast<float>(value);
            const bool wide = static_cast<double>(narrow) != value;
            const std::uint64_t mask = std::uint64_t{0} - std::uint64_t{wide};
            detail::store(to, id(Type::real) | std::uint32_t{wide} << 16);
            detail::store(to + 4, (std::bit_cast<std::uint64_t>(value) & mask) |
                                      (std::bit_cast<std::uint32_t>(narrow) & ~mask));
            out_.use(8 + std::size_t{wide} * 4);
            return Errc::ok;
        }
        if constexpr (retried)
            return Errc::not_in_dialect;
        else
            return number(Type::real, real_of_any_width(dialect_.numbers, value));
    }

    // Inlined into the Reader's fast path: out of line, converting takes a seventh longer.
    [[gnu::always_inline]] Errc string(std::string_view text) {
        return record<true>(Type::string, text);
    }
    Errc string_name(std::string_view text) { return record<true>(Type::string_name, text); }
    /// The same for text that is known to be UTF-8 by Unicode's rule, which every dialect takes.
    [[gnu::always_inline]] Errc string_of_utf8(std::string_view text) {
        return record<true, true>(Type::string, text);
    }
    Errc string_name_of_utf8(std::string_view text) {
        return record<true, true>(Type::string_name, text);
    }

    /// A String whose record (length, text, zero padding), `n` bytes, was made and checked before.
    template <std::size_t n>
    Errc string_record(const std::byte* record_bytes) {
        if (checks_rows && dialect_.headers.string == FastHeaders::never) [[unlikely]]
            return lacks(Type::string);
        std::byte* to = out_.claim(4 + n);
        if (!to)
            return out_.error();
        detail::store(to, id(Type::string));
        std::memcpy(to + 4, record_bytes, n);
        return Errc::ok;
    }

    Errc math(const MathView& value) {
        const TypeRow* row = dialect_.row(value.type);
        if (!row || row->shape != Shape::math || row->unpack)
            return lacks(value.type);
        const std::size_t components = value.components();
        const bool widen = page_wide(*row) && !value.wide;
        if (value.wide && !may_be_wide(*row))
            return lacks(value.type, "with 64-bit components");
        const std::size_t component = value.wide || widen ? 8 : 4;
        std::byte* to = out_.claim(4 + components * component);
        if (!to)
            return out_.error();
        detail::store(to, id(value.type) | (value.wide && row->flags ? flag : 0u));
        components_to(to + 4, value.data, components, value.wide ? 8 : 4, widen, value.host_order);
        if (dialect_.matrix == MatrixOrder::columns &&
            (value.type == Type::basis || value.type == Type::transform3d)) {
            std::byte rows[72];
            std::memcpy(rows, to + 4, 9 * component);
            detail::transpose_3x3(to + 4, rows, component);
        }
        return Errc::ok;
    }

    Errc node_path(const NodePathView& path) {
        if (!dialect_.has(Type::node_path))
            return lacks(Type::node_path);
        const bool separate = dialect_.node_path_property && path.separate_property();
        std::byte* to = out_.claim(16);
        if (!to && out_.error() != Errc::ok)
            return out_.error();
        if (to) {
            detail::store(to, id(Type::node_path));
            detail::store(to + 4, path.name_count() | 0x8000'0000u);
            detail::store(to + 8, path.subname_count() - separate);
            detail::store(to + 12, (path.absolute() ? 1u : 0u) | (separate ? 2u : 0u));
        }
        Errc code = Errc::ok;
        path.each([&](std::string_view name, bool) {
            if (code == Errc::ok)
                code = record(Type::node_path, name);
        });
        return code;
    }

    Errc rid(std::uint64_t value) {
        const TypeRow* row = dialect_.row(Type::rid);
        if (!row || row->shape == Shape::unsupported)
            return lacks(Type::rid);
        if (row->shape == Shape::rid)
            return long_word(id(Type::rid), value);
        return value ? lacks(Type::rid, "with an id") : header_only(Type::rid);
    }

    Errc object_null() {
        if (!dialect_.has(Type::object))
            return lacks(Type::object);
        if (dialect_.objects == ObjectForm::header_only)
            return header_only(Type::object);
        if (!options_.allow_objects && !dialect_.null_object_free)
            return refused(Errc::objects_forbidden, Type::object);
        return words(id(Type::object), 0);
    }

    Errc object_id(std::uint64_t value) {
        if (!full_or_id())
            return lacks(Type::object, "with an id");
        return long_word(id(Type::object) | flag, value);
    }

    Errc begin_object(std::string_view name, std::uint32_t count) {
        if (!full_or_id() || name.empty())
            return lacks(Type::object, name.empty() ? "without a class" : "in full");
        if (!options_.allow_objects)
            return refused_class(name);
        if (const Errc code = enter(Type::object, count); code != Errc::ok)
            return code;
        if (const Errc code = record<true>(Type::object, name); code != Errc::ok)
            return code;
        return word(count);
    }
    Errc property(std::string_view name) { return record(Type::object, name); }

    Errc callable() { return header_only(Type::callable); }

    Errc signal(std::string_view name, std::uint64_t object) {
        const TypeRow* row = dialect_.row(Type::signal);
        if (!row || row->shape == Shape::unsupported)
            return lacks(Type::signal);
        if (row->shape == Shape::nothing)
            return name.empty() && !object ? header_only(Type::signal)
                                           : lacks(Type::signal, "with a name");
        if (const Errc code = record<true>(Type::signal, name); code != Errc::ok)
            return code;
        return raw_word(object);
    }

    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        const TypeRow* row = dialect_.row(Type::dictionary);
        if (!row || row->shape == Shape::unsupported)
            return lacks(Type::dictionary);
        if ((key.typed() || value.typed()) && !row->flags)
            return lacks(Type::dictionary, "with key and value types");
        if (const Errc code = enter(Type::dictionary, count); code != Errc::ok)
            return code;
        if (!key.typed() && !value.typed())
            return words(id(Type::dictionary), count);
        const std::uint32_t kinds = static_cast<std::uint32_t>(key.kind) << 16 |
                                    static_cast<std::uint32_t>(value.kind) << 18;
        if (const Errc code = word(id(Type::dictionary) | kinds); code != Errc::ok)
            return code;
        if (const Errc code = container_type(key); code != Errc::ok)
            return code;
        if (const Errc code = container_type(value); code != Errc::ok)
            return code;
        return word(count);
    }

    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        if (!dialect_.has(type))
            return lacks(type);
        if (const Errc code = enter(type, count); code != Errc::ok)
            return code;
        if (type == Type::packed_typed_array)
            return begin_typed_array(id(type), element, count);
        if (!element.typed())
            return words(id(Type::array), count);
        if (dialect_.typed_array_id != Dialect::absent)
            return begin_typed_array(dialect_.typed_array_id, element, count);
        if (!dialect_.typed_arrays())
            return lacks(Type::array, "with an element type");
        const std::uint32_t kind = static_cast<std::uint32_t>(element.kind) << 16;
        if (const Errc code = word(id(Type::array) | kind); code != Errc::ok)
            return code;
        if (const Errc code = container_type(element); code != Errc::ok)
            return code;
        return word(count);
    }

    Errc packed(const PackedView& value) {
        const TypeRow* row = dialect_.row(value.type);
        if (!row || (row->shape != Shape::packed && row->shape != Shape::packed_bytes))
            return lacks(value.type);
        const bool widen = page_wide(*row) && !value.wide;
        if (value.wide && !may_be_wide(*row))
            return lacks(value.type, "with 64-bit components");
        const std::size_t from_component = component_bytes(value.component());
        const std::size_t component = widen ? 8 : from_component;
        const std::size_t components = std::size_t{value.count} * row->components;
        if (value.count > max_count || components * component > 0x7FFF'FFFFu)
            return refused(Errc::too_large, value.type);
        const std::size_t bytes = components * component, padded = (bytes + 3) & ~std::size_t{3};
        std::byte* to = out_.claim(8 + padded);
        if (!to)
            return out_.error();
        detail::store(to, id(value.type) | (value.wide && row->flags ? flag : 0u));
        detail::store(to + 4, value.count);
        if (padded != bytes)
            detail::store(to + 8 + padded - 4, std::uint32_t{0});
        if (components)
            components_to(to + 8, value.data, components, from_component, widen, value.host_order);
        return Errc::ok;
    }

    Errc begin_packed_strings(std::uint32_t count) {
        if (!dialect_.has(Type::packed_string_array))
            return lacks(Type::packed_string_array);
        if (count > max_count)
            return refused(Errc::too_large, Type::packed_string_array);
        ++depth_;  // undone by `end`; the strings themselves are not values
        return words(id(Type::packed_string_array), count);
    }
    Errc packed_string(std::string_view text) {
        return record(Type::packed_string_array, text, dialect_.string_array_nul);
    }

    Errc image(const ImageView& value) {
        if (!dialect_.has(Type::image))
            return lacks(Type::image);
        if (value.data.size() > 0x7FFF'FFFFu)
            return refused(Errc::too_large, Type::image);
        const std::size_t n = value.data.size();
        std::byte* to = out_.claim(24 + n + detail::padding_of(n));
        if (!to)
            return out_.error();
        const std::uint32_t head[] = {id(Type::image), value.format, value.mipmaps,
                                      value.width,     value.height, static_cast<std::uint32_t>(n)};
        for (std::size_t i = 0; i < 6; ++i)
            detail::store(to + 4 * i, head[i]);
        if (n)
            std::memcpy(to + 24, value.data.data(), n);
        std::memset(to + 24 + n, 0, detail::padding_of(n));
        return Errc::ok;
    }

    Errc input_event(const InputEventView& value) {
        if (!dialect_.has(Type::input_event))
            return lacks(Type::input_event);
        const std::size_t n = InputEventView::word_count(value.type);
        std::byte* to = out_.claim(16 + 4 * n);
        if (!to)
            return out_.error();
        detail::store(to, id(Type::input_event));
        detail::store(to + 4, value.type);
        detail::store(to + 8, value.device);
        detail::store(to + 12, static_cast<std::uint32_t>(12 + 4 * n));
        for (std::size_t i = 0; i < n; ++i)
            detail::store(to + 16 + 4 * i, value.words[i]);
        return Errc::ok;
    }

    Errc end() {
        --depth_;
        return Errc::ok;
    }

    /// Calls `write` with an encoder that continues here and may write up to `most` bytes, which
    /// are reserved once. If they can't be reserved, or if `write` refuses, calls
    /// `otherwise(*this)`, which writes the same from here again.
    template <class Write, class Otherwise>
    [[gnu::flatten, gnu::aligned(64)]] GDVAR_NO_STACK_PROTECTOR Errc
    reserved(std::size_t most, Write&& write, Otherwise&& otherwise) {
        // The last number may be a small one, of which `integer` and `real` store 4 bytes more.
        if (dialect_.headers.common) [[likely]]
            if (std::byte* to = out_.reserve(most + 4)) [[likely]] {
                RetriedOutput reserve(to);
                Encoder<RetriedOutput> inner(reserve, options_, depth_);
                if (write(inner) == Errc::ok) [[likely]] {
                    out_.use(reserve.size());
                    depth_ = inner.depth_;
                    return Errc::ok;
                }
            }
        return otherwise(*this);
    }
    /// For writers that know when to stop: `write` gets such an encoder and the number of reserved
    /// bytes, at least `least`; this encoder and 0 if fewer are available.
    template <class Write>
    [[gnu::flatten, gnu::aligned(64)]] GDVAR_NO_STACK_PROTECTOR Errc
    with_headroom(std::size_t least, Write&& write) {
        if (!dialect_.headers.common) [[unlikely]]
            return write(*this, std::size_t{0});
        if (std::byte* to = out_.reserve(least)) [[likely]] {
            ReservedOutput reserve(to);
            Encoder<ReservedOutput> inner(reserve, options_, depth_);
            const Errc code = write(inner, out_.headroom());
            out_.use(reserve.size());
            depth_ = inner.depth_;
            if (code != Errc::ok) [[unlikely]]
                refused_ = inner.refused_;
            return code;
        }
        return To::grows ? out_.error() : write(*this, std::size_t{0});
    }

    /// A String of `n` bytes, 15 at most; 16 bytes must be readable, and those of the first 15
    /// behind the text must be zeros. False, with nothing written, if it needs `string` or 24 bytes
    /// can't be reserved.
    bool small_string(const std::byte* text, std::size_t n) {
        const std::uint64_t head = dialect_.headers.string;
        std::byte* to = out_.reserve(24);
        if (!to || head == FastHeaders::never || !detail::ascii_within_16(text, n))
            return false;
        detail::store(to, static_cast<std::uint32_t>(head));
        detail::store(to + 4, static_cast<std::uint32_t>(n));
        std::memcpy(to + 8, text, 16);
        to[23] = std::byte{0};
        out_.use(4 + static_cast<std::size_t>(detail::record_size(static_cast<std::uint32_t>(n))));
        return true;
    }

    /// A math value of up to four 32-bit components in the host's order; 16 bytes must be readable.
    /// False, with nothing written, if it needs `math` or 20 bytes can't be reserved.
    bool small_math(Type type, const void* components) {
        const TypeRow* row = dialect_.row(type);
        if (!row || row->shape != Shape::math || row->unpack || row->components > 4 ||
            page_wide(*row) || !detail::host_is_little)
            return false;
        std::byte* to = out_.reserve(20);
        if (!to)
            return false;
        detail::store(to, id(type));
        std::memcpy(to + 4, components, 16);
        out_.use(4 + std::size_t{row->components} * 4);
        return true;
    }

    /// Makes an Error from a `code` that a member returned. The Error has the type of the refused
    /// value; for not_in_dialect also the dialect's name, for an Object in full also its class.
    /// `offset` is the position in the output at which the refused value begins.
    Error refusal(Errc code, std::size_t offset) const noexcept {
        const Error error{code, refused_.type, offset, code == Errc::buffer_full ? out_.need() : 0};
        if (code == Errc::not_in_dialect)
            return error.in_field(refused_.what).about_dialect(dialect_.name);
        if (code == Errc::objects_forbidden && refused_.class_size)
            return error.about_key({refused_.class_name, refused_.class_size});
        return error;
    }

    const Dialect& dialect() const noexcept { return dialect_; }
    const To& output() const noexcept { return out_; }
    To& output() noexcept { return out_; }

private:
    template <Output>
    friend class Encoder;
    /// Continues in reserved space. The dialect must have the rows (`with_headroom`).
    Encoder(To& output, const EncodeOptions& options, std::uint32_t depth) noexcept
        : out_(output),
          dialect_(*options.dialect),
          options_(options),
          quick_(dialect_.numbers <= NumberWidth::wide_integers),
          depth_(depth) {}

    static constexpr std::uint32_t flag = 0x1'0000;
    static constexpr std::uint32_t max_count = 0x7FFF'FFFF;

    std::uint32_t id(Type type) const noexcept {
        return dialect_.id_of[static_cast<std::size_t>(type)];
    }
    /// Nobody asks for the reason of a refusal.
    static constexpr bool retried = requires { To::retried; };
    Errc refused(Errc code, Type type, const char* what = nullptr) noexcept {
        if constexpr (retried)
            return code;
        else
            return keep_refused(code, type, what);
    }
    [[gnu::cold, gnu::noinline]] Errc keep_refused(Errc code, Type type,
                                                   const char* what) noexcept {
        refused_.type = type;
        refused_.class_size = 0;
        refused_.what = what;
        return code;
    }
    [[gnu::cold, gnu::noinline]] Errc refused_class(std::string_view name) noexcept {
        const std::size_t n = std::min(name.size(), sizeof refused_.class_name);
        (void)refused(Errc::objects_forbidden, Type::object);
        std::memcpy(refused_.class_name, name.data(), n);
        refused_.class_size = static_cast<std::uint8_t>(n);
        return Errc::objects_forbidden;
    }
    Errc lacks(Type type, const char* what = nullptr) noexcept {
        return refused(Errc::not_in_dialect, type, what);
    }
    /// A ReservedOutput needs no check of the rows: it is used only if the dialect has them.
    static constexpr bool checks_rows = !std::derived_from<To, ReservedOutput>;
    bool full_or_id() const noexcept {
        return dialect_.objects == ObjectForm::full_or_id && dialect_.has(Type::object);
    }
    bool page_wide(const TypeRow& row) const noexcept {
        return options_.real_width == 8 && dialect_.documented && row.wide_bytes;
    }
    bool may_be_wide(const TypeRow& row) const noexcept {
        return row.wide_bytes && (row.flags || page_wide(row));
    }

    /// A number as written. Computed without the encoder, so that its counters may stay in
    /// registers.
    struct Number {
        Errc code = Errc::not_in_dialect;
        bool eight = false;
        bool flagged = false;
        std::uint64_t bits = 0;
    };
    static Number narrow(std::uint32_t bits) { return {Errc::ok, false, false, bits}; }
    static Number wide(std::uint64_t bits, bool flagged) { return {Errc::ok, true, flagged, bits}; }

    [[gnu::noinline]] static Number integer_of_any_width(NumberWidth numbers, std::int64_t value) {
        const auto bits = static_cast<std::uint64_t>(value);
        if (numbers == NumberWidth::eight_unflagged)
            return wide(bits, false);
        if (numbers == NumberWidth::wide_integers)
            return wide(bits, true);
        if (value == static_cast<std::int32_t>(value))
            return narrow(static_cast<std::uint32_t>(value));
        return numbers == NumberWidth::by_value ? wide(bits, true) : Number{};
    }
    [[gnu::noinline]] static Number real_of_any_width(NumberWidth numbers, double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        if (numbers == NumberWidth::eight_unflagged)
            return wide(bits, false);
        if (detail::fits_float(value))
            return narrow(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
        if (numbers != NumberWidth::narrow)
            return wide(bits, true);
        // Godot 2 has only 32 bits: a NaN must survive them.
        const auto nan = static_cast<float>(value != value ? value : 0.0);
        if (std::bit_cast<std::uint64_t>(static_cast<double>(nan)) != bits)
            return {};
        return narrow(std::bit_cast<std::uint32_t>(nan));
    }
    [[gnu::noinline]] Errc number(Type type, const Number& n) {
        if (n.code != Errc::ok)
            return lacks(type, "of 64 bits");
        const TypeRow* row = dialect_.row(type);
        if (!row || (n.flagged && !(row->flags & flag)) ||
            (n.flagged ? row->wide_bytes : row->bytes) != (n.eight ? 8 : 4))
            return lacks(type, row && n.eight ? "of 64 bits" : nullptr);
        const std::uint32_t head = id(type) | (n.flagged ? flag : 0u);
        return n.eight ? long_word(head, n.bits) : words(head, static_cast<std::uint32_t>(n.bits));
    }

    Errc header_only(Type type) {
        if (!dialect_.has(type))
            return lacks(type);
        return word(id(type));
    }
    Errc word(std::uint32_t value) {
        std::byte* to = out_.claim(4);
        if (!to)
            return out_.error();
        detail::store(to, value);
        return Errc::ok;
    }
    Errc raw_word(std::uint64_t value) {
        std::byte* to = out_.claim(8);
        if (!to)
            return out_.error();
        detail::store(to, value);
        return Errc::ok;
    }
    Errc words(std::uint32_t head, std::uint32_t value) {
        std::byte* to = out_.claim(8);
        if (!to)
            return out_.error();
        detail::store(to, head);
        detail::store(to + 4, value);
        return Errc::ok;
    }
    Errc long_word(std::uint32_t head, std::uint64_t value) {
        std::byte* to = out_.claim(12);
        if (!to)
            return out_.error();
        detail::store(to, head);
        detail::store(to + 4, value);
        return Errc::ok;
    }

    /// Length, text, an optional NUL that the length counts, zero padding; with a header before it
    /// if `headed`. Text that is `known` to be UTF-8 is not checked.
    template <bool headed = false, bool known = false>
    [[gnu::always_inline]] Errc record(Type type, std::string_view text, bool nul = false) {
        const std::size_t n = text.size() + nul;
        if (headed && !dialect_.has(type))
            return lacks(type);
        if (n > 0x7FFF'FFFCu)
            return refused(Errc::too_large, type);
        if (!known && !detail::valid_text_inline(text, dialect_.utf8))
            return refused(Errc::bad_utf8, type);
        const auto bytes =
            static_cast<std::size_t>(detail::record_size(static_cast<std::uint32_t>(n)));
        std::byte* to = out_.claim((headed ? 4 : 0) + bytes);
        if (!to)
            return out_.error();
        if constexpr (headed) {
            detail::store(to, id(type));
            to += 4;
        }
        detail::store(to, static_cast<std::uint32_t>(n));
        if (n)
            detail::store(to + bytes - 4, std::uint32_t{0});
        detail::copy_short(to + 4, reinterpret_cast<const std::byte*>(text.data()), text.size());
        return Errc::ok;
    }
    Errc enter(Type type, std::uint32_t count) {
        if (count > max_count)
            return refused(Errc::too_large, type);
        if (depth_ >= options_.max_depth && count)
            return refused(Errc::depth_limit, type);
        ++depth_;
        return Errc::ok;
    }

    Errc container_type(const ContainerType& type) {
        if (type.kind == ContainerKind::untyped)
            return Errc::ok;
        if (type.kind != ContainerKind::builtin)
            return record(Type::string, type.name);
        if (id(type.type) == Dialect::absent)
            return lacks(type.type);
        return word(id(type.type));
    }

    /// Pandemonium's form (wire-format 2.9).
    Errc begin_typed_array(std::uint32_t head, const ContainerType& element, std::uint32_t count) {
        if (element.kind == ContainerKind::class_name) {
            const bool by_id = element.name == encoded_object_as_id;
            if (const Errc code = words(head | (by_id ? flag : 0u), id(Type::object));
                code != Errc::ok)
                return code;
            if (!by_id)
                if (const Errc code = string_name(element.name); code != Errc::ok)
                    return code;
            return word(count);
        }
        if (element.kind == ContainerKind::script || element.type == Type::object ||
            !element.typed() || id(element.type) == Dialect::absent)
            return lacks(Type::array, "with such an element type");
        if (const Errc code = words(head, id(element.type)); code != Errc::ok)
            return code;
        return word(count);
    }

    static void components_to(std::byte* to, const std::byte* from, std::size_t components,
                              std::size_t component, bool widen, bool host_order) noexcept {
        if (widen) {
            for (std::size_t i = 0; i < components; ++i)
                detail::store(to + 8 * i, static_cast<double>(
                                              detail::component<float>(from + 4 * i, host_order)));
            return;
        }
        if (detail::host_is_little || !host_order || component == 1) {
            detail::copy_short(to, from, components * component);
            return;
        }
        for (std::size_t i = 0; i < components; ++i)
            for (std::size_t b = 0; b < component; ++b)
                to[i * component + b] = from[i * component + component - 1 - b];
    }

    To& out_;
    const Dialect& dialect_;
    const EncodeOptions& options_;
    const bool quick_;  ///< ints and floats of either width exist, and a flag tells them apart
    std::uint32_t depth_ = 0;
    detail::Refused refused_;
};

// Compiled once, in the library.
extern template class Encoder<BufferOutput>;
extern template class Encoder<ReservedOutput>;
extern template class Encoder<RetriedOutput>;

}  // namespace gdvar
