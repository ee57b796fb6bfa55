// One damaged item inside of a value: all of the value but that item comes back, and nothing is
// invented.
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "gdvar/file/recover.hpp"
#include "gdvar/gdvar.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/save/records.hpp"
#include "support.hpp"
#include "support/case_name.hpp"
#include "support/data.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;
using Range = std::pair<std::size_t, std::size_t>;

struct Engine {
    const char* name;
    const Dialect* dialect;
};
constexpr Engine saved_by[] = {{"godot-3.2.3", &dialects::godot_3_1},
                               {"godot-3.6.2", &dialects::godot_3_1},
                               {"godot-4.6.3", &dialects::godot_4_4},
                               {"pandemonium-5.3", &dialects::pandemonium_5}};

/// The first record of the engine's save: Dictionaries in an Array in a Dictionary.
Bytes packet_of(const Engine& engine) {
    std::istringstream lines(read_text(data_dir() / "saves" / engine.name / "expected.ndjson"));
    std::string line;
    std::getline(lines, line);
    return from_hex(nlohmann::json::parse(line)["bytes"].get<std::string>()).value();
}

/// Where the elements of all Arrays and the pairs of all Dictionaries stand.
void add_items(const View& view, std::set<Range>& out) {
    const auto add = [&](const View& first, const View& last) {
        out.emplace(first.offset(), last.offset() + last.raw().size());
        add_items(last, out);
    };
    for (const auto all = view.pairs(); const View::Pair& pair : all)
        add(pair.key, pair.value);
    for (const auto all = view.elements(); const View& element : all)
        add(element, element);
}

/// A sound packet, and what becomes of it when bytes are damaged.
struct Subject {
    Bytes packet;
    DecodeOptions options;
    std::set<Range> items{};

    Subject(Bytes bytes, const Dialect& dialect)
        : packet(std::move(bytes)), options{.dialect = &dialect, .allow_objects = true} {
        const auto document = Document::parse(packet, options);
        EXPECT_TRUE(document);
        if (document)
            add_items(document->root(), items);
    }

    struct Seen {
        std::size_t broken = 0, around = 0, wrong = 0;
    };
    /// Damages bytes from `begin` up to `end`; others are the same.
    void look(const Bytes& damaged, std::size_t begin, std::size_t end, Seen& seen) const {
        const auto read = validate(damaged, options);
        if (read && *read == damaged.size())
            return;
        ++seen.broken;
        std::uint64_t work = 1u << 24;
        const auto kept = inspect::around_break(damaged, options, work);
        if (!kept)
            return;
        ++seen.around;
        if (is_right(*kept, damaged, begin, end))
            return;
        ++seen.wrong;
        std::printf("bytes %zu to %zu: %zu to %zu are lost\n", begin, end, kept->begin, kept->end);
    }

private:
    /// Whether it is the packet as it was, or without an item that holds damage. Damaged bytes
    /// beside them can't be told from other values.
    bool is_right(const inspect::Salvaged& kept, const Bytes& damaged, std::size_t begin,
                  std::size_t end) const {
        if (kept.packet.size() == packet.size())
            return std::ranges::equal(std::span(kept.packet).first(begin),
                                      std::span(packet).first(begin)) &&
                   std::ranges::equal(std::span(kept.packet).subspan(end),
                                      std::span(packet).subspan(end));
        if (!items.contains({kept.begin, kept.end}) || kept.begin >= end || kept.end <= begin)
            return false;
        const auto place = [&](std::size_t at) {
            return damaged.begin() + static_cast<std::ptrdiff_t>(at);
        };
        Bytes rest(damaged.begin(), place(kept.begin));
        rest.insert(rest.end(), place(kept.end), damaged.end());
        // One count differs.
        if (rest.size() != kept.packet.size())
            return false;
        const auto differ = std::ranges::mismatch(rest, kept.packet);
        const auto at = static_cast<std::size_t>(differ.in1 - rest.begin()) / 4 * 4;
        return at < rest.size() && std::ranges::equal(std::span(rest).subspan(at + 4),
                                                      std::span(kept.packet).subspan(at + 4));
    }
};

class RecoverAround : public testing::TestWithParam<Engine> {};

TEST_P(RecoverAround, EachDamagedByte) {
    const Subject subject(packet_of(GetParam()), *GetParam().dialect);
    Subject::Seen seen;
    for (std::size_t at = 0; at < subject.packet.size(); ++at) {
        const std::byte was = subject.packet[at];
        const std::byte ways[] = {was ^ std::byte{1}, was ^ std::byte{0x80}, std::byte{0},
                                  std::byte{0xFF}};
        for (std::size_t way = 0; way < std::size(ways); ++way) {
            if (!sweep() && (at + way) % 7)
                continue;
            Bytes damaged = subject.packet;
            damaged[at] = ways[way];
            subject.look(damaged, at, at + 1, seen);
        }
    }
    std::printf("%zu broken, %zu kept around the damage, %zu wrong\n", seen.broken, seen.around,
                seen.wrong);
    // One of 3.2's and 3.6's fits another item better.
    EXPECT_LE(seen.wrong, 1u);
    EXPECT_GE(seen.around * 100, seen.broken * 85);
}

/// Two bytes, up to eight apart, as one bad write leaves them.
TEST_P(RecoverAround, TwoDamagedBytes) {
    const Subject subject(packet_of(GetParam()), *GetParam().dialect);
    Subject::Seen seen;
    std::mt19937 random(7);
    for (int i = 0; i < (sweep() ? 10'000 : 1'000); ++i) {
        Bytes damaged = subject.packet;
        const std::size_t first = random() % damaged.size();
        const std::size_t last =
            std::min<std::size_t>(first + 1 + (i % 2) * (random() % 8), damaged.size() - 1);
        damaged[first] = static_cast<std::byte>(random());
        damaged[last] = static_cast<std::byte>(random());
        subject.look(damaged, first, last + 1, seen);
    }
    std::printf("%zu broken, %zu kept around the damage, %zu not just that item\n", seen.broken,
                seen.around, seen.wrong);
    EXPECT_LE(seen.wrong * 500, seen.around);
    EXPECT_GE(seen.around * 100, seen.broken * 60);
}

// ---- through recover_save

Bytes record_of(const Bytes& packet) {
    Bytes out;
    MemoryTarget target(out);
    RecordWriter writer(target, ByteOrder::little);
    EXPECT_TRUE(writer.store_packet(packet));
    const auto next = encode(42).value();
    EXPECT_TRUE(writer.store_packet(std::as_bytes(std::span(next))));
    return out;
}

/// A packet of {"a": 1, "b": [100, "x", 120], "c": "text", "d": true}.
Bytes small_packet() {
    Variant value = Dictionary();
    value["a"] = 1;
    value["b"] = Array{100, "x", 120};
    value["c"] = "text";
    value["d"] = true;
    const auto packet = encode(value).value();
    const ByteView bytes = std::as_bytes(std::span(packet));
    return {bytes.begin(), bytes.end()};
}

std::string text_of(ByteView packet) {
    return to_text_full(decode(packet).value()).value();
}

TEST(RecoverAroundIn, RecordsAndPackets) {
    const Bytes packet = small_packet();
    const auto document = Document::parse(packet).value();
    const View root = document.root();
    const std::size_t c = root["c"].offset(), b = root["b"].offset(), x = root["b"][1].offset();
    struct Case {
        std::size_t offset;
        std::byte to;
        const char *at, *left;
    };
    const Case cases[] = {
        {c, std::byte{0xFF}, "$.c", R"({"a": 1, "b": [100, "x", 120], "d": true})"},
        {c - 8, std::byte{0x40}, "$[@2 key]", R"({"a": 1, "b": [100, "x", 120], "d": true})"},
        {x + 4, std::byte{0x80}, "$.b[1]", R"({"a": 1, "b": [100, 120], "c": "text", "d": true})"},
        {b, std::byte{0x80}, "$.b", R"({"a": 1, "c": "text", "d": true})"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.at);
        Bytes damaged = packet;
        damaged[each.offset] = each.to;
        for (const bool records : {false, true}) {
            const Bytes file = records ? record_of(damaged) : damaged;
            const auto kind = records ? InputKind::records : InputKind::packet;
            const auto found = recover_save(file, {.dialect = &dialects::godot_4_4, .as = kind});
            ASSERT_TRUE(found) << to_string(found.error());
            ASSERT_EQ(found->items().size(), records ? 2u : 1u);
            const RecoveredItem& item = found->items()[0];
            EXPECT_EQ(item.state, Recovered::partial);
            ASSERT_TRUE(item.broken);
            EXPECT_TRUE(item.broken->around);
            EXPECT_EQ(item.broken->at, each.at);
            EXPECT_EQ(text_of(item.packet), each.left);
            ASSERT_EQ(found->lost().size(), 1u);
            EXPECT_EQ(found->lost()[0].at, each.at);
            const std::size_t place = each.offset + (records ? 4 : 0);
            EXPECT_LE(found->lost()[0].begin, place);
            EXPECT_GT(found->lost()[0].end, place);
            const auto none =
                recover_save(file, {.dialect = &dialects::godot_4_4, .as = kind, .partial = false});
            EXPECT_EQ(none ? none->items().size() : 0u, records ? 1u : 0u);
        }
    }
}

/// A record with bytes behind its value, and one whose count is too large.
TEST(RecoverAroundIn, SoundValuesStayAndCountsAreRight) {
    const Bytes packet = small_packet();
    Variant counted = Dictionary();
    counted["hp"] = 100;
    counted["items"] = Array{"aa", "bb", "cc", "dd"};
    counted["name"] = "player";
    counted["pos"] = Vector2{1.5f, 2.5f};
    const auto encoded = encode(counted).value();
    const auto bytes = std::as_bytes(std::span(encoded));
    const Bytes whole(bytes.begin(), bytes.end());
    const auto document = Document::parse(whole).value();
    const std::size_t count = document.root()["items"].offset() + 4;
    for (const char* const behind :
         {"00000000", "02000000", "0400000003000000616263ff", "ffffffff"}) {
        SCOPED_TRACE(behind);
        Bytes longer = packet;
        const auto more = from_hex(behind).value();
        longer.insert(longer.end(), more.begin(), more.end());
        const auto found = recover_save(
            record_of(longer), {.dialect = &dialects::godot_4_4, .as = InputKind::records});
        ASSERT_TRUE(found);
        ASSERT_EQ(found->items().size(), 2u);
        EXPECT_TRUE(std::ranges::equal(found->items()[0].packet, packet));
    }
    for (const int wrong : {3, 9, 200}) {
        Bytes damaged = whole;
        damaged[count] = static_cast<std::byte>(wrong);
        const auto found = recover_save(
            record_of(damaged), {.dialect = &dialects::godot_4_4, .as = InputKind::records});
        ASSERT_TRUE(found);
        ASSERT_EQ(found->items().size(), 2u);
        EXPECT_EQ(text_of(found->items()[0].packet), text_of(whole)) << wrong;
    }
}

Bytes packet_of_text(const char* text) {
    const auto value = parse_text(text);
    EXPECT_TRUE(value);
    const auto packet = encode(*value).value();
    const ByteView bytes = std::as_bytes(std::span(packet));
    return {bytes.begin(), bytes.end()};
}

/// A key's header that became that of nil: its length is read as the value's header, and the rest
/// up to the container's count as pairs of what were values and keys.
TEST(RecoverAroundIn, KeysThatReadAsTwoValues) {
    constexpr std::size_t first_key = 8;
    for (const char* const name : {"h", "hp", "lvl", "mana", "level"}) {
        SCOPED_TRACE(name);
        const std::string rest = R"("mp": 5, "gold": 250, "name": "Ada"})";
        Bytes damaged = packet_of_text(("{\"" + std::string(name) + "\": 97, " + rest).c_str());
        damaged[first_key] = std::byte{0};
        for (const InputKind kind : {InputKind::records, InputKind::packet, InputKind::unknown}) {
            const Bytes file = kind == InputKind::records ? record_of(damaged) : damaged;
            const auto found = recover_save(file, {.as = kind});
            ASSERT_TRUE(found) << to_string(found.error());
            EXPECT_FALSE(found->sound());
            ASSERT_EQ(found->items().size(), kind == InputKind::records ? 2u : 1u);
            const RecoveredItem& item = found->items()[0];
            EXPECT_EQ(text_of(item.packet), "{" + rest);
            ASSERT_TRUE(item.broken);
            EXPECT_EQ(item.broken->at, "$[@0 key]");
            ASSERT_EQ(found->lost().size(), 1u);
            EXPECT_EQ(found->lost()[0].at, "$[@0 key]");
        }
    }
}

/// Odd values with bytes or values behind them are what they seem: nothing else fits better.
TEST(RecoverAroundIn, OddValuesStay) {
    const char* const odd[] = {R"([1, "x", 2.5, null])",
                               R"({1: "a", "b": 2, 2.5: []})",
                               R"({null: 5, "a": 1})",
                               R"({null: "x", "name": "Ada"})",
                               R"({true: "abc", false: "b"})",
                               R"({null: 28776, "x": 1})",
                               R"({null: 1000, [1]: "north"})",
                               R"({1: "potion of healing", null: 1000})",
                               R"({2: false, null: [""]})",
                               R"({null: true, PackedByteArray(1): 7})",
                               R"({null: 1, "a": 2, "b": "name"})"};
    const auto behind = [](const char* hex) { return from_hex(hex).value(); };
    const std::vector<Bytes> more{behind("02000000"),
                                  behind("0200000007000000"),
                                  behind("ffffffff"),
                                  packet_of_text(R"("hello")"),
                                  packet_of_text(R"({"x": 1})"),
                                  packet_of_text("Vector2i(3, 4)")};
    for (const char* const text : odd)
        for (const Bytes& rest : more) {
            SCOPED_TRACE(text);
            const Bytes packet = packet_of_text(text);
            Bytes longer = packet;
            longer.insert(longer.end(), rest.begin(), rest.end());
            for (const InputKind kind : {InputKind::records, InputKind::packet}) {
                const Bytes file = kind == InputKind::records ? record_of(longer) : longer;
                const auto found =
                    recover_save(file, {.dialect = &dialects::godot_4_4, .as = kind});
                ASSERT_TRUE(found);
                EXPECT_EQ(text_of(found->items()[0].packet), text_of(packet));
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Engines, RecoverAround, testing::ValuesIn(saved_by), case_name);

}  // namespace
}  // namespace gdvar::test
