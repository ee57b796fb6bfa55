#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "base/platform/file.hpp"
#include "file/save_file_state.hpp"
#include "gdvar/file/convert_layers.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {

using detail::refuse;

// ---- writing

/// Sums are looked for from here on.
void SaveFile::State::begin(SumsKept* sums) const {
    if (!sums)
        return;
    sums->stale.clear();
    sums->layers = options;
}

/// The items as they are written, with the sums in them mended, if that is asked for.
KeptItems SaveFile::State::with_sums(std::vector<SaveItem> with, const EncodeOptions& how,
                                     SumsKept* sums) const {
    if (!sums)
        return {.items = std::move(with), .packets = {}};
    return keep_item_sums(
        *document, with, decoding(),
        {.dialect = how.dialect, .allow_objects = how.allow_objects, .real_width = how.real_width},
        *sums);
}

/// The bytes before the save, which may hold sums of it. `rest`: what follows them.
std::expected<void, FileError> SaveFile::State::write_head(Target& target, Source& rest,
                                                           SumsKept* sums) const {
    std::vector<std::byte> now = head;
    if (sums && !head.empty())
        if (auto kept = keep_head_sums(now, *opened.sources.front(), options.skip, rest, *sums);
            !kept)
            return kept;
    return target.write(now);
}

std::expected<std::vector<std::byte>, FileError> SaveFile::State::inner(SumsKept* sums) const {
    const KeptItems kept = with_sums(items, encoding(), changed ? sums : nullptr);
    const bool mended = sums && std::ranges::any_of(sums->stale, &StaleSum::mended);
    auto bytes = shown && !mended ? shown->content : document->write(kept.items);
    if (!bytes)
        return std::unexpected(bytes.error().error);
    bytes->insert(bytes->end(), behind.begin(), behind.end());
    return *std::move(bytes);
}

/// Whether the changes since the save was read or saved have left nothing changed.
bool SaveFile::State::is_as_before(ByteView inner) const {
    if (saved)
        return std::ranges::equal(*saved, inner);
    return inner.size() == content.size() + behind.size() &&
           std::equal(content.begin(), content.end(), inner.begin()) &&
           std::equal(behind.begin(), behind.end(), inner.end() - std::ssize(behind));
}

/// Writes the file. `before`: the same layers, as they were opened; null: these are others.
std::expected<void, FileError> SaveFile::State::write_to(Target& target, ByteView inner,
                                                         std::span<const Layer> layers,
                                                         const OpenLayers* before,
                                                         SumsKept* sums) const {
    MemorySource source(inner);
    if (head.empty())
        return write_layers(source, target, layers, options.the_key(), before, sums);
    Spool rest;
    if (auto put = write_layers(source, rest, layers, options.the_key(), before, sums); !put)
        return put;
    if (auto put = write_head(target, rest, sums); !put)
        return put;
    if (auto back = rest.rewind(); !back)
        return back;
    auto copied = copy(rest, target);
    return copied ? std::expected<void, FileError>() : std::unexpected(copied.error());
}

/// The bytes that were read into memory.
std::expected<std::vector<std::byte>, FileError> SaveFile::State::as_came() const {
    if (!opened.sources.empty()) {
        Source& file = *opened.sources.front();
        if (auto back = file.rewind(); !back)
            return std::unexpected(back.error());
        return read_all(file);
    }
    std::vector<std::byte> out = content;
    out.insert(out.end(), behind.begin(), behind.end());
    return out;
}

std::expected<std::vector<std::byte>, FileError> SaveFile::bytes(SumsKept* sums) const GDVAR_TRY {
    state_->begin(sums);
    if (!state_->changed && state_->path.empty() && state_->writable())
        return state_->as_came();
    std::vector<std::byte> out;
    MemoryTarget target(out);
    const auto inner = state_->inner(sums);
    if (!inner)
        return inner;
    if (auto put = state_->write_to(target, *inner, layers(), &state_->opened, sums); !put)
        return std::unexpected(put.error());
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

SaveFile::State::Converted SaveFile::State::converted_text(
    const Dialect& to, const inspect::Renames& renames, inspect::ConversionReport& report) const {
    if (!changed && !saved)
        return document->convert(to, renames, report);
    // The text with the changes made in it is what is converted.
    const auto bytes = shown ? shown->content : document->write(items);
    if (!bytes)
        return bytes;
    const auto again = kind->open(*kind, *bytes, {.dialect = dialect});
    if (!again)
        return std::unexpected(DocumentError{again.error()});
    return (*again)->convert(to, renames, report);
}

SaveFile::State::Converted SaveFile::State::converted_items(const Dialect& to,
                                                            const inspect::Renames& renames,
                                                            inspect::ConversionReport& report,
                                                            SumsKept* sums) const {
    const DecodeOptions from = decoding();
    const EncodeOptions how = encoding(to);
    std::vector<PackedByteArray> packets(items.size());
    std::vector<SaveItem> with = items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string label = item_label(*kind, i, items[i].key);
        report.losses.prefix = label + "$";
        auto done = inspect::convert(items[i].packet, from, how, renames, &report);
        if (!done)
            return std::unexpected(DocumentError{
                done.error(), i, label + error_path(items[i].packet, from, done.error())});
        if (auto sound = inspect::make_strict(*done, how, &report); !sound)
            return std::unexpected(DocumentError{sound.error(), i, label + "$"});
        packets[i] = std::move(done->bytes);
        with[i].packet = as_bytes(packets[i]);
    }
    const KeptItems kept = with_sums(std::move(with), how, sums);
    auto bytes = document->write(kept.items);
    if (bytes)
        bytes->insert(bytes->end(), behind.begin(), behind.end());
    return bytes;
}

std::expected<std::vector<std::byte>, DocumentError> SaveFile::convert(
    const Dialect& to, const inspect::Renames& renames, inspect::ConversionReport& report,
    const std::vector<Layer>* layers, SumsKept* sums) const GDVAR_TRY {
    state_->begin(sums);
    if (auto sound = check(); !sound)
        return std::unexpected(std::move(sound.error()));
    const auto inner = kind().text ? state_->converted_text(to, renames, report)
                                   : state_->converted_items(to, renames, report, sums);
    if (!inner)
        return inner;
    const OpenLayers& opened = state_->opened;
    ConvertedLayers fitting;
    if (layers) {
        fitting.layers = with_key_of(*layers, opened.layers);
    } else {
        report.losses.prefix.clear();
        auto converted = convert_layers(opened.layers, state_->encoding(to), renames, report);
        if (!converted)
            return std::unexpected(std::move(converted.error()));
        fitting = *std::move(converted);
    }
    const bool same =
        !layers && std::ranges::none_of(fitting.notes, &LayerNote::changed) &&
        std::ranges::none_of(opened.layers, [](auto& l) { return l.place.has_value(); });
    std::vector<std::byte> out;
    MemoryTarget target(out);
    const auto put =
        state_->write_to(target, *inner, fitting.layers, same ? &opened : nullptr, sums);
    if (!put)
        return std::unexpected(DocumentError{put.error().error});
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(DocumentError{Error{Errc::no_memory}}))

std::expected<void, FileError> SaveFile::State::write(const std::string& backup, SumsKept* sums,
                                                      std::vector<std::byte>& mended) {
    if (path.empty())
        return std::unexpected(FileError::io(EBADF));
    begin(sums);
    auto bytes = inner(sums);
    if (!bytes)
        return std::unexpected(bytes.error());
    if (is_as_before(*bytes)) {
        mark_saved();
        if (!options.lock)
            lock.reset();
        return {};
    }
    if (auto may = writable(); !may)
        return std::unexpected(may.error());
    if (!lock) {
        auto taken = EditLock::take(path, options.lock_wait);
        if (!taken)
            return std::unexpected(taken.error());
        lock = *std::move(taken);
    }
    if (lock->stamp() != stamp) {
        lock.reset();
        return std::unexpected(FileError::io(platform::changed_meanwhile));
    }
    auto file = AtomicFile::open(path, {.backup = backup, .expected = stamp, .lock = &*lock});
    if (!file)
        return std::unexpected(file.error());
    if (sums && sums->mend) {
        MemoryTarget memory(mended);
        if (auto put = write_to(memory, *bytes, opened.layers, &opened, sums); !put)
            return put;
        if (auto put = file->write(mended); !put)
            return put;
    } else if (auto put = write_to(*file, *bytes, opened.layers, &opened, sums); !put) {
        return put;
    }
    if (auto done = file->commit(); !done)
        return done;
    stamp = file->stamp();
    mark_saved();
    saved = *std::move(bytes);
    lock.reset();  // the lock was that of the old file
    return {};
}

/// The save as it was written. Null if it can't be read as what it was.
std::unique_ptr<SaveFile::State> SaveFile::State::looked_at_again(
    std::vector<std::byte> written) const GDVAR_TRY {
    auto fresh = std::make_unique<State>();
    fresh->path = path;
    fresh->stamp = stamp;
    fresh->options = options;
    fresh->options.dialect = dialect;
    const auto opened_again = fresh->open(std::make_unique<OwnedSource>(std::move(written)));
    const bool same =
        opened_again && fresh->kind == kind && fresh->items.size() == items.size() &&
        std::ranges::equal(fresh->opened.layers, opened.layers, {}, &Layer::kind, &Layer::kind);
    return same ? std::move(fresh) : nullptr;
}
GDVAR_CATCH_NO_MEMORY(return nullptr)

std::expected<void, FileError> SaveFile::save(const std::string& backup, SumsKept* sums) GDVAR_TRY {
    if (!changed())
        return {};
    std::vector<std::byte> written;
    if (auto done = state_->write(backup, sums, written); !done)
        return done;
    if (!sums || std::ranges::none_of(sums->stale, &StaleSum::mended))
        return {};
    // The values in memory still have the old sums, which another save would put back.
    if (auto fresh = state_->looked_at_again(std::move(written))) {
        fresh->kept_changes = std::move(state_->kept_changes);
        // They have the old sums, which would come back.
        if (fresh->kept_changes)
            fresh->kept_changes->drop(), fresh->kept_changes->mark_saved();
        state_ = std::move(fresh);
    } else {
        state_->stamp = {};  // so that another save is refused
    }
    sums->layers = state_->options;
    return {};
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
