#include <algorithm>

#include "command.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/save/coding.hpp"
#include "options/input.hpp"
#include "output/output.hpp"
#include "output/printable.hpp"

namespace gdvar::app::commands::list {
namespace {

struct Options : InputOptions, OutputOptions {
    bool json = false;
};

void declare(Arguments& arguments, Options& options) {
    add_output(arguments, options);
    add_source(arguments, options);
    add_file(arguments, options);
    add_layers(arguments, options);
    arguments.option("--skip", options.skip, "bytes before the pack");
    arguments.flag("--json", options.json, "as plain JSON");
}

/// "removed by this patch; absolute path".
std::string notes_in_words(const ArchiveEntry& entry) {
    std::string out;
    for (const std::string_view note : entry.notes)
        out += (out.empty() ? "" : "; ") + std::string(note);
    return out;
}

void print_lines(const Archive& archive, const std::string& name, Output& out) {
    const std::vector<ArchiveEntry>& entries = archive.entries();
    out.line(name + ": " + std::string(input_kind_name(archive.kind())) + ": " +
             archive.description());
    const bool pack = archive.kind() == InputKind::pack;
    std::size_t digits = 4, places = 10;
    for (const ArchiveEntry& entry : entries) {
        digits = std::max(digits, std::to_string(entry.size).size());
        places = std::max(places, hex(entry.offset.value_or(0)).size());
    }
    const std::size_t numbers = std::to_string(entries.size()).size() + 1;
    const auto row = [&](const std::string& number, const std::string& size,
                         const std::string& offset, const std::string& md5) {
        out.piece(padded(number, std::max<std::size_t>(numbers, 2)) + "  ", "2");
        out.piece(std::string(digits - std::min(digits, size.size()), ' ') + size + "  ");
        if (pack)
            out.piece(padded(offset, places + 2) + padded(md5, 34), "2");
    };
    row("#", "size", "offset", "md5");
    out.piece("path");
    out.end_line();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const ArchiveEntry& entry = entries[i];
        row("#" + std::to_string(i), std::to_string(entry.size),
            entry.offset ? hex(*entry.offset) : "-", entry.md5 ? to_hex(*entry.md5) : "-");
        out.piece(entry.name, "1");
        if (const std::string notes = notes_in_words(entry); !notes.empty())
            out.piece("  (" + notes + ")", "33");
        out.end_line();
    }
}

void print_json(const Archive& archive, const std::string& name, Output& out) {
    out.text("{\n  \"file\": " + json_string(name) +
             ",\n  \"kind\": " + json_string(input_kind_name(archive.kind())) +
             ",\n  \"description\": " + json_string(archive.description()) + ",\n  \"files\": [");
    std::size_t number = 0;
    for (const ArchiveEntry& entry : archive.entries()) {
        std::string line =
            std::string(number ? "," : "") + "\n    {\"number\": " + std::to_string(number) +
            ", \"path\": " + json_string(entry.name) + ", \"size\": " + std::to_string(entry.size);
        if (entry.offset)
            line += ", \"offset\": " + std::to_string(*entry.offset);
        if (entry.md5)
            line += ", \"md5\": \"" + to_hex(*entry.md5) + "\"";
        line += std::string(", \"encrypted\": ") + (entry.encrypted ? "true" : "false") +
                ", \"opens\": " + (entry.opens ? "true" : "false") + ", \"notes\": [";
        for (const std::string_view& note : entry.notes)
            line += (&note == &entry.notes.front() ? "" : ", ") + json_string(note);
        out.text(line + "]}");
        ++number;
    }
    out.text(number ? "\n  ]\n}\n" : "]\n}\n");
}

int failed(const Options& options, const FileError& error) {
    if (error.code == Errc::size_limit)
        say(options.name() + ": " + too_much(options.most_held(true)));
    else
        say(options.name() + ": " + in_words(error) +
            (error.code == Errc::bad_key ? ": use --key-file" : ""));
    return error.code == Errc::io ? io_error : refused;
}

/// Opens the archive. Asks for a key if one is needed, as for a layer.
std::expected<std::unique_ptr<Archive>, FileError> open_with_secret(const Options& options,
                                                                    const OpenLayers& found,
                                                                    int& exit) {
    SaveOptions how = options.finding();
    how.skip = found.layers.empty() ? options.skip : 0;
    auto archive = open_archive(found.inside(), found.kind, how);
    if (archive || archive.error().code != Errc::bad_key)
        return archive;
    const auto key = options.key();
    if (!key) {
        exit = key.error();
        return archive;
    }
    how.key = *key;
    const auto keys = options.keys(options.file);
    if (!keys) {
        exit = keys.error();
        return archive;
    }
    how.keys = *keys;
    return how.key || !keys->empty() ? open_archive(found.inside(), found.kind, how)
                                     : std::move(archive);
}

int run(Options& options) {
    int exit = fine;
    auto source = open_whole(options, exit);
    if (!source)
        return exit;
    SaveOptions how = options.finding();
    how.only_entry = false;
    auto found = open_layers(options, options.file, std::move(source), how, exit);
    if (exit != fine)
        return exit;
    if (!found)
        return failed(options, found.error().error);
    if (!is_archive(found->kind))
        return give_up(refused,
                       options.name() +
                           ": error[not_recognised]: this is neither a pack (PCK) nor the files "
                           "that a game has left in a browser");
    const auto archive = open_with_secret(options, *found, exit);
    if (exit != fine)
        return exit;
    if (!archive)
        return failed(options, archive.error());
    Output out(options);
    if (options.json)
        print_json(**archive, options.name(), out);
    else
        print_lines(**archive, options.name(), out);
    return out.finish_after(fine);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "list",
         .does = "lists the files of a pack (PCK), or those that a game has left in a browser",
         .examples = "gdvar list game.pck\n"
                     "gdvar show game.pck --entry project.binary\n"
                     "gdvar unwrap --layers 1 game.pck --entry data.cfg -o data.cfg"},
        declare, run);
}

}  // namespace gdvar::app::commands::list
