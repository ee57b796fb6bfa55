// Whole saves: every one that an engine wrote, changed by path and written back as it was.
#include "gdvar/file/save_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/platform/file.hpp"
#include "gdvar/file/save_patch.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

using SaveFiles = TempFolder;

/// An engine's expectations of its saves.
struct Engine {
    fs::path folder;
    std::vector<Bytes> packets;
    ContainerKey pass, key;

    explicit Engine(const fs::path& at) : folder(at) {
        std::istringstream lines(read_text(at / "expected.ndjson"));
        for (std::string line; std::getline(lines, line);) {
            const auto row = nlohmann::json::parse(line);
            if (row.contains("bytes")) {
                packets.push_back(from_hex(row["bytes"].get<std::string>()).value());
            } else {
                pass = key_from_password(row["pass"].get<std::string>()).value();
                key = key_from_bytes(as_bytes(row["key"].get<std::string>())).value();
            }
        }
    }
    std::vector<fs::path> saves() const {
        std::vector<fs::path> all;
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() != ".ndjson")
                all.push_back(entry.path());
        return all;
    }
    std::optional<ContainerKey> key_of(const fs::path& save) const {
        if (save.stem() == "gdec_pass")
            return pass;
        if (save.stem() == "gdec_key")
            return key;
        return std::nullopt;
    }
};

std::vector<Engine> engines() {
    std::vector<Engine> all;
    for (const auto& entry : fs::directory_iterator(data_dir() / "saves"))
        all.emplace_back(entry.path());
    return all;
}

std::vector<std::string> names(const SaveFile& save) {
    std::vector<std::string> all;
    for (const Layer& layer : save.layers())
        all.push_back(layer.name());
    return all;
}

std::vector<Bytes> packets(const SaveFile& save) {
    std::vector<Bytes> all;
    for (const SaveItem& item : save.items())
        all.emplace_back(item.packet.begin(), item.packet.end());
    return all;
}

// Each save of each engine, in each container: one value is changed, and all else is the engine's
// still.
TEST_F(SaveFiles, EverySaveIsEditedInEveryContainer) {
    int seen = 0;
    for (const Engine& engine : engines())
        for (const fs::path& original : engine.saves()) {
            SCOPED_TRACE(original);
            ++seen;
            const std::string copy = put("copy", read_bytes(original));
            const SaveOptions options{.key = engine.key_of(original)};
            std::vector<std::string> layers;
            {
                auto save = open_save(copy, options);
                ASSERT_TRUE(save) << to_string(save.error());
                layers = names(*save);
                std::vector<Bytes> expected = engine.packets;
                if (!save->kind().several)
                    expected.resize(1);
                EXPECT_EQ(packets(*save), expected);
                ASSERT_TRUE(save->set("#0 $[\"added by gdvar\"]", Variant(41), {.create = true}));
                ASSERT_TRUE(save->set("#0 $[\"added by gdvar\"]", Variant(42)));
                EXPECT_TRUE(save->changed());
                ASSERT_TRUE(save->save());
                EXPECT_FALSE(save->changed());
            }
            if (!layers.empty()) {
                EXPECT_EQ(read_text(copy).substr(0, 4), read_text(original).substr(0, 4));
            }
            auto again = open_save(copy, options);
            ASSERT_TRUE(again) << to_string(again.error());
            EXPECT_EQ(names(*again), layers);
            EXPECT_EQ(again->get<std::int64_t>("#0 $[\"added by gdvar\"]").value(), 42);
            ASSERT_TRUE(again->erase("#0 $[\"added by gdvar\"]"));
            EXPECT_EQ(packets(*again)[0], engine.packets[0]);
            for (std::size_t i = 1; i < again->items().size(); ++i)
                EXPECT_EQ(packets(*again)[i], engine.packets[i]);
            ASSERT_TRUE(again->save());
            // Encryption of Godot 4 begins with a fresh IV; all other layers give the same bytes
            // again.
            const Bytes before = read_bytes(original), after = read_bytes(copy);
            if (layers == std::vector<std::string>{"gdec-4"}) {
                EXPECT_NE(Bytes(after.begin() + 28, after.begin() + 44),
                          Bytes(before.begin() + 28, before.begin() + 44));
            } else if (layers.empty() || layers[0] == "gcpf-deflate" || layers[0] == "gcpf-gzip" ||
                       layers[0] == "gdec-3" || layers[0] == "base64") {
                EXPECT_EQ(after, before);
            }
        }
    EXPECT_EQ(seen, 4 * 9);
}

TEST_F(SaveFiles, WhatIsNotChangedIsNotWritten) {
    for (const Engine& engine : engines())
        for (const fs::path& original : engine.saves()) {
            const std::string copy = put("copy", read_bytes(original));
            const FileStamp before = file_stamp(copy).value();
            auto save = open_save(copy, {.key = engine.key_of(original)});
            ASSERT_TRUE(save);
            const Variant same = save->get("#0 $").value();
            ASSERT_TRUE(save->set("#0 $", same, {.type = same.type()}));
            EXPECT_FALSE(save->changed()) << original;
            ASSERT_TRUE(save->save(at("backup")));
            EXPECT_EQ(file_stamp(copy).value(), before);
            EXPECT_FALSE(fs::exists(at("backup")));
        }
}

TEST_F(SaveFiles, LayersInEachOther) {
    const PackedByteArray packet = encode(Dictionary{{"hp", 7}}).value();
    const ContainerKey key = key_from_password("x").value();
    const char* stacks[][3] = {{"gdec-4", "gcpf-zstd", nullptr},
                               {"gcpf-fastlz", "gdec-3", "gcpf-gzip"},
                               {"base64", "gcpf-deflate", nullptr},
                               {"hex", "gdec-4", "gcpf-zstd"}};
    for (const auto& stack : stacks) {
        std::vector<Layer> layers;
        for (const char* name : stack)
            if (name)
                layers.push_back(find_layer(name).value());
        Bytes wrapped;
        MemoryTarget to(wrapped);
        MemorySource from(as_bytes(packet));
        ASSERT_TRUE(write_layers(from, to, layers, &key));
        const std::string path = put("stacked", wrapped);
        auto save = open_save(path, {.key = key});
        ASSERT_TRUE(save) << to_string(save.error());
        ASSERT_TRUE(save->set("$.hp", Variant(8)));
        ASSERT_TRUE(save->save());
        auto again = open_save(path, {.key = key});
        ASSERT_TRUE(again);
        EXPECT_EQ(names(*again), names(*save));
        EXPECT_EQ(again->get<int>("$.hp").value(), 8);
    }
    EXPECT_FALSE(find_layer("gcpf-brotli"));
    EXPECT_FALSE(find_layer("rot13"));
    EXPECT_EQ(open_save(at("stacked")).error().code, Errc::bad_key);
    EXPECT_EQ(to_string(open_save(at("nothing")).error()), "error[io]: No such file or directory");
    const PackedByteArray small = encode(Dictionary{{"hp", 1}}).value();
    SaveFile one = read_save(as_bytes(small)).value();
    EXPECT_EQ(to_string(one.get("#7 $").error()),
              "error[index_out_of_range]: no element 7: there are 1");
    EXPECT_EQ(to_string(one.get("$.hpp").error()), "error[missing_key]: no key \"hpp\"");
    EXPECT_EQ(to_string(one.set("$.hpp", 1).error()), "error[missing_key]: no key \"hpp\"");
}

// Keys are tried in turn, for each layer by itself; the save comes back with those that fitted.
TEST_F(SaveFiles, TriesKeys) {
    const auto named = [](const char* name, const char* password) {
        return NamedKey{name, key_from_password(password).value()};
    };
    const PackedByteArray packet = encode(Dictionary{{"hp", 7}}).value();
    std::vector<Layer> layers{find_layer("gdec-3").value(), find_layer("gcpf-zstd").value(),
                              find_layer("gdec-4").value()};
    layers[0].opened_with = named("outer", "one");
    layers[2].opened_with = named("inner", "two");
    EXPECT_FALSE(needs_key(layers));
    Bytes wrapped;
    MemoryTarget to(wrapped);
    MemorySource from(as_bytes(packet));
    ASSERT_TRUE(write_layers(from, to, layers, nullptr));
    const std::string path = put("two_keys", wrapped);
    const std::vector<NamedKey> keys{named("wrong", "three"), named("b", "two"), named("a", "one")};
    auto save = open_save(path, {.keys = keys});
    ASSERT_TRUE(save) << to_string(save.error());
    ASSERT_EQ(save->layers().size(), 3u);
    EXPECT_EQ(save->layers()[0].opened_with->name, "a");
    EXPECT_FALSE(save->layers()[1].opened_with);
    EXPECT_EQ(save->layers()[2].opened_with->name, "b");
    ASSERT_TRUE(save->set("$.hp", Variant(8)));
    ASSERT_TRUE(save->save());
    EXPECT_EQ(open_save(path, {.keys = keys})->get<int>("$.hp").value(), 8);
    // One of the two layers stays closed. A key of its own is the only one that is tried.
    const auto missing = open_save(path, {.keys = {keys[0], keys[2]}});
    EXPECT_EQ(to_string(missing.error()),
              "error[bad_checksum]: none of the keys fits, or the file is damaged");
    EXPECT_EQ(open_save(path, {.key = keys[0].key, .keys = keys}).error().code, Errc::bad_checksum);
    EXPECT_EQ(open_save(path).error().code, Errc::bad_key);
    layers[0].opened_with.reset();
    EXPECT_TRUE(needs_key(layers));
    EXPECT_EQ(write_layers(from, to, layers, nullptr).error().code, Errc::bad_key);
}

// Any bytes: refused, or opened, changed and written without harm. The result is read again.
TEST_F(SaveFiles, DamagedBytesInMemory) {
    std::uint32_t random = 7;
    const auto next = [&] { return random = random * 1664525u + 1013904223u; };
    int opened = 0, changed = 0;
    for (const Engine& engine : engines())
        for (const fs::path& original : engine.saves()) {
            Bytes bytes = read_bytes(original);
            const SaveOptions options{.key = engine.key_of(original)};
            auto whole = read_save(bytes, options);
            ASSERT_TRUE(whole);
            EXPECT_TRUE(whole->save()) << "nothing to save";
            for (int round = 0; round < 30; ++round) {
                Bytes damaged = bytes;
                for (int i = 0; i < 1 + round % 3; ++i)
                    damaged[(next() >> 8) % damaged.size()] = static_cast<std::byte>(next() >> 24);
                if (round % 5 == 0)
                    damaged.resize((next() >> 8) % damaged.size());
                auto save = read_save(damaged, options);
                if (!save)
                    continue;
                ++opened;
                if (!save->set("#0 $[\"new\"]", Variant(1), {.create = true}))
                    continue;
                ++changed;
                EXPECT_EQ(save->get<int>("#0 $[\"new\"]").value(), 1);
                auto written = save->bytes();
                if (!written)
                    continue;
                auto again = read_save(
                    *written,
                    {.key = options.key, .dialect = &save->dialect(), .as = save->kind().seen_as});
                ASSERT_TRUE(again) << to_string(again.error());
                EXPECT_EQ(packets(*again), packets(*save));
            }
        }
    EXPECT_GT(opened, 100);
    EXPECT_GT(changed, 50);
}

TEST_F(SaveFiles, WhatWasReadFromMemoryHasNoFile) {
    auto save = read_save(read_bytes(data_dir() / "saves/godot-4.6.3/gcpf_gzip.save"));
    ASSERT_TRUE(save);
    ASSERT_TRUE(save->set("#0 $[\"new\"]", Variant(1), {.create = true}));
    EXPECT_EQ(save->save().error().system, EBADF);
    EXPECT_EQ(read_save(save->bytes().value())->get<int>("#0 $[\"new\"]").value(), 1);
}

// ---- records

// Records are inserted, replaced and removed in each save of each engine, in each container. All
// other records keep their bytes, and what is taken back leaves the engine's file.
TEST_F(SaveFiles, RecordsAreEditedLikeAList) {
    int seen = 0;
    for (const Engine& engine : engines())
        for (const fs::path& original : engine.saves()) {
            SCOPED_TRACE(original);
            const std::string copy = put("copy", read_bytes(original));
            const SaveOptions options{.key = engine.key_of(original)};
            auto save = open_save(copy, options);
            ASSERT_TRUE(save) << to_string(save.error());
            if (!save->kind().several)
                continue;
            ++seen;
            const auto packet = encode(Array{1, "two"}, {.dialect = &save->dialect()}).value();
            const Bytes ours(as_bytes(packet).begin(), as_bytes(packet).end());
            const auto layers = names(*save);
            std::vector<Bytes> expected = packets(*save);
            const std::vector<Bytes> before = expected;
            const auto size = static_cast<std::int64_t>(expected.size());
            const auto insert = [&](std::int64_t number, std::ptrdiff_t there) {
                ASSERT_TRUE(save->insert_item(number, ours));
                expected.insert(expected.begin() + there, ours);
            };
            insert(0, 0);
            insert(size + 1, size + 1);
            insert(-1, size + 1);
            insert(2, 2);
            EXPECT_EQ(packets(*save), expected);
            EXPECT_EQ(save->get<std::string>("#-1 $[1]").value(), "two");
            EXPECT_TRUE(save->changed());
            ASSERT_TRUE(save->save(at("backup")));
            EXPECT_EQ(read_bytes(at("backup")), read_bytes(original));
            *save = open_save(copy, options).value();
            EXPECT_EQ(packets(*save), expected);
            EXPECT_EQ(names(*save), layers);
            ASSERT_TRUE(save->replace_item(0, expected[1]));
            ASSERT_TRUE(save->remove_item(1));
            EXPECT_EQ(packets(*save)[0], before[0]);
            for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{-1}, std::int64_t{1}})
                ASSERT_TRUE(save->remove_item(number));
            EXPECT_EQ(packets(*save), before);
            EXPECT_EQ(save->kind().write(save->items(), save->dialect()).value().size(), [&] {
                std::size_t bytes = 0;
                for (const Bytes& record : before)
                    bytes += 4 + record.size();
                return bytes;
            }());
            ASSERT_TRUE(save->save());
            EXPECT_EQ(packets(*open_save(copy, options)), before);
            if (layers.empty()) {
                EXPECT_EQ(read_bytes(copy), read_bytes(original));
            }
        }
    EXPECT_EQ(seen, 4 * 8) << "all but those in Base64, which are one packet";
}

TEST_F(SaveFiles, RecordsThatMayNotComeOrGo) {
    const auto packet = encode(Array{1}).value();
    std::vector<std::byte> bytes;
    MemoryTarget target(bytes);
    gdvar::RecordWriter writer(target);
    ASSERT_TRUE(writer.store_packet(as_bytes(packet)));
    bytes.push_back(std::byte{'\n'});
    auto save = read_save(bytes, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(save) << to_string(save.error());
    const ByteView one = as_bytes(packet);
    for (const std::int64_t number : {std::int64_t{2}, std::int64_t{-2}, INT64_MIN, INT64_MAX}) {
        EXPECT_EQ(save->insert_item(number, one).error().code, Errc::index_out_of_range);
        EXPECT_EQ(save->replace_item(number, one).error().code, Errc::index_out_of_range);
        EXPECT_EQ(save->remove_item(number).error().code, Errc::index_out_of_range);
    }
    EXPECT_EQ(save->remove_item(0).error().code, Errc::misplaced) << "it is the only one";
    EXPECT_EQ(save->insert_item(0, one.first(one.size() - 4)).error().code, Errc::truncated);
    EXPECT_EQ(save->replace_item(0, from_hex("0200000001").value()).error().code, Errc::truncated);
    EXPECT_EQ(save->insert_item(0, from_hex("020000000100000000000000").value()).error().code,
              Errc::trailing_bytes);
    Object node("Node");
    const auto object = encode(Variant(node), {.allow_objects = true}).value();
    EXPECT_EQ(save->insert_item(0, as_bytes(object)).error().code, Errc::objects_forbidden);
    EXPECT_FALSE(save->changed());
    EXPECT_EQ(save->bytes().value(), bytes);
    ASSERT_TRUE(save->replace_item(0, one));
    EXPECT_FALSE(save->changed()) << "the same bytes";
    // A record of the save itself; what follows the last record stays behind it.
    ASSERT_TRUE(save->insert_item(1, save->items()[0].packet));
    std::vector<std::byte> two(bytes.begin(), bytes.end() - 1);
    two.insert(two.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(save->bytes().value(), two);

    auto packet_save = read_save(one, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(packet_save);
    EXPECT_EQ(packet_save->insert_item(0, one).error().code, Errc::misplaced);
    EXPECT_EQ(packet_save->remove_item(0).error().code, Errc::misplaced);
    ASSERT_TRUE(packet_save->replace_item(-1, as_bytes(encode(Array{2}).value())));
    EXPECT_EQ(packet_save->get<int>("$[0]").value(), 2);
}

// ---- settings

Bytes project() {
    const auto name = encode(Variant("Game")).value();
    const auto jump = encode(Dictionary{{"deadzone", 0.5}, {"events", Array{}}}).value();
    const std::string padded("application/run/main_scene\0\0", 28);
    return write_project({{"application/config/name", 0, as_bytes(name)},
                          {padded, 0, as_bytes(name)},
                          {"input/jump $high", 0, as_bytes(jump)},
                          {"input/jump", 0, as_bytes(jump)}})
        .value();
}

TEST_F(SaveFiles, SettingsGoByName) {
    const std::string path = put("project.binary", project());
    auto save = open_save(path);
    ASSERT_TRUE(save) << to_string(save.error());
    EXPECT_EQ(save->kind().seen_as, InputKind::project);
    EXPECT_EQ(save->get<std::string>("application/config/name").value(), "Game");
    EXPECT_EQ(save->get<std::string>("application/run/main_scene $").value(), "Game");
    EXPECT_EQ(save->get<double>("input/jump $.deadzone").value(), 0.5);
    EXPECT_EQ(save->get<double>("$[\"input/jump $high\"].deadzone").value(), 0.5);
    EXPECT_EQ(save->get<std::string>("#1").value(), "Game");
    EXPECT_EQ(save->get("no/such").error().code, Errc::missing_key);
    EXPECT_EQ(save->get("$").error().code, Errc::bad_path);
    ASSERT_TRUE(save->set("input/jump $.deadzone", Variant(0.25)));
    ASSERT_TRUE(save->set("my/own setting", Variant(Array{1, 2}), {.create = true}));
    ASSERT_TRUE(save->erase("application/config/name"));
    ASSERT_TRUE(save->save());
    const Bytes written = read_bytes(path);
    const auto entries = read_project(written).value();
    ASSERT_EQ(entries.size(), 4u);
    EXPECT_EQ(entries[0].key, std::string_view("application/run/main_scene\0\0", 28))
        << "as it stood";
    EXPECT_EQ(entries[3].key, "my/own setting");
    auto again = open_save(path);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->get<double>("input/jump $.deadzone").value(), 0.25);
    EXPECT_EQ(again->get<int>("my/own setting $[1]").value(), 2);
    // By number: a setting keeps its name, goes, and does not come.
    const auto other = encode(Variant("Other")).value();
    ASSERT_TRUE(again->replace_item(0, as_bytes(other)));
    EXPECT_EQ(again->get<std::string>("application/run/main_scene $").value(), "Other");
    ASSERT_TRUE(again->remove_item(-1));
    EXPECT_EQ(again->get("my/own setting").error().code, Errc::missing_key);
    EXPECT_EQ(again->insert_item(0, as_bytes(other)).error().code, Errc::misplaced);
}

TEST_F(SaveFiles, MistakesNeedAWord) {
    const Variant value =
        Dictionary{{"hp", 7}, {"speed", 1.5}, {"id", StringName("x")}, {"list", Array{1}}};
    const Bytes before = [&] {
        const auto packet = encode(value).value();
        const ByteView bytes = as_bytes(packet);
        return Bytes(bytes.begin(), bytes.end());
    }();
    auto save = read_save(before, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(save) << to_string(save.error());
    EXPECT_EQ(save->set("$.hpp", Variant(8)).error().code, Errc::missing_key);
    EXPECT_EQ(save->set("$.hp", Variant("8")).error().code, Errc::wrong_type);
    EXPECT_EQ(save->set("$.hp", Variant(8.5)).error().code, Errc::wrong_type);
    EXPECT_EQ(save->set("$.list[1]", Variant(2)).error().code, Errc::index_out_of_range);
    EXPECT_EQ(save->set("$", Variant(2)).error().code, Errc::wrong_type);
    EXPECT_FALSE(save->changed());
    EXPECT_EQ(save->bytes().value(), before);
    // A few bytes behind the last record stay.
    for (const std::string_view behind : {"\n", "\r\n", "1234567"}) {
        std::vector<std::byte> bytes;
        MemoryTarget target(bytes);
        gdvar::RecordWriter writer(target);
        ASSERT_TRUE(writer.store_packet(before));
        for (const char c : behind)
            bytes.push_back(static_cast<std::byte>(c));
        auto edited = read_save(bytes, {.as = InputKind::records});
        ASSERT_TRUE(edited) << to_string(edited.error());
        EXPECT_EQ(edited->bytes().value(), bytes);
        EXPECT_FALSE(read_save(bytes, {.as = InputKind::records, .strict = true}));
        bytes.insert(bytes.end(), 8 - behind.size(), std::byte{0x31});
        EXPECT_FALSE(read_save(bytes, {.as = InputKind::records}));
    }
    // The planned value is the one that will be stored.
    auto point = read_save([] {
        const auto packet = encode(Dictionary{{"v", Vector2{1, 2}}, {"p", PackedFloat32Array{1}}});
        const ByteView all = as_bytes(*packet);
        return std::vector<std::byte>(all.begin(), all.end());
    }());
    ASSERT_TRUE(point);
    for (const char* path : {"$.v.x", "$.p[0]", "$.p[+]"}) {
        const auto rounded = point->plan(path, Variant(16777217));
        ASSERT_TRUE(rounded);
        EXPECT_EQ(rounded->value, Variant(16777216.0)) << path;
        EXPECT_EQ(rounded->asked, Variant(16777217.0)) << path;
        const auto near = point->plan(path, Variant(0.1));
        ASSERT_TRUE(near);
        EXPECT_EQ(near->value, Variant(static_cast<double>(0.1f))) << path;
        EXPECT_FALSE(near->asked) << path;
    }
    const auto refused = save->plan("$.hpp", Variant(8));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().needs, inspect::SetNeeds::create);
    EXPECT_EQ(refused.error().what, "no .hpp (did you mean .hp?)");
    // A value that fits takes the old type; a word lets the others pass.
    ASSERT_TRUE(save->set("$.speed", Variant(2)));
    EXPECT_EQ(save->get("$.speed").value(), Variant(2.0));
    ASSERT_TRUE(save->set("$.id", Variant("y")));
    EXPECT_EQ(save->get("$.id").value().type(), Type::string_name);
    ASSERT_TRUE(save->set("$.list[+]", Variant(2)));
    ASSERT_TRUE(save->set("$.mana", Variant(8), {.create = true}));
    ASSERT_TRUE(save->set("$.hp", Variant("8"), {.type = Type::string}));
    EXPECT_EQ(save->get<std::string>("$.hp").value(), "8");

    auto settings = read_save(project());
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->set("application/config/nam", Variant("x")).error().code,
              Errc::missing_key);
    EXPECT_EQ(settings->plan("application/config/nam", Variant("x")).error().needs,
              inspect::SetNeeds::create);
    EXPECT_EQ(settings->set("application/config/name", Variant(1)).error().code, Errc::wrong_type);
    EXPECT_TRUE(settings->set("application/config/name", Variant("x")))
        << "a setting is a value like any other";
}

// Law 10: what is put in decodes strictly; what was there before stays editable.
TEST_F(SaveFiles, NothingIsMadeWorse) {
    // {"a": 7 in 64 bits, 1: 1, 1: 2}
    const Bytes odd = from_hex(
                          "1b00000003000000"
                          "040000000100000061000000"
                          "02000100"
                          "0700000000000000"
                          "0200000001000000"
                          "0200000001000000"
                          "0200000001000000"
                          "0200000002000000")
                          .value();
    auto save = read_save(odd, {.dialect = &dialects::godot_4_4, .allow_objects = true});
    ASSERT_TRUE(save) << to_string(save.error());
    ASSERT_TRUE(save->set("$[1]", Variant(3))) << "what was not strict before can be changed";
    ASSERT_TRUE(save->set("$.b", Variant(3), {.create = true}));
    Dictionary twice;
    twice.append("x", 1);
    twice.append(StringName("x"), 2);
    const Bytes before = save->bytes().value();
    EXPECT_EQ(save->set("$.c", Variant(twice), {.create = true}).error().code, Errc::duplicate_key);
    EXPECT_EQ(save->set("$.a", Variant(twice), {.type = Type::dictionary}).error().code,
              Errc::duplicate_key);
    Object node("Node");
    node.append("script", 1);
    EXPECT_EQ(save->set("$.c", Variant(node), {.create = true}).error().code, Errc::bad_script);
    EXPECT_EQ(save->bytes().value(), before);
}

TEST_F(SaveFiles, RealSavesComeBackByteForByte) {
    const auto folder = shared_dir("real");
    if (!folder)
        GTEST_SKIP() << "no folder of real saves";
    int settings = 0;
    for (const auto& entry : fs::directory_iterator(*folder)) {
        const auto extension = entry.path().extension();
        if (extension == ".json" || extension == ".md")
            continue;
        SCOPED_TRACE(entry.path().filename());
        const Bytes original = read_bytes(entry.path());
        const std::string copy = put("copy", original);
        auto save = open_save(copy, {.allow_objects = true});
        ASSERT_TRUE(save) << to_string(save.error());
        EXPECT_EQ(save->kind().write(save->items(), save->dialect()).value(), original);
        if (!save->kind().named)
            continue;
        ++settings;
        ASSERT_TRUE(save->set("gdvar/test", Variant(1), {.create = true}));
        ASSERT_TRUE(save->save());
        ASSERT_TRUE(save->erase("gdvar/test"));
        ASSERT_TRUE(save->save());
        EXPECT_EQ(read_bytes(copy), original);
    }
    EXPECT_GT(settings, 0);
}

// ---- who else is there

TEST_F(SaveFiles, OthersWait) {
    const std::string path = put("a", as_bytes(encode(Dictionary{{"n", 0}}).value()));
    using std::chrono::milliseconds;
    {
        auto first = open_save(path, {.lock = true});
        ASSERT_TRUE(first);
        auto second = open_save(path, {.lock = true, .lock_wait = milliseconds(10)});
        EXPECT_EQ(second.error().system, EAGAIN);
        auto reader = open_save(path, {.lock_wait = milliseconds(10)});
        ASSERT_TRUE(reader) << "who only reads need not wait";
        ASSERT_TRUE(first->set("$.n", Variant(1)));
        ASSERT_TRUE(first->save());
        ASSERT_TRUE(reader->set("$.n", Variant(2)));
        EXPECT_EQ(reader->save().error().system, platform::changed_meanwhile);
        ASSERT_TRUE(first->set("$.n", Variant(3)));
        EXPECT_TRUE(first->save(at("backup"))) << "again";
    }
    EXPECT_EQ(open_save(path)->get<int>("$.n").value(), 3);
    EXPECT_EQ(open_save(at("backup"))->get<int>("$.n").value(), 1);
}

// Reading locks nothing; whoever changes the file first has it until it is saved.
TEST_F(SaveFiles, TheFirstChangeLocks) {
    const std::string path = put("a", as_bytes(encode(Dictionary{{"n", 0}}).value()));
    const SaveOptions brief{.lock_wait = std::chrono::milliseconds(10)};
    auto first = open_save(path, brief);
    auto second = open_save(path, brief);
    auto reader = open_save(path, brief);
    ASSERT_TRUE(first && second && reader);
    EXPECT_TRUE(EditLock::take(path, brief.lock_wait)) << "nobody holds it";
    EXPECT_EQ(first->set("$.m", Variant(1)).error().code, Errc::missing_key);
    EXPECT_TRUE(EditLock::take(path, brief.lock_wait)) << "nothing has changed";
    ASSERT_TRUE(first->set("$.n", Variant(1)));
    EXPECT_EQ(EditLock::take(path, brief.lock_wait).error().system, EAGAIN);
    ASSERT_TRUE(second->set("$.n", Variant(2)));
    EXPECT_EQ(second->save().error().system, EAGAIN) << "the first one was first";
    ASSERT_TRUE(first->save());
    EXPECT_EQ(second->save().error().system, platform::changed_meanwhile) << "nothing is lost";
    EXPECT_EQ(reader->get<int>("$.n").value(), 0);
    // A value that is as it was again is no change, and locks no longer.
    ASSERT_TRUE(first->set("$.n", Variant(5)));
    ASSERT_TRUE(first->set("$.n", Variant(1)));
    ASSERT_TRUE(first->save());
    EXPECT_TRUE(EditLock::take(path, brief.lock_wait));
    EXPECT_EQ(open_save(path)->get<int>("$.n").value(), 1);
}

// ---- several values

using Found = std::vector<std::string>;
Found found(SaveFile& save, std::string_view path) {
    Found out;
    const auto count = save.find_each(path, [&](const SaveMatch& match) {
        EXPECT_LT(match.index, save.items().size());
        const auto alone = save.find(match.path);
        EXPECT_TRUE(alone) << match.path;
        EXPECT_TRUE(alone && std::ranges::equal(alone->raw(), match.value.raw()));
        out.emplace_back(match.path);
        return true;
    });
    EXPECT_EQ(count ? *count : SIZE_MAX, count ? out.size() : SIZE_MAX);
    return count ? out : Found{to_string(count.error())};
}

SaveFile records_of(std::initializer_list<Variant> values) {
    Bytes bytes;
    MemoryTarget target(bytes);
    gdvar::RecordWriter writer(target);
    for (const Variant& value : values)
        EXPECT_TRUE(writer.store_packet(as_bytes(encode(value).value())));
    return read_save(bytes, {.dialect = &dialects::godot_4_4}).value();
}

TEST(SeveralValues, AreFoundAcrossRecords) {
    SaveFile save = records_of({Dictionary{{"hp", 1}}, 7, Array{Dictionary{{"hp", 2}}, 3}});
    EXPECT_EQ(found(save, "$..hp"), (Found{"#0 $.hp", "#2 $[0].hp"}));
    EXPECT_EQ(found(save, "#* $..hp"), found(save, "$..hp"));
    EXPECT_EQ(found(save, "#-1 $[*]"), (Found{"#2 $[0]", "#2 $[1]"}));
    EXPECT_EQ(found(save, "#1"), Found{"#1 $"});
    EXPECT_EQ(found(save, "$.mp"), Found{"error[missing_key]: no key \"mp\""});
    EXPECT_EQ(found(save, "#9 $"), Found{"error[index_out_of_range]: no element 9: there are 3"});
    EXPECT_TRUE(found(save, "$[")[0].starts_with("error[bad_path]"));
    EXPECT_EQ(found(save, "#0 $[*][*]"), Found{});
    std::size_t seen = 0;
    EXPECT_EQ(save.find_each("$..hp", [&](const SaveMatch&) { return ++seen > 9; }), 1u);
    EXPECT_EQ(seen, 1u);
    SaveFile sections = read_save(as_bytes("[a]\n\nx=1\ny=[1, 2]\n")).value();
    EXPECT_EQ(found(sections, "$.a[*]"), (Found{"$.a.x", "$.a.y"}));
}

TEST(SeveralValues, AreSetAtOnceOrNotAtAll) {
    SaveFile save = records_of({Array{Dictionary{{"hp", 1}}, Dictionary{{"hp", 2.5}}}, 7,
                                Array{Dictionary{{"hp", 3}}, Dictionary{{"hp", "x"}}}});
    const Bytes before = save.bytes().value();
    const auto bad = save.set_all("#* $[*].hp", 9);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().at, "#2 $[1].hp");
    EXPECT_EQ(bad.error().needs, inspect::SetNeeds::type);
    EXPECT_EQ(bad.error().what, "this is a String, the value is an int");
    EXPECT_FALSE(save.changed());
    EXPECT_EQ(save.bytes().value(), before);
    EXPECT_EQ(save.set_all("$[*].hp", 9).error().error.code, Errc::missing_key) << "which record?";
    const auto done = save.set_all("#0 $[*].hp", 9);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->changed, 2u);
    EXPECT_EQ(save.get<double>("#0 $[1].hp").value(), 9.0) << "in the type of the old one";
    EXPECT_EQ(save.set_all("#* $[*].hp", 4, {.type = Type::integer})->changed, 4u);
    EXPECT_EQ(save.get<int>("#2 $[1].hp").value(), 4);
    EXPECT_EQ(save.set_all("#* $[*].mp", 1)->changed, 0u);
    EXPECT_EQ(save.set_all("#0 $[5:]", 1)->changed, 0u) << "none is no error";
    EXPECT_EQ(save.set_all("#0 $[0].hp", Variant(Object("Node")), {.type = Type::object})
                  .error()
                  .error.code,
              Errc::objects_forbidden);
    EXPECT_EQ(save.get<int>("#0 $[0].hp").value(), 4);
}

TEST(SeveralValues, AreErasedAtOnceOrNotAtAll) {
    SaveFile save = records_of({Dictionary{{"a", Array{1, 2, 3}}}, Array{1, 2}, 7});
    EXPECT_EQ(save.erase_all("#* $[*]")->changed, 3u);
    EXPECT_EQ(save.get("#1 $").value(), Variant(Array{}));
    EXPECT_EQ(save.erase_all("#2 $").error().error.code, Errc::misplaced);
    EXPECT_EQ(save.erase_all("#* $").error().at, "#0 $");
    EXPECT_EQ(save.items().size(), 3u);
    SaveFile json = read_save(as_bytes("{\"a\": [1, 22, 3], \"b\": 4}\n")).value();
    EXPECT_EQ(json.erase_all("$.a[::2]")->changed, 2u);
    EXPECT_EQ(json.set_all("$.a[*]", "x", {.type = Type::string})->changed, 1u);
    EXPECT_EQ(detail::as_text(json.bytes().value().data(), json.bytes().value().size()),
              "{\"a\": [\"x\"], \"b\": 4}\n");
    EXPECT_EQ(
        json.set_all("$.a[*]", Variant(Vector2(1, 2)), {.type = Type::vector2}).error().error.code,
        Errc::not_in_dialect)
        << "JSON has no vectors";
}

TEST_F(SaveFiles, WhatIsNoSave) {
    if (make_fifo(at("fifo"))) {
        EXPECT_EQ(open_save(at("fifo")).error().system, ENOTSUP);
    }
    EXPECT_EQ(open_save(a_device).error().system, ENOTSUP);
    EXPECT_EQ(open_save(at("none")).error().system, ENOENT);
    const auto why = [&](const std::string& bytes, SaveOptions options = {}) {
        auto save = open_save(put("no save", as_bytes(bytes)), std::move(options));
        return save ? std::string("opened") : to_string(save.error());
    };
    EXPECT_EQ(why("!! no save !!"), "error[not_recognised]: this is text");
    EXPECT_EQ(why(""), "error[not_recognised]: the input is empty");
    EXPECT_EQ(why("head", {.skip = 4}), "error[not_recognised]: the input is empty");
    EXPECT_EQ(why("\"hp\""), "error[not_recognised]: this is text, as of JSON or of var_to_str");
    // A text that begins as a document is refused for what is wrong in it.
    EXPECT_EQ(why("[a]\nx=1\ny=oops(\n"),
              "3:3: error[unknown_constructor]: no type or constructor has this name");
    EXPECT_EQ(why("[a]\nx=1\ny=oops(\n", {.as = InputKind::config}),
              "3:3: error[unknown_constructor]: no type or constructor has this name");
    EXPECT_EQ(why("??[a]\nx=1\ny=oops(\n", {.skip = 2}),
              "3:3: error[unknown_constructor]: no type or constructor has this name");
    EXPECT_EQ(why("{\"a\": 1,\n \"b\": }"), "2:7: error[bad_syntax]: expected a value");
    EXPECT_EQ(why("\x1f\x8b\x08 and so on"), "error[bad_block]: A compressed block is damaged");
    EXPECT_EQ(
        why(std::string(40, '\xEE')),
        "error[not_recognised]: neither records, nor a packet of a known dialect, nor text of "
        "one");
    const PackedByteArray made = *encode(std::string(40, 'x'));
    const std::string packet(detail::as_text(as_bytes(made).data(), made.size()));
    const auto headed = read_save(as_bytes("SAVE\xFF\xFF\xFF\xFF" + packet));
    ASSERT_FALSE(headed);
    EXPECT_TRUE(to_string(headed.error()).contains("follow a header")) << to_string(headed.error());
    EXPECT_EQ(headed.error().error.offset, 8u);
    EXPECT_TRUE(read_save(as_bytes("SAVE\xFF\xFF\xFF\xFF" + packet), {.skip = 8}));
    EXPECT_EQ(why("{}", {.as = InputKind::foreign}),
              "error[not_recognised]: SaveOptions::as is no kind of document");
    EXPECT_EQ(why("{}", {.as = InputKind::gcpf}),
              "error[bad_magic]: The bytes do not begin with the container's magic");
    const Engine engine(data_dir() / "saves" / "godot-4.6.3");
    EXPECT_EQ(open_save(text_of(engine.folder / "gcpf_zstd.save"), {.max_bytes = 100}).error().code,
              Errc::size_limit);
    EXPECT_EQ(to_string(open_save(text_of(engine.folder / "gdec_pass.save")).error()),
              "error[bad_key]: it is encrypted (GDEC), and no key was given");
    EXPECT_EQ(to_string(key_from_bytes(as_bytes("short")).error()),
              "error[bad_key]: a key is 32 bytes, or 64 hex digits");
}

/// An item with bytes of its own, as an undo keeps it.
struct HeldItem {
    SaveItem item;
    std::string key;
    Bytes packet;
    explicit HeldItem(const SaveItem& of)
        : item(of), key(of.key), packet(of.packet.begin(), of.packet.end()) {
        item.key = key;
        item.packet = packet;
    }
    HeldItem(const HeldItem&) = delete;
};

TEST_F(SaveFiles, KeysAreRenamed) {
    auto save = open_save(text_of(data_dir() / "saves/godot-4.6.3/plain.save"));
    ASSERT_TRUE(save);
    const Bytes before = save->bytes().value();
    EXPECT_EQ(save->rename("#0 $.players[0].hp", "name").error().code, Errc::repeated_key);
    EXPECT_EQ(save->rename("#0 $", "x").error().code, Errc::misplaced);
    EXPECT_EQ(save->rename("$.x", "y").error().code, Errc::missing_key);
    EXPECT_EQ(save->rename("#0 $.players[0].hp", Variant(Object("Node"))).error().code,
              Errc::objects_forbidden);
    EXPECT_FALSE(save->changed());
    ASSERT_TRUE(save->rename("#0 $.players[0].hp", "health"));
    EXPECT_TRUE(save->find("#0 $.players[0].health"));
    ASSERT_TRUE(save->rename("#0 $.players[0].health", "hp"));
    EXPECT_EQ(save->bytes().value(), before);
}

TEST_F(SaveFiles, ItemsComeBackAsTheyWere) {
    const auto wide = from_hex("020000000100000000000000").value();  // an int and 4 more bytes
    const auto packet = encode(Array{1}).value();
    Bytes bytes;
    MemoryTarget target(bytes);
    gdvar::RecordWriter writer(target);
    for (const ByteView record : {as_bytes(packet), ByteView(wide), as_bytes(packet)})
        ASSERT_TRUE(writer.store_packet(record));
    auto save = read_save(bytes, {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(save) << to_string(save.error());
    const HeldItem quirky(save->items()[1]);
    ASSERT_EQ(save->replace_item(0, quirky.packet).error().code, Errc::trailing_bytes);

    ASSERT_TRUE(save->remove_item(1));
    ASSERT_TRUE(save->restore_items(1, 0, {&quirky.item, 1}));
    EXPECT_EQ(save->bytes().value(), bytes);
    ASSERT_TRUE(save->replace_item(1, as_bytes(packet)));
    EXPECT_EQ(save->get<int>("#1 $[0]").value(), 1);
    ASSERT_TRUE(save->restore_items(1, 1, {&quirky.item, 1}));
    EXPECT_EQ(save->bytes().value(), bytes);
    EXPECT_EQ(save->get<int>("#1 $").value(), 1) << "nothing of the other packet is remembered";
    const std::vector<SaveItem> own = {save->items()[2], save->items()[1]};  // what it holds itself
    ASSERT_TRUE(save->restore_items(1, 2, own));
    EXPECT_EQ(packets(*save)[2], quirky.packet);
    EXPECT_EQ(save->restore_items(3, 1, {}).error().code, Errc::index_out_of_range);
    EXPECT_EQ(save->restore_items(4, 0, {}).error().code, Errc::index_out_of_range);
    EXPECT_EQ(save->restore_items(1, SIZE_MAX, {}).error().code, Errc::index_out_of_range);

    auto one = read_save(as_bytes(packet), {.dialect = &dialects::godot_4_4});
    ASSERT_TRUE(one);
    EXPECT_EQ(one->restore_items(0, 1, {}).error().code, Errc::misplaced);
}

TEST_F(SaveFiles, ASettingComesBackToItsPlace) {
    const auto value = encode(Variant(1)).value();
    const std::vector<ProjectEntry> entries = {{std::string_view("a\0", 2), 0, as_bytes(value)},
                                               {"b", 0, as_bytes(value)}};
    const Bytes bytes = write_project(entries).value();
    auto save = read_save(bytes);
    ASSERT_TRUE(save) << to_string(save.error());
    const HeldItem first(save->items()[0]);
    ASSERT_TRUE(save->erase("a"));
    EXPECT_NE(save->bytes().value(), bytes);
    ASSERT_TRUE(save->restore_items(0, 0, {&first.item, 1}));
    EXPECT_EQ(save->bytes().value(), bytes);
}

TEST_F(SaveFiles, WhatIsRefusedSaysWhy) {
    auto save = open_save(text_of(data_dir() / "saves/godot-4.6.3/plain.save"));
    ASSERT_TRUE(save);
    const auto why = [](const auto& done) { return to_string(done.error()); };
    const std::string n = std::to_string(save->items().size());
    const std::string several = "error[missing_key]: " + n + " records: name one, #0 to #" +
                                std::to_string(save->items().size() - 1);
    EXPECT_EQ(why(save->get("$")), several);
    EXPECT_EQ(why(save->set("$.x", 1)), several);
    EXPECT_EQ("error[missing_key]: " + save->plan("$.x", 1).error().what, several);
    EXPECT_EQ(save->get("#9 $").error().code, Errc::index_out_of_range);
    EXPECT_EQ(save->erase("#0 $").error().code, Errc::misplaced);
    EXPECT_EQ(why(save->erase("#0 $")), "error[misplaced]: the whole value can't be erased");
    EXPECT_EQ(why(save->erase("#0 $.players[0].pos.x")),
              "error[misplaced]: a part can't be erased by itself (Vector3)");
    EXPECT_EQ(why(save->set("#0 $.players[0].pos.x", "x")),
              "error[wrong_type]: expected a float, found a String");
    EXPECT_EQ(why(save->set("#0 $.players[0].hp", "x")),
              "error[wrong_type]: expected an int, found a String");
    EXPECT_EQ(why(save->set("#0 $.players[0].hp", "x", {.type = Type::real})),
              "error[wrong_type]: expected a float, found a String");
    EXPECT_FALSE(save->changed());
}

TEST_F(SaveFiles, BytesBeforeTheSaveStay) {
    Bytes bytes = read_bytes(data_dir() / "saves/godot-4.6.3/gcpf_zstd.save");
    const ByteView head = as_bytes("head");
    bytes.insert(bytes.begin(), head.begin(), head.end());
    const std::string path = put("headed", bytes);
    auto save = open_save(path, {.skip = 4});
    ASSERT_TRUE(save) << to_string(save.error());
    ASSERT_TRUE(save->set("#1 $", Variant(7), {.type = Type::integer}));
    ASSERT_TRUE(save->save());
    EXPECT_EQ(read_text(path).substr(0, 8), "headGCPF");
    EXPECT_EQ(open_save(path, {.skip = 4})->get<int>("#-2 $").value(), 7);
}

/// Bytes, and what `check` says of them.
struct Unsound {
    const char* name;
    Bytes bytes;
    Errc code;
    std::uint64_t offset;
    const char* path;
    SaveOptions options{};
};

Bytes joined(std::initializer_list<std::string_view> hex) {
    Bytes out;
    for (const std::string_view part : hex) {
        const Bytes bytes = from_hex(part).value();
        out.insert(out.end(), bytes.begin(), bytes.end());
    }
    return out;
}

TEST(SaveCheck, TellsTheFirstThatIsNotSound) {
    const std::string_view number = "020000002a000000", record = "08000000020000002a000000";
    const Unsound all[] = {
        {"one packet", joined({number}), Errc::ok, 0, ""},
        {"records", joined({record, record}), Errc::ok, 0, ""},
        {"behind a packet",
         joined({number, "0102"}),
         Errc::trailing_bytes,
         8,
         "$",
         {.as = InputKind::packet}},
        {"behind a record's value", joined({record, "0c000000", number, "00000000", record}),
         Errc::trailing_bytes, 8, "#1 $"},
        {"behind the last record", joined({record, record, "010203"}), Errc::trailing_bytes, 24,
         ""},
        {"a broken record", joined({record, "08000000ff00000000000000", record}),
         Errc::unknown_type, 0, "#1 $"},
    };
    for (const Unsound& row : all) {
        auto save = read_save(row.bytes, row.options);
        ASSERT_TRUE(save) << row.name << ": " << to_string(save.error());
        const auto sound = save->check();
        EXPECT_EQ(sound ? Errc::ok : sound.error().error.code, row.code) << row.name;
        EXPECT_EQ(save->bytes().value(), row.bytes) << row.name;
        if (sound)
            continue;
        EXPECT_EQ(sound.error().error.offset, row.offset) << row.name;
        EXPECT_EQ(sound.error().path, row.path) << row.name;
        // These would drop what is not sound.
        Losses losses;
        inspect::ConversionReport report{losses};
        const auto converted =
            save->convert(dialects::godot_3_1, inspect::Renames::godot_3_to_4(), report);
        EXPECT_EQ(converted.error().error.code, row.code) << row.name;
        EXPECT_EQ(diff_saves(*save, *save).error().code, row.code) << row.name;
    }
}

TEST(SaveCheck, BytesBehindALayer) {
    Bytes bytes;
    MemoryTarget target(bytes);
    MemorySource inner(as_bytes(std::string_view("{\"a\": [1, 2, 3]}")));
    ASSERT_TRUE(write_layers(inner, target, find_layers("gzip").value(), nullptr));
    EXPECT_TRUE(read_save(bytes)->check());
    bytes.insert(bytes.end(), 3, std::byte{7});
    EXPECT_EQ(read_save(bytes)->check().error().error.code, Errc::trailing_bytes);
}

}  // namespace
}  // namespace gdvar::test
