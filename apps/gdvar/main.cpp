// The gdvar command: words of the command line, dispatch, exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>

#include "base/platform/file.hpp"
#include "command.hpp"
#include "command_line.hpp"
#include "gdvar/version.hpp"

namespace gdvar::app {
namespace {

std::vector<Command> all_commands() {
    return {
#define GDVAR_COMMAND(name) commands::name::command(),
#include "commands/list.def"
#undef GDVAR_COMMAND
    };
}

std::string footer_of(const Command& command) {
    std::string out = "Examples:\n  ";
    for (const char* c = command.examples; *c; ++c)
        out += *c == '\n' ? std::string("\n  ") : std::string(1, *c);
    return out;
}

int run(int argc, char** argv) {
    CLI::App app{"Godot's Variant wire format, outside the engine.", "gdvar"};
    // On each system alike: a path may begin with a slash.
    app.allow_windows_style_options(false);
    app.set_version_flag("--version", std::string("gdvar ") + std::string(gdvar::version_string));
    app.footer(
        "A bare file means show. Exit codes: 0 fine, 1 data refused, 2 usage, 3 input or output,\n"
        "4 differences (diff), or something is lost (recover).");
    std::vector<std::pair<CLI::App*, std::function<int()>>> runs;
    for (const Command& command : all_commands()) {
        CLI::App& sub = *app.add_subcommand(command.name, command.does);
        sub.footer(footer_of(command));
        Arguments arguments(sub);
        runs.emplace_back(&sub, command.declare(arguments));
    }

    std::vector<std::string> words(argv + 1, argv + argc);
    // For the build, which installs them: gdvar --generate man|bash|zsh|fish
    if (words.size() == 2 && words[0] == "--generate") {
        for (const char* what : {"man", "bash", "zsh", "fish"})
            if (words[1] == what) {
                std::fputs(generated(app, words[1]).c_str(), stdout);
                return fine;
            }
        return usage;
    }
    const auto arranged = arrange(std::move(words), app);
    if (!arranged)
        return give_up(usage, "gdvar: " + arranged.error());
    std::vector<std::string> reversed(arranged->rbegin(), arranged->rend());
    try {
        app.parse(reversed);
    } catch (const CLI::ParseError& error) {
        // Help and version hold only our own text. Messages quote the user, so `say` prints them.
        if (error.get_exit_code() == 0) {
            app.exit(error);
            return std::fflush(stdout) == 0 && !std::ferror(stdout) ? fine : io_error;
        }
        say(std::string("gdvar: ") + error.what() + meant_option(*arranged, app));
        return give_up(usage, "Run with --help for more information.");
    }
    for (const auto& [sub, run_command] : runs)
        if (sub->parsed())
            return run_command();
    return give_up(usage, "gdvar: no command; gdvar --help lists the commands");
}

}  // namespace
}  // namespace gdvar::app

int main(int argc, char** argv) {
    if (!gdvar::platform::hold_standard_files())
        return gdvar::app::io_error;
    try {
        return gdvar::app::run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("gdvar: error[no_memory]: out of memory\n", stderr);
        return gdvar::app::refused;
    } catch (const std::exception& error) {
        // Exceptions of the standard library and Asio come from the system: no thread, no event
        // queue.
        std::fprintf(stderr, "gdvar: error[io]: %s\n", error.what());
        return gdvar::app::io_error;
    }
}
