// Damaged saves: what comes before a break is always there, what comes behind is found again,
// nothing is invented.
#include "gdvar/file/recover.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "gdvar/gdvar.hpp"
#include "save/support.hpp"
#include "support.hpp"
#include "support/case_name.hpp"
#include "support/data.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr const char* engines[] = {"godot-3.2.3", "godot-3.6.2", "godot-4.6.3", "pandemonium-5.3"};

/// A sound save, and what its bytes stand for.
struct Save {
    std::string name;
    Bytes bytes;
    std::optional<ContainerKey> key{};
    std::vector<Bytes> packets{};     ///< its records, or its only packet
    std::vector<std::size_t> ends{};  ///< of the records, in the innermost content
    /// How many bytes of that content come from the first so many bytes of the file alone.
    std::function<std::size_t(std::size_t)> content_before{};
    bool plain = false;  ///< no layers: content and file are the same

    std::size_t records_before(std::size_t file_byte) const {
        const std::size_t there = content_before(file_byte);
        return static_cast<std::size_t>(
            std::ranges::count_if(ends, [&](std::size_t end) { return end <= there; }));
    }
    SaveOptions options() const { return {.key = key}; }
};

/// zlib's output for the first bytes of a stream.
std::size_t inflated(ByteView from) {
    z_stream stream{};
    if (::inflateInit2(&stream, 15 + 32) != Z_OK)
        return 0;
    Bytes out(1 << 16);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(from.data()));
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    (void)::inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t size = stream.total_out;
    ::inflateEnd(&stream);
    return size;
}

/// FastLZ, first level: what comes of the instructions that end before that byte.
std::size_t unpacked(ByteView from) {
    std::size_t at = 0, size = 0;
    while (at < from.size()) {
        auto word = std::to_integer<unsigned>(from[at]);
        if (at == 0)
            word &= 31;
        const std::size_t length = word < 32 ? word + 2 : word >> 5 == 7 ? 3 : 2;
        if (at + length > from.size())
            break;
        size += word < 32        ? word + 1
                : word >> 5 == 7 ? std::to_integer<unsigned>(from[at + 1]) + 9
                                 : (word >> 5) + 2;
        at += length;
    }
    return size;
}

/// How much of a GCPF's content is there before a byte of the file: whole blocks, and of the next
/// one what its stream gives.
std::size_t before_gcpf(ByteView file, std::size_t at) {
    const auto word = [&](std::size_t offset) {
        return detail::load<std::uint32_t>(file.data() + offset);
    };
    const std::uint32_t mode = word(4), block = word(8), size = word(12);
    const std::size_t blocks = size / block + 1;
    std::size_t begin = 16 + 4 * blocks, content = 0;
    if (at < begin)
        return 0;  // a header can be mended, but need not be
    for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t packed = word(16 + 4 * i);
        if (begin + packed > at) {
            const ByteView part = file.subspan(begin, at - begin);
            const std::size_t some = mode == 0 ? unpacked(part) : mode == 2 ? 0 : inflated(part);
            return content + std::min<std::size_t>(some, block);
        }
        begin += packed;
        content += std::min<std::size_t>(block, size - content);
    }
    return content;
}

Bytes framed(const std::vector<Bytes>& packets, std::vector<std::size_t>& ends,
             ByteOrder order = ByteOrder::little) {
    Bytes out;
    MemoryTarget target(out);
    RecordWriter writer(target, order);
    for (const Bytes& packet : packets) {
        EXPECT_TRUE(writer.store_packet(packet));
        ends.push_back(out.size());
    }
    return out;
}

void describe(Save& save, const std::string& kind) {
    const Bytes file = save.bytes;
    save.plain = kind.starts_with("plain");
    if (kind.starts_with("gcpf")) {
        save.content_before = [file](std::size_t at) { return before_gcpf(file, at); };
    } else if (kind.starts_with("gdec")) {
        // The content is damaged from the start of the block of 16 bytes on.
        const std::size_t header = detail::load<std::uint32_t>(file.data() + 4) == 1 ? 32 : 44;
        const std::size_t iv = header == 44 ? 28 : 32;
        save.content_before = [file, header, iv](std::size_t at) -> std::size_t {
            return at < iv || at < header ? 0 : (at - header) / 16 * 16;
        };
    } else if (kind == "base64") {
        save.content_before = [](std::size_t at) { return at / 4 * 3; };
    } else {
        save.content_before = [](std::size_t at) { return at; };
    }
}

std::vector<Save> engine_saves(const std::string& engine) {
    std::vector<Save> out;
    const auto folder = data_dir() / "saves" / engine;
    std::vector<Bytes> packets;
    ContainerKey pass, key;
    std::istringstream lines(read_text(folder / "expected.ndjson"));
    for (std::string line; std::getline(lines, line);) {
        const auto row = nlohmann::json::parse(line);
        if (row.contains("bytes")) {
            packets.push_back(from_hex(row["bytes"].get<std::string>()).value());
        } else {
            pass = key_from_password(row["pass"].get<std::string>()).value();
            key = key_from_bytes(as_bytes(row["key"].get<std::string>())).value();
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string kind = entry.path().stem().string();
        if (kind == "expected")
            continue;
        Save save{engine + "/" + kind, read_bytes(entry.path()), {}, packets};
        if (kind.starts_with("gdec"))
            save.key = kind == "gdec_pass" ? pass : key;
        if (kind == "base64") {
            save.packets.resize(1);
            save.ends = {packets[0].size()};
        } else {
            (void)framed(packets, save.ends);
        }
        describe(save, kind);
        out.push_back(std::move(save));
    }
    std::ranges::sort(out, {}, &Save::name);
    return out;
}

/// Many records of all types, as an engine wrote them.
std::vector<Bytes> many_packets(const std::string& engine, std::size_t most) {
    std::vector<Bytes> out;
    std::istringstream lines(read_text(data_dir() / "vectors" / (engine + ".ndjson")));
    std::string line;
    std::getline(lines, line);
    std::size_t number = 0;
    while (out.size() < most && std::getline(lines, line)) {
        const auto row = nlohmann::json::parse(line);
        if (row.value("objects", false) || number++ % 7)
            continue;
        out.push_back(from_hex(row["bytes"].get<std::string>()).value());
    }
    return out;
}

/// A larger save, in a container of several blocks.
Save large_save(const std::string& engine, const std::string& kind) {
    Save save{engine + " many " + kind, {}, {}, many_packets(engine, 120)};
    const Bytes plain = framed(save.packets, save.ends);
    save.bytes = plain;
    if (kind != "plain") {
        save.key = key_from_password("x").value();
        const Layer layer = find_layer(kind).value();
        MemorySource source(plain);
        save.bytes.clear();
        MemoryTarget to(save.bytes);
        EXPECT_TRUE(layer.kind->write(source, to, layer, {.key = &*save.key}));
    }
    describe(save, kind);
    return save;
}

/// The damage done to a save.
struct Damage {
    Bytes bytes;
    std::size_t first = 0;  ///< the first damaged byte
    std::size_t end = 0;    ///< behind the last one
    bool shifts = false;    ///< bytes came or went
};

Damage random_damage(const Bytes& sound, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return n ? random() % n : 0; };
    Damage out{sound};
    const std::size_t at = below(sound.size());
    const std::size_t run =
        1 + below(std::min<std::size_t>(sound.size() - at, random() % 4 ? 40 : 600));
    out.first = at;
    out.end = std::min(at + run, sound.size());
    const auto begin = out.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = out.bytes.begin() + static_cast<std::ptrdiff_t>(out.end);
    switch (random() % 5) {
        case 0:
            out.end = at + 1;
            out.bytes[at] ^= static_cast<std::byte>(1 + below(255));
            break;
        case 1:
            std::fill(begin, end, std::byte{});
            break;
        case 2:
            std::generate(begin, end, [&] { return static_cast<std::byte>(random()); });
            break;
        case 3:
            out.bytes.erase(begin, end);
            out.shifts = true;
            break;
        default: {
            Bytes more(run);
            std::ranges::generate(more, [&] { return static_cast<std::byte>(random()); });
            out.bytes.insert(begin, more.begin(), more.end());
            out.shifts = true;
        }
    }
    return out;
}

/// Counts of many runs.
struct Seen {
    std::size_t runs = 0, given_up = 0;
    std::size_t behind = 0, found = 0;  ///< records that are sound behind the damage
    std::size_t invented = 0;           ///< whole values where there was none, outside the damage
};

void check_laws(const Save& save, const Damage& damage, Seen& seen) {
    ++seen.runs;
    const std::size_t wanted = save.records_before(damage.first);
    const auto recovery = recover_save(damage.bytes, save.options());
    if (!recovery) {
        ++seen.given_up;
        EXPECT_EQ(wanted, 0u) << to_string(recovery.error());
        EXPECT_NE(recovery.error().code, Errc::no_memory);
        return;
    }
    const auto& items = recovery->items();
    ASSERT_GE(items.size(), wanted);
    for (std::size_t i = 0; i < wanted; ++i)
        ASSERT_TRUE(std::ranges::equal(items[i].packet, save.packets[i])) << i;
    const DecodeOptions decoding{.dialect = &recovery->dialect(), .allow_objects = true};
    for (const RecoveredItem& item : items) {
        const auto size = validate(item.packet, decoding);
        ASSERT_TRUE(size) << to_string(size.error());
        ASSERT_EQ(*size, item.packet.size());
    }
    if (seen.runs % 16 == 0) {
        Bytes written;
        MemoryTarget to(written);
        const auto done = recovery->write(to, save.options().the_key());
        ASSERT_TRUE(done) << to_string(done.error());
        auto again = recover_save(written, {.key = save.options().key,
                                            .dialect = &recovery->dialect(),
                                            .as = recovery->kind().seen_as});
        ASSERT_TRUE(again) << to_string(again.error());
        EXPECT_TRUE(again->sound());
        ASSERT_EQ(again->items().size(), items.size());
        for (std::size_t i = 0; i < items.size(); ++i)
            EXPECT_TRUE(std::ranges::equal(again->items()[i].packet, items[i].packet));
    }
    if (!save.plain || damage.shifts || save.packets.size() < 2)
        return;
    for (std::size_t i = 0; i < save.packets.size(); ++i) {
        const std::size_t begin = save.ends[i] - save.packets[i].size() - 4;
        if (begin < damage.end)
            continue;
        ++seen.behind;
        seen.found += std::ranges::any_of(items, [&](const RecoveredItem& item) {
            return item.offset == begin + 4 && std::ranges::equal(item.packet, save.packets[i]);
        });
    }
    for (const RecoveredItem& item : items) {
        const std::size_t end = item.offset + item.packet.size();
        if (item.state != Recovered::whole || (item.offset < damage.end + 4 && end > damage.first))
            continue;
        seen.invented += std::ranges::find(save.ends, end) == save.ends.end();
    }
}

bool hold_laws(const Save& save, const Damage& damage, Seen& seen) {
    const auto* const result = testing::UnitTest::GetInstance()->current_test_info()->result();
    const int before = result->total_part_count();
    check_laws(save, damage, seen);
    return result->total_part_count() == before;
}

void cut_everywhere(const Save& save, Seen& seen) {
    SCOPED_TRACE(save.name + " cut");
    const bool small = save.bytes.size() < 10'000;
    const std::size_t step = sweep() && small ? 1 : 1 + save.bytes.size() / (sweep() ? 500 : 61);
    for (std::size_t n = 0; n < save.bytes.size(); n += step) {
        Damage cut{
            {save.bytes.begin(), save.bytes.begin() + static_cast<std::ptrdiff_t>(n)}, n, n, true};
        if (!hold_laws(save, cut, seen)) {
            ADD_FAILURE() << "cut to " << n << " bytes";
            return;
        }
    }
}

void damage_at_random(const Save& save, Seen& seen) {
    SCOPED_TRACE(save.name);
    std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(save.name)));
    for (int i = 0; i < (!sweep() ? 60 : save.bytes.size() < 10'000 ? 1000 : 300); ++i) {
        const Damage damage = random_damage(save.bytes, random);
        if (!hold_laws(save, damage, seen)) {
            ADD_FAILURE() << "damage " << i << " from " << damage.first << " to " << damage.end
                          << (damage.shifts ? ", shifted" : "");
            return;
        }
    }
}

void report(const char* what, const Seen& seen) {
    std::printf(
        "%s: %zu runs, %zu with nothing; behind the damage %zu of %zu records found; "
        "%zu values invented\n",
        what, seen.runs, seen.given_up, seen.found, seen.behind, seen.invented);
}

class Recover : public testing::TestWithParam<const char*> {};

TEST_P(Recover, SoundSavesComeBackAsTheyWere) {
    for (const Save& save : engine_saves(GetParam())) {
        SCOPED_TRACE(save.name);
        const auto recovery = recover_save(save.bytes, save.options());
        ASSERT_TRUE(recovery) << to_string(recovery.error());
        EXPECT_TRUE(recovery->sound());
        ASSERT_EQ(recovery->items().size(), save.packets.size());
        Bytes written;
        MemoryTarget to(written);
        ASSERT_TRUE(recovery->write(to, save.options().the_key()));
        if (save.plain || save.name.ends_with("base64")) {
            EXPECT_EQ(written, save.bytes);
        }
        const auto opened = read_save(written, {.key = save.key});
        ASSERT_TRUE(opened);
        ASSERT_EQ(opened->items().size(), save.packets.size());
        for (std::size_t i = 0; i < save.packets.size(); ++i)
            EXPECT_TRUE(std::ranges::equal(opened->items()[i].packet, save.packets[i]));
    }
}

TEST_P(Recover, EveryCut) {
    Seen seen;
    for (const Save& save : engine_saves(GetParam()))
        cut_everywhere(save, seen);
    report(GetParam(), seen);
}

TEST_P(Recover, RandomDamage) {
    Seen seen;
    for (const Save& save : engine_saves(GetParam()))
        damage_at_random(save, seen);
    report(GetParam(), seen);
    EXPECT_EQ(seen.invented, 0u);
    // One of the two records behind the first is a lonely String.
    EXPECT_GE(seen.found * 10, seen.behind * 9);
}

TEST_P(Recover, ManyRecords) {
    for (const char* kind :
         {"plain", "gcpf-fastlz", "gcpf-deflate", "gcpf-zstd", "gcpf-gzip", "gdec-3", "gdec-4"}) {
        Seen seen;
        const Save save = large_save(GetParam(), kind);
        cut_everywhere(save, seen);
        damage_at_random(save, seen);
        report(save.name.c_str(), seen);
        EXPECT_LE(seen.invented * 50, seen.runs);
        EXPECT_GE(seen.found * 100, seen.behind * 95);
    }
}

TEST(RecoverRows, BytesBeforeTheFirstRecord) {
    std::vector<std::size_t> ends;
    const Bytes records = framed(many_packets("godot-4.6.3", 40), ends);
    for (std::size_t more = 1; more < 20; ++more) {
        Bytes bytes(more, std::byte{0xEE});
        bytes.insert(bytes.end(), records.begin(), records.end());
        const auto recovery = recover_save(bytes, {.dialect = &dialects::godot_4_4});
        ASSERT_TRUE(recovery) << more;
        ASSERT_FALSE(recovery->items().empty());
        EXPECT_TRUE(recovery->items()[0].found_again);
        // The first ones are nil, bools and ints.
        EXPECT_GE(recovery->items().size(), 38u) << more;
        EXPECT_EQ(recovery->items().back().offset + recovery->items().back().packet.size(),
                  bytes.size());
    }
}

// ---- nothing is invented

std::size_t whole_items(const std::expected<Recovery, FileError>& recovery) {
    return recovery
               ? static_cast<std::size_t>(std::ranges::count_if(
                     recovery->items(),
                     [](const RecoveredItem& item) { return item.state != Recovered::partial; }))
               : 0;
}

/// Bytes as they may stand in a damaged file, without any record.
Bytes noise(int kind, std::size_t size, std::mt19937& random) {
    Bytes out(size);
    std::uint32_t held = 0;
    for (std::size_t i = 0; i < size; ++i) {
        switch (kind) {
            case 0:  // any bytes
                out[i] = static_cast<std::byte>(random());
                break;
            case 1:  // mostly zeros
                out[i] = random() % 8 ? std::byte{} : static_cast<std::byte>(random());
                break;
            case 2:  // small bytes
                out[i] = static_cast<std::byte>(random() % 32);
                break;
            case 3:  // text
                out[i] = static_cast<std::byte>("etaoin shrdlu,.=:_0123456789"[random() % 28]);
                break;
            case 4:  // words of small numbers
                if (i % 4 == 0)
                    held = static_cast<std::uint32_t>(random() % 100);
                out[i] = static_cast<std::byte>(held >> (i % 4 * 8));
                break;
            default:  // words of numbers that are headers and lengths in most dialects
                if (i % 4 == 0)
                    held = static_cast<std::uint32_t>(random() % 10);
                out[i] = static_cast<std::byte>(held >> (i % 4 * 8));
        }
    }
    return out;
}

TEST(RecoverNothing, OfNoise) {
    constexpr const char* names[] = {"any bytes", "mostly zeros", "small bytes",
                                     "text",      "words to 100", "words to 10"};
    // How many records may be found in a megabyte. Words to 10 hold rows of records by chance: an
    // int is `8 2 n`.
    constexpr double most[] = {0, 0, 0, 0, 0, 8};
    std::mt19937 random(1);
    const std::size_t size = (sweep() ? 64u : 4u) << 20;
    for (int kind = 0; kind < 6; ++kind) {
        std::size_t found = 0;
        for (int part = 0; part < 4; ++part)
            found += whole_items(
                recover_save(noise(kind, size / 4, random),
                             {.dialect = &dialects::godot_4_4, .as = InputKind::records}));
        std::printf("%s: %zu records in %zu MiB\n", names[kind], found, size >> 20);
        EXPECT_LE(static_cast<double>(found), most[kind] * static_cast<double>(size >> 20));
    }
}

/// Contents of values are not a row of records: packets without their first bytes, and with
/// every possible start.
TEST(RecoverNothing, OfValues) {
    std::size_t found = 0, bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "workloads" / "g4")) {
        if (entry.path().extension() != ".bin")
            continue;
        const Bytes all = read_bytes(entry.path());
        for (std::size_t skip = 1; skip < 64; skip += sweep() ? 1 : 21) {
            const Bytes part(all.begin() + static_cast<std::ptrdiff_t>(skip), all.end());
            const auto recovery =
                recover_save(part, {.dialect = &dialects::godot_4_4, .as = InputKind::records});
            bytes += part.size();
            if (!recovery)
                continue;
            // A value at the very start may be one whose length is wrong: that is no invention.
            for (const RecoveredItem& item : recovery->items())
                found += item.state == Recovered::whole;
        }
    }
    std::printf("%zu records in %zu MiB of values\n", found, bytes >> 20);
    EXPECT_EQ(found, 0u);
}

INSTANTIATE_TEST_SUITE_P(Engines, Recover, testing::ValuesIn(engines), case_name);

}  // namespace
}  // namespace gdvar::test
