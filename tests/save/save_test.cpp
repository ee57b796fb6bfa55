#include <gtest/gtest.h>

#include <random>

#include "gdvar/save/coding.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// Gives bytes out in pieces of its choosing.
class Pieces final : public Source {
public:
    Pieces(ByteView bytes, std::uint64_t seed) : rest_(bytes), random_(seed) {}
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        const std::size_t n = std::min({to.size(), rest_.size(), std::size_t{1} + random_() % 40});
        std::copy_n(rest_.begin(), n, to.begin());
        rest_ = rest_.subspan(n);
        return n;
    }

private:
    ByteView rest_;
    std::mt19937_64 random_;
};

// Law 6.
TEST(Records, AnySplitGivesTheSameRecords) {
    for (const Recording& recording : recordings)
        for (const auto& [name, order] : {std::pair("plain.save", ByteOrder::little),
                                          std::pair("plain_big_endian.save", ByteOrder::big)}) {
            const auto file = read_bytes(data_dir() / "saves" / recording.engine / name);
            const auto expected =
                lines_with(data_dir() / "saves" / recording.engine / "expected.ndjson", "bytes");
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                Pieces source(file, seed);
                RecordReader reader(source, order);
                for (const Json& line : expected) {
                    auto record = reader.next();
                    ASSERT_TRUE(record && *record);
                    EXPECT_EQ(hex((*record)->packet), line["bytes"].get<std::string>());
                }
                auto end = reader.next();
                ASSERT_TRUE(end);
                EXPECT_FALSE(*end);
            }
        }
}

TEST(Records, StringsAndNumbersBetweenThem) {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        std::vector<std::byte> bytes;
        MemoryTarget target(bytes);
        RecordWriter writer(target, order);
        const auto packet = *encode(Array{1, "x"});
        ASSERT_TRUE(writer.store_8(7));
        ASSERT_TRUE(writer.store_16(0x1234));
        ASSERT_TRUE(writer.store_32(0x12345678));
        ASSERT_TRUE(writer.store_pascal_string("héllo"));
        ASSERT_TRUE(writer.store_packet(as_bytes(packet)));
        ASSERT_TRUE(writer.store_64(0x123456789ABCDEF0));
        ASSERT_TRUE(writer.store_float(1.5f));
        ASSERT_TRUE(writer.store_double(-2.25));
        Pieces source(bytes, 3);
        RecordReader reader(source, order);
        EXPECT_EQ(reader.get_8(), 7);
        EXPECT_EQ(reader.get_16(), 0x1234);
        EXPECT_EQ(reader.get_32(), 0x12345678u);
        EXPECT_EQ(reader.get_pascal_string(), "héllo");
        auto record = reader.next();
        ASSERT_TRUE(record && *record);
        EXPECT_EQ((*record)->packet.size(), packet.size());
        EXPECT_EQ(reader.get_64(), 0x123456789ABCDEF0u);
        EXPECT_EQ(reader.get_float(), 1.5f);
        EXPECT_EQ(reader.get_double(), -2.25);
        EXPECT_EQ(reader.get_8().error().code, Errc::truncated);
    }
}

TEST(Records, LiesAreToldWithWhatIsMissing) {
    const auto bytes = unhex("ffffff7f0000000000000000");
    MemorySource source(bytes);
    RecordReader reader(source);
    auto record = reader.next();
    ASSERT_FALSE(record);
    EXPECT_EQ(record.error().code, Errc::truncated);
    EXPECT_EQ(record.error().error.need, 0x7FFFFFFFu - 8);
    EXPECT_EQ(reader.next().error(), record.error());
    const auto negative = unhex("ffffffff");
    MemorySource other(negative);
    EXPECT_EQ(RecordReader(other).next().error().code, Errc::bad_length);
    MemorySource skipped(bytes);
    RecordReader after(skipped);
    EXPECT_TRUE(after.skip(12));
    EXPECT_FALSE(*after.next());
}

TEST(Coding, ThereAndBack) {
    for (std::size_t n = 0; n < 20; ++n) {
        std::vector<std::byte> bytes(n, std::byte{0xA7});
        EXPECT_EQ(*from_base64(to_base64(bytes)), bytes);
        EXPECT_EQ(*from_hex(to_hex(bytes)), bytes);
    }
    EXPECT_EQ(to_base64(as_bytes(std::string_view("any carnal"))), "YW55IGNhcm5hbA==");
    EXPECT_EQ(hex(*from_hex("0x0A 0b\n0C")), "0a0b0c");
    for (const char* bad : {"A", "AA=A", "A===", "AB*C", "=AAA"})
        EXPECT_FALSE(from_base64(bad)) << bad;
    for (const char* bad : {"a", "0g", "xx"})
        EXPECT_FALSE(from_hex(bad)) << bad;
    for (const Recording& recording : recordings) {
        const auto text = read_text(data_dir() / "saves" / recording.engine / "base64.txt");
        const auto first =
            lines_with(data_dir() / "saves" / recording.engine / "expected.ndjson", "bytes")[0];
        EXPECT_EQ(hex(*from_base64(text)), first["bytes"].get<std::string>());
    }
}

TEST(Project, ThereAndBack) {
    const auto packet = *encode(Array{1});
    const std::vector<ProjectEntry> entries = {{"a/b", 0, as_bytes(packet)},
                                               {"c", 0, as_bytes(packet)}};
    const auto file = *write_project(entries);
    auto read_back = read_project(file);
    ASSERT_TRUE(read_back);
    ASSERT_EQ(read_back->size(), 2u);
    EXPECT_EQ((*read_back)[1].key, "c");
    EXPECT_TRUE(std::ranges::equal((*read_back)[0].packet, as_bytes(packet)));
    for (std::size_t n = 0; n < file.size(); ++n)
        EXPECT_FALSE(read_project(ByteView(file).first(n)));
}

TEST(Recognise, ByContent) {
    const auto first = [](ByteView bytes) {
        const auto fits = recognise(bytes);
        return fits.empty() ? InputKind::unknown : fits[0];
    };
    const auto saves = data_dir() / "saves" / "godot-4.6.3";
    EXPECT_EQ(first(read_bytes(saves / "plain.save")), InputKind::records);
    EXPECT_EQ(first(read_bytes(saves / "plain_big_endian.save")), InputKind::records_be);
    EXPECT_EQ(first(read_bytes(saves / "gcpf_zstd.save")), InputKind::gcpf);
    EXPECT_EQ(first(read_bytes(saves / "gdec_key.save")), InputKind::gdec);
    EXPECT_EQ(first(read_bytes(saves / "base64.txt")), InputKind::base64);
    EXPECT_EQ(first(unhex("0200000007000000")), InputKind::packet);
    EXPECT_EQ(first(as_bytes(std::string_view("04 00 00 00 04 00 00 00 74 65 73 74\n"))),
              InputKind::hex);
    EXPECT_EQ(first(as_bytes(std::string_view("what is this?"))), InputKind::unknown);
}

// Files of real games, which are not distributed with gdvar.
TEST(Real, EveryFileIsReadWholeAndWrittenBackTheSame) {
    const auto dir = shared_dir("real");
    if (!dir)
        GTEST_SKIP() << "the folder with real games' files is not here";
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*dir)) {
        const auto extension = entry.path().extension();
        if (extension == ".md" || extension == ".json")
            continue;
        const auto file = read_bytes(entry.path());
        const std::string name = entry.path().filename().string();
        std::vector<ByteView> packets;
        if (auto project = read_project(file)) {
            for (const ProjectEntry& e : *project)
                packets.push_back(e.packet);
            EXPECT_EQ(*write_project(*project), file) << name;
        } else {
            for (ByteView rest = file; !rest.empty();) {
                auto frame = read_frame(rest, ByteOrder::little);
                ASSERT_TRUE(frame) << name;
                packets.push_back(frame->packet);
                rest = rest.subspan(frame->size);
            }
        }
        bool same_somewhere = false;
        for (const Dialect* dialect : all_dialects()) {
            bool same = !dialect->documented;
            for (const ByteView packet : packets) {
                std::size_t size = 0;
                auto value = decode(packet, reading(*dialect), &size);
                auto bytes = value ? encode(*value, writing(*dialect))
                                   : std::expected<PackedByteArray, Error>();
                same = same && value && size == packet.size() && bytes &&
                       std::ranges::equal(as_bytes(*bytes), packet);
            }
            same_somewhere = same_somewhere || same;
        }
        EXPECT_TRUE(same_somewhere) << name;
        ++files;
    }
    EXPECT_EQ(files, 14u);
}

}  // namespace
}  // namespace gdvar::test
