// Paths into Variants: lookup and set_path.
#include <gtest/gtest.h>

#include "gdvar/value/codec.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::test {
namespace {

Variant odd_game() {
    return Dictionary{{"players", Array{Dictionary{{"name", "Ada"}, {"hp", 30}}, 7}},
                      {"odd key", Dictionary{{5, "five"}, {2.5, "real"}, {Vector2i{1, 2}, "tile"}}},
                      {Array{1}, "by a list"},
                      {"nothing", nullptr}};
}

TEST(Paths, LeadToValues) {
    Variant v = odd_game();
    const Variant& c = v;
    EXPECT_EQ(c.lookup("$.players[0].hp")->get(), 30);
    EXPECT_EQ(c.lookup("players[-1]")->get(), 7);
    EXPECT_EQ(c.lookup(R"($["odd key"][5])")->get(), "five");
    EXPECT_EQ(c.lookup(R"($["odd key"][2.5])")->get(), "real");
    EXPECT_EQ(c.lookup(R"($["odd key"][Vector2i(1, 2)])")->get(), "tile");
    EXPECT_EQ(c.lookup("$[@2]")->get(), "by a list");
    EXPECT_EQ(&c.lookup("$")->get(), &v);
    EXPECT_EQ(&c.lookup("")->get(), &v);
    v.lookup("$.players[0].hp")->get() = "a text that takes memory";
    EXPECT_EQ(v["players"][0]["hp"], "a text that takes memory");
    Variant decoded = *decode(as_bytes(*encode(odd_game())));
    decoded.lookup("$.players[1]")->get() = "a text that takes memory";
    EXPECT_EQ(decoded["players"][1], "a text that takes memory");
}

TEST(Paths, RefuseWithTheFirstStepThatFailed) {
    const Variant v = odd_game();
    const auto says = [&](std::string_view path) { return to_string(v.lookup(path).error()); };
    EXPECT_EQ(says("$.player.x"), R"(error[missing_key]: no key "player")");
    EXPECT_EQ(says("$.players[2].hp"), "error[index_out_of_range]: no element 2: there are 2");
    EXPECT_EQ(says("$.players.hp"),
              R"(error[wrong_type]: expected an Object or a Dictionary for "hp", found an Array)");
    EXPECT_EQ(v.lookup("$.players[true]").error().code, Errc::wrong_type);
    EXPECT_EQ(v.lookup("$[true]").error().code, Errc::missing_key);
    EXPECT_EQ(v.lookup("$.players[").error().code, Errc::bad_path);
    EXPECT_EQ(to_string(v.lookup("$.players[").error()),
              "error[bad_path]: Not a path, or a path that leads nowhere: \"[\"");
    EXPECT_EQ(v.lookup("$.players[").error().offset, 0u) << "no byte of a packet";
}

TEST(Paths, SetMakesWhatSubscriptsMake) {
    Variant v = odd_game();
    ASSERT_TRUE(v.set_path("$.players[0].hp", 31));
    EXPECT_EQ(v["players"][0]["hp"], 31);
    auto set = v.set_path("$.nothing.now.deep", 1);
    ASSERT_TRUE(set);
    set->get() = 2;
    EXPECT_EQ(v["nothing"]["now"]["deep"], 2);
    ASSERT_TRUE(v.set_path(R"(fresh["a key"])", Array{1}));
    EXPECT_EQ(v["fresh"]["a key"], Array{1});
    ASSERT_TRUE(v.set_path(R"($["odd key"][5])", 6));
    EXPECT_EQ(v["odd key"][5], 6);
    Variant nil;
    ASSERT_TRUE(nil.set_path("$.a.b", 1));
    EXPECT_EQ(nil, Variant(Dictionary{{"a", Dictionary{{"b", 1}}}}));
    ASSERT_TRUE(nil.set_path("$", 5));
    EXPECT_EQ(nil, 5);
    const Variant before = v;
    for (const char* path :
         {"$.players[2]", "$.players[-3]", "$.players.x", "$.players[1].x", "$[9]", "$.new[0]",
          "$.new.deep[0].x", "$[true]", "$.nothing.now.deep.x", "$.["})
        EXPECT_FALSE(v.set_path(path, 1)) << path;
    EXPECT_TRUE(identical(v, before));
}

}  // namespace
}  // namespace gdvar::test
