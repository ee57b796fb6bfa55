#include "options/files.hpp"

namespace gdvar::app {

Argument add_files(Arguments& arguments, FilesOptions& options, const char* what) {
    const Argument files = arguments.option("FILE", options.files, what);
    arguments.flag("-r,--recursive", options.recursive,
                   "of a folder, also the files in the folders below it");
    arguments.option("-j,--jobs", options.jobs, "files read at once; default: one for each core")
        .range(1, 64);
    return files;
}

}  // namespace gdvar::app
