#include <gtest/gtest.h>

#include "gdvar/inspect/annotate.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/quirks.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

bool read_strictly(ByteView bytes, DecodeOptions options) {
    options.strict = true;
    return validate(bytes, options).has_value();
}

/// Rows must cover the bytes one after another, whatever the bytes.
void expect_covered(const std::vector<std::byte>& bytes, const DecodeOptions& options) {
    std::uint64_t at = 0;
    bool broken = false;
    auto size = annotate(bytes, options, [&](const AnnotateRow& row) {
        EXPECT_FALSE(broken) << "a row after the break";
        if (row.size == 0) {
            broken = true;
            EXPECT_FALSE(row.note.empty());
            return;
        }
        EXPECT_EQ(row.offset, at) << hex(bytes);
        at = row.offset + row.size;
    });
    EXPECT_EQ(at, bytes.size()) << hex(bytes);
    EXPECT_EQ(broken, !size.has_value());
    auto checked = validate(bytes, options);
    EXPECT_EQ(checked.has_value(), size.has_value()) << hex(bytes);
}

TEST(Annotate, EveryByteOfEveryRecording) {
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            if (vector.bytes.size() > 4000)
                continue;
            expect_covered(vector.bytes, reading(*recording.dialect));
        }
}

TEST(Annotate, EveryByteOfDamagedPackets) {
    std::size_t n = 0;
    for (const Json& line : lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b"))
        if (++n % 3 == 0)
            expect_covered(unhex(line["b"]), {});
}

/// `keeps_all` is never true of what a reading changes, or refuses.
void expect_kept(ByteView bytes, std::size_t& kept, std::size_t& unchanged) {
    for (const Engine& engine : all_engines()) {
        const auto reading_of = read_as(engine, bytes);
        const bool same = reading_of && reading_of->changes.empty();
        const bool keeps = keeps_all(engine, bytes);
        EXPECT_TRUE(same || !keeps) << engine.name << ": " << hex(bytes);
        unchanged += same;
        kept += keeps;
    }
}

TEST(Engine, KeepsAllOfWhatItDoesNotChange) {
    std::size_t kept = 0, unchanged = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording))
            expect_kept(vector.bytes, kept, unchanged);
    for (const Json& line : lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b"))
        expect_kept(unhex(line["b"]), kept, unchanged);
    EXPECT_GT(kept, unchanged / 2);
    EXPECT_LT(kept, unchanged) << "of NodePaths only read_as can tell";
    // Keys that merge, among few and many.
    Dictionary many;
    for (int i = 0; i < 100; ++i) {
        many.append(Variant("key number " + std::to_string(i)), Variant(i));
        EXPECT_TRUE(keeps_all(all_engines()[0], as_bytes(encode(many).value())));
        Dictionary twice = many;
        twice.append(Variant("key number 0"), Variant());
        EXPECT_FALSE(keeps_all(all_engines()[0], as_bytes(encode(twice).value())));
    }
    EXPECT_FALSE(
        keeps_all(all_engines()[0], as_bytes(encode(std::string_view("a\0b", 3)).value())));
}

// Runs of 3.2.3 and 3.6.2: keys are code points. 3.6.2 joins halves where it writes, and not
// before.
TEST(Engine, Godot3HoldsCodePoints) {
    const std::string pair = "\xED\xA0\xBD\xED\xB1\xBE", face = "\xF0\x9F\x91\xBE";
    Dictionary keys;
    std::int64_t n = 0;
    for (const std::string& key :
         {std::string("\xE0\x80\xA2"), std::string("a"), pair, std::string("\xEE\x80\x80"),
          std::string("\xF5\x80\x80\x80"), face, pair.substr(0, 3), std::string("\xE0\x81\xA2"),
          std::string("\xFC\x80\x88\x80\x80\x80"), std::string("b")})
        keys.append(Variant(key), Variant(n++));
    const auto packet = encode(keys, {.dialect = &dialects::godot_3_1});
    ASSERT_TRUE(packet);
    for (const Engine& engine : all_engines()) {
        if (engine.dialect != &dialects::godot_3_1)
            continue;
        const bool joins = engine.family == TextFamily::godot_3_6;
        EXPECT_FALSE(keeps_all(engine, as_bytes(*packet)));
        const auto reading = read_as(engine, as_bytes(*packet));
        ASSERT_TRUE(reading);
        const std::string shown_pair = joins ? face : pair, half = joins ? " " : pair.substr(0, 3);
        EXPECT_EQ(to_text(reading->value, {.family = engine.family, .held = true}).value(),
                  "{\n\"\\\"\": 0,\n\"a\": 1,\n\"b\": 9,\n\"" + half + "\": 6,\n\"" + shown_pair +
                      "\": 2,\n\"\xEE\x80\x80\": 3,\n\"" + face +
                      "\": 5,\n\"\xF5\x80\x80\x80\": 4,\n\"\xF8\x88\x80\x80\x80\": 8\n}");
        Dictionary written;
        const std::pair<std::string, int> pairs[] = {{"\"", 0},
                                                     {"a", 1},
                                                     {shown_pair, 2},
                                                     {"\xEE\x80\x80", 3},
                                                     {"\xF5\x80\x80\x80", 4},
                                                     {face, 5},
                                                     {half, 6},
                                                     {"b", 9},
                                                     {"\xF8\x88\x80\x80\x80", 8}};
        for (const auto& [key, value] : pairs)
            written.append(Variant(key), Variant(value));
        EXPECT_EQ(hex(as_bytes(reencoding(engine, *reading).value())),
                  hex(as_bytes(encode(written, {.dialect = engine.dialect}).value())))
            << engine.name;
    }
}

TEST(Engine, ReencodesDamagedPacketsAsGodotDoes) {
    const Engine& engine = all_engines()[0];
    std::size_t compared = 0, different = 0, fresh_ids = 0, reads_on = 0;
    for (const Json& line :
         lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b")) {
        const auto bytes = unhex(line["b"]);
        const std::size_t n = line["n"];
        auto reading_of = read_as(engine, bytes);
        if (!reading_of)
            continue;
        if (!reading_of->unknown.empty()) {
            ++reads_on;
            continue;
        }
        bool fresh = false;
        for (const std::string& change : reading_of->changes)
            fresh = fresh || change.find("fresh") != change.npos;
        if (fresh) {
            ++fresh_ids;  // the engine's own new id can't be known
            continue;
        }
        auto back = reencoding(engine, bytes);
        ASSERT_TRUE(back) << line["b"];
        const std::string expected = line.contains("r")
                                         ? line["r"].get<std::string>()
                                         : hex(ByteView(bytes).first(std::min(n, bytes.size())));
        EXPECT_EQ(hex(as_bytes(*back)), expected) << line["b"];
        ++compared;
        different += line.contains("r");
    }
    EXPECT_EQ(compared + fresh_ids, 4145u);  // 4,149 that the engine takes, less 4 that we refuse
    EXPECT_GT(different, 1180u);
    EXPECT_LT(fresh_ids, 30u);
    EXPECT_GE(reads_on, 4u);
}

// A Dictionary of two pairs of Godot 4 is also an Array[int] of four items of Pandemonium, two of
// which are Strings.
TEST(Guess, ItemsOfAnotherTypeSpeakAgainstATypedContainer) {
    for (const char* name : {"x", "Ada", "somebody"}) {
        const auto packet = encode(Variant(Dictionary{{"hp", 100}, {"name", name}})).value();
        const ByteView packets[] = {as_bytes(packet)};
        EXPECT_EQ(guess_dialect(packets).dialect, &dialects::godot_4_4) << name;
    }
    Array typed(ContainerType{ContainerKind::builtin, Type::integer, {}});
    typed.push_back(1);
    typed.push_back(2);
    const EncodeOptions pandemonium{.dialect = &dialects::pandemonium_5};
    const auto packet = encode(Variant(std::move(typed)), pandemonium).value();
    const ByteView packets[] = {as_bytes(packet)};
    for (const Candidate& candidate : guess_dialect(packets).candidates) {
        if (candidate.dialect == &dialects::pandemonium_5) {
            EXPECT_EQ(candidate.oddities, 0u);
        }
    }
}

// Two packets in a row, as Pandemonium's PackedStringArray with control characters.
TEST(Guess, AReadingByChanceIsNotTheLikelyOne) {
    auto packet = encode(Variant(Dictionary{{"a", 1}, {"name", "Ada Lovelace"}})).value();
    ASSERT_TRUE(encode_to(packet, Variant(Dictionary{{"a", 1}, {"name", "Ada Lovelace"}})));
    const ByteView packets[] = {as_bytes(packet)};
    const Guess guess = guess_dialect(packets);
    EXPECT_EQ(guess.dialect, &dialects::pandemonium_3_5);
    EXPECT_EQ(guess.likely, &dialects::godot_4_4);
}

// A cut Array of Godot 4 is a whole Array[String] of Pandemonium with ints and a bool in it, which
// no engine writes.
TEST(Guess, WhatNoEngineWritesIsNotTheLikelyOne) {
    auto packet = encode(Variant(Dictionary{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}})).value();
    packet.resize(48);
    const ByteView packets[] = {as_bytes(packet)};
    const Guess guess = guess_dialect(packets);
    EXPECT_EQ(guess.dialect, &dialects::pandemonium_5);
    EXPECT_EQ(guess.likely, &dialects::godot_4_4);
}

TEST(Guess, FindsTheRecordingsOwnDialectAmongTheFitting) {
    for (const Recording& recording : recordings) {
        std::vector<Vector> vectors = vectors_of(recording);
        std::vector<ByteView> packets;
        for (const Vector& vector : vectors)
            packets.emplace_back(vector.bytes);
        const Guess guess = guess_dialect(packets);
        EXPECT_EQ(guess.dialect, recording.dialect) << recording.engine;
    }
    const auto wide_ints = unhex("020001000700000000000000");
    const ByteView one[] = {wide_ints};
    EXPECT_EQ(guess_dialect(one).dialect, &dialects::godot_3_0);
    EXPECT_TRUE(guess_dialect(one).ambiguous);
    const auto nothing = unhex("ffffffff");
    const ByteView none[] = {nothing};
    EXPECT_EQ(guess_dialect(none).dialect, nullptr);
}

// Law 7.
TEST(Convert, ThereAndBackIsTheSameWhereNothingIsLost) {
    std::size_t same = 0, lossy = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording))
            for (const Dialect* other : all_dialects()) {
                const DecodeOptions from = reading(*recording.dialect);
                auto there = convert(vector.bytes, from, writing(*other));
                ASSERT_TRUE(there)
                    << vector.name << " " << other->name << " " << to_string(there.error());
                ASSERT_TRUE(validate(as_bytes(there->bytes), reading(*other)))
                    << vector.name << " " << other->name;
                if (!there->losses.empty()) {
                    EXPECT_TRUE(there->losses[0].path.starts_with('$'));
                    ++lossy;
                    continue;
                }
                auto back =
                    convert(as_bytes(there->bytes), reading(*other), writing(*recording.dialect));
                ASSERT_TRUE(back);
                EXPECT_TRUE(back->losses.empty());
                auto first = decode(vector.bytes, from);
                auto again = decode(as_bytes(back->bytes), from);
                ASSERT_TRUE(first && again);
                EXPECT_TRUE(identical(*first, *again)) << vector.name << " " << other->name;
                ++same;
            }
    EXPECT_GT(same, 5000u);
    EXPECT_GT(lossy, 3000u);
}

TEST(Convert, NamesWhatIsLost) {
    const auto bytes = *encode(Dictionary{{"a", Array{StringName("x"), Vector2i{1, 2}}}});
    auto done = convert(as_bytes(bytes), {}, {.dialect = &dialects::godot_3_1});
    ASSERT_TRUE(done);
    ASSERT_EQ(done->losses.size(), 2u);
    EXPECT_EQ(done->losses[0].path, "$.a[0]");
    EXPECT_EQ(done->losses[1].path, "$.a[1]");
    EXPECT_EQ(done->losses[1].substitution, "becomes a Vector2");
    EXPECT_TRUE(identical(*decode(as_bytes(done->bytes), {.dialect = &dialects::godot_3_1}),
                          Variant(Dictionary{{"a", Array{"x", Vector2{1, 2}}}})));
}

// Engines write no such container; other programs do.
TEST(Convert, ElementsOfAnotherTypeAreALoss) {
    Array ints(ContainerType::of(Type::integer));
    ints.push_back(Variant("one"));
    ints.push_back(Variant(2));
    Dictionary pairs(ContainerType::of(Type::string), ContainerType::of(Type::real));
    pairs.append(Variant(1), Variant(1.5));
    pairs.append(Variant("k"), Variant("two"));
    Array objects(ContainerType::of_class("Node"));
    objects.push_back(Variant());
    const auto bytes =
        *encode(Dictionary{{"a", Array{ints, "free"}}, {"b", pairs}, {"c", objects}, {"d", 1}});
    const auto done = convert(as_bytes(bytes), {}, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(done);
    EXPECT_EQ(done->bytes, bytes);
    ASSERT_EQ(done->losses.size(), 3u);
    EXPECT_EQ(done->losses[0].path, "$.a[0][0]");
    EXPECT_EQ(done->losses[0].what, "a value of type String in a container that takes only int");
    EXPECT_EQ(done->losses[1].what, "a value of type int in a container that takes only String");
    EXPECT_EQ(done->losses[2].path, "$.b.k");
    Losses found;
    ASSERT_TRUE(find_misfits(as_bytes(bytes), {}, found));
    EXPECT_EQ(found.count(), 3u);
    // A container that loses its type takes anything.
    const auto old = convert(as_bytes(bytes), {}, {.dialect = &dialects::godot_3_1});
    ASSERT_TRUE(old);
    for (const Loss& loss : old->losses)
        EXPECT_NE(loss.type, Type::string) << loss.what;
}

TEST(Convert, AnyValueIntoAnyDialect) {
    Random random(99);
    for (int i = 0; i < 1500; ++i) {
        const Variant value = any_value(random, 4);
        auto bytes = encode(value, writing(dialects::godot_4_4));
        if (!bytes)
            continue;
        for (const Dialect* other : all_dialects()) {
            auto done = convert(as_bytes(*bytes), reading(dialects::godot_4_4), writing(*other));
            ASSERT_TRUE(done) << other->name << " " << to_string(done.error());
            auto read_back = decode(as_bytes(done->bytes), reading(*other));
            ASSERT_TRUE(read_back) << other->name << to_string(read_back.error());
            if (done->losses.empty()) {
                EXPECT_TRUE(identical(*read_back, value)) << other->name;
            }
        }
    }
}

TEST(Lookup, FollowsPaths) {
    const auto bytes = *encode(Dictionary{{"players", Array{1, Dictionary{{"odd key", 7}}}},
                                          {Vector2i{1, 2}, "v"},
                                          {5, "five"},
                                          {"sn", StringName("x")}});
    auto document = Document::parse(as_bytes(bytes));
    const View root = std::as_const(*document).root();
    EXPECT_EQ(lookup(root, "$.players[1][\"odd key\"]")->get<int>(), 7);
    EXPECT_EQ(lookup(root, ".players[-1]")->size(), 1u);
    EXPECT_EQ(lookup(root, "players[0]")->get<int>(), 1);
    EXPECT_EQ(lookup(root, "$[Vector2i(1, 2)]")->get<std::string>(), "v");
    EXPECT_EQ(lookup(root, "$[5]")->get<std::string>(), "five");
    EXPECT_EQ(lookup(root, "$[\"sn\"]")->get<std::string>(), "x");
    EXPECT_EQ(lookup(root, "$[@2]")->get<std::string>(), "five");
    EXPECT_EQ(lookup(root, "$")->type(), Type::dictionary);
    EXPECT_EQ(lookup(root, "$.nobody").error().code, Errc::missing_key);
    EXPECT_EQ(lookup(root, "$.players[9]").error().code, Errc::index_out_of_range);
    EXPECT_EQ(lookup(root, "$.sn.x").error().code, Errc::wrong_type);
    EXPECT_EQ(lookup(root, "$..players").error().code,
              Errc::missing_key);  // one value is asked for
    for (const char* bad : {"$.", "$[", "$[1", "$x", "$..", "$[\"a]", "#0 $"})
        EXPECT_EQ(lookup(root, bad).error().code, Errc::bad_path) << bad;
}

/// Quirks found in one walk have the paths that each has by itself.
std::size_t expect_quirks(const std::vector<std::byte>& bytes, const DecodeOptions& options) {
    const auto found = find_quirks(bytes, options);
    EXPECT_EQ(found.has_value(), validate(bytes, options).has_value()) << hex(bytes);
    if (!found)
        return 0;
    for (const FoundQuirk& one : found->first)
        EXPECT_EQ(one.path,
                  one.quirk == Quirk::trailing_bytes
                      ? "$"
                      : shortened_path(path_at(bytes, options, one.offset), Quirks::most_path))
            << hex(bytes) << " " << one.offset;
    EXPECT_EQ(found->strict, read_strictly(bytes, options)) << hex(bytes);
    EXPECT_EQ(found->count, found->first.size());
    return found->first.size();
}

TEST(Quirks, HaveThePathsOfTheirValues) {
    std::size_t found = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording))
            found += expect_quirks(vector.bytes, reading(*recording.dialect));
    for (const Json& line : lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b"))
        found += expect_quirks(unhex(line["b"]), reading(dialects::godot_4_4));
    EXPECT_GT(found, 100u);
}

/// Strict reading refuses a packet for these, too, which are no part of one value.
TEST(Quirks, HaveRepeatedKeysAndWhatFollows) {
    Dictionary inner;
    for (int i = 0; i < 3; ++i)
        inner.append(Array{1}, i);
    Dictionary outer{{"a", inner}};
    outer.append(StringName("a"), 5);
    auto packet = encode(outer).value();
    packet.resize(packet.size() + 4);
    const auto found = find_quirks(as_bytes(packet), {});
    ASSERT_TRUE(found);
    std::vector<std::string> all;
    for (const FoundQuirk& one : found->first)
        all.push_back(std::string(quirk_info(one.quirk).name) + " " + one.path);
    EXPECT_EQ(all,
              (std::vector<std::string>{"duplicate_key $.a[@1 key]", "duplicate_key $.a[@2 key]",
                                        "duplicate_key $[@1 key]", "trailing_bytes $"}));
    EXPECT_EQ(found->count, 4u);
    EXPECT_EQ(found->first.back().offset, packet.size() - 4);
    EXPECT_FALSE(found->strict);
    EXPECT_EQ(find_quirks(as_bytes(packet), {}, 2)->count, 4u);
    EXPECT_FALSE(find_quirks(as_bytes(packet), {}, 0)->strict);
}

TEST(Quirks, AreCountedBeyondTheFirst) {
    PackedStringArray strings;
    for (int i = 0; i < 500; ++i)
        strings.push_back(std::string("a\0b", 3));
    const auto packet = encode(Array{strings, 1}).value();
    const auto found = find_quirks(as_bytes(packet), {}, 10);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 500u);
    ASSERT_EQ(found->first.size(), 10u);
    EXPECT_EQ(found->first[9].path, "$[0][9]");
    EXPECT_TRUE(found->strict);
}

}  // namespace
}  // namespace gdvar::test
