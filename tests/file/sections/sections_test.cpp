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
    // Godot 3's InputEvent. Other: Godot 3's characters of too
    // many bytes
    // (`\\u00e0\\u009f\\u00bf`), which stay those bytes.
    const Counts expected[] = {{{"same", 500}, {"refused by both", 111}, {"read by us alone", 4}},
                               {{"same", 509},
                                {"other", 2},
                                {"refused by both", 102},
                                {"read by us alone", 4},
                                {"refused: unknown_constructor", 1}},
                               {{"same", 514},
                                {"other", 2},
                                {"refused by both", 97},
                                {"read by us alone", 4},
                                {"refused: unknown_constructor", 1}}};
    for (std::size_t i = 0; i < text_engines().size(); ++i)
        EXPECT_EQ(outcomes(text_engines()[i], {RecordedText::config}, read_config, same_config),
                  expected[i])
            << text_engines()[i].engine;
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
