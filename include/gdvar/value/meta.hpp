// meta: changes how a struct or an enum is bound.
#pragma once

#include <array>
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

/// Specialise it to describe the binding of T. All members are optional except `fields` (structs)
/// or `values` (enums); all are `static constexpr`.
///
///     template <> struct gdvar::meta<Player> {
///         static constexpr auto fields = std::tuple(
///             gdvar::field("name", &Player::name).max_length(32),
///             gdvar::field("hp", &Player::hp).range(0, 9999),
///             gdvar::field("guild", &Player::guild).optional());
///         static constexpr auto unknown_keys = gdvar::UnknownKeys::refuse;
///     };
///     template <> struct gdvar::meta<State> {
///         static constexpr auto values = std::array{
///             gdvar::value("idle", State::idle), gdvar::value("run", State::run)};
///     };
///
/// For structs: `fields` is a tuple of `field(...)`. `left_out` is a tuple of pointers to the
/// members that are not bound: `std::tuple(&Player::cache)`. `as_array` (bool) writes an Array of
/// the fields in order instead of a Dictionary. `unknown_keys` chooses the treatment of keys
/// without a field. `rest` is a pointer to a Dictionary member that collects the pairs of unknown
/// keys and writes them back.
///
/// The members of an aggregate are counted: a member that is named nowhere is a compile error.
/// `partial` (bool) turns that off, for members that have no pointer (bit-fields, references).
/// Types whose members can't be counted are not checked: classes with constructors, private members
/// or bases, C arrays, more than 40 members.
///
/// For enums: `values`; `by_number` (bool) writes an int. Reading takes names and numbers.
template <class T>
struct meta {};

/// Treatment of a key without a field in the struct.
enum class UnknownKeys : std::uint8_t { ignore, refuse };
/// Treatment of a field that is not optional and has no key. `keep`: it stays unchanged in the
/// target and in structs that are its members, for updates of an existing value. Elements of
/// containers, std::optional and std::variant get the default even then.
enum class MissingKeys : std::uint8_t { refuse, keep };
/// Treatment of a repeated key: the last one counts, as in engines, or it is refused.
enum class RepeatedKeys : std::uint8_t { last, refuse };

/// Options for reading into structs, besides DecodeOptions.
struct BindOptions {
    /// For structs whose `meta` does not set it.
    UnknownKeys unknown_keys = UnknownKeys::ignore;
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

/// A field of a struct with its options from `meta`. Literal; each member returns a changed copy.
template <class Class, class Member>
struct FieldOf {
    using class_type = Class;
    using member_type = Member;
    std::string_view key;
    Member Class::* member;
    bool may_miss = false;
    Rounding rounding = Rounding::as_told;
    bool omits_empty = false;
    Style style = Style::packed;
    std::size_t most_items = std::numeric_limits<std::size_t>::max();
    bool has_range = false;
    double low = 0, high = 0;

    /// A missing key gives the member its default: its value in a new struct. So nothing of an
    /// earlier packet stays in a struct that is read into again.
    constexpr FieldOf optional() const { return with(&FieldOf::may_miss, true); }
    /// A float rounds a double to the nearest, regardless of BindOptions.
    constexpr FieldOf rounded() const { return with(&FieldOf::rounding, Rounding::nearest); }
    /// A float takes only numbers that it holds exactly, regardless of BindOptions.
    constexpr FieldOf exact() const { return with(&FieldOf::rounding, Rounding::refuse); }
    /// A std::optional without a value is left out instead of written as null, and a missing key
    /// means no value. In a struct that is an Array it is null.
    constexpr FieldOf omit_empty() const {
        return with(&FieldOf::omits_empty, true).with(&FieldOf::may_miss, true);
    }
    /// Written as an untyped Array, even if a packed array of such elements exists.
    constexpr FieldOf untyped() const { return with(&FieldOf::style, Style::untyped); }
    /// Written as a typed Array or Dictionary if the dialect has them.
    constexpr FieldOf typed() const { return with(&FieldOf::style, Style::typed); }
    /// The most bytes of a text, elements of a container: more are refused, length_out_of_range.
    constexpr FieldOf max_length(std::size_t most) const {
        return with(&FieldOf::most_items, most);
    }
    /// Numbers from `from` to `to`: others are refused, number_out_of_range.
    constexpr FieldOf range(double from, double to) const {
        return with(&FieldOf::has_range, true).with(&FieldOf::low, from).with(&FieldOf::high, to);
    }

private:
    template <class Value>
    constexpr FieldOf with(Value FieldOf::* which, Value value) const {
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

/// One struct's fields, from `meta` or reflection: `count`, `key<i>`, `get<i>(object)`, `field<i>`.
template <class T>
struct Fields;

template <HasFields T>
struct Fields<T> {
    static constexpr std::size_t count = std::tuple_size_v<decltype(meta<T>::fields)>;
    template <std::size_t i>
    static constexpr auto field = std::get<i>(meta<T>::fields);
    template <std::size_t i>
    static constexpr std::string_view key = field<i>.key;
    template <std::size_t i, class Object>
    static constexpr auto& get(Object& object) noexcept {
        return object.*(field<i>.member);
    }
};

/// The defaults of `meta` for a member.
struct DefaultField {
    static constexpr bool may_miss = false, omits_empty = false, has_range = false;
    static constexpr Rounding rounding = Rounding::as_told;
    static constexpr Style style = Style::packed;
    static constexpr std::size_t most_items = std::numeric_limits<std::size_t>::max();
    static constexpr double low = 0, high = 0;
};

template <AggregateWithoutMeta T>
struct Fields<T> {
    static constexpr std::size_t count = aggregate_member_count<T>();
    template <std::size_t i>
    static constexpr DefaultField field{};
    template <std::size_t i>
    static constexpr std::string_view key = member_name<T, i>();
    template <std::size_t i, class Object>
    static constexpr auto& get(Object& object) noexcept {
        return *std::get<i>(members_of(object));
    }
};

/// A type with fields, by `meta` or by reflection.
template <class T>
concept Struct = requires { Fields<T>::count; };

/// The key of field `i`, NUL-terminated: names from reflection have no NUL.
template <class T, std::size_t i>
const char* field_name() noexcept {
    static constexpr auto text = [] {
        std::array<char, Fields<T>::template key<i>.size() + 1> out{};
        for (std::size_t at = 0; at + 1 < out.size(); ++at)
            out[at] = Fields<T>::template key<i>[at];
        return out;
    }();
    return text.data();
}

template <class T>
consteval bool fields_differ() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return all_differ(
            std::array<std::string_view, sizeof...(i)>{Fields<T>::template key<i>...});
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
    if constexpr (!HasFields<T> || !std::is_aggregate_v<T> || requires { meta<T>::partial; }) {
        return true;
    } else {
        constexpr std::size_t n = countable_members<T>();
        const auto named = std::apply(
            [](const auto&... fields) { return std::tuple(fields.member...); }, meta<T>::fields);
        const auto left_out = [] {
            if constexpr (requires { meta<T>::left_out; })
                return meta<T>::left_out;
            else
                return std::tuple();
        }();
        const auto rest = [] {
            if constexpr (requires { meta<T>::rest; })
                return std::tuple(meta<T>::rest);
            else
                return std::tuple();
        }();
        return n <= different_members(std::tuple_cat(named, left_out, rest));
    }
}

}  // namespace detail
}  // namespace gdvar
