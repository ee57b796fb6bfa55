// The words of the command line before CLI11 parses them, and what is generated for shells.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gdvar::app {

std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// Puts the command's name first: options may precede it, and a bare file means `show`. Turns
/// `help COMMAND` into --help. Errors: a message about words that are neither a command nor a file,
/// or an option that no command has.
std::expected<std::vector<std::string>, std::string> arrange(std::vector<std::string> words,
                                                             const CLI::App& app);
/// A hint about the first word that only looks like an option of the parsed command: the option
/// that was meant, or that `--` must precede it. Empty if there is none. `words`: from `arrange`.
std::string meant_option(std::vector<std::string> words, const CLI::App& app);

/// The output of `--generate`: "man", or the completions of "bash", "zsh" or "fish".
std::string generated(const CLI::App& app, const std::string& what);

}  // namespace gdvar::app
