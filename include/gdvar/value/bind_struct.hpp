// Bind for structs: aggregates directly, others by `meta`.
#pragma once

#include <bit>
#include <memory>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind_packed.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

consteval bool is_ascii(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80)
            return false;
    return true;
}
template <class T, std::size_t i>
inline constexpr auto key_record =
    make_key<Fields<T>::template key<i>.size()>(Fields<T>::template key<i>);

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <Struct T>
class StructBinding {
    using Fields_ = Fields<T>;
    static constexpr std::size_t count = Fields_::count;
    static_assert(count <= 64, "gdvar: a struct has at most 64 fields");
    static_assert(fields_differ<T>(), "gdvar: two of meta<T>::fields have the same name");
    static_assert(fields_are_all<T>(),
                  "gdvar: meta<T>::fields leaves out a member; name it in meta<T>::left_out");

    template <std::size_t i>
    using Member = std::remove_cvref_t<decltype(Fields_::template get<i>(std::declval<T&>()))>;
    template <std::size_t i>
    static constexpr auto field = Fields_::template field<i>;
    template <std::size_t i>
    static constexpr bool may_miss = field<i>.may_miss || is_optional<Member<i>>;
    static constexpr bool has_rest = requires { meta<T>::rest; };

    /// One bit for each field.
    static constexpr std::uint64_t required = []<std::size_t... i>(std::index_sequence<i...>) {
        return (std::uint64_t{0} | ... | (may_miss<i> ? 0 : std::uint64_t{1} << i));
    }(std::make_index_sequence<count>());

public:
    static constexpr bool as_array = [] {
        if constexpr (requires { meta<T>::as_array; })
            return bool{meta<T>::as_array};
        return false;
    }();

    /// True if an Array of so many elements can be this struct.
    static constexpr bool takes_count(std::uint32_t n) noexcept {
        return !as_array ||
               (n <= count && n >= static_cast<std::uint32_t>(std::bit_width(required)));
    }

    static bool read(BindCursor& c, T& out) {
        const std::size_t start = c.offset();
        if (c.nesting >= c.binding.max_nesting)
            return c.refuse(Errc::depth_limit, Type::dictionary, start);
        ++c.nesting;
        const bool done = as_array ? read_array(c, out, start) : read_dictionary(c, out, start);
        --c.nesting;
        return done;
    }

    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        const Errc code = begin(sink, value);
        if (code != Errc::ok)
            return code;
        return write_fields(sink, value, std::make_index_sequence<count>());
    }

private:
    template <std::size_t i>
    static const char* name() noexcept {
        return field_name<T, i>();
    }

    // ---- reading ------------------------------------------------------------------------

    template <std::size_t i>
    static bool read_field(BindCursor& c, T& out) {
        constexpr auto& f = field<i>;
        auto& member = Fields_::template get<i>(out);
        const std::size_t at = c.offset();
        if constexpr (f.rounding != Rounding::as_told) {
            const bool rounds = c.rounds();
            c.set_rounds(f.rounding == Rounding::nearest);
            const bool done = Bind<Member<i>>::read(c, member);
            c.set_rounds(rounds);
            if (!done)
                return false;
        } else {
            if (!Bind<Member<i>>::read(c, member))
                return false;
        }
        if constexpr (f.has_range)
            if (!in_bounds<i>(member))
                return c.refuse(out_of_range<i>(at, member));
        if constexpr (f.most_items != DefaultField::most_items)
            if (items(member) > f.most_items)
                return c.refuse(too_many<i>(at, member));
        return true;
    }
    template <std::size_t i, class M>
    static Error too_many(std::size_t at, const M& member) noexcept {
        return Error{Errc::length_out_of_range, Type::nil, at}.in_field(name<i>()).about_length(
            items(member), 0, field<i>.most_items);
    }

    template <std::size_t i, class M>
    static Error out_of_range(std::size_t at, const M& member) noexcept {
        if constexpr (is_optional<M>) {
            return out_of_range<i>(at, *member);
        } else {
            const Error error{Errc::number_out_of_range, Type::nil, at, 0, name<i>()};
            const auto whole = [](double bound) {
                return bound >= -0x1p63 && bound < 0x1p63 &&
                       bound == static_cast<double>(static_cast<std::int64_t>(bound));
            };
            if (std::integral<M> &&
                std::in_range<std::int64_t>(static_cast<std::int64_t>(member)) &&
                whole(field<i>.low) && whole(field<i>.high))
                return error.about_integer(static_cast<std::int64_t>(member),
                                           static_cast<std::int64_t>(field<i>.low),
                                           static_cast<std::int64_t>(field<i>.high));
            return error.about_real(static_cast<double>(member), field<i>.low, field<i>.high);
        }
    }

    template <std::size_t i, class M>
    static bool in_bounds(const M& member) noexcept {
        if constexpr (is_optional<M>) {
            return !member || in_bounds<i>(*member);
        } else {
            static_assert(std::is_arithmetic_v<M>, "gdvar: range() is for numbers");
            const auto number = static_cast<long double>(member);
            return number >= static_cast<long double>(field<i>.low) &&
                   number <= static_cast<long double>(field<i>.high);
        }
    }
    template <class M>
    static std::size_t items(const M& member) noexcept {
        if constexpr (is_optional<M>)
            return member ? items(*member) : 0;
        else
            return member.size();
    }

    static bool read_dictionary(BindCursor& c, T& out, std::size_t start) {
        (void)c.begin_dictionary();
        if (!c.ok())
            return false;
        if constexpr (has_rest)
            (out.*meta<T>::rest).clear();
        std::uint64_t seen = 0;
        if (!in_order(c, out, seen, std::make_index_sequence<count>()))
            return false;
        while (c.more())
            if (!other_pair(c, out, seen))
                return false;
        c.end();
        if ((seen & required) != required && c.binding.missing_keys == MissingKeys::refuse)
            [[unlikely]]
            return missing(c, seen, start, std::make_index_sequence<count>());
        reset_missing(c, out, seen, std::make_index_sequence<count>());
        return true;
    }

    /// The fields in the struct's own order, the common case: no search.
    template <std::size_t... i>
    static bool in_order(BindCursor& c, T& out, std::uint64_t& seen, std::index_sequence<i...>) {
        Cursor::FastPath fast(c);
        std::uint64_t taken = 0;
        const bool done = (fast_field<i>(c, fast, out, taken) && ...);
        if (done)
            fast.keep();
        seen = taken;
        return done;
    }
    /// On the fast path if possible; else by the Cursor.
    template <std::size_t i>
    [[gnu::always_inline]] static bool fast_field(BindCursor& c, Cursor::FastPath& fast, T& out,
                                                  std::uint64_t& seen) {
        if constexpr (Takeable<Member<i>> && field<i>.rounding != Rounding::refuse) {
            constexpr std::size_t bytes = KeyRecord<Fields_::template key<i>.size()>::bytes;
            const auto before = fast.place();
            if (fast.same_text<bytes>(key_record<T, i>.data)) [[likely]] {
                auto& member = Fields_::template get<i>(out);
                if (Bind<Member<i>>::take(fast, member) && in_limits<i>(member)) [[likely]] {
                    seen |= std::uint64_t{1} << i;
                    return true;
                }
                fast.go_back(before);
            }
        }
        fast.keep();
        std::uint64_t so_far = seen;
        const bool done = next_field<i>(c, out, so_far);
        seen = so_far;
        fast.resume();
        return done;
    }
    template <std::size_t i, class M>
    static bool in_limits([[maybe_unused]] const M& member) noexcept {
        if constexpr (field<i>.has_range)
            if (!in_bounds<i>(member))
                return false;
        if constexpr (field<i>.most_items != DefaultField::most_items)
            if (items(member) > field<i>.most_items)
                return false;
        return true;
    }
    template <std::size_t i>
    static bool next_field(BindCursor& c, T& out, std::uint64_t& seen) {
        if (!c.take_text<KeyRecord<Fields_::template key<i>.size()>::bytes>(key_record<T, i>.data))
            return true;
        seen |= std::uint64_t{1} << i;
        return read_field<i>(c, out);
    }

    using ReadField = bool (*)(BindCursor&, T&);
    /// As if the value were the only one for its key: nothing of an earlier one stays.
    template <std::size_t i>
    static bool read_fresh(BindCursor& c, T& out) {
        Fields_::template get<i>(out) = Member<i>{};
        return read_field<i>(c, out);
    }

    [[gnu::noinline]] static bool other_pair(BindCursor& c, T& out, std::uint64_t& seen) {
        const std::size_t at = c.offset();
        const Cursor::Mark mark = c.mark();
        const Type type = c.peek();
        std::size_t i = count;
        std::string_view key;
        if (type == Type::string || type == Type::string_name) {
            key = c.string();
            if (!c.ok())
                return false;
            i = find(key, std::make_index_sequence<count>());
        } else {
            c.skip();
            if (!c.ok())
                return false;
        }
        if (i == count)
            return unknown(c, out, mark, Error{Errc::unknown_key, type, at}.about_key(key));
        const bool again = seen >> i & 1;
        if (again && c.binding.repeated_keys == RepeatedKeys::refuse)
            return c.refuse(Error{Errc::repeated_key, type, at}.about_key(key));
        seen |= std::uint64_t{1} << i;
        return readers(std::make_index_sequence<2 * count>())[i * 2 + again](c, out);
    }
    /// For each field its reader, and its reader for a repeated key.
    template <std::size_t... i>
    static const ReadField* readers(std::index_sequence<i...>) noexcept {
        static constexpr ReadField table[] = {(i % 2 ? &read_fresh<i / 2> : &read_field<i / 2>)...};
        return table;
    }
    template <std::size_t... i>
    static std::size_t find(std::string_view key, std::index_sequence<i...>) noexcept {
        std::size_t found = count;
        (void)((key == Fields_::template key<i> ? (found = i, true) : false) || ...);
        return found;
    }

    static bool unknown(BindCursor& c, [[maybe_unused]] T& out,
                        [[maybe_unused]] const Cursor::Mark& mark, const Error& error) {
        if constexpr (has_rest) {
            if (!c.go_back(mark))
                return false;
            Variant key, value;
            if (!Bind<Variant>::read(c, key) || !Bind<Variant>::read(c, value))
                return false;
            Dictionary& rest = out.*meta<T>::rest;
            if (Variant* held = rest.find(key)) {
                if (c.binding.repeated_keys == RepeatedKeys::refuse) {
                    Error again = error;
                    again.code = Errc::repeated_key;
                    return c.refuse(again);
                }
                *held = std::move(value);
            } else {
                rest.append(std::move(key), std::move(value));
            }
            return true;
        } else {
            // NOLINTNEXTLINE(misc-const-correctness): some instances change it
            UnknownKeys choice = c.binding.unknown_keys;
            if constexpr (requires { meta<T>::unknown_keys; })
                choice = meta<T>::unknown_keys;
            if (choice == UnknownKeys::refuse)
                return c.refuse(error);
            c.skip();
            return c.ok();
        }
    }

    template <std::size_t... i>
    static bool missing(BindCursor& c, std::uint64_t seen, std::size_t start,
                        std::index_sequence<i...>) {
        const std::uint64_t first = required & ~seen;
        (void)((first >> i & 1
                    ? (c.refuse(Error{Errc::missing_key, Type::dictionary, start, 0, name<i>()}
                                    .about_key(name<i>())),
                       true)
                    : false) ||
               ...);
        return false;
    }
    static constexpr std::uint64_t all_fields =
        count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count % 64) - 1;
    /// A field with a missing key keeps nothing of an earlier packet.
    template <std::size_t... i>
    static void reset_missing(BindCursor& c, T& out, std::uint64_t seen,
                              std::index_sequence<i...> all) {
        std::uint64_t missing = all_fields & ~seen;
        if (!c.elements && c.binding.missing_keys == MissingKeys::keep)
            missing &= ~required;
        if (missing) [[unlikely]]
            set_defaults(out, missing, all);
    }
    /// A std::optional that is not optional in `meta` has no value then, whatever its default.
    template <std::size_t i>
    static constexpr bool becomes_empty =
        is_optional<Member<i>> && (!field<i>.may_miss || field<i>.omits_empty);
    template <std::size_t... i>
    [[gnu::noinline]] static void set_defaults(T& out, std::uint64_t missing,
                                               std::index_sequence<i...>) {
        const auto lacks = [&](std::size_t at) { return (missing >> at & 1) != 0; };
        if constexpr ((becomes_empty<i> && ...)) {
            ((lacks(i) ? Fields_::template get<i>(out).reset() : void()), ...);
        } else if constexpr (std::is_default_constructible_v<T>) {
            const auto from = [&](T&& fresh) {
                ((lacks(i) ? set_default<i>(out, fresh) : void()), ...);
            };
            // Not on the stack if it is large.
            if constexpr (sizeof(T) <= 4096)
                from(T{});
            else
                from(std::move(*std::make_unique<T>()));
        } else {
            ((lacks(i) ? set_default_member<i>(out) : void()), ...);
        }
    }
    template <std::size_t i>
    static void set_default(T& out, T& fresh) {
        if constexpr (becomes_empty<i>)
            Fields_::template get<i>(out).reset();
        else
            restore(Fields_::template get<i>(out), Fields_::template get<i>(fresh));
    }
    /// For a T that only its owner can construct.
    template <std::size_t i>
    static void set_default_member(T& out) {
        static_assert(!may_miss<i> || std::is_default_constructible_v<Member<i>>,
                      "gdvar: a field that may be missing needs a default constructor");
        if constexpr (std::is_default_constructible_v<Member<i>>)
            Fields_::template get<i>(out) = Member<i>{};
    }
    /// An empty member keeps its memory.
    template <class M>
    static void restore(M& member, M& from) {
        if constexpr (!KeptInVariant<M> && requires { member.clear(), from.empty(); }) {
            if (from.empty())
                return member.clear();
        }
        member = std::move(from);
    }

    static bool read_array(BindCursor& c, T& out, std::size_t start) {
        const std::uint32_t n = c.begin_array();
        if (!c.ok())
            return false;
        if (n > count)
            return c.refuse(Error{Errc::length_out_of_range, Type::array, start}.about_length(
                n, std::bit_width(required), count));
        if (!in_turn(c, out, n, std::make_index_sequence<count>()))
            return false;
        const std::uint64_t seen = n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
        if ((seen & required) != required && c.binding.missing_keys == MissingKeys::refuse)
            return c.refuse(Error{Errc::length_out_of_range, Type::array, start}.about_length(
                n, std::bit_width(required), count));
        c.end();
        reset_missing(c, out, seen, std::make_index_sequence<count>());
        return true;
    }
    template <std::size_t... i>
    static bool in_turn(BindCursor& c, T& out, std::uint32_t n, std::index_sequence<i...>) {
        Cursor::FastPath fast(c);
        const bool done = ((i >= n || fast_item<i>(c, fast, out)) && ...);
        if (done)
            fast.keep();
        return done;
    }
    template <std::size_t i>
    [[gnu::always_inline]] static bool fast_item(BindCursor& c, Cursor::FastPath& fast, T& out) {
        if constexpr (Takeable<Member<i>> && field<i>.rounding != Rounding::refuse) {
            const auto before = fast.place();
            auto& member = Fields_::template get<i>(out);
            if (Bind<Member<i>>::take(fast, member) && in_limits<i>(member)) [[likely]]
                return true;
            fast.go_back(before);
        }
        fast.keep();
        const bool done = read_field<i>(c, out);
        fast.resume();
        return done;
    }

    // ---- writing ------------------------------------------------------------------------

    template <std::size_t i>
    static bool omitted(const T& value) noexcept {
        // An Array has no keys, so nothing can be left out.
        if constexpr (field<i>.omits_empty && is_optional<Member<i>> && !as_array)
            return !Fields_::template get<i>(value).has_value();
        else
            return false;
    }
    template <std::size_t... i>
    static std::size_t pairs(const T& value, std::index_sequence<i...>) noexcept {
        // NOLINTNEXTLINE(misc-const-correctness): some instances change it
        std::size_t n = (std::size_t{0} + ... + !omitted<i>(value));
        if constexpr (has_rest)
            n += (value.*meta<T>::rest).size();
        return n;
    }
    template <class Sink>
    static Errc begin(Sink& sink, const T& value) {
        if constexpr (as_array) {
            return sink.begin_array(Type::array, ContainerType(),
                                    static_cast<std::uint32_t>(count));
        } else {
            const std::size_t n = pairs(value, std::make_index_sequence<count>());
            if (n > 0x7FFF'FFFFu)
                return refused_size(sink, Type::dictionary, n);
            return sink.begin_dictionary(ContainerType(), ContainerType(),
                                         static_cast<std::uint32_t>(n));
        }
    }
    template <class Sink, std::size_t... i>
    static Errc write_fields(Sink& sink, const T& value, std::index_sequence<i...>) {
        Errc code = Errc::ok;
        if (!((code = write_from<i>(sink, value), code == Errc::ok) && ...))
            return code;
        if constexpr (has_rest) {
            for (const auto& [key, item] : value.*meta<T>::rest) {
                if (code = Bind<Variant>::write(sink, key); code != Errc::ok)
                    return code;
                if (code = Bind<Variant>::write(sink, item); code != Errc::ok)
                    return code;
            }
        }
        return sink.end();
    }
    /// The number of consecutive bounded fields, from each field on.
    static constexpr auto bounded_from = []<std::size_t... i>(std::index_sequence<i...>) {
        std::array<std::size_t, count + 1> out{(Bounded<Member<i>> ? 1u : 0u)..., 0};
        for (std::size_t at = count; at-- > 0;)
            out[at] = out[at] ? out[at + 1] + 1 : 0;
        return out;
    }(std::make_index_sequence<count>());
    /// Writes the field, with all bounded ones behind it; nothing if an earlier field has written
    /// it.
    template <std::size_t i, class Sink>
    static Errc write_from(Sink& sink, const T& value) {
        if constexpr (bounded_from[i] == 0)
            return write_field<i>(sink, value);
        else if constexpr (i == 0 || bounded_from[i - (i > 0)] == 0)
            return write_reserved<i>(sink, value, std::make_index_sequence<bounded_from[i]>());
        else
            return Errc::ok;
    }
    template <std::size_t first, class Sink, std::size_t... i>
    static Errc write_reserved(Sink& sink, const T& value, std::index_sequence<i...>) {
        const auto write = [&value](auto& to) {
            Errc code = Errc::ok;
            (void)((code = write_field<first + i>(to, value), code == Errc::ok) && ...);
            return code;
        };
        if constexpr (requires { sink.reserved(0, write); }) {
            constexpr std::size_t most =
                (std::size_t{0} + ... +
                 (key_bytes<first + i> + Bind<Member<first + i>>::most_bytes));
            const std::size_t texts =
                (std::size_t{0} + ... + text_bytes(Fields_::template get<first + i>(value)));
            if (texts <= most_reserved)
                return sink.reserved(most + texts, write);
        }
        return write(sink);
    }
    /// Long texts are written by themselves: copying them costs more than reserving.
    static constexpr std::size_t most_reserved = 1 << 16;
    template <std::size_t i>
    static constexpr std::size_t key_bytes =
        as_array ? 0 : text_frame + Fields_::template key<i>.size();

    template <std::size_t i, class Sink>
    static Errc write_field(Sink& sink, const T& value) {
        if (omitted<i>(value))
            return Errc::ok;
        const auto& member = Fields_::template get<i>(value);
        // First: a refusal below then has the offset of the value.
        if constexpr (!as_array)
            if (const Errc code = write_key<i>(sink); code != Errc::ok)
                return code;
        if constexpr (field<i>.has_range)
            if (!in_bounds<i>(member))
                return refused(sink, Errc::number_out_of_range,
                               [&](const Error&) { return out_of_range<i>(0, member); });
        if constexpr (field<i>.most_items != DefaultField::most_items)
            if (items(member) > field<i>.most_items)
                return refused(sink, Errc::length_out_of_range,
                               [&](const Error&) { return too_many<i>(0, member); });
        return write_value<field<i>.style>(sink, member);
    }
    template <std::size_t i, class Sink>
    static Errc write_key(Sink& sink) {
        constexpr std::string_view key = Fields_::template key<i>;
        if constexpr (is_ascii(key) && requires { sink.template string_record<4>(nullptr); })
            return sink.template string_record<KeyRecord<key.size()>::bytes>(key_record<T, i>.data);
        else
            return sink.string(key);
    }
};

}  // namespace detail

template <detail::Struct T>
struct Bind<T> {
    static constexpr std::uint64_t accepts =
        detail::bit(detail::StructBinding<T>::as_array ? Type::array : Type::dictionary);
    static constexpr Type element =
        detail::StructBinding<T>::as_array ? Type::array : Type::dictionary;
    static constexpr bool takes_count(std::uint32_t n) noexcept {
        return detail::StructBinding<T>::takes_count(n);
    }
    static bool read(BindCursor& c, T& out) { return detail::StructBinding<T>::read(c, out); }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return detail::StructBinding<T>::write(sink, value);
    }
};

}  // namespace gdvar
