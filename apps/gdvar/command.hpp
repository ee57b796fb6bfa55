// The commands. Each is one file in commands/: its options, its help and its work.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "options/input.hpp"
#include "options/output.hpp"
#include "options/source.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

struct Command {
    const char* name;
    const char* does;
    const char* examples;  ///< one a line; tests/apps/examples_test.py runs them
    /// Declares the options. The result runs the command after they are parsed, and returns its
    /// exit code.
    std::function<std::function<int()>(Arguments&)> declare{};
};

/// The files that a command reads, by its option groups. A member function `other_files` adds more.
template <class Options>
Reads files_read(const Options& options) {
    Reads out;
    if constexpr (std::derived_from<Options, SourceOptions>)
        out = {{options.file}, options.secret_files()};
    if constexpr (requires { options.other_files(); })
        for (const std::string& file : options.other_files())
            out.others.push_back(file);
    return out;
}

/// A command with options of its own type. A member `rewrites` tells what the command does with
/// FILE; without one, it only reads it.
template <class Options>
Command make_command(Command command, void (*declare)(Arguments&, Options&), int (*run)(Options&)) {
    command.declare = [declare, run](Arguments& arguments) {
        const auto options = std::make_shared<Options>();
        declare(arguments, *options);
        return [options, run] {
            // convert has two dialects, and checks them itself.
            if constexpr (
                requires { options->real_width, options->dialect; } &&
                !requires { options->to_dialect; })
                if (const int exit = settle_real_width(options->real_width, {options->dialect}))
                    return exit;
            auto rewrites = Rewrites::none;
            if constexpr (requires { Options::rewrites; })
                rewrites = Options::rewrites;
            // A command of several files settles its output after they are listed.
            if constexpr (std::derived_from<Options, OutputOptions> &&
                          !std::derived_from<Options, FilesOptions>) {
                if (const int exit = settle_output(*options, files_read(*options), rewrites))
                    return exit;
                if constexpr (requires { options->other_files(); })
                    made_of(*options, options->other_files());
            }
            return run(*options);
        };
    };
    return command;
}

// Each has a namespace with a function that makes the command.
#define GDVAR_COMMAND(name)    \
    namespace commands::name { \
    Command command();         \
    }
#include "commands/list.def"
#undef GDVAR_COMMAND

}  // namespace gdvar::app
