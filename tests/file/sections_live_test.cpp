// Real engines load the ConfigFiles, resources and scenes that we changed, and have exactly the
// changed values.
#include <gtest/gtest.h>

#include "support/live_sections.hpp"
#include "support/sections.hpp"

namespace gdvar::test {
namespace {

/// Texts that the engine itself wrote, each with a random change.
std::vector<SectionsJob> changed_texts(const Recording& recording) {
    std::vector<SectionsJob> jobs;
    std::uint64_t seed = 0;
    for (const RecordedText& line : texts_of(recording)) {
        if (!line.saved)
            continue;
        const SectionsKind& kind = line.kind == RecordedText::config ? config_file : resource_file;
        const auto read = kind.read(line.text, {.family = recording.family});
        for (int k = 0; read && k < (line.kind == RecordedText::config ? 2 : 8); ++k) {
            SectionChanges random(++seed);
            random.numbers = recording.family != TextFamily::godot_4;
            Variant value = read->value;
            random.change(value, kind);
            if (auto made = with_value(kind, line.text, recording.family, *read, value))
                jobs.push_back({line.kind, *std::move(made)});
        }
    }
    return jobs;
}

/// Texts that an engine of another family wrote, converted.
std::vector<SectionsJob> converted_texts(const Recording& recording) {
    const bool four = recording.family == TextFamily::godot_4;
    const Recording& source = recordings[four ? 1 : 0];
    std::vector<SectionsJob> jobs;
    for (const RecordedText& line : texts_of(source)) {
        // Godot 3 has no such class, and the table of renames no other name for it.
        if (line.text.find("GradientTexture1D") != std::string::npos)
            continue;
        const SectionsKind& kind = line.kind == RecordedText::config ? config_file : resource_file;
        if (auto made = converted(kind, line.text, source.family, recording.family);
            line.saved && made)
            jobs.push_back({line.kind, std::move(made->text)});
    }
    return jobs;
}

class SectionsLive : public testing::TestWithParam<std::size_t> {
protected:
    /// Lets the engine load the texts. Configs and scenes must be what we read in them; setters of
    /// classes make other values of some properties of resources.
    void check(const std::vector<SectionsJob>& jobs, std::size_t least) {
        const Recording& recording = recordings[GetParam()];
        std::string why;
        const auto engine = LiveEngine::find(recording.engine, why);
        if (!engine)
            GTEST_SKIP() << why;
        const auto views = views_of(*engine, jobs, recording.family == TextFamily::godot_4);
        ASSERT_EQ(views.size(), jobs.size()) << read_text(engine->output());
        EXPECT_GE(jobs.size(), least);
        std::size_t resources = 0, other = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const SectionsKind& kind =
                jobs[i].kind == RecordedText::config ? config_file : resource_file;
            const auto ours = kind.read(jobs[i].text, {.family = recording.family});
            ASSERT_TRUE(ours);
            const bool same = is_same(recording, jobs[i], ours->value, views[i]);
            const bool exact = jobs[i].kind != RecordedText::resource;
            EXPECT_TRUE(same || !exact) << jobs[i].text << views[i].dump();
            resources += !exact;
            other += !exact && !same;
        }
        EXPECT_LE(other, resources / 4);
    }
};

TEST_P(SectionsLive, EnginesHaveTheChangedValues) {
    check(changed_texts(recordings[GetParam()]), 200);
}

TEST_P(SectionsLive, EnginesReadWhatWasConvertedForThem) {
    check(converted_texts(recordings[GetParam()]), 90);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, SectionsLive, testing::Range<std::size_t>(0, 3), [](const auto& each) {
        std::string name = recordings[each.param].engine;
        std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
        return name;
    });

}  // namespace
}  // namespace gdvar::test
