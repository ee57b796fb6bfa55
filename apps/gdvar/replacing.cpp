// The file that a command replaces: whether it may, and whether that file is also an input.
#include <cerrno>

#include "command.hpp"

namespace gdvar::app {
namespace {

/// The stamp of a file; for `-`, of the file that standard input was redirected from.
std::optional<FileStamp> stamp_of(const std::string& file) {
    auto stamp = file == "-" ? file_stamp(0) : file_stamp(file);
    return stamp ? std::optional(*stamp) : std::nullopt;
}

/// Whether two names are one file, also through links. Output to a pipe, a device or a folder
/// replaces nothing: it is written there.
bool same_file(const std::string& one, const std::string& other) {
    const auto a = stamp_of(one), b = stamp_of(other);
    return a && b && a->same_file(*b);
}

int lock(Options& options) {
    auto lock = EditLock::take(options.output_file);
    if (lock) {
        options.lock = std::make_shared<EditLock>(*std::move(lock));
        return fine;
    }
    say(options.output_file + ": " + replacing_in_words(lock.error()));
    return io_error;
}

}  // namespace

std::string replacing_in_words(const Error& error) {
    switch (system_error(error)) {
        case EWOULDBLOCK:
            return "error[io]: another program is changing it; nothing was changed";
        case ESTALE:
            return "error[io]: another program has changed it meanwhile; it was left so";
        case ENOTSUP:
            return "error[io]: it is no regular file and can't be replaced; -o names another";
        case EINVAL:
            return "error[io]: --backup names the file itself";
        default:
            return in_words(error);
    }
}

namespace {

/// Whether the file to be replaced, `target`, is also read. Prints a message if so. `input`: FILE
/// counts, too.
bool would_lose(const Options& options, const std::string& target, const char* what, bool input) {
    std::vector<std::string> read = {options.password_file, options.key_file, options.renames_file};
    if (options.value_is_file)
        read.push_back(options.value);
    if (input)
        read.push_back(options.file);
    for (const std::string& name : read) {
        if (name.empty() || !same_file(target, name))
            continue;
        say(target + ": the " + what + " would replace " +
            (name == options.file ? "the input" : name + ", which is read, too") +
            "; --force does");
        return true;
    }
    return false;
}

}  // namespace

int settle_output(Options& options, Rewrites rewrites) {
    if (rewrites == Rewrites::in_place && options.output_file.empty() && options.file != "-")
        options.output_file = options.file;
    const std::string& output = options.output_file;
    if (output.empty() || output == "-")
        return fine;
    const bool same =
        rewrites != Rewrites::none && (output == options.file || same_file(output, options.file));
    const bool replaces = !options.force && Output(options).replaces();
    // The backup of a file that is changed in place may be another name of that file.
    if (replaces && !options.backup.empty() && would_lose(options, options.backup, "backup", !same))
        return usage;
    if (same)
        return lock(options);
    return replaces && would_lose(options, output, "output", true) ? usage : fine;
}

}  // namespace gdvar::app
