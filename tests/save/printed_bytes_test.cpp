// Bytes as programs print them, and as people post them.
#include <gtest/gtest.h>

#include <array>
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
        {"b'\\x1b\\x00\\x41\\xff'", Digits::hex},
        {"bytearray(b\"\\x1B\\x00\\x41\\xFF\")\n", Digits::hex},
        {"1B-00-41-FF", Digits::hex},
        {"1B-00-41-FF-", Digits::hex},
        {"1b:00:41:ff", Digits::hex},
        {"0x1b, 0x00, 0x41, 0xff", Digits::hex},
        {"{0x1b, 0x00, 0x41, 0xff};", Digits::hex},
        {"{ 0x1B,\n  0x00,\n  0x41,\n  0xFF };\n", Digits::hex},
        {"  0x1b, 0x00, 0x41,\n  0xff\n", Digits::hex},
        {"00000000: 1b00 41ff                                ..A.\n", Digits::dump},
        {"00000000: 1B00 41FF                                ..A.\n", Digits::dump},
        {"00000000: 1b0041ff                             ..A.\n", Digits::dump},
        {"00000000  1b 00 41 ff                                       |..A.|\n00000004\n",
         Digits::dump},
    };
    for (const Case& each : cases) {
        const auto read = read_printed_bytes(each.text);
        ASSERT_TRUE(read) << each.text << to_string(read.error());
        EXPECT_EQ(read->bytes, wanted) << each.text;
        EXPECT_EQ(read->form.digits, each.digits) << each.text;
        EXPECT_TRUE(read->exact) << each.text << "\n" << digits_of(read->bytes, read->form);
    }
}

TEST(PrintedBytes, BehindAByteOrderMark) {
    const std::string mark = "\xEF\xBB\xBF";
    const std::vector<std::byte> wanted = bytes_of({27, 0, 65, 255});
    for (const char* text :
         {"[27, 0, 65, 255]", "<Buffer 1b 00 41 ff>\n", "b'\\x1b\\x00A\\xff'", "1B-00-41-FF",
          "00000000: 1b00 41ff                                ..A.\n"}) {
        const auto read = read_printed_bytes(mark + text);
        ASSERT_TRUE(read) << text << to_string(read.error());
        EXPECT_EQ(read->bytes, wanted) << text;
        EXPECT_TRUE(read->exact) << text;
        EXPECT_EQ(digits_of(read->bytes, read->form), mark + text);
    }
    for (const auto& [text, digits] :
         {std::pair("1b0041ff", Digits::hex), std::pair("GwBB/w==\n", Digits::base64)}) {
        const auto read = read_digits(mark + text, digits);
        ASSERT_TRUE(read) << text << to_string(read.error());
        EXPECT_EQ(read->bytes, wanted) << text;
        EXPECT_EQ(digits_of(read->bytes, read->form), mark + text);
    }
    EXPECT_EQ(read_printed_bytes(mark + "<Buffer 1b 0>").error().offset, 14u);
    EXPECT_FALSE(read_printed_bytes(mark + mark + "<Buffer 1b 00>"));
}

TEST(PrintedBytes, DumpsWithoutTheirCharacters) {
    const std::vector<std::byte> wanted =
        bytes_of({4, 0, 0, 0, 8, 0, 0, 0, 97, 98, 99, 100, 101, 102, 103, 104, 7});
    for (const char* text :
         {"00000000: 0400 0000 0800 0000 6162 6364 6566 6768\n00000010: 07\n",
          "00000000: 0400 0000 0800 0000 6162 6364 6566 6768  \r\n00000010: 07  \r\n",
          "00000000: 04 00 00 00 08 00 00 00 61 62 63 64 65 66 67 68\n00000010: 07\n",
          "00000000  04 00 00 00 08 00 00 00  61 62 63 64 65 66 67 68\n00000010  07\n00000011\n",
          "00000000  04 00 00 00 08 00 00 00  61 62 63 64 65 66 67 68\n00000010  07"}) {
        const auto read = read_printed_bytes(text);
        ASSERT_TRUE(read) << text << to_string(read.error());
        EXPECT_EQ(read->bytes, wanted) << text;
    }
    // One line of hexdump.
    const auto line = read_printed_bytes("00000000  04 00 00 00 03 00 00 00  41 64 61 00\n");
    ASSERT_TRUE(line) << to_string(line.error());
    EXPECT_EQ(line->bytes, bytes_of({4, 0, 0, 0, 3, 0, 0, 0, 65, 100, 97, 0}));
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
          "00000004: 1b00 41ff  ..A.\n", "[27, 0, 256]", "[27, 0", "b'\\q'", "b'\\'", "1b 00 41 ff",
          "", "hello", "[]"}) {
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
    EXPECT_FALSE(
        read_digits("0000000 033 000 101 377\n*\n0000340 001 000\n0000342\n", Digits::hex));
    // Groups of hex, the first of which is zero.
    EXPECT_TRUE(read_digits("00000000 1b000000 00000000\n04000000 02000000\n", Digits::hex));
}

// An indent of one line alone, written before each line, would take memory for both together.
TEST(PrintedBytes, AnIndentThatLinesLackIsNone) {
    const std::vector<std::byte> bytes(64, std::byte{27});
    const std::string dump =
        digits_of(bytes, {.digits = Digits::dump, .group = 4, .line = 16, .xxd = true});
    const auto read = read_printed_bytes(std::string(1000, ' ') + dump);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->bytes, bytes);
    EXPECT_EQ(read->form.line_end, "");
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
            {.digits = Digits::hex,
             .before = "{\n  0x",
             .behind = "\n};\n",
             .group = 2,
             .separator = ", 0x",
             .line = 12,
             .line_end = ",\n  0x"},
            {.digits = Digits::dump, .behind = "\n", .group = 4, .line = 16, .xxd = true},
            {.digits = Digits::dump, .group = 2, .line = 16, .upper = true, .xxd = true},
            {.digits = Digits::dump, .behind = "\n", .group = 2, .line = 16, .repeats = true},
            // Indented, as a block of code; with the line ends of Windows.
            {.digits = Digits::dump,
             .before = "\n    ",
             .behind = "\n",
             .group = 4,
             .line = 16,
             .line_end = "\n    ",
             .xxd = true},
            {.digits = Digits::dump,
             .before = "\t",
             .behind = "\r\n",
             .group = 2,
             .line = 16,
             .line_end = "\r\n\t",
             .repeats = true},
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

/// As xxd, hexdump and od print `\x1b\0A\xff` and 12 zeros, twice and once more, and a byte.
TEST(PrintedBytes, DumpsOfTheTools) {
    std::vector<std::byte> wanted(49);
    for (const std::size_t at : {0, 16, 32}) {
        wanted[at] = std::byte{0x1b};
        wanted[at + 2] = std::byte{'A'};
        wanted[at + 3] = std::byte{0xff};
    }
    wanted[48] = std::byte{7};
    const std::string line =
        "1b 00 41 ff 00 00 00 00  00 00 00 00 00 00 00 00  |..A.............|\n";
    struct Dump {
        std::string text;
        bool exact;
    };
    const Dump dumps[] = {
        {"00000000  " + line + "*\n00000030  07" + std::string(48, ' ') + "|.|\n00000031\n", true},
        {"000000 1b 00 41 ff 00 00 00 00 00 00 00 00 00 00 00 00\n*\n"  // od -A x -t x1
         "000030 07\n000031\n",
         false},
        {"0000000 001b ff41 0000 0000 0000 0000 0000 0000\n"
         "0000010 001b ff41 0000 0000 0000 0000 0000 0000\n*\n"
         "0000030 0007                                   \n0000031\n",
         false},
    };
    for (const Dump& each : dumps) {
        const auto read = read_printed_bytes(each.text);
        ASSERT_TRUE(read) << each.text << to_string(read.error());
        EXPECT_EQ(read->bytes, wanted) << each.text;
        EXPECT_EQ(read->exact, each.exact) << digits_of(read->bytes, read->form);
    }
}

TEST(PrintedBytes, WhoseOrderIsNotKnownAreRefused) {
    const std::string order = "the order of the bytes in groups of so many digits is not known";
    const std::string sizes = "the groups of digits have different sizes";
    const std::pair<const char*, std::string> dumps[] = {
        {"0000000 ff41001b 00000000\n0000010\n", order},     // od -t x4
        {"0000000 000033 177501 000000\n0000006\n", order},  // od
        {"0000000 033 000 101 377\n0000004\n", order},       // od -b
        {"00000000: 0000001b 00000001  ........\n", order},  // xxd -e
        {"00000000: 0000001b 00000001\n", order},
        {"00000000  1b 0041 ff\n00000004\n", sizes},
        {"00000000: 1b 0041 ff  ..A.\n", sizes},
        {"00000000: 1b00 41 ff  ..A.\n", sizes},
        {"0000000 001b ff\n0000003\n", sizes},
        {"0000000 0000 0000\n*\n0000040\n", "whether the offsets are hexadecimal is not known"},
    };
    for (const auto& [text, why] : dumps) {
        const auto read = read_printed_bytes(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().detail, why) << text;
        const auto hex = read_digits(text, Digits::hex);
        EXPECT_FALSE(hex) << text;
    }
    // The characters show the order.
    EXPECT_TRUE(read_printed_bytes("00000000: 1b004142 00000001  ..AB....\n"));
    EXPECT_FALSE(read_printed_bytes("00000000: 4241001b 00000001  ..AB....\n"));
}

/// `*` makes much of little.
TEST(PrintedBytes, LinesThatRepeatAreBounded) {
    const std::string line = "00000000  00 00\n*\n";
    const auto last = [](std::size_t size) {
        const DigitForm bare{.digits = Digits::hex};
        const std::byte bytes[] = {std::byte(size >> 24), std::byte(size >> 16),
                                   std::byte(size >> 8), std::byte(size)};
        return digits_of(bytes, bare) + "\n";
    };
    const std::size_t most = 64 * (line.size() + 9);
    const auto all = read_printed_bytes(line + last(most));
    ASSERT_TRUE(all);
    EXPECT_EQ(all->bytes.size(), most);
    const auto more = read_printed_bytes(line + last(most + 2));
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().code, Errc::bad_hex);
    const auto less = read_printed_bytes(line + last(most), most - 1);
    ASSERT_FALSE(less);
    EXPECT_EQ(less.error().code, Errc::size_limit);
    EXPECT_FALSE(read_printed_bytes(line + last(3)));  // no whole lines
    EXPECT_FALSE(read_printed_bytes(line));
    EXPECT_FALSE(read_printed_bytes("*\n" + last(0)));
    EXPECT_FALSE(read_printed_bytes(line + last(8) + last(8)));
}

/// The last of an odd number of bytes is printed as a word.
TEST(PrintedBytes, WordsOfAnOddSize) {
    const auto odd = read_printed_bytes("0000000 001b ff41 0007\n0000005\n");
    ASSERT_TRUE(odd);
    EXPECT_EQ(odd->bytes, bytes_of({0x1b, 0, 0x41, 0xff, 7}));
    EXPECT_FALSE(odd->exact);
    EXPECT_FALSE(read_printed_bytes("0000000 001b ff41 0107\n0000005\n"));
    EXPECT_FALSE(read_printed_bytes("0000000 001b ff41 0007\n0000004\n"));
    EXPECT_FALSE(read_printed_bytes("0000000 001b ff41 0000\n0000005\n0000004\n"));
    EXPECT_FALSE(read_printed_bytes("00000000: 001b ff41 0007\n00000005:\n"));
}

TEST(PrintedBytes, MixturesAreRefused) {
    for (const char* text : {"[5,,0]",
                             "[5 0]",
                             "[5-0]",
                             "[,5,0]",
                             "[05,0]",
                             "[5,0x0]",
                             "[5,0}",
                             "05-00:00,00",
                             "05-00 00",
                             "05::00",
                             "-05-00",
                             "0x05 0x00",
                             "0x05, 00",
                             "0x05,, 0x00",
                             "{0x05, 0x00]",
                             "<Buffer 05,00>",
                             "<Buffer 05-00>",
                             "<Buffer 05 0>",
                             "[5, 0], 3",
                             "{5, 0}",
                             R"({"type":"Other","data":[5,0]})",
                             R"({"kind":"Buffer","data":[5,0]})",
                             R"({"Buffer":1,"data":[5,0]})",
                             R"({"type":"Buffer","data":[5,0],"more":1})",
                             R"({"type":"Buffer","data":[5,0]})"
                             "]"})
        EXPECT_FALSE(read_printed_bytes(text)) << text;
    EXPECT_TRUE(read_printed_bytes("{ \"type\": \"Buffer\",\n \"data\": [\n5,\n0\n] }"));
}

TEST(PrintedBytes, ThatWereCutSaySo) {
    for (const char* text :
         {"<Buffer 13 00 ... 50 more bytes>", "[\n  13, 0,\n  ... 50 more items\n]"}) {
        const auto read = read_printed_bytes(text);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, Errc::truncated);
        MemorySource source(as_bytes(std::string_view(text)));
        std::vector<Reading> ruled_out;
        ASSERT_TRUE(recognise(source, {.ruled_out = &ruled_out}));
        ASSERT_FALSE(ruled_out.empty()) << text;
        EXPECT_EQ(ruled_out.back().kind, InputKind::byte_text);
        EXPECT_NE(ruled_out.back().reason.find("the print was cut"), std::string::npos);
    }
}

InputKind kind_of(std::string_view text) {
    const auto kinds = recognise(as_bytes(text));
    return kinds.empty() ? InputKind::foreign : kinds.front();
}

/// Lists of numbers are JSON, unless what they hold is no list by chance.
TEST(PrintedBytes, ListsAreJsonButForStrongEvidence) {
    for (const char* json :
         {"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", "[2, 0, 0, 0, 7, 0, 0, 0]",
          "[5,0,0,0,0,0,0,0,0,0,0,0]",                           // Vector2
          "[4,0,0,0,97,98,99,100]",                              // a length and a text, a record
          "[71,67,80,70,1]", "[31,139,8,0]", "[82,83,82,67,0]",  // magics
          "[4, 0, 0, 0, 4, 0, 0, 0, 116, 101, 115, 116]",        // a String
          "[28,0,0,0,0,0,0,0]", "[28,0,0,0,1,0,0,0,0,0,0,0]",    // Arrays: empty, of a null
          "[28,0,0,0,1,0,0,0,5,0,0,0,1,0,0,0,2,0,0,0]",          // of a Vector2 of tiny numbers
          "[28,0,0,0,1,0,0,0,2,0,0,0,5,0,0,0,0]",                // with a byte behind it
          "[28,0,0,0,2,0,0,0,2,0,0,0,5,0,0,0]",                  // that breaks off
          "[28,0,0,0,1,0,0,0,1,0,0,0,7,0,0,0]",                  // of a boolean 7
          "[28,0,0,0,1,0,0,0,4,0,0,0,1,0,0,0,1,0,0,0]",          // of a control character
          "[8,0,0,0,2,0,0,0,5,0,0,0]"})                          // a record of an int
        EXPECT_EQ(kind_of(json), InputKind::foreign) << json;
    for (const char* printed :
         {"[28,0,0,0,1,0,0,0,2,0,0,0,5,0,0,0]", "[16,0,0,0,28,0,0,0,1,0,0,0,2,0,0,0,5,0,0,0]",
          R"({"type":"Buffer","data":[28,0,0,0,1,0,0,0,2,0,0,0,5,0,0,0]})",
          "[31,139,8,0,0,0,0,0,2,3,171,86,74,84,178,50,172,5,0,175,172,27,86,7,0,0,0]",  // gzip
          "b'\\x04\\0\\0\\0\\x04\\0\\0\\0test'", "04-00-00-00-04-00-00-00-74-65-73-74"})
        EXPECT_EQ(kind_of(printed), InputKind::byte_text) << printed;
    EXPECT_EQ(kind_of("04-00-00-00-61-62-63-64"), InputKind::foreign);  // too short
}

/// Whatever numbers a list has, it is hardly ever bytes.
TEST(PrintedBytes, RandomListsAreJson) {
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
        const unsigned most = std::array{2u, 6u, 32u, 256u}[random() % 4];
        std::string list = "[";
        for (std::size_t left = random() % 60; left > 0; --left)
            list += std::to_string(random() % 3 ? 0 : random() % most) + (left > 1 ? "," : "");
        EXPECT_EQ(kind_of(list + "]"), InputKind::foreign) << list;
    }
}

}  // namespace
}  // namespace gdvar
