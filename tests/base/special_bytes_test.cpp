// Texts by blocks, against the same byte by byte.
#include "base/special_bytes.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "base/engine_real.hpp"
#include "base/escape.hpp"
#include "base/text_buffer.hpp"

namespace gdvar::detail {
namespace {

/// The text in memory of exactly its size, so that a sanitizer sees what is read beyond it.
struct Exact {
    explicit Exact(std::string_view text)
        : bytes(std::make_unique<char[]>(text.size())), size(text.size()) {
        std::copy(text.begin(), text.end(), bytes.get());
    }
    std::string_view view() const { return {bytes.get(), size}; }
    std::unique_ptr<char[]> bytes;
    std::size_t size;
};

/// Texts of all sizes up to three blocks, in which one byte of 16 is any.
template <class Use>
void each_text(Use&& use) {
    std::mt19937 random(1);
    for (std::size_t size = 0; size <= 50; ++size)
        for (int i = 0; i < 400; ++i) {
            std::string text(size, 'x');
            for (char& c : text)
                if (random() % 16 == 0)
                    c = static_cast<char>(random());
            use(Exact(text).view());
        }
}

template <class Special>
void finds_the_first() {
    each_text([](std::string_view text) {
        for (std::size_t at = 0; at <= text.size(); ++at) {
            std::size_t first = at;
            while (first < text.size() && !Special::has(text[first]))
                ++first;
            ASSERT_EQ(Special::find(text, at), first) << testing::PrintToString(text) << at;
        }
    });
}

TEST(SpecialBytes, FindsTheFirst) {
    finds_the_first<SpecialBytes<1>>();
    finds_the_first<SpecialBytes<0, '"', '\\'>>();
    finds_the_first<SpecialBytes<0x20, '"', '\\', '\x7F'>>();
    finds_the_first<SpecialBytes<14, '"', '\'', '\\', '?'>>();
}

TEST(SpecialBytes, ReplacesAsOneByOne) {
    const auto stays = [](std::uint32_t code) { return code >= 0x20 && code != '"'; };
    each_text([&](std::string_view text) {
        std::string fast, slow;
        const auto replace_in = [](std::string& out) {
            return [&out](utf8::Character character, std::string_view bytes) {
                out += '<' + std::to_string(character.size) + ':' + std::to_string(bytes.size());
            };
        };
        append_special_replaced<SpecialBytes<0x20, '"'>>(fast, text, replace_in(fast));
        append_replaced(slow, text, stays, replace_in(slow));
        ASSERT_EQ(fast, slow) << testing::PrintToString(text);
    });
}

TEST(TextBuffer, AppendsAsAString) {
    std::mt19937_64 random(1);
    TextBuffer out;
    std::string slow;
    each_text([&](std::string_view text) {
        if (random() % 64 == 0) {
            EXPECT_EQ(out.take(), slow);
            slow.clear();
        }
        static_cast<std::string&>(out.string()) += text;
        slow += text;
        out += text;
        slow += text;
        out += '!';
        slow += '!';
        out.append(text.size(), ' ');
        slow.append(text.size(), ' ');
        const auto number = static_cast<std::int64_t>(random() >> random() % 64);
        out.number(number);
        slow += std::to_string(number);
        out.number(static_cast<std::uint8_t>(number));
        slow += std::to_string(number & 0xFF);
    });
    out.number(INT64_MIN);
    out.number(UINT64_MAX);
    slow += "-922337203685477580818446744073709551615";
    EXPECT_EQ(out.view(), slow);
    EXPECT_EQ(out.take(), slow);
    EXPECT_EQ(out.size(), 0u);
}

/// As the engines do it: two halves of nine digits, and the power of ten step by step.
double slow_engine_real(std::string_view digits, std::size_t point, int exponent) {
    std::uint32_t half[2] = {0, 0};
    const std::size_t used = std::min<std::size_t>(digits.size(), 18);
    for (std::size_t i = 0; i < used; ++i) {
        std::uint32_t& part = half[used - i > 9 ? 0 : 1];
        part = part * 10 + static_cast<std::uint32_t>(digits[i] - '0');
    }
    const int power = exponent + static_cast<int>(point) - static_cast<int>(used);
    constexpr double squares[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    double size = 1.0;
    for (int i = 0; i < 9; ++i)
        if (std::abs(power) >> i & 1)
            size *= squares[i];
    const double value = 1.0e9 * half[0] + half[1];
    return power < 0 ? value / size : value * size;
}

TEST(EngineReal, ReadsAsTheEnginesDo) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200'000; ++i) {
        std::string digits = std::to_string(random() >> random() % 64);
        if (i % 4 == 0)
            digits += std::to_string(random());
        const std::size_t point = random() % (digits.size() + 1);
        const int exponent = static_cast<int>(random() % 400) - 200;
        std::string text = digits;
        text.insert(point, ".");
        ASSERT_EQ(engine_real(text), slow_engine_real(digits, point, 0)) << text;
        text += 'e' + std::to_string(exponent);
        ASSERT_EQ(engine_real(text), slow_engine_real(digits, point, exponent)) << text;
        ASSERT_EQ(engine_real("-" + text), -engine_real(text));
    }
}

}  // namespace
}  // namespace gdvar::detail
