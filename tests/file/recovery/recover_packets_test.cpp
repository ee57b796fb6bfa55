// Damaged files of packets without lengths: the packets before the break are there, and the one
// that breaks up to the break.
#include <gtest/gtest.h>

#include <random>

#include "gdvar/file/recover.hpp"
#include "gdvar/gdvar.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

struct Row {
    Bytes bytes;
    std::vector<Bytes> packets;
    std::vector<std::size_t> ends;
};

Row row_of(std::size_t count, const Dialect& dialect = dialects::godot_4_4) {
    Row out;
    for (std::size_t i = 0; i < count; ++i) {
        const Variant value = Dictionary{{"name", "player_" + std::to_string(i)},
                                         {"hp", static_cast<int>(90 + i)},
                                         {"position", Vector2{1.5f, 64.25f}},
                                         {"bag", Array{"rope", "lamp", static_cast<int>(i)}}};
        const PackedByteArray packet = encode(value, {.dialect = &dialect}).value();
        const ByteView view = as_bytes(packet);
        out.packets.emplace_back(view.begin(), view.end());
        out.bytes.insert(out.bytes.end(), view.begin(), view.end());
        out.ends.push_back(out.bytes.size());
    }
    return out;
}

Bytes written(const Recovery& recovery) {
    Bytes out;
    MemoryTarget target(out);
    EXPECT_TRUE(recovery.write(target, nullptr));
    return out;
}

/// The packets that were whole are the first ones of the result.
void expect_first(const Recovery& recovery, const Row& row, std::size_t count) {
    ASSERT_GE(recovery.items().size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(std::ranges::equal(recovery.items()[i].packet, row.packets[i])) << i;
        EXPECT_EQ(recovery.items()[i].state, Recovered::whole);
    }
}

TEST(RecoverPackets, SoundOnesAreSound) {
    for (const Dialect* dialect : {&dialects::godot_4_4, &dialects::godot_3_1})
        for (const std::size_t count : {2, 3, 600}) {
            const Row row = row_of(count, *dialect);
            for (const InputKind as : {InputKind::unknown, InputKind::packets}) {
                const auto recovery = recover_save(row.bytes, {.as = as});
                ASSERT_TRUE(recovery);
                EXPECT_TRUE(recovery->sound());
                EXPECT_EQ(recovery->kind().seen_as, InputKind::packets);
                EXPECT_EQ(recovery->items().size(), count);
                EXPECT_EQ(recovery->dialect().family, dialect->family);
                expect_first(*recovery, row, count);
                EXPECT_EQ(written(*recovery), row.bytes);
            }
        }
    // One packet that is said to be a row of them.
    const Row one = row_of(1);
    const auto recovery = recover_save(one.bytes, {.as = InputKind::packets});
    ASSERT_TRUE(recovery);
    EXPECT_TRUE(recovery->sound());
    EXPECT_EQ(written(*recovery), one.bytes);
}

TEST(RecoverPackets, EveryCut) {
    const Row row = row_of(4);
    for (std::size_t size = 8; size < row.bytes.size(); ++size) {
        SCOPED_TRACE(size);
        const Bytes cut(row.bytes.begin(), row.bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const auto whole = static_cast<std::size_t>(
            std::ranges::count_if(row.ends, [&](std::size_t end) { return end <= size; }));
        for (const InputKind as : {InputKind::unknown, InputKind::packets}) {
            // A few bytes are a packet of some dialect.
            const auto recovery =
                recover_save(cut, {.dialect = whole ? nullptr : &dialects::godot_4_4, .as = as});
            if (!recovery) {
                EXPECT_EQ(whole, 0u);
                continue;
            }
            const bool at_end = whole && row.ends[whole - 1] == size;
            EXPECT_EQ(recovery->sound(), at_end);
            // Bytes behind a single packet are not known to be another one.
            if (as == InputKind::packets || whole > 1) {
                EXPECT_EQ(recovery->kind().seen_as, InputKind::packets);
                expect_first(*recovery, row, whole);
                EXPECT_LE(recovery->items().size(), whole + !at_end);
            } else if (whole) {
                expect_first(*recovery, row, 1);
            }
            const Bytes sound = written(*recovery);
            EXPECT_TRUE(recover_save(sound, {.as = recovery->kind().seen_as})->sound());
        }
    }
}

TEST(RecoverPackets, ABreakInTheMiddle) {
    const Row row = row_of(5);
    for (const InputKind as : {InputKind::unknown, InputKind::packets}) {
        Bytes damaged = row.bytes;
        // The type of the value of "hp" in the third packet.
        const std::size_t at = row.ends[1] + 40;
        std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0xFF});
        const auto recovery = recover_save(damaged, {.as = as});
        ASSERT_TRUE(recovery);
        EXPECT_FALSE(recovery->sound());
        EXPECT_EQ(recovery->kind().seen_as, InputKind::packets);
        expect_first(*recovery, row, 2);
        ASSERT_EQ(recovery->items().size(), 3u);
        EXPECT_EQ(recovery->items()[2].state, Recovered::partial);
        ASSERT_TRUE(recovery->items()[2].broken);
        ASSERT_EQ(recovery->lost().size(), 1u);
        EXPECT_EQ(recovery->lost()[0].end, row.bytes.size());
        EXPECT_GE(recovery->lost()[0].begin, row.ends[1]);
        EXPECT_LE(recovery->lost()[0].begin, at);

        const auto none = recover_save(damaged, {.as = as, .partial = false});
        ASSERT_TRUE(none);
        ASSERT_EQ(none->items().size(), 2u);
        EXPECT_EQ(none->lost()[0].begin, row.ends[1]);
        EXPECT_EQ(
            written(*none),
            Bytes(row.bytes.begin(), row.bytes.begin() + static_cast<std::ptrdiff_t>(row.ends[1])));
    }
}

TEST(RecoverPackets, OfOnePacketNoneIsMade) {
    // A count that is too small, a value behind the packet, random bytes.
    Bytes few = row_of(1).packets[0];
    few[4] = std::byte{2};
    std::mt19937 random(5);  // NOLINT(bugprone-random-generator-seed): the same each time
    Bytes noise = row_of(1).packets[0];
    for (int i = 0; i < 64; ++i)
        noise.push_back(static_cast<std::byte>(random()));
    for (const Bytes& bytes : {few, noise}) {
        const auto recovery = recover_save(bytes);
        ASSERT_TRUE(recovery);
        EXPECT_EQ(recovery->kind().seen_as, InputKind::packet);
        EXPECT_EQ(recovery->items().size(), 1u);
        EXPECT_FALSE(recovery->sound());
    }
}

}  // namespace
}  // namespace gdvar::test
