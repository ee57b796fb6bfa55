// The cost of reading text and JSON, and memory that runs out.
#include <gtest/gtest.h>

#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "support/allocations.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

const std::string texts[] = {
    R"({"a": [1, 2.5, "a longer text than fits in place", &"b"], Vector3(1, 2, 3): {}, "a": 1})",
    R"(Array[String](["x", NodePath("/root/A:b"), PackedStringArray("a", "b"), null]))",
    R"(Dictionary[int, Variant]({1: PackedVector3Array(1, 2, 3), 2: PackedByteArray("YWJj")}))",
    R"(Object(Node, "a": Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))",
};
const std::string jsons[] = {
    R"({"type":"Dictionary","args":["s:a longer text than fits in place",["i:1","f:1.5"]]})",
    R"({"type":"Node","props":["a",{"type":"Vector3","args":[1.0,null,3.0]},"b","np:/root/A:b"]})",
    R"([{"type":"Array","elem_type":"Node","args":[]},{"type":"PackedStringArray","args":["\n"]}])",
};

template <class Parse>
void fail_each(const std::string& text, Parse&& parse) {
    for (std::size_t at = 0;; ++at) {
        std::expected<Variant, TextError> read;
        const Recorder record = counted([&] { read = parse(text); }, at);
        if (record.count <= at) {
            EXPECT_GT(at, 3u) << text;
            return;
        }
        ASSERT_TRUE(!read) << text << " " << at;
        ASSERT_EQ(read.error().code, Errc::no_memory) << text << " " << at;
    }
}

TEST(TextMemory, EveryFailedAllocationIsAnError) {
    for (const std::string& text : texts) {
        fail_each(text, [](std::string_view t) { return parse_text(t, {.tolerant = true}); });
        fail_each(text, [](std::string_view t) { return parse_text_full(t); });
    }
    for (const std::string& json : jsons) {
        fail_each(json, [](std::string_view t) { return parse_json(t); });
        fail_each(json, [](std::string_view t) { return parse_plain_json(t); });
    }
}

std::string repeated(std::string_view piece, std::size_t n, std::string_view head,
                     std::string_view tail) {
    std::string out(head);
    for (std::size_t i = 0; i < n; ++i)
        out += piece;
    return out += tail;
}

std::string numbered_pairs(std::size_t n, const char* before = "", const char* after = "") {
    std::string out = "{";
    for (std::size_t i = 0; i < n; ++i)
        out += before + std::to_string(i) + after + ":1,";
    return out + "}";
}
std::string nest(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}
std::string numbered_members(std::size_t n) {
    std::string out = "{";
    for (std::size_t i = 0; i < n; ++i)
        out += "\"" + std::to_string(i) + "\":1,";
    return out + "\"\":0}";
}

/// 16 bytes for each of the text's, what the value itself takes, and what as many open containers
/// as there may be take. Given a value that was read, or nothing.
std::size_t allowed(const std::string& text, const std::expected<Variant, TextError>& read) {
    constexpr std::size_t open_containers = 1024 * 512;
    std::size_t held = 0;
    if (read) {
        Variant copy;
        held = counted([&] { copy = *read; }).now;
    }
    return held + 16 * text.size() + open_containers;
}

TEST(TextMemory, TakesWhatItsValuesTakeAndSixteenTimesTheText) {
    const std::size_t n = 300'000;
    const std::string inputs[] = {
        repeated("1,", n, "[", "]"),
        repeated("[],", n, "[", "]"),
        repeated("[", 1000, "", ""),
        repeated("{},", n, "[", "]"),
        repeated("1:1,", n, "{", "}"),
        repeated("1,", n, "PackedByteArray(", "1)"),
        repeated("\"\",", n, "[", "]"),
        repeated("&\"\",", n, "[", "]"),
        repeated("\\", n, "\"", "\""),
        repeated("#,", n, "[", "]"),
        repeated("RID(),", n, "[", "]"),
        repeated("NodePath(\"\"),", n, "[", "]"),
        repeated("Array[int]([", 900, "", ""),
        repeated("[0],", n, "[", "]"),
        repeated("{0:0},", n, "[", "]"),
        repeated("\"\",", n, "PackedStringArray(", "\"\")"),
        repeated("1,", n, "PackedFloat64Array(", "1)"),
        repeated("Vector2(0,0),", n, "[", "]"),
        numbered_pairs(n),
        repeated("[0]:1,", n, "{", "}"),
        repeated("[[[]]]:[[[]]],", n, "{", "}"),
        repeated("0:[[[]]],", n, "{", "}"),
        repeated("0:1,2:1,[{0:[]}]:[],", n / 4, "{", "}"),
        repeated(nest(900) + ":0,", n / 900, "{", "}"),
        repeated("0:" + nest(900) + ",", n / 900, "{", "}"),
        repeated("{" + nest(900) + ":0}:0,", n / 900, "{", "}"),
        numbered_pairs(n / 4, "[", "]"),
        numbered_pairs(n / 4, "{", ":0}"),
        repeated("1,", n, "Array[int]([", "])"),
        repeated("1:1,", n, "Dictionary[int, int]({", "})"),
        repeated(",\"\":0", n, "Object(Node", ")"),
    };
    for (const std::string& text : inputs)
        for (const bool full : {false, true}) {
            std::expected<Variant, TextError> read;
            const Recorder record =
                counted([&] { read = parse_text(text, {.full = full, .tolerant = true}); });
            EXPECT_LE(record.peak, allowed(text, read)) << text.substr(0, 20) << full;
        }
    const std::string json[] = {
        repeated("0,", n, "[", "0]"),
        repeated("[],", n, "[", "0]"),
        repeated("[", 2000, "", ""),
        repeated("\"\":0,", n, "{", "\"\":0}"),
        repeated("\"\",", n, "[", "0]"),
        repeated("{},", n, "[", "0]"),
        repeated("null,", n, "[", "0]"),
        repeated("[0],", n, "[", "0]"),
        repeated("null,", n, "[", "null]"),
        repeated("\"i:1\",", n, "[", "\"i:1\"]"),
        repeated("[],", n, "[", "[]]"),
        repeated("\"i:1\",", 2 * n - 1, "{\"type\":\"Dictionary\",\"args\":[", "\"i:1\"]}"),
        numbered_members(n),
        repeated("\"\":[[[]]],", n, "{", "\"\":0}"),
        repeated("{\"\":" + nest(400) + ",\"\":0},", n / 800, "[", "0]"),
        repeated("\"\":" + nest(400) + ",", n / 400, "{\"a\":{", "\"\":0}}"),
    };
    for (const std::string& text : json)
        for (const bool typed : {false, true}) {
            std::expected<Variant, TextError> read;
            const Recorder record =
                counted([&] { read = typed ? parse_json(text) : parse_plain_json(text); });
            EXPECT_LE(record.peak, allowed(text, read)) << text.substr(0, 20) << typed;
        }
}

}  // namespace
}  // namespace gdvar::test
