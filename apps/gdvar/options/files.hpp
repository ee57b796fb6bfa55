#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace gdvar::app {

struct FilesOptions {
    std::vector<std::string> files;  ///< and folders; none: standard input
    bool recursive = false;
    std::uint32_t jobs = 0;  ///< 0: the machine's number of threads
    // Set by the command, not the user:
    bool several = false;  ///< this is one of several files
};

/// FILE..., described by the command's own words, and --recursive and --jobs.
Argument add_files(Arguments& arguments, FilesOptions& options, const char* what);

}  // namespace gdvar::app
