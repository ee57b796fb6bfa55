// Files that a game has left in a browser: the layouts of exporters, and JSON that is none of them.
#include <gtest/gtest.h>

#include <random>

#include "gdvar/file/archive.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/save/coding.hpp"
#include "support/data.hpp"
#include "support/small_stack.hpp"

namespace gdvar::test {
namespace {

const std::string save_path = "/userfs/godot/app_userdata/My Game/data.save";
const std::string config_path = "/userfs/godot/app_userdata/My Game/a.cfg";
const std::string config = "[a]\n\nx=1\n";

std::string save_bytes() {
    const auto bytes = read_bytes(data_dir() / "saves/godot-4.6.3/plain.save");
    return std::string(detail::as_text(bytes.data(), bytes.size()));
}
std::string quoted(const std::string& text) {
    return '"' + text + '"';
}
/// JSON.stringify of a Uint8Array.
std::string members(const std::string& bytes) {
    std::string out = "{";
    for (std::size_t i = 0; i < bytes.size(); ++i)
        out += (i ? ",\"" : "\"") + std::to_string(i) +
               "\":" + std::to_string(static_cast<unsigned char>(bytes[i]));
    return out + "}";
}
std::string numbers(const std::string& bytes, bool is_signed = false) {
    std::string out = "[";
    for (const char c : bytes)
        out += (out.size() > 1 ? ", " : "") +
               std::to_string(is_signed ? static_cast<signed char>(c)
                                        : static_cast<int>(static_cast<unsigned char>(c)));
    return out + "]";
}
std::string base64(const std::string& bytes) {
    return quoted(to_base64(as_bytes(bytes)));
}
/// The record of IDBFS for a file.
std::string record(const std::string& contents) {
    return R"({"timestamp":"2024-05-01T10:00:00.000Z","mode":33206,"contents":)" + contents + "}";
}
const char* const folder_entry = R"({"timestamp":"2024-05-01T10:00:00.000Z","mode":16877})";

std::unique_ptr<Archive> opened(const std::string& text, Source& source) {
    auto archive = open_archive(source, InputKind::browser_files);
    EXPECT_TRUE(archive) << to_string(archive.error()) << "\n" << text.substr(0, 200);
    return archive ? *std::move(archive) : nullptr;
}
/// The findings of open_layers.
std::string stack(const std::string& text, const SaveOptions& options = {}) {
    const auto found = open_layers(std::make_unique<MemorySource>(as_bytes(text)), options);
    if (!found)
        return to_string(found.error().error);
    return stack_in_words(found->layers, found->kind);
}
std::string inside(const Archive& archive, std::size_t number) {
    const auto source = archive.open(number);
    if (!source)
        return to_string(source.error());
    const auto all = read_all(**source).value();
    return std::string(detail::as_text(all.data(), all.size()));
}

/// An export of one file or of the two, with their names or without.
struct Export {
    std::string what, text;
    bool both = true, named = true;
};

std::vector<Export> exports() {
    const std::string save = save_bytes();
    const auto named = [](const std::string& a, const std::string& b) {
        return R"({"/userfs/godot":)" + std::string(folder_entry) + "," + quoted(save_path) + ":" +
               a + "," + quoted(config_path) + ":" + b + "}";
    };
    const std::string both = named(record(members(save)), record(numbers(config)));
    const auto dexie = [](const std::string& path, const std::string& contents) {
        return R"({"$":[")" + path + R"(",{"timestamp":1714557600000,"mode":33206,"contents":)" +
               contents + R"(}],"$types":{"$":{"1.timestamp":"date","1.contents":"uint8array2"}}})";
    };
    const auto part = [](const std::string& bytes, std::size_t at, std::size_t size) {
        return R"({"buffer":)" + base64(bytes) + R"(,"byteOffset":)" + std::to_string(at) +
               R"(,"length":)" + std::to_string(size) + "}";
    };
    std::vector<Export> out{
        {"by path, as stringify writes it", both},
        {"one record", record(members(save)), false, false},
        {"signed numbers", "{" + quoted(save_path) + ":" + record(numbers(save, true)) + "}",
         false},
        {"Base64", named(record(base64(save)), record(base64(config)))},
        {"data URLs",
         named(record("\"data:application/octet-stream;base64," + base64(save).substr(1)),
               record("\"data:,%5Ba%5D%0A%0Ax=1%0A\""))},
        {"a Buffer of Node.js",
         named(record(R"({"type":"Buffer","data":)" + numbers(save) + "}"),
               record(R"({"type":"Buffer","data":)" + numbers(config) + "}"))},
        {"rows of key and value",
         R"([{"key":"/userfs/godot","value":)" + std::string(folder_entry) + R"(},{"key":)" +
             quoted(save_path) + R"(,"value":)" + record(members(save)) + R"(},{"key":)" +
             quoted(config_path) + R"(,"value":)" + record(members(config)) + "}]"},
        {"pairs", "[[" + quoted(save_path) + "," + record(numbers(save)) + "],[" +
                      quoted(config_path) + "," + record(numbers(config)) + "]]"},
        {"records without their keys",
         R"({"FILE_DATA":[)" + record(members(save)) + "," + record(members(config)) + "]}", true,
         false},
        {"stores of databases", R"({"name":"/userfs","version":21,"stores":{"FILE_DATA":)" + both +
                                    R"(},"/userfs_other":{}})"},
        {"bytes by path", named(numbers(save), base64(config))},
        {"path and bytes", R"([{"path":)" + quoted(save_path) + R"(,"data":)" + numbers(save) +
                               R"(},{"path":)" + quoted(config_path) + R"(,"contents":)" +
                               numbers(config) + "}]"},
        {"Dexie", R"({"formatName":"dexie","formatVersion":1,"data":{"databaseName":"/userfs",)"
                  R"("databaseVersion":2.1,"tables":[{"name":"FILE_DATA","schema":",timestamp",)"
                  R"("rowCount":2}],"data":[{"tableName":"FILE_DATA","inbound":false,"rows":[)" +
                      dexie(save_path, part(save, 0, save.size())) + "," +
                      dexie(config_path, part("xx" + config + "yy", 2, config.size())) + "]}]}}"},
    };
    return out;
}

TEST(BrowserFiles, InEveryLayout) {
    for (const Export& one : exports()) {
        SCOPED_TRACE(one.what);
        MemorySource source(as_bytes(one.text));
        const auto archive = opened(one.text, source);
        ASSERT_TRUE(archive);
        ASSERT_EQ(archive->entries().size(), one.both ? 2u : 1u);
        EXPECT_EQ(archive->entries()[0].name, one.named ? save_path : "");
        EXPECT_EQ(inside(*archive, 0), save_bytes());
        EXPECT_EQ(stack(one.text, {.entries = {one.named ? save_path : "#0"}}),
                  "browser-files > records");
        if (!one.both) {
            EXPECT_EQ(stack(one.text), "browser-files > records");
            continue;
        }
        EXPECT_EQ(archive->entries()[1].name, one.named ? config_path : "");
        EXPECT_EQ(inside(*archive, 1), config);
        EXPECT_EQ(stack(one.text), "browser-files");
        EXPECT_EQ(stack(one.text, {.as = InputKind::json}), "json");
        EXPECT_EQ(stack(one.text, {.entries = {"#1"}}), "browser-files > config");
    }
}

TEST(BrowserFiles, Strings) {
    const auto content = [](const std::string& contents) {
        const std::string text = "{" + quoted(save_path) + ":" + record(contents) + "}";
        MemorySource source(as_bytes(text));
        const auto archive = opened(text, source);
        return inside(*archive, 0) + "|" + std::string(archive->entries()[0].notes[0]);
    };
    EXPECT_EQ(content(R"("{\"hp\": 5}")"), "{\"hp\": 5}|text");
    EXPECT_EQ(content(R"("\u0001\u0000\u00ff\u0080")"),
              std::string("\1\0\xff\x80", 4) + "|a binary string");
    EXPECT_EQ(content(R"("\u0001\u0100")"), "\1\xc4\x80|text");
    EXPECT_EQ(content(R"("AQI=")"), "\1\2|Base64");
    EXPECT_EQ(content("{}"), "|an object of numbers");
    EXPECT_EQ(content(R"({"1":66,"0":65})"), "AB|an object of numbers");
}

TEST(BrowserFiles, ContentsOfNoKnownForm) {
    for (const char* const contents :
         {R"({"0":65,"2":66})", R"({"0":65,"0x":66})", "[256]", "[-129]", "[1.5]", "5", "null",
          R"("data:")", R"({"buffer":"AQI=","byteOffset":3,"length":0})",
          R"({"buffer":"AQI=","byteOffset":-1,"length":1})", R"("data:,%4")"}) {
        const std::string text = "{" + quoted(save_path) + ":" + record(contents) + "}";
        MemorySource source(as_bytes(text));
        const auto archive = opened(text, source);
        ASSERT_TRUE(archive);
        ASSERT_EQ(archive->entries().size(), 1u) << contents;
        EXPECT_FALSE(archive->entries()[0].opens) << contents;
        EXPECT_TRUE(inside(*archive, 0).starts_with("error[misplaced]")) << contents;
    }
}

TEST(BrowserFiles, OtherJsonIsNone) {
    for (const std::string text :
         {R"({"timestamp": 5, "contents": ["sword", "shield"]})", R"({"contents": [1, 2, 3]})",
          R"({"mode": 1, "contents": [1, 2, 3], "timestamp": 7})", R"({"/userfs": 1})",
          R"({"path": "/userfs", "hp": 5})",
          R"({"recent": ["/userfs/saves/1.save", "/userfs/saves/2.save"], "hp": 5})",
          R"({"player": {"name": "/userfs/x", "data": "abcd"}, "hp": 5})",
          R"({"/userfs/a.save": "last", "hp": 5})",
          R"({"/userfs/godot": {"timestamp": 1, "mode": 16877}})"}) {
        EXPECT_EQ(stack(text), "json") << text;
        MemorySource source(as_bytes(text));
        const auto archive = open_archive(source, InputKind::browser_files);
        ASSERT_FALSE(archive);
        EXPECT_EQ(archive.error().code, Errc::not_recognised);
    }
}

TEST(BrowserFiles, OpenAsSaves) {
    const std::string text = exports()[0].text;
    EXPECT_EQ(read_save(as_bytes(text)).error().code, Errc::not_recognised);
    auto save = read_save(as_bytes(text), {.entries = {config_path}});
    ASSERT_TRUE(save) << to_string(save.error());
    EXPECT_EQ(save->get<int>("$.a.x"), 1);
    EXPECT_TRUE(save->only_read());
    EXPECT_EQ(save->set("$.a.x", Variant(2)).error().code, Errc::misplaced);
    auto one = read_save(as_bytes(exports()[1].text));
    ASSERT_TRUE(one) << to_string(one.error());
    EXPECT_EQ(one->items().size(), 3u);
}

TEST(BrowserFiles, CutOrDamaged) {
    const std::string config_record = record(members(config));
    const std::string whole = "{" + quoted(config_path) + ":" + config_record + "}";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const std::string cut = whole.substr(0, size);
        MemorySource source(as_bytes(cut));
        EXPECT_FALSE(open_archive(source, InputKind::browser_files)) << size;
    }
    std::mt19937 random(1);
    for (const Export& one : exports())
        for (int round = 0; round < 77; ++round) {
            std::string bytes = one.text;
            for (int i = 0; i < 3; ++i)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            MemorySource source(as_bytes(bytes));
            const auto archive = open_archive(source, InputKind::browser_files);
            for (std::size_t i = 0; archive && i < (*archive)->entries().size(); ++i)
                EXPECT_LE(inside(**archive, i).size(), bytes.size() + 200);
        }
}

TEST(BrowserFiles, ANameNamesOneFile) {
    // Each holder has four more in it, and the name stands once.
    std::string holders = record("[65]");
    for (int level = 0; level < 6; ++level)
        holders = R"({"value":)" + holders + R"(,"data":)" + holders + R"(,"record":)" + holders +
                  R"(,"$":)" + holders + "}";
    const std::string name = "/userfs/" + std::string(200'000, 'n');
    const std::string text = R"({"key":)" + quoted(name) + R"(,"value":)" + holders + "}";
    MemorySource source(as_bytes(text));
    const auto archive = opened(text, source);
    ASSERT_TRUE(archive);
    ASSERT_EQ(archive->entries().size(), 4096u);
    EXPECT_EQ(archive->entries()[0].name, name);
    std::size_t names = 0;
    for (const ArchiveEntry& entry : archive->entries())
        names += entry.name.size();
    EXPECT_EQ(names, name.size());
    EXPECT_EQ(archive->find(name).value(), 0u);
    EXPECT_EQ(inside(*archive, 4095), "A");
    // The same name in two rows is two names: the last one counts.
    const std::string row = "[" + quoted(save_path) + "," + record("[65]") + "]";
    const std::string two = "[" + row + "," + row + "]";
    MemorySource rows(as_bytes(two));
    const auto both = opened(two, rows);
    ASSERT_TRUE(both);
    ASSERT_EQ(both->entries().size(), 2u);
    EXPECT_EQ(both->entries()[0].name, save_path);
    EXPECT_EQ(both->find(save_path).value(), 1u);
}

TEST(BrowserFiles, DepthTakesNoStack) {
    on_small_stack([] {
        std::string text;
        for (int i = 0; i < 1000; ++i)
            text += "{\"data\":";
        text += record("[65]") + std::string(1000, '}');
        MemorySource source(as_bytes(text));
        const auto archive = open_archive(source, InputKind::browser_files);
        ASSERT_TRUE(archive);
        EXPECT_EQ((*archive)->entries().size(), 1u);
    });
}

}  // namespace
}  // namespace gdvar::test
