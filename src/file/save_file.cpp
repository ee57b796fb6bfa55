#include "gdvar/file/save_file.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <new>
#include <utility>

#include "file/loaded_document.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/file/convert_layers.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {
namespace {

std::unexpected<Error> refuse(Errc code, std::uint64_t offset = 0, std::uint64_t need = 0) {
    return std::unexpected(Error{code, Type::nil, offset, need});
}

}  // namespace

struct SaveFile::State {
    std::string path;
    SaveOptions options;
    FileStamp stamp;
    std::optional<EditLock> lock;
    /// The layers with their sources, from which `write_layers` copies what stays.
    OpenLayers opened;
    const DocumentKind* kind = nullptr;
    const Dialect* dialect = &dialects::godot_4_4;
    std::vector<std::byte> head;             ///< the bytes that `skip` passes over
    std::vector<std::byte> behind;           ///< bytes behind the last record, too few for another
    std::vector<std::byte> content;          ///< of the innermost layer, as it was read
    std::unique_ptr<SaveDocument> document;  ///< in `content`
    std::vector<SaveItem> items;             ///< in `document`, or in `made`
    /// Packets and names that came after, by where they begin.
    std::map<const void*, std::vector<std::byte>> made;
    std::map<const void*, Document> read_items;  ///< by where their packets begin
    bool changed = false;
    /// The document as it was saved last; none: as it was read.
    std::optional<std::vector<std::byte>> saved;

    bool allow_objects() const { return options.allow_objects || kind->made; }
    const ContainerKey* key() const { return options.key ? &*options.key : nullptr; }
    DecodeOptions decoding() const {
        return {.dialect = dialect,
                .allow_objects = allow_objects(),
                .strict = options.strict,
                .real_width = options.real_width};
    }
    std::expected<void, FileError> take_lock();
    std::expected<void, FileError> open();
    std::expected<void, FileError> open(std::unique_ptr<Source> file);
    std::expected<void, FileError> read();
    Error no_document() const;
    std::expected<std::size_t, Error> index_of(const SavePath& at) const {
        return item_at(items, at);
    }
    std::expected<std::size_t, Error> index_of(std::int64_t number, bool past_end = false) const {
        return item_at(items, number, past_end);
    }
    std::expected<const Document*, Error> parsed(std::size_t index);
    ByteView keep(ByteView bytes);
    void forget(const void* begin);
    EncodeOptions encoding() const { return encoding(*dialect); }
    EncodeOptions encoding(const Dialect& to) const {
        return {.dialect = &to, .allow_objects = allow_objects(), .real_width = options.real_width};
    }
    /// The place of a new value; `index` is none for a new setting.
    struct Planned {
        SavePath at;
        std::optional<std::size_t> index;
        inspect::SetPlan plan;
    };
    std::expected<Planned, inspect::SetRefusal> plan(std::string_view where, const Variant& value,
                                                     inspect::SetRules rules);
    std::expected<void, Error> check_document(std::vector<SaveItem> with) const;
    std::expected<void, Error> put(std::size_t index, ByteView packet);
    void take_out(std::size_t index);
    std::expected<void, Error> add(const SavePath& at, const Variant& value);
    std::expected<std::vector<std::byte>, FileError> inner() const;
    bool is_as_before(ByteView inner) const;
    std::expected<void, FileError> write_to(Target& target, ByteView inner) const;
    using Converted = std::expected<std::vector<std::byte>, DocumentError>;
    Converted converted_text(const Dialect& to, const inspect::Renames& renames,
                             inspect::ConversionReport& report) const;
    Converted converted_items(const Dialect& to, const inspect::Renames& renames,
                              inspect::ConversionReport& report) const;
    std::expected<void, FileError> write(const std::string& backup);
    /// Whether the save may change at all.
    std::expected<void, Error> writable() const {
        return has_archive(opened.layers)
                   ? std::unexpected(Error{Errc::misplaced}.about_reason(
                         "the save is a file in a pack or in a browser's export: these are only "
                         "read"))
                   : std::expected<void, Error>();
    }
};

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

std::expected<void, FileError> SaveFile::State::open() {
    if (options.lock)
        if (auto taken = take_lock(); !taken)
            return taken;
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
    if (options.skip) {
        auto start = read_all(*file, options.max_bytes);
        if (!start)
            return std::unexpected(start.error());
        if (start->size() < options.skip)
            return refuse(Errc::truncated, 0, options.skip - start->size());
        start->resize(static_cast<std::size_t>(options.skip));
        head = *std::move(start);
    }
    const LayerOptions how{.key = key(),
                           .keys = options.keys,
                           .skip = options.skip,
                           .max_bytes = options.max_bytes,
                           .max_held = options.max_bytes,
                           .max_text = options.max_text,
                           .as = options.as,
                           .most = options.layers,
                           .values = options.values,
                           .inside = options.inside,
                           .entries = options.entries,
                           .dialect = options.dialect,
                           .allow_objects = options.allow_objects,
                           .all_readings = options.all_readings};
    auto found = open_layers(std::move(file), how);
    if (!found)
        return std::unexpected(found.error().error);
    opened = *std::move(found);
    if (auto done = read(); !done)
        return done;
    // A file without layers is not looked at again.
    if (opened.layers.empty())
        opened.sources.clear();
    return {};
}

Error SaveFile::State::no_document() const {
    if (options.as != InputKind::unknown && !find_layer_kind(options.as))
        return Error{Errc::not_recognised}.about_reason("SaveOptions::as is no kind of document");
    if (opened.text_too_large)
        return Error{Errc::size_limit}.about_reason(
            "the text inside of the layers is larger than max_text (32 MiB unless it is set)");
    if (find_layer_kind(opened.kind))
        return Error{Errc::not_recognised}.about_reason(
            "SaveOptions::layers leaves a layer closed, and the rest is no document");
    if (is_archive(opened.kind))
        return Error{Errc::not_recognised}.about_reason(
            opened.kind == InputKind::pack
                ? "it is a pack of a Godot game: SaveOptions::entries names a file in it"
                : "it has several files of a browser: SaveOptions::entries names one");
    const std::uint64_t skip = opened.layers.empty() ? options.skip : 0;
    return not_recognised(opened.readings, opened.inside().size() == skip);
}

std::expected<void, FileError> SaveFile::State::read() {
    kind = find_document_kind(opened.kind);
    if (!kind)
        return std::unexpected(no_document());
    auto loaded = LoadedDocument::load(
        opened.inside(), *kind,
        {.skip = opened.layers.empty() ? options.skip : 0,
         .max_bytes = options.max_bytes,
         .max_text = opened.layers.empty() ? options.max_bytes : opened.most_text,
         .dialect = options.dialect,
         .strict = options.strict});
    if (!loaded)
        return std::unexpected(loaded.error());
    content = std::move(loaded->content);
    behind = std::move(loaded->behind);
    document = std::move(loaded->document);
    dialect = loaded->dialect;
    items = document->items();
    return {};
}

std::expected<SaveFile, FileError> open_save(const std::string& path, SaveOptions options) try {
    auto state = std::make_unique<SaveFile::State>();
    state->path = path;
    state->options = std::move(options);
    if (auto opened = state->open(); !opened)
        return std::unexpected(opened.error());
    return SaveFile(std::move(state));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<SaveFile, FileError> read_save(ByteView bytes, SaveOptions options) try {
    auto state = std::make_unique<SaveFile::State>();
    state->options = std::move(options);
    if (auto opened = state->open(
            std::make_unique<OwnedSource>(std::vector<std::byte>(bytes.begin(), bytes.end())));
        !opened)
        return std::unexpected(opened.error());
    return SaveFile(std::move(state));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

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

// ---- paths

std::expected<const Document*, Error> SaveFile::State::parsed(std::size_t index) {
    const ByteView packet = items[index].packet;
    const auto held = read_items.find(packet.data());
    if (held != read_items.end())
        return &held->second;
    auto fresh = Document::parse(packet, decoding());
    if (!fresh)
        return std::unexpected(fresh.error());
    return &read_items.insert_or_assign(packet.data(), *std::move(fresh)).first->second;
}

std::expected<inspect::Found, Error> SaveFile::find(std::string_view path) try {
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
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

// ---- changes

ByteView SaveFile::State::keep(ByteView bytes) {
    std::vector<std::byte> copy(bytes.begin(), bytes.end());
    const void* begin = copy.data();
    return made.insert_or_assign(begin, std::move(copy)).first->second;
}

void SaveFile::State::forget(const void* begin) {
    read_items.erase(begin);
    made.erase(begin);
}

/// Whether the document can express the changed values: a text can't hold every value, and binary
/// resources are only read. So `save` does not fail for what `set` accepted.
std::expected<void, Error> SaveFile::State::check_document(std::vector<SaveItem> with) const {
    if (!kind->made)
        return {};
    auto written = document->write(with);
    if (!written)
        return std::unexpected(written.error().error);
    return {};
}

std::expected<void, Error> SaveFile::State::put(std::size_t index, ByteView packet) {
    const ByteView old = items[index].packet;
    if (std::equal(old.begin(), old.end(), packet.begin(), packet.end()))
        return {};
    std::vector<SaveItem> with = items;
    with[index].packet = packet;
    if (auto fits = check_document(std::move(with)); !fits)
        return fits;
    items[index].packet = keep(packet);
    forget(old.data());
    changed = true;
    return {};
}

void SaveFile::State::take_out(std::size_t index) {
    forget(items[index].packet.data());
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
    changed = true;
}

std::expected<SaveFile::State::Planned, inspect::SetRefusal> SaveFile::State::plan(
    std::string_view where, const Variant& value, inspect::SetRules rules) {
    const auto refused = [&](inspect::SetNeeds needs, const Error& error, std::string what = {}) {
        if (what.empty()) {
            what = to_string(error);
            what.erase(0, what.find(": ") + 2);  // the code
        }
        return std::unexpected(
            inspect::SetRefusal{needs, error, std::string(where), std::move(what), Type::nil});
    };
    if (auto may = writable(); !may)
        return refused(inspect::SetNeeds::another_path, may.error());
    auto at = parse_save_path(where, kind->named);
    if (!at)
        return refused(inspect::SetNeeds::another_path, detail::bad_path(where, at.error()));
    rules.whole = rules.whole || kind->named;
    const auto index = index_of(*at);
    if (!index && at->name && at->path.whole()) {
        if (!rules.create)
            return refused(inspect::SetNeeds::create, index.error(), "there is no such setting");
        auto fits = inspect::in_type(value, rules.type.value_or(value.type()));
        if (fits)
            return Planned{*std::move(at), {}, {.value = *std::move(fits), .added = true}};
        return refused(inspect::SetNeeds::another_value,
                       Error{Errc::wrong_type, value.type()}.about_types(*rules.type));
    }
    if (!index)
        return refused(inspect::SetNeeds::another_path, index.error());
    const auto item = parsed(*index);
    if (!item)
        return refused(inspect::SetNeeds::another_path, item.error());
    auto made_plan = inspect::plan_set((*item)->root(), at->path, value, rules);
    if (!made_plan)
        return std::unexpected(std::move(made_plan.error()));
    return Planned{*std::move(at), *index, *std::move(made_plan)};
}

std::expected<void, Error> SaveFile::State::add(const SavePath& at, const Variant& value) {
    auto packet = encode(value, encoding());
    if (!packet)
        return std::unexpected(packet.error());
    const ByteView key = keep(as_bytes(*at.name));
    items.push_back(
        {.key = detail::as_text(key.data(), key.size()), .packet = keep(as_bytes(*packet))});
    changed = true;
    return {};
}

std::expected<inspect::SetPlan, inspect::SetRefusal> SaveFile::plan(
    std::string_view path, const Variant& value, const inspect::SetRules& rules) try {
    auto planned = state_->plan(path, value, rules);
    if (!planned)
        return std::unexpected(std::move(planned.error()));
    return std::move(planned->plan);
} catch (const std::bad_alloc&) {
    inspect::SetRefusal refusal;
    refusal.error.code = Errc::no_memory;
    return std::unexpected(std::move(refusal));
}

std::expected<void, Error> SaveFile::set(std::string_view path, const Variant& value,
                                         const inspect::SetRules& rules) try {
    auto planned = state_->plan(path, value, rules);
    if (!planned)
        return std::unexpected(planned.error().error);
    const Variant& fits = planned->plan.value;
    if (auto sound = inspect::check_value(fits, state_->encoding()); !sound)
        return sound;
    if (!planned->index)
        return state_->add(planned->at, fits);
    const ByteView old = items()[*planned->index].packet;
    auto made = inspect::set_value(old, planned->at.path, fits, state_->decoding());
    if (!made)
        return std::unexpected(made.error());
    if (auto sound = inspect::check_edited(old, as_bytes(*made), state_->encoding()); !sound)
        return sound;
    return state_->put(*planned->index, as_bytes(*made));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> SaveFile::erase(std::string_view path) try {
    if (auto may = state_->writable(); !may)
        return may;
    auto at = parse_save_path(path, kind().named);
    if (!at)
        return std::unexpected(detail::bad_path(path, at.error()));
    auto index = state_->index_of(*at);
    if (!index)
        return std::unexpected(index.error());
    if (kind().named && at->path.whole()) {
        state_->take_out(*index);
        return {};
    }
    const ByteView old = items()[*index].packet;
    auto made = inspect::erase_value(old, at->path, state_->decoding());
    if (!made)
        return std::unexpected(made.error());
    if (auto sound = inspect::check_edited(old, as_bytes(*made), state_->encoding()); !sound)
        return sound;
    return state_->put(*index, as_bytes(*made));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> SaveFile::rename(std::string_view path, const Variant& key) try {
    if (auto may = state_->writable(); !may)
        return may;
    auto at = parse_save_path(path, kind().named);
    if (!at)
        return std::unexpected(detail::bad_path(path, at.error()));
    const auto index = state_->index_of(*at);
    if (!index)
        return std::unexpected(index.error());
    if (auto sound = inspect::check_value(key, state_->encoding()); !sound)
        return sound;
    const ByteView old = items()[*index].packet;
    const auto made = inspect::rename_key(old, at->path, key, state_->decoding());
    if (!made)
        return std::unexpected(made.error());
    if (auto sound = inspect::check_edited(old, as_bytes(*made), state_->encoding()); !sound)
        return sound;
    return state_->put(*index, as_bytes(*made));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> SaveFile::insert_item(std::int64_t number, ByteView packet) try {
    if (auto may = state_->writable(); !may)
        return may;
    if (!kind().several || kind().named)
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("the save is no row of records"));
    const auto index = state_->index_of(number, true);
    if (!index)
        return std::unexpected(index.error());
    if (auto sound = inspect::check_written(packet, state_->encoding()); !sound)
        return sound;
    std::vector<SaveItem>& items = state_->items;
    const auto place = static_cast<std::ptrdiff_t>(*index);
    std::vector<SaveItem> with = items;
    with.insert(with.begin() + place, {.packet = packet});
    if (auto fits = state_->check_document(std::move(with)); !fits)
        return fits;
    items.insert(items.begin() + place, {.packet = state_->keep(packet)});
    state_->changed = true;
    return {};
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> SaveFile::replace_item(std::int64_t number, ByteView packet) try {
    if (auto may = state_->writable(); !may)
        return may;
    const auto index = state_->index_of(number);
    if (!index)
        return std::unexpected(index.error());
    if (auto sound = inspect::check_written(packet, state_->encoding()); !sound)
        return sound;
    return state_->put(*index, packet);
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> SaveFile::restore_items(std::size_t first, std::size_t count,
                                                   std::span<const SaveItem> with) try {
    if (auto may = state_->writable(); !may)
        return may;
    std::vector<SaveItem>& items = state_->items;
    if (first > items.size() || count > items.size() - first)
        return std::unexpected(Error{Errc::index_out_of_range}.about_index(
            static_cast<std::int64_t>(first), items.size()));
    if (!kind().several && count != with.size())
        return std::unexpected(Error{Errc::misplaced}.about_reason("the save holds one value"));
    std::vector<SaveItem> all = items;
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
    all.insert(all.erase(from, from + static_cast<std::ptrdiff_t>(count)), with.begin(),
               with.end());
    if (auto fits = state_->check_document(std::move(all)); !fits)
        return fits;
    // Everything is copied before anything is forgotten: `with` may show what this SaveFile holds.
    std::vector<SaveItem> kept(with.begin(), with.end());
    for (SaveItem& item : kept) {
        if (!item.key.empty()) {
            const ByteView key = state_->keep(as_bytes(item.key));
            item.key = detail::as_text(key.data(), key.size());
        }
        item.packet = state_->keep(item.packet);
    }
    for (std::size_t i = first; i < first + count; ++i)
        state_->forget(items[i].packet.data());
    const auto at = items.begin() + static_cast<std::ptrdiff_t>(first);
    items.insert(items.erase(at, at + static_cast<std::ptrdiff_t>(count)), kept.begin(),
                 kept.end());
    state_->changed = true;
    return {};
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> SaveFile::remove_item(std::int64_t number) {
    if (auto may = state_->writable(); !may)
        return may;
    const auto index = state_->index_of(number);
    if (!index)
        return std::unexpected(index.error());
    if (!kind().named && items().size() == 1)
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("the only value of a save can't be removed"));
    state_->take_out(*index);
    return {};
}

// ---- writing

std::expected<std::vector<std::byte>, FileError> SaveFile::State::inner() const {
    auto bytes = document->write(items);
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

std::expected<void, FileError> SaveFile::State::write_to(Target& target, ByteView inner) const {
    if (auto put = target.write(head); !put)
        return put;
    MemorySource source(inner);
    return write_layers(source, target, opened.layers, key(), &opened);
}

std::expected<std::vector<std::byte>, FileError> SaveFile::bytes() const try {
    std::vector<std::byte> out;
    MemoryTarget target(out);
    const auto inner = state_->inner();
    if (!inner)
        return inner;
    if (auto put = state_->write_to(target, *inner); !put)
        return std::unexpected(put.error());
    return out;
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

SaveFile::State::Converted SaveFile::State::converted_text(
    const Dialect& to, const inspect::Renames& renames, inspect::ConversionReport& report) const {
    if (!changed)
        return document->convert(to, renames, report);
    // What stands in the text is what is converted: the changes are made in it first.
    const auto bytes = document->write(items);
    if (!bytes)
        return bytes;
    const auto again = kind->open(*kind, *bytes, {.dialect = dialect});
    if (!again)
        return std::unexpected(DocumentError{again.error()});
    return (*again)->convert(to, renames, report);
}

SaveFile::State::Converted SaveFile::State::converted_items(
    const Dialect& to, const inspect::Renames& renames, inspect::ConversionReport& report) const {
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
    auto bytes = document->write(with);
    if (bytes)
        bytes->insert(bytes->end(), behind.begin(), behind.end());
    return bytes;
}

std::expected<std::vector<std::byte>, DocumentError> SaveFile::convert(
    const Dialect& to, const inspect::Renames& renames, inspect::ConversionReport& report,
    const std::vector<Layer>* layers) const try {
    const auto inner = kind().text ? state_->converted_text(to, renames, report)
                                   : state_->converted_items(to, renames, report);
    if (!inner)
        return inner;
    std::vector<std::byte> out;
    MemoryTarget target(out);
    MemorySource source(*inner);
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
    auto put = target.write(state_->head);
    if (put)
        put = write_layers(source, target, fitting.layers, state_->key(), same ? &opened : nullptr);
    if (!put)
        return std::unexpected(DocumentError{put.error().error});
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(DocumentError{Error{Errc::no_memory}});
}

std::expected<void, FileError> SaveFile::State::write(const std::string& backup) {
    if (path.empty())
        return std::unexpected(FileError::io(EBADF));
    auto bytes = inner();
    if (!bytes)
        return std::unexpected(bytes.error());
    if (is_as_before(*bytes)) {
        changed = false;
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
        return std::unexpected(FileError::io(ESTALE));
    }
    auto file = AtomicFile::open(path, {.backup = backup, .expected = stamp, .lock = &*lock});
    if (!file)
        return std::unexpected(file.error());
    if (auto put = write_to(*file, *bytes); !put)
        return put;
    if (auto done = file->commit(); !done)
        return done;
    stamp = file->stamp();
    changed = false;
    saved = *std::move(bytes);
    lock.reset();  // the lock was that of the old file
    return {};
}

std::expected<void, FileError> SaveFile::save(const std::string& backup) try {
    if (!changed())
        return {};
    return state_->write(backup);
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace gdvar
