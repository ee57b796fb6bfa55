// Bind: C++ types read from packets and written to them without a Variant between. Scalars, texts,
// math types, packed arrays, Variant and what is kept in one.
// Room: value. Standard containers: bind_std.hpp; structs: bind_struct.hpp; the calls: binding.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gdvar/value/builder.hpp"
#include "gdvar/value/meta.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/cursor.hpp"
#include "gdvar/wire/encoder.hpp"

namespace gdvar {

/// A Cursor that knows the choices for binding.
class BindCursor : public Cursor {
public:
    BindCursor(ByteView bytes, const DecodeOptions& options, const BindOptions& choices) noexcept
        : Cursor(bytes, options), binding(choices) {}
    BindOptions binding;
    std::uint32_t nesting = 0;   ///< structs that are open
    std::uint32_t elements = 0;  ///< containers whose elements are being read
};

namespace detail {

template <class T>
inline constexpr bool always_false = false;
template <class T>
concept Character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

constexpr std::uint64_t bit(Type type) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(type);
}
inline constexpr std::uint64_t any_type = ~std::uint64_t{0};
inline constexpr std::uint64_t text_types = bit(Type::string) | bit(Type::string_name);

}  // namespace detail

/// How T is read and written. Specialise it for a type of your own that is neither a struct nor an
/// enum:
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
/// Optional members: `accepts`, the Types that `read` takes, as bits (std::variant asks);
/// `element`, the Type that it is in the header of a typed Array or Dictionary; `most_bytes`, the
/// most that `write` writes, whatever the value and the dialect, and `text_bytes(value)`, what
/// texts add to that: values that have it are written together, into room that is made once;
/// `take(Cursor::Lane&, T&)`, which reads what is plain and sound and leaves all else to `read`.
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
/// The Type of T in the header of a typed container; nil when there is none.
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

/// What is written in one go.
template <class T>
concept Bounded = requires {
    Bind<T>::most_bytes;
};
/// What can be taken in a row.
template <class T>
concept Takeable = requires(Cursor::Lane& lane, T& out) {
    { Bind<T>::take(lane, out) } -> std::same_as<bool>;
};
/// Takes them from the lane, all or none, or reads them.
template <class... T>
[[gnu::always_inline]] inline bool read_in_lane(BindCursor& c, Cursor::Lane& lane, T&... out) {
    if constexpr ((Takeable<T> && ...)) {
        const auto before = lane.place();
        if ((Bind<T>::take(lane, out) && ...)) [[likely]]
            return true;
        lane.go_back(before);
    }
    lane.keep();
    const bool done = (Bind<T>::read(c, out) && ...);
    lane.resume();
    return done;
}
/// While elements are read into a container that may hold some of an earlier packet.
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
concept HasTexts = requires(const T& value) {
    Bind<T>::text_bytes(value);
};
template <class T>
std::size_t text_bytes(const T& value) noexcept {
    if constexpr (HasTexts<T>)
        return Bind<T>::text_bytes(value);
    else
        return 0;
}
/// Of a text, apart from its own bytes: header, length, padding.
inline constexpr std::size_t text_frame = 11;

/// A key as it stands in a packet behind its header: length, text, zero padding.
template <std::size_t size>
struct KeyRecord {
    static constexpr std::size_t bytes = 4 + (size + 3) / 4 * 4;
    std::byte data[bytes]{};
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
/// Facts of a type that is one Type of the wire.
template <Type type>
struct BindOne {
    static constexpr std::uint64_t accepts = bit(type);
    static constexpr Type element = type;
};

}  // namespace detail

// ---- numbers ------------------------------------------------------------------------------------

template <>
struct Bind<bool> : detail::BindOne<Type::boolean> {
    static constexpr std::size_t most_bytes = 8;
    [[gnu::always_inline]] static bool take(Cursor::Lane& lane, bool& out) {
        return lane.boolean(out);
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
requires(!detail::Character<T>) struct Bind<T> : detail::BindOne<Type::integer> {
    static constexpr std::size_t most_bytes = 12;
    [[gnu::always_inline]] static bool take(Cursor::Lane& lane, T& out) {
        const auto before = lane.place();
        std::int64_t value;
        if (!lane.integer(value))
            return false;
        if (!std::in_range<T>(value)) [[unlikely]] {
            lane.go_back(before);
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
            return c.refuse(Errc::number_out_of_range, Type::integer, c.last_offset());
        out = static_cast<T>(value);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, T value) {
        if (!std::in_range<std::int64_t>(value))
            return Errc::number_out_of_range;
        return sink.integer(static_cast<std::int64_t>(value));
    }
};

template <class T>
requires std::same_as<T, float> || std::same_as<T, double>
struct Bind<T> {
    static constexpr std::uint64_t accepts = detail::bit(Type::real) | detail::bit(Type::integer);
    static constexpr Type element = Type::real;
    static constexpr std::size_t most_bytes = 12;
    [[gnu::always_inline]] static bool take(Cursor::Lane& lane,
                                            T& out) requires std::same_as<T, double> {
        return lane.real(out);
    }
    static bool read(BindCursor& c, T& out) {
        const double value = c.real();
        if (!c.ok())
            return false;
        out = static_cast<T>(value);
        if constexpr (std::same_as<T, float>) {
            if (value == value && static_cast<double>(out) != value) [[unlikely]] {
                const bool overflows = out - out != 0.0f;
                if (overflows || !c.binding.round_floats)
                    return c.refuse(Errc::number_out_of_range, Type::real, c.last_offset());
            }
        }
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

/// Enums: by the names that `meta` gives, or by number.
template <class T>
requires std::is_enum_v<T>
struct Bind<T> {
    static_assert(!std::same_as<T, std::byte>,
                  "gdvar: std::byte can't be bound; use std::uint8_t, of which a vector is a "
                  "PackedByteArray");
    /// Of the same size and sign, where it is a character type.
    using Number = typename detail::NumberOf<std::underlying_type_t<T>>::type;
    static constexpr Type number = std::same_as<Number, bool> ? Type::boolean : Type::integer;
    static constexpr bool named = detail::HasValues<T>;
    static constexpr bool by_number = [] {
        if constexpr (requires { meta<T>::by_number; })
            return bool{meta<T>::by_number};
        return !named;
    }();
    static constexpr std::uint64_t accepts = detail::bit(number) | (named ? detail::text_types : 0);
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
            if (c.peek() != number)
                return read_name(c, out);
        }
        Number found{};
        if (!Bind<Number>::read(c, found))
            return false;
        out = static_cast<T>(found);
        if constexpr (named) {
            for (const auto& known : meta<T>::values)
                if (known.value == out)
                    return true;
            return c.refuse(Errc::number_out_of_range, number, c.last_offset());
        }
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, T value) {
        if constexpr (!by_number) {
            for (const auto& known : meta<T>::values)
                if (known.value == value)
                    return sink.string(known.name);
            return Errc::unknown_name;
        } else {
            return Bind<Number>::write(sink, static_cast<Number>(value));
        }
    }

private:
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
        return c.refuse(Errc::unknown_name, Type::string, c.last_offset());
    }
};

/// nil, and nothing else.
template <>
struct Bind<std::nullptr_t> : detail::BindOne<Type::nil> {
    static constexpr std::size_t most_bytes = 4;
    static bool read(BindCursor& c, std::nullptr_t&) {
        c.nil();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, std::nullptr_t) {
        return sink.nil();
    }
};

// ---- texts --------------------------------------------------------------------------------------

/// std::string copies; std::string_view points into the packet.
template <class T>
requires std::same_as<T, std::string> || std::same_as<T, std::string_view> ||
    std::same_as<T, String>
struct Bind<T> {
    static constexpr std::uint64_t accepts = detail::text_types;
    static constexpr Type element = Type::string;
    static constexpr std::size_t most_bytes = detail::text_frame;
    static std::size_t text_bytes(const T& value) noexcept { return value.size(); }
    [[gnu::always_inline]] static bool take(Cursor::Lane& lane, T& out) {
        std::string_view text;
        if (!lane.string(text))
            return false;
        set(out, text);
        return true;
    }
    static bool read(BindCursor& c, T& out) {
        const std::string_view text = c.string();
        if (!c.ok())
            return false;
        set(out, text);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return sink.string(value);
    }

private:
    static void set(T& out, std::string_view text) {
        if constexpr (std::same_as<T, std::string>)
            out.assign(text);
        else
            out = T(text);
    }
};

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

/// A text that tells one message from another: `Tag<"move"> tag;`. Reading anything else is
/// unknown_name.
template <std::size_t n>
struct TagText {
    char text[n]{};
    consteval TagText(const char (&from)[n]) {
        for (std::size_t i = 0; i < n; ++i)
            text[i] = from[i];
    }
    constexpr std::string_view view() const noexcept { return {text, n - 1}; }
};
template <TagText text>
struct Tag {
    static constexpr std::string_view value = text.view();
    friend constexpr bool operator==(const Tag&, const Tag&) = default;
};

template <TagText text>
struct Bind<Tag<text>> {
    static constexpr std::uint64_t accepts = detail::text_types;
    static constexpr Type element = Type::string;
    static constexpr std::size_t most_bytes = detail::text_frame + text.view().size();
    [[gnu::always_inline]] static bool take(Cursor::Lane& lane, Tag<text>&) {
        constexpr auto record = detail::make_key<text.view().size()>(text.view());
        return lane.same_text<sizeof record.data>(record.data);
    }
    static bool read(BindCursor& c, Tag<text>&) {
        constexpr auto record = detail::make_key<text.view().size()>(text.view());
        if (c.take_text<sizeof record.data>(record.data))
            return true;
        const std::string_view found = c.string();
        if (!c.ok())
            return false;
        return found == text.view() || c.refuse(Errc::unknown_name, Type::string, c.last_offset());
    }
    template <class Sink>
    static Errc write(Sink& sink, Tag<text>) {
        return sink.string(text.view());
    }
};

// ---- math types and packed arrays

template <MathType T>
struct Bind<T> : detail::BindOne<MathTraits<T>::type> {
    static constexpr std::size_t most_bytes = 4 + 8 * type_info(MathTraits<T>::type).lanes;
    [[gnu::always_inline]] static bool take(Cursor::Lane& lane, T& out) { return lane.math(out); }
    static bool read(BindCursor& c, T& out) { return c.math(out); }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return sink.math(MathView{MathTraits<T>::type, MathTraits<T>::wide, true,
                                  reinterpret_cast<const std::byte*>(&value)});
    }
};

namespace detail {
template <PackedElement T, class Sink>
Errc write_packed(Sink& sink, const T* data, std::size_t size) {
    if (size > 0x7FFF'FFFFu)
        return Errc::too_large;
    return sink.packed(PackedView{PackedTraits<T>::type, PackedTraits<T>::wide, true,
                                  static_cast<std::uint32_t>(size),
                                  reinterpret_cast<const std::byte*>(data)});
}
/// The packed array that comes next, of T's width or, for doubles, of single width, too.
template <PackedElement T>
PackedView packed_for(BindCursor& c) {
    using Traits = PackedTraits<T>;
    const PackedView from = c.packed_view(Traits::type);
    if (c.ok() && from.wide && !Traits::wide)
        c.refuse(Errc::number_out_of_range, Traits::type, c.last_offset());
    return from;
}
/// Its elements at `to`, which has room for them.
template <PackedElement T>
void copy_packed(const PackedView& from, T* to) noexcept {
    if constexpr (PackedTraits<T>::wide) {
        if (!from.wide) {
            auto* lane = reinterpret_cast<std::byte*>(to);
            for (std::size_t i = 0; i < from.count * from.lanes(); ++i, lane += 8) {
                const auto wide = static_cast<double>(from.lane_at<float>(i));
                std::memcpy(lane, &wide, 8);
            }
            return;
        }
    }
    PackedSpan<T>(from).copy_to(to);
}
}  // namespace detail

template <PackedElement T>
struct Bind<PackedArray<T>> : detail::BindOne<PackedTraits<T>::type> {
    static bool read(BindCursor& c, PackedArray<T>& out) {
        const PackedView from = detail::packed_for<T>(c);
        if (!c.ok())
            return false;
        out.clear();
        if (from.count == 0)
            return true;
        if (!out.try_reserve(from.count))
            return c.refuse(Errc::no_memory, PackedTraits<T>::type, c.last_offset());
        out.set_size(from.count);
        detail::copy_packed(from, out.data());
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const PackedArray<T>& value) {
        return detail::write_packed<T>(sink, value.data(), value.size());
    }
};

/// The elements where they lie in the packet.
template <PackedElement T>
struct Bind<PackedSpan<T>> : detail::BindOne<PackedTraits<T>::type> {
    static bool read(BindCursor& c, PackedSpan<T>& out) {
        out = c.packed<T>();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const PackedSpan<T>& value) {
        return sink.packed(value.view());
    }
};

/// The bytes of a PackedByteArray where they lie in the packet.
template <class T>
requires std::same_as<T, std::byte> || std::same_as<T, std::uint8_t>
struct Bind<std::span<const T>> : detail::BindOne<Type::packed_byte_array> {
    static bool read(BindCursor& c, std::span<const T>& out) {
        const ByteView bytes = c.packed<std::uint8_t>().bytes();
        out = {reinterpret_cast<const T*>(bytes.data()), bytes.size()};
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, std::span<const T> value) {
        return detail::write_packed(sink, reinterpret_cast<const std::uint8_t*>(value.data()),
                                    value.size());
    }
};

/// Names and subnames where they lie in the packet.
template <>
struct Bind<NodePathView> : detail::BindOne<Type::node_path> {
    static bool read(BindCursor& c, NodePathView& out) {
        out = c.node_path();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const NodePathView& value) {
        return sink.node_path(value);
    }
};

// ---- Variant, and what a Variant holds

template <>
struct Bind<Variant> {
    static bool read(BindCursor& c, Variant& out) {
        VariantBuilder builder(out);
        return c.drive(builder);
    }
    template <class Sink>
    static Errc write(Sink& sink, const Variant& value) {
        return detail::Walker<Sink>(sink).run(value);
    }
};

namespace detail {
template <class T>
concept KeptInVariant = requires {
    VariantTraits<T>::type;
}
&&!std::is_arithmetic_v<T> && !MathType<T> && !std::same_as<T, String> && !is_packed_array<T>;
}  // namespace detail

/// Array, Dictionary, Object, NodePath, RID, Signal, Callable, PackedStringArray, ...
template <detail::KeptInVariant T>
struct Bind<T> : detail::BindOne<detail::VariantTraits<T>::type> {
    static bool read(BindCursor& c, T& out) {
        const std::size_t start = c.offset();
        Variant value;
        if (!Bind<Variant>::read(c, value))
            return false;
        T* held = value.get_if<T>();
        if (!held)
            return c.refuse(Errc::wrong_type, value.type(), start);
        out = std::move(*held);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return Bind<Variant>::write(sink, Variant(value));
    }
};

}  // namespace gdvar
