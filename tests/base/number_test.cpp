// Floats in their shortest digits, and the text of a NodePath.
#include "base/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

#include "base/node_path.hpp"

namespace gdvar::detail {
namespace {

template <class Real>
std::string shown(Real value, WholeMark mark = WholeMark::yes) {
    std::string out;
    append_float(out, value, mark);
    return out;
}

TEST(Number, ShortestDigits) {
    EXPECT_EQ(shown(1.0), "1.0");
    EXPECT_EQ(shown(-0.0), "-0.0");
    EXPECT_EQ(shown(1.0, WholeMark::no), "1");
    EXPECT_EQ(shown(0.1), "0.1");
    EXPECT_EQ(shown(0.1f), "0.1");
    EXPECT_EQ(shown(static_cast<double>(0.1f)), "0.10000000149011612");
    EXPECT_EQ(shown(1e300), "1e+300");
    EXPECT_EQ(shown(-1.7976931348623157e308), "-1.7976931348623157e+308");
    EXPECT_EQ(shown(-5e-324), "-5e-324");
    for (const WholeMark mark : {WholeMark::no, WholeMark::yes}) {
        EXPECT_EQ(shown(std::numeric_limits<double>::infinity(), mark), "inf");
        EXPECT_EQ(shown(-std::numeric_limits<float>::infinity(), mark), "-inf");
        EXPECT_EQ(shown(std::numeric_limits<double>::quiet_NaN(), mark), "nan");
        EXPECT_EQ(shown(-std::numeric_limits<float>::quiet_NaN(), mark), "nan");
    }
}

TEST(Number, ReadsBackTheSame) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const double value = std::bit_cast<double>(random());
        if (value - value == 0) {
            ASSERT_EQ(std::strtod(shown(value).c_str(), nullptr), value);
        }
        const float narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (narrow - narrow == 0) {
            ASSERT_EQ(std::strtof(shown(narrow).c_str(), nullptr), narrow);
        }
    }
}

TEST(NodePathText, NamesAndSubnames) {
    const auto text = [](bool absolute, std::initializer_list<std::string_view> names,
                         std::initializer_list<std::string_view> subnames) {
        std::string out = "<";
        append_node_path(out, absolute, [&](auto&& use) {
            for (const auto name : names)
                use(name, false);
            for (const auto name : subnames)
                use(name, true);
        });
        return out;
    };
    EXPECT_EQ(text(false, {}, {}), "<");
    EXPECT_EQ(text(true, {}, {}), "</");
    EXPECT_EQ(text(true, {"root", "A"}, {"b", "c"}), "</root/A:b:c");
    EXPECT_EQ(text(false, {"A"}, {}), "<A");
    EXPECT_EQ(text(false, {}, {"b"}), "<:b");
    EXPECT_EQ(text(true, {}, {"b"}), "</:b");
    EXPECT_EQ(text(false, {"", ""}, {""}), "</:");
}

TEST(NodePathText, NamesThatReadBack) {
    EXPECT_TRUE(is_path_name("a b", false));
    EXPECT_TRUE(is_path_name("a/b", true));
    for (const char* name : {"", "a/b", "a:b"})
        EXPECT_FALSE(is_path_name(name, false)) << name;
    for (const char* name : {"", "a:b"})
        EXPECT_FALSE(is_path_name(name, true)) << name;
}

}  // namespace
}  // namespace gdvar::detail
