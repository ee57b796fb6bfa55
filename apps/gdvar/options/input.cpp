#include "options/input.hpp"

#include <algorithm>
#include <vector>

#include "gdvar/file/layer.hpp"
#include "gdvar/file/save_document.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

InputKind InputOptions::kind() const {
    for (const DocumentKind& kind : document_kinds())
        if (input_kind_name(kind.seen_as) == as)
            return kind.seen_as;
    const LayerKind* layer = find_layer_kind(std::string_view(as));
    return layer ? layer->seen_as : InputKind::unknown;
}

SaveOptions InputOptions::finding() const {
    return {.as = kind(),
            .layers = static_cast<std::size_t>(
                std::min<std::uint64_t>(layers.value_or(SIZE_MAX), SIZE_MAX)),
            .values = !no_inside,
            .inside = inside,
            .entries = entries,
            .all_readings = all_readings || verbose,
            .skip = skip,
            .allow_objects = objects,
            .strict = strict,
            .real_width = static_cast<std::uint8_t>(real_width),
            .max_bytes = most_streamed(),
            .max_held = most_held(true),
            .max_text = most_text()};
}

SaveOptions InputOptions::in_memory() const {
    SaveOptions out = finding();
    out.max_bytes = out.max_held;
    return out;
}

void add_input(Arguments& arguments, InputOptions& options) {
    add_as(arguments, options, "what the input is");
    add_layers(arguments, options);
    arguments.option("--skip", options.skip, "bytes before the first record");
    arguments.flag("--objects", options.objects, "accept objects in full, as data");
    arguments.flag("--strict", options.strict, "refuse what no engine would write");
    add_real_width(arguments, options.real_width);
    arguments.flag("-v,--verbose", options.verbose,
                   "report on stderr how the input was read, and print every message");
}

Argument add_reading(Arguments& arguments, InputOptions& options, OutputOptions& output) {
    add_output(arguments, output);
    add_source(arguments, options);
    const Argument file = add_file(arguments, options);
    add_input(arguments, options);
    return file;
}

Argument add_reading_files(Arguments& arguments, InputOptions& options, OutputOptions& output,
                           FilesOptions& files, const char* what) {
    add_output(arguments, output);
    add_source(arguments, options);
    const Argument file = arguments.option("FILE", files.files, what);
    arguments.flag("-r,--recursive", files.recursive,
                   "of a folder, also the files in the folders below it");
    arguments.option("-j,--jobs", files.jobs, "files read at once; default: one for each core")
        .range(1, 64);
    add_input(arguments, options);
    return file;
}

void add_layers(Arguments& arguments, InputOptions& options) {
    arguments
        .option("--entry", options.entries,
                "read this file of a pack (PCK) or of a browser's export, as gdvar list names it;\n"
                "may be repeated")
        .value("NAME")
        .repeated();
    add_inside(arguments, options);
    arguments
        .option("--layers", options.layers, "open no more than the N outermost layers; 0: none")
        .value("N");
}

void add_inside(Arguments& arguments, InputOptions& options) {
    arguments
        .option("--inside", options.inside,
                "read what the String or PackedByteArray at this path holds; may be repeated")
        .value("PATH")
        .repeated();
    arguments.flag("--no-inside", options.no_inside,
                   "don't open a String or PackedByteArray that is the only value and holds a\n"
                   "document");
}

Argument add_as(Arguments& arguments, InputOptions& options, const char* what) {
    std::vector<std::string> kinds = {"auto"};
    for (const DocumentKind& kind : document_kinds())
        kinds.emplace_back(input_kind_name(kind.seen_as));
    // GCPF and GDEC have a magic of their own, and a size counts only if it fits.
    for (const LayerKind& kind : layer_kinds())
        if (!kind.is_value() && !kind.is_size() && kind.seen_as != InputKind::gcpf &&
            kind.seen_as != InputKind::gdec)
            kinds.emplace_back(kind.name);
    return arguments.option("--as", options.as, what).one_of(kinds);
}

Argument add_dialect(Arguments& arguments, std::string& dialect, const char* names,
                     const char* what) {
    return arguments.option(names, dialect, what).value(dialect_or_auto);
}

void add_real_width(Arguments& arguments, std::uint32_t& width) {
    arguments.option("--real-width", width, "width of floats, 4 or 8; only for page-* dialects")
        .one_of_numbers({4, 8});
}

int settle_real_width(std::uint32_t width, std::initializer_list<std::string_view> dialects,
                      const char* name) {
    if (width != 8)
        return fine;
    for (const std::string_view named : dialects) {
        const Dialect* dialect = named == "auto" ? nullptr : find_dialect(named);
        // An unknown name has a message of its own.
        if (dialect ? dialect->documented : named != "auto")
            return fine;
    }
    return give_up(usage,
                   "gdvar: " + std::string(name) +
                       " 8 is for the page-* dialects alone; --dialect must name one of them");
}

void add_path(Arguments& arguments, std::string& path) {
    arguments.option("--path", path, "only the value there: $.players[3].pos, '#0 $.players'");
}

}  // namespace gdvar::app
