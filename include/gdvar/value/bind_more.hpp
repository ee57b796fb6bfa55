// Bind for pointers, and for lists, sets, times and paths: for each type that has the members of
// the standard library's, whose headers are not included here.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind_std.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// Containers that are not contiguous. They are read as a std::vector of the same elements, and
/// written as an Array, or as a PackedStringArray if the elements are texts.
template <class Container>
struct BindSequence {
    using T = typename Container::value_type;
    static constexpr std::uint64_t accepts = sequence_types<T>();
    static constexpr std::uint64_t native = native_sequence_types<T>();
    static constexpr Type element = PackedText<T> ? Type::packed_string_array : Type::array;

    template <Style style, class Sink>
    static Errc write(Sink& sink, const Container& value) {
        return write_sequence<style, T>(sink, value, value.size());
    }

protected:
    /// Reads the elements and moves each of them into `take`.
    template <class Take>
    static bool read_each(BindCursor& c, Take&& take) {
        const Type type = c.peek();
        if (type != Type::array && type != Type::packed_typed_array) {
            std::vector<T> items;
            if (!Bind<std::vector<T>>::read(c, items))
                return false;
            for (auto&& item : items)
                if (!take(T(std::move(item)), c.last_offset()))
                    return false;
            return true;
        }
        static_assert(std::is_default_constructible_v<T>, GDVAR_NEEDS_DEFAULT);
        const std::uint32_t n = c.begin_array();
        for (std::uint32_t i = 0; c.ok() && i < n; ++i) {
            const std::size_t at = c.offset();
            T item{};
            if (!Bind<T>::read(c, item) || !take(std::move(item), at))
                return false;
        }
        c.end();
        return c.ok();
    }
};

/// std::deque, std::list and what has their members.
template <class T>
concept ListLike = ClassWithoutMeta<T> && !requires { VariantTraits<T>::type; } && !requires {
    typename T::key_type;
} && !requires(const T& list) { list.data(); } && requires(T& list, typename T::value_type item) {
    list.push_back(std::move(item));
    list.clear();
    list.size();
};
template <class Container>
struct BindList : BindSequence<Container> {
    static bool read(BindCursor& c, Container& out) {
        out.clear();
        return BindSequence<Container>::read_each(c, [&](auto&& item, std::size_t) {
            out.push_back(std::forward<decltype(item)>(item));
            return true;
        });
    }
};
/// std::set, std::unordered_set and what has their members.
template <class T>
concept SetLike = ClassWithoutMeta<T> && !requires { typename T::mapped_type; } &&
                  requires(T& set, typename T::key_type key) {
                      { set.insert(std::move(key)).second } -> std::convertible_to<bool>;
                      set.clear();
                      set.size();
                  };
/// A repeated element is dropped; with RepeatedKeys::refuse it is an error (repeated_key).
template <class Container>
struct BindSet : BindSequence<Container> {
    static bool read(BindCursor& c, Container& out) {
        out.clear();
        return BindSequence<Container>::read_each(c, [&](auto&& item, std::size_t at) {
            const auto [place, fresh] = out.insert(std::forward<decltype(item)>(item));
            if (fresh || c.binding.repeated_keys != RepeatedKeys::refuse)
                return true;
            return c.refuse(about_any_key(Error{Errc::repeated_key, Type::nil, at}, *place));
        });
    }
};

/// std::chrono::duration.
template <class T>
concept DurationLike = ClassWithoutMeta<T> && requires(const T& time) {
    typename T::period;
    T(typename T::rep(time.count()));
};
/// std::chrono::time_point.
template <class T>
concept TimePointLike = ClassWithoutMeta<T> && requires(const T& time) {
    typename T::clock;
    T(typename T::duration(time.time_since_epoch()));
};
/// std::filesystem::path.
template <class T>
concept PathLike = ClassWithoutMeta<T> && requires(const T& path, const char8_t* text) {
    T::preferred_separator;
    T(text, text);
    path.generic_u8string();
};

struct DurationCount {
    template <class T, class Rep>
    static T make(Rep&& count) {
        return T(count);
    }
    template <class Rep, class T>
    static Rep take(const T& time) {
        return time.count();
    }
};
struct SinceEpoch {
    template <class T, class Rep>
    static T make(Rep&& time) {
        return T(time);
    }
    template <class Rep, class T>
    static Rep take(const T& time) {
        return time.time_since_epoch();
    }
};
struct PathText {
    template <class T>
    static T make(std::u8string&& text) {
        return T(std::move(text));
    }
    template <class>
    static std::u8string take(const auto& path) {
        return path.generic_u8string();
    }
};

/// `most_bytes` of a type without texts.
template <class Rep>
struct MostOf {};
template <Bounded Rep>
    requires(!HasTexts<Rep>)
struct MostOf<Rep> {
    static constexpr std::size_t most_bytes = Bind<Rep>::most_bytes;
};

template <class T>
struct NumberIn {
    using type = T;
};
template <class T>
    requires std::is_enum_v<T>
struct NumberIn<T> {
    using type = std::underlying_type_t<T>;
};
template <class T>
using NumberOrClass = typename NumberIn<T>::type;
/// True if static_cast cuts no number: an enum is judged by its underlying type, a class by the
/// type that its constructor takes. The type that a class's conversion gives is not known.
template <class To, class From>
concept CutsNothing = !std::is_arithmetic_v<NumberOrClass<From>> || requires {
    NumberOrClass<To>{std::declval<NumberOrClass<From>>()};
} || requires { NumberOrClass<To>{std::declval<From>()}; };

}  // namespace detail

/// The conversions of BindAs: static_cast where it cuts no number, or the same bytes where both are
/// trivially copyable.
struct SameValue {
    template <class To, class From>
    static To convert(From&& from) {
        if constexpr (requires { static_cast<To>(std::forward<From>(from)); }) {
            static_assert(detail::CutsNothing<To, std::remove_cvref_t<From>>,
                          "gdvar: BindAs would cut numbers: one type does not hold all of the "
                          "other's; bind an enum as its underlying type, a class as the type that "
                          "its constructor takes");
            return static_cast<To>(std::forward<From>(from));
        } else {
            static_assert(sizeof(To) == sizeof(From),
                          "gdvar: BindAs needs conversions between the two types");
            return std::bit_cast<To>(from);
        }
    }
    template <class T, class Rep>
    static T make(Rep&& from) {
        return convert<T>(std::forward<Rep>(from));
    }
    template <class Rep, class T>
    static Rep take(const T& from) {
        return convert<Rep>(from);
    }
};

/// A Bind that delegates to another type's:
///
///     template <> struct gdvar::Bind<PlayerId> : gdvar::BindAs<PlayerId, std::int64_t> {};
///     template <> struct gdvar::Bind<glm::vec3> : gdvar::BindAs<glm::vec3, gdvar::Vector3> {};
///
/// `Convert` has `make<T>(Rep&&)` and `take<Rep>(const T&)`. With the usual one, a conversion that
/// would narrow a number does not compile: an enum of 32 bits as a std::int64_t, a class whose
/// constructor takes fewer bits than `Rep` has.
template <class T, class Rep, class Convert = SameValue>
struct BindAs : detail::MostOf<Rep> {
    static constexpr std::uint64_t accepts = detail::accepted<Rep>();
    static constexpr std::uint64_t native = detail::native<Rep>();
    static constexpr Type element = detail::element_type<Rep>();
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, T& out)
        requires detail::Takeable<Rep>
    {
        Rep value{};
        if (!Bind<Rep>::take(fast, value))
            return false;
        out = Convert::template make<T>(std::move(value));
        return true;
    }
    static bool read(BindCursor& c, T& out) {
        Rep value{};
        if (!Bind<Rep>::read(c, value))
            return false;
        out = Convert::template make<T>(std::move(value));
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return Bind<Rep>::write(sink, Convert::template take<Rep>(value));
    }
};

template <detail::ListLike T>
struct Bind<T> : detail::BindList<T> {};
template <detail::SetLike T>
struct Bind<T> : detail::BindSet<T> {};

/// A duration is written as its count in its own unit: as an int or a float, like its
/// representation. std::chrono::milliseconds is what `Time.get_ticks_msec()` returns;
/// duration<double> is the engine's seconds.
template <detail::DurationLike T>
struct Bind<T> : BindAs<T, typename T::rep, detail::DurationCount> {};
/// A time_point is written as the duration since its clock's epoch. std::chrono::sys_seconds is
/// what `int(Time.get_unix_time_from_system())` gives.
template <detail::TimePointLike T>
struct Bind<T> : BindAs<T, typename T::duration, detail::SinceEpoch> {};
/// A path is written as its text in UTF-8, with `/` on every system.
template <detail::PathLike T>
struct Bind<T> : BindAs<T, std::u8string, detail::PathText> {};

/// nil stands for a null pointer. The object is kept if there is one; else `new` makes it, so a
/// pointer with a deleter of its own needs its own Bind.
template <class Item>
    requires(!std::is_array_v<Item>)
struct Bind<std::unique_ptr<Item>> {
    static constexpr std::uint64_t accepts = detail::accepted<Item>() | detail::bit(Type::nil);
    static constexpr std::uint64_t native = detail::native<Item>() | detail::bit(Type::nil);
    static bool read(BindCursor& c, std::unique_ptr<Item>& out) {
        static_assert(std::is_default_constructible_v<Item>, GDVAR_NEEDS_DEFAULT);
        if (c.take_nil()) {
            out.reset();
            return true;
        }
        if (!out)
            out.reset(new Item());
        const detail::Elements within(c);
        return Bind<Item>::read(c, *out);
    }
    template <detail::Style style, class Sink>
    static Errc write(Sink& sink, const std::unique_ptr<Item>& value) {
        return value ? detail::write_value<style>(sink, *value) : sink.nil();
    }
};

/// std::byte: a PackedByteArray, and nothing else.
template <class Allocator>
struct Bind<std::vector<std::byte, Allocator>> : detail::BindOne<Type::packed_byte_array> {
    static bool read(BindCursor& c, std::vector<std::byte, Allocator>& out) {
        const ByteView bytes = c.packed<std::uint8_t>().bytes();
        if (c.ok())
            out.assign(bytes.begin(), bytes.end());
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const std::vector<std::byte, Allocator>& value) {
        return Bind<std::span<const std::byte>>::write(sink, value);
    }
};

}  // namespace gdvar
