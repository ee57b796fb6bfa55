// text and json.
#include "command.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::app {
namespace {

/// Prints each packet: `print(input, item, view, out) -> expected<void, Error>`.
template <class Print>
int print_each(const Options& options, Print&& print) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    exit = input->each_value(options.path, [&](const Item& item, const Found& at) -> int {
        auto printed = print(*input, item, at, out);
        if (!printed) {
            input->complain(item, printed.error(), input->decoding());
            return refused;
        }
        out.text("\n");
        return fine;
    });
    const int written = out.finish();
    return exit != fine ? exit : written;
}

const Engine* engine_of(const Dialect& dialect) {
    for (const Engine& engine : all_engines())
        if (engine.dialect == &dialect)
            return &engine;
    return nullptr;
}

/// What the engine prints is what it has read: keys merged, items that do not fit dropped.
std::expected<void, Error> print_engine_text(const View& view, const Options& options,
                                             TextFamily family, const TextPieces& to) {
    const Engine* engine = engine_of(*view.options().dialect);
    if (!engine || options.real_width == 8)
        return print_text(view, family, to);
    auto reading = read_as(*engine, view.raw(), options.objects);
    if (!reading)
        return std::unexpected(reading.error());
    if (reading->changes.empty()) {
        reading->value = {};
        return print_text(view, family, to);
    }
    return print_text(reading->value,
                      TextOptions{.family = family, .dialect = engine->dialect, .held = true}, to);
}

/// The name of a setting. The item's label is this name and a colon.
std::string_view setting_of(const Item& item) {
    return std::string_view(item.label).substr(0, item.label.size() - 1);
}

}  // namespace

TextFamily family_of(const Options& options, const Dialect& dialect) {
    for (const TextFamily family : {TextFamily::godot_3_2, TextFamily::godot_3_6,
                                    TextFamily::godot_4, TextFamily::pandemonium})
        if (family_name(family) == options.family)
            return family;
    return dialect.family;
}

int text(const Options& options) {
    return print_each(
        options, [&](const Input& input, const Item& item, const View& view, Output& out) {
            if (input.kind() == InputKind::project)
                out.text(std::string(setting_of(item)) + "=");
            const TextPieces pieces = [&](std::string_view piece) { out.text(piece); };
            if (options.full)
                return print_text_full(view, pieces, options.indent > 0 ? options.indent : 0);
            return print_engine_text(view, options, family_of(options, input.dialect()), pieces);
        });
}

int json(const Options& options) {
    LossReport losses(options);
    const JsonOptions style{options.lines ? 0 : options.indent < 0 ? 2 : options.indent};
    const int exit = print_each(
        options, [&](const Input& input, const Item& item, const View& view, Output& out) {
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

LossReport::LossReport(const Options& options) {
    if (options.verbose)
        losses.each = [this](std::string_view path, std::string_view what) {
            say(name_ + ": " + std::string(path) + ": " + std::string(what));
        };
}

void LossReport::at(const Input& input, std::string prefix) {
    name_ = input.name();
    losses.prefix = std::move(prefix);
}

void LossReport::say_all() const {
    if (losses.each)
        return;
    for (const Losses::Kind& kind : losses.kinds())
        say(name_ + ": " + kind.what + ": " + in_words(kind));
}

}  // namespace gdvar::app
