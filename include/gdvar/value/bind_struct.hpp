// Bind for structs: aggregates directly, others by `meta`.
//
// Instantiated for each struct are two loops, which read and write common values of fields in their
// order. All else goes by a table of the fields (detail/struct_rows.hpp) and is compiled once.
#pragma once

#include <array>
#include <bit>
#include <memory>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind_packed.hpp"
#include "gdvar/value/detail/limits.hpp"
#include "gdvar/value/detail/struct_rows.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

consteval bool is_ascii(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80)
            return false;
    return true;
}
template <class T>
inline constexpr bool is_encoder = false;
template <Output To>
inline constexpr bool is_encoder<Encoder<To>> = true;

template <class M>
struct MemberReadingOf {
    static bool read(BindCursor& c, void* member) {
        return Bind<M>::read(c, *static_cast<M*>(member));
    }
    static constexpr bool is_container =
        !KeptInVariant<M> && requires(M& m) { m.clear(), m.empty(); };
    [[gnu::noinline]] static void renew(void* member) {
        if constexpr (is_container)
            static_cast<M*>(member)->clear();
        else
            *static_cast<M*>(member) = M{};
    }
    static void restore(void* member, void* fresh) {
        M &to = *static_cast<M*>(member), &from = *static_cast<M*>(fresh);
        if constexpr (is_container) {
            if (from.empty())
                return renew(member);
        }
        // No swap: the memory of two containers may come from different resources.
        to = std::move(from);
    }
    static constexpr MemberReading row = [] {
        MemberReading out{&read, nullptr, nullptr};
        if constexpr (std::is_move_assignable_v<M>) {
            out.restore = &restore;
            if constexpr (std::is_default_constructible_v<M>)
                out.renew = &renew;
        }
        return out;
    }();
};
template <class M, Style style>
Errc write_member(AnyWriter& sink, const void* member) {
    return write_value<style>(sink, *static_cast<const M*>(member));
}

template <Struct T>
class StructBinding {
    using Fields_ = Fields<T>;
    static constexpr std::size_t count = Fields_::count;
    static constexpr std::make_index_sequence<count> all{};
    static_assert(meta_says_something<T>,
                  "gdvar: meta<T> has neither fields nor options; is their name misspelt?");
    static_assert(options_are_inside<T>,
                  "gdvar: as_array, partial, unknown_keys, missing_keys and check are members of "
                  "meta<T>::options");
    static_assert(fields_differ<T>(), "gdvar: two of meta<T>::fields have the same name");
    static_assert(fields_are_all<T>(),
                  "gdvar: meta<T>::fields leaves out a member; name it in meta<T>::left_out");

    template <std::size_t i>
    using Member = std::remove_const_t<typename Fields_::template Member<i>>;
    template <std::size_t i>
    static constexpr FieldOptions field = Fields_::template options<i>;
    template <std::size_t i>
    static constexpr bool may_miss = field<i>.may_miss || is_optional<Member<i>>;
    /// A std::optional that is not optional in `meta` has no value then, whatever its default.
    template <std::size_t i>
    static constexpr bool becomes_empty =
        field<i>.omits_empty || (is_optional<Member<i>> && !field<i>.may_miss);
    static constexpr bool has_rest = requires { meta<T>::rest; };

public:
    static constexpr const StructOptions<T>& options = struct_options<T>;
    static constexpr bool as_array = options.as_array;
    static constexpr Type type = as_array ? Type::array : Type::dictionary;
    static_assert(!as_array || !has_rest,
                  "gdvar: an Array has no keys that meta<T>::rest could collect: as_array and rest "
                  "exclude each other");

    /// True if an Array of so many elements can be this struct.
    static bool takes_count(const BindCursor& c, std::uint32_t n) noexcept {
        if constexpr (!as_array)
            return true;
        return n <= count &&
               (n >= least_count || rows<true>.missing(c.binding) == MissingKeys::keep);
    }

    [[gnu::noinline]] static bool read(BindCursor& c, T& out) {
        const std::size_t start = c.offset();
        if (c.nesting >= c.binding.max_nesting) [[unlikely]]
            return c.refuse(Errc::depth_limit, Type::dictionary, start);
        ++c.nesting;
        bool done;
        if constexpr (as_array)
            done = read_array(c, out, start);
        else
            done = read_dictionary(c, out, start);
        --c.nesting;
        if constexpr (options.check != nullptr)
            return done && passes(c, out, start);
        return done;
    }

    template <class Sink>
    [[gnu::noinline]] static Errc write(Sink& sink, const T& value) {
        if constexpr (options.check != nullptr)
            if (const char* why = options.check(value)) [[unlikely]]
                return refused(sink, Errc::refused,
                               [why](const Error& error) { return error.about_reason(why); });
        if constexpr (std::same_as<Sink, AnyWriter>) {
            return write_rows(sink, rows<false>, &value);
        } else if constexpr (is_encoder<Sink>) {
            return write_fields(sink, value);
        } else {
            SinkAsWriter<Sink> any(sink);
            return write_rows(any, rows<false>, &value);
        }
    }

private:
    // ---- the table ----------------------------------------------------------------------

    template <std::size_t i>
    [[gnu::always_inline]] static bool within(const Member<i>& member, Error* why = nullptr) {
        return in_limits<field<i>.has_range, field<i>.has_lengths()>(member, field<i>, why);
    }
    template <std::size_t i>
    static bool row_within(const void* member, Error& why) {
        return within<i>(*static_cast<const Member<i>*>(member), &why);
    }
    template <std::size_t i>
    static bool omitted(const void* member) {
        return is_empty(*static_cast<const Member<i>*>(member));
    }
    template <std::size_t i>
    static constexpr FieldRules rules = [] {
        FieldRules out{.options = field<i>};
        if constexpr (field<i>.has_limits())
            out.in_limits = &row_within<i>;
        if constexpr (field<i>.omits_empty && !as_array)
            out.omitted = &omitted<i>;
        return out;
    }();
    template <std::size_t i>
    static constexpr const MemberReading* reading() {
        using Reading = MemberReadingOf<Member<i>>;
        static_assert(!may_miss<i> || std::is_default_constructible_v<T> ||
                          std::is_default_constructible_v<Member<i>>,
                      "gdvar: a field that may be missing needs a default constructor");
        static_assert(!may_miss<i> || Reading::row.restore,
                      "gdvar: a field that may be missing needs an assignment");
        return &Reading::row;
    }
    template <bool reads, std::size_t i>
    static constexpr FieldRow row() {
        const MemberReading* from = nullptr;
        Errc (*write)(AnyWriter&, const void*) = nullptr;
        if constexpr (reads)
            from = reading<i>();
        else
            write = &write_member<Member<i>, field<i>.style>;
        return {.key = key_record<T, i>.data,
                .reading = from,
                .write = write,
                .rules = field<i>.is_usual() ? &no_rules : &rules<i>,
                .may_miss = may_miss<i>,
                .becomes_empty = becomes_empty<i>};
    }
    static constexpr std::uint32_t least_count = []<std::size_t... i>(std::index_sequence<i...>) {
        std::uint32_t least = 0;
        ((least = may_miss<i> ? least : static_cast<std::uint32_t>(i + 1)), ...);
        return least;
    }(all);
    template <bool reads>
    static constexpr std::array<FieldRow, count> field_rows =
        []<std::size_t... i>(std::index_sequence<i...>) {
            return std::array<FieldRow, count>{row<reads, i>()...};
        }(all);

    static void* member(void* object, std::size_t i) {
        return Fields_::with(*static_cast<T*>(object), [i](auto&... each) -> void* {
            const void* found = nullptr;
            std::size_t at = 0;
            // A jump by `i`. A table of all addresses would be filled for each of them.
            (void)((at++ == i && (found = std::addressof(each), true)) || ...);
            // One that is const is only written.
            return const_cast<void*>(found);
        });
    }
    static void with_fresh(void* context, void (*use)(void* context, void* fresh)) {
        // Not on the stack if it is large.
        if constexpr (sizeof(T) <= 4096) {
            T fresh{};
            use(context, &fresh);
        } else {
            use(context, std::make_unique<T>().get());
        }
    }
    static Dictionary* rest_of([[maybe_unused]] void* object) {
        if constexpr (has_rest)
            return &(static_cast<T*>(object)->*meta<T>::rest);
        else
            return nullptr;
    }
    template <bool reads>
    static constexpr StructRows rows = [] {
        StructRows out{.fields = field_rows<reads>.data(),
                       .count = count,
                       .least_count = least_count,
                       .as_array = as_array,
                       .unknown_keys = options.unknown_keys,
                       .missing_keys = options.missing_keys,
                       .member = &member,
                       .with_fresh = nullptr,
                       .rest = has_rest ? &rest_of : nullptr};
        if constexpr (reads && std::is_default_constructible_v<T>)
            out.with_fresh = &with_fresh;
        return out;
    }();

    // ---- reading ------------------------------------------------------------------------

    /// One bit for each field.
    struct Seen {
        static constexpr std::size_t words = (count + 63) / 64;
        std::uint64_t bits[words ? words : 1]{};
        template <std::size_t i>
        void set() noexcept {
            bits[i / 64] |= std::uint64_t{1} << i % 64;
        }
        bool all() const noexcept {
            for (std::size_t i = 0; i < words; ++i) {
                const std::size_t here = i + 1 < words ? 64 : count - i * 64;
                if (bits[i] != ~std::uint64_t{0} >> (64 - here))
                    return false;
            }
            return true;
        }
    };
    [[gnu::noinline]] static bool passes(BindCursor& c, const T& value, std::size_t start) {
        const char* const why = options.check(value);
        return !why || c.refuse(Error{Errc::refused, Type::nil, start}.about_reason(why));
    }
    enum class Taken : std::uint8_t { all, some, refused };

    static bool read_dictionary(BindCursor& c, T& out, std::size_t start) {
        (void)c.begin_dictionary();
        if (!c.ok()) [[unlikely]]
            return false;
        if constexpr (has_rest)
            (out.*meta<T>::rest).clear();
        Seen seen;
        if (take_pairs(c, out, seen) == Taken::refused) [[unlikely]]
            return false;
        if (!c.more() && seen.all()) [[likely]] {
            c.end();
            return true;
        }
        Seen so_far = seen;
        return read_pairs(c, rows<true>, &out, so_far.bits, start);
    }
    /// The fields in the struct's own order, the common case: no search. What is not the key of a
    /// required field, or not a common value, is left to the table.
    [[gnu::always_inline]] static Taken take_pairs(BindCursor& c, T& out, Seen& seen) {
        Cursor::FastPath fast(c, Cursor::FastPath::Unnamed());
        Taken taken = Taken::all;
        Fields_::with(out, [&](auto&... member) __attribute__((always_inline)) {
            take_each(c, fast, seen, taken, all, member...);
        });
        if (taken != Taken::refused)
            fast.keep();
        return taken;
    }
    template <std::size_t... i, class... M>
    [[gnu::always_inline]] static void take_each(BindCursor& c, Cursor::FastPath& fast, Seen& seen,
                                                 Taken& taken, std::index_sequence<i...>,
                                                 M&... member) {
        (void)(take_pair<i>(c, fast, member, seen, taken) && ...);
    }
    template <std::size_t i, class M>
    [[gnu::always_inline]] static bool take_pair(BindCursor& c, Cursor::FastPath& fast, M& member,
                                                 Seen& seen, Taken& taken) {
        const auto before = fast.place();
        if (!fast.same_text<KeyRecord<Fields_::template key<i>.size()>::bytes>(
                key_record<T, i>.data)) [[unlikely]]
            return may_miss<i>;
        if (!take_value<i>(c, fast, member, taken)) [[unlikely]] {
            if (taken != Taken::refused)
                fast.go_back(before);
            return false;
        }
        seen.template set<i>();
        return true;
    }
    /// False: `taken` says whether the value was refused, or waits for the table.
    template <std::size_t i, class M>
    [[gnu::always_inline]] static bool take_value(BindCursor& c, Cursor::FastPath& fast, M& member,
                                                  Taken& taken) {
        static_assert(!std::is_const_v<M>, "gdvar: a const member can be written, not read");
        if constexpr (Takeable<M> && field<i>.rounding != Rounding::refuse) {
            if (Bind<M>::take(fast, member) && within<i>(member)) [[likely]]
                return true;
            taken = Taken::some;
            return false;
        } else {
            fast.keep();
            bool done;
            if constexpr (field<i>.has_limits() || field<i>.rounding != Rounding::as_told)
                done = read_field(c, field_rows<true>[i], &member);
            else
                done = Bind<M>::read(c, member);
            if (!done) [[unlikely]] {
                taken = Taken::refused;
                return false;
            }
            fast.resume(Cursor::FastPath::Unnamed());
            return true;
        }
    }

    static bool read_array(BindCursor& c, T& out, std::size_t start) {
        const std::uint32_t n = c.begin_array();
        if (!c.ok()) [[unlikely]]
            return false;
        std::size_t next = 0;
        if (n == count) [[likely]] {
            const Taken taken = take_elements(c, out, next);
            if (taken == Taken::all) [[likely]] {
                c.end();
                return true;
            }
            if (taken == Taken::refused)
                return false;
        }
        return read_elements(c, rows<true>, &out, next, n, start);
    }
    [[gnu::always_inline]] static Taken take_elements(BindCursor& c, T& out, std::size_t& next) {
        Cursor::FastPath fast(c, Cursor::FastPath::Unnamed());
        Taken taken = Taken::all;
        Fields_::with(out, [&](auto&... member) __attribute__((always_inline)) {
            take_each_element(c, fast, taken, next, all, member...);
        });
        if (taken != Taken::refused)
            fast.keep();
        return taken;
    }
    template <std::size_t... i, class... M>
    [[gnu::always_inline]] static void take_each_element(BindCursor& c, Cursor::FastPath& fast,
                                                         Taken& taken, std::size_t& next,
                                                         std::index_sequence<i...>, M&... member) {
        (void)(take_element<i>(c, fast, member, taken, next) && ...);
    }
    template <std::size_t i, class M>
    [[gnu::always_inline]] static bool take_element(BindCursor& c, Cursor::FastPath& fast,
                                                    M& member, Taken& taken, std::size_t& next) {
        const auto before = fast.place();
        if (take_value<i>(c, fast, member, taken)) [[likely]]
            return true;
        next = i;
        if (taken != Taken::refused)
            fast.go_back(before);
        return false;
    }

    // ---- writing ------------------------------------------------------------------------

    template <std::size_t i>
    static bool is_left_out(const Member<i>& member) noexcept {
        // An Array has no keys, so nothing can be left out.
        if constexpr (field<i>.omits_empty && !as_array)
            return is_empty(member);
        else
            return false;
    }
    static std::size_t rest_size([[maybe_unused]] const T& value) {
        if constexpr (has_rest)
            return (value.*meta<T>::rest).size();
        else
            return 0;
    }
    template <class Sink>
    static Errc begin(Sink& sink, const T& value) {
        if constexpr (as_array) {
            return sink.begin_array(Type::array, ContainerType(), std::uint32_t{count});
        } else {
            const std::size_t n =
                rest_size(value) + Fields_::with(value, [](const auto&... member) {
                    return []<std::size_t... i>(std::index_sequence<i...>, const auto&... each) {
                        return (std::size_t{0} + ... + !is_left_out<i>(each));
                    }(all, member...);
                });
            if (n > 0x7FFF'FFFFu)
                return Errc::too_large;
            return sink.begin_dictionary(ContainerType(), ContainerType(),
                                         static_cast<std::uint32_t>(n));
        }
    }
    template <class Sink>
    static Errc write_fields(Sink& sink, const T& value) {
        Errc code = begin(sink, value);
        if (code != Errc::ok) [[unlikely]]
            return code;
        code = Fields_::with(value, [&](const auto&... member) __attribute__((always_inline)) {
            return write_each(sink, value, all, member...);
        });
        if (code != Errc::ok) [[unlikely]]
            return code;
        if constexpr (has_rest)
            for (const auto& [key, item] : value.*meta<T>::rest) {
                if (code = Bind<Variant>::write(sink, key); code != Errc::ok)
                    return code;
                if (code = Bind<Variant>::write(sink, item); code != Errc::ok)
                    return code;
            }
        return sink.end();
    }
    template <class Sink, std::size_t... i, class... M>
    [[gnu::always_inline]] static Errc write_each(Sink& sink, const T& value,
                                                  std::index_sequence<i...>, const M&... member) {
        Errc code = Errc::ok;
        (void)((code = write_from<i>(sink, value, member), code == Errc::ok) && ...);
        return code;
    }
    /// The number of consecutive bounded fields, from each field on.
    static constexpr auto bounded_from = []<std::size_t... i>(std::index_sequence<i...>) {
        std::array<std::size_t, count + 1> out{(Bounded<Member<i>> ? 1u : 0u)..., 0};
        for (std::size_t at = count; at-- > 0;)
            out[at] = out[at] ? out[at + 1] + 1 : 0;
        return out;
    }(all);
    /// Writes the field, with all bounded ones behind it; nothing if an earlier field has written
    /// it.
    template <std::size_t i, class Sink, class M>
    [[gnu::always_inline]] static Errc write_from(Sink& sink, const T& value, const M& member) {
        if constexpr (bounded_from[i] == 0)
            return write_field<i>(sink, member);
        else if constexpr (i == 0 || bounded_from[i - (i > 0)] == 0)
            return write_reserved<i, bounded_from[i]>(sink, value);
        else
            return Errc::ok;
    }
    template <std::size_t first, std::size_t n, class Sink>
    [[gnu::always_inline]] static Errc write_reserved(Sink& sink, const T& value) {
        constexpr std::size_t most = []<std::size_t... i>(std::index_sequence<i...>) {
            return (std::size_t{0} + ... +
                    (key_bytes<first + i> + Bind<Member<first + i>>::most_bytes));
        }(std::make_index_sequence<n>());
        const std::size_t texts =
            Fields_::with(value, [](const auto&... member) __attribute__((always_inline)) {
                return texts_of<first, n>(all, member...);
            });
        if (texts > most_reserved) [[unlikely]]
            return write_otherwise<first, n>(sink, value);
        return sink.reserved(
            most + texts,
            [&value](auto& to) __attribute__((always_inline)) {
                return Fields_::with(value,
                                     [&to](const auto&... member) __attribute__((always_inline)) {
                                         return write_run<first, n>(to, all, member...);
                                     });
            },
            [&value](Sink& to) { return write_otherwise<first, n>(to, value); });
    }
    template <std::size_t first, std::size_t n, std::size_t... i, class... M>
    [[gnu::always_inline]] static std::size_t texts_of(std::index_sequence<i...>,
                                                       const M&... member) noexcept {
        return (std::size_t{0} + ... + (i - first < n ? text_bytes(member) : 0));
    }
    template <std::size_t first, std::size_t n, class To, std::size_t... i, class... M>
    [[gnu::always_inline]] static Errc write_run(To& to, std::index_sequence<i...>,
                                                 const M&... member) {
        Errc code = Errc::ok;
        (void)((code = write_in_run<first, n, i>(to, member), code == Errc::ok) && ...);
        return code;
    }
    template <std::size_t first, std::size_t n, std::size_t i, class To, class M>
    [[gnu::always_inline]] static Errc write_in_run(To& to, const M& member) {
        if constexpr (i - first < n)
            return write_field<i>(to, member);
        else
            return Errc::ok;
    }
    /// Where no space can be reserved, and to find the reason of a refusal.
    template <std::size_t first, std::size_t n, class Sink>
    [[gnu::cold, gnu::noinline]] static Errc write_otherwise(Sink& sink, const T& value) {
        SinkAsWriter<Sink> any(sink);
        return write_some_rows(any, rows<false>, &value, first, n);
    }
    /// Long texts are written by themselves: copying them costs more than reserving.
    static constexpr std::size_t most_reserved = 1 << 16;
    template <std::size_t i>
    static constexpr std::size_t key_bytes =
        as_array ? 0 : text_frame + Fields_::template key<i>.size();

    template <std::size_t i, class Sink, class M>
    [[gnu::always_inline]] static Errc write_field(Sink& sink, const M& member) {
        if (is_left_out<i>(member))
            return Errc::ok;
        // First: a refusal below then has the offset of the value.
        if constexpr (!as_array)
            if (const Errc code = write_key<i>(sink); code != Errc::ok)
                return code;
        if constexpr (field<i>.has_limits())
            if (Error why; !within<i>(member, &why)) [[unlikely]]
                return why.code;
        return write_value<field<i>.style>(sink, member);
    }
    template <std::size_t i, class Sink>
    [[gnu::always_inline]] static Errc write_key(Sink& sink) {
        constexpr std::string_view key = Fields_::template key<i>;
        if constexpr (is_ascii(key))
            return sink.template string_record<KeyRecord<key.size()>::bytes>(key_record<T, i>.data);
        else
            return sink.string(key);
    }
};

}  // namespace detail

template <detail::Struct T>
struct Bind<T> {
    static constexpr std::uint64_t accepts = detail::bit(detail::StructBinding<T>::type);
    static constexpr Type element = detail::StructBinding<T>::type;
    static bool takes_count(const BindCursor& c, std::uint32_t n) noexcept {
        return detail::StructBinding<T>::takes_count(c, n);
    }
    static bool read(BindCursor& c, T& out) { return detail::StructBinding<T>::read(c, out); }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return detail::StructBinding<T>::write(sink, value);
    }
};

}  // namespace gdvar
