// Real engines load the stacks that games write, after gdvar changed a value in them.
#include <fstream>

#include "support/case_name.hpp"
#include "support/live.hpp"
#include "support/stacks.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

/// A project with files for an engine to load, each as a row of the table says.
class Project {
public:
    Project(const LiveEngine& engine, const StackEngine& as) : engine_(engine), as_(as) {
        std::ofstream(engine.folder() / "project.godot") << '\n';
        fs::copy_file(data_dir() / "stacks" / "stacks.json", engine.folder() / "stacks.json");
    }
    fs::path at(const std::string& file) const { return engine_.folder() / file; }
    /// The engine shall find the row's value there, with `to` in it.
    void add(const std::string& file, const StackRow& row, const std::optional<Variant>& to) {
        Json job{{"file", file}, {"row", row.name}, {"to", nullptr}};
        if (to && to->get_if<String>())
            job["to"] = std::string(*to->get_if<String>());
        else if (to)
            job["to"] = to->get<int>().value();
        jobs_.push_back(std::move(job));
    }
    /// The engine's results by file.
    std::map<std::string, Json> load() const {
        std::ofstream(at("jobs.json")) << jobs_.dump();
        run("load");
        std::map<std::string, Json> out;
        for (const Json& line : lines_with(at("results.ndjson"), "file"))
            out[line["file"]] = line;
        return out;
    }
    void check() const {
        const auto results = load();
        EXPECT_EQ(results.size(), jobs_.size()) << read_text(engine_.output());
        for (const Json& job : jobs_) {
            const std::string file = job["file"];
            const auto found = results.find(file);
            if (found == results.end()) {
                ADD_FAILURE() << file << ": not loaded";
                continue;
            }
            const std::string value = found->second["value"];
            EXPECT_EQ(value, found->second["expected"].get<std::string>()) << file;
            const std::string name = job["to"] == 12345 ? "hp: 12345" : "hp: 7";
            EXPECT_NE(value.find(name), value.npos) << file << ": " << value;
        }
    }
    void run(const std::string& mode) const {
        engine_.run(source_dir() / "tests" / "recorders" / as_.script, mode + " %D/", 60, true);
    }

private:
    const LiveEngine& engine_;
    const StackEngine& as_;
    Json jobs_ = Json::array();
};

void put(const fs::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

/// No engine inflates a bare deflate stream, and only Godot 4 reads Brotli.
bool loads(const StackEngine& engine, const StackRow& row) {
    return row.as != InputKind::deflate &&
           (row.as != InputKind::brotli || engine.gdec == std::string_view("gdec-4"));
}

class LiveStacks : public testing::TestWithParam<StackEngine> {
protected:
    void SetUp() override {
        std::string why;
        auto found = LiveEngine::find(GetParam().name, why);
        if (!found)
            GTEST_SKIP() << why;
        engine.emplace(*std::move(found));
    }
    std::optional<LiveEngine> engine;
};

TEST_P(LiveStacks, AreLoadedByTheEngineAsChanged) {
    Project project(*engine, GetParam());
    const auto saves = stack_saves(GetParam());
    for (const StackRow& row : stack_rows(GetParam())) {
        if (!row.to || !loads(GetParam(), row))
            continue;
        put(project.at(row.file()), saves.at(row.name));
        auto save = open_save(project.at(row.file()).string(), row.options());
        ASSERT_TRUE(save) << row.name << ": " << to_string(save.error());
        ASSERT_TRUE(save->set(row.path, *row.to)) << row.name;
        ASSERT_TRUE(save->save()) << row.name;
        project.add(row.file(), row, row.to);
    }
    project.check();
}

/// A file's name in the shell, and where its password or key is.
std::string in_shell(const fs::path& folder, const StackRow& row) {
    const fs::path secret = folder / (row.by_key ? "key" : "password");
    std::string out =
        std::string(row.by_key ? " --key-file " : " --password-file ") + secret.string();
    if (!row.inside.empty())
        out += " --inside '" + row.inside[0] + "'";
    if (row.as != InputKind::unknown)
        out += " --as " + std::string(input_kind_name(row.as));
    return out;
}

/// A save of one engine, converted by the command, is loaded by an engine of the other family.
TEST_P(LiveStacks, AreLoadedByTheOtherFamilyAfterConversion) {
    const char* command = std::getenv("GDVAR_COMMAND");
    ASSERT_NE(command, nullptr);
    const StackEngine& to = GetParam();
    const fs::path folder = engine->folder();
    std::ofstream(folder / "password") << "correct horse\n";
    std::string key;
    for (int i = 0; i < 32; ++i)
        key += static_cast<char>(i * 7 % 256);
    std::ofstream(folder / "key") << hex(as_bytes(key)) << '\n';
    const std::string way = to.gdec == std::string_view("gdec-4") ? "godot4" : "godot3 --lossy";
    Project project(*engine, to);
    for (const StackEngine& from : stack_engines) {
        if (from.gdec == std::string_view(to.gdec))
            continue;
        const auto saves = stack_saves(from);
        for (const StackRow& row : stack_rows(from)) {
            if (!row.to || !loads(to, row))
                continue;
            const std::string made = std::string(from.name) + '-' + row.file();
            put(folder / ("old-" + made), saves.at(row.name));
            const std::string line = std::string(command) + " convert --objects --to " + way +
                                     in_shell(folder, row) + " -o " + (folder / made).string() +
                                     ' ' + (folder / ("old-" + made)).string() + " 2>>" +
                                     (folder / "said").string();
            ASSERT_EQ(std::system(line.c_str()), 0) << line << '\n' << read_text(folder / "said");
            project.add(made, row, std::nullopt);
        }
    }
    project.check();
}

/// The saves of the table are those that this engine writes, but for random numbers: GDEC's IV, ids
/// in resources.
TEST_P(LiveStacks, AreWhatTheEngineWrites) {
    const Project project(*engine, GetParam());
    project.run("make");
    std::map<std::string, Bytes> made;
    for (const Json& line : lines_with(project.at("made.ndjson"), "name"))
        made[line["name"]] = unhex(line["bytes"]);
    const auto saves = stack_saves(GetParam());
    std::size_t alike = 0;
    for (const StackRow& row : stack_rows(GetParam())) {
        const bool random = row.stack.find("gdec-4") != row.stack.npos || row.how.back() == "tres";
        if (row.by_gdvar || row.how.back() == "res")
            continue;
        if (random) {
            EXPECT_EQ(made[row.name].size(), saves.at(row.name).size()) << row.name;
        } else {
            EXPECT_EQ(made[row.name], saves.at(row.name)) << row.name;
        }
        alike += !random;
    }
    EXPECT_GT(alike, 30u);
}

INSTANTIATE_TEST_SUITE_P(Engines, LiveStacks, testing::ValuesIn(stack_engines), case_name);

}  // namespace
}  // namespace gdvar::test
