#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "base/platform/file.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

bool exists(const std::string& file) {
    return platform::info_of(file).has_value();
}

/// The names of a command's options, with their dashes; true if a value follows.
std::map<std::string, bool, std::less<>> options_of(const CLI::App& command) {
    std::map<std::string, bool, std::less<>> out;
    for (const CLI::Option* option : command.get_options()) {
        const bool value = option->get_items_expected_max() > 0;
        for (const std::string& name : option->get_lnames())
            out["--" + name] = value;
        for (const std::string& name : option->get_snames())
            out["-" + name] = value;
    }
    return out;
}

/// The options of all commands, with their dashes; true if a value follows. An option means the
/// same in each command that has it.
std::map<std::string, bool, std::less<>> all_options(const CLI::App& app) {
    std::map<std::string, bool, std::less<>> out;
    for (const CLI::App* command : commands_of(app))
        out.merge(options_of(*command));
    return out;
}

/// The number of words of an option before the command: itself, and perhaps its value. Nothing if
/// no command has it.
std::optional<std::size_t> words_of(const std::string& word,
                                    const std::map<std::string, bool, std::less<>>& options) {
    if (word.starts_with("--")) {
        const std::size_t equals = word.find('=');
        const auto known = options.find(word.substr(0, equals));
        if (known == options.end())
            return std::nullopt;
        return known->second && equals == word.npos ? 2 : 1;
    }
    // -v, -vo FILE, -oFILE
    for (std::size_t i = 1; i < word.size(); ++i) {
        const auto known = options.find(std::string("-") + word[i]);
        if (known == options.end())
            return std::nullopt;
        if (known->second)
            return i + 1 == word.size() ? 2 : 1;
    }
    return 1;
}

/// Why a word is neither a file nor a command, or nothing.
std::optional<std::string> refused_word(const std::string& word,
                                        const std::vector<std::string_view>& commands) {
    if (word == "-" || word.find_first_of("./") != word.npos || exists(word))
        return std::nullopt;
    const std::string meant = did_you_mean(word, commands);
    return "no file and no command is called '" + word + "'" +
           (meant.empty() ? "; gdvar --help lists the commands" : meant);
}

/// Calls `visit` with each word of a command, up to `--`, except its options and their values.
void each_operand(std::vector<std::string>& words, const CLI::App& command,
                  const std::function<void(std::string&)>& visit) {
    const auto options = options_of(command);
    for (std::size_t i = 1; i < words.size() && words[i] != "--";) {
        const bool dashed = words[i].size() > 1 && words[i].starts_with('-');
        const auto taken = dashed ? words_of(words[i], options) : std::nullopt;
        if (!taken)
            visit(words[i]);
        i += taken.value_or(1);
    }
}

/// Negative numbers that CLI11 takes for options; it knows only digits after a minus.
bool is_negative_number(std::string_view word) {
    return word == "-inf" || word == "-nan" || word == "-inf.0" || word == "-nan.0" ||
           (word.size() > 2 && word.starts_with("-.") && word[2] >= '0' && word[2] <= '9');
}

/// CLI11 splits a value that is an Array, and takes negative numbers for options, unless another
/// character precedes it. Values are parsed without surrounding blanks.
void protect_values(std::vector<std::string>& words, const CLI::App& app) {
    if (words[0] != "send" && words[0] != "set")
        return;
    each_operand(words, *app.get_subcommand(words[0]), [&](std::string& word) {
        if (is_negative_number(word))
            word.insert(0, 1, ' ');
    });
    if (words[0] == "send")
        for (std::string& word : words)
            if (word.starts_with('['))
                word.insert(0, 1, ' ');
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::expected<std::vector<std::string>, std::string> arrange(std::vector<std::string> words,
                                                             const CLI::App& app) {
    if (words.empty())
        return std::unexpected("no command and no file; gdvar --help lists the commands");
    if (words[0] == "help" && words.size() <= 2 && !exists(words[0])) {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "--version")
        return words;
    const auto options = all_options(app);
    std::size_t at = 0;
    while (at < words.size() && words[at].size() > 1 && words[at].starts_with('-')) {
        if (words[at] == "--") {  // after the command it ends the options, too
            ++at;
            break;
        }
        const auto taken = words_of(words[at], options);
        if (!taken) {
            const std::string name = words[at].substr(0, words[at].find('='));
            std::vector<std::string_view> names = {"--version"};
            for (const auto& [known, value] : options)
                names.emplace_back(known);
            return std::unexpected("no command has the option " + name + did_you_mean(name, names));
        }
        at += *taken;
    }
    if (at >= words.size())
        return std::unexpected("no command and no file; gdvar --help lists the commands");
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app))
        names.push_back(command->get_name());
    std::string command = "show";
    if (std::ranges::find(names, words[at]) != names.end()) {
        command = words[at];
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (auto why = refused_word(words[at], {names.begin(), names.end()})) {
        return std::unexpected(*std::move(why));
    }
    words.insert(words.begin(), command);
    protect_values(words, app);
    return words;
}

std::string meant_option(std::vector<std::string> words, const CLI::App& app) {
    std::string stray, out;
    for (const CLI::App* command : app.get_subcommands()) {
        each_operand(words, *command, [&](const std::string& word) {
            if (stray.empty() && word.size() > 1 && word.starts_with('-') &&
                !(word[1] >= '0' && word[1] <= '9'))
                stray = word;
        });
        if (stray.empty())
            continue;
        const auto options = options_of(*command);
        std::vector<std::string_view> names;
        names.reserve(options.size());
        for (const auto& [name, value] : options)
            names.emplace_back(name);
        if (stray.starts_with("--"))
            out = did_you_mean(stray.substr(0, stray.find('=')), names);
    }
    if (stray.empty() || !out.empty())
        return out;
    return "; '" + stray +
           "' is taken for an option: where it is none, write -- before it, and options before "
           "that";
}

}  // namespace gdvar::app
