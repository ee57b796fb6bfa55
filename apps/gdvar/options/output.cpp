#include "options/output.hpp"

#include <cerrno>
#include <filesystem>
#include <span>

#include "base/platform/file.hpp"
#include "base/platform/resolved_path.hpp"
#include "gdvar/file/layer.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"

namespace gdvar::app {

void add_output(Arguments& arguments, OutputOptions& options) {
    arguments.option("-o", options.output_file, "write to this file, atomically");
    arguments.flag("--force", options.force,
                   "also replace a file that is only read, or an earlier backup");
    arguments.option("--color", options.color, "auto, always, never")
        .one_of({"auto", "always", "never"});
}

void add_form(Arguments& arguments, OutputOptions& options) {
    arguments.option("--output", options.output_form, "how to encode the output")
        .one_of({"binary", "hex", "base64"});
    arguments.option("--backup", options.backup, "keep the file that is replaced under this name");
}

namespace {

/// The stamp of a file; for `-`, of the file that standard input was redirected from.
std::optional<FileStamp> stamp_of(const std::string& file) {
    auto stamp = file == "-" ? file_stamp(0) : file_stamp(file);
    return stamp ? std::optional(*stamp) : std::nullopt;
}

int lock(OutputOptions& options) {
    auto lock = EditLock::take(options.output_file);
    if (lock) {
        options.lock = std::make_shared<EditLock>(*std::move(lock));
        return fine;
    }
    return give_up(io_error, options.output_file + ": " + replacing_in_words(lock.error()));
}

/// True, after a message, if the file to be replaced, `target`, is also read.
bool would_lose(const std::vector<std::string>& read, const std::string& target, const char* what,
                bool inputs) {
    for (const std::string& name : read) {
        if (name.empty() || !same_file(target, name))
            continue;
        say(target + ": the " + what + " would replace " +
            (inputs ? "the input" : name + ", which is read, too") + "; --force allows it");
        return true;
    }
    return false;
}

int refuse_backup(const std::string& backup, const std::string& what) {
    return give_up(io_error, backup + ": " + what +
                                 "; it is the name for the backup, and nothing was changed");
}

/// Checks that the backup can be made, before anything else is done. An earlier backup stays: then
/// none is made. Returns an exit code.
int settle_backup(OutputOptions& options) {
    const std::string& backup = options.backup;
    const auto replaced = platform::info_of(options.output_file);
    if (backup.empty() || !replaced || replaced->kind != platform::FileKind::regular)
        return fine;  // nothing is replaced
    const auto earlier = platform::info_of(backup);
    if (earlier) {
        if (earlier->kind != platform::FileKind::regular)
            return refuse_backup(backup, "error[io]: not a regular file");
        if (!options.force && !same_file(backup, options.output_file)) {
            say(options.output_file + ": note: " + backup +
                " is there already; it stays as it is, and no other backup is made (--force "
                "replaces it)");
            options.backup.clear();
            return fine;
        }
    } else if (earlier.error().number != ENOENT) {
        return refuse_backup(backup, in_words(FileError::io(earlier.error().number)));
    }
    if (const auto named = platform::folder_and_name(backup); !named)
        return refuse_backup(backup, in_words(FileError::io(named.error().number)));
    const std::string folder = std::filesystem::path(backup).parent_path().string();
    if (const auto may = platform::may_write(folder.empty() ? "." : folder); !may)
        return refuse_backup(backup, in_words(FileError::io(may.error().number)));
    return fine;
}

}  // namespace

// Output to a pipe, a device or a folder replaces nothing.
bool same_file(const std::string& one, const std::string& other) {
    const auto a = stamp_of(one), b = stamp_of(other);
    return a && b && a->same_file(*b);
}

std::string replacing_in_words(const FileError& error) {
    switch (error.system) {
        case EAGAIN:
            return "error[io]: another program is changing this file; nothing was changed";
        case platform::changed_meanwhile:
            return "error[io]: another program has changed this file meanwhile; nothing was "
                   "changed";
        case ENOTSUP:
            return "error[io]: not a regular file, so it can't be replaced; use -o FILE";
        case EINVAL:
            return "error[io]: --backup names the file itself";
        default:
            return in_words(error);
    }
}

void made_of(OutputOptions& options, const std::vector<std::string>& inputs) {
    for (const std::string& input : inputs)
        options.made_of.push_back(input == "-" ? "/dev/stdin" : input);
}

int settle_output(OutputOptions& options, const Reads& reads, Rewrites rewrites) {
    made_of(options, reads.inputs);
    const std::string file = reads.inputs.empty() ? std::string() : reads.inputs.front();
    if (rewrites == Rewrites::in_place && options.output_file.empty() && file != "-")
        options.output_file = file;
    const std::string& output = options.output_file;
    if (output.empty() || output == "-")
        return fine;
    const bool same = rewrites != Rewrites::none && (output == file || same_file(output, file));
    const bool replaces = !options.force && Output(options).replaces();
    const auto lost = [&](const std::string& target, const char* what, bool inputs) {
        return would_lose(reads.others, target, what, false) ||
               (inputs && would_lose(reads.inputs, target, what, true));
    };
    // The backup of a file that is changed in place may be another name of that file.
    if (replaces && !options.backup.empty() && lost(options.backup, "backup", !same))
        return usage;
    // Under the lock: of two simultaneous commands one makes the backup.
    if (const int exit = same                                       ? lock(options)
                         : replaces && lost(output, "output", true) ? usage
                                                                    : fine)
        return exit;
    return settle_backup(options);
}

namespace {

/// The last two are only for a game's settings.
constexpr InputKind frames[] = {InputKind::packet,     InputKind::packets, InputKind::records,
                                InputKind::records_be, InputKind::project, InputKind::config};

}  // namespace

void add_frame(Arguments& arguments, PacketOptions& options, const char* what, bool settings) {
    std::vector<std::string> names;
    for (const InputKind kind : std::span(frames).first(settings ? std::size(frames) : 4))
        names.emplace_back(input_kind_name(kind));
    arguments.option("--frame", options.frame, what).one_of(names);
}

void add_container(Arguments& arguments, PacketOptions& options, bool keep, const char* what) {
    std::vector<std::string> names = {"gcpf-fastlz", "gcpf-deflate", "gcpf-zstd", "gcpf-gzip"};
    for (const LayerKind& kind : layer_kinds())
        if (!kind.is_value() && kind.seen_as != InputKind::gcpf)
            names.emplace_back(kind.name);
    std::vector<std::string> alone = {"none"};
    if (keep)
        alone.emplace_back("keep");
    auto option = arguments.option("--container", options.container, what).stack_of(names, alone);
    if (!keep)
        option.required();
}

void add_kept_frame(Arguments& arguments, PacketOptions& options, bool settings) {
    add_form(arguments, options);
    add_frame(arguments, options,
              settings
                  ? "packet (one value), packets (without lengths), records, records-be; for the "
                    "settings of a game also project (project.binary) and config (project.godot);\n"
                    "default: the input's own"
                  : "packet (one value), packets (without lengths), records, records-be;\n"
                    "default: the input's own",
              settings);
    arguments.flag("--update-sums", options.update_sums,
                   "mend sizes and checksums beside the changes, where one value fits");
}

void add_kept_packets(Arguments& arguments, PacketOptions& options) {
    add_kept_frame(arguments, options);
    add_container(arguments, options, true);
}

InputKind frame_of(const PacketOptions& options, InputKind own) {
    for (const InputKind kind : frames)
        if (options.frame == input_kind_name(kind))
            return kind;
    return own;
}

}  // namespace gdvar::app
