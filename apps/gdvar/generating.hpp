#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gdvar::app {

/// The output of `--generate`: "man", or the completions of "bash", "zsh" or "fish".
std::string generated(const CLI::App& app, const std::string& what);

}  // namespace gdvar::app
