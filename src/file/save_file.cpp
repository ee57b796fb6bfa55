#include <cerrno>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "base/platform/file.hpp"
#include "file/save_file_state.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/file/convert_layers.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {

using detail::refuse;

// ---- opening

std::expected<void, FileError> SaveFile::State::take_lock() {
    auto taken = EditLock::take(path, options.lock_wait);
    if (taken) {
        lock = *std::move(taken);
        return {};
    }
    const int number = taken.error().system;
    if (number == EACCES || number == EPERM || number == EROFS)
        return {};
    return std::unexpected(taken.error());
}

/// Locks the file for the first change, if it is free and nobody has changed it. If not, `write`
/// waits for it, and looks again.
void SaveFile::State::lock_for_change(State& save) {
    if (save.lock || save.path.empty())
        return;
    auto taken = EditLock::take(save.path, std::chrono::milliseconds(0));
    if (taken && taken->stamp() == save.stamp)
        save.lock = *std::move(taken);
}

std::expected<void, FileError> SaveFile::State::open() {
    before_change = lock_for_change;
    if (options.lock)
        if (auto taken = take_lock(); !taken)
            return taken;
    // Only regular files are opened: a pipe would wait.
    const auto info = platform::info_of(path);
    if (info && info->kind != platform::FileKind::regular)
        return std::unexpected(
            FileError::io(info->kind == platform::FileKind::folder ? EISDIR : ENOTSUP));
    auto now = lock ? std::expected<FileStamp, FileError>(lock->stamp()) : file_stamp(path);
    if (!now)
        return std::unexpected(now.error());
    stamp = *now;
    auto file = FileSource::open(path);
    if (!file)
        return std::unexpected(file.error());
    if (!file->can_rewind())
        return std::unexpected(FileError::io(ENOTSUP));
    return open(std::make_unique<FileSource>(*std::move(file)));
}

std::expected<void, FileError> SaveFile::State::open(std::unique_ptr<Source> file) {
    auto done = load(std::move(file));
    if (done)
        items = document->items();
    return done;
}

std::expected<void, FileError> SaveFile::State::load(std::unique_ptr<Source> file) {
    // A save that is written back is read whole.
    options.up_to_break = false;
    options.only_entry = true;
    options.godot_4.reset();
    if (options.skip) {
        auto start = read_all(*file, options.max_bytes);
        if (!start)
            return std::unexpected(start.error());
        if (start->size() < options.skip)
            return refuse(Errc::truncated, 0, options.skip - start->size());
        start->resize(static_cast<std::size_t>(options.skip));
        head = *std::move(start);
    }
    auto found = open_layers(std::move(file), options);
    if (!found)
        return std::unexpected(found.error().error);
    opened = *std::move(found);
    if (auto done = read(); !done)
        return done;
    // A file without layers is not looked at again, unless something before it may be a sum of it.
    if (opened.layers.empty() && head.empty())
        opened.sources.clear();
    return {};
}

/// Why a text that begins as a document is none: the error of the reading that gets furthest.
std::optional<FileError> SaveFile::State::broken_text() {
    if (opened.readings.empty() || !opened.readings[0].begins_well || opened.findings.empty())
        return std::nullopt;
    Error furthest;
    for (const Reading& other : opened.findings.back().ruled_out)
        if (other.broken.offset > furthest.offset)
            furthest = other.broken;
    auto back = opened.inside().rewind();
    auto text = back ? read_all(opened.inside(), options.max_bytes) : std::unexpected(back.error());
    if (!furthest.offset || !text)
        return std::nullopt;
    const std::uint64_t skip = opened.layers.empty() ? options.skip : 0;
    return error_in_text(furthest, ByteView(*text).subspan(static_cast<std::size_t>(skip)));
}

FileError SaveFile::State::no_document() {
    if (options.as != InputKind::unknown && !find_layer_kind(options.as))
        return Error{Errc::not_recognised}.about_reason("SaveOptions::as is no kind of document");
    if (opened.text_too_large)
        return Error{Errc::size_limit}.about_reason(
            "the text inside of the layers is larger than max_text (32 MiB unless it is set), or "
            "has more than one value for each 8 bytes of it");
    if (find_layer_kind(opened.kind))
        return Error{Errc::not_recognised}.about_reason(
            "SaveOptions::layers leaves a layer closed, and the rest is no document");
    if (is_archive(opened.kind))
        return Error{Errc::not_recognised}.about_reason(
            opened.kind == InputKind::pack
                ? "it is a pack of a Godot game: name the file in it that is to be opened"
                : "it has several files of a browser: name the one that is to be opened");
    if (const auto why = broken_text())
        return *why;
    const std::uint64_t skip = opened.layers.empty() ? options.skip : 0;
    if (opened.layers.empty() && !opened.findings.empty())
        for (const Reading& other : opened.findings.back().ruled_out)
            if (other.header)
                return Error{Errc::not_recognised, Type::nil,
                             static_cast<std::size_t>(skip + other.header)}
                    .about_reason(
                        "a packet or records follow a header, which ends at the error's "
                        "offset: open it with `skip`");
    return not_recognised(opened.readings, opened.inside().size() == skip);
}

std::expected<void, FileError> SaveFile::State::read() {
    kind = find_document_kind(opened.kind);
    if (!kind)
        return std::unexpected(no_document());
    const bool bare = opened.layers.empty();
    const LoadOptions how{.skip = bare ? options.skip : 0,
                          .max_bytes = options.max_bytes,
                          .max_text = bare ? options.max_bytes : opened.most_text,
                          .max_values = bare ? UINT64_MAX : most_values(opened.most_text),
                          .dialect = options.dialect,
                          .godot_4 = written_by_godot_4(opened.layers),
                          .strict = options.strict};
    // The recognised document has been read already, unless more is known of it now.
    const auto known = std::exchange(opened.loaded, nullptr);
    const bool as_known = known && !how.dialect && !how.godot_4;
    // Layers tell only at their ends what follows them.
    if (as_known && !bare)
        if (auto end = opened.inside().skip(UINT64_MAX); !end)
            return std::unexpected(end.error());
    auto loaded = as_known ? std::move(*known) : LoadedDocument::load(opened.inside(), *kind, how);
    if (!loaded)
        return std::unexpected(loaded.error());
    content = std::move(loaded->content);
    behind = std::move(loaded->behind);
    document = std::move(loaded->document);
    dialect = loaded->dialect;
    return {};
}

std::expected<SaveFile, FileError> open_save(const std::string& path,
                                             SaveOptions options) GDVAR_TRY {
    auto state = std::make_unique<SaveFile::State>();
    state->path = path;
    state->options = std::move(options);
    if (auto opened = state->open(); !opened)
        return std::unexpected(opened.error());
    return SaveFile(std::move(state));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

namespace {

/// Bytes that are lent while a save is opened.
class LentSource final : public MemorySource {
public:
    using MemorySource::MemorySource;
    /// Copies them: they are needed later. May throw bad_alloc.
    void keep(ByteView bytes) {
        own_.assign(bytes.begin(), bytes.end());
        show(own_);
    }

private:
    std::vector<std::byte> own_;
};

}  // namespace

std::expected<SaveFile, FileError> read_save(ByteView bytes, SaveOptions options) GDVAR_TRY {
    auto state = std::make_unique<SaveFile::State>();
    state->options = std::move(options);
    auto source = std::make_unique<LentSource>(bytes);
    LentSource& lent = *source;
    if (auto opened = state->open(std::move(source)); !opened)
        return std::unexpected(opened.error());
    if (!state->opened.sources.empty())
        lent.keep(bytes);
    return SaveFile(std::move(state));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

SaveFile::SaveFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
SaveFile::SaveFile(SaveFile&& other) noexcept = default;
SaveFile& SaveFile::operator=(SaveFile&& other) noexcept = default;
SaveFile::~SaveFile() = default;

const std::vector<Layer>& SaveFile::layers() const noexcept {
    return state_->opened.layers;
}
const DocumentKind& SaveFile::kind() const noexcept {
    return *state_->kind;
}
const Dialect& SaveFile::dialect() const noexcept {
    return *state_->dialect;
}
const std::vector<SaveItem>& SaveFile::items() const noexcept {
    return state_->items;
}
const std::vector<Finding>& SaveFile::findings() const noexcept {
    return state_->opened.findings;
}
std::string SaveFile::stack() const {
    return stack_in_words(layers(), kind().seen_as, &dialect());
}
DecodeOptions SaveFile::decoding() const noexcept {
    return state_->decoding();
}
bool SaveFile::only_read() const noexcept {
    return has_archive(state_->opened.layers);
}
bool SaveFile::changed() const noexcept {
    return state_->changed;
}

/// The first of what makes one value of the save unsound.
std::expected<void, DocumentError> SaveFile::State::check_item(std::size_t index,
                                                               const SaveItem& item) const {
    const ByteView packet = item.packet;
    const DecodeOptions how = decoding();
    const auto unsound = [&](const Error& error, const std::string& at) {
        return std::unexpected(
            DocumentError{error, index, item_label(*kind, index, item.key) + at});
    };
    const auto size = validate(packet, how);
    if (!size)
        return unsound(size.error(), error_path(packet, how, size.error()));
    if (!kind->made && *size != packet.size())
        return unsound(
            Error{Errc::trailing_bytes, Type::nil, static_cast<std::size_t>(*size)}.about_reason(
                "bytes follow the value"),
            "$");
    return {};
}

std::expected<void, DocumentError> SaveFile::State::check(std::span<const SaveItem> all) const {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (auto sound = check_item(i, all[i]); !sound)
            return sound;
    const Error at_end{Errc::trailing_bytes, Type::nil, content.size()};
    if (!behind.empty())
        return std::unexpected(
            DocumentError{at_end.about_reason("bytes are left over after the last record")});
    if (!opened.sources.empty() && opened.trailing())
        return std::unexpected(
            DocumentError{Error{Errc::trailing_bytes}.about_reason("bytes follow a layer")});
    return {};
}

std::expected<void, DocumentError> SaveFile::check() const GDVAR_TRY {
    return state_->check(items());
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(DocumentError{Error{Errc::no_memory}}))

// ---- paths

std::expected<const Document*, Error> SaveFile::State::parsed(std::size_t index) {
    const ByteView packet = items[index].packet;
    std::optional<Document>& known = held[packet.data()].document;
    if (!known) {
        auto fresh = Document::parse(packet, decoding());
        if (!fresh)
            return std::unexpected(fresh.error());
        known = *std::move(fresh);
    }
    return &*known;
}

std::expected<inspect::Found, Error> SaveFile::find(std::string_view path) GDVAR_TRY {
    auto at = parse_save_path(path, kind().named);
    if (!at)
        return std::unexpected(detail::bad_path(path, at.error()));
    auto index = state_->index_of(*at);
    if (!index)
        return std::unexpected(index.error());
    auto document = state_->parsed(*index);
    if (!document)
        return std::unexpected(document.error());
    return inspect::lookup((*document)->root(), at->path);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
