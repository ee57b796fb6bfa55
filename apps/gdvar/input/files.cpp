#include "input/files.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/platform/file.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

namespace fs = std::filesystem;

/// The output of one file so far.
struct Result {
    Spool output{{.max_memory = 1u << 20}};
    std::string messages;
    int exit = fine;
    bool done = false;
};

/// Appends the regular files of a folder, by name. Returns an exit code, after a message.
int add_folder(const std::string& folder, bool recursive, const fs::path& except,
               std::vector<InputFile>& out) {
    std::error_code error;
    std::vector<fs::path> found;
    const auto take = [&](const fs::directory_entry& entry) {
        std::error_code ignored;
        if (entry.is_regular_file(ignored))
            found.push_back(entry.path());
    };
    if (recursive) {
        for (auto at = fs::recursive_directory_iterator(folder, error);
             !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
            std::error_code ignored;
            if (!except.empty() && at->is_directory(ignored) &&
                fs::equivalent(at->path(), except, ignored))
                at.disable_recursion_pending();
            take(*at);
        }
    } else {
        for (auto at = fs::directory_iterator(folder, error);
             !error && at != fs::directory_iterator(); at.increment(error))
            take(*at);
    }
    std::ranges::sort(found);
    for (const fs::path& path : found)
        out.push_back({path.generic_string(), path.lexically_relative(folder).generic_string()});
    if (!error)
        return fine;
    return give_up(io_error, folder + ": error[io]: " + error.message());
}

/// "gdvar: 3 files: 2 fine, 1 refused".
void sum_up(std::span<const int> exits) {
    constexpr std::array words = {"fine", "refused", "usage", "not read or written", "different"};
    std::string line = "gdvar: " + counted(exits.size(), "file");
    const char* between = ": ";
    for (std::size_t code = 0; code < words.size(); ++code)
        if (const auto n = std::ranges::count(exits, static_cast<int>(code))) {
            line += between + std::to_string(n) + " " + words[code];
            between = ", ";
        }
    say(line);
}

/// Identifies a file whatever its name: device and number.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

std::optional<FileId> id_of(const std::string& path) {
    const auto info = platform::info_of(path);
    if (!info)
        return std::nullopt;
    return FileId{info->device, info->number};
}

}  // namespace

std::vector<std::string> InputFiles::paths() const {
    std::vector<std::string> out;
    out.reserve(all.size());
    for (const InputFile& file : all)
        out.push_back(file.path);
    return out;
}

std::optional<InputFiles> list_files(const FilesOptions& options, int& exit,
                                     const std::string& except) {
    InputFiles out;
    const std::vector<std::string> named =
        options.files.empty() ? std::vector<std::string>{"-"} : options.files;
    out.several = named.size() > 1;
    for (const std::string& name : named) {
        std::error_code error;
        if (name == "-" || !fs::is_directory(name, error)) {
            out.all.push_back({name, fs::path(name).filename().string()});
            continue;
        }
        out.several = true;
        const std::size_t before = out.all.size();
        const int code = add_folder(name, options.recursive, except, out.all);
        out.exit = std::max(out.exit, code);
        if (code == fine && out.all.size() == before) {
            out.exit = std::max(out.exit, static_cast<int>(refused));
            say("gdvar: " + name + ": there is no file in this folder" +
                (options.recursive ? "" : "; --recursive looks into the folders below it"));
        }
    }
    if (std::ranges::count(named, "-") > 1) {
        exit = give_up(usage, "gdvar: standard input can be read only once");
        return std::nullopt;
    }
    if (!out.all.empty())
        return out;
    exit = out.exit;
    return std::nullopt;
}

int each_file(const InputFiles& files, std::uint32_t jobs, const OutputOptions& options,
              Output& out, const std::function<int(const InputFile&, Output&)>& work) {
    if (!files.several)
        return work(files.all.front(), out);
    const std::size_t count = files.all.size();
    constexpr std::uint32_t most = 8;
    const std::size_t threads = std::min<std::size_t>(
        count, jobs ? jobs : std::clamp(std::thread::hardware_concurrency(), 1u, most));
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::unique_ptr<Result>> results(count);
    std::size_t next = 0, printed = 0;
    bool stop = false;
    const auto one = [&](std::size_t i) {
        Result& result = *results[i];
        const Captured captured(result.messages);
        try {
            Output own(options, result.output);
            result.exit = work(files.all[i], own);
            const int written = own.finish();
            result.exit = result.exit != fine ? result.exit : written;
        } catch (const std::bad_alloc&) {
            result.exit = refused;
            result.messages += "gdvar: error[no_memory]: out of memory\n";
        }
    };
    const auto loop = [&] {
        std::unique_lock lock(mutex);
        for (;;) {
            // Bounds the results that wait to be printed.
            changed.wait(lock,
                         [&] { return stop || next == count || next < printed + 4 * threads; });
            if (stop || next == count)
                return;
            const std::size_t i = next++;
            results[i] = std::make_unique<Result>();
            lock.unlock();
            one(i);
            lock.lock();
            results[i]->done = true;
            changed.notify_all();
        }
    };
    std::vector<std::thread> pool;
    pool.reserve(threads);
    try {
        while (pool.size() < threads)
            pool.emplace_back(loop);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): those that there are work
    }
    std::vector<int> exits;
    std::unique_lock lock(mutex);
    while (printed < count && !stop) {
        if (pool.empty()) {
            results[printed] = std::make_unique<Result>();
            one(printed);
            results[printed]->done = true;
        }
        changed.wait(lock, [&] { return results[printed] && results[printed]->done; });
        lock.unlock();
        Result& result = *results[printed];
        out.take(result.output);
        Captured::print(result.messages);
        exits.push_back(result.exit);
        lock.lock();
        results[printed++].reset();
        stop = out.failed();
        changed.notify_all();
    }
    lock.unlock();
    for (std::thread& thread : pool)
        thread.join();
    if (!out.failed())
        sum_up(exits);
    return std::max(files.exit, exits.empty() ? static_cast<int>(fine) : std::ranges::max(exits));
}

std::optional<std::vector<std::string>> outputs_in(const std::string& folder,
                                                   const InputFiles& files,
                                                   const std::vector<std::string>& others,
                                                   int& exit) {
    const auto refuse = [&](const std::string& what) {
        exit = give_up(usage, "gdvar: " + what + "; nothing was written");
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
    return give_up(io_error, folder + ": error[io]: " + error.message());
}

}  // namespace gdvar::app
