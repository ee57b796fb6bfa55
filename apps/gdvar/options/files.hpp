// Commands that take several files and folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace gdvar::app {

struct FilesOptions {
    std::vector<std::string> files;  ///< and folders; none: standard input
    bool recursive = false;
    std::uint32_t jobs = 0;  ///< 0: as many as the machine runs at once
    // Of the command, not of the user:
    bool several = false;  ///< this is one of several files
};

/// FILE..., which the command's own words describe, and --recursive and --jobs.
Argument add_files(Arguments& arguments, FilesOptions& options, const char* what);

}  // namespace gdvar::app
