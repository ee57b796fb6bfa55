// Base64 and hex, there and back, and where a text is wrong.
#include "base/coding.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gdvar::detail {
namespace {

using enum Base64Rule;

struct Result {
    std::string bytes;
    std::size_t wrong_at;
    friend bool operator==(const Result&, const Result&) = default;
    friend void PrintTo(const Result& result, std::ostream* out) {
        *out << '"' << result.bytes << "\", " << result.wrong_at;
    }
};

/// Decodes into a buffer of exactly the size that is asked for.
template <class Decode>
Result result_of(std::size_t most, Decode&& decode) {
    std::vector<std::byte> to(most);
    const Decoded done = decode(to.data());
    return {std::string(as_text(to.data(), done.size)), done.wrong_at};
}
Result base64(std::string_view text, Base64Rule rule) {
    return result_of(most_from_base64(text.size()),
                     [=](std::byte* to) { return decode_base64(text, rule, to); });
}
Result hex(std::string_view text) {
    return result_of(most_from_hex(text.size()),
                     [=](std::byte* to) { return decode_hex(text, to); });
}
template <class Append, class... More>
std::string appended(Append append, More... more) {
    std::string out = "<";
    append(out, more...);
    return out;
}

TEST(Base64, ThereAndBack) {
    std::string bytes;
    for (int n = 0; n < 300; ++n) {
        const std::string text = appended(append_base64, as_bytes(bytes)).substr(1);
        EXPECT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
        for (const Base64Rule rule : {lenient, engine})
            EXPECT_EQ(base64(text, rule), (Result{bytes, Decoded::all}));
        bytes += static_cast<char>(n * 37);
    }
    EXPECT_EQ(appended(append_base64, as_bytes(std::string_view("any carnal"))),
              "<YW55IGNhcm5hbA==");
    EXPECT_EQ(appended(append_base64, as_bytes(std::string_view("\xFB\xFF"))), "<+/8=");
}

TEST(Base64, SaysWhereItIsWrong) {
    const struct {
        std::string_view text;
        Result by_lenient, by_engine;
    } cases[] = {
        {"", {"", Decoded::all}, {"", Decoded::all}},
        {"YW55", {"any", Decoded::all}, {"any", Decoded::all}},
        {"YW\n55\r\n", {"any", Decoded::all}, {"any", Decoded::all}},
        {"YW 55", {"any", Decoded::all}, {"", 2}},
        {"YW\t55", {"any", Decoded::all}, {"", 2}},
        {"YW5", {"an", Decoded::all}, {"", 3}},
        {"YW", {"a", Decoded::all}, {"", 2}},
        {"Y", {"", 1}, {"", 1}},
        {"YW5=", {"an", Decoded::all}, {"an", Decoded::all}},
        {"YW==", {"a", Decoded::all}, {"a", Decoded::all}},
        {"YW=", {"", 3}, {"", 3}},
        {"Y===", {"", 1}, {"", 1}},
        {"YW5==", {"", 4}, {"", 4}},
        {"YW=5", {"", 3}, {"", 3}},
        {"=", {"", 0}, {"", 0}},
        {"YW55=", {"any", 4}, {"any", 4}},
        {"YW==YW==", {"", 4}, {"", 4}},
        {"YW55Y*==", {"any", 5}, {"any", 5}},
        {"YW\xFF", {"", 2}, {"", 2}},
        {std::string_view("YW\0", 3), {"", 2}, {"", 2}},
        {"-_-_", {"", 0}, {"", 0}},
    };
    for (const auto& one : cases) {
        EXPECT_EQ(base64(one.text, lenient), one.by_lenient) << one.text;
        EXPECT_EQ(base64(one.text, engine), one.by_engine) << one.text;
    }
}

TEST(Hex, ThereAndBackAndWhereItIsWrong) {
    std::string bytes;
    for (int n = 0; n < 256; ++n)
        bytes += static_cast<char>(n);
    const std::string text = appended(append_hex, as_bytes(bytes)).substr(1);
    EXPECT_EQ(text.substr(0, 12), "000102030405");
    EXPECT_EQ(hex(text), (Result{bytes, Decoded::all}));
    EXPECT_EQ(hex(""), (Result{"", Decoded::all}));
    EXPECT_EQ(hex(" 0x61 6\n2"), (Result{"ab", Decoded::all}));
    EXPECT_EQ(hex("6A6a"), (Result{"jj", Decoded::all}));
    EXPECT_EQ(hex("610x"), (Result{"a", 3}));
    EXPECT_EQ(hex("616"), (Result{"a", 3}));
    EXPECT_EQ(hex("61g1"), (Result{"a", 2}));
    EXPECT_EQ(hex("0x0x"), (Result{"", 3}));
}

TEST(Hex, Numbers) {
    EXPECT_EQ(appended(append_hex_number, 0u), "<0");
    EXPECT_EQ(appended(append_hex_number, 0xFu), "<f");
    EXPECT_EQ(appended(append_hex_number, 0x10u), "<10");
    EXPECT_EQ(appended(append_hex_number, UINT64_MAX), "<ffffffffffffffff");
    EXPECT_EQ(appended(append_hex_digits, 0x1ABu, 2), "<ab");
    EXPECT_EQ(appended(append_hex_digits, 0xAu, 4), "<000a");
}

}  // namespace
}  // namespace gdvar::detail
