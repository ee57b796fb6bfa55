#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gdvar::app {

/// What the help calls a dialect's name, alone and where `auto` may stand for it: completions know
/// the words.
constexpr const char *dialect_value = "DIALECT", *dialect_or_auto = "DIALECT|auto";

/// What `--generate` prints: "man", or the completions of "bash", "zsh" or "fish".
std::string generated(const CLI::App& app, const std::string& what);

}  // namespace gdvar::app
