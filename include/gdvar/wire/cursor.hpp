// Cursor: reads a packet forward, a value at a time, for hand-written loops and struct binding.
#pragma once

#include <expected>
#include <iterator>
#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/detail/converting.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {

/// The texts of a PackedStringArray, or any run of checked counted strings; borrowed from the
/// packet.
class PackedStringsView {
public:
    PackedStringsView() = default;
    /// `counts_nul`: as `Dialect::string_array_nul`.
    PackedStringsView(const std::byte* records, std::uint32_t count, bool counts_nul) noexcept
        : records_(records), count_(count), counts_nul_(counts_nul) {}
    std::uint32_t size() const noexcept { return count_; }
    /// Calls `use(std::string_view)` for each, without a final NUL that the wire counts.
    template <class Use>
    void each(Use&& use) const {
        const std::byte* at = records_;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const auto record = detail::record_at(at);
            use(detail::element_text(record.text, counts_nul_));
            at = record.next;
        }
    }

private:
    const std::byte* records_ = nullptr;
    std::uint32_t count_ = 0;
    bool counts_nul_ = true;
};

/// The elements of a packed array within the packet: borrowed, unaligned, little-endian.
template <PackedElement T>
class PackedSpan {
public:
    using value_type = T;
    PackedSpan() = default;
    explicit PackedSpan(const PackedView& view) noexcept : view_(view) {}
    std::size_t size() const noexcept { return view_.count; }
    bool empty() const noexcept { return view_.count == 0; }
    /// `i` must be below size().
    T operator[](std::size_t i) const noexcept {
        if constexpr (MathType<T>)
            return MathView{MathTraits<T>::type, MathTraits<T>::wide, view_.host_order,
                            view_.data + i * sizeof(T)}
                .template as<T>();
        else
            return view_.component_at<T>(i);
    }
    /// Copies all elements to `to`, which has room for size() of them.
    void copy_to(T* to) const noexcept {
        if constexpr (detail::host_is_little) {
            if (view_.count)
                std::memcpy(static_cast<void*>(to), view_.data, view_.size());
        } else {
            for (std::size_t i = 0; i < size(); ++i)
                to[i] = (*this)[i];
        }
    }
    /// The bytes within the packet.
    ByteView bytes() const noexcept { return view_.bytes(); }
    const PackedView& view() const noexcept { return view_; }

    /// Points to the PackedSpan, which must outlive it. Returns elements by value, as the packet
    /// need not be aligned.
    class iterator {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        iterator(const PackedSpan* of, std::size_t i) noexcept : of_(of), i_(i) {}
        T operator*() const noexcept { return (*of_)[i_]; }
        iterator& operator++() noexcept {
            ++i_;
            return *this;
        }
        iterator operator++(int) noexcept {
            auto old = *this;
            ++i_;
            return old;
        }
        friend bool operator==(const iterator& a, const iterator& b) noexcept {
            return a.i_ == b.i_;
        }

    private:
        const PackedSpan* of_ = nullptr;
        std::size_t i_ = 0;
    };
    iterator begin() const noexcept { return {this, 0}; }
    iterator end() const noexcept { return {this, size()}; }

private:
    PackedView view_{PackedTraits<T>::type, PackedTraits<T>::wide, false, 0, nullptr};
};

/// The Cursor's last event: a type, and the members that belong to it. Borrowed from the packet and
/// valid until the next step.
struct Event : NullSink {
    Type type;            ///< packed_typed_array and array are both arrays
    ObjectKind object;    ///< of an Object: null, id, or begun in full
    std::uint32_t count;  ///< of a container's elements, pairs, properties; of packed strings
    bool truth;
    std::int64_t whole;
    double number;
    std::uint64_t id;       ///< RID, Object id, Signal's Object
    std::string_view text;  ///< String, StringName, class, property, Signal
    /// The types of a typed container. Names in it are borrowed from the packet (wire-format 2.7).
    struct Types {
        ContainerType element;  ///< of an Array; keys of a Dictionary
        ContainerType item;     ///< values of a Dictionary
    };
    union {
        Types of;
        MathView components;
        PackedView elements;
        NodePathView path;
        ImageView picture;
        InputEventView input;
    };

    Event() noexcept {}  // the type decides which members are set

    // As a sink: stores the event.
    Errc nil() { return is(Type::nil); }
    Errc boolean(bool v) {
        truth = v;
        return is(Type::boolean);
    }
    Errc integer(std::int64_t v) {
        whole = v;
        return is(Type::integer);
    }
    Errc real(double v) {
        number = v;
        return is(Type::real);
    }
    Errc string(std::string_view v) {
        text = v;
        return is(Type::string);
    }
    Errc string_name(std::string_view v) {
        text = v;
        return is(Type::string_name);
    }
    Errc math(const MathView& v) {
        components = v;
        return is(v.type);
    }
    Errc node_path(const NodePathView& v) {
        path = v;
        return is(Type::node_path);
    }
    Errc rid(std::uint64_t v) {
        id = v;
        return is(Type::rid);
    }
    Errc object_null() {
        object = ObjectKind::null;
        return is(Type::object);
    }
    Errc object_id(std::uint64_t v) {
        id = v;
        object = ObjectKind::id;
        return is(Type::object);
    }
    Errc begin_object(std::string_view v, std::uint32_t n) {
        text = v;
        count = n;
        object = ObjectKind::full;
        return is(Type::object);
    }
    Errc property(std::string_view v) {
        text = v;
        return Errc::ok;
    }
    Errc callable() { return is(Type::callable); }
    Errc signal(std::string_view v, std::uint64_t n) {
        text = v;
        id = n;
        return is(Type::signal);
    }
    Errc begin_dictionary(const ContainerType& k, const ContainerType& v, std::uint32_t n) {
        of = {k, v};
        count = n;
        return is(Type::dictionary);
    }
    Errc begin_array(Type t, const ContainerType& e, std::uint32_t n) {
        of = {e, {}};
        count = n;
        return is(t);
    }
    Errc packed(const PackedView& v) {
        elements = v;
        return is(v.type);
    }
    Errc begin_packed_strings(std::uint32_t n) {
        count = n;
        return is(Type::packed_string_array);
    }
    Errc image(const ImageView& v) {
        picture = v;
        return is(Type::image);
    }
    Errc input_event(const InputEventView& v) {
        input = v;
        return is(Type::input_event);
    }

private:
    Errc is(Type t) noexcept {
        type = t;
        return Errc::ok;
    }
};

namespace detail {

extern template class Reader<Event>;

/// True if `n` bytes, a multiple of four, are equal. g++ calls memcmp in code that it takes for
/// cold.
template <std::size_t n>
[[gnu::always_inline]] inline bool same_words(const std::byte* a, const std::byte* b) noexcept {
    if constexpr (n > 64) {
        return std::memcmp(a, b, n) == 0;
    } else {
        std::uint64_t different = 0;
        for (std::size_t i = 0; i + 8 <= n; i += 8)
            different |= load<std::uint64_t>(a + i) ^ load<std::uint64_t>(b + i);
        if constexpr (n % 8 != 0)
            different |= load<std::uint32_t>(a + n - 4) ^ load<std::uint32_t>(b + n - 4);
        return different == 0;
    }
}

/// Takes values by their headers alone, for the Cursor's Scanner and for a copy of it alike. Each
/// function is false, with nothing changed, if another header comes next or the value is not valid.
struct CommonForms {
    const FastHeaders* headers;  ///< the dialect's, or none if every header is to be checked
    const Dialect* dialect;
    bool math_too = false;

    [[gnu::always_inline]] bool nil(Scanner& s) const noexcept {
        return s.next_is(headers->nil) && s.accept(s.ahead());
    }
    [[gnu::always_inline]] bool boolean(Scanner& s, bool& out) const noexcept {
        std::uint32_t truth;
        if (!number(s, headers->boolean, truth))
            return false;
        out = truth != 0;
        return true;
    }
    [[gnu::always_inline]] bool integer(Scanner& s, std::int64_t& out) const noexcept {
        std::int32_t narrow;
        if (!number(s, headers->integer, narrow))
            return number(s, headers->wide_integer, out);
        out = narrow;
        return true;
    }
    [[gnu::always_inline]] bool real(Scanner& s, double& out) const noexcept {
        float narrow;
        if (number(s, headers->wide_real, out))
            return true;
        if (!number(s, headers->real, narrow))
            return false;
        out = static_cast<double>(narrow);
        return true;
    }
    template <std::size_t n>
    [[gnu::always_inline]] bool same_text(Scanner& s, std::uint64_t header,
                                          const std::byte* record) const noexcept {
        if (!s.next_is(header))
            return false;
        Scanner ahead = s.ahead();
        return ahead.take_same<n>(record) && s.accept(ahead);
    }
    template <MathType T>
    [[gnu::always_inline]] bool math(Scanner& s, T& out) const noexcept {
        using Traits = MathTraits<T>;
        if (!s.next_is(math_header(Traits::type, Traits::wide)))
            return false;
        Scanner ahead = s.ahead();
        if (!ahead.take_bytes(sizeof(T), Unobserved{}))
            return false;
        s.accept(ahead);
        out = MathView{Traits::type, Traits::wide, false, s.value + 4}.template as<T>();
        return true;
    }

    /// The header of a math value whose payload is its components.
    std::uint64_t math_header(Type type, bool wide) const noexcept {
        const std::uint8_t id = dialect->id_of[static_cast<std::size_t>(type)];
        if (!math_too || id == Dialect::absent)
            return FastHeaders::never;
        const FastForm& form = dialect->fast_forms[id + (wide ? Dialect::max_types : 0)];
        return form.kind == FastForm::math ? id | (wide ? 0x1'0000u : 0u) : FastHeaders::never;
    }

private:
    template <class T>
    [[gnu::always_inline]] static bool number(Scanner& s, std::uint64_t header, T& out) noexcept {
        if (!s.next_is(header))
            return false;
        Scanner ahead = s.ahead();
        return ahead.take_number(out, Unobserved{}) && s.accept(ahead);
    }
};

/// Passes an event, whose header is at `start`, to a sink. Containers are only begun; the caller
/// ends an empty one.
template <Sink S>
Errc give_event(const Event& e, const std::byte* start, const Dialect& dialect, S& sink) {
    switch (e.type) {
        case Type::nil:
            return sink.nil();
        case Type::boolean:
            return sink.boolean(e.truth);
        case Type::integer:
            return sink.integer(e.whole);
        case Type::real:
            return sink.real(e.number);
        case Type::string:
            return sink.string(e.text);
        case Type::string_name:
            return sink.string_name(e.text);
        case Type::node_path:
            return sink.node_path(e.path);
        case Type::rid:
            return sink.rid(e.id);
        case Type::object:
            if (e.object == ObjectKind::null)
                return sink.object_null();
            if (e.object == ObjectKind::id)
                return sink.object_id(e.id);
            return sink.begin_object(e.text, e.count);
        case Type::callable:
            return sink.callable();
        case Type::signal:
            return sink.signal(e.text, e.id);
        case Type::dictionary:
            return sink.begin_dictionary(e.of.element, e.of.item, e.count);
        case Type::array:
        case Type::packed_typed_array:
            return sink.begin_array(e.type, e.of.element, e.count);
        case Type::packed_string_array: {
            Errc code = sink.begin_packed_strings(e.count);
            const PackedStringsView texts(start + 8, e.count, dialect.string_array_nul);
            texts.each([&](std::string_view text) {
                if (code == Errc::ok)
                    code = sink.packed_string(text);
            });
            return code == Errc::ok ? sink.end() : code;
        }
        case Type::image:
            return sink.image(e.picture);
        case Type::input_event:
            return sink.input_event(e.input);
        default:
            return type_info(e.type).packed ? sink.packed(e.elements) : sink.math(e.components);
    }
}

}  // namespace detail

/// Reads one packet forward. Allocates nothing up to 32 open containers; copies nothing.
///
/// Each member reads the next value as the type of its name. The first error sticks: from then on
/// every member returns nil, 0 or empty at once, `more` is false, `error` has code and offset, and
/// `path` the place; so a loop may check once, at its end. Skipped values are fully validated.
///
///     Cursor cursor(packet);
///     for (std::uint32_t n = cursor.begin_array(); n && cursor; --n) use(cursor.real());
///     cursor.end();
///     if (auto size = cursor.finish(); !size) report(cursor.error(), cursor.path());
///
/// Errors: those of `read` (wire/reader.hpp), at the same offsets; wrong_type if the value has
/// another type and the table of conversions (wire/conversion.hpp) has no row for it,
/// number_out_of_range if a check of that table fails, misplaced for a step that is not allowed
/// here. Bytes, and the options' dialect, are borrowed and must outlive the Cursor.
class Cursor {
public:
    explicit Cursor(ByteView bytes, const DecodeOptions& options = default_decode_options) noexcept;
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    bool ok() const noexcept { return error_.code == Errc::ok; }
    explicit operator bool() const noexcept { return ok(); }
    const Error& error() const noexcept { return error_; }
    /// The path of the error: `$.players[3].pos`.
    std::string path() const { return error_path(reader_.bytes(), options_, error_); }
    /// Offset of the next value's header.
    std::size_t offset() const noexcept { return reader_.position(); }
    const DecodeOptions& options() const noexcept { return options_; }

    /// True if the innermost open container, or the packet, has another value (or property) here.
    bool more() const noexcept { return reader_.scanner().left != 0; }
    /// True if a property's name comes next (the innermost container is an Object in full).
    bool at_property() const noexcept { return more() && in_object() && !named_; }
    /// Type of the next value by its header, without reading it; nil at the end, or if the header
    /// is not of this dialect (reading it then gives the error).
    Type peek() const noexcept;
    // ---- values -------------------------------------------------------------------------

    void nil();
    /// Takes the next value if it is nil.
    bool take_nil() noexcept { return unnamed() ? forms().nil(scanner()) : slow_take_nil(); }
    bool boolean() {
        bool out;
        return unnamed() && forms().boolean(scanner(), out) ? out : slow_boolean();
    }
    /// An int, or a float without a fraction.
    std::int64_t integer() {
        std::int64_t out;
        return unnamed() && forms().integer(scanner(), out) ? out : slow_integer();
    }
    /// A float, or an int that a float holds exactly (as engines convert).
    double real() {
        double out;
        return unnamed() && forms().real(scanner(), out) ? out : slow_real();
    }
    /// Takes consecutive ints, or floats, up to `n`; returns their number. Never an error:
    /// `integer` or `real` reads any other value.
    std::size_t take(std::int64_t* to, std::size_t n) noexcept;
    std::size_t take(double* to, std::size_t n) noexcept;
    /// The text of a String or StringName, borrowed from the packet.
    std::string_view string();
    /// A math struct of that type. Components of the other width are widened or rounded.
    template <MathType T>
    T math() {
        T out{};
        (void)math(out);
        return out;
    }
    template <MathType T>
    bool math(T& out) {
        if (unnamed() && forms().math(scanner(), out)) [[likely]]
            return true;
        const MathView view = math_view(MathTraits<T>::type);
        double refused;
        if (!ok() || detail::to_math(view, rounds_, out, refused))
            return ok();
        return refuse_number<float>(refused, MathTraits<T>::type);
    }
    /// A packed array with exactly those elements, borrowed from the packet.
    template <PackedElement T>
    PackedSpan<T> packed() {
        using Traits = PackedTraits<T>;
        const PackedView view = packed_view(Traits::type);
        // The span points to the packet, so nothing is converted.
        if (ok() && view.wide != Traits::wide)
            refuse(Errc::number_out_of_range, Traits::type, last_offset());
        return ok() ? PackedSpan<T>(view) : PackedSpan<T>();
    }
    /// A packed array of that type, of either width.
    PackedView packed_view(Type type);
    PackedStringsView packed_strings();
    NodePathView node_path();
    std::uint64_t rid();
    /// An Object's id, 0 for null. Errors besides: wrong_type for one in full.
    std::uint64_t object_id();

    // ---- containers -----------------------------------------------------------------------

    /// Enters an Array; returns the number of elements.
    std::uint32_t begin_array() {
        std::uint32_t count;
        if (unnamed() && reader_.enter_if(forms_.headers->array, false, count)) [[likely]]
            return count;
        return slow_begin_array();
    }
    /// Enters a Dictionary; returns the number of pairs, each a key and a value.
    std::uint32_t begin_dictionary() {
        std::uint32_t count;
        if (unnamed() && reader_.enter_if(forms_.headers->dictionary, true, count)) [[likely]]
            return count;
        return slow_begin_dictionary();
    }
    /// Enters an Object in full (`allow_objects`); returns the number of properties.
    std::uint32_t begin_object();
    /// The name of the next property, before its value.
    std::string_view property();
    /// Leaves the innermost container; skips its remaining values.
    void end() {
        if (ok() && !more() && reader_.depth() != 0) [[likely]]
            reader_.leave();
        else
            slow_end();
    }
    /// Skips the next value with its content.
    void skip();

    /// The next value of any type. A container is entered, and must be ended with `end`. After an
    /// error: nil.
    const Event& next();
    /// Passes the next value with its content to a sink.
    template <Sink S>
    bool drive(S& sink);

    /// Call after the value: its size in bytes. Errors: the first one; misplaced if containers are
    /// open or nothing was read; with `strict` trailing_bytes.
    [[nodiscard]] std::expected<std::size_t, Error> finish();

    // ---- for bindings ---------------------------------------------------------------------

    /// The bytes from the next value's header to the end.
    std::size_t bytes_left() const noexcept { return reader_.bytes().size() - offset(); }
    /// Offset of the header of the last begun value.
    std::size_t last_offset() const noexcept { return reader_.value_start(); }
    /// Refuses the value whose header is at `offset`; the first refusal sticks. `name`, if any, is
    /// static text. Returns false.
    bool refuse(Errc code, Type type, std::size_t offset, const char* name = nullptr) noexcept {
        return refuse(Error{code, type, offset, 0, name});
    }
    /// The same, with the details of the error.
    bool refuse(const Error& error) noexcept;
    /// Replaces the details of the refusal.
    void explain(const Error& error) noexcept { error_ = error; }
    /// Refuses the last begun value because it has none of the Types in `wanted`, one bit each:
    /// wrong_type.
    bool refuse_type(std::uint64_t wanted) noexcept;
    /// Refuses a number in the last begun value because it does not convert to T:
    /// number_out_of_range.
    template <class T, class From>
    bool refuse_number(From value, Type type) noexcept {
        return refuse(
            detail::about_number<T>(Error{Errc::number_out_of_range, type, last_offset()}, value));
    }
    /// True if a float may round a number that 32 bits don't hold to the nearest. Default: true.
    bool rounds() const noexcept { return rounds_; }
    void set_rounds(bool rounds) noexcept { rounds_ = rounds; }
    /// Takes a String or StringName packet of exactly that record (length, text, zero padding).
    template <std::size_t n>
    bool take_text(const std::byte* record) noexcept {
        return unnamed() && (forms().same_text<n>(scanner(), forms_.headers->string, record) ||
                             forms().same_text<n>(scanner(), forms_.headers->string_name, record));
    }
    /// A position to go back to. Valid while the container in which it was made is open.
    struct Mark {
        detail::Reader<Event>::Mark reader;
        bool named;
    };
    /// The current position.
    Mark mark() const noexcept { return {reader_.mark(), named_}; }
    /// The number of items of the next value, if it is an Array or Dictionary without a typed
    /// header; else, or if the packet is cut before the count, UINT32_MAX.
    std::uint32_t peek_count() const noexcept {
        const detail::Scanner& s = reader_.scanner();
        if (!unnamed() ||
            (!s.next_is(forms_.headers->array) && !s.next_is(forms_.headers->dictionary)))
            return UINT32_MAX;
        return s.count_ahead();
    }
    /// Takes common values in a row, with its counters in registers: use it as a local variable.
    /// Each member takes the next value if it has exactly the header of the member's type, and is
    /// valid; else it is false, with nothing changed: the Cursor then reads the value, or refuses
    /// it. Call `keep` before the Cursor is used again.
    ///
    /// It repeats CommonForms because a whole Scanner does not stay in registers across the fields
    /// of a struct: reading structs would take a fifth longer.
    class FastPath {
    public:
        /// Inlined, or its members would be in memory.
        [[gnu::always_inline]] explicit FastPath(Cursor& cursor) noexcept : cursor_(cursor) {
            resume();
        }
        /// The innermost open container is known to be an Array or a Dictionary.
        struct Unnamed {};
        [[gnu::always_inline]] FastPath(Cursor& cursor, Unnamed) noexcept : cursor_(cursor) {
            resume(Unnamed());
        }
        /// The members of a Scanner that these forms need.
        struct Place {
            const std::byte* at;
            const std::byte* last;  ///< header of the last begun value
            std::uint64_t slack;
            std::uint32_t left;
            bool object;
        };
        FastPath(const FastPath&) = delete;
        FastPath& operator=(const FastPath&) = delete;
        [[gnu::always_inline]] void keep() noexcept {
            if (!at_.object)
                cursor_.scanner().go_on_from(at_.at, at_.last, at_.slack, at_.left);
        }
        /// Continues at the Cursor's position. Takes nothing in an Object, whose values have names.
        [[gnu::always_inline]] void resume() noexcept {
            resume(Unnamed());
            at_.object = cursor_.scanner().object;
            if (at_.object)
                at_.left = 0;
        }
        [[gnu::always_inline]] void resume(Unnamed) noexcept {
            const detail::Scanner& s = cursor_.scanner();
            const std::byte *at = s.at, *last = s.value;
            // Loaded one by one, as they were stored.
            detail::do_not_optimize(at), detail::do_not_optimize(last);
            at_ = {at, last, s.slack, s.left, false};
        }
        Place place() const noexcept { return at_; }
        void go_back(const Place& place) noexcept { at_ = place; }

        [[gnu::always_inline]] bool nil() noexcept { return take<0>(headers().nil); }
        [[gnu::always_inline]] bool boolean(bool& out) noexcept {
            if (!take<4>(headers().boolean))
                return false;
            out = detail::load<std::uint32_t>(at_.last + 4) != 0;
            return true;
        }
        [[gnu::always_inline]] bool integer(std::int64_t& out) noexcept {
            if (take<4>(headers().integer))
                out = detail::load<std::int32_t>(at_.last + 4);
            else if (take<8>(headers().wide_integer))
                out = detail::load<std::int64_t>(at_.last + 4);
            else
                return false;
            return true;
        }
        [[gnu::always_inline]] bool real(double& out) noexcept {
            if (take<8>(headers().wide_real))
                out = detail::load<double>(at_.last + 4);
            else if (take<4>(headers().real))
                out = static_cast<double>(detail::load<float>(at_.last + 4));
            else
                return false;
            return true;
        }
        [[gnu::always_inline]] bool real(float& out) noexcept {
            if (take<4>(headers().real)) {
                out = detail::load<float>(at_.last + 4);
                return true;
            }
            if (at_.left == 0 || at_.slack < 8 ||
                detail::load<std::uint32_t>(at_.at) != headers().wide_real ||
                !detail::to_float(detail::load<double>(at_.at + 4), cursor_.rounds_, out))
                return false;
            advance(8);
            return true;
        }
        /// A String of exactly that record (length, text, zero padding).
        template <std::size_t n>
        [[gnu::always_inline]] bool same_text(const std::byte* record) noexcept {
            if (at_.left == 0 || at_.slack < n ||
                detail::load<std::uint32_t>(at_.at) != headers().string ||
                !detail::same_words<n>(at_.at + 4, record))
                return false;
            advance(n);
            return true;
        }
        [[gnu::always_inline]] bool string(std::string_view& out) noexcept {
            if (at_.left == 0 || at_.slack < 4 ||
                detail::load<std::uint32_t>(at_.at) != headers().string)
                return false;
            const std::uint32_t n = detail::load<std::uint32_t>(at_.at + 4);
            const std::uint64_t bytes = detail::record_size(n);
            if (n > detail::Scanner::most_text || bytes > at_.slack)
                return false;
            const std::string_view text = detail::as_text(at_.at + 8, n);
            if (!cursor_.scanner().sound_text(text, cursor_.options_.dialect->utf8)) [[unlikely]]
                return false;
            advance(bytes);
            out = text;
            return true;
        }
        template <MathType T>
        [[gnu::always_inline]] bool math(T& out) noexcept {
            using Traits = MathTraits<T>;
            if (!take<sizeof(T)>(cursor_.forms_.math_header(Traits::type, Traits::wide)))
                return false;
            out = MathView{Traits::type, Traits::wide, false, at_.last + 4}.template as<T>();
            return true;
        }

    private:
        const FastHeaders& headers() const noexcept { return *cursor_.forms_.headers; }
        [[gnu::always_inline]] void advance(std::uint64_t payload) noexcept {
            at_.last = at_.at;
            at_.at += 4 + payload;
            at_.slack -= payload;
            --at_.left;
        }
        template <std::size_t payload>
        [[gnu::always_inline]] bool take(std::uint64_t header) noexcept {
            if (at_.left == 0 || at_.slack < payload ||
                detail::load<std::uint32_t>(at_.at) != header)
                return false;
            advance(payload);
            return true;
        }
        Cursor& cursor_;
        Place at_;
    };
    /// Undoes everything since, including an error of kind 3xx (the bytes were valid, but not the
    /// requested type). False for other errors, which stay, or when more than 64 times the packet
    /// was read again (node_limit).
    bool go_back(const Mark& mark) noexcept;

private:
    detail::Scanner& scanner() noexcept { return reader_.scanner(); }
    const detail::CommonForms& forms() const noexcept { return forms_; }
    bool in_object() const noexcept { return reader_.scanner().object; }
    /// True if values have no names here. (The Scanner knows whether one follows.)
    bool unnamed() const noexcept { return !in_object(); }

    bool step();
    bool step(Type type);
    bool slow_take_nil() noexcept;
    bool slow_boolean();
    std::int64_t slow_integer();
    double slow_real();
    template <class T>
    T slow_number();
    std::uint32_t slow_begin_array();
    std::uint32_t slow_begin_dictionary();
    void slow_end();
    MathView math_view(Type type);
    bool fail_from_reader() noexcept;

    DecodeOptions options_;
    Event event_;
    detail::Reader<Event> reader_;
    Error error_{};
    std::uint64_t read_again_ = 0;
    detail::CommonForms forms_;
    bool named_ = false;  ///< in an Object: the name was read, its value was not
    bool rounds_ = true;
};

template <Sink S>
bool Cursor::drive(S& sink) {
    const auto give = [&](Errc code) {
        return code == Errc::ok || refuse(code, event_.type, last_offset());
    };
    const std::size_t around = reader_.depth();
    for (;;) {
        if (!step() || !give(detail::give_event(event_, reader_.bytes().data() + last_offset(),
                                                *options_.dialect, sink)))
            return false;
        for (;;) {
            if (reader_.depth() == around)
                return true;
            if (more())
                break;
            reader_.leave();
            if (!give(sink.end()))
                return false;
        }
        if (in_object()) {
            const std::string_view name = property();
            if (!ok() || !give(sink.property(name)))
                return false;
        }
    }
}

}  // namespace gdvar
