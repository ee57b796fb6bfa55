// Chains of changes in one save: packets, texts and places are what single changes make of them.
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "gdvar/file/save_file.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "support/data.hpp"
#include "support/generate.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace save_edits {
namespace {

using Bytes = std::vector<std::byte>;

Bytes copy_of(ByteView bytes) {
    return {bytes.begin(), bytes.end()};
}
std::string_view text_of(ByteView bytes) {
    return detail::as_text(bytes.data(), bytes.size());
}

Dictionary player(Random& random, int i) {
    Dictionary out;
    out["name"] = "player " + std::to_string(i);
    out["hp"] = static_cast<std::int64_t>(below(random, 100));
    out["speed"] = 1.5;
    out["bag"] = Array{1, "two", Dictionary()};
    return out;
}

/// A change at a path.
struct Edit {
    std::string path;
    Variant value;
    bool erases = false;
};

Edit any_edit(Random& random, std::size_t players) {
    const std::string at = "$.players[" + std::to_string(below(random, players)) + "]";
    switch (below(random, 9)) {
        case 0:
            return {at + ".hp", static_cast<std::int64_t>(random() >> below(random, 60))};
        case 1:
            return {at + ".name", std::string(below(random, 40), 'x')};
        case 2:
            return {at + ".bag[+]", any_text(random)};
        case 3:
            return {at + ".new" + std::to_string(below(random, 4)), Array{1.5, true}};
        case 4:
            return {at + ".bag[0]", {}, true};
        case 5:
            return {at + ".new1", {}, true};
        case 6:
            return {at + ".bag", Array{3, 4}};
        case 7:
            return {at + ".speed", static_cast<double>(below(random, 1000)) / 8};
        default:
            return {"$.players[+]", player(random, 7)};
    }
}

/// Makes the edit in the save, and by the functions for packets. Both do, or refuse, the same.
void make(SaveFile& save, Bytes& packet, const Edit& edit) {
    SCOPED_TRACE(edit.path);
    const auto before = copy_of(save.items()[0].packet);
    const auto done =
        edit.erases ? save.erase(edit.path) : save.set(edit.path, edit.value, {.create = true});
    const auto made = edit.erases
                          ? inspect::erase_value(packet, edit.path, save.decoding())
                          : inspect::set_value(packet, edit.path, edit.value, save.decoding());
    if (!done) {
        EXPECT_EQ(copy_of(save.items()[0].packet), before);
        return;
    }
    ASSERT_TRUE(made);
    packet = copy_of(as_bytes(*made));
    ASSERT_EQ(copy_of(save.items()[0].packet), packet);
}

TEST(SaveEdits, PacketsAreThoseOfSingleEdits) {
    Random random(3);
    Array players;
    for (int i = 0; i < 80; ++i)
        players.push_back(player(random, i));
    Dictionary all;
    all["players"] = players;
    all["version"] = 3;
    auto bytes = encode(all).value();
    auto save = read_save(as_bytes(bytes)).value();
    Bytes packet = copy_of(as_bytes(bytes));
    for (int i = 0; i < 2000; ++i) {
        ASSERT_NO_FATAL_FAILURE(make(save, packet, any_edit(random, 80)));
        if (i % 50 == 0) {
            EXPECT_EQ(copy_of(save.content().value()), packet);
            EXPECT_EQ(save.bytes().value(), packet);
            EXPECT_TRUE(save.check());
            const auto tree = Document::parse(ByteView(packet)).value();
            EXPECT_TRUE(identical(save.get("$").value(), tree.root().get<Variant>().value()));
        }
    }
}

TEST(SaveEdits, PartsAndPackedArraysChangeInPlace) {
    Dictionary all;
    all["pos"] = Vector3{1, 2, 3};
    all["list"] = PackedFloat32Array{1, 2, 3};
    all["names"] = PackedStringArray{"a", "b"};
    all["end"] = 1;
    auto bytes = encode(all).value();
    auto save = read_save(as_bytes(bytes)).value();
    Bytes packet = copy_of(as_bytes(bytes));
    const auto set = [&](const std::string& path, const Variant& value) {
        ASSERT_NO_FATAL_FAILURE(make(save, packet, {path, value}));
    };
    for (int i = 0; i < 3; ++i) {
        set("$.pos.y", 5.5 + i);
        set("$.list[1]", 2.5 + i);
        set("$.list[+]", 7);
        set("$.names[0]", std::string(static_cast<std::size_t>(i), 'n'));
        set("$.end", std::int64_t{1} << (20 * i));
    }
    EXPECT_EQ(save.get<double>("$.pos.y").value(), 7.5);
    EXPECT_EQ(save.get<double>("$.list[1]").value(), 4.5);
    EXPECT_EQ(save.get<double>("$.list[5]").value(), 7);
}

/// The bytes after many changes are those of a fresh save with the last packet, and reads
/// as the values.
void expect_text(SaveFile& save, ByteView original) {
    const std::string written(text_of(save.content().value()));
    EXPECT_EQ(text_of(save.bytes().value()), written);
    auto again =
        read_save(as_bytes(written), {.dialect = &save.dialect(), .as = save.kind().seen_as});
    ASSERT_TRUE(again);
    ASSERT_EQ(again->items().size(), save.items().size());
    for (std::size_t i = 0; i < save.items().size(); ++i)
        EXPECT_TRUE(identical(decode(again->items()[i].packet, save.decoding()).value(),
                              decode(save.items()[i].packet, save.decoding()).value()));
    auto fresh =
        read_save(original, {.dialect = &save.dialect(), .as = save.kind().seen_as}).value();
    for (std::size_t i = 0; i < save.items().size(); ++i)
        ASSERT_TRUE(fresh.replace_item(static_cast<std::int64_t>(i), save.items()[i].packet));
    EXPECT_EQ(text_of(fresh.content().value()), written);
}

TEST(SaveEdits, TextsAreWrittenOnceTheyAreAskedFor) {
    Random random(5);
    Array players;
    for (int i = 0; i < 20; ++i)
        players.push_back(player(random, i));
    Dictionary all;
    all["players"] = players;
    const std::string json = R"({ "players": [ )" + [] {
        std::string out;
        for (int i = 0; i < 20; ++i)
            out += std::string(i ? ",\n  " : "") +
                   R"({"name" : "p", "hp": 5,"speed":1.50, "bag": [ 1, "two",{} ]})";
        return out;
    }() + " ] , \"n\":1}\n";
    const std::string text = to_text_full(all).value();
    for (const std::string& original : {json, text}) {
        auto save = read_save(as_bytes(original)).value();
        Bytes packet = copy_of(save.items()[0].packet);
        ASSERT_NO_FATAL_FAILURE(make(save, packet, {"$.players[3].hp", 77}));
        expect_text(save, as_bytes(original));
        for (int i = 0; i < 300; ++i) {
            ASSERT_NO_FATAL_FAILURE(make(save, packet, any_edit(random, 20)));
            if (i % 20 == 0)
                expect_text(save, as_bytes(original));
        }
    }
}

TEST(SaveEdits, OneValueOfATextChangesAlone) {
    const std::string json = "{\"a\" : [1.0, 2.50 ,3], \"b\": {\"c\": 1e2}}";
    auto save = read_save(as_bytes(json)).value();
    ASSERT_TRUE(save.set("$.a[2]", 12));
    EXPECT_EQ(text_of(save.content().value()), "{\"a\" : [1.0, 2.50 ,12], \"b\": {\"c\": 1e2}}");
    ASSERT_TRUE(save.set("$.b.c", 5.5));
    EXPECT_EQ(text_of(save.content().value()), "{\"a\" : [1.0, 2.50 ,12], \"b\": {\"c\": 5.5}}");
    const std::string sections = "; first\n[a]\n\nx = 1 ; one\ny={\n\"k\": [1, 2]\n}\n\n[b]\nx=2\n";
    auto settings = read_save(as_bytes(sections)).value();
    ASSERT_TRUE(settings.set("$.a.y.k[1]", 22));
    ASSERT_TRUE(settings.set("$.b.x", 3));
    EXPECT_EQ(text_of(settings.bytes().value()),
              "; first\n[a]\n\nx = 1 ; one\ny={\n\"k\": [1, 22]\n}\n\n[b]\nx=3\n");
    EXPECT_EQ(settings.path_at(sections.rfind('2')).value(), "$.b.x");
}

TEST(SaveEdits, WhatATextCantHoldIsRefusedAtOnce) {
    const std::string json = "{\"a\": 1, \"b\": [1]}";
    auto save = read_save(as_bytes(json)).value();
    const auto refused = [&](std::string_view path, const Variant& value) {
        const auto set = save.set(path, value, {.create = true, .type = value.type()});
        ASSERT_FALSE(set);
        EXPECT_EQ(set.error().code, Errc::not_in_dialect);
        EXPECT_EQ(text_of(save.content().value()), json);
    };
    refused("$.a", Vector2{1, 2});
    refused("$.b[+]", Color{});
    refused("$.a", std::numeric_limits<double>::infinity());
    refused("$[5]", 1);
    EXPECT_FALSE(save.changed());
    const std::string sections = "[a]\nx=1\ny=[1]\n";
    auto settings = read_save(as_bytes(sections)).value();
    EXPECT_FALSE(settings.set("$.a.x", Variant(), {.type = Type::nil}));
    ASSERT_TRUE(settings.set("$.a.y[0]", Variant(), {.type = Type::nil}));
    EXPECT_EQ(text_of(settings.content().value()), "[a]\nx=1\ny=[null]\n");
}

// Engines read two assignments in one line, which another value would make one.
TEST(SaveEdits, AValueThatWouldGrowTogetherIsRefusedAtOnce) {
    const std::string sections = "[s]\na=1b=2\nc=[3]d=4\n";
    auto settings = read_save(as_bytes(sections), {.as = InputKind::config}).value();
    for (const char* path : {"$.s.a", "$.s.c"}) {
        EXPECT_FALSE(settings.set(path, true, {.type = Type::boolean}));
        EXPECT_EQ(text_of(settings.content().value()), sections);
    }
    ASSERT_TRUE(settings.set("$.s.d", 5));
    EXPECT_EQ(text_of(settings.content().value()), "[s]\na=1b=2\nc=[3]d=5\n");
}

// A reference is one word in a text: a part of it is not printed by itself.
TEST(SaveEdits, WhatIsInReferencesIsCheckedInTheText) {
    const std::string sections = "[s]\na=SubResource(\"x\")\nb={\"k\": ExtResource(\"y\")}\n";
    auto settings = read_save(as_bytes(sections), {.as = InputKind::config}).value();
    for (const char* path : {"$.s.a.id", "$.s.b.k.id"}) {
        const bool erased = settings.erase(path).has_value();
        EXPECT_EQ(text_of(settings.content().value()) == sections, !erased) << path;
    }
}

// A packet with a quirk is looked at as a whole: no change may make it worse.
TEST(SaveEdits, PacketsWithQuirksAreCheckedAsAWhole) {
    Dictionary all;
    all["a"] = true;
    all["b"] = 1;
    auto bytes = encode(all).value();
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
        if (detail::load<std::uint32_t>(reinterpret_cast<std::byte*>(bytes.data()) + i) == 1 &&
            i > 12 && bytes[i - 4] == 1) {
            bytes[i] = 7;  // a bool of 7
            break;
        }
    auto save = read_save(as_bytes(bytes), {.as = InputKind::packet}).value();
    EXPECT_FALSE(inspect::check_written(save.items()[0].packet, {}));
    Bytes packet = copy_of(as_bytes(bytes));
    for (int i = 0; i < 5; ++i)
        ASSERT_NO_FATAL_FAILURE(make(save, packet, {"$.b", 1000 * i}));
    ASSERT_NO_FATAL_FAILURE(make(save, packet, {"$.a", false}));
    EXPECT_TRUE(inspect::check_written(save.items()[0].packet, {}));
    ASSERT_NO_FATAL_FAILURE(make(save, packet, {"$.b", 5}));
}

// ---- changes that are taken back

Bytes records_of(std::size_t count) {
    Bytes out;
    MemoryTarget target(out);
    RecordWriter writer(target);
    Random random(9);
    for (std::size_t i = 0; i < count; ++i) {
        Dictionary all;
        all["players"] = Array{player(random, 1), player(random, 2)};
        EXPECT_TRUE(writer.store_packet(as_bytes(encode(all).value())));
    }
    return out;
}

/// A change of a save of two players in each value.
void change_somehow(SaveFile& save, Random& random) {
    const bool several = save.kind().several;
    const auto number = static_cast<std::int64_t>(below(random, save.items().size()));
    const Bytes packet = copy_of(save.items()[static_cast<std::size_t>(number)].packet);
    const std::string at = several ? '#' + std::to_string(number) + ' ' : std::string();
    const Edit edit = any_edit(random, 2);
    std::ignore = [&]() -> bool {
        switch (below(random, 9)) {
            case 0:
                return save.rename(at + "$.players[0].name", any_text(random)).has_value();
            case 1:
                return save.set_all((several ? "#* " : "") + std::string("$.players[*].hp"), 5)
                    .has_value();
            case 2:
                return save.insert_item(number, packet).has_value();
            case 3:
                return save.remove_item(number).has_value();
            case 4:
                return save.erase_all(at + "$.players[*].speed").has_value();
            case 5:
                return save.replace_item(number, packet).has_value();
            default:
                return (edit.erases ? save.erase(at + edit.path)
                                    : save.set(at + edit.path, edit.value, {.create = true}))
                    .has_value();
        }
    }();
}

TEST(SaveEdits, EveryChangeIsTakenBackAndMadeAgain) {
    Random random(11);
    const Bytes records = records_of(4);
    Dictionary one;
    one["players"] = Array{player(random, 1), player(random, 2)};
    const auto packet = encode(one).value();
    const std::string json =
        R"({ "players": [ {"name" : "p", "hp": 5,"speed":1.50, "bag": [ 1, "two",{} ]}, )"
        R"({"name":"q","hp":6.5} ] , "n":1})";
    const std::string text = to_text_full(one).value();
    for (const ByteView original :
         {ByteView(records), as_bytes(packet), as_bytes(json), as_bytes(text)}) {
        auto save = read_save(original, {.dialect = &dialects::godot_4_4}).value();
        save.keep_changes();
        std::vector<Bytes> states = {save.bytes().value()};
        for (int i = 0; i < 300; ++i) {
            const std::size_t before = save.undo_count();
            change_somehow(save, random);
            ASSERT_EQ(save.undo_count(), save.change_count());
            if (save.undo_count() != before) {
                ASSERT_EQ(save.undo_count(), before + 1) << "one call is one change";
                ASSERT_EQ(save.redo_count(), 0u);
                states.resize(before + 1);
                states.push_back(save.bytes().value());
            }
            while (below(random, 3) == 0 && save.undo_count()) {
                ASSERT_TRUE(save.undo());
                ASSERT_EQ(save.bytes().value(), states[save.undo_count()]);
            }
            if (below(random, 2))
                while (save.redo_count()) {
                    ASSERT_TRUE(save.redo());
                    ASSERT_EQ(save.bytes().value(), states[save.undo_count()]);
                }
            ASSERT_TRUE(save.check());
        }
        EXPECT_GT(states.size(), 50u);
        while (save.undo_count())
            ASSERT_TRUE(save.undo());
        EXPECT_FALSE(save.changed());
        EXPECT_EQ(save.bytes().value(), copy_of(original));
        EXPECT_EQ(save.undo().error().code, Errc::misplaced);
        while (save.redo_count())
            ASSERT_TRUE(save.redo());
        EXPECT_TRUE(save.changed());
        EXPECT_EQ(save.bytes().value(), states.back());
    }
}

TEST(SaveEdits, TheOldestChangesAreDropped) {
    const Bytes records = records_of(2);
    auto save = read_save(records, {.dialect = &dialects::godot_4_4}).value();
    EXPECT_EQ(save.undo().error().code, Errc::misplaced) << "changes are not kept";
    ASSERT_TRUE(save.set("#0 $.players[0].hp", 1000));
    save.keep_changes(2000);
    EXPECT_EQ(save.undo_count(), 0u);
    for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(
            save.set("#0 $.players[0].name", std::string(100, static_cast<char>('a' + i % 26))));
    EXPECT_EQ(save.change_count(), 100u);
    EXPECT_LT(save.undo_count(), 10u);
    EXPECT_GT(save.undo_count(), 2u);
    const std::size_t kept = save.undo_count();
    while (save.undo_count())
        ASSERT_TRUE(save.undo());
    EXPECT_EQ(save.change_count(), 100 - kept);
    EXPECT_TRUE(save.changed());
    ASSERT_TRUE(save.set("#0 $.players[0].name", std::string(5000, 'x')));
    EXPECT_EQ(save.undo_count(), 1u) << "the newest one stays";
    EXPECT_EQ(save.redo_count(), 0u);
}

class SaveEditsOfFiles : public TempFolder {};

TEST_F(SaveEditsOfFiles, WhatWasSavedIsNotChanged) {
    const std::string path = put("a.save", records_of(2));
    auto save = open_save(path, {.dialect = &dialects::godot_4_4}).value();
    save.keep_changes();
    ASSERT_TRUE(save.set("#0 $.players[0].hp", 1000));
    ASSERT_TRUE(save.save());
    EXPECT_FALSE(save.changed());
    ASSERT_TRUE(save.undo());
    EXPECT_TRUE(save.changed());
    ASSERT_TRUE(save.redo());
    EXPECT_FALSE(save.changed());
    ASSERT_TRUE(save.undo());
    ASSERT_TRUE(save.save());
    EXPECT_EQ(read_bytes(path), records_of(2));
}

TEST(SaveEdits, ASaveInMemoryWithoutChangesGivesTheBytesThatCame) {
    const auto key = key_from_password("secret").value();
    std::vector<Layer> layers;
    layers.push_back({.kind = find_layer_kind("gdec-4")});
    const auto packet = encode(Variant(Dictionary{})).value();
    MemorySource from(as_bytes(packet));
    Bytes wrapped;
    MemoryTarget to(wrapped);
    ASSERT_TRUE(write_layers(from, to, layers, &key));
    const auto save = read_save(Bytes(wrapped), {.key = key}).value();
    EXPECT_EQ(save.bytes().value(), wrapped);
    EXPECT_EQ(read_save(as_bytes(packet))->bytes().value(), copy_of(as_bytes(packet)));
}

}  // namespace
}  // namespace save_edits
}  // namespace gdvar::test
