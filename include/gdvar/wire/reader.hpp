// Reader: loops over a Scanner and drives a sink. See docs/architecture.md for sinks and sources.
#pragma once

#include <expected>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/detail/any_sink.hpp"
#include "gdvar/wire/detail/entry_stack.hpp"
#include "gdvar/wire/detail/scanner.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/quirk.hpp"
#include "gdvar/wire/sink.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {

/// Selects the Scanner's rules by the dialect's rows, keeps the open containers, passes values to
/// the sink and makes Errors from refusals: it is the Scanner's log.
template <class Sink>
class Reader {
    static constexpr bool has_at = requires(Sink& s) { s.at(std::size_t{}); };
    static constexpr bool has_raw = HearsRaw<Sink>;
    static constexpr bool has_quirk = HearsQuirks<Sink>;
    /// False if every sink of this class needs more than the values.
    static constexpr bool may_be_fast =
        (!has_raw && !has_quirk) || requires(const Sink& s) { s.hears_quirks; };

public:
    Reader(ByteView bytes, const DecodeOptions& options, Sink& sink) noexcept
        : options_(options),
          dialect_(*options.dialect),
          sink_(sink),
          base_(bytes.data()),
          size_(bytes.size()),
          // The root is owed its header.
          scan_{base_,
                base_,
                base_ + size_,
                aside(sink) ? size_ - 4 : size_,
                aside(sink) ? 0u : 4u,
                options.limits.max_nodes,
                1,
                false},
          noting_(hears_quirks(sink) || options.strict),
          page_wide_(options.real_width == 8 && dialect_.documented),
          fast_(!noting_ && !page_wide_ && !hears_raw(sink)) {}

    [[nodiscard]] std::expected<std::size_t, Error> run() {
        if (!start() || !values() || !finish())
            return std::unexpected(error_);
        return position();
    }

    // ---- the log of the Scanner -----------------------------------------------------------

    static constexpr bool sets_aside = !requires { requires Sink::reads_to_the_break; };
    bool sets_aside_now() const noexcept
        requires requires(const Sink& sink) { sink.to_the_break; }
    {
        return aside(sink_);
    }
    static constexpr bool checked = false;
    bool noting() const noexcept { return noting_; }
    void raw([[maybe_unused]] Field field, [[maybe_unused]] const std::byte* from,
             [[maybe_unused]] std::uint64_t size) {
        if constexpr (has_raw)
            if (size && hears_raw(sink_))
                sink_.raw(field, offset(from), static_cast<std::size_t>(size));
    }
    [[gnu::noinline]] bool note(Quirk quirk, const std::byte* where) {
        if (options_.strict && strict_code(quirk) != Errc::ok)
            return fail(strict_code(quirk), Type::nil, where);
        if constexpr (has_quirk)
            sink_.quirk(quirk, offset(where));
        return true;
    }
    /// Inlined, so that the compiler sees that it is false.
    [[gnu::always_inline]] bool refuse(Errc code, const std::byte* where = nullptr) {
        (void)fail(code, type_, where ? where : scan_.value);
        return false;
    }
    /// `need` is the current value's lack, and all that is owed to open containers behind it.
    [[gnu::always_inline]] bool lacks(std::uint64_t n) {
        (void)fail(Errc::truncated, type_, scan_.value, n + scan_.owed);
        return false;
    }

    // ---- a step at a time, for Cursor ----------------------------------------------------

    /// A position to go back to.
    struct Mark {
        Scanner scan;
        std::size_t depth;
    };

    bool start() {
        if (size_ > options_.limits.max_bytes)
            return fail(Errc::size_limit, Type::nil, base_);
        if (size_ < 4)
            return fail(Errc::truncated, Type::nil, base_, 4 - size_);
        return scan_.nodes-- != 0 || fail(Errc::node_limit, Type::nil, base_);
    }
    bool finish() {
        return !options_.strict || position() == size_ ||
               fail(Errc::trailing_bytes, Type::nil, scan_.at);
    }
    /// Reads one value; a container that has children is entered.
    bool next() {
        std::uint32_t children = 0;
        bool object = false;
        return value(children, object) && (!children || enter(children, object));
    }
    /// Reads the name of an Object's next property.
    bool property() {
        type_ = Type::object;
        scan_.value = scan_.at;
        std::string_view name;
        if (!scan_.template take_text<Length::owed>(name, dialect_.utf8, *this))
            return false;
        announce(scan_);
        if (!gave(sink_.property(name)))
            return false;
        return dialect_.script != ScriptForm::resource_path || name != "script" ||
               scan_.script_follows(dialect_, *this);
    }
    /// Enters a container without children, for a caller that leaves it itself.
    bool enter_empty() {
        return push(scan_, 0, false) || fail(Errc::no_memory, Type::nil, scan_.at);
    }
    /// Returns to the container around the innermost one.
    void leave() noexcept { leave(scan_); }
    /// Takes nothing more.
    void stop() noexcept {
        scan_.left = 0;
        scan_.object = false;
    }
    /// The text of the next value, whose header has given the type.
    bool take_text(std::string_view& text, Type type) {
        type_ = type;
        (void)scan_.begin();
        return scan_.take_text(text, dialect_.utf8, *this);
    }
    /// Enters the next value if it is an Array or Dictionary (`pairs`) with exactly this header and
    /// may be entered; else changes nothing.
    bool enter_if(std::uint64_t header, bool pairs, std::uint32_t& count) noexcept {
        if (!scan_.next_is(header) || stack_.size() >= options_.limits.max_depth ||
            !stack_.reserve_one())
            return false;
        Scanner ahead = scan_.ahead();
        return ahead.take_count(count, pairs, Unobserved{}) && scan_.accept(ahead) &&
               push(scan_, count << pairs, false);
    }
    Scanner& scanner() noexcept { return scan_; }
    const Scanner& scanner() const noexcept { return scan_; }
    std::uint32_t header() const noexcept { return load<std::uint32_t>(scan_.at); }
    std::size_t depth() const noexcept { return stack_.size(); }
    std::size_t position() const noexcept { return offset(scan_.at); }
    std::size_t value_start() const noexcept { return offset(scan_.value); }
    ByteView bytes() const noexcept { return {base_, size_}; }
    const Error& error() const noexcept { return error_; }

    Mark mark() const noexcept {
        Mark out{scan_.local(), stack_.size()};
        // These were just written, one by one.
        do_not_optimize(out.scan.at), do_not_optimize(out.scan.slack);
        return out;
    }
    /// `mark` was made in the innermost open container, or in one around it that was not left
    /// since.
    void go_back(const Mark& mark) noexcept {
        scan_.go_on_from(mark.scan);
        scan_.object = mark.scan.object;
        while (stack_.size() > mark.depth)
            stack_.pop();
    }

private:
    // ---- the walk -----------------------------------------------------------------------

    /// An open container around the innermost one. Copied by member, as it is written: see
    /// `Scanner::go_on_from`.
    struct Entry {
        std::uint32_t left;
        bool object;
    };

    bool values() {
        for (;;) {
            if constexpr (sets_aside && may_be_fast) {
                bool whole = false;
                if (fast_ && aside(sink_) && !scan_.object && !fast_values(whole))
                    return false;
                if (whole)
                    return true;
            }
            if (scan_.object && !property())
                return false;
            std::uint32_t children = 0;
            bool object = false;
            if (!value(children, object))
                return false;
            if (children) {
                if (!enter(children, object))
                    return false;
                continue;
            }
            while (scan_.left == 0) {
                if (stack_.empty())
                    return true;
                if (!gave(sink_.end()))
                    return false;
                leave();
            }
        }
    }

    bool enter(std::uint32_t children, bool object) {
        if (stack_.size() >= options_.limits.max_depth)
            return fail(Errc::depth_limit, Type::nil, scan_.at);
        return push(scan_, children, object) || fail(Errc::no_memory, Type::nil, scan_.at);
    }
    [[gnu::always_inline]] bool push(Scanner& s, std::uint32_t children, bool object) noexcept {
        if (!stack_.push({s.left, s.object})) [[unlikely]]
            return false;
        s.left = children;
        s.object = object;
        return true;
    }
    [[gnu::always_inline]] void leave(Scanner& s) noexcept {
        s.left = stack_.top().left;
        s.object = stack_.top().object;
        stack_.pop();
    }
    [[gnu::always_inline]] void announce(const Scanner& s) {
        if constexpr (has_at)
            sink_.at(offset(s.value));
    }

    // ---- the fast path ------------------------------------------------------------------

    /// Reads values of the forms in Dialect::fast_forms as long as they are valid, with the Scanner
    /// in registers. `value` reads, or refuses, the first one that is not, or that exceeds the
    /// bytes. Nothing is accepted here that is refused there. The size comes from the type where
    /// possible: a processor predicts a jump, but must wait for a number. Aligned, or its speed
    /// changes by a tenth with the code before it.
    [[gnu::aligned(64)]] GDVAR_NO_STACK_PROTECTOR bool fast_values(bool& whole) {
        Scanner s = scan_.local();
        const FastForm* const forms = dialect_.fast_forms.data();
        const std::uint64_t text_header = dialect_.headers.string;
        const std::uint64_t integer_header = dialect_.headers.integer;
        Errc code = Errc::ok;
        for (;;) {
            const std::uint32_t header = s.begin();
            std::string_view text;
            std::int32_t number;
            // Most keys have the one header, many values the other.
            if (header == text_header && s.take_short_text(text)) [[likely]] {
                announce(s);
                code = sink_.string(text);
            } else if (header == integer_header && s.take_number(number, Unobserved{})) {
                announce(s);
                code = sink_.integer(number);
            } else if (header & 0xFFFE'FFC0u) [[unlikely]] {
                // More than an id, and bit 16, which selects the second half of the table.
                s.back();
                break;
            } else if (!fast_value(s, header, forms[(header | header >> 10) & 127u], code)) {
                s.back();
                break;
            }
            if (code != Errc::ok) [[unlikely]]
                break;
            if (s.left == 0 && !close(s, whole, code))
                break;
        }
        scan_.go_on_from(s);
        scan_.object = s.object;
        return code == Errc::ok || fail(code, Type::nil, s.value);
    }

    /// False if `value` must read it.
    [[gnu::always_inline]] bool fast_value(Scanner& s, std::uint32_t header, const FastForm& form,
                                           Errc& code) {
        const bool flagged = header >> 16;
        bool wide = flagged;
        switch (form.kind) {
            case FastForm::none:
                return false;
            case FastForm::nil:
                announce(s);
                code = sink_.nil();
                return true;
            case FastForm::boolean: {
                std::uint32_t truth;
                if (!s.take_number(truth, Unobserved{}))
                    return false;
                announce(s);
                code = sink_.boolean(truth != 0);
                return true;
            }
            case FastForm::integer8:
                wide = true;
                [[fallthrough]];
            case FastForm::integer: {
                std::int64_t number;
                if (!s.take_integer(wide, number, Unobserved{}))
                    return false;
                announce(s);
                code = sink_.integer(number);
                return true;
            }
            case FastForm::real8:
                wide = true;
                [[fallthrough]];
            case FastForm::real: {
                double number;
                if (!s.take_real(wide, number, Unobserved{}))
                    return false;
                announce(s);
                code = sink_.real(number);
                return true;
            }
            case FastForm::string:
            case FastForm::string_name: {
                std::string_view text;
                if (!s.take_text(text, dialect_.utf8, Unobserved{}))
                    return false;
                announce(s);
                code = form.kind == FastForm::string ? sink_.string(text) : sink_.string_name(text);
                return true;
            }
            case FastForm::math: {
                if (!s.take_bytes<12, 8, 16>(form.bytes, Unobserved{}))
                    return false;
                announce(s);
                const TypeRow& row = dialect_.rows[header & 63u];
                code =
                    sink_.math(MathView{row.type, flagged && row.wide_bytes, false, s.value + 4});
                return true;
            }
            case FastForm::packed: {
                std::uint32_t n;
                if (!s.take_packed(n, form.bytes, Unobserved{}))
                    return false;
                announce(s);
                const TypeRow& row = dialect_.rows[header & 63u];
                code = sink_.packed(
                    PackedView{row.type, flagged && row.wide_bytes, false, n, s.value + 8});
                return true;
            }
            case FastForm::array:
            case FastForm::dictionary:
                return fast_container(s, form.kind == FastForm::dictionary, code);
        }
        return false;
    }

    [[gnu::always_inline]] bool fast_container(Scanner& s, bool pairs, Errc& code) {
        std::uint32_t n;
        if (stack_.size() >= options_.limits.max_depth || !s.take_count(n, pairs, Unobserved{}))
            [[unlikely]]
            return false;
        announce(s);
        code = pairs ? sink_.begin_dictionary(ContainerType(), ContainerType(), n)
                     : sink_.begin_array(Type::array, ContainerType(), n);
        if (code != Errc::ok) [[unlikely]]
            return true;
        if (n == 0) {
            code = sink_.end();
        } else if (!push(s, n << pairs, false)) [[unlikely]] {
            s.value = s.at;
            code = Errc::no_memory;
        }
        return true;
    }

    /// Ends every full container. False when the fast path ends, too: with the packet, in an
    /// Object, whose properties have names, or with an error.
    [[gnu::always_inline]] bool close(Scanner& s, bool& whole, Errc& code) {
        do {
            if (stack_.empty()) {
                whole = true;
                return false;
            }
            code = sink_.end();
            if (code != Errc::ok) [[unlikely]]
                return false;
            leave(s);
        } while (s.left == 0);
        return !s.object;
    }

    // ---- one value, by its row ----------------------------------------------------------

    /// Reads one packet. A container with children is only opened: `children` is the number of
    /// values that follow, and `object` tells whether each has a property name.
    bool value(std::uint32_t& children, bool& object) {
        type_ = Type::nil;
        scan_.value = scan_.at;
        if (!scan_.claim_owed(*this))
            return false;
        const std::uint32_t header = scan_.begin();
        const std::uint32_t id = header & dialect_.type_mask;
        if (id >= dialect_.row_count) [[unlikely]]
            return unknown_type();
        const TypeRow& row = dialect_.rows[id];
        type_ = row.type;
        raw(Field::header, scan_.value, 4);
        announce(scan_);
        if (noting_ && header & ~(0xFFu | row.flags) && !note(Quirk::header_bits, scan_.value))
            return false;
        const bool flag = header & row.flags & 0x1'0000u;
        switch (row.shape) {
            case Shape::absent:
                return unknown_type();
            case Shape::unsupported:
                return refuse(Errc::unsupported_type);
            case Shape::nothing:
                return nothing(row);
            case Shape::boolean:
                return boolean();
            case Shape::integer:
                return integer(flag || row.bytes == 8);
            case Shape::real:
                return real(flag || row.bytes == 8);
            case Shape::string: {
                std::string_view text;
                return scan_.take_text(text, dialect_.utf8, *this) && gave(sink_.string(text));
            }
            case Shape::string_name: {
                std::string_view text;
                return scan_.take_text(text, dialect_.utf8, *this) && gave(sink_.string_name(text));
            }
            case Shape::math:
                return math(row, (flag || page_wide_) && row.wide_bytes);
            case Shape::node_path: {
                NodePathView path;
                return scan_.take_node_path(path, options_, *this) && gave(sink_.node_path(path));
            }
            case Shape::rid: {
                std::uint64_t rid;
                return scan_.take_id(rid, Field::value, *this) && gave(sink_.rid(rid));
            }
            case Shape::object:
                return object_value(flag, children, object);
            case Shape::signal: {
                std::string_view name;
                std::uint64_t of;
                return scan_.take_signal(name, of, dialect_.utf8, *this) &&
                       gave(sink_.signal(name, of));
            }
            case Shape::dictionary:
            case Shape::array:
            case Shape::typed_array:
                return container(row, header, children);
            case Shape::packed:
                return packed(row, (flag || page_wide_) && row.wide_bytes);
            case Shape::packed_bytes: {
                std::uint32_t n;
                return scan_.take_packed_bytes(n, *this) &&
                       gave(sink_.packed(PackedView{row.type, false, false, n, scan_.value + 8}));
            }
            case Shape::packed_strings:
                return packed_strings();
            case Shape::image: {
                ImageView image;
                return scan_.take_image(image, *this) && gave(sink_.image(image));
            }
            case Shape::input_event: {
                InputEventView event;
                return scan_.take_input_event(event, *this) && gave(sink_.input_event(event));
            }
        }
        return unknown_type();
    }

    bool nothing(const TypeRow& row) {
        if (row.type == Type::nil)
            return gave(sink_.nil());
        if (row.type == Type::callable)
            return gave(sink_.callable());
        if (row.type == Type::rid)
            return gave(sink_.rid(0));
        if (row.type == Type::signal)
            return gave(sink_.signal({}, 0));
        return gave(sink_.object_null());
    }

    bool boolean() {
        std::uint32_t truth;
        if (!scan_.take_number(truth, *this))
            return false;
        raw(Field::value, scan_.value + 4, 4);
        if (noting_ && truth > 1 && !note(Quirk::bool_value, scan_.value + 4))
            return false;
        return gave(sink_.boolean(truth != 0));
    }

    bool integer(bool wide) {
        std::int64_t number;
        if (!scan_.take_integer(wide, number, *this))
            return false;
        raw(Field::value, scan_.value + 4, wide ? 8 : 4);
        if (noting_ && wide && dialect_.numbers == NumberWidth::by_value &&
            number == static_cast<std::int32_t>(number) && !note(Quirk::wide_integer, scan_.value))
            return false;
        return gave(sink_.integer(number));
    }

    bool real(bool wide) {
        double number;
        if (!scan_.take_real(wide, number, *this))
            return false;
        raw(Field::value, scan_.value + 4, wide ? 8 : 4);
        if (noting_ && wide && dialect_.numbers != NumberWidth::eight_unflagged &&
            fits_float(number) && !note(Quirk::wide_real, scan_.value))
            return false;
        if (noting_ && !wide && number != number && dialect_.numbers != NumberWidth::narrow &&
            !note(Quirk::narrow_nan, scan_.value))
            return false;
        return gave(sink_.real(number));
    }

    bool math(const TypeRow& row, bool wide) {
        const std::size_t bytes = wide ? row.wide_bytes : row.bytes;
        if (!scan_.take_bytes(bytes, *this))
            return false;
        const std::byte* data = scan_.value + 4;
        raw(Field::value, data, bytes);
        if (!note_engine(row))
            return false;
        if (row.unpack) [[unlikely]] {
            Scanner payload = Scanner::reread(data, scan_.at);
            if (!row.unpack(payload, scratch_))
                return refuse(Errc::unsupported_type);
            data = scratch_;
        } else if (dialect_.matrix == MatrixOrder::columns &&
                   (row.type == Type::basis || row.type == Type::transform3d)) [[unlikely]] {
            const std::size_t component = wide ? 8 : 4;
            transpose_3x3(scratch_, data, component);
            std::memcpy(scratch_ + 9 * component, data + 9 * component, bytes - 9 * component);
            data = scratch_;
        }
        return gave(sink_.math(MathView{row.type, wide, false, data}));
    }

    bool packed(const TypeRow& row, bool wide) {
        std::uint32_t n;
        return scan_.take_packed(n, wide ? row.wide_bytes : row.bytes, *this) && note_engine(row) &&
               gave(sink_.packed(PackedView{row.type, wide, false, n, scan_.value + 8}));
    }

    bool packed_strings() {
        std::uint32_t count;
        if (!scan_.take_strings_count(count, *this))
            return false;
        if (!gave(sink_.begin_packed_strings(count)))
            return false;
        std::string_view text;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::byte* const at = scan_.at;
            if (!scan_.template take_text<Length::owed>(text, dialect_.utf8, *this))
                return false;
            if (noting_ && dialect_.string_array_nul && !text.ends_with('\0') &&
                !note(Quirk::no_final_nul, at))
                return false;
            if constexpr (has_at)
                sink_.at(offset(at));
            if (!gave(sink_.packed_string(element_text(text, dialect_.string_array_nul))))
                return false;
        }
        return gave(sink_.end());
    }

    bool container(const TypeRow& row, std::uint32_t header, std::uint32_t& children) {
        ContainerType first, second;
        const bool pairs = row.shape == Shape::dictionary;
        std::uint32_t count;
        if (!scan_.take_types(header, row, first, second, options_, *this) ||
            !scan_.take_count(count, pairs, *this))
            return false;
        const Type type = row.type == Type::packed_typed_array ? row.type : Type::array;
        if (!gave(pairs ? sink_.begin_dictionary(first, second, count)
                        : sink_.begin_array(type, first, count)))
            return false;
        children = count << pairs;
        return count || gave(sink_.end());
    }

    bool object_value(bool by_id, std::uint32_t& children, bool& object) {
        if (by_id) {
            std::uint64_t id;
            return scan_.take_id(id, Field::object_id, *this) && gave(sink_.object_id(id));
        }
        if (!options_.allow_objects && !dialect_.null_object_free)
            return forbidden();
        std::string_view name;
        if (!scan_.take_text(name, dialect_.utf8, *this))
            return false;
        if (name.empty())
            return gave(sink_.object_null());
        if (!options_.allow_objects)
            return forbidden();
        if (!scan_.take_property_count(children, *this) ||
            !gave(sink_.begin_object(name, children)))
            return false;
        object = true;
        return children || gave(sink_.end());
    }

    /// Pandemonium's reader miscounts some types.
    bool note_engine(const TypeRow& row) {
        return !noting_ || !(row.engine_counts || row.engine_demands) ||
               note(Quirk::engine_miscounts, scan_.value);
    }

    // ---- refusing -----------------------------------------------------------------------

    bool gave(Errc code) {
        if (code == Errc::ok) [[likely]]
            return true;
        return fail(code, Type::nil, scan_.value);
    }
    [[gnu::cold, gnu::noinline]] bool unknown_type() {
        error_ = Error{Errc::unknown_type, Type::nil, value_start()}.about_type_id(
            load<std::uint32_t>(scan_.value) & dialect_.type_mask);
        return false;
    }
    /// Refuses an Object in full. The error names the class if its bytes are there.
    [[gnu::cold, gnu::noinline]] bool forbidden() {
        (void)refuse(Errc::objects_forbidden);
        const auto name = Scanner::reread(scan_.value + 4, base_ + size_).text_ahead();
        if (!name.empty())
            error_ = error_.about_key(name);
        return false;
    }
    [[gnu::cold, gnu::noinline]] bool fail(Errc code, Type type, const std::byte* where,
                                           std::uint64_t need = 0) {
        error_ = {code, type, offset(where), need};
        return false;
    }
    std::size_t offset(const std::byte* at) const noexcept {
        return static_cast<std::size_t>(at - base_);
    }

    /// True if the least bytes still owed are set aside.
    [[gnu::always_inline]] static bool aside([[maybe_unused]] const Sink& sink) noexcept {
        if constexpr (requires { sink.to_the_break; })
            return !sink.to_the_break;
        else
            return sets_aside;
    }
    static bool hears_raw([[maybe_unused]] const Sink& sink) noexcept {
        if constexpr (requires { sink.hears_raw; })
            return some_sink_hears_raw && sink.hears_raw;
        else
            return has_raw;
    }
    static bool hears_quirks([[maybe_unused]] const Sink& sink) noexcept {
        if constexpr (requires { sink.hears_quirks; })
            return sink.hears_quirks;
        else
            return has_quirk;
    }

    const DecodeOptions& options_;
    const Dialect& dialect_;
    Sink& sink_;
    const std::byte* base_;
    std::size_t size_;
    Scanner scan_;
    bool noting_;
    bool page_wide_;
    bool fast_;
    Type type_ = Type::nil;  ///< of the current value, for errors
    Error error_{};
    EntryStack<Entry, 32> stack_;
    alignas(8) std::byte scratch_[128];
};

}  // namespace detail

/// Reads one packet from the start of `bytes` and drives `sink` with its content; returns the
/// packet's size in bytes (never more than there are). Bytes after the packet are ignored, unless
/// `options.strict`.
///
/// Iterative, allocates nothing but its own stack past 32 open containers, and refuses as soon as
/// the least bytes still owed by all open containers exceed the rest, before the sink hears of the
/// container: a sink may reserve room for every count.
///
/// Errors: truncated, unknown_type, bad_length, bad_utf8, bad_container_type, bad_node_path,
/// bad_script, unsupported_type, depth_limit, size_limit, node_limit, objects_forbidden, no_memory;
/// with `strict` also trailing_bytes, nonzero_padding, missing_padding, wide_number, unknown_flags,
/// not_canonical (duplicate keys: see `validate`); and the sink's own. Rules: wire-format 1 and 2.
template <class S>
[[nodiscard]] std::expected<std::size_t, Error> read(ByteView bytes, const DecodeOptions& options,
                                                     S&& sink) {
    static_assert(Sink<std::remove_reference_t<S>>, "this class lacks a member of a sink");
    using Given = std::remove_reference_t<S>;
    if constexpr (detail::MayBeAnySink<Given>) {
        detail::SinkAsAny<Given> any(sink);
        return detail::read_any(bytes, options, any);
    } else {
        return detail::Reader<Given>(bytes, options, sink).run();
    }
}

}  // namespace gdvar
