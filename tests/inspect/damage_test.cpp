// Saves with a damaged byte, cut off, or with bytes behind them: what they are, and whose, stays
// what it was.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "gdvar/inspect/guess.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/data.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

using Bytes = std::vector<std::byte>;

struct Save {
    const char* folder;
    TextFamily family;
};
constexpr Save saves[] = {{"godot-4.6.3", TextFamily::godot_4},
                          {"godot-3.6.2", TextFamily::godot_3_6},
                          {"godot-3.2.3", TextFamily::godot_3_6},
                          {"pandemonium-5.3", TextFamily::pandemonium}};

Bytes file(const Save& save, const char* name) {
    return read_bytes(data_dir() / "saves" / save.folder / name);
}

/// As the command does it: what kind of input, and in which dialect.
struct Verdict {
    InputKind kind = InputKind::unknown;
    const Dialect* dialect = nullptr;
};
Verdict verdict(ByteView bytes) {
    MemorySource source(bytes);
    const auto readings = recognise(source).value();
    if (readings.empty())
        return {};
    const InputKind kind = readings[0].kind;
    std::vector<Bytes> packets;
    bool cut = false;
    if (kind == InputKind::packet) {
        packets.emplace_back(bytes.begin(), bytes.end());
    } else if (kind == InputKind::records || kind == InputKind::records_be) {
        MemorySource records(bytes);
        RecordReader reader(records,
                            kind == InputKind::records ? ByteOrder::little : ByteOrder::big);
        for (;;) {
            auto record = reader.next();
            if (!record && record.error().error.offset + 8 <= bytes.size()) {
                const auto rest = bytes.subspan(record.error().error.offset + 4);
                packets.emplace_back(rest.begin(), rest.end());
                cut = true;
            }
            if (!record || !*record)
                break;
            packets.emplace_back((*record)->packet.begin(), (*record)->packet.end());
        }
    }
    const std::vector<ByteView> views(packets.begin(), packets.end());
    return {kind, guess_dialect(views, {.cut = cut}).likely};
}

struct Count {
    std::size_t right = 0, all = 0;
    double share() const { return static_cast<double>(right) / static_cast<double>(all); }
};

/// Damages the bytes in many places, in ways as disks, editors and hands do it.
void damage(const Bytes& bytes, const std::function<void(const Bytes&)>& use) {
    const std::size_t step = bytes.size() / 211 + 1;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        for (const std::byte flip :
             {std::byte{0x01}, std::byte{0x20}, std::byte{0x80}, ~bytes[at]}) {
            Bytes damaged = bytes;
            damaged[at] ^= flip;
            use(damaged);
        }
    }
}
void cut_off(const Bytes& bytes, const std::function<void(const Bytes&)>& use) {
    const std::size_t step = bytes.size() / 101 + 1;
    for (std::size_t n = bytes.size() / 8; n < bytes.size(); n += step)
        use(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)));
}
void lengthen(const Bytes& bytes, const std::function<void(const Bytes&)>& use) {
    for (const std::string& more :
         {std::string("\n"), std::string("\r\n"), std::string("some text"), std::string(4, '\0'),
          std::string(64, '\0')}) {
        Bytes longer = bytes;
        const ByteView what = as_bytes(std::string_view(more));
        longer.insert(longer.end(), what.begin(), what.end());
        use(longer);
    }
}

TEST(Damage, SavesStayWhatTheyAre) {
    std::map<std::string, Count> kinds, dialects;
    for (const Save& save : saves)
        for (const char* name : {"plain.save", "plain_big_endian.save"}) {
            const Bytes whole = file(save, name);
            const Verdict sound = verdict(whole);
            const auto look = [&](const char* how) {
                return [&, how](const Bytes& bytes) {
                    const Verdict now = verdict(bytes);
                    Count &kind = kinds[how], &dialect = dialects[how];
                    ++kind.all, ++dialect.all;
                    kind.right += now.kind == sound.kind;
                    dialect.right += now.dialect && now.dialect->family == sound.dialect->family;
                };
            };
            ASSERT_TRUE(sound.dialect);
            EXPECT_EQ(sound.dialect->family, save.family) << save.folder;
            damage(whole, look("damaged"));
            cut_off(whole, look("cut off"));
            lengthen(whole, look("longer"));
        }
    const auto floor = [&](const char* how, double kind, double dialect) {
        EXPECT_GE(kinds[how].share(), kind)
            << how << ": " << kinds[how].right << " of " << kinds[how].all;
        EXPECT_GE(dialects[how].share(), dialect)
            << how << ": " << dialects[how].right << " of " << dialects[how].all;
        RecordProperty(std::string(how) + " kinds", static_cast<int>(1e4 * kinds[how].share()));
        RecordProperty(std::string(how) + " dialects",
                       static_cast<int>(1e4 * dialects[how].share()));
    };
    floor("damaged", 0.995, 0.995);
    floor("cut off", 1, 1);
    floor("longer", 1, 1);
}

/// The first record of each save, as a bare packet.
TEST(Damage, PacketsStayWhatTheyAre) {
    std::map<std::string, Count> right;
    for (const Save& save : saves) {
        const Bytes records = file(save, "plain.save");
        MemorySource source(records);
        RecordReader reader(source);
        const ByteView first = reader.next().value()->packet;
        const Bytes whole(first.begin(), first.end());
        const auto look = [&](const char* how) {
            return [&, how](const Bytes& bytes) {
                const Verdict now = verdict(bytes);
                Count& count = right[how];
                ++count.all;
                count.right += now.kind == InputKind::packet && now.dialect &&
                               now.dialect->family == save.family;
            };
        };
        damage(whole, look("damaged"));
        cut_off(whole, look("cut off"));
        lengthen(whole, look("longer"));
    }
    for (const auto& [how, floor] :
         {std::pair("damaged", 0.99), std::pair("cut off", 1.0), std::pair("longer", 1.0)})
        EXPECT_GE(right[how].share(), floor)
            << how << ": " << right[how].right << " of " << right[how].all;
}

TEST(Damage, TextIsNeverAPacketAndForeignFormatsAreNamed) {
    const auto kind = [](std::string_view text) {
        MemorySource source(as_bytes(text));
        const auto readings = recognise(source).value();
        return readings.empty()
                   ? std::string("unknown")
                   : std::string(input_kind_name(readings[0].kind)) + ": " + readings[0].reason;
    };
    EXPECT_EQ(kind("\nhello, this is a text, and it is longer than a Vector3i"), "foreign: text");
    EXPECT_EQ(kind("\t\t\t\t\t\t\t\t"), "foreign: text");
    EXPECT_EQ(kind(std::string_view("\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\xe6\x02\0", 14)),
              "gzip: begins like gzip, but ends inside of it");
    EXPECT_EQ(kind("\x28\xb5\x2f\xfd...."), "zstd: begins like zstd, but breaks at byte 0");
    EXPECT_EQ(kind("BZh9...."), "foreign: bzip2-compressed data");
    EXPECT_EQ(kind("RSRC...."), "binary-resource: begins with RSRC: a binary resource");
    EXPECT_EQ(kind("RSCC...."), "binary-resource: begins with RSCC: a compressed binary resource");
    EXPECT_EQ(kind("GDPC...."), "pack: begins with the magic of a pack");
    EXPECT_EQ(kind("PK\x03\x04...."), "foreign: a zip archive");
    const std::string_view uids(
        "\2\0\0\0"
        "\x8a\x11\x5f\x20\x0c\x4a\x39\x6b"
        "\x0e\0\0\0"
        "res://a/b.tscn"
        "\x01\x02\x03\x04\x05\x06\x07\x08"
        "\x0a\0\0\0"
        "res://c.gd",
        4 + 12 + 14 + 12 + 10);
    EXPECT_EQ(kind(uids), "foreign: Godot's cache of the ids of resources (.godot/uid_cache.bin)");
    EXPECT_EQ(kind("{\"a\": [1, 2.5]}\n"), "foreign: text, as of JSON or of var_to_str");
    EXPECT_EQ(kind("[gd_resource type=\"Resource\" format=3]\n"),
              "foreign: a text resource of Godot (.tres)");
    EXPECT_EQ(kind("; comment\n\n[section]\nkey=1\n"),
              "foreign: a text of sections (a ConfigFile, project.godot)");
    EXPECT_EQ(kind("[1, 2]"), "foreign: text, as of JSON or of var_to_str");
    // Words that happen to be Base64, and digits that happen to be hex.
    EXPECT_EQ(kind("helloworld12"), "foreign: text");
    EXPECT_EQ(kind("040000000400000074657374\n"), "hex: hex digits for 12 bytes");
    EXPECT_EQ(kind("BAAAAAQAAAB0ZXN0\n"), "base64: Base64 for 12 bytes");
    EXPECT_EQ(kind("0200000007000000\n"), "foreign: text");
    // A long text in a packet does not make it one.
    const std::string text(5000, 'a');
    const auto packet = encode(text);
    EXPECT_EQ(kind({reinterpret_cast<const char*>(packet->data()), packet->size()}).substr(0, 6),
              "packet");
}

TEST(Damage, OddFloatsThatFitExactlyAreStillThemselves) {
    // Nothing is left over, so it is what it says, however odd.
    for (const char* packet : {"09000000 01000000 02000000 03000000", "03000000 01000000",
                               "05000000 ffff7f7f 0000c07f", "00000000", "01000000 01000000"})
        EXPECT_EQ(verdict(*from_hex(packet)).kind, InputKind::packet) << packet;
}

TEST(Salvage, EveryPrefixIsReadUpToTheBreak) {
    for (const Save& save : saves) {
        const Bytes records = file(save, "plain.save");
        MemorySource source(records);
        RecordReader reader(source);
        const ByteView whole = reader.next().value()->packet;
        const DecodeOptions options{.dialect = verdict(records).dialect};
        std::size_t last = 0, salvaged = 0;
        for (std::size_t n = 4; n < whole.size(); n += 3) {
            const auto part = up_to_break(whole.first(n), options);
            if (!part)
                continue;
            ++salvaged;
            EXPECT_EQ(validate(part->packet, options), part->packet.size());
            EXPECT_GE(part->packet.size(), last) << n;
            EXPECT_LE(part->packet.size(), n);
            // No more is lost than the value that breaks and its key; the largest is a packed
            // array.
            EXPECT_LT(n - part->packet.size(), 300u) << n;
            EXPECT_EQ(part->error.code, Errc::truncated);
            last = part->packet.size();
        }
        EXPECT_GT(salvaged, whole.size() / 4);
        EXPECT_FALSE(up_to_break(whole, options));
    }
}

TEST(Salvage, CountsThatLieAndContainersThatAreKeys) {
    const auto text_of = [](const char* packet) {
        const auto part = up_to_break(*from_hex(packet), {.allow_objects = true});
        return part ? hex(part->packet) : std::string("nothing");
    };
    // An Array that says that it has 2^31-1 elements, and has one.
    EXPECT_EQ(text_of("1c000000 ffffff7f 02000000 07000000"), "1c000000010000000200000007000000");
    // A Dictionary whose key is the Array in which it breaks: not one pair is whole.
    EXPECT_EQ(text_of("1b000000 02000000 1c000000 02000000 02000000 07000000"), "1b00000000000000");
    // The same Array as the value of a key stays, with what it has.
    EXPECT_EQ(text_of("1b000000 01000000 00000000 1c000000 02000000 02000000 07000000"),
              "1b00000001000000000000001c000000010000000200000007000000");
    // A key without its value goes.
    EXPECT_EQ(text_of("1b000000 02000000 00000000 00000000 02000000 07000000"),
              "1b0000000100000000000000"
              "00000000");
    // Texts of a PackedStringArray, and an Object's properties.
    EXPECT_EQ(text_of("22000000 02000000 02000000 61000000 09000000"),
              "22000000010000000200000061000000");
    EXPECT_EQ(
        text_of("18000000 01000000 4e000000 02000000 01000000 61000000 00000000 01000000 62000000"),
        "18000000010000004e00000001000000010000006100000000000000");
    EXPECT_EQ(text_of("02000000"), "nothing");
    EXPECT_EQ(text_of("ff000000"), "nothing");
}

}  // namespace
}  // namespace gdvar::test
