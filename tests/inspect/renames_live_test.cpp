// The rows of data/renames_3_to_4.txt are true of running engines.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "gdvar/inspect/convert.hpp"
#include "support/live.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

namespace fs = std::filesystem;

/// Classes of an engine, with their parents and own properties.
struct Classes {
    std::map<std::string, std::string> parents;
    std::set<std::pair<std::string, std::string>> properties;

    bool has(std::string name, const std::string& property) const {
        for (; !name.empty(); name = parents.contains(name) ? parents.at(name) : "")
            if (properties.contains({name, property}))
                return true;
        return false;
    }
};

std::optional<Classes> classes_of(const std::string& name, const char* script) {
    std::string why;
    const auto engine = LiveEngine::find(name, why);
    if (!engine) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), why.c_str());
        return std::nullopt;
    }
    engine->run(source_dir() / "tests/inspect" / script, "%D/");
    std::ifstream file(engine->folder() / "classes.txt");
    Classes out;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind, owner, rest;
        words >> kind >> owner;
        std::getline(words >> std::ws, rest);
        if (kind == "class")
            out.parents[owner] = rest;
        else
            out.properties.emplace(owner, rest);
    }
    EXPECT_GT(out.parents.size(), 500u) << name;
    return out;
}

TEST(RenamesLive, EveryRowIsTrueOfTheEngines) {
    const auto three = classes_of("godot-3.6.2", "renames3.gd");
    const auto four = classes_of("godot-4.6.3", "renames4.gd");
    if (!three || !four)
        GTEST_SKIP() << "needs Godot 3.6.2 and 4.6.3";
    const Renames& table = Renames::godot_3_to_4();
    std::ifstream rows(source_dir() / "data/renames_3_to_4.txt");
    std::size_t classes = 0, properties = 0, heirs = 0;
    bool built_in = false;
    for (std::string line; std::getline(rows, line);) {
        if (line.starts_with('#'))
            built_in = line.starts_with("# Built-in");
        std::istringstream words(line);
        std::string kind, first, second, third;
        words >> kind >> first >> second >> third;
        if ((kind == "class" || kind == "merge") && !built_in) {
            ++classes;
            EXPECT_TRUE(three->parents.contains(first)) << line;
            EXPECT_TRUE(four->parents.contains(second)) << line;
        } else if (kind == "property" || kind == "keys") {
            ++properties;
            EXPECT_TRUE(three->has(first, second)) << line;
            const std::string now(table.class_name(first, Renames::Direction::to_new).name);
            EXPECT_TRUE(four->has(now, third)) << line;
            EXPECT_FALSE(four->has(now, second)) << line;
        } else if (kind == "inherits") {
            std::istringstream all(line.substr(9 + first.size()));
            for (std::string heir; all >> heir; ++heirs) {
                std::string at = heir;
                while (!at.empty() && at != first)
                    at = three->parents.contains(at) ? three->parents.at(at) : "";
                EXPECT_EQ(at, first) << heir;
            }
        }
    }
    EXPECT_GT(classes, 100u);
    EXPECT_GT(properties, 70u);
    EXPECT_GT(heirs, 100u);
}

/// Objects that Godot 3.6.2 wrote, converted: Godot 4.6.3 makes the classes of it that they are now
/// called, and finds what was set.
TEST(RenamesLive, ObjectsOfGodot3InGodot4) {
    std::string why;
    const auto three = LiveEngine::find("godot-3.6.2", why),
               four = LiveEngine::find("godot-4.6.3", why);
    if (!three || !four)
        GTEST_SKIP() << why;
    const fs::path scripts = source_dir() / "tests/inspect";
    three->run(scripts / "objects3.gd", "%D/");
    const auto packet = read_bytes(three->folder() / "objects.bin");
    const auto done = convert(packet, {.dialect = &dialects::godot_3_1, .allow_objects = true},
                              {.dialect = &dialects::godot_4_4, .allow_objects = true});
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_TRUE(done->losses.empty());
    EXPECT_GE(done->renames.size(), 14u);
    std::ofstream(four->folder() / "objects.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(done->bytes.data()),
               static_cast<std::streamsize>(done->bytes.size()));
    four->run(scripts / "objects4.gd", "%D/");
    EXPECT_EQ(read_text(four->folder() / "results.txt"),
              "RefCounted\n"
              "Label tip (30.0, 40.0) hello\n"
              "Camera2D 7.5 0.25\n"
              "RayCast3D (1.0, 2.0, 3.0)\n"
              "RigidBody3D 5 2.5\n"
              "InputEventMouseButton true true 2\n"
              "Button true true a/b\n");
}

}  // namespace
}  // namespace gdvar::test
