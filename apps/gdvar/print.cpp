// text and json.
#include "command.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::app {
namespace {

/// Prints each packet through `print(Document, Item) -> expected<string, Error>`.
template <class Print>
int print_each(const Options& options, Print&& print) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    exit = input->each_value(options.path, [&](const Item& item, const Found& at) -> int {
        auto printed = print(*input, item, at);
        if (!printed) {
            input->complain(item, printed.error(), input->decoding());
            return refused;
        }
        out.text(*printed);
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

TextFamily family_of(const Options& options, const Dialect& dialect) {
    for (const TextFamily family : {TextFamily::godot_3_2, TextFamily::godot_3_6,
                                    TextFamily::godot_4, TextFamily::pandemonium})
        if (family_name(family) == options.family)
            return family;
    return dialect.family;
}

/// What the engine prints is what it has read: keys merged, items that do not fit dropped.
std::expected<std::string, Error> engine_text(const View& view, const Options& options,
                                              TextFamily family) {
    const Engine* engine = engine_of(*view.options().dialect);
    if (!engine || options.real_width == 8)
        return to_text(view, family);
    auto reading = read_as(*engine, view.raw(), options.objects);
    if (!reading)
        return std::unexpected(reading.error());
    if (reading->changes.empty())
        return to_text(view, family);
    auto bytes =
        encode(reading->value, {.dialect = engine->dialect, .allow_objects = options.objects});
    if (!bytes)
        return to_text(view, family);
    auto document = Document::parse(*std::move(bytes),
                                    {.dialect = engine->dialect, .allow_objects = options.objects});
    if (!document)
        return to_text(view, family);
    const Document& read_back = *document;
    return to_text(read_back.root(), family);
}

}  // namespace

int text(const Options& options) {
    return print_each(options, [&](const Input& input, const Item& item, const View& view) {
        const std::string key = input.kind() == InputKind::project
                                    ? item.label.substr(0, item.label.size() - 1) + "="
                                    : std::string();
        auto printed = options.full
                           ? to_text_full(view, options.indent > 0 ? options.indent : 0)
                           : engine_text(view, options, family_of(options, input.dialect()));
        if (printed)
            printed->insert(0, key);
        return printed;
    });
}

int json(const Options& options) {
    return print_each(options, [&](const Input& input, const Item& item, const View& view) {
        const JsonOptions style{options.lines ? 0 : options.indent < 0 ? 2 : options.indent};
        std::vector<std::string> losses;
        auto printed = options.plain ? to_plain_json(view, style, &losses) : to_json(view, style);
        for (const std::string& loss : losses)
            say(input.name() + ": " + item.label + loss);
        if (printed && input.kind() == InputKind::project) {
            const std::string_view key(item.label.data(), item.label.size() - 1);
            auto name = to_json(Variant(key));
            if (!name)
                return name;
            name->erase(1, 2);  // the key is a plain member name, without "s:"
            printed = "{" + *name + ":" + *printed + "}";
        }
        return printed;
    });
}

}  // namespace gdvar::app
