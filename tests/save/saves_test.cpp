// The saves that real engines wrote: opened in every container, and wrapped again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gdvar/save/coding.hpp"
#include "save/support.hpp"
#include "support/case_name.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

struct Expected {
    std::vector<Bytes> packets;
    ContainerKey pass, key;
};

Expected expected_of(const std::filesystem::path& folder) {
    Expected expected;
    std::istringstream lines(read_text(folder / "expected.ndjson"));
    for (std::string line; std::getline(lines, line);) {
        const auto row = nlohmann::json::parse(line);
        if (row.contains("bytes")) {
            expected.packets.push_back(from_hex(row["bytes"].get<std::string>()).value());
        } else {
            expected.pass = key_from_password(row["pass"].get<std::string>()).value();
            expected.key = key_from_bytes(as_bytes(row["key"].get<std::string>())).value();
        }
    }
    return expected;
}

const ContainerKey& key_for(const std::filesystem::path& file, const Expected& expected) {
    return file.stem() == "gdec_pass" ? expected.pass : expected.key;
}

class Saves : public testing::TestWithParam<const char*> {
protected:
    std::filesystem::path folder() const { return data_dir() / "saves" / GetParam(); }
};

TEST_P(Saves, EveryFileHoldsTheExpectedRecords) {
    const Expected expected = expected_of(folder());
    ASSERT_EQ(expected.packets.size(), 3u);
    int seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        if (entry.path().extension() != ".save")
            continue;
        SCOPED_TRACE(entry.path().filename());
        ++seen;
        auto file = FileSource::open(text_of(entry.path())).value();
        auto readings = recognise(file).value();
        ASSERT_FALSE(readings.empty());
        InputKind kind = readings[0].kind;
        std::unique_ptr<ContainerSource> opened;
        Source* source = &file;
        if (kind == InputKind::gcpf || kind == InputKind::gdec) {
            const OpenOptions options{.key = &key_for(entry.path(), expected)};
            auto container = open_container(file, options);
            ASSERT_TRUE(container) << to_string(container.error());
            opened = *std::move(container);
            source = opened.get();
            kind = recognise(*source).value().at(0).kind;
        }
        const bool big = kind == InputKind::records_be;
        EXPECT_TRUE(big || kind == InputKind::records);
        EXPECT_EQ(big, entry.path().stem() == "plain_big_endian");
        EXPECT_EQ(packets_of(*source, big ? ByteOrder::big : ByteOrder::little), expected.packets);
    }
    EXPECT_EQ(seen, 8);
    const std::string base64 = read_text(folder() / "base64.txt");
    EXPECT_EQ(from_base64(base64).value(), expected.packets[0]);
    EXPECT_EQ(to_base64(expected.packets[0]) + "\n", base64);
    EXPECT_EQ(recognise(as_bytes(base64)).at(0), InputKind::base64);
}

TEST_P(Saves, WrappedAgainTheyAreTheEnginesBytes) {
    const Expected expected = expected_of(folder());
    const Bytes plain = read_bytes(folder() / "plain.save");
    for (const Compression mode : {Compression::deflate, Compression::gzip}) {
        const Bytes engine =
            read_bytes(folder() / ("gcpf_" + std::string(compression_name(mode)) + ".save"));
        EXPECT_EQ(wrap(plain, {.compression = mode}), engine) << compression_name(mode);
    }
    for (const char* name : {"gdec_pass.save", "gdec_key.save"}) {
        const Bytes engine = read_bytes(folder() / name);
        auto source = FileSource::open(text_of(folder() / name)).value();
        const auto& key = key_for(folder() / name, expected);
        const Wrapping kind = open_container(source, {.key = &key}).value()->kind();
        EXPECT_EQ(kind, std::string_view(GetParam()) == "godot-4.6.3" ? Wrapping::gdec_4
                                                                      : Wrapping::gdec_3);
        WriteOptions options{.kind = kind, .key = &key};
        if (kind == Wrapping::gdec_4) {
            options.iv.emplace();
            std::memcpy(options.iv->data(), engine.data() + 28, 16);
        }
        EXPECT_EQ(wrap(plain, options), engine) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, Saves,
                         testing::Values("godot-3.2.3", "godot-3.6.2", "godot-4.6.3",
                                         "pandemonium-5.3"),
                         case_name);

TEST(RealSaves, RecordsAndSettingsOfRealGames) {
    const auto folder = shared_dir("real");
    if (!folder)
        GTEST_SKIP() << "no folder of real saves";
    int records = 0, settings = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        if (entry.path().extension() == ".json" || entry.path().extension() == ".md")
            continue;
        SCOPED_TRACE(entry.path().filename());
        const Bytes bytes = read_bytes(entry.path());
        const auto kinds = recognise(bytes);
        ASSERT_FALSE(kinds.empty());
        if (kinds[0] == InputKind::project) {
            auto entries = read_project(bytes);
            ASSERT_TRUE(entries) << to_string(entries.error());
            EXPECT_EQ(write_project(*entries).value(), bytes);
            ++settings;
            continue;
        }
        ASSERT_EQ(kinds[0], InputKind::records);
        MemorySource source(bytes);
        Bytes again;
        MemoryTarget target(again);
        RecordWriter writer(target);
        for (const Bytes& packet : packets_of(source))
            ASSERT_TRUE(writer.store_packet(packet));
        EXPECT_EQ(again, bytes);
        ++records;
    }
    EXPECT_GT(records, 0);
    EXPECT_GT(settings, 0);
}

}  // namespace
}  // namespace gdvar::test
