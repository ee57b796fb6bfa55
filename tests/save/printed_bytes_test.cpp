// Bytes as programs print them, and as people post them.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "gdvar/save/coding.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar {
namespace {

using Digits = DigitForm::Digits;

std::vector<std::byte> bytes_of(std::initializer_list<int> numbers) {
    std::vector<std::byte> out;
    for (const int number : numbers)
        out.push_back(static_cast<std::byte>(number));
    return out;
}

struct Case {
    const char* text;
    Digits digits;
};

TEST(PrintedBytes, AreReadAndWrittenInTheirForm) {
    const std::vector<std::byte> wanted = bytes_of({27, 0, 65, 255});
    const Case cases[] = {
        {"[27, 0, 65, 255]", Digits::decimal},
        {"[27,0,65,255]\n", Digits::decimal},
        {"<Buffer 1b 00 41 ff>", Digits::hex},
        {"{\"type\":\"Buffer\",\"data\":[27,0,65,255]}", Digits::decimal},
        {"b'\\x1b\\x00A\\xff'", Digits::python},
        {"bytearray(b'\\x1b\\x00A\\xff')\n", Digits::python},
        {"1B-00-41-FF", Digits::hex},
        {"1B-00-41-FF-", Digits::hex},
        {"1b:00:41:ff", Digits::hex},
        {"0x1b, 0x00, 0x41, 0xff", Digits::hex},
        {"{0x1b, 0x00, 0x41, 0xff};", Digits::hex},
        {"00000000: 1b00 41ff                                ..A.\n", Digits::dump},
        {"00000000  1b 00 41 ff                                       |..A.|\n00000004\n",
         Digits::dump},
    };
    for (const Case& each : cases) {
        const auto read = read_printed_bytes(each.text);
        ASSERT_TRUE(read) << each.text << to_string(read.error());
        EXPECT_EQ(read->bytes, wanted) << each.text;
        EXPECT_EQ(read->form.digits, each.digits) << each.text;
        if (each.digits != Digits::dump || each.text[8] != ':') {
            EXPECT_TRUE(read->exact) << each.text << "\n" << digits_of(read->bytes, read->form);
        }
    }
}

TEST(PrintedBytes, OffsetsAndCharactersOfADumpMustFit) {
    const std::string line =
        "00000000  1b 00 41 ff 00 00 00 00  00 00 00 00 00 00 00 00  |..A.............|\n";
    EXPECT_TRUE(read_printed_bytes(line + "00000010\n"));
    // Lines that repeat.
    const auto repeated = read_printed_bytes(line +
                                             "00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 "
                                             "00 00  |................|\n*\n00000040\n");
    ASSERT_TRUE(repeated);
    EXPECT_EQ(repeated->bytes.size(), 0x40u);
    for (const char* wrong :
         {"00000000  1b 00 41 ff  |..B.|\n00000004\n", "00000000  1b 00 41 ff\n00000008  00\n",
          "00000004: 1b00 41ff  ..A.\n", "[27, 0, 256]", "[27, 0",
          "<Buffer 1b 00 ... 40 more bytes>", "b'\\q'", "1b 00 41 ff", "", "hello", "[]"}) {
        const auto read = read_printed_bytes(wrong);
        EXPECT_FALSE(read) << wrong;
        if (!read) {
            EXPECT_EQ(read.error().code, Errc::bad_hex) << wrong;
        }
    }
}

TEST(PrintedBytes, ADumpIsNoHex) {
    const auto read = read_digits("0000000 001b ff41\n0000004\n", Digits::hex);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Errc::bad_hex);
    const auto words = read_printed_bytes("0000000 001b ff41\n0000004\n");
    ASSERT_TRUE(words);
    EXPECT_EQ(words->bytes, bytes_of({0x1b, 0x00, 0x41, 0xff}));
    EXPECT_FALSE(words->exact);
}

TEST(PrintedBytes, EveryFormHoldsEveryByte) {
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::byte> bytes(2 + random() % 70);
        for (std::byte& byte : bytes)
            byte = static_cast<std::byte>(random());
        const DigitForm forms[] = {
            {.digits = Digits::decimal, .before = "[", .behind = "]", .separator = ", "},
            {.digits = Digits::hex,
             .before = "<Buffer ",
             .behind = ">",
             .group = 2,
             .separator = " "},
            {.digits = Digits::hex, .group = 2, .separator = "-", .upper = true},
            {.digits = Digits::python, .before = "b'", .behind = "'"},
            {.digits = Digits::dump, .behind = "\n", .group = 16, .xxd = true, .width = 4},
            {.digits = Digits::dump, .behind = "\n", .group = 16, .width = 2},
        };
        for (const DigitForm& form : forms) {
            const std::string text = digits_of(bytes, form);
            const auto read = read_printed_bytes(text);
            ASSERT_TRUE(read) << text << to_string(read.error());
            EXPECT_EQ(read->bytes, bytes) << text;
            EXPECT_TRUE(read->exact) << text << digits_of(read->bytes, read->form);
        }
    }
}

/// Lists of numbers are JSON, unless a packet is in them.
TEST(PrintedBytes, AreRecognisedOnlyIfAPacketComesOut) {
    const auto kind = [](std::string_view text) { return recognise(as_bytes(text)).front(); };
    EXPECT_EQ(kind("[4, 0, 0, 0, 4, 0, 0, 0, 116, 101, 115, 116]"), InputKind::byte_text);
    EXPECT_NE(kind("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]"), InputKind::byte_text);
    EXPECT_NE(kind("[2, 0, 0, 0, 7, 0, 0, 0]"), InputKind::byte_text);  // too short
}

}  // namespace
}  // namespace gdvar
