// All readers of a text agree: the same bytes give the same tokens to reading, outlines and
// mending.
#include "text/tokens.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "file/recovery/mend_value.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "support/vectors.hpp"

namespace gdvar {
namespace {

using detail::TextRules;
using detail::TextToken;
using detail::TokenKind;
using detail::Tokens;

struct RecordedTexts {
    const char* file;
    TextFamily family;
};
constexpr RecordedTexts recorded[] = {{"godot-4.6.3-text.ndjson", TextFamily::godot_4},
                                      {"godot-3.6.2-text.ndjson", TextFamily::godot_3_6}};

std::vector<std::string> texts_of(const RecordedTexts& recording) {
    std::vector<std::string> out;
    for (const test::Json& line :
         test::lines_with(test::data_dir() / "vectors" / recording.file, "t"))
        out.push_back(line["t"].get<std::string>());
    return out;
}

/// One change of a byte, as transfers and editors make them.
std::string changed(std::string text, std::mt19937& random) {
    constexpr std::string_view marks = "{}[](),:\"\\;#&@-.0e \n\t\f\v\x01\x80\xED";
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    if (text.empty())
        return text;
    const std::size_t at = below(text.size());
    switch (below(3)) {
        case 0:
            text.erase(at, 1 + below(3));
            break;
        case 1:
            text.insert(at, 1, marks[below(marks.size())]);
            break;
        default:
            text[at] = marks[below(marks.size())];
    }
    return text;
}

/// All tokens of a text. They stand one behind the other, each behind its white space.
std::vector<TextToken> tokens_of(std::string_view text, const TextRules& rules) {
    std::vector<TextToken> out;
    Tokens tokens(text, rules);
    std::size_t last = 0;
    for (;;) {
        const TextToken token = tokens.next();
        EXPECT_EQ(token.space, last) << text;
        EXPECT_LE(token.space, token.begin) << text;
        EXPECT_EQ(tokens.behind_space(token.space), token.begin) << text;
        if (token.kind == TokenKind::end)
            return out;
        EXPECT_LT(token.begin, token.end) << text;
        last = token.end;
        out.push_back(token);
        if (::testing::Test::HasFailure())
            return out;
    }
}

/// The reading, the outline and the mending of the text agree.
void expect_agreement(std::string_view text, TextFamily family) {
    const TextRules& rules = detail::text_rules(family);
    const std::vector<TextToken> tokens = tokens_of(text, rules);
    Outline outline;
    std::size_t size = 0;
    const auto read = parse_text(
        text, {.family = family, .wrong_elements = WrongElements::kept, .outline = &outline},
        &size);
    if (!read)
        return;
    std::set<std::size_t> begins, ends;
    for (const TextToken& token : tokens) {
        begins.insert(token.begin);
        ends.insert(token.end);
        EXPECT_FALSE(token.kind == TokenKind::fault && token.end <= size) << text;
    }
    for (const OutlineNode& node : outline.nodes) {
        EXPECT_TRUE(begins.contains(node.begin)) << text << " at " << node.begin;
        EXPECT_TRUE(ends.contains(node.end)) << text << " at " << node.end;
    }
    // A word or a number at the end of a text may have been longer.
    const std::string ended = std::string(text.substr(0, size)) + " ";
    const recovering::ValueCut cut = recovering::cut_before(ended, ended.size(), rules);
    EXPECT_TRUE(cut.whole) << text;
    EXPECT_EQ(cut.keep, size) << text;
}

TEST(Tokens, ReadingOutlinesAndMendingAgree) {
    std::mt19937 random(7);
    for (const RecordedTexts& recording : recorded) {
        const std::vector<std::string> texts = texts_of(recording);
        ASSERT_GT(texts.size(), 4000u);
        for (const std::string& text : texts)
            expect_agreement(text, recording.family);
        for (int i = 0; i < 50'000 && !HasFailure(); ++i)
            expect_agreement(changed(texts[random() % texts.size()], random), recording.family);
    }
}

TEST(Tokens, JsonToo) {
    std::mt19937 random(9);
    const std::string text =
        R"({"a": [1, -2.5e3, true, null, "x\"y\\"], "b": {"c": "", "d": [[]]}, "e": 0.5})";
    for (int i = 0; i < 20'000 && !HasFailure(); ++i) {
        const std::string made = i ? changed(text, random) : text;
        const auto tokens = tokens_of(made, detail::json_text_rules);
        Outline outline;
        std::size_t size = 0;
        if (!parse_plain_json(made, {.whole = false, .outline = &outline}, &size))
            continue;
        std::set<std::size_t> begins, ends;
        for (const TextToken& token : tokens) {
            begins.insert(token.begin);
            ends.insert(token.end);
        }
        for (const OutlineNode& node : outline.nodes) {
            EXPECT_TRUE(begins.contains(node.begin)) << made;
            EXPECT_TRUE(ends.contains(node.end)) << made;
        }
    }
}

/// A family is a row: each has all rules, and its name.
TEST(Tokens, EveryFamilyHasARow) {
    for (std::size_t i = 0; i < text_family_count; ++i) {
        const auto family = static_cast<TextFamily>(i);
        EXPECT_EQ(detail::text_rules(family).family, family);
        EXPECT_EQ(find_family(family_name(family)), family);
        EXPECT_EQ(detail::text_rules(family).keys == detail::KeySort::godot_4, is_godot_4(family));
    }
}

}  // namespace
}  // namespace gdvar
