#include "gdvar/file/project_settings.hpp"

#include <gtest/gtest.h>

#include "gdvar/file/sections.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {
namespace {

Variant sections_of(std::string_view text, TextFamily family = newest_text_family) {
    const auto read = read_config(text, {.family = family});
    EXPECT_TRUE(read) << to_string(read.error());
    return read ? read->value : Variant();
}

TEST(ProjectSettings, TheLastValueOfANameCountsAndNullIsNone) {
    Losses notes;
    const auto settings = settings_of_config(
        sections_of(
            "config_version=5\n[a]\nx=1\nn=5\nb/c=2\n[b]\ny=2\n[a/b]\nc=3\n[a]\nx=4\nn=null\n"),
        &notes);
    ASSERT_TRUE(settings) << to_string(settings.error());
    std::string all;
    for (const ProjectSetting& setting : *settings)
        all += setting.name + "=" + to_text_full(setting.value).value_or("?") + " ";
    EXPECT_EQ(all, "a/x=4 a/b/c=3 b/y=2 ");
    ASSERT_EQ(notes.kinds().size(), 1u);
    EXPECT_EQ(notes.kinds()[0].paths, (std::vector<std::string>{"a/x", "a/n", "a/b/c"}));
}

// In project.binary there is nothing that they could refer to, and no engine reads them.
TEST(ProjectSettings, EventsOfGodot2AndReferencesAreLostByPath) {
    const Variant value = sections_of(
        "[a]\nx=[key(Space), 1, {\"r\": ExtResource( 1 )}, Resource(\"res://x.tres\")]\n",
        TextFamily::godot_2);
    const auto settings = settings_of_config(value);
    ASSERT_TRUE(settings);
    const DecodeOptions from{.dialect = &dialects::godot_3_1, .allow_objects = true};
    const EncodeOptions to{.dialect = &dialects::godot_3_1, .allow_objects = true};
    const auto packet = encode(settings->at(0).value, to);
    ASSERT_TRUE(packet);
    Losses losses;
    inspect::ConversionReport report{.losses = losses};
    const auto made = convert_setting(as_bytes(*packet), from, to, false, {}, report);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(*to_text_full(*made), "[null, 1, {\"r\": null}, null]");
    std::vector<std::string> paths;
    for (const Losses::Kind& kind : losses.kinds())
        paths.insert(paths.end(), kind.paths.begin(), kind.paths.end());
    EXPECT_EQ(paths, (std::vector<std::string>{"$[0]", "$[2].r", "$[3]"}));
}

}  // namespace
}  // namespace gdvar::test
