#include "output/output_dir.hpp"

#include <filesystem>
#include <map>
#include <utility>

#include "base/platform/file.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

namespace fs = std::filesystem;

/// Identifies a file whatever its name: device and number.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

std::optional<FileId> id_of(const std::string& path) {
    const auto info = platform::info_of(path);
    if (!info)
        return std::nullopt;
    return FileId{info->device, info->number};
}

}  // namespace

std::optional<std::vector<std::string>> outputs_in(const std::string& folder,
                                                   const InputFiles& files,
                                                   const std::vector<std::string>& others,
                                                   int& exit) {
    const auto refuse = [&](const std::string& what) {
        say("gdvar: " + what + "; nothing was written");
        exit = usage;
        return std::nullopt;
    };
    std::map<FileId, std::string> read, written;
    for (const std::string& name : others)
        if (const auto id = id_of(name))
            read.emplace(*id, name);
    for (const InputFile& file : files.all)
        if (const auto id = id_of(file.path))
            read.emplace(*id, file.path);
    std::map<std::string, std::string> inputs;  // for each output
    std::vector<std::string> out;
    for (const InputFile& file : files.all) {
        if (file.path == "-")
            return refuse("standard input has no name for --output-dir");
        const std::string output =
            (fs::path(folder) / file.below).lexically_normal().generic_string();
        const auto [known, added] = inputs.emplace(output, file.path);
        if (!added)
            return refuse(known->second + " and " + file.path + " would both be written to " +
                          output);
        if (const auto id = id_of(output)) {
            if (const auto input = read.find(*id); input != read.end())
                return refuse(output + " is an input" +
                              (input->second == output ? "" : " (" + input->second + ")"));
            const auto [other, first] = written.emplace(*id, output);
            if (!first)
                return refuse(other->second + " and " + output + " are one file");
        }
        out.push_back(output);
    }
    return out;
}

int make_folder(const std::string& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error))
        return fine;
    fs::create_directories(folder, error);
    if (!error)
        return fine;
    say(folder + ": error[io]: " + error.message());
    return io_error;
}

}  // namespace gdvar::app
