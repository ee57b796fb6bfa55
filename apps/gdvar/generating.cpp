// The man page and the completions, from the table of commands and options that also parses the
// command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "arguments.hpp"
#include "command_line.hpp"
#include "gdvar/version.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) {
        return option->nonpositional() || !option->get_positional();
    });
}
std::vector<const CLI::Option*> operand_options(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}
bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

/// The option's possible words, if known: those in braces behind its value's name, the dialects, or
/// the types.
std::vector<std::string> values_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    std::vector<std::string> out;
    if (type == dialect_value || type == dialect_or_auto)
        out = dialect_names();
    if (type == dialect_or_auto)
        out.emplace_back("auto");
    if (type == type_value)
        for (const std::string_view name : type_names())
            out.emplace_back(name);
    const std::size_t from = type.find('{'), to = type.find('}');
    if (from == type.npos || to == type.npos)
        return out;
    std::istringstream words(type.substr(from + 1, to - from - 1));
    for (std::string word; std::getline(words, word, ',');)
        out.push_back(word);
    return out;
}

/// The possible words of the positional arguments, if known.
std::vector<std::string> operands_of(const CLI::App& command) {
    std::vector<std::string> out;
    for (const CLI::Option* option : operand_options(command))
        for (std::string& word : values_of(*option))
            out.push_back(std::move(word));
    return out;
}

std::vector<std::string> flags_of(const CLI::Option& option) {
    std::vector<std::string> out;
    for (const std::string& name : option.get_snames())
        out.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        out.push_back("--" + name);
    return out;
}
std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : between) + word;
    return out;
}
std::string positionals(const CLI::App& command) {
    std::string out;
    for (const CLI::Option* option : operand_options(command)) {
        const bool several = option->get_items_expected_max() > 1;
        const std::string name = option->get_single_name() + (several ? "..." : "");
        out += option->get_required() ? " " + name : " [" + name + "]";
    }
    return out;
}

/// The lines below "Examples:" in the help.
std::vector<std::string> examples_of(const CLI::App& command) {
    std::vector<std::string> out;
    std::istringstream lines(command.get_footer());
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  "))
            out.push_back(line.substr(2));
    return out;
}

std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string man_page(const CLI::App& app) {
    std::string out =
        ".TH GDVAR 1 \"\" \"gdvar " + std::string(version_string) + "\"\n.SH NAME\ngdvar \\- " +
        roff("read, change and convert Godot's Variant bytes") +
        "\n.SH SYNOPSIS\n.B gdvar\n.I COMMAND\n[options] [FILE]\n.br\n.B gdvar\n.I FILE\n" +
        ".SH DESCRIPTION\n" + roff(app.get_description()) + " " +
        roff("A bare file means show; - is standard input.") + "\n.SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
        out += ".SS gdvar " + roff(command->get_name() + positionals(*command)) + "\n" +
               roff(command->get_description()) + ".\n";
        for (const CLI::Option* option : shown_options(*command)) {
            const auto flags = flags_of(*option);
            if (flags.empty())
                continue;
            out += ".TP\n.B " + roff(joined(flags, ", ")) +
                   (takes_value(*option) ? " \\fI" + roff(option->get_type_name()) + "\\fR" : "") +
                   "\n" + roff(option->get_description()) + "\n";
        }
        out += ".PP\nExamples:\n.PP\n.nf\n";
        for (const std::string& example : examples_of(*command))
            out += roff(example) + "\n";
        out += ".fi\n";
    }
    return out +
           ".SH ENVIRONMENT\n.TP\n.B GDVAR_PASSWORD, GDVAR_KEY\nThe password, or the key (64 hex "
           "digits), of an encrypted save.\n"
           ".TP\n.B NO_COLOR\nNo colour on a terminal.\n"
           ".SH EXIT STATUS\n0 fine, 1 data refused, 2 usage, 3 input or output, 4 differences.\n";
}

std::string names(const std::vector<const CLI::App*>& commands) {
    std::vector<std::string> out;
    out.reserve(commands.size());
    for (const CLI::App* command : commands)
        out.push_back(command->get_name());
    return joined(out, " ");
}

/// One branch of the `case` on the command: its options, the words that may follow the option
/// before the word, and words in the place of other commands' file.
std::string bash_branch(const std::string& name, const std::vector<const CLI::Option*>& options,
                        const std::vector<std::string>& operands = {}) {
    std::vector<std::string> all;
    std::string values;
    for (const CLI::Option* option : options) {
        const auto flags = flags_of(*option);
        all.insert(all.end(), flags.begin(), flags.end());
        if (const auto words = values_of(*option); !words.empty())
            values +=
                "        " + joined(flags, "|") + ") values=\"" + joined(words, " ") + "\" ;;\n";
    }
    if (!values.empty())
        values = "        case $before in\n" + values + "        esac\n";
    if (!operands.empty())
        values += "        operands=\"" + joined(operands, " ") + "\"\n";
    return "    " + name + ")\n" + values + "        options=\"" + joined(all, " ") + "\" ;;\n";
}

std::string bash(const CLI::App& app) {
    std::vector<const CLI::Option*> known;  // one for each name
    std::vector<std::string> valued;
    std::string branches, bare;
    for (const CLI::App* command : commands_of(app)) {
        const auto options = shown_options(*command);
        branches += bash_branch(command->get_name(), options, operands_of(*command));
        if (command->get_name() == "show")  // gdvar FILE is gdvar show FILE
            bare = bash_branch("*", options);
        for (const CLI::Option* option : options) {
            const auto flags = flags_of(*option);
            if (std::ranges::any_of(known, [&](const CLI::Option* k) {
                    return flags_of(*k).back() == flags.back();
                }))
                continue;
            known.push_back(option);
            if (takes_value(*option))
                valued.insert(valued.end(), flags.begin(), flags.end());
        }
    }
    return R"(# bash completion for gdvar, generated from its table of commands

# The lines of standard input, one completion each.
_gdvar_reply() {
    local line
    while IFS= read -r line; do COMPREPLY+=("$line"); done
}

# Files that begin with the word as it was typed: with a quote before it, or backslashes in it. Their
# names may hold line feeds, which in the lines of `compgen -f` look like the end of a name.
_gdvar_files() {
    local word=$1 name
    case $word in
    \~*) _gdvar_reply < <(compgen -f -- "${word//\\/}"); return ;;
    \"*|\'*) word=${word:1} ;;
    *) word=${word//\\/} ;;
    esac
    while IFS= read -r -d '' name; do COMPREPLY+=("$name"); done < <(
        shopt -s nullglob dotglob
        shopt -u failglob
        set +f
        unset GLOBIGNORE
        case $(bind -v 2>/dev/null) in *'completion-ignore-case on'*) shopt -s nocaseglob ;; esac
        for name in "$word"*; do printf '%s\0' "$name"; done
    )
}

_gdvar() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local prefix= command= options= values= operands= ended= i
    COMPREPLY=()
    # --as=records comes as three words, or as one where COMP_WORDBREAKS has no "=".
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $word == --*=* ]]; then
        prefix=${word%%=*}= before=${word%%=*} word=${word#*=}
    fi
    # The command: the first word that is neither an option nor an option's value. Behind -- there
    # are no options.
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [ -n "$ended" ]; then
            command=${command:-${COMP_WORDS[i]}}
            continue
        fi
        case ${COMP_WORDS[i]} in
        =) ((i++)) ;;
        --) ended=yes ;;
        )" +
           joined(valued, "|") +
           R"()
            [ "${COMP_WORDS[i+1]}" = = ] || ((i++)) ;;
        -*) ;;
        *) command=${command:-${COMP_WORDS[i]}} ;;
        esac
    done
    if [ -n "$ended" ]; then
        prefix= before= word=${COMP_WORDS[COMP_CWORD]}
    fi
    case $command in
)" + branches +
           bash_branch("''", known) + bare + R"(    esac
    if [ -n "$values" ]; then
        compopt +o filenames +o default 2>/dev/null
        _gdvar_reply < <(compgen -P "$prefix" -W "$values" -- "$word")
        return
    fi
    case $ended$word in
    -*)
        compopt +o default 2>/dev/null
        _gdvar_reply < <(compgen -W "$options" -- "$word") ;;
    *)
        if [ -z "$command" ]; then
            _gdvar_reply < <(compgen -W ")" +
           names(commands_of(app)) + R"(" -- "$word")
        fi
        if [ -n "$operands" ]; then
            compopt +o filenames +o default 2>/dev/null
            _gdvar_reply < <(compgen -W "$operands" -- "$word")
        else
            _gdvar_files "$word"
        fi ;;
    esac
}
complete -o filenames -o default -F _gdvar gdvar
)";
}

/// For zsh and fish, within single quotes.
std::string quoted(std::string text, const std::string& quote) {
    for (std::size_t at = 0; (at = text.find('\'', at)) != text.npos; at += quote.size())
        text.replace(at, 1, quote);
    return text;
}

std::string zsh_value(const CLI::Option& option) {
    if (!takes_value(option))
        return {};
    const auto values = values_of(option);
    return ":value:" + (values.empty() ? "_files" : "(" + joined(values, " ") + ")");
}

std::string zsh(const CLI::App& app) {
    const auto plain = [](std::string text) {
        for (char& c : text)
            if (c == '[' || c == ']' || c == ':')
                c = ' ';
        return quoted(std::move(text), "'\\''");
    };
    std::string out =
        "#compdef gdvar\n# generated from gdvar's table of commands\n_gdvar() {\n    local -a "
        "commands\n    commands=(\n";
    for (const CLI::App* command : commands_of(app))
        out += "        '" + command->get_name() + ":" + plain(command->get_description()) + "'\n";
    out +=
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        "
        "_files\n        return\n    fi\n    case $words[2] in\n";
    for (const CLI::App* command : commands_of(app)) {
        out += "    " + command->get_name() + ") _arguments";
        for (const CLI::Option* option : shown_options(*command))
            for (const std::string& flag : flags_of(*option))
                out += " '" + flag + "[" + plain(option->get_description()) + "]" +
                       zsh_value(*option) + "'";
        const auto operands = operands_of(*command);
        out += operands.empty() ? " '*:file:_files' ;;\n"
                                : " '1:value:(" + joined(operands, " ") + ")' ;;\n";
    }
    return out + "    esac\n}\n_gdvar \"$@\"\n";
}

std::string fish(const CLI::App& app) {
    std::string out = "# fish completion for gdvar, generated from its table of commands\n";
    for (const CLI::App* command : commands_of(app)) {
        out += "complete -c gdvar -n __fish_use_subcommand -a " + command->get_name() + " -d '" +
               quoted(command->get_description(), "\\'") + "'\n";
        if (const auto operands = operands_of(*command); !operands.empty())
            out += "complete -c gdvar -n '__fish_seen_subcommand_from " + command->get_name() +
                   "' -f -a '" + joined(operands, " ") + "'\n";
        for (const CLI::Option* option : shown_options(*command)) {
            out += "complete -c gdvar -n '__fish_seen_subcommand_from " + command->get_name() + "'";
            for (const std::string& name : option->get_snames())
                out += " -s " + name;
            for (const std::string& name : option->get_lnames())
                out += " -l " + name;
            const auto values = values_of(*option);
            out += values.empty() ? (takes_value(*option) ? " -r" : "")
                                  : " -x -a '" + joined(values, " ") + "'";
            out += std::string(" -d '") + quoted(option->get_description(), "\\'") + "'\n";
        }
    }
    return out;
}

}  // namespace

std::string generated(const CLI::App& app, const std::string& what) {
    if (what == "man")
        return man_page(app);
    if (what == "bash")
        return bash(app);
    return what == "zsh" ? zsh(app) : fish(app);
}

}  // namespace gdvar::app
