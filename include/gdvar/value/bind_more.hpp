// Bind for std::deque, std::list, sets and durations.
#pragma once

#include <chrono>
#include <deque>
#include <list>
#include <set>
#include <unordered_set>
#include <utility>

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

/// std::deque and std::list.
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
/// std::set and std::unordered_set. A repeated element is dropped; with RepeatedKeys::refuse it is
/// an error (repeated_key).
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

}  // namespace detail

template <class... T>
struct Bind<std::deque<T...>> : detail::BindList<std::deque<T...>> {};
template <class... T>
struct Bind<std::list<T...>> : detail::BindList<std::list<T...>> {};
template <class... T>
struct Bind<std::set<T...>> : detail::BindSet<std::set<T...>> {};
template <class... T>
struct Bind<std::unordered_set<T...>> : detail::BindSet<std::unordered_set<T...>> {};

/// A duration is written as its count in its own unit: as an int or a float, like its
/// representation. std::chrono::milliseconds is what `Time.get_ticks_msec()` returns;
/// duration<double> is the engine's seconds.
template <class Rep, class Period>
struct Bind<std::chrono::duration<Rep, Period>> {
    using Duration = std::chrono::duration<Rep, Period>;
    static constexpr std::uint64_t accepts = detail::accepted<Rep>();
    static constexpr std::uint64_t native = detail::native<Rep>();
    static constexpr Type element = detail::element_type<Rep>();
    static constexpr std::size_t most_bytes = Bind<Rep>::most_bytes;
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, Duration& out) {
        Rep count{};
        if (!Bind<Rep>::take(fast, count))
            return false;
        out = Duration(count);
        return true;
    }
    static bool read(BindCursor& c, Duration& out) {
        Rep count{};
        if (!Bind<Rep>::read(c, count))
            return false;
        out = Duration(count);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const Duration& value) {
        return Bind<Rep>::write(sink, value.count());
    }
};

}  // namespace gdvar
