// Real engines make packs and read them: gdvar reads the same bytes in them.
#include <array>
#include <sstream>

#include "gdvar/file/archive.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/save/coding.hpp"
#include "support/case_name.hpp"
#include "support/live.hpp"

namespace gdvar::test {
namespace {

/// A file that the engine has read: pack, path, content.
std::vector<std::array<std::string, 3>> printed(const LiveEngine& engine) {
    std::vector<std::array<std::string, 3>> out;
    std::istringstream all(read_text(engine.output()));
    for (std::string line; std::getline(all, line);) {
        if (!line.starts_with("gdvar: "))
            continue;
        std::istringstream fields(line.substr(7));
        auto& row = out.emplace_back();
        for (std::string& field : row)
            std::getline(fields, field, '\t');
    }
    return out;
}

class LivePacks : public testing::TestWithParam<const char*> {};

TEST_P(LivePacks, HoldWhatTheEngineReads) {
    std::string why;
    const auto engine = LiveEngine::find(GetParam(), why);
    if (!engine)
        GTEST_SKIP() << why;
    const bool four = std::string_view(GetParam()) == "godot-4.6.3";
    engine->run(source_dir() / "tests" / "file" / (four ? "packs4.gd" : "packs3.gd"), "");
    const auto rows = printed(*engine);
    ASSERT_EQ(rows.size(), four ? 35u : 14u) << read_text(engine->output());
    const ContainerKey zeros;  // of an engine that was built without a key
    for (const auto& [pack, path, hex] : rows) {
        SCOPED_TRACE(pack + " " + path);
        auto file = FileSource::open(engine->folder() / pack);
        ASSERT_TRUE(file);
        const auto archive = open_archive(*file, InputKind::pack, {.key = zeros});
        ASSERT_TRUE(archive) << to_string(archive.error());
        ASSERT_EQ((*archive)->entries().size(), 7u);
        const auto number = (*archive)->find(path);
        ASSERT_TRUE(number) << to_string(number.error());
        EXPECT_EQ((*archive)->entries()[*number].encrypted,
                  pack == "files.pck" || pack == "directory.pck");
        const auto inside = (*archive)->open(*number);
        ASSERT_TRUE(inside) << to_string(inside.error());
        EXPECT_EQ(to_hex(read_all(**inside).value()), hex);
        if (!path.ends_with("data.save"))
            continue;
        auto save = open_save(engine->folder() / pack, {.key = zeros, .entries = {path}});
        ASSERT_TRUE(save) << to_string(save.error());
        EXPECT_EQ(save->get<int>("$.hp"), 7);
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, LivePacks,
                         testing::Values("godot-3.2.3", "godot-3.6.2", "godot-4.6.3"), case_name);

}  // namespace
}  // namespace gdvar::test
