// The same fields read on the fast path and by the Cursor alone: verdict, error and what is held
// must agree.
#pragma once

#include "gdvar/value/binding.hpp"
#include "packet.hpp"

namespace gdvar::fuzz {

enum class Mood : std::uint8_t { calm, angry };
enum class Level : std::int16_t { low = -1, high = 300 };

/// The type as it is.
template <class T>
using Direct = T;
/// The same read without the fast path, which is only for types that say how to be taken.
template <class T>
struct Alone {
    T value{};
    std::size_t size() const noexcept
        requires requires(const T& t) { t.size(); }
    {
        return value.size();
    }
};

/// One of everything that is taken on the fast path, and some that is not between them. All may
/// miss.
template <template <class> class As>
struct Loose {
    As<std::optional<bool>> a{};
    As<std::optional<std::int8_t>> b{};
    As<std::optional<std::uint8_t>> c{};
    As<std::optional<std::int16_t>> d{};
    As<std::optional<std::uint32_t>> e{};
    As<std::optional<std::int64_t>> f{};
    As<std::optional<std::uint64_t>> g{};
    As<std::optional<float>> h{};
    As<std::optional<double>> i{};
    As<std::string> j{};
    As<std::string_view> k{};
    As<String> l{};
    As<StringName> m{};
    As<std::optional<Mood>> n{};
    As<std::optional<Level>> o{};
    As<std::optional<Vector2>> p{};
    As<std::optional<Vector3d>> q{};
    As<std::optional<Transform3D>> r{};
    As<std::variant<std::int64_t, bool, std::string, Vector2>> s{};
    As<std::variant<std::int8_t, double, std::string>> t{};
    As<std::pair<int, std::string>> u{};
    As<Pairs<std::string, bool>> v{};
    As<std::vector<std::optional<std::string>>> w{};
    As<std::vector<Vector2i>> x{};
    As<Pairs<std::variant<std::int64_t, std::string>, std::optional<double>>> y{};
    As<std::vector<bool>> z{};
};
/// The same in an Array, without optional.
template <template <class> class As>
struct Row {
    As<Tag<"row">> a{};
    As<bool> b{};
    As<std::int8_t> c{};
    As<std::uint64_t> d{};
    As<double> e{};
    As<std::string> f{};
    As<Color> g{};
    As<std::optional<Vector3>> h{};
    As<std::variant<bool, std::uint16_t, Tag<"x">>> i{};
    As<std::vector<String>> j{};
};
struct Limited {
    std::int32_t a = 0;
    std::optional<double> b;
    std::uint8_t c = 0;
};
template <template <class> class As>
struct Rows {
    std::vector<Row<As>> a;
    std::vector<Loose<As>> b;
    std::optional<Limited> c;
};

}  // namespace gdvar::fuzz

template <class T>
inline constexpr bool gdvar::detail::has_other_binding<gdvar::fuzz::Alone<T>> = true;
template <class T>
struct gdvar::Bind<gdvar::fuzz::Alone<T>> {
    static constexpr std::uint64_t accepts = detail::accepted<T>();
    static bool read(BindCursor& c, fuzz::Alone<T>& out) { return Bind<T>::read(c, out.value); }
    template <class Sink>
    static Errc write(Sink& sink, const fuzz::Alone<T>& value) {
        return detail::write_value<detail::Style::packed>(sink, value.value);
    }
};
template <>
struct gdvar::meta<gdvar::fuzz::Mood> {
    static constexpr auto values = std::array{gdvar::value("calm", gdvar::fuzz::Mood::calm),
                                              gdvar::value("angry", gdvar::fuzz::Mood::angry)};
};
template <template <class> class As>
struct gdvar::meta<gdvar::fuzz::Loose<As>> {
    using T = gdvar::fuzz::Loose<As>;
    static constexpr auto fields = std::tuple(
        field("a", &T::a).optional(), field("b", &T::b).optional(), field("c", &T::c).optional(),
        field("d", &T::d).optional(), field("e", &T::e).optional(), field("f", &T::f).optional(),
        field("g", &T::g).optional(), field("h", &T::h).optional(), field("i", &T::i).optional(),
        field("j", &T::j).max_length(6).optional(), field("k", &T::k).optional(),
        field("l", &T::l).optional(), field("m", &T::m).optional(), field("n", &T::n).optional(),
        field("o", &T::o).optional(), field("p", &T::p).optional(), field("q", &T::q).optional(),
        field("r", &T::r).optional(), field("s", &T::s).optional(), field("t", &T::t).optional(),
        field("u", &T::u).optional(), field("v", &T::v).optional(), field("w", &T::w).optional(),
        field("x", &T::x).optional(), field("y", &T::y).optional(), field("z", &T::z).optional());
};
template <template <class> class As>
struct gdvar::meta<gdvar::fuzz::Row<As>> {
    using T = gdvar::fuzz::Row<As>;
    static constexpr auto fields = std::tuple(
        field("a", &T::a), field("b", &T::b), field("c", &T::c), field("d", &T::d),
        field("e", &T::e), field("f", &T::f).max_length(20), field("g", &T::g),
        field("h", &T::h).optional(), field("i", &T::i).optional(), field("j", &T::j).optional());
    static constexpr gdvar::StructOptions<gdvar::fuzz::Row<As>> options{.as_array = true};
};
template <>
struct gdvar::meta<gdvar::fuzz::Limited> {
    using T = gdvar::fuzz::Limited;
    static constexpr auto fields = std::tuple(field("a", &T::a).range(-5, 5),
                                              field("b", &T::b).range(0, 1e9), field("c", &T::c));
};

namespace gdvar::fuzz {

/// Both ways, and against what the Reader says of the same bytes.
template <class Fast, class Slow>
void both_ways(const Input& input, const DecodeOptions& options, const BindOptions& choices) {
    Fast fast{};
    Slow slow{};
    const auto got = decode_to(fast, input.bytes, options, choices);
    const auto expected = decode_to(slow, input.bytes, options, choices);
    require(got.has_value() == expected.has_value(), "the fast path's verdict is the Cursor's");
    const auto sound = validate(input.bytes, options);
    if (!got) {
        require(got.error() == expected.error(), "the fast path's error is the Cursor's");
        const auto name = [](const Error& e) { return std::string_view(e.name ? e.name : ""); };
        require(name(got.error()) == name(expected.error()), "and its name");
        if (static_cast<unsigned>(got.error().code) / 100 < 3 &&
            got.error().code != Errc::node_limit && got.error().code != Errc::depth_limit)
            require(!sound && got.error() == sound.error(), "a reader's error is the Reader's");
        return;
    }
    require(*got == *expected, "the fast path's size is the Cursor's");
    require(sound && *sound == *got, "what the fast path takes is sound");
    const EncodeOptions all{.allow_objects = true};
    require(*encode(fast, all) == *encode(slow, all), "the fast path holds what the Cursor gives");
}

/// An Array of values of one Type, and of one width if they are math, against the Variant.
template <class T, bool Wide = false>
void as_variant(const Input& input, const Variant& tree, Type type) {
    const Array* array = tree.get_if<Array>();
    if (!array)
        return;
    for (const Variant& item : *array)
        if (item.type() != type || (is_math(type) && item.wide() != Wide))
            return;
    const auto items = decode<Untyped<std::vector<T>>>(input.bytes, input.decoding);
    require(items.has_value(), "an Array of one type is a vector of it");
    Array untyped;
    for (const Variant& item : *array)
        untyped.push_back(item);
    // As the packet has it: doubles, too.
    const auto bound = encode(*items, input.encoding),
               owned = encode(Variant(untyped), input.encoding);
    require(bound.has_value() == owned.has_value() && (!bound || *bound == *owned),
            "and holds what the Variant says");
}

inline void fast_path(const Input& input) {
    DecodeOptions tight = input.decoding;
    tight.limits.max_depth = 2;
    tight.limits.max_nodes = 24;
    for (const DecodeOptions& options : {input.decoding, tight}) {
        for (const bool keep : {true, false}) {
            BindOptions choices;
            if (keep)
                choices.missing_keys = MissingKeys::keep;
            if (keep)
                choices.repeated_keys = RepeatedKeys::refuse;
            both_ways<Loose<Direct>, Loose<Alone>>(input, options, choices);
            both_ways<Row<Direct>, Row<Alone>>(input, options, choices);
            both_ways<Rows<Direct>, Rows<Alone>>(input, options, choices);
            both_ways<Limited, Limited>(input, options, choices);
        }
    }
    const auto tree = decode(input.bytes, input.decoding);
    if (!tree)
        return;
    as_variant<bool>(input, *tree, Type::boolean);
    as_variant<std::int64_t>(input, *tree, Type::integer);
    as_variant<double>(input, *tree, Type::real);
    as_variant<std::string>(input, *tree, Type::string);
    as_variant<std::string_view>(input, *tree, Type::string);
    as_variant<String>(input, *tree, Type::string);
    as_variant<std::optional<Vector2i>>(input, *tree, Type::vector2i);
    as_variant<std::variant<std::nullptr_t, Color>>(input, *tree, Type::color);
    // With real_width 8, and what need not fit a Color.
    as_variant<std::variant<std::nullptr_t, Colord>, true>(input, *tree, Type::color);
}

}  // namespace gdvar::fuzz
