// Records, the numbers and strings between them, sources, spools, recognition.
#include <rapidcheck.h>

#include <array>
#include <random>

#include "base/platform/file.hpp"
#include "gdvar/save/coding.hpp"
#include "save/read_ahead.hpp"
#include "save/support.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

Error error_of(Source& source, std::uint64_t max_record = 0x7FFF'FFFF) {
    RecordReader reader(source, ByteOrder::little, max_record);
    for (;;) {
        auto record = reader.next();
        if (record && *record)
            continue;
        EXPECT_FALSE(record);
        const Error error = record ? Error{} : record.error().error;
        EXPECT_EQ(reader.next().error(), error) << "the error stays";
        EXPECT_EQ(reader.get_8().error(), error);
        return error;
    }
}

TEST(ReadAhead, GivesTheBytesOfItsSource) {
    Bytes bytes(3 * save::step + 5);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        MemorySource base(bytes), plain(bytes);
        save::ReadAhead ahead(base);
        for (bool ended = false; !ended;) {
            constexpr std::size_t most[] = {9, 5000, 100'000};
            const std::size_t n = 1 + random() % most[random() % 3];
            if (random() % 2) {
                const auto passed = plain.skip(n);
                ASSERT_EQ(*ahead.skip(n), *passed);
                ended = *passed < n;
            } else {
                Bytes expected(n), got(n);
                expected.resize(*save::read_full(plain, expected));
                got.resize(*save::read_full(ahead, got));
                ASSERT_TRUE(got == expected);
                ended = got.size() < n;
            }
        }
    }
}

TEST(Records, EverythingThatAFileCanHoldBothOrders) {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        Bytes bytes;
        MemoryTarget target(bytes);
        RecordWriter writer(target, order);
        const Bytes packet = bytes_of_hex("02000000 ffffff7f");
        ASSERT_TRUE(writer.store_8(0xAB));
        ASSERT_TRUE(writer.store_16(0x1234));
        ASSERT_TRUE(writer.store_packet(packet));
        ASSERT_TRUE(writer.store_32(0xDEADBEEF));
        ASSERT_TRUE(writer.store_64(0x0123456789ABCDEF));
        ASSERT_TRUE(writer.store_float(1.5f));
        ASSERT_TRUE(writer.store_double(-0.1));
        ASSERT_TRUE(writer.store_pascal_string("h\u00e9llo"));
        ASSERT_TRUE(writer.store_packet(packet));
        EXPECT_EQ(writer.position(), bytes.size());

        for (const std::size_t step : {1u, 3u, 1000u}) {
            Dribble source(bytes, step);
            RecordReader reader(source, order);
            EXPECT_EQ(reader.get_8(), 0xAB);
            EXPECT_EQ(reader.get_16(), 0x1234);
            auto record = reader.next().value();
            ASSERT_TRUE(record);
            EXPECT_EQ(record->offset, 3u);
            EXPECT_TRUE(std::ranges::equal(record->packet, packet)) << "never swapped";
            EXPECT_EQ(reader.get_32(), 0xDEADBEEF);
            EXPECT_EQ(reader.get_64(), 0x0123456789ABCDEF);
            EXPECT_EQ(reader.get_float(), 1.5f);
            EXPECT_EQ(reader.get_double(), -0.1);
            EXPECT_EQ(reader.get_pascal_string(), "h\u00e9llo");
            EXPECT_TRUE(reader.next().value());
            EXPECT_FALSE(reader.next().value());
            EXPECT_EQ(reader.position(), bytes.size());
        }
    }
    Bytes big;
    MemoryTarget target(big);
    ASSERT_TRUE(RecordWriter(target, ByteOrder::big).store_packet(bytes_of_hex("00000000")));
    EXPECT_EQ(to_hex(big), "0000000400000000");
}

TEST(Records, LiesAndCutsAreNamed) {
    const auto bytes = bytes_of_hex("04000000 00000000 ffffff7f 00000000");
    MemorySource lying(bytes);
    EXPECT_EQ(error_of(lying), (Error{Errc::truncated, Type::nil, 8, 0x7FFFFFFF - 4}));
    MemorySource limited(bytes);
    EXPECT_EQ(error_of(limited, 4), (Error{Errc::size_limit, Type::nil, 8, 0}));
    const auto negative_bytes = bytes_of_hex("00000080 00");
    MemorySource negative(negative_bytes);
    EXPECT_EQ(error_of(negative), (Error{Errc::bad_length, Type::nil, 0, 0}));
    MemorySource cut(ByteView(bytes).first(10));
    EXPECT_EQ(error_of(cut), (Error{Errc::truncated, Type::nil, 8, 2}));

    const auto latin_bytes = bytes_of_hex("01000000 e9000000 00");
    MemorySource latin(latin_bytes);
    EXPECT_EQ(RecordReader(latin).get_pascal_string().error().code, Errc::bad_utf8);
    MemorySource short_one(ByteView(bytes).first(3));
    RecordReader reader(short_one);
    EXPECT_EQ(reader.skip(5).error(), (Error{Errc::truncated, Type::nil, 0, 2}));
}

TEST(Records, AnyPiecesGiveTheSameRecords) {
    rc::check([] {
        const auto sizes = *rc::gen::container<std::vector<std::uint16_t>>(
            rc::gen::inRange<std::uint16_t>(0, 2000));
        const auto seed = *rc::gen::arbitrary<std::uint32_t>();
        std::vector<Bytes> packets;
        Bytes bytes(*rc::gen::inRange<std::size_t>(0, 100));
        const std::size_t skip = bytes.size();
        MemoryTarget target(bytes);
        RecordWriter writer(target);
        for (const auto size : sizes) {
            packets.push_back(sample_bytes(size, seed + size));
            RC_ASSERT(writer.store_packet(packets.back()).has_value());
        }
        Dribble source(bytes, *rc::gen::inRange<std::size_t>(1, 5000));
        RecordReader reader(source);
        RC_ASSERT(reader.skip(skip).has_value());
        for (const Bytes& packet : packets) {
            auto record = reader.next();
            RC_ASSERT(record.has_value() && record->has_value());
            RC_ASSERT(std::ranges::equal((*record)->packet, packet));
        }
        RC_ASSERT(!reader.next().value().has_value());
    });
}

platform::Descriptor temporary_file() {
    return platform::Descriptor(platform::make_nameless("").value());
}

TEST(Records, MemoryStaysFlatOverTwoGigabytes) {
    // Only the lengths are really stored; the packets are holes.
    constexpr std::uint32_t packet = (1u << 20) - 4;
    constexpr std::uint64_t count = 2049;
    const platform::Descriptor file = temporary_file();
    const auto put = [&](std::uint64_t at, ByteView bytes) {
        return platform::set_position(file.get(), static_cast<std::int64_t>(at)) &&
               platform::write_all(file.get(), bytes);
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        std::byte length[4];
        detail::store(length, packet);
        ASSERT_TRUE(put(i << 20, length));
    }
    ASSERT_TRUE(put((count << 20) - 1, std::array<std::byte, 1>{}));
    ASSERT_TRUE(platform::set_position(file.get(), 0));

    const long before = peak_kilobytes();
    FileSource source = FileSource::borrow(file.get());
    const auto readings = recognise(source).value();
    ASSERT_EQ(readings.size(), 1u);
    EXPECT_EQ(readings[0].kind, InputKind::records);
    EXPECT_EQ(readings[0].reason, "2049 records cover the 2148532224 bytes exactly");
    RecordReader reader(source);
    std::uint64_t records = 0;
    for (auto record = reader.next(); record && *record; record = reader.next()) {
        ASSERT_EQ((*record)->offset, records << 20);
        ++records;
    }
    EXPECT_EQ(records, count);
    EXPECT_LT(peak_kilobytes() - before, 16 * 1024);
}

TEST(Sources, FilesRewindToWhereTheyStoodAndPipesDoNot) {
    const platform::Descriptor file = temporary_file();
    ASSERT_TRUE(platform::write_all(file.get(), as_bytes("0123456789")));
    ASSERT_TRUE(platform::set_position(file.get(), 4));
    FileSource source = FileSource::borrow(file.get());
    EXPECT_EQ(source.size(), 6u);
    std::byte to[3];
    EXPECT_EQ(source.read(to), 3u);
    EXPECT_EQ(source.skip(1'000'000), 3u);
    ASSERT_TRUE(source.rewind());
    const auto all = read_all(source).value();
    EXPECT_EQ(detail::as_text(all.data(), all.size()), "456789");
    ASSERT_TRUE(source.rewind());
    EXPECT_EQ(read_all(source, 6)->size(), 6u);
    ASSERT_TRUE(source.rewind());
    EXPECT_EQ(read_all(source, 5).error().code, Errc::size_limit);

    const auto pipe = make_pipe();
    FileSource end = FileSource::borrow(pipe[0]);
    EXPECT_FALSE(end.can_rewind());
    EXPECT_FALSE(end.size());
    EXPECT_EQ(end.rewind().error().system, ESPIPE);
    EXPECT_EQ(recognise(end).error().system, ESPIPE);
    platform::close(pipe[0]);
    platform::close(pipe[1]);
    EXPECT_EQ(end.read(to).error().system, EBADF);
    EXPECT_EQ(FileSource::open("/no/such/file").error().system, ENOENT);
    EXPECT_EQ(to_string(FileSource::open("/no/such/file").error()),
              "error[io]: No such file or directory");
    // The number stays out of the Error, whose `need` counts bytes.
    EXPECT_EQ(FileSource::open("/no/such/file").error().error, Error{Errc::io});
    const FileError passed_on = Error{Errc::truncated, Type::nil, 0, 4};
    EXPECT_EQ(passed_on.system, 0);
    EXPECT_EQ(to_string(passed_on), "error[truncated]: need 4 more bytes");
}

TEST(Sources, SpoolsGiveBackWhatWasWritten) {
    const Bytes bytes = sample_bytes(3'000'000);
    for (const std::uint64_t memory :
         {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{1} << 30}) {
        Spool spool({.max_memory = memory, .max_bytes = bytes.size()});
        Dribble from(bytes, 70'001);
        ASSERT_EQ(copy(from, spool), bytes.size());
        EXPECT_EQ(spool.size(), bytes.size());
        EXPECT_EQ(read_all(spool).value(), bytes);
        ASSERT_TRUE(spool.rewind());
        EXPECT_EQ(spool.skip(bytes.size() - 2), bytes.size() - 2);
        EXPECT_EQ(read_all(spool)->size(), 2u);
        EXPECT_EQ(spool.skip(1), 0u);
        EXPECT_EQ(spool.write(ByteView(bytes).first(1)).error().code, Errc::size_limit);
    }
    Spool nowhere({.max_memory = 0, .folder = "/no/such/folder"});
    EXPECT_EQ(nowhere.write(bytes).error().system, ENOENT);
}

std::vector<InputKind> kinds(ByteView bytes) {
    return recognise(bytes);
}

TEST(Recognition, AllThatFitsInOrder) {
    using Kind = InputKind;
    const auto packet = bytes_of_hex("02000000 07000000");
    EXPECT_EQ(kinds(packet), (std::vector<Kind>{Kind::packet}));
    // A length of 8 can be read as the header of a Vector2i, too.
    EXPECT_EQ(kinds(bytes_of_hex("08000000 02000000 07000000")),
              (std::vector<Kind>{Kind::records, Kind::packet}));
    EXPECT_EQ(kinds(bytes_of_hex("00000008 02000000 07000000")),
              (std::vector<Kind>{Kind::records_be}));
    // The value that a cut record begins with ends long before the record does: 5e-324 is no record
    // of 65,539 bytes.
    EXPECT_EQ(kinds(bytes_of_hex("03000100 01000000 00000000")).at(0), Kind::packet);
    // An empty String is also one null record.
    EXPECT_EQ(kinds(bytes_of_hex("04000000 00000000")),
              (std::vector<Kind>{Kind::records, Kind::packet}));
    EXPECT_EQ(kinds(as_bytes("GDEC")), (std::vector<Kind>{Kind::gdec}));
    EXPECT_EQ(kinds(as_bytes("GCPF....")), (std::vector<Kind>{Kind::gcpf}));
    // As Base64 these digits are no packet.
    EXPECT_EQ(kinds(as_bytes("0x0400 0000\n04000000 74657374\n")), (std::vector<Kind>{Kind::hex}));
    EXPECT_EQ(kinds(as_bytes("04000000 04000000 74657374")), (std::vector<Kind>{Kind::hex}));
    EXPECT_EQ(kinds(as_bytes("BAAAAAQAAAB0ZXN0\n")), (std::vector<Kind>{Kind::base64}));
    // Less than 12 bytes may be a number.
    for (const char* text :
         {"02000000 07000000", "AgAAAAcAAAA=", "20241125", "d41d8cd98f00b204e9800998ecf8427e"})
        EXPECT_EQ(kinds(as_bytes(std::string_view(text))), std::vector<Kind>()) << text;
    // Packets without lengths: as an engine writes them, and not all of them short.
    EXPECT_EQ(kinds(bytes_of_hex("04000000 04000000 74657374 04000000 05000000 68656c6c 6f000000")),
              (std::vector<Kind>{Kind::packets}));
    for (const char* hex : {"00000000 00000000 00000000", "02000000 07000000 02000000 08000000",
                            "04000000 04000000 74657374 00000000",
                            "04000000 03000000 74657374 04000000 04000000 74657374"})
        EXPECT_EQ(std::ranges::count(kinds(bytes_of_hex(hex)), Kind::packets), 0) << hex;
    EXPECT_EQ(kinds(as_bytes("hello, world")), std::vector<Kind>());
    EXPECT_EQ(kinds({}), std::vector<Kind>());

    const Bytes ecfg = write_project(std::vector<ProjectEntry>{{"a", 0, packet}}).value();
    EXPECT_EQ(kinds(ecfg), (std::vector<Kind>{Kind::project}));
    MemorySource source(ecfg);
    EXPECT_EQ(recognise(source).value()[0].reason, "begins with ECFG: project settings");
    Bytes skipped = bytes_of_hex("ffff");
    const auto record = bytes_of_hex("08000000 02000000 07000000");
    skipped.insert(skipped.end(), record.begin(), record.end());
    MemorySource behind(skipped);
    EXPECT_EQ(recognise(behind, {.skip = 2}).value().at(0).kind, Kind::records);
    EXPECT_EQ(recognise(behind, {.skip = 99}).error().code, Errc::truncated);
    MemorySource large(packet);
    // The part that is there may be looked at, but nobody knows whether all of it is one packet.
    const auto unsure = recognise(large, {.max_load = 7}).value();
    for (const Reading& reading : unsure)
        EXPECT_FALSE(reading.whole) << reading.reason;
}

TEST(Project, ReadsWhatItWritesAndNamesDamage) {
    const auto packet = bytes_of_hex("02000000 07000000");
    const Bytes bytes = write_project(std::vector<ProjectEntry>{{"application/name", 0, packet},
                                                                {"b\0", 0, packet}})
                            .value();
    const auto entries = read_project(bytes).value();
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].key, "application/name");
    EXPECT_TRUE(std::ranges::equal(entries[1].packet, packet));
    EXPECT_EQ(entries[1].packet.data(), bytes.data() + entries[1].offset);
    for (std::size_t n = 4; n < bytes.size(); ++n)
        EXPECT_EQ(read_project(ByteView(bytes).first(n)).error().code, Errc::truncated) << n;
    EXPECT_EQ(read_project(as_bytes("ECF")).error().code, Errc::bad_magic);
    Bytes lying = bytes;
    detail::store(lying.data() + 4, std::uint32_t{0xFFFFFFFF});
    EXPECT_EQ(read_project(lying).error().code, Errc::truncated);
    Bytes longer = bytes;
    longer.push_back({});
    EXPECT_EQ(read_project(longer).error().code, Errc::trailing_bytes);
}

TEST(Coding, Base64AndHexThereAndBack) {
    EXPECT_EQ(to_base64(as_bytes("")), "");
    EXPECT_EQ(to_base64(as_bytes("f")), "Zg==");
    EXPECT_EQ(to_base64(as_bytes("fo")), "Zm8=");
    EXPECT_EQ(to_base64(as_bytes("foo")), "Zm9v");
    rc::check([](const std::string& text) {
        const Bytes bytes(as_bytes(text).begin(), as_bytes(text).end());
        std::string lines = to_base64(bytes);
        for (std::size_t i = 0; i < lines.size(); i += 5)
            lines.insert(i, "\r\n");
        RC_ASSERT(from_base64(lines).value() == bytes);
        RC_ASSERT(from_hex(to_hex(bytes)).value() == bytes);
    });
    for (const std::string_view bad : {"A", "AA=A", "=", "A===", "AAAA=", "AA-A", "AAA=="})
        EXPECT_EQ(from_base64(bad).error().code, Errc::bad_base64) << bad;
    EXPECT_EQ(from_base64("AAAA*").error().offset, 4u);
    EXPECT_EQ(to_string(from_base64("AAAA\nAA*").error()),
              "2:3: error[bad_base64]: Not Base64 text");
    for (const std::string_view bad : {"0", "0g", "00,00", "000x"})
        EXPECT_EQ(from_hex(bad).error().code, Errc::bad_hex) << bad;
    EXPECT_EQ(from_hex(" 0xAB cd\n")->size(), 2u);
}

}  // namespace
}  // namespace gdvar::test
