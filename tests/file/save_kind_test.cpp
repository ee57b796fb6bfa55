// A changed save is opened as what it was, or writing it is refused: packets and records may look
// like each other.
#include <gtest/gtest.h>

#include <random>

#include "gdvar/gdvar.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr InputKind kinds[] = {InputKind::packet, InputKind::packets, InputKind::records,
                               InputKind::records_be};

Bytes document(InputKind kind, const std::vector<Variant>& values,
               const Dialect& dialect = dialects::godot_4_4) {
    std::vector<PackedByteArray> packets;
    std::vector<SaveItem> items;
    for (const Variant& value : values)
        packets.push_back(encode(value, {.dialect = &dialect}).value());
    for (const PackedByteArray& packet : packets)
        items.push_back({.packet = as_bytes(packet)});
    return find_document_kind(kind)->write(items, dialect).value();
}

std::vector<Bytes> packets_of(const SaveFile& save) {
    std::vector<Bytes> out;
    for (const SaveItem& item : save.items())
        out.emplace_back(item.packet.begin(), item.packet.end());
    return out;
}

Variant ada(int hp) {
    return Dictionary{{"name", "Ada"}, {"hp", hp}};
}

TEST(SaveKind, PacketsThatLookLikeRecordsAreNotWritten) {
    const Bytes bytes = document(InputKind::packets, {ada(1), ada(2)});
    auto save = read_save(bytes).value();
    ASSERT_EQ(save.kind().seen_as, InputKind::packets);
    const inspect::SetRules any{.type = Type::string};
    ASSERT_TRUE(save.set("#0 $", "", any) && save.set("#1 $", "", any));
    const auto refused = save.bytes();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::misplaced);
    // A further change may show again what it is.
    ASSERT_TRUE(save.set("#1 $", ada(3), {.type = Type::dictionary}));
    ASSERT_TRUE(save.set("#0 $", ada(3), {.type = Type::dictionary}));
    EXPECT_TRUE(save.bytes());

    auto told = read_save(bytes, {.as = InputKind::packets}).value();
    ASSERT_TRUE(told.set("#0 $", "", any) && told.set("#1 $", "", any));
    const Bytes written = told.bytes().value();
    EXPECT_EQ(written, document(InputKind::packets, {"", ""}));
    EXPECT_EQ(read_save(written, {.as = InputKind::packets})->items().size(), 2u);
}

TEST(SaveKind, AChangedSaveStaysWhatItIsOrIsNotWritten) {
    const Variant values[] = {Variant(),
                              false,
                              true,
                              0,
                              1,
                              27,
                              28,
                              int64_t{1} << 40,
                              0.0,
                              1.5,
                              "",
                              "test",
                              "a longer text",
                              Vector2{1, 2},
                              Array{},
                              Array{1, 2},
                              Dictionary{},
                              ada(1),
                              ada(1 << 20)};
    constexpr std::size_t count = std::size(values);
    std::mt19937 random(20);  // NOLINT(bugprone-random-generator-seed): the same each time
    std::size_t opened = 0, written = 0, refused = 0;
    for (int round = 0; round < 4000; ++round) {
        const InputKind kind = kinds[random() % std::size(kinds)];
        const Dialect& dialect = random() % 3 ? dialects::godot_4_4 : dialects::godot_3_1;
        std::vector<Variant> made;
        for (std::size_t i = 0, n = kind == InputKind::packet ? 1 : 1 + random() % 3; i < n; ++i)
            made.push_back(values[random() % count]);
        auto save = read_save(document(kind, made, dialect));
        if (!save || save->kind().made || save->kind().named || !save->layers().empty())
            continue;
        ++opened;
        const std::size_t at = random() % save->items().size();
        const Variant& value = values[random() % count];
        // Some small documents are taken for a packet that breaks off, which can't be changed.
        if (!save->set('#' + std::to_string(at) + " $", value, {.type = value.type()}))
            continue;
        const auto bytes = save->bytes();
        if (!bytes) {
            EXPECT_EQ(bytes.error().code, Errc::misplaced);
            ++refused;
            continue;
        }
        ++written;
        const auto again = read_save(*bytes);
        ASSERT_TRUE(again) << to_hex(*bytes);
        EXPECT_EQ(again->kind().seen_as, save->kind().seen_as) << to_hex(*bytes);
        EXPECT_EQ(packets_of(*again), packets_of(*save)) << to_hex(*bytes);
    }
    EXPECT_GT(opened, 2000u);
    EXPECT_GT(written, 1500u);
    EXPECT_GT(refused, 10u);
}

}  // namespace
}  // namespace gdvar::test
