// Lets engines load ConfigFiles, resources and scenes, and says whether they read the same values.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "support/live.hpp"
#include "support/texts.hpp"

namespace gdvar::test {

/// A text that an engine is to load.
struct SectionsJob {
    RecordedText::Kind kind;
    std::string text;
};

/// An engine's readings of the texts: lines as in the recordings.
inline std::vector<Json> views_of(const LiveEngine& engine, const std::vector<SectionsJob>& jobs,
                                  bool four) {
    constexpr const char* names[] = {"config", "resource", "scene"};
    std::string lines;
    for (const SectionsJob& job : jobs)
        lines += Json{{"k", names[job.kind]}, {"t", job.text}}.dump() + "\n";
    std::ofstream(engine.folder() / "odd.ndjson") << lines;
    std::ofstream(engine.folder() / "project.godot") << "config_version=" << (four ? 5 : 4) << "\n";
    engine.run(source_dir() / "tests" / "recorders" / (four ? "texts4.gd" : "texts3.gd"),
               "%D/odd.ndjson %D/out.ndjson 0", 120, true);
    return lines_with(engine.folder() / "out.ndjson", "k");
}

inline bool is_same(const Recording& recording, const SectionsJob& job, const Variant& ours,
                    const Json& line) {
    if (job.kind == RecordedText::config)
        return line["e"] == 0 && same_config(recording, ours, line["v"]);
    return !line["v"].is_null() && same_resource(recording, ours, line["v"], true);
}

}  // namespace gdvar::test
