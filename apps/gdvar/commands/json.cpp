#include "gdvar/json/json.hpp"
#include "command.hpp"
#include "output/loss_report.hpp"
#include "output/print_each.hpp"

namespace gdvar::app {
namespace {

struct Options : InputOptions, OutputOptions {
    std::string path;
    int indent = -1;
    bool plain = false, lines = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options);
    add_dialect(arguments, options.dialect);
    add_path(arguments, options.path);
    arguments.flag("--plain", options.plain, "plain JSON; what it loses is said on stderr");
    arguments.flag("--lines", options.lines, "one record a line");
    arguments.option("--indent", options.indent, "spaces a level; 2 by default");
}

int run(Options& options) {
    LossReport losses(options.verbose);
    const JsonOptions style{options.lines ? 0 : options.indent < 0 ? 2 : options.indent};
    const int exit = print_each(
        options, options, options.path,
        [&](const Input& input, const Item& item, const View& view, Output& out) {
            losses.at(input, item.label + "$");
            const bool setting = input.kind() == InputKind::project;
            if (setting)
                out.text("{" + json_string(setting_of(item)) + ":");
            const TextPieces pieces = [&](std::string_view piece) { out.text(piece); };
            auto done = options.plain ? print_plain_json(view, style, pieces, &losses.losses)
                                      : print_json(view, style, pieces);
            if (setting && done)
                out.text("}");
            return done;
        });
    losses.say_all();
    return exit;
}

}  // namespace

Command json_command() {
    return make_command<Options>(
        {.name = "json",
         .does = "prints typed JSON, which loses nothing; --plain for other tools",
         .examples = "gdvar json game.save\n"
                     "gdvar json --plain --lines game.save"},
        declare, run);
}

}  // namespace gdvar::app
