// Real engines save binary resources, which are compared with what they make of the values.
#include "support/case_name.hpp"
#include "support/engine_resources.hpp"
#include "support/live.hpp"

namespace gdvar::test {
namespace {

class LiveResources : public testing::TestWithParam<const char*> {};

TEST_P(LiveResources, AreReadAsTheEngineReadsThem) {
    std::string why;
    const auto engine = LiveEngine::find(GetParam(), why);
    if (!engine)
        GTEST_SKIP() << why;
    const bool four = std::string_view(GetParam()) == "godot-4.6.3";
    std::ofstream(engine->folder() / "project.godot")
        << "config_version=" << (four ? 5 : 4) << '\n';
    engine->run(source_dir() / "tests" / "recorders" / (four ? "resources4.gd" : "resources3.gd"),
                "", 120, true);
    const ResourceFolder folder(engine->folder(), GetParam());
    ASSERT_GE(folder.files().size(), 9u) << read_text(engine->output());
    folder.check_values();
    folder.check_trees();
}

INSTANTIATE_TEST_SUITE_P(Engines, LiveResources,
                         testing::Values("godot-3.2.3", "godot-3.6.2", "godot-4.6.3"), case_name);

}  // namespace
}  // namespace gdvar::test
