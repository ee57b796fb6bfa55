// Paths to several values: [*], slices and `..`.
#include <gtest/gtest.h>

#include <filesystem>

#include "gdvar/gdvar.hpp"
#include "support.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

/// All matches on one line each, or the error.
std::string found(const View& root, std::string_view path) {
    std::string out;
    const auto count = lookup_each(root, path, [&](const MatchView& match) {
        out += std::string(match.path) + "=" + brief_value(match.value) + " ";
        return true;
    });
    return count ? out : to_string(count.error());
}

Variant sample() {
    return Dictionary{
        {"players", Array{Dictionary{{"hp", 1}, {"pos", Vector2{1, 2}}},
                          Dictionary{{"hp", 2}, {"bag", Array{Dictionary{{"hp", 7}}}}}}},
        {"hp", 9},
        {"list", Array{0, 1, 2, 3, 4}},
        {"names", PackedStringArray{"a", "b", "c"}},
        {Variant(3), "three"},
        {"points", PackedVector2Array{Vector2{1, 2}, Vector2{3, 4}}}};
}

TEST(LookupEach, FindsByEachSelector) {
    const Packet packet(sample());
    constexpr std::pair<const char*, const char*> rows[] = {
        {"$.players[*].hp", "$.players[0].hp=1 $.players[1].hp=2 "},
        {"$.players[*].pos", "$.players[0].pos=Vector2(1, 2) "},
        {"$.list[1:3]", "$.list[1]=1 $.list[2]=2 "},
        {"$.list[::2]", "$.list[0]=0 $.list[2]=2 $.list[4]=4 "},
        {"$.list[-2:]", "$.list[3]=3 $.list[4]=4 "},
        {"$.list[-1]", "$.list[4]=4 "},
        {"$.list[9:]", ""},
        {"$.names[1:]", "$.names[1]=\"b\" $.names[2]=\"c\" "},
        {"$.points[*].x", "$.points[0].x=1.0 $.points[1].x=3.0 "},
        {"$.points[-1:].y", "$.points[1].y=4.0 "},
        {"$..hp", "$.players[0].hp=1 $.players[1].hp=2 $.players[1].bag[0].hp=7 $.hp=9 "},
        {"$.players..hp", "$.players[0].hp=1 $.players[1].hp=2 $.players[1].bag[0].hp=7 "},
        {"$..bag..hp", "$.players[1].bag[0].hp=7 "},
        {"$..players[0].hp", "$.players[0].hp=1 "},
        {"$..pos.x", "$.players[0].pos.x=1.0 "},
        {"$..points[0].x", "$.points[0].x=1.0 "},
        {"$..points[-1:].x", "$.points[1].x=3.0 "},
        {"$..[3]", "$.list[3]=3 $[3]=\"three\" "},
        {"$..list[1:2]", "$.list[1]=1 "},
        {"$..[4:]", "$.list[4]=4 "},
        {"$..[*]..hp", "$.players[0].hp=1 $.players[1].hp=2 $.players[1].bag[0].hp=7 "},
        {"$.hp[*]", ""},
    };
    for (const auto& [path, matches] : rows)
        EXPECT_EQ(found(packet.root(), path), matches) << path;
    EXPECT_EQ(lookup_all(packet.root(), "$[*]")->size(), 6u);
    EXPECT_EQ(lookup_all(packet.root(), "$.*")->size(), 6u);
    EXPECT_EQ(lookup_all(packet.root(), "$..[*]")->size(), 19u);
    EXPECT_EQ(lookup_all(packet.root(), "$..*")->size(), 19u);
}

TEST(LookupEach, RefusesWhatIsNowhere) {
    const Packet packet(sample());
    const auto code = [&](std::string_view path) {
        const auto done = lookup_each(packet.root(), path, [](const MatchView&) { return true; });
        return done ? Errc::ok : done.error().code;
    };
    for (const char* path : {"$..nope", "$..bag..nope"})
        EXPECT_EQ(found(packet.root(), path), R"(error[missing_key]: no key "nope" at any depth)");
    EXPECT_EQ(found(packet.root(), R"($..["no pe"])"),
              R"(error[missing_key]: no key "no pe" at any depth)");
    EXPECT_EQ(code("$..players.nope"), Errc::wrong_type);
    EXPECT_EQ(code("$..pos.q"), Errc::missing_key);
    EXPECT_EQ(code("$.players[*].nope"), Errc::missing_key);
    EXPECT_EQ(code("$[1:2]"), Errc::wrong_type);
    EXPECT_EQ(code("$.nope..hp"), Errc::missing_key);
    EXPECT_EQ(code("$..x"), Errc::missing_key);  // `..` does not look into math values
    EXPECT_EQ(code("#0 $..hp"), Errc::bad_path);
    EXPECT_EQ(code("$..[*]"), Errc::ok);
}

TEST(LookupEach, GivesEachValueOnce) {
    // Each of the 300 levels can be reached by `..a` in many ways.
    Variant value = 1;
    for (int i = 0; i < 300; ++i)
        value = Dictionary{{"a", std::move(value)}};
    const Packet packet(value);
    std::string path = "$";
    for (std::size_t i = 1; i <= Path::most_descending; ++i) {
        path += i % 2 ? "..a" : "..*";
        EXPECT_EQ(lookup_all(packet.root(), path)->size(), 301 - i);
    }
}

TEST(LookupEach, StopsWhenAsked) {
    const Packet packet(sample());
    std::size_t seen = 0;
    EXPECT_EQ(lookup_each(packet.root(), "$..hp", [&](const MatchView&) { return ++seen < 2; }),
              2u);
    EXPECT_EQ(seen, 2u);
}

TEST(LookupAll, KeepsToItsLimit) {
    Variant value = 1;
    for (int i = 0; i < 300; ++i)
        value = Array{std::move(value)};
    const Packet packet(value);
    EXPECT_EQ(lookup_all(packet.root(), "$..[0]")->size(), 300u);
    EXPECT_EQ(lookup_all(packet.root(), "$..[0]", 1000).error().code, Errc::size_limit);
}

TEST(LookupEach, TakesTheLastOfEqualKeys) {
    Dictionary twice;
    twice.append("a", 1);
    twice.append("a", 2);
    const Packet packet(Array{twice});
    EXPECT_EQ(found(packet.root(), "$[*].a"), "$[0].a=2 ");
    EXPECT_EQ(found(packet.root(), "$..a"), "$[0].a=2 ");
    EXPECT_EQ(lookup_all(packet.root(), "$[*][*]")->size(), 2u);
}

/// The matches of `..`, found by visiting all values.
void visit(const View& at, std::string path, std::vector<std::string>& out) {
    std::size_t i = 0;
    for (const auto all = at.elements(); const View& element : all) {
        out.push_back(path + "[" + std::to_string(i++) + "]");
        visit(element, out.back(), out);
    }
    i = 0;
    for (const auto all = at.pairs(); const View::Pair& pair : all) {
        out.push_back(path + key_step(pair.key, i++));
        visit(pair.value, out.back(), out);
    }
    for (const auto all = at.properties(); const View::Property& property : all) {
        out.push_back(path + name_step(property.name));
        visit(property.value, out.back(), out);
    }
}

TEST(LookupEach, FindsEveryValueOfTheVectors) {
    std::size_t values = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            auto document = Document::parse(vector.bytes, reading(*recording.dialect));
            if (!document)
                continue;
            const View root = std::as_const(*document).root();
            std::vector<std::string> expected;
            visit(root, "$", expected);
            const auto all = lookup_all(root, "$..[*]");
            ASSERT_TRUE(all);
            ASSERT_EQ(all->size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                ASSERT_EQ((*all)[i].path, expected[i]);
                // A printed path is one path, and leads to one value.
                const auto parsed = Path::parse(expected[i]);
                ASSERT_TRUE(parsed) << expected[i];
                EXPECT_EQ(parsed->to_string(), expected[i]);
                EXPECT_TRUE(lookup(root, *parsed)) << expected[i];
            }
            values += expected.size();
        }
    EXPECT_GT(values, 5000u);
}

TEST(LookupEach, WorksOnSaves) {
    std::size_t saves = 0, records = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data_dir() / "saves")) {
        if (!entry.is_regular_file())
            continue;
        auto save = open_save(entry.path().string());
        if (!save)
            continue;  // encrypted, or another program's
        ++saves;
        for (std::size_t i = 0;; ++i) {
            const auto root = save->find("#" + std::to_string(i) + " $");
            if (!root)
                break;
            ++records;
            std::vector<std::string> expected;
            visit(*root, "$", expected);
            const auto all = lookup_all(*root, "$..[*]");
            ASSERT_TRUE(all);
            EXPECT_EQ(all->size(), expected.size());
            const auto slice = lookup_all(*root, "$..[0:1]");
            const auto first = lookup_all(*root, "$..[0]");
            const std::size_t least = slice ? slice->size() : 0;
            EXPECT_GE(first ? first->size() : 0, least);
        }
    }
    EXPECT_GT(saves, 3u);
    EXPECT_GT(records, 10u);
}

}  // namespace
}  // namespace gdvar::test
