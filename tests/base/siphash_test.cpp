// SipHash against published values.
#include "base/siphash.hpp"

#include <gtest/gtest.h>

#include "base/process_key.hpp"

namespace gdvar::test {
namespace {

TEST(SipHash, GivesWhatWasPublished) {
    // SipHash-2-4 as its paper has it (appendix A), SipHash-1-3 as CPython 3.11 hashes bytes with
    // PYTHONHASHSEED=0, which is a key of zeros.
    detail::SipKey key{0x0706'0504'0302'0100u, 0x0F0E'0D0C'0B0A'0908u};
    std::string text;
    for (char c = 0; c < 15; ++c)
        text += c;
    EXPECT_EQ((detail::siphash<2, 4>(key, text)), 0xA129'CA61'49BE'45E5u);
    EXPECT_EQ((detail::siphash<2, 4>(key, "")), 0x726F'DB47'DD0E'0E31u);
    key = {0, 0};
    const std::pair<std::string_view, std::uint64_t> python[] = {
        {"a", 0x4074'48D2'B89B'1813u},
        {"ab", 0x5555'08CB'C6AD'D439u},
        {"abc", 0xC03B'C3A0'0426'30F2u},
        {"abcdefg", 0x6DB1'2AAE'9070'F506u},
        {"abcdefgh", 0x3F7B'849C'0B8E'35EAu},
        {"abcdefghi", 0xF89B'34A3'D11E'B6E5u},
        {"The quick brown fox jumps over the lazy dog", 0x8DF6'76D3'D00C'451Eu},
    };
    for (const auto& [message, hash] : python)
        EXPECT_EQ((detail::siphash<1, 3>(key, message)), hash) << message;
}

TEST(SipHash, TheProcessHasOneKey) {
    const detail::SipKey& key = detail::process_key();
    EXPECT_EQ(&key, &detail::process_key());
    EXPECT_NE(key.low, 0u);
    EXPECT_NE(key.low, key.high);
}

}  // namespace
}  // namespace gdvar::test
