// Bytes in whatever holds them; hashes of what can be a key.
#include <gtest/gtest.h>

#include <array>
#include <list>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gdvar/value/binding.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::test {
namespace {

template <class Bytes>
void expect_decodes(const Bytes& bytes) {
    static_assert(ByteRange<Bytes>);
    EXPECT_EQ(decode(bytes).value(), 7);
    EXPECT_EQ(decode<int>(bytes).value(), 7);
    int number = 0;
    EXPECT_TRUE(decode_to(number, bytes));
    EXPECT_EQ(number, 7);
    EXPECT_EQ(validate(bytes).value(), 8u);
    EXPECT_EQ(Document::parse(bytes)->root().template get<int>().value(), 7);
    Document document;
    EXPECT_TRUE(document.read(bytes));
    EXPECT_EQ(as_bytes(bytes).size(), 8u);
}

TEST(Bytes, OfAnyContiguousRange) {
    const PackedByteArray packet = encode(Variant(7)).value();
    expect_decodes(packet);
    expect_decodes(as_bytes(packet));
    expect_decodes(std::vector<std::uint8_t>(packet.begin(), packet.end()));
    expect_decodes(std::vector<char>(packet.begin(), packet.end()));
    const std::string text(packet.begin(), packet.end());
    expect_decodes(text);
    expect_decodes(std::string_view(text));
    expect_decodes(std::span<const char>(text));
    std::array<signed char, 8> array;
    std::copy(packet.begin(), packet.end(), array.begin());
    expect_decodes(array);
    std::vector<std::byte> bytes(as_bytes(packet).begin(), as_bytes(packet).end());
    expect_decodes(bytes);
    expect_decodes(std::span<std::byte>(bytes));
    static_assert(!ByteRange<std::vector<int>> && !ByteRange<std::list<char>> &&
                  !ByteRange<char[8]> && !ByteRange<std::vector<bool>>);
    static_assert(std::same_as<decltype(decode<std::string>(as_bytes(text))),
                               std::expected<std::string, Error>>);
}

TEST(Hash, FollowsEquality) {
    const std::hash<String> text;
    EXPECT_EQ(text("abc"), text(String("abc")));
    EXPECT_NE(text("abc"), text("abd"));
    EXPECT_EQ(std::hash<StringName>()(StringName("a long text, not in place")),
              std::hash<StringName>()(StringName("a long text, not in place")));
    const std::hash<NodePath> path;
    EXPECT_EQ(path(NodePath("a/b:c")), path(NodePath("a/b:c")));
    EXPECT_NE(path(NodePath("a/b:c")), path(NodePath("/a/b:c")));
    EXPECT_NE(path(NodePath("a/b")), path(NodePath("a:b")));
    std::unordered_set<String> texts{"a", "b", "a"};
    EXPECT_EQ(texts.size(), 2u);
    std::unordered_map<Variant, int, VariantKeyHash, VariantKeyEqual> map;
    map[Variant("a")] = 1;
    map[Variant(StringName("a"))] = 2;
    map[Variant(1)] = 3;
    map[Variant(1.0)] = 4;
    map[Variant(Array{1, "x"})] = 5;
    EXPECT_EQ(map.size(), 4u);
    EXPECT_EQ(map[Variant(Array{1, "x"})], 5);
}

}  // namespace
}  // namespace gdvar::test
