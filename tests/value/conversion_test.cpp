// The table of conversions against every face: each value, asked for as each C++ type.
#include <gtest/gtest.h>

#include <deque>
#include <list>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <limits>
#include <tuple>

#include "gdvar/value/binding.hpp"
#include "gdvar/wire/conversion.hpp"

namespace gdvar::test {
namespace {

const EncodeOptions writing_all{.dialect = &detail::every_type, .allow_objects = true};
const DecodeOptions reading_all{.dialect = &detail::every_type, .allow_objects = true};
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double float_max = std::numeric_limits<float>::max();
constexpr std::int64_t int64_least = INT64_MIN, int64_most = INT64_MAX;

// ---- values of every Type -----------------------------------------------------------------------

template <class... T>
struct List {};
using Maths = List<Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Vector4,
                   Vector4i, Plane, Quaternion, AABB, Basis, Transform3D, Projection, Color,
                   Vector2d, Rect2d, Vector3d, Transform2Dd, Vector4d, Planed, Quaterniond, AABBd,
                   Basisd, Transform3Dd, Projectiond, Colord>;
using Elements =
    List<std::uint8_t, std::int32_t, std::int64_t, float, double, Vector2, Vector3, Vector4, Color,
         Vector2d, Vector3d, Vector4d, Colord, Vector2i, Vector3i, Vector4i>;

/// A math value whose last component is that.
template <MathType T>
T with_component(double last) {
    using Component = typename MathTraits<T>::Component;
    Component all[sizeof(T) / sizeof(Component)]{};
    all[std::size(all) - 1] = static_cast<Component>(last);
    T out;
    std::memcpy(static_cast<void*>(&out), all, sizeof out);
    return out;
}
template <class T>
void add_math(std::vector<Variant>& to) {
    to.push_back(with_component<T>(7));
    if constexpr (MathTraits<T>::wide)
        for (const double last : {0.1, 1e300, -infinite})
            to.push_back(with_component<T>(last));
}
template <class T>
void add_packed(std::vector<Variant>& to) {
    to.push_back(PackedArray<T>());
    if constexpr (MathType<T>) {
        to.push_back(PackedArray<T>{with_component<T>(1), with_component<T>(2)});
        if constexpr (MathTraits<T>::wide)
            to.push_back(PackedArray<T>{with_component<T>(0.1), with_component<T>(1e300)});
    } else {
        to.push_back(PackedArray<T>{T(1), T(2)});
        to.push_back(PackedArray<T>{T(0), std::numeric_limits<T>::max()});
        if constexpr (std::floating_point<T>)
            to.push_back(PackedArray<T>{T(0.1), T(infinite), T(3)});
    }
}
std::vector<Variant> values() {
    std::vector<Variant> out{nullptr,
                             true,
                             false,
                             "",
                             "text",
                             StringName("name"),
                             NodePath("a:b"),
                             RID{7},
                             Callable{},
                             Signal{"done", 3},
                             Dictionary{},
                             Dictionary{{"a", 1}},
                             Dictionary{{"a", 0.5}, {2, 3}},
                             Array{},
                             Array{1, 2},
                             Array{1, 2.0},
                             Array{1, 2.5},
                             Array{"a", StringName("b")},
                             Array{1, "a"},
                             Array{0.1, 1e300},
                             Array{Vector3{1, 2, 3}},
                             Array{Vector3d{0.1, 2, 3}, Vector3{1, 2, 3}},
                             Array{true, false},
                             Array{nullptr},
                             PackedStringArray{},
                             PackedStringArray{"a", "b"},
                             Image{},
                             InputEvent{}};
    out.push_back(Object());
    out.push_back(Object::from_id(9));
    out.push_back(Object("Node"));
    for (const std::int64_t whole :
         {int64_least, -(std::int64_t{1} << 53) - 1, -(std::int64_t{1} << 53), std::int64_t{-32769},
          std::int64_t{-129}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{127},
          std::int64_t{255}, std::int64_t{256}, std::int64_t{65536}, std::int64_t{16777217},
          std::int64_t{1} << 32, std::int64_t{1} << 53, (std::int64_t{1} << 53) + 1, int64_most})
        out.push_back(whole);
    for (const double number : {0.0,
                                -0.0,
                                3.0,
                                -1.0,
                                255.0,
                                256.0,
                                3.5,
                                0.1,
                                1e18,
                                9.3e18,
                                -0x1p63,
                                0x1p63,
                                1e300,
                                -1e300,
                                float_max,
                                std::nextafter(float_max, infinite),
                                infinite,
                                -infinite,
                                std::numeric_limits<double>::quiet_NaN(),
                                5e-324})
        out.push_back(number);
    [&]<class... T>(List<T...>) { (add_math<T>(out), ...); }(Maths());
    [&]<class... T>(List<T...>) { (add_packed<T>(out), ...); }(Elements());
    Array items{1, 2};
    items.set_element_type(ContainerType::of(Type::integer));
    Variant typed = std::move(items);
    VariantAccess::make_packed_typed_array(typed);
    out.push_back(typed);
    return out;
}

// ---- what the table says ------------------------------------------------------------------------

template <class T>
inline constexpr bool is_sequence = requires(T t) {
    typename T::value_type;
    t.begin();
    requires !std::same_as<T, std::string> && !std::same_as<T, std::string_view>;
    requires !requires { typename T::mapped_type; };
    requires !requires { detail::VariantTraits<T>::type; };
};
template <class T>
inline constexpr bool is_map = requires { typename T::mapped_type; };

Errc checked(bool sound) {
    return sound ? Errc::ok : Errc::number_out_of_range;
}
template <class T>
Errc by_number(const Variant& value, Check check) {
    if constexpr (!std::is_arithmetic_v<T> || std::same_as<T, bool>) {
        return Errc::ok;
    } else {
        if (check == Check::range)
            return checked(
                std::in_range<std::conditional_t<std::integral<T>, T, int>>(value.integer()));
        if (check == Check::exact)
            return checked(value.integer() >= -(std::int64_t{1} << 53) &&
                           value.integer() <= std::int64_t{1} << 53);
        const double number = value.real();
        if (check == Check::rounds)
            return checked(std::same_as<T, double> || !(std::abs(number) > float_max) ||
                           std::abs(number) == infinite);
        // whole
        if constexpr (std::integral<T>)
            return checked(number >= -0x1p63 && number < 0x1p63 && std::floor(number) == number &&
                           std::in_range<T>(static_cast<std::int64_t>(number)));
        return Errc::ok;
    }
}
Errc by_components(const Variant& value, bool wide) {
    if (wide || !value.wide())
        return Errc::ok;
    const MathView math = value.math();
    for (std::size_t i = 0; i < math.components(); ++i)
        if (std::abs(math.real(i)) > float_max && std::abs(math.real(i)) != infinite)
            return Errc::number_out_of_range;
    return Errc::ok;
}
/// The elements of a packed array, each a Variant.
std::vector<Variant> apart(const Variant& value) {
    std::vector<Variant> out;
    [&]<class... T>(List<T...>) {
        const auto add = [&]<class Item>(std::type_identity<Item>) {
            if (const auto* array = value.get_if<PackedArray<Item>>())
                for (const Item& item : *array)
                    out.push_back(Variant(item));
        };
        (add(std::type_identity<T>()), ...);
    }(Elements());
    if (const auto* texts = value.get_if<PackedStringArray>())
        for (const String& text : *texts)
            out.push_back(Variant(text));
    return out;
}

template <class T>
Errc expected(const Variant& value);

template <class T>
Errc by_elements(const Variant& value, Type element) {
    const Type type = value.type();
    if (conversion(type, Type::array) == Check::never)
        return Errc::wrong_type;
    if (conversion(type, Type::array) == Check::elements) {
        // By its own name for elements of fixed size, texts as texts.
        if constexpr (!detail::ArithmeticNumber<T> && !MathType<T> && !detail::FromPackedText<T>)
            return Errc::wrong_type;
        if (conversion(packed_element(type), element) == Check::never)
            return Errc::wrong_type;
        for (const Variant& item : apart(value))
            if (const Errc code = expected<T>(item); code != Errc::ok)
                return code;
        return Errc::ok;
    }
    for (const Variant& item : *value.get_if<Array>())
        if (const Errc code = expected<T>(item); code != Errc::ok)
            return code;
    return Errc::ok;
}

template <class T>
Errc expected(const Variant& value) {
    if constexpr (std::same_as<T, Variant>) {
        return Errc::ok;
    } else if constexpr (
        requires {
            typename T::value_type;
            std::optional<typename T::value_type>(T());
        } && !is_sequence<T> && !is_map<T> && !requires { detail::VariantTraits<T>::type; } &&
        !std::convertible_to<T, std::string_view>) {
        return value.is_nil() ? Errc::ok : expected<typename T::value_type>(value);
    } else if constexpr (is_map<T>) {
        if (!value.is(Type::dictionary))
            return Errc::wrong_type;
        for (const auto& [key, item] : *value.get_if<Dictionary>()) {
            if (const Errc code = expected<typename T::key_type>(key); code != Errc::ok)
                return code;
            if (const Errc code = expected<typename T::mapped_type>(item); code != Errc::ok)
                return code;
        }
        return Errc::ok;
    } else if constexpr (is_sequence<T>) {
        using Item = typename T::value_type;
        return by_elements<Item>(value, detail::element_type<Item>());
    } else {
        constexpr Type to = detail::element_type<T>();
        const Check check = conversion(value.type(), to);
        if (check == Check::never || (check == Check::elements) ||
            (to == Type::array && value.type() != to && check != Check::none))
            return Errc::wrong_type;
        if (check == Check::components) {
            if constexpr (MathType<T>) {
                return by_components(value, MathTraits<T>::wide);
            } else if constexpr (detail::is_packed_array<T>) {
                using Item = typename T::value_type;
                for (const Variant& item : apart(value))
                    if (const Errc code = expected<Item>(item); code != Errc::ok)
                        return code;
            }
            return Errc::ok;
        }
        return check == Check::none ? Errc::ok : by_number<T>(value, check);
    }
}

// ---- the faces ----------------------------------------------------------------------------------

/// A value, as each of the faces has it.
struct Faces {
    explicit Faces(const Variant& of)
        : value(of),
          packet(encode(of, writing_all).value()),
          document(Document::parse(as_bytes(packet), reading_all).value()) {}
    Variant value;
    PackedByteArray packet;
    Document document;
};
/// The value and the function that looks at it, in words.
struct What {
    Type type;
    const char* function;
    friend std::ostream& operator<<(std::ostream& to, const What& what) {
        return to << type_name(what.type) << " as " << what.function;
    }
};

template <class T>
Error error_of(const std::expected<T, Error>& got) {
    return got ? Error{} : got.error();
}
/// Cursor's own members, for those that it has; else as expected.
template <class T>
Errc by_cursor(ByteView packet, Errc otherwise) {
    Cursor cursor(packet, reading_all);
    if constexpr (std::same_as<T, bool>)
        (void)cursor.boolean();
    else if constexpr (std::same_as<T, std::int64_t>)
        (void)cursor.integer();
    else if constexpr (std::same_as<T, double>)
        (void)cursor.real();
    else if constexpr (std::same_as<T, std::string>)
        (void)cursor.string();
    else if constexpr (MathType<T>)
        (void)cursor.math<T>();
    else
        return otherwise;
    return cursor.error().code;
}

// Code that does not depend on T is no template: there are a hundred of them.
void compare_errors(Errc code, const Error& decoded, const Error& viewed, const Error& held,
                    Errc by_cursor, const What& what) {
    EXPECT_EQ(error_name(decoded.code), error_name(code)) << "Bind: " << what;
    EXPECT_EQ(error_name(viewed.code), error_name(code)) << "View: " << what;
    EXPECT_EQ(error_name(held.code), error_name(code)) << "Variant: " << what;
    EXPECT_EQ(error_name(by_cursor), error_name(code)) << "Cursor: " << what;
    if (decoded.code != Errc::ok && viewed.code != Errc::ok) {
        EXPECT_EQ(to_string(decoded), to_string(viewed)) << what;
        EXPECT_NE(decoded.about, ErrorAbout::nothing) << what;
    }
    if (decoded.code != Errc::ok && held.code != Errc::ok) {
        EXPECT_EQ(to_string(decoded), to_string(held)) << what;
    }
}
void compare_values(const Variant& decoded, const Variant& viewed, const Variant& held,
                    const What& what) {
    EXPECT_TRUE(identical(decoded, viewed)) << what;
    EXPECT_TRUE(identical(decoded, held)) << what;
}

template <class T>
void compare(const Faces& faces, std::size_t& accepted) {
    const ByteView bytes = as_bytes(faces.packet);
    const Errc code = expected<T>(faces.value);
    accepted += code == Errc::ok;
    const What what{faces.value.type(), __PRETTY_FUNCTION__};
    const auto decoded = decode<T>(bytes, reading_all);
    const auto viewed = faces.document.root().template get<T>();
    const auto held = faces.value.get<T>();
    compare_errors(code, error_of(decoded), error_of(viewed), error_of(held),
                   by_cursor<T>(bytes, code), what);
    // The same values, whoever converts.
    if constexpr (requires { Variant(T()); }) {
        if (decoded && viewed && held)
            compare_values(Variant(*decoded), Variant(*viewed), Variant(*held), what);
    }
}

/// Every value, as each of the faces has it.
const std::vector<Faces>& all_faces() {
    static const std::vector<Faces> all = [] {
        std::vector<Faces> out;
        std::uint64_t types = 0;
        for (const Variant& value : values()) {
            types |= detail::type_bit(value.type());
            out.emplace_back(value);
        }
        EXPECT_EQ(types, (std::uint64_t{1} << type_count) - 1) << "a Type without a value";
        return out;
    }();
    return all;
}
void expect_some(std::size_t accepted, bool may_be_all, const char* function) {
    EXPECT_GT(accepted, 0u) << function;
    EXPECT_TRUE(may_be_all || accepted < all_faces().size()) << function;
}

template <class... T>
void compare_all(List<T...>) {
    const auto one = [&]<class To>(std::type_identity<To>) {
        std::size_t accepted = 0;
        for (const Faces& faces : all_faces())
            compare<To>(faces, accepted);
        expect_some(accepted, std::same_as<To, Variant>, __PRETTY_FUNCTION__);
    };
    (one(std::type_identity<T>()), ...);
}

TEST(Conversions, OfScalarsAreTheTables) {
    compare_all(List<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                     std::uint32_t, std::int64_t, std::uint64_t, float, double, std::string, String,
                     StringName, std::optional<int>, std::optional<float>>());
}
TEST(Conversions, OfMathTypesAreTheTables) {
    compare_all(Maths());
}
TEST(Conversions, OfPackedArraysAreTheTables) {
    [&]<class... T>(List<T...>) { compare_all(List<PackedArray<T>...>()); }(Elements());
}
TEST(Conversions, OfSequencesAreTheTables) {
    [&]<class... T>(List<T...>) { compare_all(List<std::vector<T>...>()); }(Elements());
    compare_all(List<std::vector<bool>, std::vector<std::string>, std::vector<StringName>,
                     std::vector<String>, std::vector<std::uint32_t>, std::vector<Variant>,
                     std::vector<Quaternion>, std::deque<std::int64_t>, std::list<float>,
                     std::set<std::string>, std::set<double>, std::unordered_set<std::int32_t>,
                     std::vector<std::vector<int>>>());
}
TEST(Conversions, OfWhatAVariantKeepsAreTheTables) {
    compare_all(List<Array, Dictionary, Object, NodePath, RID, Signal, Callable, PackedStringArray,
                     Image, InputEvent, Variant, std::map<std::string, int>,
                     std::map<Variant, double, decltype([](const Variant& a, const Variant& b) {
                                  return hash_key(a) < hash_key(b);
                              })>>());
}

TEST(Conversions, AreOneRowAPair) {
    for (const ConversionRow& row : conversions) {
        int same = 0;
        for (const ConversionRow& other : conversions)
            same += row.from == other.from && row.to == other.to;
        EXPECT_EQ(same, 1) << type_name(row.from) << " to " << type_name(row.to);
        EXPECT_NE(row.check, Check::never);
    }
    EXPECT_EQ(conversion(Type::boolean, Type::integer), Check::never);
    EXPECT_EQ(conversion(Type::integer, Type::boolean), Check::never);
    EXPECT_EQ(conversion(Type::boolean, Type::boolean), Check::none);
}

TEST(Conversions, RoundUnlessToldOtherwise) {
    const auto packet = encode(Variant(0.1)).value();
    const ByteView bytes = as_bytes(packet);
    EXPECT_EQ(decode<float>(bytes).value(), 0.1f);
    const BindOptions exact{.round_floats = false};
    const auto refused = decode<float>(bytes, default_decode_options, exact);
    ASSERT_FALSE(refused);
    EXPECT_EQ(to_string(refused.error()), "error[number_out_of_range]: 0.1 can't be held exactly");
    EXPECT_FALSE(decode<Vector3>(as_bytes(encode(Variant(Vector3d{0.1, 0, 0})).value()),
                                 default_decode_options, exact));
    EXPECT_TRUE(decode<Vector3>(as_bytes(encode(Variant(Vector3d{0.5, 0, 0})).value()),
                                default_decode_options, exact));
    const auto array = encode(Variant(PackedFloat64Array{0.5, 0.1})).value();
    EXPECT_FALSE(decode<std::vector<float>>(as_bytes(array), default_decode_options, exact));
    EXPECT_EQ(decode<std::vector<float>>(as_bytes(array)).value(), (std::vector{0.5f, 0.1f}));
}

}  // namespace
}  // namespace gdvar::test
