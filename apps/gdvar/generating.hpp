#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gdvar::app {

/// The help's names for a dialect, without and with `auto`. Completions know the words for them.
constexpr const char *dialect_value = "DIALECT", *dialect_or_auto = "DIALECT|auto";

/// What `--generate` prints: "man", or the completions of "bash", "zsh" or "fish".
std::string generated(const CLI::App& app, const std::string& what);

}  // namespace gdvar::app
