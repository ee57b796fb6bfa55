// Damaged texts: what comes before a break stays byte for byte, what stands on lines of its own
// behind it stays, too, nothing is invented, and the result is sound.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "gdvar/file/recover.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/gdvar.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/text.hpp"
#include "support.hpp"
#include "support/damaged_texts.hpp"
#include "support/texts.hpp"

namespace gdvar::test {
namespace {

struct TextSeen {
    std::size_t runs = 0, given_up = 0, entries = 0, kept = 0, behind = 0, found = 0, invented = 0,
                other_kind = 0;
};

void check_text_laws(const TextSave& save, const TextDamage& damage, TextSeen& seen) {
    ++seen.runs;
    const auto wanted = std::ranges::count_if(
        save.entries, [&](const TextEntry& entry) { return entry.whole_at <= damage.first; });
    const auto recovery =
        recover_save(as_bytes(std::string_view(damage.text)), {.dialect = save.dialect});
    if (!recovery) {
        ++seen.given_up;
        // A scene without its root, a resource without its type, a file of comments.
        const bool hopeless = wanted == 0 || damage.first < save.first_loadable ||
                              2 * (damage.last - damage.first) > save.text.size();
        EXPECT_TRUE(hopeless) << to_string(recovery.error());
        return;
    }
    if (damage.first < save.first_loadable && recovery->kind().seen_as != save.kind)
        return;  // its beginning says that it is something else
    // One line of JSON is JSON.
    if (save.kind == InputKind::json_lines && damage.first < 2 * save.text.find('\n') + 200 &&
        recovery->kind().seen_as == InputKind::json)
        return;
    // JSON with a key that is none may be Godot's text, and JSON the begin of that.
    const auto is_tree = [](InputKind kind) {
        return kind == InputKind::json || kind == InputKind::text;
    };
    if (is_tree(save.kind) && is_tree(recovery->kind().seen_as) &&
        save.kind != recovery->kind().seen_as) {
        ++seen.other_kind;
        return;
    }
    if (wanted == 0 && recovery->kind().seen_as != save.kind)
        return;  // the damage is at the beginning, which says what a text is
    ASSERT_EQ(recovery->kind().seen_as, save.kind);
    std::vector<std::byte> written;
    MemoryTarget to(written);
    ASSERT_TRUE(recovery->write(to, nullptr));
    const std::string text(detail::as_text(written.data(), written.size()));
    const auto entries = entries_of(save.kind, text, *save.dialect);
    ASSERT_TRUE(entries) << text;
    const auto again = recover_save(written, {.dialect = save.dialect, .as = save.kind});
    ASSERT_TRUE(again);
    ASSERT_TRUE(again->sound()) << text << "\n"
                                << (again->lost().empty() ? "" : again->lost()[0].reason);

    std::multiset<std::string> there, sound, values;
    for (const TextEntry& entry : *entries)
        there.insert(entry.path + "=" + entry.value);
    for (const TextEntry& entry : save.entries) {
        const std::string whole = entry.path + "=" + entry.value;
        sound.insert(whole);
        values.insert(entry.key + "=" + entry.value);
        ++seen.entries;
        seen.kept += there.contains(whole);
        if (entry.whole_at <= damage.first) {
            ASSERT_TRUE(there.contains(whole)) << whole << "\nis not in\n" << text;
        }
        if (entry.begin >= damage.last) {
            ++seen.behind;
            seen.found += there.contains(whole);
        }
    }
    // Values that were lost in part, and those at the damage, may differ.
    std::size_t other = 0;
    for (const TextEntry& entry : *entries)
        other += !sound.contains(entry.path + "=" + entry.value) &&
                 !values.contains(entry.key + "=" + entry.value);
    std::size_t partial = save.form == TextForm::rows ? 1 : 0;
    for (const LostRange& range : recovery->lost())
        partial += !range.at.empty();
    const std::size_t allowed = damage.is_cut ? partial : partial + 2;
    seen.invented += other > allowed ? other - allowed : 0;
    if (damage.is_cut && save.form == TextForm::tree) {
        EXPECT_EQ(other, 0u) << text;
    }
}

bool hold_text_laws(const TextSave& save, const TextDamage& damage, TextSeen& seen) {
    const auto* const result = testing::UnitTest::GetInstance()->current_test_info()->result();
    const int before = result->total_part_count();
    check_text_laws(save, damage, seen);
    return result->total_part_count() == before;
}

void report_texts(const char* what, const TextSeen& seen) {
    std::printf(
        "%s: %zu runs, %zu with nothing; %zu of %zu entries kept; behind the damage %zu of %zu; "
        "%zu invented; %zu read as another kind\n",
        what, seen.runs, seen.given_up, seen.kept, seen.entries, seen.found, seen.behind,
        seen.invented, seen.other_kind);
}

class RecoverText : public testing::TestWithParam<const char*> {
protected:
    static std::vector<TextSave> saves() {  // Those of one value in Godot's form are large.
        const bool large = std::string_view(GetParam()).starts_with("text");
        return text_saves(GetParam(), !sweep() ? (large ? 6 : 12) : large ? 4 : 40);
    }
};

TEST_P(RecoverText, SoundTextsComeBackAsTheyWere) {
    for (const TextSave& save : text_saves(GetParam(), 10'000)) {
        const auto bytes = as_bytes(std::string_view(save.text));
        const auto recovery = recover_save(bytes, {.dialect = save.dialect});
        ASSERT_TRUE(recovery) << save.text;
        EXPECT_TRUE(recovery->sound()) << save.text << recovery->lost()[0].reason;
        EXPECT_EQ(recovery->kind().seen_as, save.kind) << save.text;
        std::vector<std::byte> written;
        MemoryTarget to(written);
        ASSERT_TRUE(recovery->write(to, nullptr));
        EXPECT_TRUE(std::ranges::equal(written, bytes)) << save.text;
    }
}

TEST_P(RecoverText, EveryCut) {
    TextSeen seen;
    for (const TextSave& save : saves()) {
        const std::size_t step = sweep() ? 1 : 1 + save.text.size() / 41;
        for (std::size_t n = 1; n < save.text.size(); n += step)
            for (const bool zeros : {false, true}) {
                TextDamage cut{save.text.substr(0, n), n, n, true};
                if (zeros)  // a crash leaves the file's size
                    cut.text.resize(save.text.size(), '\0');
                if (!hold_text_laws(save, cut, seen)) {
                    ADD_FAILURE() << "cut to " << n << (zeros ? " with zeros" : "");
                    return;
                }
            }
    }
    report_texts(GetParam(), seen);
    EXPECT_EQ(seen.invented, 0u);
}

TEST_P(RecoverText, RandomDamage) {
    TextSeen seen;
    std::uint32_t seed = 0;
    for (const TextSave& save : saves()) {
        std::mt19937 random(++seed);
        for (int i = 0; i < (sweep() ? 1000 : 60); ++i) {
            const TextDamage damage = random_text_damage(save.text, random);
            if (!hold_text_laws(save, damage, seen)) {
                ADD_FAILURE() << "damage " << i << " from " << damage.first << " of:\n"
                              << damage.text;
                return;
            }
        }
    }
    report_texts(GetParam(), seen);
    EXPECT_LE(seen.invented * 50, seen.runs);
    if (std::string_view(GetParam()) == "config 4") {
        EXPECT_GE(seen.found * 100, seen.behind * 70);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RecoverText,
    testing::Values("json", "json-lines", "text 4", "text 3", "config 4", "config 36", "config 32",
                    "resource 4", "resource 36", "resource 32"),
    [](const auto& kind) {
        std::string name = kind.param;
        std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
        return name;
    });

// ---- single cases

std::string recovered_text(std::string_view text, SaveOptions options = {}) {
    const auto recovery = recover_save(as_bytes(text), options);
    if (!recovery)
        return "(" + to_string(recovery.error()) + ")";
    std::vector<std::byte> written;
    MemoryTarget to(written);
    EXPECT_TRUE(recovery->write(to, nullptr));
    std::string out(detail::as_text(written.data(), written.size()));
    for (const LostRange& range : recovery->lost())
        out += "|" + std::to_string(range.line) + ":" + range.at;
    return out;
}
using namespace std::string_view_literals;

// Godot 3 reads any character behind a backslash.
TEST(RecoverText, WhatOneFamilyReadsIsNoDamage) {
    const std::string line = "{\"a\": \"x\\qy\", \"b\": 1}\n";
    for (const std::string& text : {line, line + line + "{\"b\": 3}\n"}) {
        const auto whole = recover_save(as_bytes(std::string_view(text)));
        ASSERT_TRUE(whole) << text;
        EXPECT_TRUE(whole->lost().empty());
        EXPECT_EQ(whole->kind().seen_as, text == line ? InputKind::json : InputKind::json_lines);
    }
    // Nor is it beside what is damage.
    const std::string text = line + line + "{\"b\" 4}\n{\"c\": 5}\n";
    const auto most = recover_save(as_bytes(std::string_view(text)));
    ASSERT_TRUE(most);
    ASSERT_EQ(most->lost().size(), 1u);
    EXPECT_EQ(most->lost()[0].line, 3u);
}

TEST(RecoverTexts, Json) {
    EXPECT_EQ(recovered_text(R"({"a": 1, "b": [1, 2, {"c": "x", "d)"),
              R"({"a": 1, "b": [1, 2, {"c": "x"}]}|1:$.b[2])");
    EXPECT_EQ(recovered_text("{\"a\": [1, 23"), "{\"a\": [1]}|1:$.a[1]") << "23 may have been 234";
    EXPECT_EQ(recovered_text("[[1]"), "[[1]]");
    EXPECT_EQ(recovered_text("{\"a\": [1,], \"b\": 2,\n"), "{\"a\": [1,], \"b\": 2}\n|1:$")
        << "engines read commas at the end";
    EXPECT_EQ(recovered_text("{\"a\": 1}\n\n}}"), "{\"a\": 1}\n|1:") << "more behind the end";
    EXPECT_EQ(recovered_text("{\"a\": \"x\xFFy\", \"b\": 2}"), "{\"a\": \"x\uFFFDy\", \"b\": 2}")
        << "to Godot 3 a line of JSON with such a byte is empty";
    EXPECT_EQ(recovered_text("{\"a\": \"x\xFFy\", \"b\": 2"), "{\"a\": \"x\uFFFDy\"}|1:$.b");
    EXPECT_EQ(recovered_text("{\"pos\": (1.0, 2.0), \"ok\": true, \"hp\": @, \"x\": [1, 2 3, 4]}"),
              "{ \"ok\": true}|1:$.pos|1:$.hp")
        << "sound values behind broken ones, up to what is no token";
    EXPECT_EQ(recovered_text("{\"a\": 1, \"b\": \"x\0\0\0\0"sv), "{\"a\": 1}|1:$.b|1:");
    EXPECT_EQ(recovered_text("{\"a\": 1, \"b\": [2", {.as = InputKind::json, .partial = false}),
              "(error[not_recognised]: this is text, as of JSON or of var_to_str)");
}

// Comments of other formats and what stands behind a quote that is missing look like values.
TEST(RecoverTexts, NothingComesOutOfCommentsAndBrokenStrings) {
    EXPECT_EQ(recovered_text("{\"a\": 1, // \"old\": 5, \"x\": 3\n \"b\": 2}"), "{\"a\": 1}\n|1:$");
    EXPECT_EQ(recovered_text("{\"a\": \"x\", /* \"old\": 5, \"x\": 3 */ \"b\": 2}"),
              "{\"a\": \"x\"}|1:$");
    EXPECT_EQ(recovered_text("{\"a\": Vector2(1, 2), # \"old\": 5, \"x\": 3\n\"b\": 2}"),
              "{\"a\": Vector2(1, 2)}\n|1:$");
    EXPECT_EQ(recovered_text("{\"n\": 1, \"a\": \"p\" q\", \"b\": 2, \"c\": \"z\"}"),
              "{\"n\": 1}|1:$.a");
    EXPECT_EQ(recovered_text("[0, x, 1, 2, y\", 5, \"z\", 6]"), "[0]|1:$[1]");
    EXPECT_EQ(recovered_text("[0, x, 1, 2, y\", 5]"), "[0]|1:$[1]");
    // A bracket that is missing: the pairs of another Dictionary, elements.
    EXPECT_EQ(recovered_text("{\"n\": 1, \"a\": \"x\": 1, \"y\": 2}, \"b\": 3}"),
              "{\"n\": 1}|1:$.a");
    EXPECT_EQ(recovered_text("{\"n\": 1, \"a\": 1], \"b\": 2}"), "{\"n\": 1}|1:$.a");
    EXPECT_EQ(recovered_text("[0, \"a\": 1, \"b\": 2}, 5]"), "[0]|1:$[1]");
}

// An editor's mark in the middle of JSON makes no lines of it, nor a ConfigFile of a resource.
TEST(RecoverTexts, WhatIsDamagedIsNoOtherKind) {
    EXPECT_EQ(recovered_text("{\"n\": 1, \"pos\": <<<<\n[10, 1], \"bag\": [2, 3]}"),
              "{\"n\": 1}\n|1:$.pos");
    EXPECT_TRUE(
        recovered_text("gd_resource type=\"Resource\" load_steps=1 format=3]\n\n[resource]\n"
                       "gold = 10\n")
            .starts_with("("));
    EXPECT_TRUE(recovered_text("@@@@@@@@@@@@@@@@\n\n[sub_resource type=\"X\" id=1]\na = 1\n\n"
                               "[resource]\ngold = 10\n")
                    .starts_with("("));
}

TEST(RecoverTexts, BracketsThatDoNotMatchAreTold) {
    // The first one had a bracket in front of its 1, the second one too many.
    for (const char* text :
         {"{\"n\": 1, \"a\": 1, 2, 3], \"b\": 4}", "{\"n\": [1, [2, 3], \"b\": 4}"}) {
        const auto recovery = recover_save(as_bytes(std::string_view(text)));
        ASSERT_TRUE(recovery) << text;
        EXPECT_EQ(recovery->lost().at(0).reason,
                  "a bracket does not match: values before it may stand elsewhere");
    }
}

// Text behind a value on its line without a comma may be a part of it.
TEST(RecoverTexts, ValuesInTwoParts) {
    EXPECT_EQ(recovered_text("{\"hp\": 1 00, \"b\": 2}"), "{ \"b\": 2}|1:$.hp");
    EXPECT_EQ(recovered_text("{\"b\": 2, \"hp\": 1 00}"), "{\"b\": 2}|1:$.hp");
    EXPECT_EQ(recovered_text("{\"b\": 2, \"hp\": 1 @"), "{\"b\": 2}|1:$.hp");
    EXPECT_EQ(recovered_text("{\"b\": 2 \"hp\": 1, \"c\": 3}"), "{\"b\": 2, \"c\": 3}|1:$");
    const auto recovery = recover_save(as_bytes("[1, 2 3, 4]"sv));
    ASSERT_TRUE(recovery);
    ASSERT_EQ(recovery->lost().size(), 1u);
    EXPECT_EQ(recovery->lost()[0].at, "$[1]");
    EXPECT_EQ(recovery->lost()[0].reason,
              "expected ',' or ']'; the elements behind it have moved up");
}

// `;` begins a comment in Godot's text alone.
TEST(RecoverTexts, BrokenJsonIsNoTextOfGodots) {
    EXPECT_EQ(recovered_text("{\"n\": 1, \"a\": [0; 1, 2,\n7], \"b\": 3}"),
              "{\"n\": 1, \"a\": []}\n|1:$.a[0]");
}

// Constructors and prefixes before the cut say whose text it is.
TEST(RecoverTexts, CutTextOfGodots) {
    EXPECT_EQ(recovered_text(R"({"a": [], "b": Color(0, 0, 0, 1), "c": &"x", "e": "f")"),
              R"({"a": [], "b": Color(0, 0, 0, 1), "c": &"x", "e": "f"})");
    EXPECT_EQ(recovered_text(R"({"a": [], "b": Color(0, 0, 0, 1), "c": &"x", "e": "f)"),
              R"({"a": [], "b": Color(0, 0, 0, 1), "c": &"x"}|1:$.e)");
}

// Engines take such bytes for white space or leave them out in some families alone.
TEST(RecoverTexts, OddTextsStayWhole) {
    for (const std::string_view text :
         {"{\"a\":1,\f\"b\":Vector2(1, 2)}"sv, "Vector2(1, 2) ; comment"sv,
          "Vector2(1, 2)\n; comment\n"sv, "[\"\xFF\", &\"x\"]"sv})
        EXPECT_EQ(recovered_text(text, {.as = InputKind::text}), text);
}

TEST(RecoverTexts, EqualKeysAreTold) {
    const auto recovery = recover_save(as_bytes("{\"a\": 1, \"b\": x, \"a\": 2, \"c\": 3}"sv));
    ASSERT_TRUE(recovery);
    ASSERT_EQ(recovery->notes().size(), 1u);
    EXPECT_EQ(recovery->notes()[0],
              "1 value has the key of a later one, and only the last one is read: $[@0 key]");
}

// No engine refuses a text for such bytes, wherever they stand.
TEST(RecoverTexts, BytesThatAreNotUtf8Stay) {
    for (const std::string text :
         {"; caf\xE9\n[a] ; \xE9\nx=1 ; \xE9\n", "[a]\nk\xFF=1\nk\xFE=2\n", "[a\xE9]\nx=1\n",
          "[a]\nx={\"a\":1, ;\xE9\n\"b\":2}\n",
          "[gd_resource type=\"A\" format=3]\n[resource] ; \xE9\nmetadata/a = 1\n"})
        EXPECT_EQ(recovered_text(text), text);
    EXPECT_EQ(recovered_text("[a]\nk\xFF=1\nl=[1,\n"), "[a]\nk\xFF=1\nl=[1]\n|3:$.a.l[1]");
}

TEST(RecoverTexts, JsonLines) {
    EXPECT_EQ(recovered_text("{\"a\":1}\n{\"a\":[2, 3\n{\"a\":4}\nxx\n{\"a\":5}\n"),
              "{\"a\":1}\n{\"a\":[2]}\n{\"a\":4}\n{\"a\":5}\n|2:$.a[1]|4:");
    EXPECT_EQ(recovered_text("{\"a\":1}\n{\"a\":[2, 3\n{\"a\":4}\n", {.partial = false}),
              "{\"a\":1}\n{\"a\":4}\n|2:");
    EXPECT_EQ(recovered_text("{\"a\": [1,]}\n{\"b\": 2,}\n{\"c\":"),
              "{\"a\": [1,]}\n{\"b\": 2,}\n|3:");
    // Most of them are broken.
    EXPECT_EQ(recovered_text("{\"a\":1}\n{\"b\":[2, 3\n{\"c\":[4, 5\nxx\n{\"d\": [1,\n"),
              "{\"a\":1}\n{\"b\":[2]}\n{\"c\":[4]}\n{\"d\": [1]}\n|2:$.b[1]|3:$.c[1]|4:|5:$.d[1]");
    EXPECT_EQ(recovered_text("{\"a\":[1, 2\n{\"b\":[2, 3\n"),
              "{\"a\":[1]}\n{\"b\":[2]}\n|1:$.a[1]|2:$.b[1]");
    // One value with lines that could be values.
    EXPECT_EQ(recovered_text("[\n{\"a\": 1},\n{\"a\": 2},\n{\"a\": 3}\n{\"a\": 4}\n]\n"),
              "[\n{\"a\": 1},\n{\"a\": 2},\n{\"a\": 3}]\n|4:$[3]");
    EXPECT_TRUE(recovered_text("{\"a\" [\n\t{\"b\": 1},\n\t{\"b\": [2]}\n]}\n").starts_with("("));
}

TEST(RecoverTexts, ConfigFile) {
    // A quote that is gone takes no more than its own line along.
    EXPECT_EQ(recovered_text("[a]\nx=\"1\ny=2\n; note\n[b]\nz=\"3\"\n"),
              "[a]\ny=2\n; note\n[b]\nz=\"3\"\n|2:$.a.x");
    EXPECT_EQ(recovered_text("[a]\nx={\n\"k\": [1, 2],\n\"l\": Vector2(1, \ny=2\n"),
              "[a]\nx={\n\"k\": [1, 2]}\ny=2\n|4:$.a.x.l");
    // Nobody knows where the keys below a broken header belong.
    EXPECT_EQ(recovered_text("[a]\nx=1\n[b\ny=2\n[c]\nz=3\n", {.as = InputKind::config}),
              "[a]\nx=1\n[recovered-3]\ny=2\n[c]\nz=3\n|3:");
    EXPECT_EQ(recovered_text("[a]\nx 1\ny=2\n"), "[a]\ny=2\n|2:") << "no key xy";
    EXPECT_EQ(recovered_text("[a]\nx=1\n\0\0\0\0\0\0\0\0\0\0"sv), "[a]\nx=1\n|3:");
    EXPECT_EQ(recovered_text("[a]\nx=\"\xC3\"\ny=2\n"), "[a]\nx=\"\xC3\"\ny=2\n");
    // White space is all that engines take for it.
    EXPECT_EQ(recovered_text("[a]\nx={\"a\": 1,\f\"b\": 2,\v\"c\":", {.as = InputKind::config}),
              "[a]\nx={\"a\": 1,\f\"b\": 2}\n|2:$.a.x.c");
    // A row that is lost leaves its line to itself.
    EXPECT_EQ(recovered_text("[a]\nt=\"S\" id=1]\n\n[b]\nx=1\n"),
              "[a]\nt=\"S\" \n[b]\nx=1\n|2:$.a.id");
    // No header, and no value.
    EXPECT_EQ(recovered_text("[s]\nb = {\n  \"c\": \"d\" 5,\n  \"f\": [\n  ]\n}\ng = 1\n"),
              "[s]\ng = 1\n|2:$.s.b");
    EXPECT_TRUE(recovered_text("[a]\nb=\"c").starts_with("(error[not_recognised]"));
    EXPECT_EQ(recovered_text("[a]\nx=1 y=2\nz=[1\n"), "[a]\nx=1 y=2\nz=[1]\n|3:$.a.z[1]");
}

// Godot 3.2.3, 3.6.2 and 4.6.3 read on behind a header, on its line.
TEST(RecoverTexts, ConfigFileWithRowsBehindHeaders) {
    EXPECT_EQ(recovered_text("[a] x=1\ny=[1,2\n"), "[a] x=1\ny=[1,2]\n|2:$.a.y[2]");
    EXPECT_EQ(recovered_text("[a][b] x=1\nz=[3\n[c]d=1\ne=2\n"),
              "[a][b] x=1\nz=[3]\n[c]d=1\ne=2\n|2:$.b.z[1]");
    EXPECT_EQ(recovered_text("[a] x=\"1\ny=2\n"), "[a] \ny=2\n|1:$.a.x");
    EXPECT_EQ(recovered_text("[a]\nx=\"1\n[b]y=2[/b]\nz=3\n"), "[a]\nz=3\n|2:$.a.x")
        << "a text with marks is no header";
    EXPECT_EQ(recovered_text("[a]\nx=1\n[b] junk\ny=2\n"), "[a]\nx=1\n[recovered-3]\ny=2\n|3:");
}

// JSON and values in Godot's form have a byte order mark, other texts take it for text.
TEST(RecoverTexts, ByteOrderMark) {
#define MARK "\xEF\xBB\xBF"
    EXPECT_EQ(recovered_text(MARK R"({"a":1,"b":[1,2,{"c":3)"),
              MARK R"({"a":1,"b":[1,2,{}]}|1:$.b[2].c)");
    EXPECT_EQ(recovered_text(MARK "{\"a\":1}\n{\"a\":[2, 3\n{\"a\":4}\n"),
              MARK "{\"a\":1}\n{\"a\":[2]}\n{\"a\":4}\n|2:$.a[1]");
    EXPECT_EQ(recovered_text(MARK R"({"a": Vector2(1, 2), "b": [1, 2)"),
              MARK R"({"a": Vector2(1, 2), "b": [1]}|1:$.b[1])");
    EXPECT_EQ(recovered_text(MARK "[a]\nx=1\n[b]\ny={\"a\": 1, \"b\n"),
              "[a]\nx=1\n[b]\ny={\"a\": 1}\n|1:|4:$.b.y");
    EXPECT_EQ(
        recovered_text(MARK "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nx = 1\n"),
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nx = 1\n|1:");
    EXPECT_TRUE(recovered_text(MARK).starts_with("("));
#undef MARK
}

// A comma that is missing is told where it is, other damage where the value begins.
TEST(RecoverTexts, Lines) {
    EXPECT_EQ(recovered_text("{\n\"a\": 1,\n\"b\": 2\n\"c\": 3\n}\n"),
              "{\n\"a\": 1,\n\"b\": 2}\n|3:$");
    EXPECT_EQ(recovered_text("[s]\nx={\n\"a\": Vector2(1, 2),\n\"b\": 2\n\"c\": 3\n}\n"),
              "[s]\nx={\n\"a\": Vector2(1, 2),\n\"b\": 2}\n|4:$.s.x");
    EXPECT_EQ(recovered_text("{\n\"a\": Vector2(1, 2),\n\"b\": foo\n}\n"),
              "{\n\"a\": Vector2(1, 2)}\n|3:$.b");
    EXPECT_EQ(recovered_text("{\n\"a\": 1,\n\"b\": Vector2(1\n2),\n}\n"),
              "{\n\"a\": 1,\n}\n|3:$.b");
    EXPECT_EQ(recovered_text("[\n1,\n{\n\"a\"\n}\n]\n"), "[\n1,\n{}\n]\n|4:$[1].a");
}

TEST(RecoverTexts, ReasonsAreSentences) {
    const auto recovery = recover_save(as_bytes("{\"a\": Vector2(1, 2), \"b\" 1}"sv));
    ASSERT_TRUE(recovery);
    ASSERT_EQ(recovery->lost().size(), 1u);
    EXPECT_EQ(recovery->lost()[0].reason, "expected ':' after the key");
}

TEST(RecoverTexts, Resource) {
    EXPECT_EQ(
        recovered_text("[gd_resource type=\"Resource\" format=3]\n\n[sub_resource type=\"Curve\" "
                       "id=\"a\"]\nmin_value = 1\n\n[sub_resource ty=\"Curve\" id=\"b\"]\nx = 1\n\n"
                       "[resource]\nmetadata/a = SubResource(\"a\")\nmetadata/b = "
                       "SubResource(\"b\")\nmetadata/c = 3\n"),
        "[gd_resource type=\"Resource\" format=3]\n\n[sub_resource type=\"Curve\" "
        "id=\"a\"]\nmin_value = 1\n\n[resource]\nmetadata/a = SubResource(\"a\")\n"
        "metadata/c = 3\n|6:|11:");
    EXPECT_EQ(
        recovered_text("[gd_resource type=\"Resource\" format=3]\n\n[sub_resource type=\"Curve\" "
                       "id=\"a\"]\nmin_value = 1\nmax_"),
        "[gd_resource type=\"Resource\" format=3]\n\n[sub_resource type=\"Curve\" "
        "id=\"a\"]\nmin_value = 1\n[resource]\n|5:");
    // Engines skip comments before the header.
    EXPECT_EQ(recovered_text("; c\n;\n[gd_resource type=\"Resource\" format=3]\n\n[sub_resource "
                             "type=\"Curve\" id=\"a\"]\nmin_value = 1\n"),
              "; c\n;\n[gd_resource type=\"Resource\" format=3]\n\n[sub_resource "
              "type=\"Curve\" id=\"a\"]\nmin_value = 1\n[resource]\n");
    EXPECT_EQ(
        recovered_text("; c\n[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = \"un"),
        "; c\n[gd_scene format=3]\n\n[node name=\"A\" "
        "type=\"Node\"]\n|5:$.node[\".\"].properties.x");
    // Nodes with a parent that is none.
    EXPECT_EQ(
        recovered_text(
            "[gd_scene format=3]\n\n[node name=\"A\"]\n\n[node name=\"B\" parent=7]\nx = 1\n"),
        "[gd_scene format=3]\n\n[node name=\"A\"]\n\n|5:");
    // Without its root a scene can't be loaded.
    EXPECT_TRUE(recovered_text("[gd_scene format=3]\n\n[nod name=\"A\"]\n\n[node name=\"B\" "
                               "parent=\".\"]\nx = 1\n")
                    .starts_with("("));
}

TEST(RecoverTexts, Layers) {
    std::string json = "[";
    for (int i = 0; i < 2000; ++i)
        json += "{\"number\": " + std::to_string(i) + ", \"name\": \"item " +
                std::to_string(i * 7) + "\"},\n";
    json += "null]\n";
    for (const char* name : {"gzip", "gcpf-deflate", "zlib"}) {
        const Layer layer = find_layer(name).value();
        MemorySource source(as_bytes(std::string_view(json)));
        std::vector<std::byte> bytes;
        MemoryTarget to(bytes);
        ASSERT_TRUE(layer.kind->write(source, to, layer, {}));
        bytes.resize(bytes.size() / 2);
        const auto recovery = recover_save(bytes);
        ASSERT_TRUE(recovery) << name << to_string(recovery.error());
        ASSERT_EQ(recovery->layers().size(), 1u);
        EXPECT_EQ(recovery->kind().seen_as, InputKind::json);
        const auto root =
            Document::parse(recovery->items()[0].packet, {.dialect = &recovery->dialect()});
        ASSERT_TRUE(root);
        EXPECT_GT(root->root().size(), 500u);
        EXPECT_EQ(recovery->items()[0].broken->at.substr(0, 2), "$[");
    }
}

}  // namespace
}  // namespace gdvar::test
