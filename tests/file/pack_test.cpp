// Packs: those of the engines, made ones, and hostile ones.
#include "gdvar/save/pack.hpp"

#include <gtest/gtest.h>

#include <random>

#include "file/pack_maker.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_file.hpp"
#include "support/allocations.hpp"
#include "support/data.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;
using Packs = TempFolder;

const char* const engines[] = {"godot-3.2.3", "godot-3.6.2", "godot-4.6.3"};

Bytes engine_pack(const std::string& engine, const std::string& name = "pack.pck") {
    return read_bytes(data_dir() / "resources" / engine / name);
}
const ContainerKey& export_key() {
    static const ContainerKey key =
        key_from_bytes(as_bytes(std::string_view(
                           "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")))
            .value();
    return key;
}
std::string text(ByteView bytes) {
    return std::string(detail::as_text(bytes.data(), bytes.size()));
}
/// A file of a pack: its content, or the error.
std::string content(ByteView pack, std::string_view name, const ContainerKey* key = nullptr) {
    MemorySource source(pack);
    SaveOptions how;
    if (key)
        how.key = *key;
    const auto archive = open_archive(source, InputKind::pack, how);
    if (!archive)
        return to_string(archive.error());
    const auto number = (*archive)->find(name);
    if (!number)
        return to_string(number.error());
    auto inside = (*archive)->open(*number);
    if (!inside)
        return to_string(inside.error());
    const auto all = read_all(**inside);
    return all ? text(*all) : to_string(all.error());
}
std::string content(const MadePack& pack, std::string_view name) {
    return content(as_bytes(pack.bytes()), name);
}
std::vector<std::string> names(const Archive& archive) {
    std::vector<std::string> out;
    for (const ArchiveEntry& entry : archive.entries())
        out.push_back(entry.name);
    return out;
}
/// The notes of each file, with commas between them.
std::vector<std::string> notes(const MadePack& pack) {
    const std::string bytes = pack.bytes();
    MemorySource source(as_bytes(bytes));
    std::vector<std::string> out;
    const auto archive = open_archive(source, InputKind::pack).value();
    for (const ArchiveEntry& entry : archive->entries()) {
        std::string all;
        for (const std::string_view note : entry.notes)
            all += (all.empty() ? "" : ", ") + std::string(note);
        out.push_back(all);
    }
    return out;
}

TEST(Pack, OfEachEngine) {
    for (const std::string engine : engines) {
        SCOPED_TRACE(engine);
        const Bytes bytes = engine_pack(engine);
        const bool four = engine == "godot-4.6.3";
        const std::string res = four ? "" : "res://";
        MemorySource source(bytes);
        const auto archive = open_archive(source, InputKind::pack).value();
        EXPECT_EQ(archive->description(), std::string(four ? "format 3" : "format 1") +
                                              " of Godot " + engine.substr(6) +
                                              (four ? ", 6 files" : ", 5 files"));
        std::vector<std::string> all{res + "data.cfg", res + "saves/data.save",
                                     res + "project.binary", res + "things/tree.res",
                                     res + "empty.txt"};
        if (four)
            all.emplace_back("gone.txt");
        EXPECT_EQ(names(*archive), all);
        EXPECT_EQ(archive->entries()[0].md5.has_value(), four);
        EXPECT_EQ(content(bytes, "data.cfg"), "[player]\n\nname=\"Ada\"\nhp=100\n");
        EXPECT_EQ(content(bytes, "res://data.cfg"), content(bytes, "#0"));
        EXPECT_EQ(content(bytes, "empty.txt"), "");
        EXPECT_EQ(content(bytes, "things/tree.res"),
                  text(read_bytes(data_dir() / "resources" / engine / "tree.res")));
        EXPECT_EQ(content(bytes, "none"), "error[missing_key]: no key \"none\"");
        EXPECT_EQ(content(bytes, "#6"), "error[index_out_of_range]: no element 6: there are " +
                                            std::to_string(all.size()));
        EXPECT_EQ(content(bytes, "#"), "error[missing_key]: no key \"#\"");
    }
    EXPECT_EQ(content(engine_pack("godot-4.6.3"), "gone.txt"),
              "error[misplaced]: this pack removes the file, and holds no content");
}

TEST(Pack, EncryptedByTheEngine) {
    const char* const whole = "[player]\n\nname=\"Ada\"\nhp=100\n";
    const Bytes files = engine_pack("godot-4.6.3", "encrypted_files.pck");
    const Bytes directory = engine_pack("godot-4.6.3", "encrypted_directory.pck");
    EXPECT_EQ(content(files, "plain.cfg"), whole);
    EXPECT_EQ(content(files, "data.cfg"),
              "error[bad_key]: the file in the pack is encrypted: it takes the key of the game's "
              "export");
    EXPECT_EQ(content(directory, "data.cfg"),
              "error[bad_key]: the pack's directory is encrypted: its files can be listed only "
              "with the key of the game's export");
    const ContainerKey other = key_from_password("other").value();
    for (const Bytes& pack : {files, directory}) {
        EXPECT_EQ(content(pack, "data.cfg", &export_key()), whole);
        EXPECT_TRUE(content(pack, "data.cfg", &other).starts_with("error[bad_checksum]"));
        const SaveOptions how{.keys = {{"other", other}, {"the export's", export_key()}}};
        MemorySource source(pack);
        const auto archive = open_archive(source, InputKind::pack, how).value();
        const auto inside = archive->open(0).value();
        EXPECT_EQ(text(read_all(*inside).value()), whole);
    }
}

TEST(Pack, OfEachFormat) {
    for (const std::uint32_t format : {0u, 1u, 2u, 3u, 4u})
        for (const std::uint32_t flags : {0u, 2u})
            for (const std::string before : {"", "MZ an executable"}) {
                if (format == 0 && !before.empty())
                    continue;  // the maker counts offsets as in format 1 only there
                MadePack pack{.format = format,
                              .flags = flags,
                              .files = {{"a.txt", "one"}, {"b/c.txt", "two"}},
                              .before = before};
                if (format == 0)
                    pack.files[0].offset = 84 + 4 + 4 + 5 + 32 + 4 + 7 + 32;
                const std::string bytes = pack.bytes();
                SCOPED_TRACE(std::to_string(format) + " " + std::to_string(flags) + before);
                EXPECT_EQ(content(as_bytes(bytes), "a.txt"), "one");
                if (format) {
                    EXPECT_EQ(content(as_bytes(bytes), "b/c.txt"), "two");
                }
                MemorySource source(as_bytes(bytes));
                const auto place = find_pack(source).value();
                ASSERT_TRUE(place);
                EXPECT_EQ(place->offset, before.size());
                EXPECT_EQ(place->embedded, !before.empty());
            }
    EXPECT_EQ(content({.format = 5}, "a"),
              "error[bad_mode]: the format of this pack is newer than 4");
    EXPECT_EQ(content({.files = {{"a", "x"}}, .magic = "PEPC"}, "a"), "x");
    EXPECT_EQ(content({.files = {{"a", "x"}}, .magic = "GDPX"}, "a").substr(0, 16),
              "error[bad_magic]");
}

TEST(Pack, BehindSkippedBytes) {
    for (const std::uint32_t format : {2u, 3u}) {
        const std::string bytes =
            "skipped" + MadePack{.format = format, .files = {{"a", "x"}}}.bytes();
        MemorySource source(as_bytes(bytes));
        const auto archive = open_archive(source, InputKind::pack, {.skip = 7}).value();
        EXPECT_EQ(text(read_all(*archive->open(0).value()).value()), "x");
    }
}

TEST(Pack, ChecksumsAreVerified) {
    std::string right = MadePack{.files = {{"a", "x", 0, "0123456789abcdef"}}}.bytes();
    EXPECT_EQ(content(as_bytes(right), "a"),
              "error[bad_checksum]: the file in the pack has another MD5 than the pack's directory "
              "says");
    Bytes bytes = engine_pack("godot-4.6.3");
    bytes[0x80] ^= std::byte{1};
    EXPECT_TRUE(content(bytes, "data.cfg").starts_with("error[bad_checksum]"));
    EXPECT_FALSE(content(bytes, "project.binary").starts_with("error"));
}

TEST(Pack, WhatIsElsewhere) {
    const MadePack pack{.files = {{"delta", "x", 4}, {"removed", "", 2}}};
    EXPECT_TRUE(
        content(pack, "delta").starts_with("error[misplaced]: the pack holds only a delta"));
    EXPECT_TRUE(content(pack, "removed").starts_with("error[misplaced]: this pack removes"));
    EXPECT_TRUE(content({.flags = 6, .files = {{"beside", "x"}}}, "beside")
                    .starts_with("error[misplaced]: the file lies beside the pack"));
    EXPECT_EQ(notes({.flags = 6, .files = {{"beside", "x"}}})[0], "beside the pack");
    // Godot 3 takes offset 0 for a file that was removed.
    EXPECT_TRUE(content({.format = 1, .files = {{.name = "a", .content = "x", .offset = 0}}}, "a")
                    .starts_with("error[misplaced]: this pack removes"));
}

TEST(Pack, NamesAreListedAsTheyStand) {
    const std::string nul("a\0b", 3);
    const MadePack pack{.files = {{"res://../x", "1"},
                                  {"/etc/passwd", "2"},
                                  {"C:\\x", "3"},
                                  {"a\\..\\b", "4"},
                                  {nul, "5"},
                                  {"e\x1b[31m", "6"},
                                  {"\xff", "7"},
                                  {"", "8"},
                                  {"twice", "9"},
                                  {"res://twice", "10"},
                                  {std::string("padded\0\0", 8), "11"},
                                  {"..x/y..", "12"},
                                  {"a\xC2\x9B", "13"},
                                  {"gpj.\u202Ea", "14"},
                                  {"x/C:/y", "15"}}};
    const std::vector<std::string> expected{"leads out of its folder",
                                            "absolute path",
                                            "drive letter, backslash",
                                            "leads out of its folder, backslash",
                                            "NUL in the name, control character",
                                            "control character",
                                            "not UTF-8",
                                            "no name",
                                            "comes again: the last one counts",
                                            "",
                                            "",
                                            "",
                                            "hidden character",
                                            "hidden character",
                                            "drive letter"};
    EXPECT_EQ(notes(pack), expected);
    for (std::size_t i = 0; i < pack.files.size(); ++i)
        EXPECT_EQ(content(pack, "#" + std::to_string(i)), std::to_string(i + 1));
    EXPECT_EQ(content(pack, "../x"), "1");
    EXPECT_EQ(content(pack, nul), "5");
    EXPECT_EQ(content(pack, "twice"), "10");
    EXPECT_EQ(content(pack, "padded"), "11");
    EXPECT_EQ(content({.files = {{"#0", "x"}, {"#7", "y"}}}, "#7"), "y");
}

TEST(Pack, HostileNumbers) {
    // No count, size or offset may take more than the pack has.
    const auto refused = [](const MadePack& pack) {
        std::string out;
        const std::string bytes = pack.bytes();
        const Recorder taken = counted([&] { out = content(as_bytes(bytes), "a"); });
        EXPECT_LT(taken.peak, 1u << 20) << out;
        return out.substr(0, out.find(':'));
    };
    EXPECT_EQ(refused({.files = {{"a", "x"}}, .count = UINT32_MAX}), "error[truncated]");
    EXPECT_EQ(refused({.format = 1, .files = {{"a", "x"}}, .count = 0x1000'0000}),
              "error[truncated]");
    for (const std::uint64_t large : {std::uint64_t{1} << 31, UINT64_MAX, UINT64_MAX - 200}) {
        const MadeFile size{.name = "a", .content = "x", .size = large};
        const MadeFile offset{.name = "a", .content = "x", .offset = large};
        EXPECT_EQ(refused({.files = {size}}), "error[truncated]");
        EXPECT_EQ(refused({.files = {offset}}), "error[truncated]");
        EXPECT_EQ(notes({.files = {size}})[0], "beyond the end of the file");
        EXPECT_EQ(notes({.files = {offset}})[0], "beyond the end of the file");
    }
    for (const std::size_t field : {24, 32}) {  // the base, the directory
        std::string bytes = MadePack{.files = {{"a", "x"}}}.bytes();
        bytes.replace(field, 8, std::string(8, '\xff'));
        EXPECT_TRUE(content(as_bytes(bytes), "a").starts_with("error[truncated]"));
    }
    std::string bytes = MadePack{.files = {{"a", "x"}}}.bytes();
    bytes.replace(bytes.size() - 41, 4, "\xff\xff\xff\xff");  // the name's length
    EXPECT_TRUE(content(as_bytes(bytes), "a").starts_with("error[truncated]"));
    // Files may overlap each other and the directory: each is opened alone.
    const MadePack overlaps{.files = {{.name = "a", .content = "abc", .size = 3},
                                      {.name = "b", .content = "", .offset = 1, .size = 2}}};
    EXPECT_EQ(content(overlaps, "a"), "abc");
    EXPECT_EQ(content(overlaps, "b"), "bc");
    // The trailer of an executable may point anywhere.
    for (const std::uint64_t back : {std::uint64_t{0}, std::uint64_t{5}, UINT64_MAX}) {
        std::string file(100, 'x');
        MadePack::number(file, back);
        file += "GDPC";
        MemorySource source(as_bytes(file));
        EXPECT_FALSE(find_pack(source).value());
    }
}

TEST(Pack, MemoryIsLinear) {
    MadePack pack;
    for (int i = 0; i < 20'000; ++i)
        pack.files.push_back({std::to_string(i), ""});
    const std::string bytes = pack.bytes();
    const Recorder taken = counted([&] {
        MemorySource source(as_bytes(bytes));
        ASSERT_TRUE(open_archive(source, InputKind::pack));
    });
    EXPECT_LT(taken.peak, 12 * bytes.size());
    MemorySource source(as_bytes(bytes));
    EXPECT_EQ(PackFile::open(source, {.max_directory = 1000}).error().code, Errc::size_limit);
}

TEST(Pack, CutAnywhere) {
    for (const std::string engine : engines) {
        const Bytes whole = engine_pack(engine);
        const std::string first = content(whole, "data.cfg");
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            const std::string got = content(cut, "data.cfg");
            ASSERT_TRUE(got.starts_with("error[") || got == first) << engine << " " << size << got;
            ASSERT_EQ(content(cut, "#4").starts_with("error[bad_magic]"), size < 4);
        }
    }
}

TEST(Pack, DamagedAnywhere) {
    std::mt19937 random(1);
    std::vector<Bytes> packs;
    for (const std::string engine : engines)
        packs.push_back(engine_pack(engine));
    packs.push_back(engine_pack("godot-4.6.3", "encrypted_files.pck"));
    packs.push_back(engine_pack("godot-4.6.3", "encrypted_directory.pck"));
    std::size_t opened = 0, refused = 0;
    for (const Bytes& whole : packs)
        for (int round = 0; round < 1000; ++round) {
            Bytes bytes = whole;
            for (std::uint32_t i = 0; i <= random() % 3; ++i)
                bytes[random() % (round % 2 ? bytes.size() : 400 % bytes.size())] =
                    static_cast<std::byte>(random());
            MemorySource source(bytes);
            const auto archive = open_archive(source, InputKind::pack, {.key = export_key()});
            if (!archive) {
                ++refused;
                continue;
            }
            for (std::size_t i = 0; i < (*archive)->entries().size(); ++i) {
                auto inside = (*archive)->open(i);
                const auto all = inside ? read_all(**inside) : std::unexpected(inside.error());
                ++(all ? opened : refused);
                if (all) {
                    ASSERT_LE(all->size(), bytes.size());
                }
            }
        }
    EXPECT_GT(opened, 1000u);
    EXPECT_GT(refused, 1000u);
}

TEST(Pack, NoMemoryIsAnError) {
    for (const char* const name : {"pack.pck", "encrypted_directory.pck"}) {
        const Bytes bytes = engine_pack("godot-4.6.3", name);
        for (std::size_t k = 0;; ++k) {
            Errc code = Errc::ok;
            const Recorder taken = counted(
                [&] {
                    MemorySource source(bytes);
                    const auto archive =
                        open_archive(source, InputKind::pack, {.key = export_key()});
                    code = archive ? Errc::ok : archive.error().code;
                    if (!archive)
                        return;
                    const auto inside = (*archive)->open(0);
                    code = inside ? Errc::ok : inside.error().code;
                },
                k);
            if (taken.count <= k) {
                EXPECT_EQ(code, Errc::ok);
                break;
            }
            ASSERT_EQ(code, Errc::no_memory) << name << " " << k;
        }
    }
}

// ---- as a layer

std::string stack(ByteView bytes, const SaveOptions& options) {
    const auto opened = open_layers(std::make_unique<MemorySource>(bytes), options);
    if (!opened)
        return to_string(opened.error().error);
    return stack_in_words(opened->layers, opened->kind);
}

TEST(Pack, IsALayer) {
    const Bytes pack = engine_pack("godot-4.6.3");
    EXPECT_EQ(stack(pack, {}), "pack");
    EXPECT_EQ(stack(pack, {.entries = {"data.cfg"}}), "pack > config");
    EXPECT_EQ(stack(pack, {.entries = {"saves/data.save"}}), "pack > records");
    EXPECT_EQ(stack(pack, {.entries = {"project.binary"}}), "pack > project");
    EXPECT_EQ(stack(pack, {.entries = {"things/tree.res"}}), "pack > binary-resource");
    EXPECT_EQ(stack(pack, {.as = InputKind::packet, .entries = {"data.cfg"}}), "pack > packet");
    EXPECT_EQ(stack(pack, {.layers = 0, .entries = {"data.cfg"}}), "pack");
    EXPECT_EQ(stack(as_bytes(std::string_view("[a]\nx=1\n")), {.entries = {"a"}}),
              "error[bad_path]: a file is named, but this is neither a pack nor the files of a "
              "browser");
    EXPECT_EQ(stack(pack, {.entries = {"data.cfg", "again"}}),
              "error[bad_path]: a file is named, but this is neither a pack nor the files of a "
              "browser");
    const MadePack outer{.files = {{"inner.pck", text(pack)}, {"empty.pck", MadePack{}.bytes()}}};
    const std::string bytes = outer.bytes();
    EXPECT_EQ(stack(as_bytes(bytes), {.entries = {"inner.pck"}}), "pack > pack");
    EXPECT_EQ(stack(as_bytes(bytes), {.entries = {"inner.pck", "data.cfg"}}),
              "pack > pack > config");
    EXPECT_EQ(stack(as_bytes(bytes), {.entries = {"empty.pck"}}), "pack > pack");
    Bytes zipped;
    MemorySource from(pack);
    MemoryTarget to(zipped);
    ASSERT_TRUE(write_layers(from, to, find_layers("gzip").value(), nullptr));
    EXPECT_EQ(stack(zipped, {.entries = {"data.cfg"}}), "gzip > pack > config");
    EXPECT_FALSE(find_layer("pack"));
}

TEST_F(Packs, SavesInThemAreOnlyRead) {
    const Bytes pack = engine_pack("godot-4.6.3");
    const std::string path = put("game.pck", pack);
    EXPECT_EQ(to_string(open_save(path).error()),
              "error[not_recognised]: it is a pack of a Godot game: name the file in it that is to "
              "be opened");
    auto save = open_save(path, {.entries = {"res://saves/data.save"}});
    ASSERT_TRUE(save) << to_string(save.error());
    EXPECT_TRUE(save->only_read());
    EXPECT_EQ(save->get<int>("$.hp"), 100);
    EXPECT_EQ(save->layers()[0].entry, "saves/data.save");
    const auto record = Bytes(save->items()[0].packet.begin(), save->items()[0].packet.end());
    EXPECT_EQ(save->set("$.hp", Variant(5)).error().code, Errc::misplaced);
    EXPECT_EQ(save->plan("$.hp", Variant(5)).error().error.code, Errc::misplaced);
    EXPECT_EQ(save->erase("$.hp").error().code, Errc::misplaced);
    EXPECT_EQ(save->rename("$.hp", Variant("x")).error().code, Errc::misplaced);
    EXPECT_EQ(save->insert_item(0, record).error().code, Errc::misplaced);
    EXPECT_EQ(save->replace_item(0, record).error().code, Errc::misplaced);
    EXPECT_EQ(save->remove_item(0).error().code, Errc::misplaced);
    EXPECT_EQ(save->restore_items(0, 1, save->items()).error().code, Errc::misplaced);
    EXPECT_EQ(save->bytes().error().code, Errc::misplaced);
    EXPECT_TRUE(save->save());
    EXPECT_EQ(read_bytes(path), pack);
}

}  // namespace
}  // namespace gdvar::test
