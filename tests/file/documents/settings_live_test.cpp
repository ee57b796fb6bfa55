// Real engines start with a project.binary that one of them wrote and gdvar changed.
#include <sstream>

#include "gdvar/file/save_file.hpp"
#include "gdvar/text/text.hpp"
#include "support/case_name.hpp"
#include "support/live.hpp"

namespace gdvar::test {
namespace {

std::vector<std::string> printed(const LiveEngine& engine) {
    std::vector<std::string> lines;
    std::istringstream all(read_text(engine.output()));
    for (std::string line; std::getline(all, line);)
        if (line.starts_with("gdvar: "))
            lines.push_back(line.substr(7));
    return lines;
}

class LiveSettings : public testing::TestWithParam<const char*> {};

TEST_P(LiveSettings, AreReadByTheEngineAsChanged) {
    std::string why;
    const auto engine = LiveEngine::find(GetParam(), why);
    if (!engine)
        GTEST_SKIP() << why;
    const auto script = source_dir() / "tests/file/documents/settings.gd";
    engine->run(script, "");
    EXPECT_EQ(printed(*engine), std::vector<std::string>{"0"}) << read_text(engine->output());
    const std::string path = (engine->folder() / "project.binary").string();
    std::filesystem::copy_file(engine->folder() / "made.binary", path);
    {
        auto save = open_save(path, {.allow_objects = true});
        ASSERT_TRUE(save) << to_string(save.error());
        EXPECT_EQ(save->kind().write(save->items(), save->dialect()).value(), read_bytes(path));
        ASSERT_TRUE(save->set("application/config/name", Variant("New")));
        ASSERT_TRUE(save->set("gdvar/changed $.list[1]", Variant(20)));
        ASSERT_TRUE(save->set("gdvar/added", Variant(Array{"a", 1}), {.create = true}));
        ASSERT_TRUE(save->erase("gdvar/erased"));
        ASSERT_TRUE(save->save());
    }
    engine->run(script, "", 120, true);
    const bool four = std::string_view(GetParam()) == "godot-4.6.3";
    const std::vector<std::string> expected =
        four ? std::vector<std::string>{"application/config/name=New", "gdvar/kept=(1.0, 2.0, 3.0)",
                                        "gdvar/changed={ \"list\": [1, 20, 3] }",
                                        "gdvar/added=[\"a\", 1]", "erased=false"}
             : std::vector<std::string>{"application/config/name=New", "gdvar/kept=(1, 2, 3)",
                                        "gdvar/changed={list:[1, 20, 3]}", "gdvar/added=[a, 1]",
                                        "erased=False"};
    EXPECT_EQ(printed(*engine), expected) << read_text(engine->output());
}

INSTANTIATE_TEST_SUITE_P(Engines, LiveSettings,
                         testing::Values("godot-3.2.3", "godot-3.6.2", "godot-4.6.3"), case_name);

}  // namespace
}  // namespace gdvar::test
