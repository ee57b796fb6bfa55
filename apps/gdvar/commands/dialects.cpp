#include "command.hpp"
#include "output/output.hpp"
#include "output/printable.hpp"

namespace gdvar::app::commands::dialects {
namespace {

struct Options : OutputOptions {
    std::string name;
};

void declare(Arguments& arguments, Options& options) {
    add_output(arguments, options);
    arguments.option("NAME", options.name, "one dialect").value(dialect_value);
}

int run(Options& options) {
    Output out(options);
    for (const Dialect* dialect : all_dialects()) {
        if (!options.name.empty() && dialect != find_dialect(options.name))
            continue;
        const std::string line = padded(std::string(dialect->name), 17) +
                                 padded(std::string(dialect->alias), 12) +
                                 padded(std::to_string(dialect->row_count) + " types", 10) +
                                 padded("text " + std::string(family_name(dialect->family)), 17) +
                                 std::string(dialect->title);
        out.line(line);
        if (options.name.empty())
            continue;
        for (std::size_t id = 0; id < dialect->row_count; ++id) {
            const TypeRow& row = dialect->rows[id];
            std::string entry =
                "  " + padded(std::to_string(id), 4) + padded(std::string(row.name), 22);
            if (row.name != type_name(row.type))
                entry += "= " + std::string(type_name(row.type));
            if (row.shape == Shape::unsupported)
                entry += "(unsupported)";
            if (!row.note.empty())
                entry += "  ; " + std::string(row.note);
            while (entry.ends_with(' '))
                entry.pop_back();
            out.line(entry);
        }
    }
    if (!options.name.empty() && !dialect_named(options.name))
        return usage;
    return out.finish();
}

}  // namespace

Command command() {
    return make_command<Options>({.name = "dialects",
                                  .does = "lists the dialects; with a name, the types of that one",
                                  .examples = "gdvar dialects\n"
                                              "gdvar dialects godot3"},
                                 declare, run);
}

}  // namespace gdvar::app::commands::dialects
