// meta: changes how a struct or an enum is bound.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/choices.hpp"
#include "gdvar/value/detail/reflect.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {

/// Specialise it to describe the binding of T: `fields` of a struct, `values` of an enum, and
/// `options` of either, all `static constexpr`.
///
///     template <> struct gdvar::meta<Player> {
///         static constexpr auto fields = std::tuple(
///             gdvar::field("name", &Player::name).max_length(32),
///             gdvar::field("hp", &Player::hp).range(0, 9999),
///             gdvar::field("guild", &Player::guild).optional());
///         static constexpr gdvar::StructOptions<Player> options{
///             .unknown_keys = gdvar::UnknownKeys::refuse};
///     };
///     template <> struct gdvar::meta<State> {
///         static constexpr auto values = std::array{
///             gdvar::value("idle", State::idle), gdvar::value("run", State::run)};
///     };
///
/// For structs: `fields` is a tuple of `field(...)`, `options` a StructOptions<T>. `left_out` is a
/// tuple of pointers to the members that are not bound: `std::tuple(&Player::cache)`. `rest` is a
/// pointer to a Dictionary member that collects the pairs of unknown keys and writes them back.
/// Other names have no meaning here; a misspelt one is a compile error, as far as C++ can tell.
///
/// The members of an aggregate are counted: a member that is named nowhere is a compile error.
/// Types whose members can't be counted are not checked: classes with constructors, private members
/// or bases, C arrays, more than 40 members.
///
/// For enums: `values`, and `options`, an EnumOptions. Reading takes names and numbers.
template <class T>
struct meta {
    static constexpr bool is_unspecialised = true;  ///< not for users
};

/// Treatment of a key without a field in the struct.
enum class UnknownKeys : std::uint8_t { ignore, refuse };
/// Treatment of a field that is not optional and has no key. `keep`: it stays unchanged in the
/// target and in structs that are its members, for updates of an existing value. Elements of
/// containers, std::optional and std::variant get the default even then.
enum class MissingKeys : std::uint8_t { refuse, keep };
/// Treatment of a repeated key: the last one counts, as in engines, or it is refused.
enum class RepeatedKeys : std::uint8_t { last, refuse };

/// `meta<T>::options` of a struct.
template <class T>
struct StructOptions {
    /// Written as an Array of the fields in order instead of a Dictionary.
    bool as_array = false;
    /// `fields` names only what differs: all other members that are neither in `left_out` nor
    /// `rest` are bound by their own names. The order is that of the members. For aggregates of up
    /// to 40.
    bool others_by_name = false;
    /// Members may be named nowhere: for those that have no pointer (bit-fields, references).
    bool partial = false;
    /// Without a value: as BindOptions say.
    std::optional<UnknownKeys> unknown_keys{};
    std::optional<MissingKeys> missing_keys{};
    /// The program's own rule: null, or in words why the struct is refused (static text). It is
    /// asked after reading and before writing. Error: refused, with these words.
    ///
    ///     .check = [](const Player& of) { return of.hp > of.most_hp ? "hp is over most_hp" :
    ///     nullptr; }
    const char* (*check)(const T& value) = nullptr;
};
/// `meta<T>::options` of an enum.
struct EnumOptions {
    /// Written as an int.
    bool by_number = false;
};

/// Options for reading into structs, besides DecodeOptions.
struct BindOptions {
    /// For structs whose `meta` does not set it.
    UnknownKeys unknown_keys = UnknownKeys::ignore;
    /// The same.
    MissingKeys missing_keys = MissingKeys::refuse;
    RepeatedKeys repeated_keys = RepeatedKeys::last;
    /// A float, or a type made of floats, may round a number that 32 bits don't hold to the nearest
    /// (GDScript's floats are all doubles). False: such a number is number_out_of_range.
    bool round_floats = true;
    /// The most structs nested in each other, for types that contain themselves.
    std::uint32_t max_nesting = 128;
};
inline constexpr BindOptions default_bind_options{};

namespace detail {

/// The written form of a container that has several.
enum class Style : std::uint8_t {
    packed,   ///< a packed array if one exists, else an untyped Array
    untyped,  ///< an untyped Array or Dictionary
    typed     ///< with its element types in the header, if the dialect has them
};

/// Treatment of a number that a float does not hold.
enum class Rounding : std::uint8_t { as_told, nearest, refuse };

/// A number as it was given: exact for ints of 64 bits.
struct Bound {
    bool is_real = false, is_negative = false;
    std::uint64_t whole = 0;  ///< of an int, as two's complement
    double real = 0;

    constexpr Bound() = default;
    template <std::integral Number>
    constexpr Bound(Number value)
        : whole(static_cast<std::uint64_t>(value)), real(static_cast<double>(value)) {
        if constexpr (std::is_signed_v<Number>)
            is_negative = value < 0;
    }
    template <std::floating_point Number>
    constexpr Bound(Number value) : is_real(true), real(static_cast<double>(value)) {}
    /// An unscoped enum, a std::integral_constant, and what else converts to a number.
    template <class Convertible>
        requires(!std::is_arithmetic_v<Convertible> &&
                 requires(const Convertible& value) {
                     requires std::is_arithmetic_v<std::remove_cvref_t<decltype(+value)>>;
                 })
    constexpr Bound(const Convertible& value) : Bound(+value) {}

    friend constexpr std::partial_ordering operator<=>(const Bound& a, const Bound& b) noexcept {
        if (a.is_real && b.is_real)
            return a.real <=> b.real;
        if (b.is_real)
            return beside(a, b.real);
        if (a.is_real)
            return 0 <=> beside(b, a.real);
        if (a.is_negative != b.is_negative)
            return a.is_negative ? std::partial_ordering::less : std::partial_ordering::greater;
        return a.whole <=> b.whole;
    }

private:
    /// An int and a float: by the float's whole part, then by its fraction.
    static constexpr std::partial_ordering beside(const Bound& a, double b) noexcept {
        if (!(b >= -0x1p63))
            return b != b ? std::partial_ordering::unordered : std::partial_ordering::greater;
        if (b >= 0x1p64)
            return std::partial_ordering::less;
        const Bound part =
            b < 0 ? Bound(static_cast<std::int64_t>(b)) : Bound(static_cast<std::uint64_t>(b));
        const std::partial_ordering order = a <=> part;
        return order == 0 ? part.real <=> b : order;
    }
};

/// The options of a field; the defaults are for members that `meta` does not name.
struct FieldOptions {
    static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
    bool may_miss = false;
    Rounding rounding = Rounding::as_told;
    bool omits_empty = false;
    Style style = Style::packed;
    std::uint64_t least_items = 0, most_items = no_limit;
    bool has_range = false;
    Bound low{}, high{};
    static constexpr std::size_t most_other_keys = 4;
    std::uint8_t other_key_count = 0;
    std::array<std::string_view, most_other_keys> other_keys{};

    constexpr bool has_lengths() const { return least_items != 0 || most_items != no_limit; }
    constexpr bool has_limits() const { return has_range || has_lengths(); }
    /// Reading and writing the value needs none of these.
    constexpr bool is_usual() const {
        return !has_limits() && !omits_empty && rounding == Rounding::as_told && !other_key_count;
    }
};

/// A field of a struct with its options from `meta`. Literal; each member returns a changed copy.
template <class Class, class Member>
struct FieldOf : FieldOptions {
    using class_type = Class;
    using member_type = Member;
    std::string_view key;
    Member Class::* member;

    constexpr FieldOf(std::string_view name, Member Class::* pointer)
        : key(name), member(pointer) {}

    /// A missing key gives the member its default: its value in a new struct. So nothing of an
    /// earlier packet stays in a struct that is read into again.
    constexpr FieldOf optional() const { return with(&FieldOptions::may_miss, true); }
    /// A float rounds a double to the nearest, regardless of BindOptions.
    constexpr FieldOf rounded() const { return with(&FieldOptions::rounding, Rounding::nearest); }
    /// A float takes only numbers that it holds exactly, regardless of BindOptions.
    constexpr FieldOf exact() const { return with(&FieldOptions::rounding, Rounding::refuse); }
    /// A std::optional without a value, an empty text or an empty container is left out, and a
    /// missing key means that. In a struct that is an Array it is written.
    constexpr FieldOf omit_empty() const {
        return with(&FieldOptions::omits_empty, true).with(&FieldOptions::may_miss, true);
    }
    /// Written as an untyped Array, even if a packed array of such elements exists.
    constexpr FieldOf untyped() const { return with(&FieldOptions::style, Style::untyped); }
    /// Written as a typed Array or Dictionary if the dialect has them.
    constexpr FieldOf typed() const { return with(&FieldOptions::style, Style::typed); }
    /// Other keys that are read as this field, for what older versions wrote; the field's own is
    /// written. At most 4. Two keys of one field are a repeated key.
    template <std::convertible_to<std::string_view>... Keys>
    constexpr FieldOf aliases(const Keys&... keys) const {
        static_assert(sizeof...(Keys) <= most_other_keys, "gdvar: a field has at most 4 aliases");
        FieldOf copy = *this;
        copy.other_key_count = sizeof...(Keys);
        copy.other_keys = {std::string_view(keys)...};
        return copy;
    }
    /// The least bytes of a text, elements of a container: fewer are refused, length_out_of_range.
    /// A std::optional without a value has no length.
    constexpr FieldOf min_length(std::size_t least) const {
        return with(&FieldOptions::least_items, std::uint64_t{least});
    }
    /// The most bytes of a text, elements of a container: more are refused, length_out_of_range.
    constexpr FieldOf max_length(std::size_t most) const {
        return with(&FieldOptions::most_items, std::uint64_t{most});
    }
    /// Numbers from `from` to `to`: others are refused, number_out_of_range. Of a math type each
    /// component, of a container each element must be in the range. Ints are compared exactly.
    constexpr FieldOf range(Bound from, Bound to) const {
        return with(&FieldOptions::has_range, true)
            .with(&FieldOptions::low, from)
            .with(&FieldOptions::high, to);
    }

private:
    template <class Value>
    constexpr FieldOf with(Value FieldOptions::* which, Value value) const {
        FieldOf copy = *this;
        copy.*which = value;
        return copy;
    }
};

template <class Enum>
struct EnumValue {
    std::string_view name;
    Enum value;
};

template <class T>
concept HasFields = requires { meta<T>::fields; };
template <class T>
concept HasValues = requires { meta<T>::values; };
template <class T>
concept HasOptions = requires { meta<T>::options; };
/// True if `meta` is the library's own, or names something that it may name.
template <class T>
inline constexpr bool meta_says_something =
    requires { meta<T>::is_unspecialised; } || HasFields<T> || HasValues<T> || HasOptions<T>;
/// False if an option stands beside `options`.
template <class T>
inline constexpr bool options_are_inside =
    !requires { meta<T>::as_array; } && !requires { meta<T>::partial; } &&
    !requires { meta<T>::unknown_keys; } && !requires { meta<T>::missing_keys; } &&
    !requires { meta<T>::check; } && !requires { meta<T>::by_number; };
/// The options by `meta`, or the usual ones.
template <class T, class Options>
inline constexpr Options options_of{};
template <HasOptions T, class Options>
inline constexpr Options options_of<T, Options> = [] {
    static_assert(std::same_as<decltype(meta<T>::options), const Options>,
                  "gdvar: meta<T>::options is a gdvar::StructOptions<T>, of an enum a "
                  "gdvar::EnumOptions");
    return meta<T>::options;
}();
template <class T>
inline constexpr const StructOptions<T>& struct_options = options_of<T, StructOptions<T>>;

/// Aggregates that are not bound as structs.
template <class T>
inline constexpr bool has_other_binding = requires { VariantTraits<T>::type; };
template <class T, std::size_t n>
inline constexpr bool has_other_binding<std::array<T, n>> = true;

/// An aggregate that needs no `meta`.
template <class T>
concept AggregateWithoutMeta = std::is_class_v<T> && std::is_aggregate_v<T> && !HasFields<T> &&
                               !std::is_empty_v<T> && !has_other_binding<T>;

}  // namespace detail

/// A field for `meta<T>::fields`.
template <class Class, class Member>
constexpr detail::FieldOf<Class, Member> field(std::string_view key, Member Class::* member) {
    return {key, member};
}
/// An enumerator for `meta<E>::values`.
template <class Enum>
constexpr detail::EnumValue<Enum> value(std::string_view name, Enum value) {
    return {name, value};
}

namespace detail {

/// Pointers to the members that are no fields: `left_out` and `rest`.
template <class T>
consteval auto unbound_members() {
    const auto left_out = [] {
        if constexpr (requires { meta<T>::left_out; })
            return meta<T>::left_out;
        else
            return std::tuple();
    }();
    if constexpr (requires { meta<T>::rest; })
        return std::tuple_cat(left_out, std::tuple(meta<T>::rest));
    else
        return left_out;
}

/// One struct's fields, from `meta` or reflection: `count`, `options<i>`, `key<i>`, `Member<i>`,
/// and `with(object, f)`, which calls `f(members...)`.
template <class T>
struct Fields;

template <class T>
concept NamesSomeFields = HasFields<T> && struct_options<T>.others_by_name;

template <HasFields T>
    requires(!NamesSomeFields<T>)
struct Fields<T> {
    static constexpr std::size_t count = std::tuple_size_v<decltype(meta<T>::fields)>;
    /// A function: clang 19 takes a variable of type `const auto&` for a reference without members.
    template <std::size_t i>
    static constexpr const auto& field() {
        return std::get<i>(meta<T>::fields);
    }
    template <std::size_t i>
    static constexpr FieldOptions options = field<i>();
    template <std::size_t i>
    static constexpr std::string_view key = field<i>().key;
    template <std::size_t i>
    using Member =
        typename std::tuple_element_t<i, std::remove_cv_t<decltype(meta<T>::fields)>>::member_type;
    template <class Object, class F>
    [[gnu::always_inline]] static constexpr decltype(auto) with(Object& object, F&& f) {
        return spread(object, f, std::make_index_sequence<count>());
    }

private:
    template <class Object, class F, std::size_t... i>
    [[gnu::always_inline]] static constexpr decltype(auto) spread(Object& object, F& f,
                                                                  std::index_sequence<i...>) {
        return f(object.*(field<i>().member)...);
    }
};

template <AggregateWithoutMeta T>
struct Fields<T> {
    static constexpr std::size_t count = aggregate_member_count<T>();
    template <std::size_t i>
    static constexpr FieldOptions options{};
    template <std::size_t i>
    static constexpr std::string_view key = member_name<T, i>();
    template <std::size_t i>
    using Member = MemberOf<T, i>;
    template <class Object, class F>
    [[gnu::always_inline]] static constexpr decltype(auto) with(Object& object, F&& f) {
        return with_members(object, f);
    }
};

/// The two together.
template <NamesSomeFields T>
struct Fields<T> {
private:
    static constexpr std::size_t members = aggregate_member_count<T>();
    static constexpr std::size_t named = std::tuple_size_v<decltype(meta<T>::fields)>;
    /// The place of member `i` in a tuple of pointers; the tuple's size if it is not there.
    template <std::size_t i, class Pointers>
    static consteval std::size_t place_in(const Pointers& pointers) {
        return std::apply(
            [](auto... all) {
                std::size_t n = 0;
                (void)((is_member<T, i>(all) || (++n, false)) || ...);
                return n;
            },
            pointers);
    }
    template <std::size_t i>
    static constexpr std::size_t place = place_in<i>(
        std::apply([](const auto&... of) { return std::tuple(of.member...); }, meta<T>::fields));
    template <std::size_t i>
    static constexpr bool is_bound =
        place_in<i>(unbound_members<T>()) == std::tuple_size_v<decltype(unbound_members<T>())>;
    static constexpr auto bound = []<std::size_t... i>(std::index_sequence<i...>) {
        static_assert((0 + ... + (place<i> < named)) == named,
                      "gdvar: one of meta<T>::fields is no member of T itself, or is there twice");
        std::array<std::size_t, (std::size_t{0} + ... + is_bound<i>)> out{};
        std::size_t n = 0;
        ((is_bound<i> ? void(out[n++] = i) : void()), ...);
        return out;
    }(std::make_index_sequence<members>());

public:
    static constexpr std::size_t count = bound.size();
    template <std::size_t i>
    static constexpr FieldOptions options = [] {
        if constexpr (place<bound[i]> < named)
            return FieldOptions(std::get<place<bound[i]>>(meta<T>::fields));
        else
            return FieldOptions();
    }();
    template <std::size_t i>
    static constexpr std::string_view key = [] {
        if constexpr (place<bound[i]> < named)
            return std::get<place<bound[i]>>(meta<T>::fields).key;
        else
            return member_name<T, bound[i]>();
    }();
    template <std::size_t i>
    using Member = MemberOf<T, bound[i]>;
    template <class Object, class F>
    [[gnu::always_inline]] static constexpr decltype(auto) with(Object& object, F&& f) {
        return with_members(
            object, [&](auto&... all) __attribute__((always_inline)) -> decltype(auto) {
                return spread(std::tie(all...), f, std::make_index_sequence<count>());
            });
    }

private:
    template <class All, class F, std::size_t... i>
    [[gnu::always_inline]] static constexpr decltype(auto) spread(const All& all, F& f,
                                                                  std::index_sequence<i...>) {
        return f(std::get<bound[i]>(all)...);
    }
};

/// A type with fields, by `meta` or by reflection.
template <class T>
concept Struct = requires { Fields<T>::count; };

template <class T>
consteval bool fields_differ() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        constexpr auto keys = [] {
            std::array<std::string_view,
                       (0 + ... + (1 + Fields<T>::template options<i>.other_key_count))>
                all{Fields<T>::template key<i>...};
            std::size_t n = sizeof...(i);
            const auto add = [&](const FieldOptions& of) {
                for (std::size_t k = 0; k < of.other_key_count; ++k)
                    all[n++] = of.other_keys[k];
            };
            (add(Fields<T>::template options<i>), ...);
            return all;
        }();
        return all_differ(keys);
    }(std::make_index_sequence<Fields<T>::count>());
}

/// The number of different members in a tuple of pointers to members.
template <class Pointers>
consteval std::size_t different_members(const Pointers& pointers) {
    constexpr auto same = []<class A, class B>(A a, B b) {
        if constexpr (std::same_as<A, B>)
            return a == b;
        else
            return false;
    };
    return std::apply(
        [&](auto... all) {
            std::size_t pairs = 0, place = 0;
            // Among equal pointers only the first counts.
            const auto is_new = [&](auto one) {
                std::size_t at = 0, before = 0;
                ((before += at++ < place && same(all, one)), ...);
                ++place;
                return before == 0;
            };
            ((pairs += is_new(all)), ...);
            return pairs;
        },
        pointers);
}
/// True if `meta` names every member, or if the members can't be counted.
template <class T>
consteval bool fields_are_all() {
    if constexpr (!HasFields<T> || !std::is_aggregate_v<T> || NamesSomeFields<T> ||
                  struct_options<T>.partial) {
        return true;
    } else {
        constexpr std::size_t n = countable_members<T>();
        const auto named = std::apply(
            [](const auto&... fields) { return std::tuple(fields.member...); }, meta<T>::fields);
        return n <= different_members(std::tuple_cat(named, unbound_members<T>()));
    }
}

}  // namespace detail
}  // namespace gdvar
