// Memory of texts with many small values, counted by allocations.
#include <gtest/gtest.h>

#include <random>

#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_file.hpp"
#include "support/allocations.hpp"

namespace gdvar::test {
namespace {

std::string many(std::string_view line, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes)
        out += line;
    return out;
}

TEST(TextCost, ALineOfJsonTakesLittleMoreThanItsPacket) {
    for (const std::string_view line : {"\"\"\n", "1\n", "1\r\n", "[]\n", "null\n", "1\n\n\n"}) {
        SCOPED_TRACE(line);
        const std::string text = many(line, 1u << 20);
        const Recorder opened = counted([&] {
            const auto found = open_layers(std::make_unique<MemorySource>(as_bytes(text)));
            ASSERT_TRUE(found);
            EXPECT_EQ(found->kind, InputKind::json_lines);
        });
        EXPECT_LT(opened.peak, 48 * text.size());
        const Recorder read = counted([&] { ASSERT_TRUE(read_save(as_bytes(text))); });
        EXPECT_LT(read.peak, 64 * text.size());
    }
}

TEST(TextCost, LinesChangeAsBefore) {
    const std::string text = "1\n\n \"two\" \r\n[3, 3]\n";
    auto save = read_save(as_bytes(text)).value();
    ASSERT_EQ(save.items().size(), 3u);
    const auto place = save.place("#2 $[1]").value();
    EXPECT_EQ(text.substr(place.begin, place.end - place.begin), "3");
    EXPECT_EQ(save.path_at(text.rfind('3')).value(), "#2 $[1]");
    ASSERT_TRUE(save.set("#2 $[1]", 4));
    ASSERT_TRUE(save.set("#0", 5));
    const auto bytes = save.bytes().value();
    EXPECT_EQ(detail::as_text(bytes.data(), bytes.size()), "5\n\n \"two\" \r\n[3, 4]\n");
}

/// Packets of all sizes, so that they fill blocks and take some of their own.
TEST(TextCost, EachPacketIsItsLine) {
    std::mt19937 random(1);
    std::string text;
    std::vector<std::string> values;
    for (int i = 0; i < 3000; ++i) {
        values.emplace_back(random() % (i % 100 ? 300 : 100'000), static_cast<char>('a' + i % 26));
        text += '"' + values.back() + "\"\n";
    }
    auto save = read_save(as_bytes(text)).value();
    ASSERT_EQ(save.items().size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(save.get<std::string>('#' + std::to_string(i)).value(), values[i]) << i;
}

}  // namespace
}  // namespace gdvar::test
