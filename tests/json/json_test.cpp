#include <gtest/gtest.h>

#include "gdvar/json/json.hpp"
#include "gdvar/value/codec.hpp"
#include "support/engine_json.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

TEST(TypedJson, EqualsTheEnginesAsAValueOnEveryRecording) {
    std::size_t compared = 0;
    for (const Vector& vector : vectors_of(recordings[0])) {
        auto document = Document::parse(vector.bytes, reading(dialects::godot_4_4));
        ASSERT_TRUE(document);
        auto json = to_json(std::as_const(*document).root());
        ASSERT_TRUE(json);
        // The packet says EncodedObjectAsID where the engine's JSON is null: tests/data/README.md.
        if (vector.json.empty() || not_in_the_engines_json(vector.name))
            continue;
        EXPECT_EQ(without_digits(parsed(*json)), parsed(vector.json)) << vector.name;
        ++compared;
        auto indented = to_json(std::as_const(*document).root(), {.indent = 2});
        EXPECT_EQ(parsed(*indented), parsed(*json));
    }
    EXPECT_GT(compared, 410u);
}

TEST(TypedJson, KeepsWhatJsonAloneWouldLose) {
    const std::pair<Variant, const char*> cases[] = {
        {0.1, "\"f:0.1\""},
        {1e-20, "\"f:1e-20\""},
        {-0.0, "\"f:-0.0\""},
        {RID{7}, "{\"type\":\"RID\",\"id\":\"7\"}"},
        {Object::from_id(9), "{\"type\":\"Object\",\"id\":\"9\"}"},
        {Vector2d{0.1, 2}, R"({"type":"Vector2","args":[0.1,2.0],"wide":true})"},
        {Signal{"s", 3}, R"({"type":"Signal","name":"s","id":"3"})"},
        {"a\xFF", R"("s:a\udcff")"},
    };
    for (const auto& [value, text] : cases)
        EXPECT_EQ(*to_json(value), text);
}

TEST(PlainJson, IsJsonForAnyValueAndSaysWhatItLoses) {
    Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const Variant value = any_value(random, 4);
        auto bytes = encode(value, writing(dialects::godot_4_4));
        if (!bytes)
            continue;
        auto document = Document::parse(as_bytes(*bytes), reading(dialects::godot_4_4));
        ASSERT_TRUE(document);
        auto plain = to_plain_json(std::as_const(*document).root(), {.indent = i % 3});
        ASSERT_TRUE(plain);
        EXPECT_FALSE(Json::parse(*plain, nullptr, false).is_discarded()) << *plain;
        EXPECT_FALSE(parsed(*to_json(std::as_const(*document).root())).is_null() &&
                     !value.is_nil());
    }
    const auto bytes = *encode(Dictionary{{"a", StringName("x")}, {1, "int"}, {"1", "text"}});
    auto document = Document::parse(as_bytes(bytes));
    std::vector<std::string> losses;
    const std::string expected = "{\"a\":\"x\",\"1\":\"int\",\"1 (2)\":\"text\"}";
    EXPECT_EQ(*to_plain_json(std::as_const(*document).root(), {}, &losses), expected);
    ASSERT_EQ(losses.size(), 3u);
    EXPECT_EQ(losses[0], "$.a: StringName has no form of its own in JSON");
}

}  // namespace
}  // namespace gdvar::test
