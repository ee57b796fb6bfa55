#include "gdvar/text/text.hpp"
#include "command.hpp"
#include "gdvar/inspect/engine.hpp"
#include "options/values.hpp"
#include "output/print_each.hpp"

namespace gdvar::app::commands::text {
namespace {

struct Options : InputOptions, OutputOptions {
    std::string path, family;
    int indent = -1;
    bool full = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options);
    add_dialect(arguments, options.dialect);
    add_path(arguments, options.path);
    arguments.flag("--full", options.full,
                   "gdvar's own form: wire order, every digit, nothing lost");
    add_family(arguments, options.family);
    arguments.option("--indent", options.indent, "with --full: spaces per level");
}

const Engine* engine_of(const Dialect& dialect, TextFamily family) {
    const Engine* found = nullptr;
    for (const Engine& engine : all_engines())
        if (engine.dialect == &dialect && (!found || engine.family == family))
            found = &engine;
    return found;
}

/// An engine prints the value that it has read: keys merged, misfitting items dropped.
std::expected<void, Error> print_engine_text(const View& view, const Options& options,
                                             TextFamily family, const TextPieces& to) {
    const Engine* engine = engine_of(*view.options().dialect, family);
    if (!engine || options.real_width == 8)
        return print_text(view, {.family = family}, to);
    const bool objects = view.options().allow_objects;
    const bool kept = keeps_all(*engine, view.raw(), objects);
    if (!kept) {
        const auto reading = read_as(*engine, view.raw(), objects);
        if (!reading)
            return std::unexpected(reading.error());
        if (!reading->changes.empty())
            return print_text(reading->value,
                              {.family = family, .dialect = engine->dialect, .held = true}, to);
    }
    return print_text(view, {.family = family, .held = kept}, to);
}

int run(Options& options) {
    Output out(options);
    const TextPieces pieces = [&](std::string_view piece) { out.text(piece); };
    const int exit = print_each(
        options, options.path, out, [&](const Input& input, const Item& item, const View& view) {
            if (input.kind() == InputKind::project)
                out.text(std::string(setting_name(item.key)) + "=");
            if (options.full)
                return print_text_full(view, pieces, options.indent > 0 ? options.indent : 0);
            return print_engine_text(
                view, options, family_of(options.family, options.dialect, input.dialect()), pieces);
        });
    return out.finish_after(exit);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "text",
         .does = "prints the values as the engine's var_to_str does; --full loses nothing",
         .examples = "gdvar text game.save\n"
                     "gdvar text --full --indent 2 game.save -o game.txt\n"
                     "echo 040000000300000041646100 | gdvar text --as hex"},
        declare, run);
}

}  // namespace gdvar::app::commands::text
