// ConfigFiles and text resources are read to what the engines read them to.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gdvar/file/sections.hpp"
#include "support/texts.hpp"

namespace gdvar::test {
namespace {

std::string shown(const RecordedText& line) {
    return "\n---\n" + line.text + "\n---\n" + line.view.dump();
}

/// How often each outcome came, by words. With GDVAR_SHOW set, prints all that are not as expected
/// of a reader that knows no classes and no other files.
using Counts = std::map<std::string, int>;

template <class Read, class Same>
Counts outcomes(const Recording& recording, const std::set<RecordedText::Kind>& kinds, Read read,
                Same same) {
    Counts counts;
    for (const RecordedText& line : texts_of(recording)) {
        if (!kinds.contains(line.kind))
            continue;
        const auto ours = read(line.text, SectionsOptions{.family = recording.family});
        std::string what = "same";
        if (!ours && line.loaded)
            what = "refused: " + std::string(error_name(ours.error().code));
        else if (!ours)
            what = "refused by both";
        else if (!line.loaded)
            what = "read by us alone";
        else if (!same(recording, ours->value, line.view))
            what = "other";
        ++counts[what];
        if (std::getenv("GDVAR_SHOW") && what != "same" && what != "refused by both")
            std::fprintf(stderr, "%s: %s %s\n", recording.engine, what.c_str(),
                         shown(line).c_str());
        EXPECT_FALSE(!ours && line.saved && line.loaded) << shown(line);
    }
    return counts;
}

TEST(ReadConfig, ReadsWhatTheEnginesReadAndRefusesWhatTheyRefuse) {
    // Read by us alone: references to files that are not there, and `ExtResource(1)`. Refused:
    // Godot 3's InputEvent.
    const Counts expected[] = {{{"same", 500}, {"refused by both", 111}, {"read by us alone", 4}},
                               {{"same", 511},
                                {"refused by both", 102},
                                {"read by us alone", 4},
                                {"refused: unknown_constructor", 1}},
                               {{"same", 516},
                                {"refused by both", 97},
                                {"read by us alone", 4},
                                {"refused: unknown_constructor", 1}}};
    for (std::size_t i = 0; i < text_engines().size(); ++i)
        EXPECT_EQ(outcomes(text_engines()[i], {RecordedText::config}, read_config, same_config),
                  expected[i])
            << text_engines()[i].engine;
}

// As 3.2.3 and 3.6.2 read them: 3.2.3 reads each byte of a header as a character.
TEST(ReadConfig, Godot3ReadsBytesThatAreNotUtf8) {
    struct {
        std::string bytes, value, name;  // of 3.6
    } cases[] = {{"\xE0\x80\xAF", "/", "/"},
                 {"\xE0\x9F\xBF", "\xDF\xBF", "\xDF\xBF"},
                 {"\xF0\x8F\xBF\xBF", "\xEF\xBF\xBF", "\xEF\xBF\xBF"},
                 {"\xF0\x80\x80\xAF", "\xC3\xB0", ""},
                 {"a\xED\xA0\xBD", "a ", "a "},
                 {" \xED\xA0\xBD\xED\xA0\xBD ", "    ", "  "}};
    for (const auto& [bytes, value, name] : cases) {
        const auto read = read_config("[" + bytes + "]\nk=\"" + bytes + "\"\n",
                                      {.family = TextFamily::godot_3_6});
        ASSERT_TRUE(read);
        const Dictionary::Pair& section = *read->value.get_if<Dictionary>()->begin();
        EXPECT_EQ(section.key.text(), name);
        EXPECT_EQ(section.value["k"]->text(), value);
        if (bytes.find('\xED') != bytes.npos)
            continue;
        const auto old = read_config("k=\"" + bytes + "\"\n", {.family = TextFamily::godot_3_2});
        ASSERT_TRUE(old);
        EXPECT_EQ(old->value[""]["k"]->text(), value);
    }
}

bool same_in_full(const Recording& recording, const Variant& ours, const Json& theirs) {
    return same_resource(recording, ours, theirs, false);
}

TEST(ReadResource, ReadsWhatTheEnginesReadAndRefusesWhatTheyRefuse) {
    // Read by us alone: classes and files that are not there. Other: a setter that takes no such
    // value, the id of a file that is not there, an int as a group, a PackedScene without a bundle.
    // Refused: a property without a name, an int as a node's name.
    const Counts expected[] = {{{"same", 115},
                                {"refused by both", 54},
                                {"read by us alone", 4},
                                {"other", 3},
                                {"refused: bad_syntax", 3}},
                               {{"same", 102},
                                {"refused by both", 62},
                                {"read by us alone", 6},
                                {"other", 2},
                                {"refused: bad_syntax", 3}},
                               {{"same", 101},
                                {"refused by both", 63},
                                {"read by us alone", 6},
                                {"other", 2},
                                {"refused: bad_syntax", 3}}};
    for (std::size_t i = 0; i < text_engines().size(); ++i)
        EXPECT_EQ(outcomes(text_engines()[i], {RecordedText::resource, RecordedText::scene},
                           read_resource, same_in_full),
                  expected[i])
            << text_engines()[i].engine;
}

}  // namespace
}  // namespace gdvar::test
