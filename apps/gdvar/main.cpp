// The gdvar command: arguments only. What the commands do is in the files beside this one.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>

#include "command.hpp"
#include "gdvar/version.hpp"
#include "generating.hpp"

namespace {

using gdvar::app::Options;
using gdvar::app::Rewrites;

struct Command {
    const char* name;
    const char* does;
    int (*run)(const Options&);
    const char* examples;  ///< one a line; tests/apps/examples_test.py runs them
    Rewrites rewrites = Rewrites::none;
};

constexpr Command commands[] = {
    {"show", "prints the values as a tree, with types and sizes", gdvar::app::show,
     "gdvar game.save\n"
     "gdvar show --depth 2 game.save\n"
     "gdvar show --password-file pass.txt secret.save"},
    {"text", "prints the values as the engine's var_to_str does; --full loses nothing",
     gdvar::app::text,
     "gdvar text game.save\n"
     "gdvar text --full --indent 2 game.save -o game.txt\n"
     "echo 040000000300000041646100 | gdvar text --as hex"},
    {"json", "prints typed JSON, which loses nothing; --plain for other tools", gdvar::app::json,
     "gdvar json game.save\n"
     "gdvar json --plain --lines game.save"},
    {"annotate", "lists every byte: offset, bytes, path, type, value", gdvar::app::annotate_command,
     "gdvar annotate game.save\n"
     "gdvar annotate --as records --dialect godot3 old.save"},
    {"check", "says whether a file is sound, which dialects fit, what each engine would do with it",
     gdvar::app::check, "gdvar check game.save"},
    {"convert", "rewrites values from one dialect to another", gdvar::app::convert_command,
     "gdvar convert --to godot4 old.save -o new.save\n"
     "gdvar convert --from godot4 --to godot3 --lossy game.save -o for3.save\n"
     "gdvar convert --to godot4 --container gdec-4 --password-file pass.txt old.save -o new.save",
     Rewrites::to_output},
    {"get", "prints the values at a path", gdvar::app::get_command,
     "gdvar get game.save '#0 $.players[3].hp'\n"
     "gdvar get --paths game.save '#0 $.players[*].pos.x'\n"
     "gdvar get --plain game.save '#0 $.players[0]'"},
    {"set", "changes the value at a path; every other byte stays", gdvar::app::set_command,
     "gdvar set game.save '#0 $.players[3].hp' 9999 --backup game.old\n"
     "gdvar set game.save '#0 $.players[3].pos' 'Vector3(1, 2, 3)'\n"
     "gdvar set --password-file pass.txt secret.save '#0 $.players[0].name' '\"Ada\"'",
     Rewrites::in_place},
    {"del", "removes the pair or element at a path", gdvar::app::del_command,
     "gdvar del game.save '#0 $.players[-1]'\n"
     "gdvar del game.save '#0 $.players[0].inventory' -o less.save",
     Rewrites::in_place},
    {"diff", "lists what differs between two files, by path; exit code 4", gdvar::app::diff_command,
     "gdvar diff game.save other.save\n"
     "gdvar diff --patch game.save other.save -o changes.patch"},
    {"patch", "makes the changes that diff --patch wrote", gdvar::app::patch_command,
     "gdvar patch game.save to-other.patch --backup game.old", Rewrites::in_place},
    {"stats", "says what takes the space, by type and by path", gdvar::app::stats_command,
     "gdvar stats game.save\n"
     "gdvar stats --json --password-file pass.txt secret.save"},
    {"pack", "writes text or JSON as a packet, records or a container", gdvar::app::pack_command,
     "echo '{\"hp\": 7}' | gdvar pack --output hex\n"
     "gdvar pack --frame records values.txt --container gcpf-zstd -o packed.save\n"
     "gdvar pack --input json --plain --dialect godot3 settings.json -o settings.bin"},
    {"wrap", "puts any bytes into a container (GCPF, GDEC)", gdvar::app::wrap_command,
     "gdvar wrap --container gcpf-deflate settings.json -o settings.gcpf\n"
     "gdvar wrap --container gdec-4 --password-file pass.txt settings.json -o settings.gdec"},
    {"unwrap", "takes the bytes out of a container", gdvar::app::unwrap_command,
     "gdvar unwrap --password-file pass.txt secret.save -o records.bin\n"
     "gdvar unwrap --raw gzip buffer.gz"},
    {"dialects", "lists the dialects; with a name, the types of that one",
     gdvar::app::dialects_command,
     "gdvar dialects\n"
     "gdvar dialects godot3"},
    {"listen", "takes connections and prints the packets that arrive", gdvar::app::listen_command,
     "gdvar listen tcp://127.0.0.1:4000\n"
     "gdvar listen ws://127.0.0.1:4001 --form json --record game.rec\n"
     "gdvar listen debugger://127.0.0.1:6007 --dialect godot4"},
    {"send", "sends values and prints the answers", gdvar::app::send_command,
     "gdvar send tcp://127.0.0.1:4000 '{\"say\": \"hello\"}' '[1, Vector2(2, 3)]'\n"
     "gdvar send udp://127.0.0.1:4000 --dialect godot3 --from packets.bin --wait 3"},
    {"proxy", "stands between a game and its server and prints both directions",
     gdvar::app::proxy_command,
     "gdvar proxy tcp://127.0.0.1:4000 tcp://127.0.0.1:4001 --record game.rec\n"
     "gdvar proxy debugger://127.0.0.1:6008 debugger://127.0.0.1:6007"},
    {"replay", "plays a recording of listen or proxy", gdvar::app::replay_command,
     "gdvar replay game.rec tcp://127.0.0.1:4000\n"
     "gdvar replay game.rec tcp://127.0.0.1:4000 --speed 0 --direction to_client"},
};

std::string footer_of(const Command& command) {
    std::string out = "Examples:\n  ";
    for (const char* c = command.examples; *c; ++c)
        out += *c == '\n' ? std::string("\n  ") : std::string(1, *c);
    return out;
}

/// As CLI::IsMember, and suggests a similar name.
CLI::Validator one_of(const std::vector<std::string>& names) {
    const std::string all = "{" + CLI::detail::join(names) + "}";
    return CLI::Validator(
        [names, all](std::string& word) {
            if (std::find(names.begin(), names.end(), word) != names.end())
                return std::string();
            return word + " not in " + all +
                   gdvar::app::did_you_mean(word, {names.begin(), names.end()});
        },
        all);
}

void add_input(CLI::App& sub, Options& o) {
    sub.add_option("FILE", o.file, "the input; - is standard input")->capture_default_str();
    sub.add_option("--as", o.as, "what the input is")
        ->check(one_of({"auto", "packet", "records", "records-be", "hex", "base64", "project"}));
    sub.add_option("--skip", o.skip, "bytes before the first record");
    sub.add_flag("--objects", o.objects, "accept objects in full, as data");
    sub.add_flag("--strict", o.strict, "refuse what no engine would write");
    sub.add_option("--real-width", o.real_width, "bytes of a Float field in the page-* dialects")
        ->check(CLI::IsMember({4, 8}));
    sub.add_flag("-v,--verbose", o.verbose,
                 "say on stderr how the input was read, and every message of many");
}

void add_secrets(CLI::App& sub, Options& o) {
    sub.add_option("--password-file", o.password_file,
                   "its first line is the password of an encrypted save; or GDVAR_PASSWORD");
    sub.add_option("--key-file", o.key_file, "32 bytes or 64 hex digits; or GDVAR_KEY");
    sub.add_option("--max-bytes", o.max_bytes,
                   "bytes that a pipe, device or container may hold; 1 GiB, and 256 MiB\n"
                   "for one packet or record out of a container")
        ->transform(CLI::AsSizeValue(false));
}

void add_form(CLI::App& sub, Options& o) {
    sub.add_option("--output", o.output_form, "binary, hex, base64")
        ->check(one_of({"binary", "hex", "base64"}));
    sub.add_option("--backup", o.backup, "keep the file that is replaced under this name");
}

void add_family(CLI::App& sub, Options& o) {
    sub.add_option("--family", o.family, "whose text: 3.2, 3.6, 4, pandemonium")
        ->check(one_of({"3.2", "3.6", "4", "pandemonium"}));
}

void add_container(CLI::App& sub, Options& o, bool keep) {
    std::vector<std::string> names = {"none",      "gcpf-fastlz", "gcpf-deflate", "gcpf-zstd",
                                      "gcpf-gzip", "gdec-3",      "gdec-4"};
    if (keep)
        names.push_back("keep");
    auto* option = sub.add_option("--container", o.container, "what the result is wrapped in")
                       ->check(one_of(names));
    if (!keep)
        option->required();
}

void add_frame(CLI::App& sub, Options& o, const char* what) {
    sub.add_option("--frame", o.frame, what)->check(one_of({"packet", "records", "records-be"}));
}

void add_output(CLI::App& sub, Options& o) {
    sub.add_option("-o", o.output_file, "write to this file, atomically");
    sub.add_flag("--force", o.force, "let -o replace a file that is read");
    sub.add_option("--color", o.color, "auto, always, never")
        ->check(one_of({"auto", "always", "never"}));
}

constexpr const char* url_help =
    "tcp://HOST:PORT, tls://, udp://, ws://HOST:PORT/PATH, wss://, enet://, unix:PATH, debugger://";

/// No NaN, nothing negative, nothing that a timer can't be set for.
const CLI::Validator seconds(
    [](std::string& text) {
        double value = -1;
        const bool good = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1e9;
        return good ? std::string() : "not a number from 0 to 1e9: " + text;
    },
    "", "seconds");

/// What all commands with live connections have.
void add_live(CLI::App& sub, Options& o, const std::string& name) {
    sub.add_option("--form", o.form,
                   "text (our own form, nothing lost), json, plain, annotate, none")
        ->check(one_of({"text", "json", "plain", "annotate", "none"}));
    sub.add_option("--protocol", o.protocol, "what the packets are")
        ->check(one_of({"packets", "debugger", "multiplayer-4", "multiplayer-3", "raw"}));
    sub.add_option("--dialect", o.dialect, "a dialect's name, or auto")
        ->type_name(gdvar::app::dialect_or_auto);
    sub.add_option("--record", o.record_file, "a new file of records for what goes by");
    sub.add_option("--pcap", o.pcap_file, "a new pcap file of it");
    sub.add_option("--count", o.count, "end after so many packets");
    sub.add_option("--time", o.seconds, "end after so many seconds")->check(seconds);
    sub.add_option("--max-packet", o.max_packet, "bytes of the largest packet that is taken")
        ->transform(CLI::AsSizeValue(false));
    sub.add_flag("--big-endian", o.big_endian, "lengths on streams: StreamPeer.big_endian");
    sub.add_option("--subprotocol", o.protocols, "WebSocket subprotocols");
    sub.add_flag("--range-coder", o.range_coder, "ENet packets are compressed so");
    sub.add_option("--certificate", o.certificate_file,
                   "PEM: what this side shows; servers need it");
    sub.add_option("--tls-key", o.tls_key_file, "PEM: its key");
    sub.add_option("--authority", o.authority_file, "PEM: whom a client believes");
    sub.add_flag("--insecure", o.insecure, "believe any server");
    sub.add_flag("-q,--quiet", o.quiet, "say nothing of connections that come and go");
    if (name == "listen")
        sub.add_option("--answer", o.answer, "none, or echo: every packet back")
            ->check(one_of({"none", "echo"}));
    if (name == "send" || name == "replay") {
        sub.add_option("--wait", o.wait_seconds, "seconds without an answer, then it ends; 1")
            ->check(seconds);
        sub.add_option("--connect-data", o.connect_data,
                       "ENet: the number that the server is told");
    }
}

void add_live_command(CLI::App& sub, Options& o, const std::string& name) {
    if (name == "replay") {
        add_secrets(sub, o);
        sub.add_option("FILE", o.file, "a recording")->required();
        sub.add_option("--speed", o.speed, "times as fast as it was; 0: without pauses")
            ->check(seconds);
        sub.add_option("--direction", o.direction,
                       "which packets are sent: to_server, or to_client")
            ->check(one_of({"to_server", "to_client"}));
    }
    sub.add_option("URL", o.url, url_help)->required();
    if (name == "listen" || name == "proxy")
        sub.add_option("--origin", o.origins, "WebSocket: web pages that may connect; none: all");
    if (name == "proxy")
        sub.add_option("TARGET", o.target_url, "where the connections go on to")->required();
    if (name == "send") {
        sub.add_option("VALUES", o.values, "values, as text or JSON");
        sub.add_option("--input", o.input, "what VALUES are: text or json")
            ->check(one_of({"text", "json"}));
        sub.add_flag("--plain", o.plain, "with json: any JSON, not the typed kind");
        sub.add_flag("--full", o.full, "with text: our own form");
        sub.add_flag("--objects", o.objects, "send objects in full");
        sub.add_option("--from", o.values_file, "a file of packets or records, sent after VALUES");
        sub.add_option("--as", o.as, "what that file is")
            ->check(one_of({"auto", "packet", "records", "records-be", "hex", "base64"}));
        sub.add_option("--channel", o.channel, "ENet: the channel")->check(CLI::Range(0, 254));
        sub.add_flag("--unreliable", o.unreliable, "ENet: may be lost");
    }
    add_live(sub, o, name);
}

void add_command(CLI::App& app, const Command& command, Options& o) {
    CLI::App& sub = *app.add_subcommand(command.name, command.does);
    sub.footer(footer_of(command));
    const std::string name = command.name;
    if (name == "listen" || name == "send" || name == "proxy" || name == "replay")
        return add_live_command(sub, o, name);
    add_output(sub, o);
    if (name == "dialects") {
        sub.add_option("NAME", o.file, "one dialect");
        return;
    }
    add_secrets(sub, o);
    if (name == "pack" || name == "wrap" || name == "unwrap") {
        sub.add_option("FILE", o.file, "the input; - is standard input")->capture_default_str();
        add_form(sub, o);
        if (name == "wrap")
            add_container(sub, o, false);
        if (name == "unwrap") {
            sub.add_option("--skip", o.skip, "bytes before the container");
            sub.add_option("--raw", o.raw_mode,
                           "a buffer of PackedByteArray.compress(), in this mode")
                ->check(one_of({"fastlz", "deflate", "zstd", "gzip", "brotli"}));
            sub.add_option("--size", o.raw_size, "with --raw: the most bytes that come out");
        }
        if (name == "pack") {
            sub.add_option("--input", o.input, "text or json")->check(one_of({"text", "json"}));
            sub.add_flag("--plain", o.plain, "with json: any JSON, not the typed kind");
            sub.add_flag("--full", o.full, "with text: our own form, as text --full prints it");
            sub.add_option("--dialect", o.dialect, "to write; godot-4.4 if left out")
                ->type_name(gdvar::app::dialect_or_auto);
            sub.add_option("--like", o.like, "a save whose dialect, frame and container to take");
            add_family(sub, o);
            sub.add_flag("--objects", o.objects, "write objects in full");
            sub.add_flag("-v,--verbose", o.verbose, "say on stderr all that is dropped or changed");
            add_frame(sub, o, "packet (one value), records or records-be");
            add_container(sub, o, true);
        }
        return;
    }
    add_input(sub, o);
    if (name == "get" || name == "set" || name == "del") {
        sub.get_option("FILE")->required();
        sub.add_option("PATH", o.path,
                       name == "get"
                           ? "where: '$.players[3].hp', '#2 $.odd[\"key\"]', '$.players[*].hp'"
                           : "where: '$.players[3].hp', '#2 $.odd[\"key\"]'")
            ->required();
    }
    if (name == "set") {
        sub.add_option("VALUE", o.value, "the new value, as text or JSON")->required();
        sub.add_flag("--create", o.create, "add what is not there");
        sub.add_option("--type", o.type,
                       "the type that the value is to have, where it is another one: int, Vector3");
        sub.add_option("--input", o.input, "what VALUE is: text or json")
            ->check(one_of({"text", "json"}));
        sub.add_flag("--plain", o.plain, "with json: any JSON, not the typed kind");
        sub.add_flag("--full", o.full, "with text: our own form");
    }
    if (name == "set" || name == "del" || name == "patch") {
        add_form(sub, o);
        add_frame(sub, o, "packet, records, records-be; the input's own if left out");
        add_container(sub, o, true);
    }
    if (name == "get") {
        sub.add_flag("--json", o.typed_json, "as typed JSON");
        sub.add_flag("--plain", o.plain, "as plain JSON");
        sub.add_flag("--full", o.full, "as text in our own form");
        sub.add_flag("--paths", o.lines, "each with its path before it");
    }
    if (name == "diff" || name == "patch") {
        sub.get_option("FILE")->required();
        sub.add_option(name == "diff" ? "OTHER" : "PATCH", o.value,
                       name == "diff" ? "the file to compare with" : "what diff --patch wrote")
            ->required();
        if (name == "diff") {
            auto* patch = sub.add_flag("--patch", o.patch, "as a patch, for gdvar patch");
            sub.add_flag("--bytes", o.bytes, "also equal values whose bytes differ")
                ->excludes(patch);  // a patch holds values, not bytes
            sub.add_flag("--full", o.full, "values and paths whole; patches of any length");
        }
    }
    if (name == "stats") {
        sub.add_option("--top", o.top, "rows of each table; 20 if left out");
        sub.add_flag("--json", o.typed_json, "as plain JSON, all rows");
    }
    sub.add_option(name == "convert" ? "--from,--dialect" : "--dialect", o.dialect,
                   "a dialect's name, or auto")
        ->type_name(gdvar::app::dialect_or_auto);
    if (name == "show" || name == "text" || name == "json")
        sub.add_option("--path", o.path, "only the value there: $.players[3].pos, '#0 $.players'");
    if (name == "show")
        sub.add_option("--depth", o.depth, "levels to show");
    if (name == "show" || name == "annotate")
        sub.add_flag("--full", o.full, "nothing shortened: long paths, deep indentation");
    if (name == "text") {
        sub.add_flag("--full", o.full, "our own form: wire order, every digit, nothing lost");
        add_family(sub, o);
        sub.add_option("--indent", o.indent, "with --full: spaces a level");
    }
    if (name == "json") {
        sub.add_flag("--plain", o.plain, "plain JSON; what it loses is said on stderr");
        sub.add_flag("--lines", o.lines, "one record a line");
        sub.add_option("--indent", o.indent, "spaces a level; 2 by default");
    }
    if (name == "convert") {
        sub.add_option("--to", o.to_dialect, "the target dialect")
            ->required()
            ->type_name(gdvar::app::dialect_value);
        sub.add_flag("--lossy", o.lossy, "substitute what the target can't express");
        auto* file = sub.add_option("--renames", o.renames_file,
                                    "a file of names of classes and properties that changed");
        sub.add_flag("--no-renames", o.no_renames, "leave the names of classes and properties")
            ->excludes(file);
        add_frame(sub, o, "packet, records, records-be; the input's own if left out");
        add_form(sub, o);
        add_container(sub, o, true);
    }
}

bool is_command(const char* word) {
    for (const Command& command : commands)
        if (std::strcmp(word, command.name) == 0)
            return true;
    return false;
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
                out = gdvar::app::did_you_mean(word.substr(0, word.find('=')), names);
    }
    return out;
}

/// The hint for a first word that is neither a file nor a command.
std::optional<std::string> meant_command(const std::string& word) {
    if (word == "-" || word.find_first_of("./") != word.npos || ::access(word.c_str(), F_OK) == 0)
        return std::nullopt;
    std::vector<std::string_view> names;
    for (const Command& command : commands)
        names.emplace_back(command.name);
    const std::string meant = gdvar::app::did_you_mean(word, names);
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
    Options options;
    for (const Command& command : commands)
        add_command(app, command, options);

    std::vector<std::string> words(argv + 1, argv + argc);
    take_help(words);
    // For the build, which installs them: gdvar --generate man|bash|zsh|fish
    if (words.size() == 2 && words[0] == "--generate") {
        for (const char* what : {"man", "bash", "zsh", "fish"})
            if (words[1] == what) {
                std::fputs(gdvar::app::generated(app, words[1]).c_str(), stdout);
                return gdvar::app::fine;
            }
        return gdvar::app::usage;
    }
    if (words.empty()) {
        gdvar::app::say("gdvar: no command and no file; gdvar --help lists the commands");
        return gdvar::app::usage;
    }
    const bool bare =
        !is_command(words[0].c_str()) && (words[0] == "-" || !words[0].starts_with('-'));
    if (bare) {
        if (const auto meant = meant_command(words[0])) {
            gdvar::app::say("gdvar: no file and no command is called '" + words[0] + "'" + *meant);
            return gdvar::app::usage;
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
            return std::fflush(stdout) == 0 && !std::ferror(stdout) ? gdvar::app::fine
                                                                    : gdvar::app::io_error;
        }
        gdvar::app::say(std::string("gdvar: ") + error.what() + meant_options(app));
        gdvar::app::say("Run with --help for more information.");
        return gdvar::app::usage;
    }
    for (const Command& command : commands)
        if (app.got_subcommand(command.name)) {
            options.value_is_file = app.got_subcommand("diff") || app.got_subcommand("patch");
            if (int exit = gdvar::app::settle_output(options, command.rewrites))
                return exit;
            return command.run(options);
        }
    gdvar::app::say("gdvar: no command; gdvar --help lists the commands");
    return gdvar::app::usage;
}

}  // namespace

namespace {

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

int main(int argc, char** argv) {
    if (!hold_standard_files())
        return gdvar::app::io_error;
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("gdvar: error[no_memory]: out of memory\n", stderr);
        return gdvar::app::refused;
    }
}
