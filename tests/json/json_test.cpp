#include <gtest/gtest.h>

#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "support/engine_json.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

TEST(TypedJson, EqualsTheEnginesAsAValueOnEveryRecording) {
    std::size_t compared = 0;
    for (const Vector& vector : vectors_of(recordings[0])) {
        auto document = Document::parse(vector.bytes, reading(dialects::godot_4_4));
        ASSERT_TRUE(document);
        auto json = to_json(std::as_const(*document).root());
        ASSERT_TRUE(json);
        // The packet says EncodedObjectAsID where the engine's JSON is null: tests/data/README.md.
        if (vector.json.empty() || not_in_the_engines_json(vector.name))
            continue;
        EXPECT_EQ(without_digits(parsed(*json)), parsed(vector.json)) << vector.name;
        ++compared;
        auto indented = to_json(std::as_const(*document).root(), {.indent = 2});
        EXPECT_EQ(parsed(*indented), parsed(*json));
    }
    EXPECT_GT(compared, 410u);
}

TEST(TypedJson, KeepsWhatJsonAloneWouldLose) {
    const std::pair<Variant, const char*> cases[] = {
        {0.1, "\"f:0.1\""},
        {1e-20, "\"f:1e-20\""},
        {-0.0, "\"f:-0.0\""},
        {RID{7}, "{\"type\":\"RID\",\"id\":\"7\"}"},
        {Object::from_id(9), "{\"type\":\"Object\",\"id\":\"9\"}"},
        {Object::from_id(0x8000'0010'0000'0005),
         R"({"type":"Object","id":"-9223371968135299067"})"},
        {Signal{"s", UINT64_MAX}, R"({"type":"Signal","name":"s","id":"-1"})"},
        {RID{UINT64_MAX}, R"({"type":"RID","id":"18446744073709551615"})"},
        {Vector2d{0.1, 2}, R"({"type":"Vector2","args":[0.1,2.0],"wide":true})"},
        {Signal{"s", 3}, R"({"type":"Signal","name":"s","id":"3"})"},
        {"a\xFF", R"("s:a\udcff")"},
    };
    for (const auto& [value, text] : cases)
        EXPECT_EQ(*to_json(value), text);
}

TEST(TypedJson, DigitsAreExactAndMostSurviveTheEnginesArithmetic) {
    Random random(11);
    std::size_t survive = 0, all = 0;
    const auto look = [&](double value) {
        const std::string json = *to_json(value);
        ASSERT_TRUE(identical(*parse_json(json), value)) << json;
        // The reader of text computes as the engine does.
        survive += parse_text(std::string_view(json).substr(3))->real() == value;
        ++all;
    };
    for (int i = 0; i < 30'000; ++i) {
        look(static_cast<double>(random() >> 11) * 0x1p-53);
        look(static_cast<double>(static_cast<std::int64_t>(random()) >> below(random, 20)));
        look(static_cast<double>(below(random, 1'000'000)) / 1000);
        const auto any = std::bit_cast<double>(random());
        if (any - any == 0) {
            ASSERT_TRUE(identical(*parse_json(*to_json(any)), any));
        }
    }
    // Fewer of the shortest digits do: 95 %.
    EXPECT_GT(survive, all * 975 / 1000);
    EXPECT_EQ(*to_json(0.1), "\"f:0.1\"");
    EXPECT_EQ(*to_json(-0.0), "\"f:-0.0\"");
    EXPECT_EQ(*to_json(1e300), "\"f:1e+300\"");
}

TEST(PlainJson, IsJsonForAnyValueAndSaysWhatItLoses) {
    Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const Variant value = any_value(random, 4);
        auto bytes = encode(value, writing(dialects::godot_4_4));
        if (!bytes)
            continue;
        auto document = Document::parse(as_bytes(*bytes), reading(dialects::godot_4_4));
        ASSERT_TRUE(document);
        auto plain = to_plain_json(std::as_const(*document).root(), {.indent = i % 3});
        ASSERT_TRUE(plain);
        EXPECT_FALSE(Json::parse(*plain, nullptr, false).is_discarded()) << *plain;
        EXPECT_FALSE(parsed(*to_json(std::as_const(*document).root())).is_null() &&
                     !value.is_nil());
    }
    const auto bytes = *encode(Dictionary{{"a", StringName("x")}, {1, "int"}, {"1", "text"}});
    auto document = Document::parse(as_bytes(bytes));
    Losses losses;
    const std::string expected = "{\"a\":\"x\",\"1\":\"int\",\"1 (2)\":\"text\"}";
    EXPECT_EQ(*to_plain_json(std::as_const(*document).root(), {}, &losses), expected);
    ASSERT_EQ(losses.kinds().size(), 3u);
    EXPECT_EQ(losses.kinds()[0].what, "StringName has no form of its own in JSON");
    EXPECT_EQ(losses.kinds()[0].paths, std::vector<std::string>{"$.a"});
    EXPECT_EQ(losses.kinds()[1].paths, std::vector<std::string>{"$[@1 key]"});
}

TEST(PlainJson, AVariantPrintsAsItsPacketDoes) {
    Random random(8);
    for (int i = 0; i < 1000; ++i) {
        const Variant value = any_value(random, 4);
        auto bytes = encode(value, writing(dialects::godot_4_4));
        if (!bytes)
            continue;
        const auto document = Document::parse(as_bytes(*bytes), reading(dialects::godot_4_4));
        ASSERT_TRUE(document);
        Losses of_view, of_variant;
        const auto plain = to_plain_json(document->root(), {.indent = i % 3}, &of_view);
        EXPECT_EQ(*plain, *to_plain_json(*decode(as_bytes(*bytes), reading(dialects::godot_4_4)),
                                         {.indent = i % 3}, &of_variant));
        ASSERT_EQ(of_view.kinds().size(), of_variant.kinds().size());
        for (std::size_t k = 0; k < of_view.kinds().size(); ++k)
            EXPECT_EQ(of_view.kinds()[k].paths, of_variant.kinds()[k].paths);
        // The paths are those that the whole library speaks of.
        for (const Losses::Kind& kind : of_view.kinds())
            EXPECT_TRUE(kind.paths[0].starts_with("$")) << kind.paths[0];
    }
}

/// Text in pieces, put together again, and how many there were.
template <class Print>
std::pair<std::string, int> in_pieces(Print&& print) {
    std::pair<std::string, int> out;
    EXPECT_TRUE(print([&](std::string_view piece) {
        EXPECT_LT(piece.size(), std::size_t{8} << 16);
        out.first += piece;
        ++out.second;
    }));
    return out;
}

TEST(Json, PiecesMakeTheWhole) {
    Array large;
    PackedByteArray zeros;
    zeros.resize(200'000);
    large.push_back(zeros);
    large.push_back(std::string(300'000, '\x01'));
    std::string odd = "x";
    while (odd.size() < 400'000)
        odd += "日é👾";
    large.push_back(odd);
    PackedStringArray strings;
    for (int i = 0; i < 50'000; ++i)
        strings.push_back("\"");
    large.push_back(strings);
    const auto bytes = *encode(Variant(large));
    const auto document = Document::parse(as_bytes(bytes));
    ASSERT_TRUE(document);
    const View root = document->root();
    const auto typed = in_pieces([&](const TextPieces& to) { return print_json(root, {}, to); });
    EXPECT_EQ(typed.first, *to_json(Variant(large)));
    EXPECT_GT(typed.second, 10);
    const auto plain =
        in_pieces([&](const TextPieces& to) { return print_plain_json(root, {}, to); });
    EXPECT_EQ(plain.first, *to_plain_json(Variant(large)));
    EXPECT_GT(plain.second, 10);
}

TEST(PlainJson, LossesAreGatheredByKind) {
    Array names;
    for (int i = 0; i < 10'000; ++i)
        names.push_back(StringName("n"));
    names.push_back(RID{1});
    Losses losses;
    std::size_t every = 0;
    losses.each = [&](std::string_view, std::string_view) { ++every; };
    losses.prefix = "#2 $";
    ASSERT_TRUE(to_plain_json(Variant(Dictionary{{"a", names}}), {}, &losses));
    EXPECT_EQ(every, 10'001u);
    EXPECT_EQ(losses.count(), 10'001u);
    ASSERT_EQ(losses.kinds().size(), 2u);
    EXPECT_EQ(losses.kinds()[0].count, 10'000u);
    EXPECT_EQ(in_words(losses.kinds()[0]),
              "10000 values, the first at #2 $.a[0], #2 $.a[1] and #2 $.a[2]");
    EXPECT_EQ(in_words(losses.kinds()[1]), "1 value, at #2 $.a[10000]");
    // Paths are cut: a long key costs no more than a short one.
    const Variant deep = Dictionary{{std::string(100'000, 'k'), StringName("n")}};
    Losses cut;
    ASSERT_TRUE(to_plain_json(deep, {}, &cut));
    EXPECT_LE(cut.kinds()[0].paths[0].size(), Losses::most_path);
}

TEST(PlainJson, RepeatedNamesGetNumbersInLinearTime) {
    Dictionary pairs;
    for (int i = 0; i < 50'000; ++i)
        pairs.append("k", Variant());
    pairs.append("k (3)", Variant());
    const std::string text = *to_plain_json(Variant(pairs));
    const auto json = Json::parse(text);
    EXPECT_EQ(json.size(), 50'001u);
    EXPECT_TRUE(json.contains("k (50000)"));
    EXPECT_TRUE(json.contains("k (3) (2)"));
    // Only equal names are repeated: these have the same size, beginning and end.
    const Variant alike = Dictionary{{"beginning 1 the end", 1}, {"beginning 2 the end", 2}};
    EXPECT_EQ(*to_plain_json(alike), "{\"beginning 1 the end\":1,\"beginning 2 the end\":2}");
    const Variant mixed = Dictionary{{1, 1}, {"1", 2}, {"1 (2)", 3}};
    EXPECT_EQ(*to_plain_json(mixed), "{\"1\":1,\"1 (2)\":2,\"1 (2) (2)\":3}");
}

TEST(Json, DeepNestingIsIndentedByNoMoreThan64Columns) {
    Variant deep;
    for (int i = 0; i < 1000; ++i) {
        Array around;
        around.push_back(std::move(deep));
        deep = std::move(around);
    }
    EXPECT_LT(to_json(deep, {.indent = 2})->size(), 1001u * 2 * 68);
    EXPECT_EQ(parsed(*to_json(deep, {.indent = 2})), parsed(*to_json(deep)));
    EXPECT_LT(to_plain_json(deep, {.indent = 2})->size(), 1001u * 2 * 68);
}

}  // namespace
}  // namespace gdvar::test
