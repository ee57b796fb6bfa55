#include "gdvar/json/json.hpp"
#include "command.hpp"
#include "input/files.hpp"
#include "output/print_each.hpp"

namespace gdvar::app::commands::json {
namespace {

struct Options : InputOptions, OutputOptions, FilesOptions {
    std::string path;
    int indent = -1;
    bool plain = false, lines = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading_files(arguments, options, options, options);
    add_dialect(arguments, options.dialect);
    add_path(arguments, options.path);
    arguments.flag("--plain", options.plain, "plain JSON; losses are reported on stderr");
    arguments.flag("--lines", options.lines, "one record per line");
    arguments.option("--indent", options.indent, "spaces per level; default: 2");
}

/// The text around the value for several files, and around settings.
std::pair<std::string, std::string> around(const Options& options, const Input& input,
                                           const Item& item) {
    const bool setting = input.kind() == InputKind::project;
    std::string before = setting ? "{" + json_string(setting_name(item.key)) + ":" : "";
    std::string behind = setting ? "}" : "";
    if (options.several) {
        const std::string record =
            input.is_numbered() ? ",\"record\":" + std::to_string(item.number) : "";
        before.insert(0, "{\"file\":" + json_string(input.name()) + record + ",\"value\":");
        behind += "}";
    }
    return {before, behind};
}

int print_file(const Options& options, Output& out) {
    LossReport losses(options.verbose);
    const JsonOptions style{options.lines ? 0 : options.indent < 0 ? 2 : options.indent};
    const TextPieces pieces = [&](std::string_view piece) { out.text(piece); };
    const int exit = print_each(
        options, options.path, out, [&](const Input& input, const Item& item, const View& view) {
            losses.at(input.name(), item.label + "$");
            const auto [before, behind] = around(options, input, item);
            out.text(before);
            auto done = options.plain ? print_plain_json(view, style, pieces, &losses.losses)
                                      : print_json(view, style, pieces);
            if (done)
                out.text(behind);
            return done;
        });
    out.flush();
    losses.say_all();
    return exit;
}

int run(Options& options) {
    return print_files<Options>(options, print_file);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "json",
         .does = "prints typed JSON, which loses nothing; --plain for other tools",
         .examples = "gdvar json game.save\n"
                     "gdvar json --plain --lines game.save"},
        declare, run);
}

}  // namespace gdvar::app::commands::json
