// Law 10: what was written decodes strictly.
#include "gdvar/inspect/written.hpp"

#include <gtest/gtest.h>

#include "gdvar/inspect/edit.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/allocations.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

DecodeOptions strictly(const Dialect& dialect, bool objects = true) {
    return {.dialect = &dialect, .allow_objects = objects, .strict = true};
}

/// Converts, makes it strict and expects that every strict face takes it.
Conversion expect_strict(ByteView packet, const Dialect& from, const Dialect& to,
                         const std::string& what) {
    auto done = convert(packet, reading(from), writing(to));
    EXPECT_TRUE(done) << what << to_string(done.error());
    if (!done)
        return {};
    const auto strict = make_strict(*done, writing(to));
    EXPECT_TRUE(strict) << what << " " << to.name << " "
                        << (strict ? "" : to_string(strict.error()));
    const ByteView bytes = as_bytes(done->bytes);
    EXPECT_TRUE(decode(bytes, strictly(to))) << what << " " << to.name;
    EXPECT_TRUE(validate(bytes, strictly(to))) << what << " " << to.name;
    EXPECT_TRUE(check_written(bytes, writing(to))) << what << " " << to.name;
    return *std::move(done);
}

TEST(Written, EveryRecordingIntoEveryDialect) {
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording))
            for (const Dialect* other : all_dialects())
                (void)expect_strict(vector.bytes, *recording.dialect, *other, vector.name);
}

TEST(Written, DamagedPacketsIntoEveryDialect) {
    std::size_t n = 0;
    for (const Json& line :
         lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b")) {
        const auto bytes = unhex(line["b"]);
        if (++n % 2 == 0 || !validate(bytes, reading(dialects::godot_4_4)))
            continue;
        for (const Dialect* other : all_dialects())
            (void)expect_strict(bytes, dialects::godot_4_4, *other, hex(bytes));
    }
}

TEST(Written, AnyValueIntoAnyDialect) {
    Random random(100);
    for (int i = 0; i < 600; ++i) {
        const Variant value = any_value(random, 4);
        for (const Dialect* dialect : {&dialects::godot_4_4, &dialects::pandemonium_5,
                                       &dialects::godot_3_1, &dialects::godot_2})
            if (const auto bytes = encode(value, writing(*dialect)))
                for (const Dialect* other : all_dialects())
                    (void)expect_strict(as_bytes(*bytes), *dialect, *other, hex(as_bytes(*bytes)));
    }
}

Variant node_with(std::string_view name, Variant value) {
    Object node("Node");
    node.append("before", 1);
    node.append(name, std::move(value));
    node.append("behind", 2);
    return node;
}

TEST(Written, AScriptIsAPathOrNothing) {
    const Dialect &from = dialects::godot_3_1, &to = dialects::godot_4_4;
    const Variant refused[] = {Object(),
                               Object("GDScript"),
                               Object::from_id(7),
                               "user://x.gd",
                               1,
                               Array{Array{1}, Dictionary{{"script", 2}}},
                               Dictionary{{"a", node_with("script", "x")}},
                               PackedStringArray{"res://"},
                               PackedByteArray{1}};
    for (const Variant& script : refused) {
        const auto bytes = *encode(Array{node_with("script", script), "x"}, writing(from));
        // It is what the target refuses.
        const Conversion done = expect_strict(as_bytes(bytes), from, to, "script");
        ASSERT_EQ(done.losses.size(), 1u) << type_name(script.type());
        EXPECT_EQ(done.losses[0].path, "$[0].script");
        EXPECT_EQ(done.losses[0].type, script.type());
        EXPECT_EQ(done.losses[0].substitution, "becomes null");
        EXPECT_TRUE(identical(*decode(as_bytes(done.bytes), reading(to)),
                              Array{node_with("script", nullptr), "x"}));
    }
    for (const Variant& script : {Variant(nullptr), Variant("res://a.gd"), Variant("res://")}) {
        const auto bytes = *encode(node_with("script", script), writing(from));
        const Conversion done = expect_strict(as_bytes(bytes), from, to, "script");
        EXPECT_TRUE(done.losses.empty());
        EXPECT_TRUE(
            identical(*decode(as_bytes(done.bytes), reading(to)), node_with("script", script)));
    }
    // Elsewhere it is a value as any other, and other engines take anything.
    for (const auto& [value, other] : {std::pair{Variant(Dictionary{{"script", 1}}), &to},
                                       std::pair{node_with("script", 1), &dialects::godot_3_0}}) {
        const auto bytes = *encode(value, writing(from));
        const Conversion done = expect_strict(as_bytes(bytes), from, *other, "script");
        EXPECT_TRUE(done.losses.empty());
        EXPECT_TRUE(identical(*decode(as_bytes(done.bytes), reading(*other)), value));
    }
}

TEST(Written, KeysThatMeetInTheTargetAreALoss) {
    const Dialect &from = dialects::godot_4_4, &to = dialects::godot_3_1;
    Dictionary inner;
    inner.append(Vector2i{1, 2}, "first");
    inner.append("between", Array{1});
    inner.append(Vector2{1, 2}, "last");
    Dictionary twice;  // keys of their own to Godot 3, since Dictionaries are in them
    twice.append(Array{inner}, Array{1, Dictionary{{"x", 1}}});
    twice.append(Array{Dictionary{{"between", Array{1}}, {Vector2{1, 2}, "last"}}}, "kept");
    const auto bytes = *encode(Array{Dictionary{{"in", inner}}, twice}, writing(from));
    const Conversion done = expect_strict(as_bytes(bytes), from, to, "keys");
    const Variant kept = Dictionary{{"between", Array{1}}, {Vector2{1, 2}, "last"}};
    Dictionary both;
    both.append(Array{kept}, Array{1, Dictionary{{"x", 1}}});
    both.append(Array{kept}, "kept");
    EXPECT_TRUE(identical(*decode(as_bytes(done.bytes), reading(to)),
                          Array{Dictionary{{"in", kept}}, both}));
    std::vector<std::string> out;
    for (const Loss& loss : done.losses)
        if (loss.substitution == "is left out")
            out.push_back(loss.path);
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[0], "$[0].in[@0 key]");
}

TEST(Written, ManyKeysAreTakenOutInOneGo) {
    Dictionary pairs;
    for (int i = 0; i < 20'000; ++i)
        pairs.append(i % 100, Array{i});
    const auto bytes = *encode(Variant(pairs));
    const Conversion done =
        expect_strict(as_bytes(bytes), dialects::godot_4_4, dialects::godot_4_3, "many");
    EXPECT_EQ(done.losses.size(), 19'900u);
    const auto left = decode(as_bytes(done.bytes));
    ASSERT_EQ(left->size(), 100u);
    EXPECT_EQ((*left->get_if<Dictionary>()->find(Variant(7))).get_if<Array>()->begin()->integer(),
              19'907);
}

TEST(Written, ChecksWhatIsToBeAllowed) {
    const auto node =
        *encode(node_with("script", 1), {.dialect = &dialects::godot_3_1, .allow_objects = true});
    EXPECT_TRUE(check_written(as_bytes(node), writing(dialects::godot_3_1)));
    const auto closed = check_written(as_bytes(node), {.dialect = &dialects::godot_3_1});
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().code, Errc::objects_forbidden);
    const auto script =
        check_written(as_bytes(*encode(node_with("script", 1), {.allow_objects = true})),
                      {.allow_objects = true});
    ASSERT_FALSE(script);
    EXPECT_EQ(script.error().code, Errc::bad_script);
    auto behind = *encode(Variant(1));
    behind.push_back(0);
    EXPECT_EQ(check_written(as_bytes(behind), {}).error().code, Errc::trailing_bytes);
    Dictionary twice;
    twice.append("a", 1);
    twice.append(StringName("a"), 1);
    EXPECT_EQ(check_written(as_bytes(*encode(Variant(twice))), {}).error().code,
              Errc::duplicate_key);
}

// ---- edits

PackedByteArray pairs_packet(std::initializer_list<std::pair<const char*, Variant>> pairs) {
    Dictionary out;
    for (const auto& [key, value] : pairs)
        out.append(key, value);
    return encode(Variant(out)).value();
}

TEST(Edited, WhatWasOddMayStay) {
    // A wide int, a key that comes again, padding that is not zero.
    const auto odd = unhex(
        "1b00000003000000"
        "0200000001000000"
        "0200000001000000"
        "0200000001000000"
        "0200000002000000"
        "0400000001000000"
        "61007a7a"
        "020001000700000000000000");
    ASSERT_FALSE(check_written(odd, {}));
    for (const char* path : {"$[1]", "$.a", "$.b"}) {
        const auto made = set_value(odd, path, Variant(1.5));
        ASSERT_TRUE(made) << path;
        EXPECT_TRUE(check_edited(odd, as_bytes(*made), {})) << path;
    }
    EXPECT_TRUE(check_edited(odd, odd, {}));
    // One more of what was there is refused, where it is.
    Dictionary twice;
    twice.append("x", 1);
    twice.append(StringName("x"), 2);
    const auto worse = set_value(odd, "$.b", Variant(twice)).value();
    const auto refused = check_edited(odd, as_bytes(worse), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::duplicate_key);
    EXPECT_EQ(error_path(as_bytes(worse), {}, refused.error()), "$.b[@0 key]");
    // So is what was not there at all, and bytes behind it.
    auto behind = set_value(odd, "$.a", Variant(8)).value();
    behind.push_back(1);
    EXPECT_EQ(check_edited(odd, as_bytes(behind), {}).error().code, Errc::trailing_bytes);
    // A strict packet has to stay so.
    const auto sound = pairs_packet({{"a", 1}});
    EXPECT_FALSE(check_edited(as_bytes(sound), odd, {}));
    EXPECT_EQ(check_value(Variant(twice), {}).error().code, Errc::duplicate_key);
    EXPECT_TRUE(check_value(Variant(1), {}));
}

Dictionary twice(const char* first, const char* second, const char* third = "z") {
    Dictionary out;
    int n = 0;
    for (const char* key : {first, second, third})
        out.append(key, ++n);
    return out;
}

/// Where an edit from one value to the other is refused for a repeated key; "" if it is not.
std::string new_repeat(const Variant& from, const Variant& to) {
    const auto before = encode(from).value(), after = encode(to).value();
    const auto checked = check_edited(as_bytes(before), as_bytes(after), {});
    if (checked)
        return "";
    EXPECT_EQ(checked.error().code, Errc::duplicate_key);
    return error_path(as_bytes(after), {}, checked.error());
}

TEST(Edited, ARepeatedKeyIsTheOneThatWasThere) {
    const Variant odd = Dictionary{{"x", twice("a", "a")}, {"y", twice("b", "c")}};
    EXPECT_EQ(new_repeat(odd, odd), "");
    // One goes, and one comes: that is told.
    EXPECT_EQ(new_repeat(odd, Dictionary{{"x", twice("a", "b")}, {"y", twice("c", "c")}}),
              "$.y[@0 key]");
    EXPECT_EQ(new_repeat(odd, Dictionary{{"x", twice("b", "a", "a")}, {"y", 1}}), "");
    EXPECT_EQ(new_repeat(odd, Dictionary{{"x", twice("b", "b", "a")}, {"y", 1}}), "");
    EXPECT_EQ(new_repeat(odd, Dictionary{{"x", twice("a", "b", "b")}, {"y", 1}}), "$.x[@1 key]");
    EXPECT_EQ(new_repeat(odd, Dictionary{{"x", twice("a", "a", "a")}, {"y", 1}}), "$.x[@0 key]");
    // Both names changed, the Dictionary moved, its key got another name, others went.
    EXPECT_EQ(new_repeat(odd, Dictionary{{"x", twice("n", "n")}, {"y", 1}}), "");
    EXPECT_EQ(new_repeat(odd, Dictionary{{"n", twice("a", "a")}, {"y", 1}}), "");
    const Variant list = Array{1, twice("a", "a"), Dictionary{{twice("k", "k"), 1}}};
    EXPECT_EQ(new_repeat(list, Array{0, 1, twice("a", "a"), Dictionary{{twice("k", "k"), 2}}}), "");
    EXPECT_EQ(new_repeat(list, Array{twice("a", "a")}), "");
    EXPECT_EQ(new_repeat(list, Array{1, 2, twice("b", "b")}), "$[2][@0 key]");
    EXPECT_EQ(new_repeat(list, Array{twice("a", "a"), twice("a", "a")}), "$[0][@0 key]");
}

TEST(Edited, NothingDamagedIsRefusedForWhatItWas) {
    std::size_t n = 0;
    for (const Json& line :
         lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b")) {
        const auto bytes = unhex(line["b"]);
        const DecodeOptions options = reading(dialects::godot_4_4);
        const auto document = Document::parse(bytes, options);
        if (!document)
            continue;
        for (const char* path : {"$[0]", "$[1]", "$[-1]", "$.a", "$.new"}) {
            const auto made = set_value(bytes, path, Variant(7), options);
            if (!made)
                continue;
            ++n;
            EXPECT_TRUE(check_edited(bytes, as_bytes(*made), writing(dialects::godot_4_4)))
                << hex(bytes) << " " << path;
        }
        if (const auto made = erase_value(bytes, "$[0]", options)) {
            EXPECT_TRUE(check_edited(bytes, as_bytes(*made), writing(dialects::godot_4_4)))
                << hex(bytes);
        }
    }
    EXPECT_GT(n, 100u);
}

// ---- what is lost, gathered

TEST(Written, AReportGathersWhatIsListed) {
    const Variant value =
        Array{StringName("a"), StringName("b"), Vector2i(1, 2), StringName("c"), StringName("d")};
    const auto packet = encode(value).value();
    const EncodeOptions to = writing(dialects::godot_3_1);
    const auto listed = convert(as_bytes(packet), {}, to);
    Losses losses;
    ConversionReport report{losses};
    const auto gathered = convert(as_bytes(packet), {}, to, Renames::godot_3_to_4(), &report);
    ASSERT_TRUE(listed && gathered);
    EXPECT_EQ(listed->bytes, gathered->bytes);
    EXPECT_TRUE(gathered->losses.empty());
    EXPECT_EQ(losses.count(), listed->losses.size());
    ASSERT_EQ(losses.kinds().size(), 2u);
    EXPECT_EQ(losses.kinds()[0].what,
              "StringName does not exist in godot-3.1; it becomes a String");
    EXPECT_EQ(in_words(losses.kinds()[0]), "4 values, the first at $[0], $[1] and $[3]");
}

TEST(Written, AReportKeepsNoPathOfEachLoss) {
    // A thousand losses at a path of 400 KB.
    Array names;
    for (int i = 0; i < 1000; ++i)
        names.push_back(StringName("n"));
    const auto packet = encode(Dictionary{{std::string(400'000, 'k'), names}}).value();
    Losses losses;
    ConversionReport report{losses};
    const Recorder taken = counted([&] {
        ASSERT_TRUE(convert(as_bytes(packet), {}, writing(dialects::godot_3_1),
                            Renames::godot_3_to_4(), &report));
    });
    EXPECT_EQ(losses.count(), 1000u);
    EXPECT_LT(taken.peak, 16 * packet.size());
}

}  // namespace
}  // namespace gdvar::test
