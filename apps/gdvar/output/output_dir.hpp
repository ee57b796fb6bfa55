// --output-dir: one output for each of several inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/files.hpp"

namespace gdvar::app {

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
