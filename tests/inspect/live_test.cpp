// Real engines read what we write and give back the same bytes; we read what they write and give
// back the same bytes, text and JSON. 2,000 values of each kind for each engine.
#include <gtest/gtest.h>

#include <fstream>

#include "gdvar/gdvar.hpp"
#include "support.hpp"
#include "support/engine_json.hpp"
#include "support/generate.hpp"
#include "support/live.hpp"
#include "support/padding.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

namespace fs = std::filesystem;
constexpr std::size_t values_each = 2000;
constexpr unsigned values_seed = 20260;

void append_frame(std::string& out, ByteView packet) {
    std::byte length[4];
    detail::store(length, static_cast<std::uint32_t>(packet.size()));
    out.append(reinterpret_cast<const char*>(length), 4);
    out.append(reinterpret_cast<const char*>(packet.data()), packet.size());
}

struct Sent {
    PackedByteArray packet;
    std::vector<std::byte> expected;  ///< what the engine is to give back
    bool same;                        ///< that is the packet itself
    Variant value;
};

/// Values that engines do not give back as they were: a NUL, a byte order mark, equal keys.
Variant with_oddities(Variant value, Random& random) {
    Dictionary twice;
    twice.append("key", std::move(value));
    twice.append(below(random, 2) ? Variant("key") : Variant("other"), any_text(random));
    return Array{std::string_view("cut\0here", 8), "\xEF\xBB\xBFmark", std::move(twice),
                 PackedStringArray{std::string_view("a\0b", 3)}};
}

/// Random values that the engine's dialect can say, with what the engine will make of each. Objects
/// in full are left out (an engine would make them), and what gets a fresh id in it.
std::vector<Sent> values_for(const Engine& engine) {
    Random random(values_seed);
    std::vector<Sent> out;
    const EncodeOptions to{.dialect = engine.dialect};
    for (std::size_t same = 0; same < values_each;) {
        Sent next;
        next.value = any_value(random, 4);
        if (below(random, 8) == 0)
            next.value = with_oddities(std::move(next.value), random);
        auto packet = encode(next.value, to);
        if (!packet)
            continue;
        next.packet = *std::move(packet);
        const auto read = read_as(engine, as_bytes(next.packet));
        if (!read)
            continue;  // refused by the engine: the damaged recordings test those
        bool unknown = false;
        for (const std::string& change : read->changes)
            unknown = unknown || change.find("fresh") != change.npos ||
                      change.find("left as") != change.npos;
        if (unknown)
            continue;
        const auto back = reencoding(engine, as_bytes(next.packet));
        if (!back) {
            ADD_FAILURE() << "no prediction for " << to_hex(as_bytes(next.packet));
            continue;
        }
        next.expected.assign(as_bytes(*back).begin(), as_bytes(*back).end());
        next.same = *back == next.packet;
        same += next.same;
        out.push_back(std::move(next));
    }
    return out;
}

void engine_reads_ours(const char* recording, const char* name, const char* script) {
    std::string why;
    const auto live = LiveEngine::find(recording, why);
    if (!live)
        GTEST_SKIP() << why;
    const Engine* engine = engine_named(name);
    ASSERT_NE(engine, nullptr);
    const std::vector<Sent> sent = values_for(*engine);
    std::string frames;
    for (const Sent& one : sent)
        append_frame(frames, as_bytes(one.packet));
    std::ofstream(live->folder() / "values.bin", std::ios::binary) << frames;
    live->run(source_dir() / "tests" / "inspect" / script, "%D/");

    const std::vector<std::byte> given = read_bytes(live->folder() / "engine.bin");
    ByteView rest = given;
    std::size_t same = 0, predicted = 0;
    for (const Sent& one : sent) {
        const auto frame = read_frame(rest, ByteOrder::little);
        ASSERT_TRUE(frame) << "the engine stopped after " << same + predicted << " values";
        rest = rest.subspan(frame->size);
        const auto clean =
            with_clean_paths({frame->packet.begin(), frame->packet.end()}, *engine->dialect);
        EXPECT_EQ(hex(clean), hex(one.expected)) << "of " << hex(as_bytes(one.packet));
        ++(one.same ? same : predicted);
        if (one.same) {
            DecodeOptions from;
            from.dialect = engine->dialect;
            const auto value = decode(clean, from);
            ASSERT_TRUE(value);
            EXPECT_TRUE(identical(*value, one.value));
        }
    }
    EXPECT_TRUE(rest.empty());
    EXPECT_GE(same, values_each);
    EXPECT_GT(predicted, 200u);
    std::printf("%s: %zu values came back as the same bytes, %zu more as predicted (seed %u)\n",
                name, same, predicted, values_seed);
}

void we_read_theirs(std::size_t recording, const char* script) {
    std::string why;
    const Recording& engine = recordings[recording];
    const auto live = LiveEngine::find(engine.engine, why);
    if (!live)
        GTEST_SKIP() << why;
    live->run(source_dir() / "tests" / "recorders" / script,
              "%D/out.ndjson " + std::to_string(values_seed) + " " + std::to_string(values_each));
    std::size_t compared = 0;
    for (const Json& line : lines_with(live->folder() / "out.ndjson", "bytes")) {
        const auto bytes = unhex(line["bytes"]);
        const auto document = Document::parse(bytes, reading(*engine.dialect));
        ASSERT_TRUE(document) << line["bytes"];
        const View root = std::as_const(*document).root();
        const auto again =
            encode(*decode(bytes, reading(*engine.dialect)), writing(*engine.dialect));
        ASSERT_TRUE(again);
        EXPECT_EQ(hex(as_bytes(*again)), hex(with_clean_paths(bytes, *engine.dialect)));
        EXPECT_EQ(*to_text(root, engine.family), line["text"].get<std::string>()) << line["bytes"];
        const std::string json = line.value("json", "");
        if (!json.empty()) {
            EXPECT_EQ(without_digits(parsed(*to_json(root))), parsed(json)) << line["bytes"];
        }
        ++compared;
    }
    EXPECT_EQ(compared, values_each);
}

/// A recording of one engine, converted to another's dialect, is read by the other as what we
/// meant: it gives back the same bytes, and those converted back are the recording's.
void engine_reads_converted(std::size_t recording, const char* to_recording, const char* name,
                            const char* script) {
    std::string why;
    const auto live = LiveEngine::find(to_recording, why);
    if (!live)
        GTEST_SKIP() << why;
    const Recording& source = recordings[recording];
    const Engine* engine = engine_named(name);
    struct Converted {
        std::string what;
        std::vector<std::byte> original, bytes;
    };
    std::vector<Converted> sent;
    std::string frames;
    std::size_t lossy = 0;
    for (const Vector& vector : vectors_of(source)) {
        const auto clean = with_clean_paths(vector.bytes, *source.dialect);
        DecodeOptions from;
        from.dialect = source.dialect;
        EncodeOptions to;
        to.dialect = engine->dialect;
        const auto done = convert(clean, from, to);
        if (!done)
            continue;  // objects in full
        if (!done->losses.empty()) {
            ++lossy;
            continue;
        }
        const auto bytes = as_bytes(done->bytes);
        const auto read = read_as(*engine, bytes);
        if (!read || !read->changes.empty())
            continue;  // ids, typed containers of classes
        sent.push_back({vector.name, clean, {bytes.begin(), bytes.end()}});
        append_frame(frames, bytes);
    }
    std::ofstream(live->folder() / "values.bin", std::ios::binary) << frames;
    live->run(source_dir() / "tests" / "inspect" / script, "%D/");
    const std::vector<std::byte> given = read_bytes(live->folder() / "engine.bin");
    ByteView rest = given;
    for (const Converted& one : sent) {
        const auto frame = read_frame(rest, ByteOrder::little);
        ASSERT_TRUE(frame) << one.what;
        rest = rest.subspan(frame->size);
        const auto back =
            with_clean_paths({frame->packet.begin(), frame->packet.end()}, *engine->dialect);
        EXPECT_EQ(hex(back), hex(one.bytes)) << one.what;
        DecodeOptions from;
        from.dialect = engine->dialect;
        EncodeOptions to;
        to.dialect = source.dialect;
        const auto home = convert(back, from, to);
        ASSERT_TRUE(home) << one.what;
        EXPECT_TRUE(home->losses.empty()) << one.what;
        EXPECT_EQ(hex(as_bytes(home->bytes)), hex(one.original)) << one.what;
    }
    std::printf("%s reads %zu values of %s, converted; %zu more would lose something\n", name,
                sent.size(), source.engine, lossy);
    EXPECT_GT(sent.size(), 100u);
}

// ---- damaged packets ----------------------------------------------------------------------------

/// A packet with a fault: bytes, words or bits that are others, more or less of them.
void damage(std::vector<std::byte>& packet, Random& random) {
    const auto any = [&] { return below(random, static_cast<std::uint32_t>(packet.size())); };
    const auto word = [&] { return packet.data() + any() / 4 * 4; };
    constexpr std::uint32_t words[] = {UINT32_MAX, 0x7FFF'FFFF, 0x8000'0000, 0x7FFF'FFFC,
                                       0,          0x0001'0018, 0x0001'0011, 1,
                                       2,          0xEFBB'BFEF};
    switch (below(random, 5)) {
        case 0:
            packet.resize(1 + any());
            break;
        case 1:
            packet[any()] ^= static_cast<std::byte>(1u << below(random, 8));
            break;
        case 2:
            packet[any()] = static_cast<std::byte>(below(random, 256));
            break;
        case 3:
            if (packet.size() % 4 == 0)
                detail::store(word(), words[below(random, std::size(words))]);
            break;
        default:
            if (packet.size() % 4 == 0 && packet.size() >= 8) {
                // An item twice, or one less.
                std::byte* const at = word();
                const auto place = packet.begin() + (at - packet.data());
                const std::vector<std::byte> copy(place, place + 4);
                below(random, 2) ? (void)packet.erase(place, place + 4)
                                 : (void)packet.insert(place, copy.begin(), copy.end());
            }
            break;
    }
}

constexpr std::size_t damaged_each = 10000;

/// `check` says of damaged packets what the engine does with them.
void engine_reads_damaged(const char* recording, const char* name, const char* script,
                          const Recording& source) {
    std::string why;
    const auto live = LiveEngine::find(recording, why);
    if (!live)
        GTEST_SKIP() << why;
    const Engine* engine = engine_named(name);
    Random random(values_seed);
    const std::vector<Vector> vectors = vectors_of(source);
    std::vector<std::vector<std::byte>> packets, expected;
    std::string frames;
    std::size_t refused = 0, unknown = 0;
    while (packets.size() < damaged_each) {
        auto packet = vectors[below(random, static_cast<std::uint32_t>(vectors.size()))].bytes;
        if (packet.size() > 2000)
            continue;
        for (auto faults = 1 + below(random, 2); faults-- > 0 && !packet.empty();)
            damage(packet, random);
        const auto read = read_as(*engine, packet);
        const bool known =
            !read || (read->unknown.empty() &&
                      std::ranges::none_of(read->changes, [](const std::string& change) {
                          return change.contains("fresh") || change.contains("left as");
                      }));
        unknown += !known;
        if (!known || packet.empty())
            continue;
        refused += !read;
        const auto back = read ? reencoding(*engine, *read) : encode(Variant());
        ASSERT_TRUE(back) << hex(packet);
        append_frame(frames, packet);
        packets.push_back(std::move(packet));
        expected.emplace_back(as_bytes(*back).begin(), as_bytes(*back).end());
    }
    std::ofstream(live->folder() / "values.bin", std::ios::binary) << frames;
    live->run(source_dir() / "tests" / "inspect" / script, "%D/");
    const std::vector<std::byte> given = read_bytes(live->folder() / "engine.bin");
    ByteView rest = given;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const auto frame = read_frame(rest, ByteOrder::little);
        ASSERT_TRUE(frame) << "the engine stopped at " << hex(packets[i]);
        rest = rest.subspan(frame->size);
        EXPECT_EQ(
            hex(with_clean_paths({frame->packet.begin(), frame->packet.end()}, *engine->dialect)),
            hex(expected[i]))
            << name << " of " << hex(packets[i]);
    }
    EXPECT_GT(refused, damaged_each / 10);
    EXPECT_LT(refused, damaged_each * 9 / 10);
    std::printf("%s: %zu damaged packets as foretold, %zu of them refused; %zu more not known\n",
                name, packets.size(), refused, unknown);
}

TEST(Live, Godot323ReadsDamaged) {
    engine_reads_damaged("godot-3.2.3", "Godot 3.2.3", "reencode3.gd", recordings[2]);
}
TEST(Live, Godot362ReadsDamaged) {
    engine_reads_damaged("godot-3.6.2", "Godot 3.6.2", "reencode3.gd", recordings[1]);
}
TEST(Live, Godot463ReadsDamaged) {
    engine_reads_damaged("godot-4.6.3", "Godot 4.6.3", "reencode4.gd", recordings[0]);
}

TEST(Live, Godot463ReadsGodot362sConverted) {
    engine_reads_converted(1, "godot-4.6.3", "Godot 4.6.3", "reencode4.gd");
}
TEST(Live, Godot463ReadsGodot323sConverted) {
    engine_reads_converted(2, "godot-4.6.3", "Godot 4.6.3", "reencode4.gd");
}
TEST(Live, Godot463ReadsPandemoniumsConverted) {
    engine_reads_converted(3, "godot-4.6.3", "Godot 4.6.3", "reencode4.gd");
}
TEST(Live, Godot362ReadsGodot463sConverted) {
    engine_reads_converted(0, "godot-3.6.2", "Godot 3.6.2", "reencode3.gd");
}
TEST(Live, Godot323ReadsGodot463sConverted) {
    engine_reads_converted(0, "godot-3.2.3", "Godot 3.2.3", "reencode3.gd");
}
TEST(Live, Godot323ReadsPandemoniumsConverted) {
    engine_reads_converted(3, "godot-3.2.3", "Godot 3.2.3", "reencode3.gd");
}

TEST(Live, Godot323ReadsOurs) {
    engine_reads_ours("godot-3.2.3", "Godot 3.2.3", "reencode3.gd");
}
TEST(Live, Godot362ReadsOurs) {
    engine_reads_ours("godot-3.6.2", "Godot 3.6.2", "reencode3.gd");
}
TEST(Live, Godot463ReadsOurs) {
    engine_reads_ours("godot-4.6.3", "Godot 4.6.3", "reencode4.gd");
}
TEST(Live, WeReadGodot323s) {
    we_read_theirs(2, "record3.gd");
}
TEST(Live, WeReadGodot362s) {
    we_read_theirs(1, "record3.gd");
}
TEST(Live, WeReadGodot463s) {
    we_read_theirs(0, "record4.gd");
}

}  // namespace
}  // namespace gdvar::test
