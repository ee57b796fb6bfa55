// Bind reads C++ types from packets and writes them, without a Variant between. This file has
// numbers, enums and texts. The rest: bind_packed.hpp (math types, packed arrays, Variant),
// bind_std.hpp and bind_more.hpp (standard containers), bind_variant.hpp (std::variant),
// bind_struct.hpp (structs), binding.hpp (the calls).
#pragma once

#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "gdvar/base/export.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/detail/choices.hpp"
#include "gdvar/value/meta.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/cursor.hpp"
#include "gdvar/wire/detail/any_sink.hpp"
#include "gdvar/wire/encoder.hpp"

/// The message for a type that must be constructed before it can be read.
#define GDVAR_NEEDS_DEFAULT                                                                        \
    "gdvar: decoding makes the value first: give it a default constructor, or use decode_to with " \
    "one that is there"

namespace gdvar GDVAR_EXPORT {

/// A Cursor with the options for binding.
class BindCursor : public Cursor {
public:
    BindCursor(ByteView bytes, const DecodeOptions& options, const BindOptions& choices) noexcept
        : Cursor(bytes, options), binding(choices) {
        set_rounds(choices.round_floats);
    }
    BindOptions binding;
    std::uint32_t nesting = 0;   ///< open structs
    std::uint32_t elements = 0;  ///< values being replaced; see detail::Elements
};

namespace detail {

template <class T>
inline constexpr bool always_false = false;
template <class T>
concept Character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

/// Any sink of a Bind as one type, for writing that need not be fast: for errors, sizes, Variants.
class AnyWriter : public AnySink {
public:
    using AnySink::AnySink;
    virtual const Dialect& dialect() const noexcept = 0;
    virtual void refuse(const Error& why) noexcept = 0;

protected:
    ~AnyWriter() = default;
};
template <class Sink>
class SinkAsWriter final : public SinkBehind<Sink, AnyWriter> {
public:
    using SinkBehind<Sink, AnyWriter>::SinkBehind;
    const Dialect& dialect() const noexcept override { return this->sink_.dialect(); }
    void refuse([[maybe_unused]] const Error& why) noexcept override {
        if constexpr (requires { this->sink_.refuse(why); })
            this->sink_.refuse(why);
    }
};
extern template class SinkBehind<Encoder<BufferOutput>, AnyWriter>;
extern template class SinkAsWriter<Encoder<BufferOutput>>;
extern template class SinkBehind<Encoder<SpanOutput>, AnyWriter>;
extern template class SinkAsWriter<Encoder<SpanOutput>>;
extern template class SinkBehind<Encoder<ScratchOutput>, AnyWriter>;
extern template class SinkAsWriter<Encoder<ScratchOutput>>;

constexpr std::uint64_t bit(Type type) noexcept {
    return type_bit(type);
}
inline constexpr std::uint64_t any_type = ~std::uint64_t{0};
inline constexpr std::uint64_t text_types = types_for(Type::string);

}  // namespace detail

/// Reads and writes T. Specialise it for a type of your own that is neither a struct nor an enum:
///
///     template <> struct gdvar::Bind<Seconds> {
///         static bool read(BindCursor& cursor, Seconds& out) {     // false after an error
///             out = Seconds(cursor.real());
///             return cursor.ok();
///         }
///         template <class Sink>
///         static Errc write(Sink& sink, const Seconds& value) { return sink.real(value.count()); }
///     };
///
/// `BindAs` (bind_more.hpp) delegates to another type's Bind.
///
/// A `write` may refuse by returning a code. The caller gets an Error with that code and the place.
///
/// Optional members: `accepts` is the set of Types that `read` takes, as bits (for std::variant).
/// `native` is the set of those that it takes without a conversion. `element` is the Type that
/// stands for it in the header of a typed Array or Dictionary. `most_bytes` is the most that
/// `write` writes, for every value and dialect; `text_bytes(value)` is what texts add to that.
/// Values of a type with `most_bytes` are written together, into space that is reserved once.
/// `take(Cursor::FastPath&, T&)` is the fast path: it reads common forms that are valid and leaves
/// the rest to `read`.
template <class T>
struct Bind {
    static_assert(!detail::Character<T>,
                  "gdvar: a character type is neither a number nor a text here; use std::int8_t, "
                  "std::uint8_t or std::string");
    static_assert(detail::Character<T> || detail::always_false<T>,
                  "gdvar: this type can't be bound; make it an aggregate of bindable members, or "
                  "specialise gdvar::meta or gdvar::Bind for it");
    static bool read(BindCursor&, T&) { return false; }
    template <class Sink>
    static Errc write(Sink&, const T&) {
        return Errc::ok;
    }
};

namespace detail {

template <class T>
constexpr std::uint64_t accepted() {
    if constexpr (requires { Bind<T>::accepts; })
        return Bind<T>::accepts;
    else
        return any_type;
}
template <class T>
constexpr std::uint64_t native() {
    if constexpr (requires { Bind<T>::native; })
        return Bind<T>::native;
    else
        return accepted<T>();
}
/// The Type of T in the header of a typed container; nil if there is none.
template <class T>
constexpr Type element_type() {
    if constexpr (requires { Bind<T>::element; })
        return Bind<T>::element;
    else
        return Type::nil;
}
template <Style style, class Sink, class T>
Errc write_value(Sink& sink, const T& value) {
    if constexpr (requires { Bind<T>::template write<style>(sink, value); })
        return Bind<T>::template write<style>(sink, value);
    else
        return Bind<T>::write(sink, value);
}

/// Returns `code`, with which `write` refuses. A sink with `refuse` also gets the Error that `why`
/// makes.
template <class Sink, class Why>
Errc refused(Sink& sink, Errc code, Why&& why) {
    if constexpr (requires { sink.refuse(Error{}); })
        sink.refuse(why(Error{code}));
    return code;
}
/// Refuses a container with more items than a packet can count.
template <class Sink>
Errc refused_size(Sink& sink, Type type, std::size_t size) {
    return refused(sink, Errc::too_large, [=](Error error) {
        error.type = type;
        return error.about_length(size, 0, 0x7FFF'FFFFu);
    });
}

/// A type written with one reservation.
template <class T>
concept Bounded = requires { Bind<T>::most_bytes; };
/// A type with a fast path.
template <class T>
concept Takeable = requires(Cursor::FastPath& fast, T& out) {
    { Bind<T>::take(fast, out) } -> std::same_as<bool>;
};
/// Takes all on the fast path, or reads them.
template <class... T>
[[gnu::always_inline]] inline bool read_fast(BindCursor& c, Cursor::FastPath& fast, T&... out) {
    if constexpr ((Takeable<T> && ...)) {
        const auto before = fast.place();
        if ((Bind<T>::take(fast, out) && ...)) [[likely]]
            return true;
        fast.go_back(before);
    }
    fast.keep();
    const bool done = (Bind<T>::read(c, out) && ...);
    fast.resume();
    return done;
}
/// Alive while a whole value is replaced: an element of a container, an alternative. The old one
/// may come from an earlier packet, so nothing of it is kept, even with MissingKeys::keep.
class Elements {
public:
    explicit Elements(BindCursor& c) noexcept : c_(c) { ++c.elements; }
    Elements(const Elements&) = delete;
    Elements& operator=(const Elements&) = delete;
    ~Elements() { --c_.elements; }

private:
    BindCursor& c_;
};
template <class T>
concept HasTexts = requires(const T& value) { Bind<T>::text_bytes(value); };
template <class T>
std::size_t text_bytes(const T& value) noexcept {
    if constexpr (HasTexts<T>)
        return Bind<T>::text_bytes(value);
    else
        return 0;
}
/// The most bytes of a text besides its own: header, length, padding.
inline constexpr std::size_t text_frame = 11;

/// A key as in a packet, without its header: length, text, zero padding; a NUL follows.
template <std::size_t size>
struct KeyRecord {
    static constexpr std::size_t bytes = 4 + (size + 3) / 4 * 4;
    std::byte data[bytes + 1]{};
};
template <std::size_t size>
consteval KeyRecord<size> make_key(std::string_view text) {
    KeyRecord<size> out;
    for (std::size_t i = 0; i < 4; ++i)
        out.data[i] = static_cast<std::byte>(size >> 8 * i & 0xFF);
    for (std::size_t i = 0; i < size; ++i)
        out.data[4 + i] = static_cast<std::byte>(text[i]);
    return out;
}
template <class T, std::size_t i>
inline constexpr auto key_record =
    make_key<Fields<T>::template key<i>.size()>(Fields<T>::template key<i>);
/// The key of field `i`, NUL-terminated: names from reflection have no NUL.
template <class T, std::size_t i>
const char* field_name() noexcept {
    return reinterpret_cast<const char*>(key_record<T, i>.data + 4);
}
/// For a C++ type that stands for one Type of the wire. The table of conversions lists the Types
/// that convert to it.
template <Type type>
struct BindOne {
    static constexpr std::uint64_t accepts = types_for(type);
    static constexpr std::uint64_t native = bit(type);
    static constexpr Type element = type;
};

}  // namespace detail

// ---- numbers ------------------------------------------------------------------------------------

/// Reads only a bool, never a number; writes a bool.
template <>
struct Bind<bool> : detail::BindOne<Type::boolean> {
    static constexpr std::size_t most_bytes = 8;
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, bool& out) {
        return fast.boolean(out);
    }
    static bool read(BindCursor& c, bool& out) {
        out = c.boolean();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, bool value) {
        return sink.boolean(value);
    }
};

template <std::integral T>
    requires(!detail::Character<T>)
struct Bind<T> : detail::BindOne<Type::integer> {
    static constexpr std::size_t most_bytes = 12;
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, T& out) {
        const auto before = fast.place();
        std::int64_t value;
        if (!fast.integer(value))
            return false;
        if (!std::in_range<T>(value)) [[unlikely]] {
            fast.go_back(before);
            return false;
        }
        out = static_cast<T>(value);
        return true;
    }
    static bool read(BindCursor& c, T& out) {
        const std::int64_t value = c.integer();
        if (!c.ok())
            return false;
        if (!std::in_range<T>(value)) [[unlikely]]
            return c.refuse_number<T>(value, Type::integer);
        out = static_cast<T>(value);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, T value) {
        if (!std::in_range<std::int64_t>(value))
            return detail::refused(sink, Errc::number_out_of_range, [=](Error error) {
                error.type = Type::integer;
                return error.about_natural(static_cast<std::uint64_t>(value), 0, INT64_MAX);
            });
        return sink.integer(static_cast<std::int64_t>(value));
    }
};

template <class T>
    requires std::same_as<T, float> || std::same_as<T, double>
struct Bind<T> : detail::BindOne<Type::real> {
    static constexpr std::size_t most_bytes = 12;
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, T& out) {
        return fast.real(out);
    }
    static bool read(BindCursor& c, T& out) {
        const double value = c.real();
        if (!c.ok())
            return false;
        if (!detail::to_number(value, c.rounds(), out)) [[unlikely]]
            return c.refuse_number<T>(value, Type::real);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, T value) {
        return sink.real(static_cast<double>(value));
    }
};

namespace detail {
template <class T>
struct NumberOf {
    using type = T;
};
template <Character T>
struct NumberOf<T> {
    using type =
        std::conditional_t<std::is_signed_v<T>, std::make_signed_t<T>, std::make_unsigned_t<T>>;
};
}  // namespace detail

/// Enums: by the names in `meta`, or by number.
template <class T>
    requires std::is_enum_v<T>
struct Bind<T> {
    static_assert(!std::same_as<T, std::byte>,
                  "gdvar: std::byte can't be bound; a std::vector of it is a PackedByteArray");
    /// For a character type, the integer of its size and sign.
    using Number = typename detail::NumberOf<std::underlying_type_t<T>>::type;
    static constexpr Type number = std::same_as<Number, bool> ? Type::boolean : Type::integer;
    static constexpr bool named = detail::HasValues<T>;
    static constexpr bool by_number = !named || detail::options_of<T, EnumOptions>.by_number;
    static_assert(detail::meta_says_something<T>,
                  "gdvar: meta<T> of an enum has no values; is their name misspelt?");
    static_assert(detail::options_are_inside<T>,
                  "gdvar: by_number is a member of meta<T>::options, a gdvar::EnumOptions");
    static constexpr std::uint64_t accepts =
        detail::types_for(number) | (named ? detail::text_types : 0);
    static constexpr std::uint64_t native = detail::bit(number) | (named ? detail::text_types : 0);
    static constexpr Type element = by_number ? number : Type::string;
    static constexpr std::size_t most_bytes = [] {
        std::size_t most = 12;
        if constexpr (!by_number)
            for (const auto& known : meta<T>::values)
                most = std::max(most, known.name.size() + detail::text_frame);
        return most;
    }();

    static bool read(BindCursor& c, T& out) {
        if constexpr (named) {
            const std::uint64_t found = detail::bit(c.peek());
            if (found & detail::text_types)
                return read_name(c, out);
            if (!(found & accepts)) {
                (void)c.next();
                return c.refuse_type(accepts);
            }
        }
        Number value{};
        if (!Bind<Number>::read(c, value))
            return false;
        out = static_cast<T>(value);
        if constexpr (named) {
            for (const auto& known : meta<T>::values)
                if (known.value == out)
                    return true;
            return refuse_value(c, value);
        }
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, T value) {
        if constexpr (!by_number) {
            for (const auto& known : meta<T>::values)
                if (known.value == value)
                    return sink.string(known.name);
            return detail::refused(sink, Errc::unknown_name, [=](const Error& error) {
                return about_choices(error, static_cast<Number>(value));
            });
        } else {
            return Bind<Number>::write(sink, static_cast<Number>(value));
        }
    }

private:
    struct Names {
        static constexpr std::size_t count = [] {
            if constexpr (named)
                return std::size(meta<T>::values);
            return std::size_t{0};
        }();
        static constexpr std::array<std::string_view, count> names = [] {
            std::array<std::string_view, count> out{};
            if constexpr (named)
                for (std::size_t i = 0; i < count; ++i)
                    out[i] = meta<T>::values[i].name;
            return out;
        }();
    };
    static_assert(detail::all_differ(Names::names),
                  "gdvar: two of meta<T>::values have the same name");
    static bool read_name(BindCursor& c, T& out) {
        const std::string_view name = c.string();
        if (!c.ok())
            return false;
        for (const auto& known : meta<T>::values) {
            if (known.name != name)
                continue;
            out = known.value;
            return true;
        }
        return c.refuse(Error{Errc::unknown_name, Type::string, c.last_offset()}.about_choices(
            name, detail::Choices<Names>::text.data()));
    }
    [[gnu::noinline]] static bool refuse_value(BindCursor& c, Number value) {
        return c.refuse(
            about_choices(Error{Errc::number_out_of_range, number, c.last_offset()}, value));
    }
    [[gnu::noinline]] static Error about_choices(Error error, Number value) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, +value).ptr;
        error.type = number;
        return error.about_choices({digits, end}, detail::Choices<Names>::text.data());
    }
};

/// nil only.
template <class T>
    requires std::same_as<T, std::nullptr_t> || std::same_as<T, std::monostate>
struct Bind<T> : detail::BindOne<Type::nil> {
    static constexpr std::size_t most_bytes = 4;
    static bool read(BindCursor& c, T&) {
        c.nil();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, T) {
        return sink.nil();
    }
};

// ---- texts --------------------------------------------------------------------------------------

namespace detail {
/// std::string, std::u8string, with any allocator.
template <class T>
inline constexpr bool is_string = false;
template <class Char, class Traits, class Allocator>
inline constexpr bool is_string<std::basic_string<Char, Traits, Allocator>> =
    std::same_as<Char, char> || std::same_as<Char, char8_t>;
template <class T>
concept Text = is_string<T> || std::same_as<T, std::string_view> || std::same_as<T, String>;
template <class T>
std::string_view text_of(const T& text) noexcept {
    if constexpr (is_string<T>)
        return {reinterpret_cast<const char*>(text.data()), text.size()};
    else
        return text;
}
template <class T>
void set_text(T& out, std::string_view text) {
    if constexpr (is_string<T>)
        out.assign(reinterpret_cast<const typename T::value_type*>(text.data()), text.size());
    else
        out = T(text);
}
}  // namespace detail

/// std::string and std::u8string copy; std::string_view points into the packet.
template <detail::Text T>
struct Bind<T> {
    static constexpr std::uint64_t accepts = detail::text_types;
    static constexpr Type element = Type::string;
    static constexpr std::size_t most_bytes = detail::text_frame;
    static std::size_t text_bytes(const T& value) noexcept { return value.size(); }
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, T& out) {
        std::string_view text;
        if (!fast.string(text))
            return false;
        detail::set_text(out, text);
        return true;
    }
    static bool read(BindCursor& c, T& out) {
        const std::string_view text = c.string();
        if (!c.ok())
            return false;
        detail::set_text(out, text);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return sink.string(detail::text_of(value));
    }
};

/// Reads a StringName or a String and keeps a copy; writes a StringName.
template <>
struct Bind<StringName> {
    static constexpr std::uint64_t accepts = detail::text_types;
    static constexpr Type element = Type::string_name;
    static constexpr std::size_t most_bytes = detail::text_frame;
    static std::size_t text_bytes(const StringName& value) noexcept { return value.text.size(); }
    static bool read(BindCursor& c, StringName& out) {
        const std::string_view text = c.string();
        if (c.ok())
            out = StringName(text);
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const StringName& value) {
        return sink.string_name(value);
    }
};

/// The argument of Tag: a literal or a number.
template <std::size_t n>
struct TagValue {
    char text[n]{};
    consteval TagValue(const char (&from)[n]) {
        for (std::size_t i = 0; i < n; ++i)
            text[i] = from[i];
    }
    constexpr std::string_view view() const noexcept { return {text, n - 1}; }
};
template <>
struct TagValue<0> {
    std::int64_t number;
    char text[21]{};  ///< its digits
    std::size_t size = 0;
    consteval TagValue(std::int64_t value) : number(value) {
        std::uint64_t left =
            value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        char backwards[20]{};
        std::size_t digits = 0;
        do
            backwards[digits++] = static_cast<char>('0' + left % 10);
        while (left /= 10);
        if (value < 0)
            text[size++] = '-';
        while (digits)
            text[size++] = backwards[--digits];
    }
    constexpr std::string_view view() const noexcept { return {text, size}; }
};
TagValue(std::int64_t) -> TagValue<0>;
/// A field that must have this text, or this int: it identifies messages. `Tag<"move"> tag;`,
/// `Tag<1> tag;`. Any other text is unknown_name, any other int number_out_of_range.
template <TagValue is>
struct Tag {
    /// The text; of an int its digits.
    static constexpr std::string_view value = is.view();
    static constexpr bool is_number = requires { is.number; };
    friend constexpr bool operator==(const Tag&, const Tag&) = default;
};

/// Reads an int, or a float without a fraction, that must be this number; writes an int. Stores
/// nothing.
template <TagValue is>
    requires Tag<is>::is_number
struct Bind<Tag<is>> : detail::BindOne<Type::integer> {
    static constexpr std::size_t most_bytes = 12;
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, Tag<is>&) {
        const auto before = fast.place();
        std::int64_t found;
        if (fast.integer(found)) {
            if (found == is.number) [[likely]]
                return true;
            fast.go_back(before);
        }
        return false;
    }
    static bool read(BindCursor& c, Tag<is>&) {
        const std::int64_t found = c.integer();
        if (!c.ok())
            return false;
        return found == is.number ||
               c.refuse(
                   Error{Errc::number_out_of_range, Type::integer, c.last_offset()}.about_integer(
                       found, is.number, is.number));
    }
    template <class Sink>
    static Errc write(Sink& sink, Tag<is>) {
        return sink.integer(is.number);
    }
};
/// Reads a String or StringName that must be this text; writes it as a String. Stores nothing.
template <TagValue text>
    requires(!Tag<text>::is_number)
struct Bind<Tag<text>> {
    static constexpr std::uint64_t accepts = detail::text_types;
    static constexpr Type element = Type::string;
    static constexpr std::size_t most_bytes = detail::text_frame + text.view().size();
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, Tag<text>&) {
        constexpr auto record = detail::make_key<text.view().size()>(text.view());
        return fast.same_text<record.bytes>(record.data);
    }
    static bool read(BindCursor& c, Tag<text>&) {
        constexpr auto record = detail::make_key<text.view().size()>(text.view());
        if (c.take_text<record.bytes>(record.data))
            return true;
        const std::string_view found = c.string();
        if (!c.ok())
            return false;
        return found == text.view() ||
               c.refuse(Error{Errc::unknown_name, Type::string, c.last_offset()}.about_choices(
                   found, text.text));
    }
    template <class Sink>
    static Errc write(Sink& sink, Tag<text>) {
        return sink.string(text.view());
    }
};

}  // namespace gdvar
