// The words of the command line, before CLI11 parses them: which command they are for.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gdvar::app {

/// All commands, in the order of the help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// Puts the command's name first: options may stand before it, and a bare file means `show`. Turns
/// `help COMMAND` into --help. Errors: what to say about words that name neither a command nor a
/// file, or an option that no command has.
std::expected<std::vector<std::string>, std::string> arrange(std::vector<std::string> words,
                                                             const CLI::App& app);
/// About the first word that only looks like an option of the command that was parsed: which one is
/// meant, or that `--` goes before it. Empty if there is none. `words`: as `arrange` gave them.
std::string meant_option(std::vector<std::string> words, const CLI::App& app);

}  // namespace gdvar::app
