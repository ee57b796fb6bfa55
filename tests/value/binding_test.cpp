// Struct binding: what goes in and out, what is refused, and where.
#include "gdvar/value/binding.hpp"

#include <gtest/gtest.h>

#include <map>
#include <unordered_map>

#include "gdvar/wire/writer.hpp"
#include "support.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

struct Item {
    std::string name;
    int count = 1;
    friend bool operator==(const Item&, const Item&) = default;
};
enum class State { idle, run, attack };
enum class Level : std::uint8_t { low = 1, high = 9 };

struct Everything {
    bool alive = false;
    std::int8_t tiny = 0;
    std::uint32_t hp = 0;
    std::int64_t xp = 0;
    float yaw = 0;
    double exact = 0;
    std::string name;
    State state{};
    Level level{};
    Vector3 pos;
    Transform3D xform;
    std::optional<std::int64_t> target;
    std::vector<Item> items;
    std::vector<Vector3> points;
    std::vector<std::string> tags;
    std::vector<bool> flags;
    std::array<float, 3> weights{};
    std::map<std::string, int> counts;
    std::unordered_map<std::int64_t, Vector2i> cells;
    std::pair<int, std::string> pair;
    std::tuple<int, double, bool> triple;
    std::variant<std::int64_t, std::string, Item> either;
    PackedInt64Array ids;
    NodePath path;
    Variant anything;
    friend bool operator==(const Everything&, const Everything&) = default;
};

struct Player {
    std::string name;
    int hp = 100;
    float ratio = 0;
    std::optional<std::string> guild;
    std::vector<std::int64_t> scores;
    Dictionary rest;
};
struct Strict {
    int a = 0, b = 0;
};
struct Node {
    std::int64_t id = 0;
    std::vector<Node> children;
};
struct Views {
    std::string_view name;
    PackedSpan<float> samples;
    std::span<const std::byte> blob;
};

struct Move {
    Tag<"move"> op;
    std::int64_t seq = 0;
    Vector3 to;
};
struct Hit {
    Tag<"hit"> op;
    std::int64_t whom = 0;
    int damage = 0;
};
struct Say {
    std::string op;
    std::string text;
};
using Message = std::variant<Move, Hit, Say, Item>;

}  // namespace gdvar::test

template <>
struct gdvar::meta<gdvar::test::State> {
    static constexpr auto values = std::array{gdvar::value("idle", gdvar::test::State::idle),
                                              gdvar::value("run", gdvar::test::State::run),
                                              gdvar::value("attack", gdvar::test::State::attack)};
};
template <>
struct gdvar::meta<gdvar::test::Player> {
    using T = gdvar::test::Player;
    static constexpr auto fields =
        std::tuple(gdvar::field("name", &T::name).max_length(8),
                   gdvar::field("hit points", &T::hp).range(0, 999).optional(),
                   gdvar::field("ratio", &T::ratio).rounded().optional(),
                   gdvar::field("guild", &T::guild).omit_empty(),
                   gdvar::field("scores", &T::scores).typed().optional());
    static constexpr auto rest = &T::rest;
};
template <>
struct gdvar::meta<gdvar::test::Strict> {
    using T = gdvar::test::Strict;
    static constexpr auto fields = std::tuple(gdvar::field("a", &T::a), gdvar::field("b", &T::b));
    static constexpr gdvar::StructOptions<gdvar::test::Strict> options{
        .unknown_keys = gdvar::UnknownKeys::refuse};
};
#define AS_ARRAY(Struct, ...)                                                                 \
    template <>                                                                               \
    struct gdvar::meta<gdvar::test::Struct> {                                                 \
        using T = gdvar::test::Struct;                                                        \
        static constexpr auto fields = std::tuple(__VA_ARGS__);                               \
        static constexpr gdvar::StructOptions<gdvar::test::Struct> options{.as_array = true}; \
    };
AS_ARRAY(Move, gdvar::field("op", &T::op), gdvar::field("seq", &T::seq), gdvar::field("to", &T::to))
AS_ARRAY(Hit, gdvar::field("op", &T::op), gdvar::field("whom", &T::whom),
         gdvar::field("damage", &T::damage))
AS_ARRAY(Say, gdvar::field("op", &T::op), gdvar::field("text", &T::text))

namespace gdvar::test {
namespace {

Everything full() {
    Everything out;
    out.alive = true;
    out.tiny = -7;
    out.hp = 4'000'000'000u;
    out.xp = -5'000'000'000;
    out.yaw = 0.25f;
    out.exact = 0.1;
    out.name = "Żaneta";
    out.state = State::run;
    out.level = Level::high;
    out.pos = {1, 2, 3};
    out.xform.origin = {4, 5, 6};
    out.target = 77;
    out.items = {{"sword", 1}, {"arrow", 20}};
    out.points = {{1, 2, 3}, {4, 5, 6}};
    out.tags = {"x", "", "long enough"};
    out.flags = {true, false, true};
    out.weights = {1, 2, 3};
    out.counts = {{"a", 1}, {"b", 2}};
    out.cells = {{5, {1, 2}}};
    out.pair = {3, "three"};
    out.triple = {1, 0.5, true};
    out.either = Item{"shield", 2};
    out.ids = {1, -1};
    out.path = NodePath("/root/A:b");
    out.anything = Array{1, Dictionary{{"k", Vector2{1, 2}}}};
    return out;
}

TEST(Binding, RoundTripsEverythingInEveryDialectThatHasIt) {
    const Everything value = full();
    for (const Dialect* dialect : all_dialects()) {
        // Vector2i has no place in Godot 3, 64-bit ints none in Godot 2.
        const bool can = dialect->has(Type::vector2i) && dialect->numbers != NumberWidth::narrow;
        EncodeOptions to{.dialect = dialect};
        const auto bytes = encode(value, to);
        if (!bytes) {
            EXPECT_TRUE(!can || !dialect->has(Type::packed_int64_array)) << dialect->name;
            EXPECT_EQ(bytes.error().code, Errc::not_in_dialect);
            continue;
        }
        DecodeOptions from;
        from.dialect = dialect;
        const auto back = decode<Everything>(as_bytes(*bytes), from);
        ASSERT_TRUE(back) << dialect->name << " " << to_string(back.error()) << " "
                          << error_path(as_bytes(*bytes), from, back.error());
        EXPECT_EQ(*back, value) << dialect->name;
        EXPECT_EQ(*encoded_size(value, to), bytes->size());
        // A Variant of the same bytes gives the same bytes.
        EXPECT_EQ(*encode(*decode(as_bytes(*bytes), from), to), *bytes);
    }
}

TEST(Binding, KeysComeInAnyOrderAndAsStringNames) {
    const auto item = decode<Item>(as_bytes(packet(
        Dictionary{{"count", 5}, {"other", Array{1}}, {3, "x"}, {StringName("name"), "bow"}})));
    ASSERT_TRUE(item);
    EXPECT_EQ(*item, (Item{"bow", 5}));
}

TEST(Binding, ReadsTypedAndPackedAndPlainAlike) {
    Array typed(ContainerType::of(Type::integer));
    typed.push_back(1);
    typed.push_back(2);
    for (const Variant& value :
         {Variant(Array{1, 2}), Variant(PackedInt64Array{1, 2}), Variant(typed)}) {
        const auto got = decode<std::vector<std::int64_t>>(as_bytes(packet(value)));
        ASSERT_TRUE(got);
        EXPECT_EQ(*got, (std::vector<std::int64_t>{1, 2}));
    }
    EXPECT_EQ(*decode<std::vector<std::string>>(as_bytes(packet(Array{"a", StringName("b")}))),
              (std::vector<std::string>{"a", "b"}));
}

TEST(Binding, WritesTypedPlainAndPackedAsTold) {
    const std::vector<std::int64_t> values{1, 2};
    EXPECT_EQ(decode(as_bytes(*encode(values)))->type(), Type::packed_int64_array);
    const auto plain = decode(as_bytes(*encode(Untyped{values})));
    EXPECT_EQ(plain->get_if<Array>()->element_type().typed(), false);
    const auto typed = decode(as_bytes(*encode(TypedArray{values})));
    EXPECT_EQ(typed->get_if<Array>()->element_type().type, Type::integer);
    // Godot 3 has neither 64-bit packed arrays nor typed ones.
    const EncodeOptions godot3{.dialect = &dialects::godot_3_1};
    DecodeOptions from3;
    from3.dialect = &dialects::godot_3_1;
    for (const auto& bytes : {encode(values, godot3), encode(TypedArray{values}, godot3)}) {
        ASSERT_TRUE(bytes);
        EXPECT_EQ(decode(as_bytes(*bytes), from3)->type(), Type::array);
    }
    const auto map = decode(as_bytes(*encode(TypedArray{std::map<std::string, double>{{"a", 1}}})));
    EXPECT_EQ(map->get_if<Dictionary>()->key_type().type, Type::string);
    EXPECT_EQ(map->get_if<Dictionary>()->value_type().type, Type::real);
}

TEST(Binding, MetaSaysNamesDefaultsLimitsAndTheRest) {
    const auto player = decode<Player>(as_bytes(
        packet(Dictionary{{"name", "Ada"}, {"ratio", 0.1}, {"mood", "good"}, {7, Array{1}}})));
    ASSERT_TRUE(player) << to_string(player.error());
    EXPECT_EQ(player->hp, 100);
    EXPECT_EQ(player->ratio, 0.1f);
    EXPECT_FALSE(player->guild);
    EXPECT_EQ(player->rest.size(), 2u);
    EXPECT_EQ(player->rest.find("mood")->text(), "good");
    const auto back = decode(as_bytes(*encode(*player)));
    EXPECT_EQ(back->size(), 6u);  // without the guild, with the rest
    EXPECT_FALSE(back->get_if<Dictionary>()->contains("guild"));
    EXPECT_EQ((*back)["scores"].get_if<Array>()->element_type().type, Type::integer);
}

/// Encoding refuses, and says as much as decoding would.
template <class T>
void refuses_to_write(const T& value, const char* path, std::string_view message,
                      const EncodeOptions& options = {}) {
    const auto packet = encode(value, options);
    ASSERT_FALSE(packet) << path;
    EXPECT_EQ(error_path(value, options, packet.error()), path);
    EXPECT_EQ(to_string(packet.error()), message) << path;
    const auto counted = encoded_size(value, options);
    ASSERT_FALSE(counted);
    EXPECT_EQ(counted.error(), packet.error());
    std::vector<std::byte> room(4096);
    const auto filled = encode_to(std::span(room), value, options);
    ASSERT_FALSE(filled);
    EXPECT_EQ(to_string(filled.error()), message) << path;
    // A Variant holds more than a packet.
    const auto made = to_variant(value);
    const Errc code = packet.error().code;
    ASSERT_EQ(made.has_value(),
              code == Errc::bad_utf8 || code == Errc::depth_limit || code == Errc::not_in_dialect);
    if (!made) {
        EXPECT_EQ(error_path(value, options, made.error()), path);
        EXPECT_EQ(to_string(made.error()), message) << path;
    }
}

TEST(Binding, WritingNamesTheClassThatIsForbidden) {
    const auto why = [](const char* quoted) {
        return std::string("error[objects_forbidden]: an Object of class ") + quoted +
               ", while allow_objects is off";
    };
    const Variant node = Object("Node"), long_name = Object("AClassOfMoreThan24Letters");
    const std::vector<Variant> several{1, node};
    EXPECT_EQ(to_string(encode(several).error()), why("\"Node\""));
    EXPECT_EQ(to_string(encode(Variant(Array{node})).error()), why("\"Node\""));
    EXPECT_EQ(to_string(encode(long_name).error()), why("\"AClassOfMoreThan24Letter\"..."));
    EXPECT_EQ(to_string(encoded_size(node).error()), why("\"Node\""));
    PackedByteArray packet;
    BufferOutput output(packet);
    Writer writer(output, default_encode_options);
    writer.begin_array();
    writer.begin_object("Node");
    writer.end();
    EXPECT_EQ(to_string(writer.finish().error()), why("\"Node\""));
    // As much as reading says.
    const auto sound = encode(node, {.allow_objects = true}).value();
    EXPECT_EQ(to_string(decode(sound).error()), why("\"Node\""));
}

TEST(Binding, WritingSaysWhatItRefuses) {
    using Numbers = std::map<std::string, std::vector<std::uint64_t>>;
    refuses_to_write(Numbers{{"a", {1}}, {"b", {1, 2, UINT64_MAX}}}, "$.b[2]",
                     "error[number_out_of_range]: 18446744073709551615 is not in 0 to "
                     "9223372036854775807");
    refuses_to_write(std::vector{State::idle, static_cast<State>(7)}, "$[1]",
                     "error[unknown_name]: \"7\" is none of idle, run, attack");
    Player player;
    player.name = "Ada";
    player.hp = 1000;
    refuses_to_write(std::vector{player}, "$[0][\"hit points\"]",
                     "error[number_out_of_range]: hit points: 1000 is not in 0 to 999");
    player.hp = 1;
    player.name = "a name that is too long";
    refuses_to_write(std::vector{player}, "$[0].name",
                     "error[length_out_of_range]: name: a length of 23 is not in 0 to 8");
    const std::vector<std::string> texts{"a", "\xFF"};
    refuses_to_write(Untyped<std::vector<std::string>>{texts}, "$[1]",
                     to_string(Error{Errc::bad_utf8, Type::string}));
    refuses_to_write(texts, "$[1]", to_string(Error{Errc::bad_utf8, Type::packed_string_array}));
    const std::vector<std::vector<std::vector<int>>> nest{{{1}}};
    refuses_to_write(nest, "$[0]", to_string(Error{Errc::depth_limit, Type::array}),
                     {.max_depth = 1});
    refuses_to_write(std::vector<Vector4>{{}}, "$[0]",
                     "error[not_in_dialect]: godot-3.1 has no Vector4",
                     {.dialect = &dialects::godot_3_1});
}

struct Refusal {
    Variant value;
    Errc code;
    const char* path;
    const char* name = nullptr;
    BindOptions choices = {};
};

template <class T>
void refuses(std::initializer_list<Refusal> all) {
    for (const Refusal& refusal : all) {
        const PackedByteArray bytes = packet(refusal.value);
        const auto got = decode<T>(as_bytes(bytes), {}, refusal.choices);
        ASSERT_FALSE(got) << refusal.path;
        EXPECT_EQ(error_name(got.error().code), error_name(refusal.code)) << refusal.path;
        EXPECT_EQ(error_path(as_bytes(bytes), {}, got.error()), refusal.path);
        if (refusal.name) {
            ASSERT_TRUE(got.error().name);
            EXPECT_STREQ(got.error().name, refusal.name);
            EXPECT_NE(to_string(got.error()).find(refusal.name), std::string::npos);
        }
    }
}

TEST(Binding, RefusesWhatDoesNotFitAndSaysWhere) {
    refuses<Item>({
        {Array{}, Errc::wrong_type, "$"},
        {Dictionary{{"name", "x"}}, Errc::missing_key, "$", "count"},
        {Dictionary{{"count", 1}}, Errc::missing_key, "$", "name"},
        {Dictionary{{"name", 5}, {"count", 1}}, Errc::wrong_type, "$.name"},
        {Dictionary{{"name", "x"}, {"count", 1.5}}, Errc::number_out_of_range, "$.count"},
        {Dictionary{{"name", "x"}, {"count", std::int64_t{1} << 31}}, Errc::number_out_of_range,
         "$.count"},
        {Dictionary{{"name", "x"}, {"count", 1}, {"no", 2}},
         Errc::unknown_key,
         "$[@2 key]",
         nullptr,
         {.unknown_keys = UnknownKeys::refuse}},
    });
    refuses<Strict>({{Dictionary{{"a", 1}, {"c", 2}, {"b", 3}}, Errc::unknown_key, "$[@1 key]"}});
    refuses<std::vector<Item>>(
        {{Array{Dictionary{{"name", "x"}, {"count", 1}}, Dictionary{{"count", "?"}, {"name", ""}}},
          Errc::wrong_type, "$[1].count"}});
    refuses<Player>({
        {Dictionary{{"name", "far too long"}}, Errc::length_out_of_range, "$.name", "name"},
        {Dictionary{{"name", "x"}, {"hit points", 1000}}, Errc::number_out_of_range,
         "$[\"hit points\"]", "hit points"},
        {Dictionary{{"name", "x"}, {"ratio", 1e300}}, Errc::number_out_of_range, "$.ratio"},
    });
    const BindOptions exact{.round_floats = false};
    refuses<float>({{0.1, Errc::number_out_of_range, "$", nullptr, exact},
                    {(1 << 24) + 1, Errc::number_out_of_range, "$", nullptr, exact},
                    {1e300, Errc::number_out_of_range, "$"}});
    refuses<std::uint64_t>({{-1, Errc::number_out_of_range, "$"}});
    refuses<State>({{"flying", Errc::unknown_name, "$"}, {3, Errc::number_out_of_range, "$"}});
    refuses<std::array<int, 3>>({{Array{1, 2}, Errc::length_out_of_range, "$"}});
    refuses<std::pair<int, int>>(
        {{Array{1}, Errc::length_out_of_range, "$"}, {Array{1, "x"}, Errc::wrong_type, "$[1]"}});
    refuses<Move>({{Array{"hit", 1, Vector3{}}, Errc::unknown_name, "$[0]"},
                   {Array{"move", 1}, Errc::length_out_of_range, "$"}});
    refuses<Message>(
        {{Array{"hit", 1, "much"}, Errc::wrong_type, "$[2]"}, {7, Errc::wrong_type, "$"}});
}

TEST(Binding, RepeatedKeysHoldTheLastOrAreRefused) {
    Dictionary twice;
    twice.append("name", "first");
    twice.append("count", 1);
    twice.append("name", "second");
    const PackedByteArray bytes = packet(twice);
    EXPECT_EQ(decode<Item>(as_bytes(bytes))->name, "second");
    const auto refused = decode<Item>(as_bytes(bytes), {}, {.repeated_keys = RepeatedKeys::refuse});
    EXPECT_EQ(refused.error().code, Errc::repeated_key);
    // Nothing of the first value stays.
    struct Holder {
        std::map<std::string, int> all;
        Item item;
    };
    Dictionary nested;
    nested.append("item", Dictionary{{"name", "a"}, {"count", 3}});
    nested.append("all", Dictionary{{"a", 1}});
    nested.append("all", Dictionary{{"b", 1}});
    EXPECT_EQ(decode<Holder>(as_bytes(packet(nested)))->all.size(), 1u);
}

TEST(Binding, VariantsTakeTheFirstThatFits) {
    const auto of = [](const Variant& value) {
        return decode<Message>(as_bytes(packet(value))).value().index();
    };
    EXPECT_EQ(of(Array{"move", 1, Vector3{}}), 0u);
    EXPECT_EQ(of(Array{"hit", 1, 2}), 1u);
    EXPECT_EQ(of(Array{"say", "hello"}), 2u);
    EXPECT_EQ(of(Dictionary{{"name", "x"}, {"count", 1}}), 3u);
    for (const Message& message :
         {Message(Move{{}, 4, {1, 2, 3}}), Message(Hit{{}, 5, 6}), Message(Say{"say", "x"})}) {
        const auto bytes = encode(message);
        EXPECT_EQ(decode<Message>(as_bytes(*bytes))->index(), message.index());
    }
}

TEST(Binding, ViewsPointIntoThePacket) {
    const PackedByteArray bytes = packet(Dictionary{{"name", "Ada"},
                                                    {"samples", PackedFloat32Array{1, 2.5}},
                                                    {"blob", PackedByteArray{1, 2, 3}}});
    const auto views = decode<Views>(as_bytes(bytes));
    ASSERT_TRUE(views);
    const auto inside = [&](const void* at) {
        return at >= bytes.data() && at < bytes.data() + bytes.size();
    };
    EXPECT_TRUE(inside(views->name.data()));
    EXPECT_TRUE(inside(views->blob.data()));
    EXPECT_EQ(views->samples[1], 2.5f);
    EXPECT_EQ(views->blob.size(), 3u);
}

TEST(Binding, TypesThatContainThemselvesHaveABound) {
    Variant deep = Dictionary{{"id", 1}, {"children", Array{}}};
    for (int i = 0; i < 300; ++i)
        deep = Dictionary{{"id", i}, {"children", Array{std::move(deep)}}};
    const PackedByteArray bytes = packet(deep);
    EXPECT_EQ(decode<Node>(as_bytes(bytes)).error().code, Errc::depth_limit);
    EXPECT_TRUE(decode<Node>(as_bytes(bytes), {}, {.max_nesting = 400}));
}

TEST(Binding, OutputsAgreeAndSayWhatTheyLack) {
    const Everything value = full();
    const PackedByteArray whole = *encode(value);
    std::vector<std::byte> room(whole.size());
    EXPECT_EQ(*encode_to(std::span(room), value), whole.size());
    EXPECT_TRUE(std::equal(room.begin(), room.end(), as_bytes(whole).begin()));
    for (std::size_t n = 0; n < whole.size(); n += 3) {
        const auto size = encode_to(std::span(room).first(n), value);
        ASSERT_FALSE(size);
        EXPECT_EQ(size.error().code, Errc::buffer_full);
        EXPECT_GE(size.error().need, 1u);
        EXPECT_LE(n + size.error().need, whole.size());
    }
    PackedByteArray two;
    ASSERT_TRUE(encode_to(two, value));
    ASSERT_TRUE(encode_to(two, value));
    EXPECT_EQ(two.size(), 2 * whole.size());
    const PackedByteArray before = two;
    const auto bad = encode_to(two, std::vector<Item>{{"ok", 1}, {"\xFF", 2}});
    EXPECT_EQ(bad.error().code, Errc::bad_utf8);
    EXPECT_EQ(two, before);
    EXPECT_EQ(error_path(std::vector<Item>{{"ok", 1}, {"\xFF", 2}}, EncodeOptions{}, bad.error()),
              "$[1].name");
}

TEST(Binding, AVariantTellsTheErrorThatCameFurthest) {
    // Player knows the key and refuses the text's length; the key itself is too much for Strict.
    const auto packet = *encode(Variant(Dictionary{{"name", "longer than eight"}}));
    const auto text = *encode(Variant(Dictionary{{"name", 1}}));
    using First = std::variant<Player, Strict>;
    using Last = std::variant<Strict, Player>;
    EXPECT_EQ(decode<First>(as_bytes(packet)).error().code, Errc::length_out_of_range);
    EXPECT_EQ(decode<Last>(as_bytes(packet)).error().code, Errc::length_out_of_range);
    EXPECT_EQ(decode<First>(as_bytes(text)).error().code, Errc::wrong_type);
}

TEST(Binding, AcceptsWhatTheReaderAcceptsAtTheSameOffsets) {
    // A type that takes everything gives the Reader's verdict for any bytes.
    Random random(9);
    using Open = std::variant<std::vector<Variant>, std::map<std::string, Variant>, Variant>;
    for (const Vector& vector : vectors_of(recordings[0])) {
        const DecodeOptions options = reading(*recordings[0].dialect);
        for (int i = 0; i < 40; ++i) {
            std::vector<std::byte> bytes = vector.bytes;
            if (i)
                bytes[static_cast<std::size_t>(below(random, bytes.size()))] ^=
                    static_cast<std::byte>(1 << below(random, 8));
            if (i % 3 == 2)
                bytes.resize(static_cast<std::size_t>(below(random, bytes.size())));
            const auto expected = read(bytes, options, NullSink{});
            Variant tree;
            Open open;
            for (const auto& got :
                 {decode_to(tree, bytes, options), decode_to(open, bytes, options)}) {
                ASSERT_EQ(got.has_value(), expected.has_value()) << hex(bytes);
                if (expected)
                    ASSERT_EQ(*got, *expected);
                else
                    ASSERT_EQ(got.error(), expected.error()) << hex(bytes);
            }
        }
    }
}

TEST(Binding, NumbersInARowAreAsWideAsTheDialectSays) {
    // Bit 16 makes a number wide, but not in Godot 2, whose headers have no flags.
    for (const Dialect* dialect : all_dialects())
        for (const Type type : {Type::integer, Type::real}) {
            const auto id = [&](Type of) { return dialect->id_of[static_cast<std::size_t>(of)]; };
            std::vector<std::byte> bytes(20);
            detail::store<std::uint32_t>(&bytes[0], id(Type::array));
            detail::store<std::uint32_t>(&bytes[4], 1);
            detail::store<std::uint32_t>(&bytes[8], 0x1'0000u | id(type));
            detail::store<std::uint32_t>(&bytes[12], 7);
            const DecodeOptions options{.dialect = dialect};
            const auto valid = validate(bytes, options);
            std::expected<std::size_t, Error> read;
            std::vector<std::int64_t> integers;
            std::vector<double> reals;
            if (type == Type::integer)
                read = decode_to(integers, bytes, options);
            else
                read = decode_to(reals, bytes, options);
            ASSERT_EQ(read.has_value(), valid.has_value()) << dialect->name;
            if (!valid) {
                EXPECT_EQ(read.error().code, valid.error().code) << dialect->name;
            }
        }
}

}  // namespace
}  // namespace gdvar::test
