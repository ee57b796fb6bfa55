#include "command.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/text/text.hpp"
#include "input/files.hpp"
#include "input/input.hpp"
#include "output/output.hpp"
#include "output/printable.hpp"

namespace gdvar::app::commands::get {
namespace {

struct Options : InputOptions, OutputOptions, FilesOptions {
    std::string path;
    bool json = false, plain = false, full = false, paths = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading_files(arguments, options, options, options,
                      "input files or folders; the last argument is the PATH:\n"
                      "'$.players[3].hp', '#2 $.odd[\"key\"]', '$.players[*].hp'")
        .required();
    add_dialect(arguments, options.dialect);
    arguments.flag("--json", options.json, "as typed JSON");
    arguments.flag("--plain", options.plain, "as plain JSON");
    arguments.flag("--full", options.full, "as text in gdvar's own form");
    arguments.flag("--paths", options.paths, "each with its path before it");
}

/// A value as `get` prints it.
std::expected<std::string, Error> in_form(const View& value, const Options& options,
                                          const Input& input, const std::string& path,
                                          LossReport& losses) {
    const JsonOptions style{0};
    losses.at(input.name(), path);
    if (options.plain)
        return to_plain_json(value, style, &losses.losses);
    if (options.json)
        return to_json(value, style);
    return options.full ? to_text_full(value) : to_text(value, input.dialect().family);
}

int get_from(const Options& options, Output& out) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    auto place = place_of(options.path, input->has_settings());
    if (!place)
        return usage;
    take_all(*place, *input);
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    LossReport losses(options.verbose);
    const std::string file = options.several ? printable(input->name()) + "\t" : std::string();
    std::size_t seen = 0, found = 0;
    std::optional<std::string> missing;
    PathCutter paths = PathCutter::for_programs(options.full, input->size());
    exit = input->each_document(*place, [&](const Item& item, const View& root, bool broken) {
        int worst = fine;
        ++seen;
        const auto print = [&](const MatchView& match) {
            const bool shown = options.paths || options.plain;
            const std::string path = shown ? item.label + paths(match.path) : std::string();
            const auto printed = in_form(match.value, options, *input, path, losses);
            if (!printed) {
                input->complain(item, printed.error(), input->decoding());
                worst = refused;
                return true;
            }
            out.text(file + (options.paths ? path + "\t" : std::string()));
            out.text(*printed);
            out.text("\n");
            return true;
        };
        const auto matches = lookup_each(root, place->path, print);
        if (matches) {
            found += *matches;
            return worst;
        }
        missing = input->missing(item, root, place->path, matches.error());
        // The path may lead behind the break, or nowhere.
        if (broken)
            input->complain(item, matches.error().code, [&] { return *missing; });
        return worst;
    });
    paths.say_if_cut();
    losses.say_all();
    if (exit != fine || found)
        return exit;
    return no_match(*place, *input, seen, missing);
}

int run(Options& options) {
    if (options.files.size() < 2)
        return give_up(
            usage, "gdvar: PATH is required, behind FILE: gdvar get game.save '$.players[3].hp'");
    options.path = std::move(options.files.back());
    options.files.pop_back();
    // Such a path means the same in every kind of file: it is refused once, before any is read.
    if ((options.path.starts_with('$') || options.path.starts_with('#')) &&
        !place_of(options.path, false))
        return usage;
    return print_files<Options>(options, get_from);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "get",
         .does = "prints the values at a path",
         .examples = "gdvar get game.save '#0 $.players[3].hp'\n"
                     "gdvar get --paths game.save '#0 $.players[*].pos.x'\n"
                     "gdvar get --plain game.save '#0 $.players[0]'"},
        declare, run);
}

}  // namespace gdvar::app::commands::get
