// The cost of recovering: memory in proportion to the bytes, and an end to every search.
#include <gtest/gtest.h>

#include "gdvar/file/recover.hpp"
#include "gdvar/gdvar.hpp"
#include "support/allocations.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t constant = 4u << 20;

/// Words in turn, up to so many bytes.
Bytes words(std::initializer_list<std::uint32_t> turn, std::size_t size) {
    Bytes out;
    while (out.size() + 4 * turn.size() <= size)
        for (const std::uint32_t word : turn) {
            std::byte bytes[4];
            detail::store(bytes, word);
            out.insert(out.end(), bytes, bytes + 4);
        }
    return out;
}

Recorder cost(const Bytes& bytes, InputKind as, std::optional<Recovery>& out) {
    return counted([&] {
        auto recovery = recover_save(bytes, {.dialect = &dialects::godot_4_4, .as = as});
        if (recovery) {
            Bytes written;
            MemoryTarget to(written);
            written.reserve(bytes.size());
            EXPECT_TRUE(recovery->write(to, nullptr));
            out.emplace(*std::move(recovery));
        }
    });
}

TEST(RecoverCost, MemoryIsBounded) {
    const std::size_t size = 2u << 20;
    const Bytes inputs[] = {
        words({4, 0}, size),                             // the smallest records
        words({8, 2, 7}, size),                          // ints
        words({8, 2, 7, 8, 2, 7, 8, 2, 7, 0xFF}, size),  // and breaks
        words({28, 28, 5, 2, 1, 2, 2, 0xFF}, size),      // Arrays that break off
        words({0x10000, 28, 0x4000}, size),              // lengths that lie
        words({20, 27, 0x7FFF'FFFF, 2, 1}, size),        // counts that lie
        words({0}, size),
        words({0xFFFF'FFFF}, size),
    };
    for (const Bytes& bytes : inputs)
        for (const InputKind as : {InputKind::records, InputKind::packet}) {
            std::optional<Recovery> recovery;
            const Recorder taken = cost(bytes, as, recovery);
            EXPECT_LT(taken.peak, 16 * bytes.size() + constant)
                << &bytes - inputs << " as " << input_kind_name(as);
        }
}

/// Each length leads to an Array that can be read for long, and breaks.
TEST(RecoverCost, ASearchThatWouldTakeTooLongEnds) {
    const Bytes bytes = words({0x10000, 28, 2}, 1u << 20);
    std::optional<Recovery> recovery;
    Bytes more = words({8, 2, 7}, 120);
    more.insert(more.end(), bytes.begin(), bytes.end());
    (void)cost(more, InputKind::records, recovery);
    ASSERT_TRUE(recovery);
    EXPECT_EQ(recovery->items().size(), 10u);
    ASSERT_EQ(recovery->notes().size(), 1u);
    EXPECT_NE(recovery->notes()[0].find("too long"), std::string::npos);
    ASSERT_FALSE(recovery->lost().empty());
    EXPECT_EQ(recovery->lost().back().end, more.size());
}

/// A few bytes that claim gigabytes.
TEST(RecoverCost, ContainersThatLie) {
    for (const std::uint32_t mode : {0u, 1u, 2u, 3u, 4u})
        for (const std::uint32_t block : {1u, 4096u, 1u << 20, 0x7FFF'FFFFu, 0xFFFF'FFFFu})
            for (const std::uint32_t total : {0u, 1u << 20, 0xFFFF'FFFFu}) {
                Bytes bytes = words({0x4650'4347, mode, block, total, 5, 5, 5, 5, 5, 5, 5, 5}, 48);
                bytes.resize(200, std::byte{0x1F});
                std::optional<Recovery> recovery;
                const Recorder taken = counted([&] { (void)recover_save(bytes); });
                EXPECT_LT(taken.peak, constant) << mode << " " << block << " " << total;
            }
}

}  // namespace
}  // namespace gdvar::test
