#include "options/input.hpp"

#include <vector>

#include "gdvar/file/save_document.hpp"

namespace gdvar::app {

void add_input(Arguments& arguments, InputOptions& options) {
    add_as(arguments, options, "what the input is");
    arguments.option("--skip", options.skip, "bytes before the first record");
    arguments.flag("--objects", options.objects, "accept objects in full, as data");
    arguments.flag("--strict", options.strict, "refuse what no engine would write");
    arguments
        .option("--real-width", options.real_width,
                "width of floats, 4 or 8; only for page-* dialects")
        .one_of_numbers({4, 8});
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
    const Argument file = add_files(arguments, files, what);
    add_input(arguments, options);
    return file;
}

Argument add_as(Arguments& arguments, InputOptions& options, const char* what) {
    std::vector<std::string> kinds{"auto"};
    for (const DocumentKind& kind : document_kinds())
        kinds.emplace_back(input_kind_name(kind.seen_as));
    kinds.insert(kinds.end(), {"hex", "base64"});
    return arguments.option("--as", options.as, what).one_of(kinds);
}

Argument add_dialect(Arguments& arguments, std::string& dialect, const char* names,
                     const char* what) {
    return arguments.option(names, dialect, what).value(dialect_or_auto);
}

void add_path(Arguments& arguments, std::string& path) {
    arguments.option("--path", path, "only the value there: $.players[3].pos, '#0 $.players'");
}

}  // namespace gdvar::app
