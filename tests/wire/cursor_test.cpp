// Cursor: the same verdicts as every other face, typed reading, sticky errors, going back.
#include "gdvar/wire/cursor.hpp"

#include <gtest/gtest.h>

#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"
#include "gdvar/wire/writer.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// Reads everything that comes, by hand.
std::expected<std::size_t, Error> walk(ByteView bytes, const DecodeOptions& options) {
    Cursor cursor(bytes, options);
    std::size_t depth = 0;
    do {
        const Event& event = cursor.next();
        const bool opened = event.type == Type::array || event.type == Type::dictionary ||
                            event.type == Type::packed_typed_array ||
                            (event.type == Type::object && event.object == ObjectKind::full);
        if (opened)
            ++depth;
        while (cursor && depth && !cursor.more()) {
            cursor.end();
            --depth;
        }
        if (cursor && cursor.at_property())
            (void)cursor.property();
    } while (cursor && depth);
    return cursor.finish();
}

template <class Sink>
std::expected<std::size_t, Error> driven(ByteView bytes, const DecodeOptions& options, Sink& sink) {
    Cursor cursor(bytes, options);
    cursor.drive(sink);
    return cursor.finish();
}

void agree(ByteView bytes, const DecodeOptions& options) {
    const auto expected = read(bytes, options, NullSink{});
    NullSink nothing;
    for (const auto& got : {walk(bytes, options), driven(bytes, options, nothing)}) {
        ASSERT_EQ(got.has_value(), expected.has_value()) << hex(bytes);
        if (expected)
            ASSERT_EQ(*got, *expected) << hex(bytes);
        else
            ASSERT_EQ(got.error(), expected.error()) << hex(bytes) << " " << to_string(got.error())
                                                     << " " << to_string(expected.error());
    }
}

TEST(Cursor, AgreesWithTheReaderOnRecordedAndDamagedPackets) {
    Random random(5);
    for (const Recording& recording : recordings) {
        for (const Vector& vector : vectors_of(recording)) {
            for (const bool strict : {false, true}) {
                DecodeOptions options = reading(*recording.dialect);
                options.strict = strict;
                agree(vector.bytes, options);
                std::vector<std::byte> bad = vector.bytes;
                for (std::size_t cut = 0; cut < bad.size(); cut += 1 + bad.size() / 40)
                    agree(ByteView(bad).first(cut), options);
                for (int i = 0; i < 30 && !bad.empty(); ++i) {
                    bad = vector.bytes;
                    bad[static_cast<std::size_t>(below(random, bad.size()))] ^=
                        static_cast<std::byte>(1 << below(random, 8));
                    agree(bad, options);
                }
            }
        }
    }
}

TEST(Cursor, DrivesAnySink) {
    for (const Recording& recording : recordings) {
        for (const Vector& vector : vectors_of(recording)) {
            const DecodeOptions options = reading(*recording.dialect);
            PackedByteArray out;
            {
                BufferOutput output(out);
                const EncodeOptions to = writing(*recording.dialect);
                Encoder<BufferOutput> encoder(output, to);
                ASSERT_TRUE(driven(vector.bytes, options, encoder)) << vector.name;
            }
            const auto direct = encode(*decode(vector.bytes, options), writing(*recording.dialect));
            ASSERT_EQ(out, *direct) << vector.name;
        }
    }
}

PackedByteArray packet(const Variant& value) {
    return *encode(value);
}

TEST(Cursor, ReadsByHand) {
    const PackedByteArray bytes = packet(Dictionary{{"name", "Ada"},
                                                    {"hp", 7},
                                                    {"big", std::int64_t{1} << 40},
                                                    {"ratio", 0.5},
                                                    {"exact", 0.1},
                                                    {"count", 3},
                                                    {"alive", true},
                                                    {"none", nullptr},
                                                    {"pos", Vector3{1, 2, 3}},
                                                    {"tiles", PackedInt32Array{4, 5, 6}},
                                                    {"names", PackedStringArray{"x", "yz"}},
                                                    {"path", NodePath("/a/b:c")},
                                                    {"skipped", Array{1, Array{2, "three"}}},
                                                    {"empty", Array{}},
                                                    {"last", StringName("end")}});
    Cursor cursor(as_bytes(bytes));
    ASSERT_EQ(cursor.begin_dictionary(), 15u);
    EXPECT_EQ(cursor.peek(), Type::string);
    const auto key = [&](std::string_view name) { EXPECT_EQ(cursor.string(), name); };
    key("name");
    EXPECT_EQ(cursor.string(), "Ada");
    key("hp");
    EXPECT_EQ(cursor.integer(), 7);
    key("big");
    EXPECT_EQ(cursor.integer(), std::int64_t{1} << 40);
    key("ratio");
    EXPECT_EQ(cursor.real(), 0.5);
    key("exact");
    EXPECT_EQ(cursor.real(), 0.1);
    key("count");
    EXPECT_EQ(cursor.real(), 3.0);  // as engines convert
    key("alive");
    EXPECT_TRUE(cursor.boolean());
    key("none");
    EXPECT_TRUE(cursor.take_nil());
    key("pos");
    EXPECT_EQ(cursor.math<Vector3>(), (Vector3{1, 2, 3}));
    key("tiles");
    const auto tiles = cursor.packed<std::int32_t>();
    EXPECT_EQ(std::vector<std::int32_t>(tiles.begin(), tiles.end()), (std::vector{4, 5, 6}));
    key("names");
    std::string all;
    cursor.packed_strings().each([&](std::string_view text) { all += std::string(text) + "|"; });
    EXPECT_EQ(all, "x|yz|");
    key("path");
    EXPECT_EQ(cursor.node_path().name_count(), 2u);
    key("skipped");
    cursor.skip();
    key("empty");
    EXPECT_EQ(cursor.begin_array(), 0u);
    EXPECT_FALSE(cursor.more());
    cursor.end();
    key("last");
    EXPECT_EQ(cursor.string(), "end");
    cursor.end();
    EXPECT_EQ(cursor.finish().value(), bytes.size());
}

TEST(Cursor, FirstErrorSticksAndHasItsPlace) {
    const PackedByteArray bytes =
        packet(Dictionary{{"players", Array{Dictionary{{"hp", "many"}}, 2}}});
    Cursor cursor(as_bytes(bytes));
    cursor.begin_dictionary();
    cursor.string();
    cursor.begin_array();
    cursor.begin_dictionary();
    cursor.string();
    EXPECT_EQ(cursor.integer(), 0);
    ASSERT_FALSE(cursor);
    EXPECT_EQ(cursor.error().code, Errc::wrong_type);
    EXPECT_EQ(cursor.error().type, Type::string);
    EXPECT_EQ(cursor.path(), "$.players[0].hp");
    const Error first = cursor.error();
    EXPECT_FALSE(cursor.more());
    EXPECT_EQ(cursor.string(), "");
    EXPECT_EQ(cursor.begin_array(), 0u);
    cursor.end();
    cursor.skip();
    EXPECT_EQ(cursor.finish().error(), first);
}

TEST(Cursor, RefusesStepsThatThePlaceDoesNotAllow) {
    const PackedByteArray bytes = packet(Array{1});
    {
        Cursor cursor(as_bytes(bytes));
        EXPECT_EQ(cursor.finish().error().code, Errc::misplaced);
    }
    {
        Cursor cursor(as_bytes(bytes));
        cursor.begin_array();
        EXPECT_EQ(cursor.finish().error().code, Errc::misplaced);
    }
    {
        Cursor cursor(as_bytes(bytes));
        cursor.begin_array();
        cursor.integer();
        cursor.integer();
        EXPECT_EQ(cursor.error().code, Errc::misplaced);
    }
    {
        Cursor cursor(as_bytes(bytes));
        cursor.end();
        EXPECT_EQ(cursor.error().code, Errc::misplaced);
    }
    {
        Cursor cursor(as_bytes(bytes));
        cursor.begin_array();
        cursor.property();
        EXPECT_EQ(cursor.error().code, Errc::misplaced);
    }
}

TEST(Cursor, ReadsObjectsInFull) {
    Object node("Node");
    node.set("name", "Ada");
    node.set("hp", 7);
    const PackedByteArray bytes = *encode(Variant(node), {.allow_objects = true});
    {
        Cursor cursor(as_bytes(bytes));
        cursor.begin_object();
        EXPECT_EQ(cursor.error().code, Errc::objects_forbidden);
    }
    DecodeOptions options;
    options.allow_objects = true;
    Cursor cursor(as_bytes(bytes), options);
    ASSERT_EQ(cursor.begin_object(), 2u);
    EXPECT_EQ(cursor.property(), "name");
    EXPECT_EQ(cursor.string(), "Ada");
    EXPECT_EQ(cursor.property(), "hp");
    EXPECT_EQ(cursor.integer(), 7);
    cursor.end();
    EXPECT_TRUE(cursor.finish());

    Cursor wrong(as_bytes(bytes), options);
    wrong.begin_object();
    wrong.string();  // its name comes first
    EXPECT_EQ(wrong.error().code, Errc::misplaced);
}

TEST(Cursor, GoesBackAfterWhatWasNotAskedFor) {
    const PackedByteArray bytes = packet(Array{Array{1, "two"}, 3});
    Cursor cursor(as_bytes(bytes));
    cursor.begin_array();
    const auto mark = cursor.mark();
    cursor.begin_array();
    cursor.integer();
    cursor.integer();
    ASSERT_EQ(cursor.error().code, Errc::wrong_type);
    ASSERT_TRUE(cursor.go_back(mark));
    EXPECT_TRUE(cursor.ok());
    cursor.skip();
    EXPECT_EQ(cursor.integer(), 3);
    cursor.end();
    EXPECT_TRUE(cursor.finish());
}

TEST(Cursor, GoingBackHasABound) {
    const PackedByteArray bytes =
        packet(Array{PackedByteArray(std::vector<std::uint8_t>(5000)), 3});
    Cursor cursor(as_bytes(bytes));
    cursor.begin_array();
    const auto mark = cursor.mark();
    int times = 0;
    for (; times < 1000; ++times) {
        cursor.skip();
        if (!cursor.go_back(mark))
            break;
    }
    EXPECT_LT(times, 100);
    EXPECT_EQ(cursor.error().code, Errc::node_limit);
}

TEST(Cursor, BrokenBytesAreNotGoneBackFrom) {
    const PackedByteArray bytes = packet(Array{"abcdef"});
    Cursor cursor(as_bytes(bytes).first(bytes.size() - 4));
    const auto mark = cursor.mark();
    cursor.begin_array();
    EXPECT_EQ(cursor.error().code, Errc::ok);
    EXPECT_EQ(cursor.string(), "");
    EXPECT_EQ(cursor.error().code, Errc::truncated);
    EXPECT_FALSE(cursor.go_back(mark));
    EXPECT_EQ(cursor.error().code, Errc::truncated);
}

/// Dialects lack some common forms, and with `strict` there is none: no bytes may pass for one
/// then.
TEST(Cursor, NoHeaderStandsForAFormThatTheDialectLacks) {
    for (const Dialect* dialect : all_dialects()) {
        for (const bool strict : {false, true}) {
            for (const std::uint32_t header : {0xFFFE'FFFFu, 0xFFFF'FFFFu}) {
                std::byte bytes[16]{};
                detail::store(bytes, header);
                DecodeOptions options{.dialect = dialect};
                options.strict = strict;
                const auto expected = read(ByteView(bytes), options, NullSink{});
                ASSERT_FALSE(expected);
                const auto refuses = [&](auto&& step) {
                    Cursor cursor(bytes, options);
                    step(cursor);
                    EXPECT_EQ(cursor.error(), expected.error()) << dialect->name << strict;
                };
                refuses([](Cursor& c) { (void)c.boolean(); });
                refuses([](Cursor& c) { (void)c.integer(); });
                refuses([](Cursor& c) { (void)c.real(); });
                refuses([](Cursor& c) { (void)c.string(); });
                refuses([](Cursor& c) { (void)c.math<Vector2>(); });
                refuses([](Cursor& c) { (void)c.math<Vector2d>(); });
                refuses([](Cursor& c) { (void)c.begin_array(); });
                refuses([](Cursor& c) { (void)c.begin_dictionary(); });
                constexpr std::byte empty[4]{};
                Cursor cursor(bytes, options);
                EXPECT_FALSE(cursor.take_nil());
                EXPECT_FALSE(cursor.take_text<4>(empty));
                std::int64_t whole;
                double number;
                EXPECT_EQ(cursor.take(&whole, 1) + cursor.take(&number, 1), 0u);
                std::string_view text;
                Vector2 vector;
                Cursor::FastPath fast(cursor);
                EXPECT_FALSE(fast.nil() || fast.integer(whole) || fast.real(number) ||
                             fast.string(text) || fast.same_text<4>(empty) || fast.math(vector))
                    << dialect->name << strict;
            }
        }
    }
}

}  // namespace
}  // namespace gdvar::test
