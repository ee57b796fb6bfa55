// Real engines load the ConfigFiles, resources and scenes that we changed, and have exactly the
// changed values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "support/live_sections.hpp"
#include "support/sections.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

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

TEST_P(SectionsLive, EnginesReadTheNamesOfSections) {
    const TextFamily family = recordings[GetParam()].family;
    std::vector<SectionsJob> jobs;
    for (const char* name : {"n\u00e9", "\u65e5\u672c", "n\u00c3\u00a9"}) {
        const std::string text = changed(config_file, "[a]\nx=1\n", family, [&](Variant& value) {
            value.get_if<Dictionary>()->append(name, Dictionary{{"k", 1}});
        });
        const bool refused = text.find("error[") != text.npos;
        EXPECT_EQ(refused, family == TextFamily::godot_3_2 && std::string_view(name).size() != 5);
        if (!refused)
            jobs.push_back({RecordedText::config, text});
    }
    check(jobs, 1);
}

// The results of find_repeats, and the tags that lookup finds.
TEST_P(SectionsLive, RepeatedTagsMeanWhatWeSay) {
    const Recording& recording = recordings[GetParam()];
    const bool four = recording.family == TextFamily::godot_4;
    std::string why;
    const auto engine = LiveEngine::find(recording.engine, why);
    if (!engine)
        GTEST_SKIP() << why;
    const std::string format = four ? " format=3]\n" : " format=2]\n";
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(engine->folder() / name) << text;
        const auto read = read_resource(text, {.family = recording.family});
        EXPECT_TRUE(read) << name;
        return read ? read->value : Variant();
    };
    const std::string gradient = "[gd_resource type=\"Gradient\"" + format;
    const std::string meta = four ? "metadata/r = " : "__meta__ = {\n\"r\": ";
    const std::string behind = four ? "\n" : "\n}\n";
    write("e1.tres", gradient + "[resource]\nresource_name = \"e1\"\n");
    write("e2.tres", gradient + "[resource]\nresource_name = \"e2\"\n");
    const Variant ext =
        write("ext.tres", gradient +
                              "[ext_resource path=\"e1.tres\" type=\"Gradient\" id=1]\n"
                              "[ext_resource path=\"e2.tres\" type=\"Gradient\" id=1]\n"
                              "[resource]\n" +
                              meta + "ExtResource( 1 )" + behind);
    const Variant sub =
        write("sub.tres", gradient +
                              "[sub_resource type=\"Gradient\" id=1]\nresource_name = \"s1\"\n"
                              "[sub_resource type=\"Curve\" id=1]\nresource_name = \"s2\"\n"
                              "[resource]\n" +
                              meta + "SubResource( 1 )" + behind);
    const Variant scene = write("scene.tscn", "[gd_scene" + format +
                                                  "[node name=\"R\" type=\"Node\"]\n"
                                                  "[node name=\"A\" type=\"Node2D\" parent=\".\"]\n"
                                                  "[node name=\"A\" type=\"Node\" parent=\".\"]\n"
                                                  "[node name=\"B\" type=\"Node\" parent=\"A\"]\n");
    write("over.tscn", "[gd_scene" + format +
                           "[node name=\"R\" type=\"Node\"]\n"
                           "[node name=\"A\" type=\"Node2D\" parent=\".\"]\n"
                           "[node name=\"A\" parent=\".\"]\nposition = Vector2( 8, 2 )\n");
    write("roots.tscn", "[gd_scene" + format +
                            "[node name=\"R\" type=\"Node\"]\n"
                            "[node name=\"S\" type=\"Node\"]\n");
    std::ofstream(engine->folder() / "project.godot")
        << "config_version=" << (four ? 5 : 4) << "\n";
    engine->run(source_dir() / "tests" / "recorders" / (four ? "repeats4.gd" : "repeats3.gd"), "",
                60, true);
    const std::string said = read_text(engine->output());
    const auto says = [&](std::string_view line) {
        EXPECT_NE(said.find("\nsaid " + std::string(line) + "\n"), said.npos) << line << said;
    };
    says("ext " + std::string(ext["ext"][1]["path"].text()).substr(0, 2));
    EXPECT_EQ(ext["ext"][1]["path"].text(), "e2.tres");
    says("sub " + std::string(sub["sub"][1]["resource_name"].text()));
    EXPECT_EQ(sub["sub"][1]["resource_name"].text(), "s1");
    says("scene A Node2D A Node");
    EXPECT_EQ(scene["node"]["A"]["type"].text(), "Node2D");
    EXPECT_EQ(scene["node"]["A:2"]["type"].text(), "Node");
    says(four ? "path Node B" : "path Node2D B");
    says("over 1 8");
    says("roots none");
}

/// One column of data/keys_3_to_4.txt, and keys with a character.
std::string key_numbers(bool four) {
    std::ifstream rows(source_dir() / "data/keys_3_to_4.txt");
    std::string out, kind, three, other;
    for (std::string line; std::getline(rows, line);)
        if (std::istringstream words(line); words >> kind >> three >> other && kind == "key")
            out += std::to_string(std::stoll(four ? other : three, nullptr, 16)) + "\n";
    for (const char c : std::string_view("AZ09 -;[`~"))
        out += std::to_string(c) + "\n";
    return out;
}

/// An engine's names of keys, as the other's: they differ in capitals and in one name.
std::vector<std::string> key_names(const LiveEngine& engine) {
    std::vector<std::string> out;
    std::istringstream lines(read_text(engine.folder() / "names.txt"));
    for (std::string line; std::getline(lines, line);) {
        std::ranges::transform(line, line.begin(), [](unsigned char c) {
            return static_cast<char>(c < 0x80 ? std::tolower(c) : c);
        });
        out.push_back(line == "control|control" ? "ctrl|ctrl" : line);
    }
    return out;
}

// InputEventKeys that one engine saved are the same keys in the other.
TEST(KeysLive, AreTheSameInTheOtherEngine) {
    std::string why;
    const fs::path scripts = source_dir() / "tests/file/sections";
    for (const bool four : {false, true}) {
        const auto from = LiveEngine::find(four ? "godot-4.6.3" : "godot-3.6.2", why);
        const auto to = LiveEngine::find(four ? "godot-3.6.2" : "godot-4.6.3", why);
        if (!from || !to)
            GTEST_SKIP() << why;
        std::ofstream(from->folder() / "numbers.txt") << key_numbers(four);
        from->run(scripts / (four ? "keys4.gd" : "keys3.gd"), "%D/", 60);
        const TextFamily families[] = {TextFamily::godot_3_6, TextFamily::godot_4};
        const auto made = converted(resource_file, read_text(from->folder() / "keys.tres"),
                                    families[four], families[!four]);
        ASSERT_TRUE(made) << made.error() << read_text(from->output());
        EXPECT_TRUE(made->losses.empty());
        std::ofstream(to->folder() / "other.tres") << made->text;
        to->run(scripts / (four ? "keys3.gd" : "keys4.gd"), "%D/", 60);
        const auto was = key_names(*from), is = key_names(*to);
        ASSERT_EQ(was.size(), 106u) << read_text(from->output());
        ASSERT_EQ(is.size(), was.size()) << read_text(to->output());
        std::size_t same = 0;
        for (std::size_t i = 0; i < was.size(); ++i) {
            // 3.6.2 has no name for KEY_OPENURL: its number is printed as a character.
            const bool nameless = was[four ? 0 : i].empty() || (four ? is : was)[i][0] < 0;
            EXPECT_TRUE(nameless || was[i] == is[i]) << was[i] << " became " << is[i];
            same += was[i] == is[i];
        }
        EXPECT_GE(same, 105u);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Engines, SectionsLive, testing::Range<std::size_t>(0, 3), [](const auto& each) {
        std::string name = recordings[each.param].engine;
        std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
        return name;
    });

}  // namespace
}  // namespace gdvar::test
