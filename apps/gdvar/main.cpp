// The gdvar command: words of the command line, dispatch, exit codes.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <optional>

#include "command.hpp"
#include "gdvar/version.hpp"
#include "generating.hpp"

namespace gdvar::app {
namespace {

std::string footer_of(const Command& command) {
    std::string out = "Examples:\n  ";
    for (const char* c = command.examples; *c; ++c)
        out += *c == '\n' ? std::string("\n  ") : std::string(1, *c);
    return out;
}

bool is_command(const std::string& word) {
    return std::ranges::any_of(all_commands(),
                               [&](const Command& command) { return word == command.name; });
}

/// A suggestion for a misspelt option of the given command.
std::string meant_options(const CLI::App& app) {
    std::vector<std::string> options = {"--help"};
    std::string out;
    for (const CLI::App* sub : app.get_subcommands()) {
        for (const CLI::Option* option : sub->get_options())
            for (const std::string& name : option->get_lnames())
                options.push_back("--" + name);
        const std::vector<std::string_view> names(options.begin(), options.end());
        for (const std::string& word : sub->remaining())
            if (word.starts_with("--") && out.empty())
                out = did_you_mean(word.substr(0, word.find('=')), names);
    }
    return out;
}

/// The hint for a first word that is neither a file nor a command.
std::optional<std::string> meant_command(const std::string& word) {
    if (word == "-" || word.find_first_of("./") != word.npos || ::access(word.c_str(), F_OK) == 0)
        return std::nullopt;
    std::vector<std::string_view> names;
    for (const Command& command : all_commands())
        names.emplace_back(command.name);
    const std::string meant = did_you_mean(word, names);
    return meant.empty() ? "; gdvar --help lists the commands" : meant;
}

/// Turns `help` and `help COMMAND` into --help, unless a file is named `help`.
void take_help(std::vector<std::string>& words) {
    if (words.empty() || words[0] != "help" || words.size() > 2 ||
        ::access(words[0].c_str(), F_OK) == 0)
        return;
    words.erase(words.begin());
    words.emplace_back("--help");
}

int run(int argc, char** argv) {
    CLI::App app{"Godot's Variant wire format, outside the engine.", "gdvar"};
    app.set_version_flag("--version", std::string("gdvar ") + std::string(gdvar::version_string));
    app.footer(
        "A bare file means show. Exit codes: 0 fine, 1 data refused, 2 usage, 3 input or output,\n"
        "4 differences.");
    std::vector<std::pair<CLI::App*, std::function<int()>>> runs;
    for (const Command& command : all_commands()) {
        CLI::App& sub = *app.add_subcommand(command.name, command.does);
        sub.footer(footer_of(command));
        Arguments arguments(sub);
        runs.emplace_back(&sub, command.declare(arguments));
    }

    std::vector<std::string> words(argv + 1, argv + argc);
    take_help(words);
    // For the build, which installs them: gdvar --generate man|bash|zsh|fish
    if (words.size() == 2 && words[0] == "--generate") {
        for (const char* what : {"man", "bash", "zsh", "fish"})
            if (words[1] == what) {
                std::fputs(generated(app, words[1]).c_str(), stdout);
                return fine;
            }
        return usage;
    }
    if (words.empty()) {
        say("gdvar: no command and no file; gdvar --help lists the commands");
        return usage;
    }
    const bool bare = !is_command(words[0]) && (words[0] == "-" || !words[0].starts_with('-'));
    if (bare) {
        if (const auto meant = meant_command(words[0])) {
            say("gdvar: no file and no command is called '" + words[0] + "'" + *meant);
            return usage;
        }
        words.insert(words.begin(), "show");
    }
    // CLI11 takes a value that is an Array apart, unless something stands before it.
    for (std::string& word : words)
        if (words[0] == "send" && word.starts_with('['))
            word.insert(0, 1, ' ');
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::ParseError& error) {
        // Help and version hold only our own text. Messages quote the user, so `say` prints them.
        if (error.get_exit_code() == 0) {
            app.exit(error);
            return std::fflush(stdout) == 0 && !std::ferror(stdout) ? fine : io_error;
        }
        say(std::string("gdvar: ") + error.what() + meant_options(app));
        say("Run with --help for more information.");
        return usage;
    }
    for (const auto& [sub, run_command] : runs)
        if (sub->parsed())
            return run_command();
    say("gdvar: no command; gdvar --help lists the commands");
    return usage;
}

/// Opens /dev/null for each closed standard file. Otherwise the next file to be opened would get
/// that number, and messages could go into a save. Reading standard input and writing the others
/// still fails, as with a closed file.
bool hold_standard_files() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(number, F_GETFD) < 0 && errno == EBADF &&
            ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number)
            return false;
    return true;
}

}  // namespace
}  // namespace gdvar::app

int main(int argc, char** argv) {
    if (!gdvar::app::hold_standard_files())
        return gdvar::app::io_error;
    try {
        return gdvar::app::run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("gdvar: error[no_memory]: out of memory\n", stderr);
        return gdvar::app::refused;
    }
}
