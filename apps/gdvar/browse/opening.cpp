#include "browse/opening.hpp"

#include <chrono>

#include "base/platform/file.hpp"
#include "file/layers/rest_source.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/wire/path.hpp"
#include "input/input.hpp"
#include "output/messages.hpp"

namespace gdvar::app::browse {
namespace {

constexpr int most_attempts = 3;
constexpr std::chrono::milliseconds lock_wait{2000};

bool is_encrypted(const FileError& error) {
    return error.code == Errc::bad_key || error.code == Errc::bad_checksum;
}

/// Options of the command line. Nothing after a message, with `exit` set.
std::optional<SaveOptions> save_options(const InputOptions& options, int& exit) {
    SaveOptions out = options.in_memory();
    out.lock_wait = lock_wait;
    out.all_readings = false;
    out.allow_objects = true;  // they are data, and whoever looks at a save wants to see it
    if (options.dialect != "auto" && !(out.dialect = dialect_named(options.dialect))) {
        exit = usage;
        return std::nullopt;
    }
    const auto key = options.key();
    if (!key) {
        exit = key.error();
        return std::nullopt;
    }
    out.key = *key;
    return out;
}

/// Opens the file with the key that is given, the passwords file, or a password that is asked for.
std::expected<SaveFile, FileError> open_with_secret(const InputOptions& options, SaveOptions& how,
                                                    int& exit) {
    auto save = open_save(options.file, how);
    if (save || save.error().code != Errc::bad_key || how.key)
        return save;
    auto keys = options.keys(options.file);
    if (!keys) {
        exit = keys.error();
        return save;
    }
    if (!keys->empty()) {
        how.keys = *std::move(keys);
        save = open_save(options.file, how);
        how.keys.clear();
        for (const Layer& layer : save ? save->layers() : std::vector<Layer>())
            if (layer.opened_with)
                say(options.file + ": note: opened with " + layer.opened_with->name);
        if (save || !is_encrypted(save.error()))
            return save;
    }
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        const auto key = ask_key(options.file);
        if (!key) {
            exit = key.error();
            return save;
        }
        how.key = *key;
        save = open_save(options.file, how);
        if (save || !is_encrypted(save.error()))
            return save;
        if (attempt + 1 < most_attempts)
            say("This password does not open it, or the file is damaged.");
    }
    return save;
}

struct Part {
    SaveFile save;
    std::vector<Layer> layers;
    std::string broken;  ///< where and why
    std::string path;    ///< of the value that is cut
};

/// The records before the place where a file of records ends too early.
std::optional<Part> open_part(const InputOptions& options, const SaveOptions& how) {
    auto file = FileSource::open(options.file);
    if (!file)
        return std::nullopt;
    auto opened = open_layers(std::make_unique<FileSource>(*std::move(file)), how);
    if (!opened)
        return std::nullopt;
    const InputKind kind = opened->kind;
    const bool big = kind == InputKind::records_be;
    if (!big && kind != InputKind::records)
        return std::nullopt;
    const auto all =
        read_rest(opened->inside(), opened->layers.empty() ? how.skip : 0, how.max_bytes);
    if (!all)
        return std::nullopt;
    MemorySource source(*all);
    RecordReader reader(source, big ? ByteOrder::big : ByteOrder::little);
    std::vector<ByteView> packets;
    std::optional<FileError> broken;
    while (!broken) {
        const auto record = reader.next();
        if (record && !*record)
            return std::nullopt;  // it is whole
        if (!record) {
            broken = record.error();
            break;
        }
        packets.push_back(ByteView(*all).subspan(static_cast<std::size_t>((*record)->offset + 4),
                                                 (*record)->packet.size()));
    }
    SaveOptions inside = how;
    inside.skip = 0;
    inside.inside.clear();
    inside.entries.clear();
    inside.as = kind;
    if (!inside.dialect)
        inside.dialect = inspect::guess_dialect(packets).dialect;
    const std::size_t behind = static_cast<std::size_t>(broken->error.offset) + 4;
    std::optional<inspect::Salvaged> last;
    std::string path;
    if (behind < all->size()) {
        const DecodeOptions decoding{
            .dialect = inside.dialect ? inside.dialect : &dialects::godot_4_4,
            .allow_objects = how.allow_objects};
        last = inspect::up_to_break(ByteView(*all).subspan(behind), decoding);
        const std::string record = '#' + std::to_string(packets.size()) + ' ';
        if (last) {
            path = record + error_path(ByteView(*all).subspan(behind), decoding, last->error);
            packets.emplace_back(last->packet);
        }
    }
    std::vector<SaveItem> items;
    items.reserve(packets.size());
    for (const ByteView packet : packets)
        items.push_back({.packet = packet});
    const auto records = find_document_kind(kind)->write(items, dialects::godot_4_4);
    auto save = read_save(records ? ByteView(*records) : ByteView(), inside);
    if (packets.empty() || !save)
        return std::nullopt;
    std::string why = path.empty() ? "behind #" + std::to_string(packets.size() - 1) : "at " + path;
    why += ": " + to_string(last ? FileError(last->error) : *broken);
    return Part{*std::move(save), std::move(opened->layers), std::move(why), std::move(path)};
}

std::unique_ptr<Session> session_of(SaveFile save, const InputOptions& options,
                                    const std::vector<Layer>& layers, std::string read_only,
                                    std::string broken = {}) {
    const DecodeOptions decoding{.dialect = &save.dialect(),
                                 .allow_objects = true,
                                 .strict = options.strict,
                                 .real_width = static_cast<std::uint8_t>(options.real_width)};
    Origin origin{.name = options.file,
                  .stack = stack_in_words(layers, save.kind().seen_as, &save.dialect()),
                  .read_only = std::move(read_only),
                  .broken = std::move(broken),
                  .has_offsets = !save.kind().text};
    if (options.verbose)
        say(origin.name + ": " + origin.stack);
    return std::make_unique<Session>(std::move(save), std::move(origin), decoding);
}

/// Why the file can't be opened: for a text, all that `show` says.
void say_why(const InputOptions& options, const SaveOptions& how, const FileError& error) {
    if ((error.code == Errc::not_recognised || error.line) && !how.key) {
        int exit = fine;
        if (!Input::open(options, exit))
            return;
    }
    say(options.file + ": " + in_words(error) +
        (error.code == Errc::truncated ? ": the file breaks off" + recover_hint(options.file)
                                       : ""));
}

}  // namespace

std::unique_ptr<Session> open_session(const InputOptions& options, int& exit) {
    auto how = save_options(options, exit);
    if (!how)
        return nullptr;
    if (const auto info = platform::info_of(options.file);
        info && info->kind == platform::FileKind::folder) {
        say(options.file + ": error[io]: this is a folder; browse shows one file");
        exit = io_error;
        return nullptr;
    }
    auto save = open_with_secret(options, *how, exit);
    if (exit != fine)
        return nullptr;
    if (save) {
        std::string read_only;
        if (!platform::may_write(options.file))
            read_only = "you may not write this file";
        if (save->only_read())
            read_only = "files in a pack or in a browser's export are only read";
        const std::vector<Layer> layers = save->layers();
        return session_of(*std::move(save), options, layers, std::move(read_only));
    }
    const FileError error = save.error();
    if (error.code != Errc::io && !is_encrypted(error) && !error.line &&
        error.code != Errc::not_recognised)
        if (auto part = open_part(options, *how)) {
            auto session = session_of(std::move(part->save), options, part->layers,
                                      "the file is broken off " + part->broken, part->broken);
            session->mark_cut(part->path);
            return session;
        }
    say_why(options, *how, error);
    exit = error.code == Errc::io ? io_error : refused;
    return nullptr;
}

}  // namespace gdvar::app::browse
