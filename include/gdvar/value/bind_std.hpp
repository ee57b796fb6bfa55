// Bind for the standard library's containers.
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind_packed.hpp"

namespace gdvar GDVAR_EXPORT {

/// Writes a container as an untyped Array or Dictionary instead of a packed array:
/// `Untyped<std::vector<double>>`. For a field: `field(...).untyped()`.
template <class Container>
struct Untyped {
    Container value;
};
/// Writes a container with its element types in the header, if the dialect has typed containers:
/// `TypedArray<std::vector<std::int64_t>>`. For a field: `field(...).typed()`.
template <class Container>
struct TypedArray {
    Container value;
};

/// A Dictionary as its pairs in the order of the packet, repeated keys included: no searching, no
/// hashing, and writing it gives the same order.
template <class Key, class Value>
struct Pairs {
    std::vector<std::pair<Key, Value>> items;
    friend bool operator==(const Pairs&, const Pairs&) = default;
};

namespace detail {

template <class K, class V>
inline constexpr bool has_other_binding<Pairs<K, V>> = true;
template <class C>
inline constexpr bool has_other_binding<Untyped<C>> = true;
template <class C>
inline constexpr bool has_other_binding<TypedArray<C>> = true;

/// Written as elements of a PackedStringArray.
template <class T>
concept PackedText = Text<T>;

template <Style style, class T, class Sink>
ContainerType written_type(const Sink& sink, bool array) {
    if constexpr (style == Style::typed && element_type<T>() != Type::nil &&
                  element_type<T>() != Type::object) {
        const Dialect& dialect = sink.dialect();
        const bool can = array ? dialect.typed_arrays() || dialect.typed_array_id != Dialect::absent
                               : dialect.typed_dictionaries();
        if (can)
            return ContainerType::of(element_type<T>());
    }
    return ContainerType();
}

/// The style of elements: a typed header that announces PackedFloat64Array needs packed arrays as
/// elements.
constexpr Style inside(Style style) noexcept {
    return style == Style::typed ? Style::packed : style;
}

/// Small items are written many to a reservation.
template <Style style, class T, class Sink, class Item>
Errc write_items(Sink& sink, Item item, std::size_t left) {
    constexpr std::size_t at_once = std::max<std::size_t>(1, 1024 / Bind<T>::most_bytes);
    Errc code = Errc::ok;
    while (left && code == Errc::ok) {
        const std::size_t n = std::min(left, at_once);
        left -= n;
        const auto write_some = [&item, n](auto& to) {
            Item here = item;
            for (std::size_t i = 0; i < n; ++i, ++here) {
                const Errc written =
                    write_value<inside(style), std::remove_reference_t<decltype(to)>, T>(to, *here);
                if (written != Errc::ok) [[unlikely]]
                    return written;
            }
            item = here;
            return Errc::ok;
        };
        code = sink.reserved(n * Bind<T>::most_bytes, write_some, write_some);
    }
    return code;
}

/// Items that stand behind each other, without their type.
struct AnyItems {
    const void* first;
    std::size_t item_size, size;
    Errc (*write)(AnyWriter& sink, const void* item);
};
/// Writes them as an Array.
Errc write_items(AnyWriter& sink, const ContainerType& type, const AnyItems& items);

/// Any sequence as an Array.
template <Style style, class T, class Sink, class Range>
Errc write_array(Sink& sink, const Range& range, std::size_t size) {
    if constexpr (std::same_as<Sink, AnyWriter> && requires { range.data(); })
        return write_items(sink, written_type<style, T>(sink, true),
                           {range.data(), sizeof(T), size, [](AnyWriter& to, const void* item) {
                                return write_value<inside(style)>(to, *static_cast<const T*>(item));
                            }});
    if (size > 0x7FFF'FFFFu)
        return refused_size(sink, Type::array, size);
    Errc code = sink.begin_array(Type::array, written_type<style, T>(sink, true),
                                 static_cast<std::uint32_t>(size));
    if (code != Errc::ok)
        return code;
    if constexpr (Bounded<T> && !HasTexts<T> &&
                  requires { sink.reserved(0, [](auto&) {}, [](auto&) {}); }) {
        code = write_items<style, T>(sink, range.begin(), size);
        return code == Errc::ok ? sink.end() : code;
    }
    for (const auto& item : range) {
        code = write_value<inside(style), Sink, T>(sink, item);
        if (code != Errc::ok) [[unlikely]]
            return code;
    }
    return sink.end();
}

/// Any sequence: as a packed array if one exists and the style allows it.
template <Style style, class T, class Sink, class Range>
Errc write_sequence(Sink& sink, const Range& range, std::size_t size) {
    if constexpr (style == Style::packed && PackedElement<T> && requires { range.data(); }) {
        if (sink.dialect().has(PackedTraits<T>::type))
            return write_packed<T>(sink, range.data(), size);
    } else if constexpr (style == Style::packed && PackedText<T>) {
        if (size > 0x7FFF'FFFFu)
            return refused_size(sink, Type::packed_string_array, size);
        Errc code = sink.begin_packed_strings(static_cast<std::uint32_t>(size));
        for (const auto& text : range) {
            if (code != Errc::ok)
                return code;
            code = sink.packed_string(text_of(text));
        }
        return code == Errc::ok ? sink.end() : code;
    }
    return write_array<style, T>(sink, range, size);
}

/// The size to which a vector of `size` elements grows that will have `n`.
constexpr std::size_t grown_size(std::size_t size, std::size_t n, std::size_t item_size) noexcept {
    return std::min(n, std::max(2 * size, 4096 / item_size + 1));
}
/// A vector, without its type.
struct AnyVector {
    void* vector;
    std::size_t item_size, size;
    void* first;
    void* (*resize)(void* vector, std::size_t size);  ///< returns the new `first`
    bool (*read)(BindCursor& c, void* item);
};
/// Reads `n` elements into it.
bool read_items(BindCursor& c, AnyVector to, std::uint32_t n);

/// Types to which the elements of a packed array are converted, one by one.
template <class T>
concept FromPacked = ArithmeticNumber<T> || MathType<T>;
template <class T>
concept FromPackedText = PackedText<T> || std::same_as<T, StringName>;

/// The Types from which a sequence of T can be read.
template <class T>
constexpr std::uint64_t sequence_types() {
    if constexpr (FromPacked<T> || FromPackedText<T>)
        return types_for_sequence(element_type<T>());
    else
        return bit(Type::array) | bit(Type::packed_typed_array);
}
/// The Types among them that need no conversion.
template <class T>
constexpr std::uint64_t native_sequence_types() {
    std::uint64_t out = bit(Type::array) | bit(Type::packed_typed_array);
    if constexpr (PackedElement<T>)
        out |= bit(PackedTraits<T>::type);
    if constexpr (PackedText<T>)
        out |= bit(Type::packed_string_array);
    return out;
}
/// True if the next value is a packed array from which a sequence of T can be read. `type` is set
/// to the next value's Type.
template <class T>
bool packed_is_next(const BindCursor& c, Type& type) noexcept {
    type = c.peek();
    return is_packed(type) && sequence_types<T>() & bit(type);
}
template <class T>
constexpr Type sequence_element() {
    if constexpr (PackedElement<T>)
        return PackedTraits<T>::type;
    else if constexpr (PackedText<T>)
        return Type::packed_string_array;
    else
        return Type::array;
}

}  // namespace detail

namespace detail {
/// Fills `out` with `n` elements. Grows with the elements read, not by the announced count: an
/// element may be far larger than the bytes that announce it.
template <class Vector, class Read>
[[gnu::always_inline]] inline bool read_growing(Vector& out, std::uint32_t n, Read&& read) {
    using T = typename Vector::value_type;
    static_assert(std::is_default_constructible_v<T>, GDVAR_NEEDS_DEFAULT);
    std::size_t size = out.size();
    if (size > n)
        out.resize(size = n);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (i == size)
            out.resize(size = grown_size(size, n, sizeof(T)));
        if constexpr (std::same_as<T, bool>) {
            bool item = false;
            if (!read(item))
                return false;
            out[i] = item;
        } else if (!read(out[i])) {
            return false;
        }
    }
    return true;
}
/// The same for a type without a fast path, by one loop for all of them.
template <class Vector>
bool read_growing(BindCursor& c, Vector& out, std::uint32_t n) {
    using T = typename Vector::value_type;
    static_assert(std::is_default_constructible_v<T>, GDVAR_NEEDS_DEFAULT);
    const AnyVector any{
        &out,
        sizeof(T),
        out.size(),
        out.data(),
        [](void* vector, std::size_t size) {
            static_cast<Vector*>(vector)->resize(size);
            return static_cast<void*>(static_cast<Vector*>(vector)->data());
        },
        [](BindCursor& from, void* item) { return Bind<T>::read(from, *static_cast<T*>(item)); }};
    return read_items(c, any, n);
}
}  // namespace detail

namespace detail {
template <class T>
struct MostOfOptional {};
template <Bounded T>
struct MostOfOptional<T> {
    static constexpr std::size_t most_bytes = std::max<std::size_t>(Bind<T>::most_bytes, 4);
    static std::size_t text_bytes(const std::optional<T>& value) noexcept {
        return value ? detail::text_bytes(*value) : 0;
    }
};
}  // namespace detail

/// nil stands for no value.
template <class T>
struct Bind<std::optional<T>> : detail::MostOfOptional<T> {
    static constexpr std::uint64_t accepts = detail::accepted<T>() | detail::bit(Type::nil);
    static constexpr std::uint64_t native = detail::native<T>() | detail::bit(Type::nil);
    static bool read(BindCursor& c, std::optional<T>& out) {
        if (c.take_nil()) {
            out.reset();
            return true;
        }
        static_assert(std::is_default_constructible_v<T>, GDVAR_NEEDS_DEFAULT);
        if constexpr (std::is_default_constructible_v<T>)
            if (!out)
                out.emplace();
        const detail::Elements within(c);
        return Bind<T>::read(c, *out);
    }
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, std::optional<T>& out)
        requires detail::Takeable<T>
    {
        if (fast.nil()) {
            out.reset();
            return true;
        }
        if (!out)
            out.emplace();
        return Bind<T>::take(fast, *out);
    }
    template <detail::Style style, class Sink>
    static Errc write(Sink& sink, const std::optional<T>& value) {
        return value ? detail::write_value<style>(sink, *value) : sink.nil();
    }
};

/// Reads an Array, or a packed array whose elements become T. The vector's memory and elements are
/// reused.
template <class T, class Allocator>
struct Bind<std::vector<T, Allocator>> {
    using Vector = std::vector<T, Allocator>;
    static constexpr std::uint64_t accepts = detail::sequence_types<T>();
    static constexpr std::uint64_t native = detail::native_sequence_types<T>();
    static constexpr Type element = detail::sequence_element<T>();
    [[gnu::noinline]] static bool read(BindCursor& c, Vector& out) {
        if constexpr (detail::FromPacked<T>) {
            if (Type type; detail::packed_is_next<T>(c, type)) {
                const PackedView from = c.packed_view(type);
                return c.ok() && copy_packed(c, from, out);
            }
        } else if constexpr (detail::FromPackedText<T>) {
            if (c.peek() == Type::packed_string_array)
                return read_texts(c, out);
        }
        return read_array(c, out);
    }
    template <detail::Style style, class Sink>
    static Errc write(Sink& sink, const Vector& value) {
        return detail::write_sequence<style, T>(sink, value, value.size());
    }

private:
    /// For aligned bytes: without filling the vector first.
    static bool copy_packed(BindCursor& c, const PackedView& from, Vector& out)
        requires detail::FromPacked<T>
    {
        if constexpr (PackedElement<T>) {
            if (detail::host_is_little && from.type == PackedTraits<T>::type &&
                from.wide == PackedTraits<T>::wide &&
                reinterpret_cast<std::uintptr_t>(from.data) % alignof(T) == 0) {
                const T* items = reinterpret_cast<const T*>(from.data);
                out.assign(items, items + from.count);
                return true;
            }
        }
        out.resize(from.count);
        return detail::convert_packed(c, from, out.data());
    }
    static bool read_texts(BindCursor& c, Vector& out)
        requires detail::FromPackedText<T>
    {
        const PackedStringsView from = c.packed_strings();
        if (!c.ok())
            return false;
        out.resize(from.size());
        std::size_t i = 0;
        from.each([&](std::string_view text) { detail::set_text(out[i++], text); });
        return true;
    }
    static bool read_array(BindCursor& c, Vector& out) {
        const std::uint32_t n = c.begin_array();
        if (!c.ok())
            return false;
        if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>) {
            // Four bytes of each element are known to exist, so this is bounded.
            out.resize(n);
            std::size_t i = 0;
            if constexpr (std::same_as<T, double> || std::same_as<T, std::int64_t>)
                i = c.take(out.data(), n);
            for (; i < n; ++i)
                if (!Bind<T>::read(c, out[i]))
                    return false;
        } else {
            if (!read_items(c, out, n))
                return false;
        }
        c.end();
        return true;
    }
    static bool read_items(BindCursor& c, Vector& out, std::uint32_t n) {
        const detail::Elements within(c);
        if constexpr (detail::Takeable<T>) {
            Cursor::FastPath fast(c);
            const bool done = detail::read_growing(
                out, n, [&](auto& item) { return detail::read_fast(c, fast, item); });
            if (done)
                fast.keep();
            return done;
        } else if constexpr (std::same_as<T, bool>) {
            return detail::read_growing(out, n, [&](auto& item) { return Bind<T>::read(c, item); });
        } else {
            return detail::read_growing(c, out, n);
        }
    }
};

// Compiled once, in the library. The debug mode of a standard library has other containers.
#if !defined(_GLIBCXX_DEBUG)
extern template struct Bind<std::vector<std::int32_t>>;
extern template struct Bind<std::vector<std::int64_t>>;
extern template struct Bind<std::vector<float>>;
extern template struct Bind<std::vector<double>>;
extern template struct Bind<std::vector<std::string>>;
#endif

/// Exactly that many elements. Errors besides: length_out_of_range.
template <class T, std::size_t n>
struct Bind<std::array<T, n>> {
    static constexpr std::uint64_t accepts = detail::sequence_types<T>();
    static constexpr std::uint64_t native = detail::native_sequence_types<T>();
    static constexpr Type element = detail::sequence_element<T>();
    static bool read(BindCursor& c, std::array<T, n>& out) {
        const std::size_t start = c.offset();
        if constexpr (detail::FromPacked<T>) {
            if (Type type; detail::packed_is_next<T>(c, type)) {
                const PackedView from = c.packed_view(type);
                return sized(c, type, from.count, start) &&
                       detail::convert_packed(c, from, out.data());
            }
        } else if constexpr (detail::FromPackedText<T>) {
            if (c.peek() == Type::packed_string_array) {
                const PackedStringsView from = c.packed_strings();
                if (!sized(c, Type::packed_string_array, from.size(), start))
                    return false;
                std::size_t i = 0;
                from.each([&](std::string_view text) { detail::set_text(out[i++], text); });
                return true;
            }
        }
        const std::uint32_t count = c.begin_array();
        if (!c.ok())
            return false;
        if (!sized(c, Type::array, count, start))
            return false;
        const detail::Elements within(c);
        for (T& item : out)
            if (!Bind<T>::read(c, item))
                return false;
        c.end();
        return true;
    }
    template <detail::Style style, class Sink>
    static Errc write(Sink& sink, const std::array<T, n>& value) {
        return detail::write_sequence<style, T>(sink, value, n);
    }

private:
    static bool sized(BindCursor& c, Type type, std::size_t found, std::size_t start) {
        return c.ok() &&
               (found == n ||
                c.refuse(Error{Errc::length_out_of_range, type, start}.about_length(found, n, n)));
    }
};

namespace detail {
template <class... T>
struct MostOfTuple {};
template <Bounded... T>
struct MostOfTuple<T...> {
    static constexpr std::size_t most_bytes = (std::size_t{8} + ... + Bind<T>::most_bytes);
    template <class Tuple>
    static std::size_t text_bytes(const Tuple& value) noexcept {
        return std::apply(
            [](const auto&... item) { return (std::size_t{0} + ... + detail::text_bytes(item)); },
            value);
    }
};

/// std::pair and std::tuple: an Array of exactly those elements.
template <class Tuple>
struct BindTuple : BindOne<Type::array> {
    static constexpr std::size_t count = std::tuple_size_v<Tuple>;
    static bool read(BindCursor& c, Tuple& out) {
        const std::size_t start = c.offset();
        const std::uint32_t n = c.begin_array();
        if (!c.ok())
            return false;
        if (n != count)
            return c.refuse(
                Error{Errc::length_out_of_range, Type::array, start}.about_length(n, count, count));
        const Elements within(c);
        const bool done = std::apply(
            [&](auto&... item) {
                return (Bind<std::remove_cvref_t<decltype(item)>>::read(c, item) && ...);
            },
            out);
        if (done)
            c.end();
        return done;
    }
    template <class Sink>
    static Errc write(Sink& sink, const Tuple& value) {
        Errc code =
            sink.begin_array(Type::array, ContainerType(), static_cast<std::uint32_t>(count));
        if (code != Errc::ok)
            return code;
        std::apply(
            [&](const auto&... item) {
                (void)((code = write_value<Style::packed>(sink, item), code == Errc::ok) && ...);
            },
            value);
        return code == Errc::ok ? sink.end() : code;
    }
};

template <Style style, class Key, class Value, class Sink, class Range>
Errc write_pairs(Sink& sink, const Range& range) {
    if (range.size() > 0x7FFF'FFFFu)
        return refused_size(sink, Type::dictionary, range.size());
    Errc code = sink.begin_dictionary(written_type<style, Key>(sink, false),
                                      written_type<style, Value>(sink, false),
                                      static_cast<std::uint32_t>(range.size()));
    if (code != Errc::ok)
        return code;
    for (const auto& [key, item] : range) {
        code = write_value<inside(style)>(sink, key);
        if (code == Errc::ok)
            code = write_value<inside(style)>(sink, item);
        if (code != Errc::ok) [[unlikely]]
            return code;
    }
    return sink.end();
}

/// Adds the key to the error if the key is a text.
template <class Key>
Error about_any_key(const Error& error, const Key& key) noexcept {
    if constexpr (std::convertible_to<const Key&, std::string_view>)
        return error.about_key(key);
    else
        return error;
}

/// Classes that are bound by their members, as the standard library's. `meta` comes before that.
template <class T>
concept ClassWithoutMeta = !std::is_aggregate_v<T> && !HasFields<T>;

/// std::map, std::unordered_map and what has their members.
template <class T>
concept MapLike = ClassWithoutMeta<T> && requires(T& map, typename T::key_type key) {
    typename T::mapped_type;
    { map.try_emplace(std::move(key)).second } -> std::convertible_to<bool>;
    map.clear();
    map.size();
};

/// Maps: a Dictionary. Among equal keys the last counts. An
/// unordered_map whose keys come from strangers needs `gdvar::KeyedHash` (wire/hash.hpp): with
/// std::hash, the author of a packet can choose keys that all fall into one bucket.
template <class Map>
struct BindMap : BindOne<Type::dictionary> {
    using Key = typename Map::key_type;
    using Value = typename Map::mapped_type;
    static bool read(BindCursor& c, Map& out) {
        const std::uint32_t n = c.begin_dictionary();
        if (!c.ok())
            return false;
        out.clear();
        // No more memory than the rest of the packet has bytes, whatever the map reserves.
        if constexpr (requires { out.reserve(n); })
            out.reserve(
                std::min<std::size_t>(n, c.bytes_left() / sizeof(typename Map::value_type)));
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::size_t at = c.offset();
            Key key{};
            if (!Bind<Key>::read(c, key))
                return false;
            const auto [place, fresh] = out.try_emplace(std::move(key));
            if (!fresh) {
                if (c.binding.repeated_keys == RepeatedKeys::refuse)
                    return c.refuse(detail::about_any_key(Error{Errc::repeated_key, Type::nil, at},
                                                          place->first));
                place->second = Value{};
            }
            if (!Bind<Value>::read(c, place->second))
                return false;
        }
        c.end();
        return true;
    }
    template <Style style, class Sink>
    static Errc write(Sink& sink, const Map& value) {
        return write_pairs<style, Key, Value>(sink, value);
    }
};
}  // namespace detail

/// Reads all pairs of a Dictionary in order, repeated keys too, and writes them in that order.
template <class Key, class Value>
struct Bind<Pairs<Key, Value>> : detail::BindOne<Type::dictionary> {
    static bool read(BindCursor& c, Pairs<Key, Value>& out) {
        const std::uint32_t n = c.begin_dictionary();
        if (!c.ok())
            return false;
        if (!read_items(c, out, n))
            return false;
        c.end();
        return true;
    }
    template <detail::Style style, class Sink>
    static Errc write(Sink& sink, const Pairs<Key, Value>& value) {
        return detail::write_pairs<style, Key, Value>(sink, value.items);
    }

private:
    static bool read_items(BindCursor& c, Pairs<Key, Value>& out, std::uint32_t n) {
        const detail::Elements within(c);
        if constexpr (detail::Takeable<Key> && detail::Takeable<Value>) {
            Cursor::FastPath fast(c);
            const bool done = detail::read_growing(out.items, n, [&](auto& pair) {
                return detail::read_fast(c, fast, pair.first, pair.second);
            });
            if (done)
                fast.keep();
            return done;
        } else {
            return detail::read_growing(out.items, n, [&](auto& pair) {
                return Bind<Key>::read(c, pair.first) && Bind<Value>::read(c, pair.second);
            });
        }
    }
};
template <class A, class B>
struct Bind<std::pair<A, B>> : detail::BindTuple<std::pair<A, B>>, detail::MostOfTuple<A, B> {};
template <class... T>
struct Bind<std::tuple<T...>> : detail::BindTuple<std::tuple<T...>>, detail::MostOfTuple<T...> {};
template <detail::MapLike T>
struct Bind<T> : detail::BindMap<T> {};

/// Reads as the Container does; writes an untyped Array, even if a packed one exists.
template <class Container>
struct Bind<Untyped<Container>> {
    static constexpr std::uint64_t accepts = detail::accepted<Container>();
    static constexpr std::uint64_t native = detail::native<Container>();
    static constexpr Type element = Type::array;
    static bool read(BindCursor& c, Untyped<Container>& out) {
        return Bind<Container>::read(c, out.value);
    }
    template <class Sink>
    static Errc write(Sink& sink, const Untyped<Container>& value) {
        return detail::write_value<detail::Style::untyped>(sink, value.value);
    }
};
/// Reads as the Container does; writes an Array with its element type, if the dialect has typed
/// Arrays (wire-format 2.7).
template <class Container>
struct Bind<TypedArray<Container>> {
    static constexpr std::uint64_t accepts = detail::accepted<Container>();
    static constexpr std::uint64_t native = detail::native<Container>();
    static constexpr Type element = Type::array;
    static bool read(BindCursor& c, TypedArray<Container>& out) {
        return Bind<Container>::read(c, out.value);
    }
    template <class Sink>
    static Errc write(Sink& sink, const TypedArray<Container>& value) {
        return detail::write_value<detail::Style::typed>(sink, value.value);
    }
};

}  // namespace gdvar
