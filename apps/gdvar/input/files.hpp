// Several files: listed, processed in parallel, printed in order, each with an output of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "options/input.hpp"
#include "output/output.hpp"

namespace gdvar::app {

struct InputFile {
    std::string path;
    std::string below;  ///< the path below the given folder; for a file, its name
};

struct InputFiles {
    std::vector<InputFile> all;
    bool several = false;  ///< several files, or a folder, were given
    int exit = fine;       ///< after a message: for folders that are unreadable or have no file

    std::vector<std::string> paths() const;
};

/// The files of the command line. A folder stands for the regular files in it, by name; with
/// --recursive also for those in the folders below it. Links to folders are not followed. Files in
/// the folder `except` are left out. Nothing, after a message and with `exit` set, if there is no
/// file.
std::optional<InputFiles> list_files(const FilesOptions& options, int& exit,
                                     const std::string& except = "");

/// Calls `work` for each file: with `out`, if given; else on several threads, each with its own
/// output and messages, which are printed in the order of the files. Then prints one line with the
/// counts of exit codes. Returns the worst of them.
int each_file(const InputFiles& files, std::uint32_t jobs, const OutputOptions& options,
              Output& out, const std::function<int(const InputFile&, Output&)>& work);

/// The same for a command that prints. `work` gets the options with `file` and `several` set.
template <class Options>
int print_files(Options& options, const std::function<int(const Options&, Output&)>& work) {
    int exit = fine;
    const auto files = list_files(options, exit);
    if (!files)
        return exit;
    const Reads reads{files->paths(), options.secret_files()};
    if (exit = settle_output(options, reads, Rewrites::none); exit != fine)
        return exit;
    Output out(options);
    exit = each_file(*files, options.jobs, options, out, [&](const InputFile& file, Output& to) {
        Options one = options;
        one.file = file.path;
        one.several = files->several;
        return work(one, to);
    });
    return out.finish_after(exit);
}

/// The output of each file: its path below `folder`. Nothing, after a message and with `exit` set,
/// if an output would replace an input (`files` or `others`), or two would be one file, also
/// through links.
std::optional<std::vector<std::string>> outputs_in(const std::string& folder,
                                                   const InputFiles& files,
                                                   const std::vector<std::string>& others,
                                                   int& exit);
/// Makes the folder, if missing. Returns an exit code, after a message.
int make_folder(const std::string& folder);

}  // namespace gdvar::app
