// Starting real engines for live tests: in a folder of their own, bounded in time.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "support/data.hpp"

namespace gdvar::test {

/// An engine that can be started here, and a folder below its root.
class LiveEngine {
public:
    /// `name` as in the recordings: "godot-3.2.3", "godot-3.6.2", "godot-4.6.3". Nothing when it is
    /// not here; `why` then says so.
    static std::optional<LiveEngine> find(const std::string& name, std::string& why) {
        LiveEngine out;
        if (name == "godot-3.2.3") {
            out.program_ = "/usr/bin/godot3-server";
            if (::access(out.program_.c_str(), X_OK) != 0) {
                why = "godot3-server is not installed";
                return std::nullopt;
            }
            out.root_ = "/";
        } else {
            const auto root = engines_dir();
            if (!root || ::geteuid() != 0) {
                why = root ? "only root can enter the engines' tree"
                           : "scripts/engines has not been run";
                return std::nullopt;
            }
            out.root_ = *root;
            out.program_ =
                "chroot " + root->string() + (name == "godot-4.6.3" ? " godot" : " godot3-server");
        }
        out.four_ = name == "godot-4.6.3";
        std::string folder = (out.root_ / "tmp" / "gdvar-live-XXXXXX").string();
        if (!::mkdtemp(folder.data())) {
            why = "no folder below " + out.root_.string();
            return std::nullopt;
        }
        out.folder_ = folder;
        return out;
    }
    LiveEngine(LiveEngine&& other) noexcept = default;
    LiveEngine& operator=(LiveEngine&&) = delete;
    ~LiveEngine() {
        std::error_code ignored;
        if (!folder_.empty())
            std::filesystem::remove_all(folder_, ignored);
    }

    const std::filesystem::path& folder() const { return folder_; }
    /// The folder as the engine sees it, with a slash behind it.
    std::string seen() const {
        const std::string all = folder_.string();
        return (root_ == "/" ? all : all.substr(root_.string().size())) + "/";
    }
    /// The script's output.
    std::filesystem::path output() const { return folder_ / "output.txt"; }
    /// Runs the script at `source` with `arguments`, at most `seconds`; "%D/" stands for the
    /// folder. `as_project`: the folder is the project that the engine runs.
    void run(const std::filesystem::path& source, std::string arguments, int seconds = 120,
             bool as_project = false) const {
        namespace fs = std::filesystem;
        fs::copy_file(source, folder_ / "script.gd", fs::copy_options::overwrite_existing);
        for (std::size_t at; (at = arguments.find("%D/")) != arguments.npos;)
            arguments.replace(at, 3, seen());
        const std::string options = std::string(four_ ? " --headless" : " --no-window") +
                                    (as_project ? " --path " + seen() : "") + " -s ";
        const std::string command = "cd " + folder_.string() + " && HOME=" + seen() + " timeout " +
                                    std::to_string(seconds) + " " + program_ + options + seen() +
                                    "script.gd " + (four_ ? "-- " : "") + arguments +
                                    " >output.txt 2>&1";
        (void)!std::system(command.c_str());
    }

private:
    LiveEngine() = default;
    std::filesystem::path root_, folder_;
    std::string program_;
    bool four_ = false;
};

}  // namespace gdvar::test
