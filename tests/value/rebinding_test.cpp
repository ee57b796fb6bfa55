// Structs that are read into again and again, and written by Binds of one's own.
#include <gtest/gtest.h>

#include <map>

#include "gdvar/base/utf8.hpp"
#include "gdvar/value/binding.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar::test {

struct Rest {
    int a = 0;
    Dictionary others;
};
struct Sparse {
    std::optional<int> gamma;
    std::string note = "none";
    int volume = 5;
    std::optional<int> plain;
};
struct Row {
    int a = 0;
    std::optional<int> gap;
    int b = 0;
};
struct Bounded {
    std::uint16_t channel = 3;
    std::string name = "x";
};
struct Names {
    std::array<std::string, 2> names;
    std::array<std::string_view, 2> views;
};
enum class Letter : char { a = 'a', z = 'z' };
enum class Flag : bool { no, yes };
struct Vast {
    std::array<std::int32_t, 4096> tiles{};
    int level = 3;
};
struct Small {
    int value = 0;
};
struct Half {
    float value = 0;
};
struct Silent {};
struct Thing {
    int id = 0;
};
struct ThingRef : Thing {};
struct Sword : Thing {
    double edge = 1;
};
/// Players' messages: `target` may be missing.
struct Shot {
    Tag<"shot"> op;
    std::string weapon = "knife";
    std::int64_t target = -1;
    std::string_view note = "none";
    std::vector<std::int64_t> path;
    friend bool operator==(const Shot&, const Shot&) = default;
};
struct Turn {
    Tag<"turn"> op;
    int angle = 0;
    friend bool operator==(const Turn&, const Turn&) = default;
};
struct ShotRow {
    Tag<"shot"> op;
    std::string weapon = "knife";
    std::int64_t target = -1;
    friend bool operator==(const ShotRow&, const ShotRow&) = default;
};
struct Nested {
    Shot first, second;
    friend bool operator==(const Nested&, const Nested&) = default;
};
/// Only its owner makes it.
struct Owned {
    explicit Owned(int most) : limit(most) {}
    int limit, hp = 10;
};
struct Tail {
    int head = 1;
    PackedByteArray large;
    int tail = 2;
};

}  // namespace gdvar::test

namespace gdvar {

template <>
struct meta<test::Sword> {
    static constexpr auto fields =
        std::tuple(field("id", &test::Sword::id), field("edge", &test::Sword::edge));
};
template <>
struct meta<test::Shot> {
    static constexpr auto fields = std::tuple(
        field("op", &test::Shot::op), field("weapon", &test::Shot::weapon).optional(),
        field("target", &test::Shot::target).optional(),
        field("note", &test::Shot::note).optional(), field("path", &test::Shot::path).optional());
};
template <>
struct meta<test::ShotRow> {
    static constexpr auto fields = std::tuple(field("op", &test::ShotRow::op),
                                              field("weapon", &test::ShotRow::weapon).optional(),
                                              field("target", &test::ShotRow::target).optional());
    static constexpr gdvar::StructOptions<test::ShotRow> options{.as_array = true};
};
template <>
struct meta<test::Owned> {
    static constexpr auto fields =
        std::tuple(field("limit", &test::Owned::limit), field("hp", &test::Owned::hp).optional());
};
template <>
struct meta<test::Rest> {
    static constexpr auto fields = std::tuple(field("a", &test::Rest::a));
    static constexpr auto rest = &test::Rest::others;
};
template <>
struct meta<test::Sparse> {
    static constexpr auto fields = std::tuple(field("gamma", &test::Sparse::gamma).omit_empty(),
                                              field("note", &test::Sparse::note).optional(),
                                              field("volume", &test::Sparse::volume).optional(),
                                              field("plain", &test::Sparse::plain));
};
template <>
struct meta<test::Row> {
    static constexpr auto fields =
        std::tuple(field("a", &test::Row::a), field("gap", &test::Row::gap).omit_empty(),
                   field("b", &test::Row::b));
    static constexpr gdvar::StructOptions<test::Row> options{.as_array = true};
};
template <>
struct meta<test::Bounded> {
    static constexpr auto fields =
        std::tuple(field("channel", &test::Bounded::channel).range(0, 15),
                   field("name", &test::Bounded::name).max_length(4));
};
template <>
struct meta<test::Vast> {
    static constexpr auto fields = std::tuple(field("tiles", &test::Vast::tiles).optional(),
                                              field("level", &test::Vast::level).optional());
};
/// Its most is 8: it never writes a wide int.
template <>
struct Bind<test::Small> {
    static constexpr std::size_t most_bytes = 8;
    static bool read(BindCursor& c, test::Small& out) {
        out.value = static_cast<int>(c.integer());
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const test::Small& value) {
        return sink.integer(value.value & 0x7F);
    }
};
template <>
struct Bind<test::Half> {
    static constexpr std::size_t most_bytes = 8;
    static bool read(BindCursor& c, test::Half& out) {
        out.value = static_cast<float>(c.real());
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const test::Half&) {
        return sink.real(0.5);
    }
};
template <>
struct Bind<test::Silent> {
    static bool read(BindCursor&, test::Silent&) { return false; }
    template <class Sink>
    static Errc write(Sink& sink, const test::Silent&) {
        return sink.nil();
    }
};

}  // namespace gdvar

namespace gdvar::test {
namespace {

PackedByteArray packet_of(std::initializer_list<std::pair<const char*, Variant>> pairs) {
    Dictionary out;
    for (const auto& [key, value] : pairs)
        out.append(Variant(String(key)), value);
    return *encode(Variant(std::move(out)));
}

TEST(Rebinding, RestIsThisPacketsOnly) {
    Rest kept;
    const PackedByteArray packet = packet_of({{"a", 1}, {"zz", 2}, {"yy", 3}});
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(decode_to(kept, as_bytes(packet)));
        EXPECT_EQ(kept.others.size(), 2u);
    }
    ASSERT_TRUE(decode_to(kept, as_bytes(packet_of({{"a", 1}}))));
    EXPECT_EQ(kept.others.size(), 0u);
}

TEST(Rebinding, RestTakesRepeatedKeysAsFieldsDo) {
    const PackedByteArray packet = packet_of({{"z", 0}, {"a", 1}, {"z", 7}});
    const auto last = decode<Rest>(as_bytes(packet));
    ASSERT_TRUE(last);
    ASSERT_EQ(last->others.size(), 1u);
    EXPECT_EQ(*last->others.find("z"), Variant(7));
    const auto refused =
        decode<Rest>(as_bytes(packet), {}, {.repeated_keys = RepeatedKeys::refuse});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::repeated_key);
}

TEST(Rebinding, WhatIsLeftOutIsEmptyAgain) {
    Sparse kept;
    ASSERT_TRUE(decode_to(kept, as_bytes(*encode(Sparse{.gamma = 2, .note = "a", .plain = 1}))));
    EXPECT_EQ(kept.gamma, 2);
    ASSERT_TRUE(decode_to(kept, as_bytes(*encode(Sparse{}))));
    EXPECT_EQ(kept.gamma, std::nullopt);
    EXPECT_EQ(kept.plain, std::nullopt);
}

PackedByteArray array_of(const PackedByteArray& item, std::size_t n = 1) {
    Array out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(*decode(as_bytes(item)));
    return *encode(Variant(std::move(out)));
}
/// Every packet after every other one, into one `kept`: as into a new T.
template <class T>
void kept_is_as_new(std::initializer_list<PackedByteArray> packets,
                    const BindOptions& choices = {}) {
    for (const PackedByteArray& before : packets)
        for (const PackedByteArray& packet : packets) {
            T kept{};
            ASSERT_TRUE(decode_to(kept, as_bytes(before), {}, choices));
            ASSERT_TRUE(decode_to(kept, as_bytes(packet), {}, choices));
            const auto fresh = decode<T>(as_bytes(packet), {}, choices);
            ASSERT_TRUE(fresh);
            EXPECT_EQ(kept, *fresh)
                << "packet " << &packet - packets.begin() << " after " << &before - packets.begin();
        }
}

TEST(Rebinding, NothingOfOnePlayersPacketIsInTheNext) {
    const PackedByteArray alice = packet_of({{"op", "shot"},
                                             {"weapon", "bow"},
                                             {"target", 42},
                                             {"note", "from alice"},
                                             {"path", Array{1, 2, 3}}}),
                          turned = packet_of({{"target", 42}, {"note", "hers"}, {"op", "shot"}}),
                          bob = packet_of({{"op", "shot"}}),
                          turn = packet_of({{"op", "turn"}, {"angle", 1}});
    using Message = std::variant<Turn, Shot>;
    const auto in_key = [](const PackedByteArray& first, const PackedByteArray& second) {
        return packet_of(
            {{"first", *decode(as_bytes(first))}, {"second", *decode(as_bytes(second))}});
    };
    kept_is_as_new<Shot>({alice, turned, bob});
    kept_is_as_new<Message>({alice, turned, bob, turn});
    kept_is_as_new<std::optional<Shot>>({alice, turned, bob, *encode(Variant())});
    kept_is_as_new<Nested>({in_key(alice, bob), in_key(bob, alice), in_key(turned, turned)});
    kept_is_as_new<std::vector<Shot>>({array_of(alice), array_of(turned, 2), array_of(bob)});
    kept_is_as_new<std::vector<Message>>({array_of(alice), array_of(bob, 3), array_of(turn)});
    kept_is_as_new<std::array<Shot, 2>>({array_of(alice, 2), array_of(bob, 2)});
    kept_is_as_new<std::tuple<Message, Shot>>({array_of(alice, 2), array_of(bob, 2)});
    kept_is_as_new<std::pair<Shot, Shot>>({array_of(alice, 2), array_of(bob, 2)});
    kept_is_as_new<Pairs<std::string, Shot>>({in_key(alice, turned), in_key(bob, bob)});
    kept_is_as_new<std::map<std::string, Shot>>({in_key(alice, turned), in_key(bob, bob)});

    using RowMessage = std::variant<Shot, ShotRow>;
    const PackedByteArray whole = *encode(Variant(Array{"shot", "bow", 42})),
                          part = *encode(Variant(Array{"shot", "bow"})),
                          least = *encode(Variant(Array{"shot"}));
    kept_is_as_new<ShotRow>({whole, part, least});
    kept_is_as_new<RowMessage>({whole, part, least, alice});
}

TEST(Rebinding, KeepKeepsWhatIsRequiredAndNoElements) {
    const BindOptions keep{.missing_keys = MissingKeys::keep};
    const PackedByteArray some = packet_of({{"angle", 7}, {"op", "turn"}}), none = packet_of({});
    Turn kept;
    ASSERT_TRUE(decode_to(kept, as_bytes(some)));
    ASSERT_TRUE(decode_to(kept, as_bytes(none), {}, keep));
    EXPECT_EQ(kept.angle, 7);
    kept_is_as_new<std::variant<Turn>>({some, none}, keep);
    kept_is_as_new<std::optional<Turn>>({some, none}, keep);
    kept_is_as_new<std::vector<Turn>>({array_of(some), array_of(none)}, keep);
    kept_is_as_new<std::array<Turn, 1>>({array_of(some), array_of(none)}, keep);
    kept_is_as_new<std::tuple<Turn>>({array_of(some), array_of(none)}, keep);
}

TEST(Rebinding, WhatIsMissingKeepsItsMemory) {
    std::variant<Shot, Turn> kept;
    Array path;
    for (int i = 0; i < 100; ++i)
        path.push_back(i);
    ASSERT_TRUE(
        decode_to(kept, as_bytes(packet_of({{"op", "shot"}, {"path", Variant(std::move(path))}}))));
    const auto* data = std::get<Shot>(kept).path.data();
    ASSERT_TRUE(decode_to(kept, as_bytes(packet_of({{"op", "shot"}}))));
    EXPECT_TRUE(std::get<Shot>(kept).path.empty());
    EXPECT_GE(std::get<Shot>(kept).path.capacity(), 100u);
    EXPECT_EQ(std::get<Shot>(kept).path.data(), data);
}

TEST(Rebinding, AnOwnedStructGetsItsMembersDefaults) {
    Owned kept(1);
    ASSERT_TRUE(decode_to(kept, as_bytes(packet_of({{"limit", 5}, {"hp", 42}}))));
    ASSERT_TRUE(decode_to(kept, as_bytes(packet_of({{"limit", 6}}))));
    EXPECT_EQ(kept.limit, 6);
    EXPECT_EQ(kept.hp, 0);
}

TEST(Rebinding, OptionalFieldsGetTheirDefaults) {
    const PackedByteArray secret = packet_of({{"note", String("secret")}, {"volume", 9}});
    const PackedByteArray bare = packet_of({});
    Sparse kept;
    ASSERT_TRUE(decode_to(kept, as_bytes(secret)));
    ASSERT_TRUE(decode_to(kept, as_bytes(bare)));
    EXPECT_EQ(kept.note, "none");

    std::vector<Sparse> row;
    ASSERT_TRUE(decode_to(row, as_bytes(array_of(secret))));
    EXPECT_EQ(row.at(0).volume, 9);
    ASSERT_TRUE(decode_to(row, as_bytes(array_of(bare))));
    EXPECT_EQ(row.at(0).note, "none");
    EXPECT_EQ(row.at(0).volume, 5);

    std::optional<Sparse> maybe;
    ASSERT_TRUE(decode_to(maybe, as_bytes(secret)));
    ASSERT_TRUE(decode_to(maybe, as_bytes(bare)));
    EXPECT_EQ(maybe->note, "none");

    Pairs<std::string, Sparse> pairs;
    ASSERT_TRUE(decode_to(pairs, as_bytes(packet_of({{"x", *decode(as_bytes(secret))}}))));
    ASSERT_TRUE(decode_to(pairs, as_bytes(packet_of({{"x", *decode(as_bytes(bare))}}))));
    EXPECT_EQ(pairs.items.at(0).second.note, "none");
}

TEST(Rebinding, AnArrayLeavesNothingOut) {
    const auto bytes = encode(Row{1, {}, 3});
    ASSERT_TRUE(bytes);
    EXPECT_EQ(validate(as_bytes(*bytes)), bytes->size());
    const auto back = decode<Row>(as_bytes(*bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->gap, std::nullopt);
    EXPECT_EQ(back->b, 3);
}

TEST(Rebinding, LimitsAreRefusedAtTheValue) {
    for (const Bounded& value : {Bounded{16, "x"}, Bounded{3, "xxxxx"}}) {
        const auto bytes = encode(value);
        ASSERT_FALSE(bytes);
        EXPECT_EQ(error_path(value, {}, bytes.error()),
                  value.channel > 15 ? "$.channel" : "$.name");
    }
}

struct Inside {
    int b = 0;
};
struct Outside {
    Inside a;
};

/// Bytes are the packet in every form that has an overload of `decode`.
TEST(ErrorPath, TakesBytesInEveryForm) {
    const PackedByteArray packet = packet_of({{"a", Variant(Dictionary{{"b", "no number"}})}});
    const auto refused = decode<Outside>(packet);
    ASSERT_FALSE(refused);
    const Error& error = refused.error();
    const ByteView view = as_bytes(packet);
    const auto* data = reinterpret_cast<const std::uint8_t*>(view.data());
    const auto* text = reinterpret_cast<const char*>(view.data());
    EXPECT_EQ(error_path(view, {}, error), "$.a.b");
    EXPECT_EQ(error_path(packet, {}, error), "$.a.b");
    EXPECT_EQ(error_path(std::vector<std::uint8_t>(data, data + view.size()), {}, error), "$.a.b");
    EXPECT_EQ(error_path(std::vector<std::byte>(view.begin(), view.end()), {}, error), "$.a.b");
    EXPECT_EQ(error_path(std::span<const std::uint8_t>(data, view.size()), {}, error), "$.a.b");
    EXPECT_EQ(error_path(std::string(text, view.size()), {}, error), "$.a.b");
    EXPECT_EQ(error_path(std::string_view(text, view.size()), {}, error), "$.a.b");
    EXPECT_EQ(error_path(packet, DecodeOptions{}, error), "$.a.b");
    // Asked for as a value, by name.
    EXPECT_EQ(error_path(packet, EncodeOptions{}, error), "$");
    EXPECT_EQ(error_path(std::string("\xFF"), EncodeOptions{}, Error{Errc::bad_utf8}), "$");
}

TEST(ErrorPath, IsBounded) {
    const std::string key(1 << 20, '\x01');
    Dictionary inner;
    inner.append(Variant(String(key)), Variant("no number"));
    const PackedByteArray packet = packet_of({{"a", Variant(inner)}, {"b", "no number"}});
    const auto refused = decode<std::map<std::string, std::map<std::string, int>>>(packet);
    ASSERT_FALSE(refused);
    const std::string path = error_path(packet, {}, refused.error());
    EXPECT_TRUE(path.starts_with("$.a[\"\\u0001")) << path.substr(0, 80);
    EXPECT_LE(path.size(), most_error_path);
    const std::map<std::string, std::string> bad{{key, "\xFF"}};
    const auto unwritten = encode(bad);
    ASSERT_FALSE(unwritten);
    EXPECT_LE(error_path(bad, {}, unwritten.error()).size(), most_error_path);
    const Variant value(inner);
    EXPECT_LE(error_path(value, {.max_depth = 0}, Error{Errc::depth_limit}).size(),
              most_error_path);
    const auto got = value.get<std::map<std::string, int>>();
    ASSERT_FALSE(got);
    EXPECT_LE(error_path(value, got.error()).size(), most_error_path);
}

/// Whatever the length of the key, and of its characters.
TEST(ErrorPath, IsBoundedAtEachLength) {
    for (const std::string letter : {"a", "\x01", "\u00e4", "\u20ac", "\U0001F600"})
        for (std::size_t bytes = 280; bytes < 620; ++bytes) {
            // The cut comes at each place in a character.
            std::string key(bytes % 4, 'x');
            while (key.size() + letter.size() <= bytes)
                key += letter;
            const PackedByteArray packet = packet_of({{key.c_str(), "no number"}});
            const auto refused = decode<std::map<std::string, int>>(packet);
            ASSERT_FALSE(refused);
            const std::string whole = path_at(as_bytes(packet), {}, refused.error().offset);
            const Variant value = Dictionary{{key.c_str(), "no number"}};
            const auto got = value.get<std::map<std::string, int>>();
            ASSERT_FALSE(got);
            for (const std::string& path :
                 {error_path(packet, {}, refused.error()), error_path(value, got.error())}) {
                EXPECT_LE(path.size(), most_error_path) << bytes;
                EXPECT_TRUE(valid_text(path, Utf8Rule::strict)) << path;
                EXPECT_EQ(path.size() < whole.size(), whole.size() > most_error_path) << bytes;
                const std::size_t dots = path.find("...");
                if (whole.size() <= most_error_path) {
                    EXPECT_EQ(path, whole);
                    continue;
                }
                ASSERT_NE(dots, path.npos);
                EXPECT_GE(path.size(), most_error_path - 6);
                EXPECT_TRUE(whole.starts_with(path.substr(0, dots)));
                EXPECT_TRUE(whole.ends_with(path.substr(dots + 3)));
            }
        }
}

TEST(Rebinding, ArraysOfTextsComeBack) {
    const auto bytes = encode(Names{{"a", "bc"}, {"d", ""}});
    ASSERT_TRUE(bytes);
    const auto back = decode<Names>(as_bytes(*bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->names, (std::array<std::string, 2>{"a", "bc"}));
    EXPECT_EQ(back->views, (std::array<std::string_view, 2>{"d", ""}));
    const auto other =
        decode<std::array<std::string, 3>>(as_bytes(*encode(std::array<std::string, 2>{"a", "b"})));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, Errc::length_out_of_range);
}

template <class To>
void widened() {
    const auto narrow = encode(std::vector<Vector3>{{1, 2, 0.1f}, {4, 5, 6}});
    const auto read = decode<To>(as_bytes(*narrow));
    ASSERT_TRUE(read);
    EXPECT_EQ(std::vector<Vector3d>(read->begin(), read->end()),
              (std::vector<Vector3d>{{1, 2, double{0.1f}}, {4, 5, 6}}));
}
TEST(Rebinding, DoublesTakePackedArraysOfSingleWidth) {
    widened<std::vector<Vector3d>>();
    widened<std::array<Vector3d, 2>>();
    widened<PackedArray<Vector3d>>();
    const auto wide = encode(std::vector<Vector3d>{{1, 2, 3}});
    EXPECT_EQ(decode<std::vector<Vector3>>(as_bytes(*wide))->at(0), (Vector3{1, 2, 3}));
    // A view of the elements can't convert them.
    const auto refused = decode<PackedSpan<Vector3>>(as_bytes(*wide));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::number_out_of_range);
}

TEST(Rebinding, AHeaderIsTrueOfItsElements) {
    const TypedArray<std::vector<std::vector<double>>> nested{{{1, 2}}};
    const auto bytes = encode(nested);
    ASSERT_TRUE(bytes);
    const auto value = decode(as_bytes(*bytes));
    ASSERT_TRUE(value);
    const Array& outer = *value->get_if<Array>();
    EXPECT_EQ(outer.element_type().type, Type::packed_float64_array);
    EXPECT_EQ(outer[0].type(), Type::packed_float64_array);
}

TEST(Rebinding, EnumsOfCharactersAreNumbers) {
    const auto bytes = encode(Letter::z);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(decode<Letter>(as_bytes(*bytes)), Letter::z);
    EXPECT_EQ(*decode(as_bytes(*bytes)), Variant(std::int64_t{'z'}));
}

TEST(Rebinding, EnumsOfBoolsAreBools) {
    using Either = std::variant<int, Flag>;
    const auto bytes = encode(Either{Flag::yes});
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*decode(as_bytes(*bytes)), Variant(true));
    EXPECT_EQ(decode<Either>(as_bytes(*bytes)), Either{Flag::yes});
}

TEST(Rebinding, LargeElementsStartAnew) {
    std::vector<Vast> kept(1);
    kept[0].level = 9;
    kept[0].tiles[4095] = 1;
    Array one;
    one.push_back(Variant(Dictionary()));
    ASSERT_TRUE(decode_to(kept, as_bytes(*encode(Variant(std::move(one))))));
    EXPECT_EQ(kept[0].level, 3);
    EXPECT_EQ(kept[0].tiles[4095], 0);
}

/// ASan watches the heap block's end.
template <class T>
void into_exactly_its_size(std::size_t size) {
    const std::vector<T> values(size);
    const auto whole = encode(values);
    ASSERT_TRUE(whole);
    ASSERT_EQ(whole->size(), 8 + size * 8);
    const std::size_t n = whole->size();
    const auto room = std::make_unique<std::byte[]>(n);
    EXPECT_TRUE(encode_to(std::span(room.get(), n), values));
    PackedByteArray to;
    to.reserve(n);
    EXPECT_TRUE(encode_to(to, values));
    EXPECT_EQ(to, *whole);
}
TEST(Rebinding, ABindThatSaysWhatItWritesAtMostStaysInItsRoom) {
    for (std::size_t size = 0; size < 300; size = size * 2 + 1) {
        into_exactly_its_size<Small>(size);
        into_exactly_its_size<Half>(size);
    }
}

TEST(Rebinding, ABindThatRefusesSilentlyIsAnErrorStill) {
    const auto read = decode<Silent>(as_bytes(*encode(Variant())));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Errc::wrong_type);
}

TEST(Rebinding, MetaNamesTheMembersOfBases) {
    Sword sword;
    sword.id = 7;
    const auto bytes = encode(sword);
    EXPECT_EQ(decode(as_bytes(*bytes)), Variant(Dictionary{{"id", 7}, {"edge", 1.0}}));
    const auto read = decode<Sword>(as_bytes(*bytes));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->id, 7);
    const auto only = decode<ThingRef>(as_bytes(*encode(Variant(Dictionary{{"id", 8}}))));
    ASSERT_TRUE(only);
    EXPECT_EQ(only->id, 8);
}

TEST(Rebinding, FieldsBehindALargeArrayFindRoom) {
    Tail value;
    value.large.resize(1 << 22);
    PackedByteArray to;
    ASSERT_TRUE(encode_to(to, value));
    EXPECT_LT(to.capacity(), to.size() + 8192);
}

}  // namespace
}  // namespace gdvar::test
