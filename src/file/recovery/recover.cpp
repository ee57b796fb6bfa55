#include "gdvar/file/recover.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/recovery/recover_document.hpp"
#include "file/recovery/recover_layers.hpp"
#include "file/recovery/recover_rows.hpp"
#include "file/recovery/recover_text.hpp"
#include "file/save_file_state.hpp"
#include "gdvar/file/sections_guess.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {

using namespace recovering;

struct Recovery::State {
    std::vector<std::byte> head;  ///< the bytes that `skip` passes over
    /// The whole file, if it is sound and has layers that it can be written back in without a key.
    std::vector<std::byte> file;
    bool whole = false;  ///< it was read as other functions do, and `found.text` is not used
    Found found;
    const DocumentKind* kind = nullptr;
    std::vector<RecoveredItem> items;    ///< in `found`
    std::vector<RecoveredBreak> breaks;  ///< of the items

    std::expected<void, FileError> read_whole(ByteView bytes, const SaveOptions& options);
    std::expected<void, FileError> read_damaged(ByteView bytes, const SaveOptions& options);
    bool may_hold() const;
    bool sound() const;
    void tell(const FileError& why);
};

namespace {

std::vector<RecoveredItem> items_of(const Found& found, const SaveOptions& options,
                                    std::vector<RecoveredBreak>& breaks) {
    const ByteView bytes = found.document.bytes;
    const Holed holed(bytes, found.document.parts);
    const DecodeOptions decoding{
        .dialect = found.dialect, .allow_objects = true, .real_width = options.real_width};
    std::vector<RecoveredItem> items;
    items.reserve(found.rows.rows.size());
    breaks.reserve(found.rows.parts.size());
    found.rows.each(bytes, [&](const Row& row, ByteView packet, const Part* part) {
        const Framed& framed = row.framed;
        RecoveredItem item;
        if (framed.key_size)
            item.key = detail::as_text(bytes.data() + framed.key(), framed.key_size);
        item.packet = packet;
        item.offset = framed.packet;
        item.state = row.state;
        item.found_again = row.found_again;
        item.doubtful = holed.doubtful(framed.packet, framed.end());
        if (part) {
            const ByteView broken = bytes.subspan(framed.packet, framed.size);
            const bool around = !part->around.empty();
            breaks.push_back({part->error,
                              around ? part->around : error_path(broken, decoding, part->error), 0,
                              around});
            item.broken = &breaks.back();
        }
        items.push_back(item);
    });
    return items;
}

/// The values of a text, whose packets were made of it.
std::vector<RecoveredItem> items_of_text(const Found& found, std::vector<RecoveredBreak>& breaks) {
    const auto& parts = found.document.parts;
    const bool doubtful = std::ranges::any_of(parts, &DamagedPart::doubtful);
    std::vector<RecoveredItem> items;
    items.reserve(found.text_items.size());
    // Items point to them.
    breaks.reserve(static_cast<std::size_t>(std::ranges::count_if(
        found.text_items, [](const TextItem& item) { return !!item.broken; })));
    for (std::size_t i = 0; i < found.text_items.size(); ++i) {
        const TextItem& from = found.text_items[i];
        RecoveredItem item;
        item.packet = found.made->items()[i].packet;
        item.offset = from.offset;
        item.doubtful = doubtful;
        if (from.broken) {
            item.state = Recovered::partial;
            breaks.push_back(*from.broken);
            item.broken = &breaks.back();
        }
        items.push_back(item);
    }
    return items;
}

/// The same save for the functions that open sound ones.
SaveOptions as_sound(ByteView bytes, SaveOptions options) {
    options.allow_objects = true;
    options.strict = false;
    options.layers = SIZE_MAX;
    options.entries.clear();
    // The bytes of the file are in memory, whatever the limit of its layers.
    options.max_bytes = std::max<std::uint64_t>(options.max_bytes, bytes.size());
    return options;
}

bool is_certain(const Found& found, std::span<const RecoveredItem> items,
                const SaveOptions& options) {
    if (options.dialect || found.kind == InputKind::json || found.kind == InputKind::json_lines)
        return true;
    const ByteView bytes = found.document.bytes;
    if (find_document_kind(found.kind)->text)
        return guess_family(detail::as_text(bytes.data(), bytes.size())).certain;
    std::vector<ByteView> packets;
    packets.reserve(items.size());
    for (const RecoveredItem& item : items)
        packets.push_back(item.packet);
    const inspect::Guess guess = inspect::guess_dialect(packets);
    return guess.dialect && !guess.ambiguous;
}

}  // namespace

/// The save as other functions open it: what is sound for them is sound. Errors: why it is not.
std::expected<void, FileError> Recovery::State::read_whole(ByteView bytes,
                                                           const SaveOptions& options) {
    SaveFile::State from;
    from.options = as_sound(bytes, options);
    if (auto loaded = from.load(std::make_unique<MemorySource>(bytes)); !loaded)
        return loaded;
    if (auto sound = from.check(from.document->items()); !sound)
        return std::unexpected(FileError(sound.error().error));
    const std::string_view text = detail::as_text(from.content.data(), from.content.size());
    const InputKind seen = from.kind->seen_as;
    const bool likely =
        seen != InputKind::packets ||
        ((options.dialect || fits_best(from.content, *from.dialect)) &&
         (options.as == InputKind::packets || !is_one_packet(from.content, *from.dialect)));
    // Engines read no Base64 with a space inside of a line.
    const bool spread = std::ranges::any_of(from.opened.layers, [](const Layer& layer) {
        return layer.no_form && layer.kind->seen_as == InputKind::base64;
    });
    if (!likely || spread || is_odd_text(text, seen, *from.dialect, options))
        return refuse(Errc::bad_syntax);
    if (!from.opened.layers.empty() && !needs_key(from.opened.layers))
        file.assign(bytes.begin(), bytes.end());
    whole = true;
    found.layers = std::move(from.opened.layers);
    found.kind = seen;
    found.dialect = from.dialect;
    found.document.bytes = std::move(from.content);
    found.made = std::move(from.document);
    items.reserve(found.made->items().size());
    for (const SaveItem& item : found.made->items())
        items.push_back({.key = item.key, .packet = item.packet, .offset = item.offset});
    found.certain = is_certain(found, items, options);
    return {};
}

std::expected<void, FileError> Recovery::State::read_damaged(ByteView bytes,
                                                             const SaveOptions& options) {
    Content content;
    const ByteView rest = bytes.subspan(head.size());
    content.bytes.assign(rest.begin(), rest.end());
    auto read = LayerReader(options).read(std::move(content));
    if (!read)
        return std::unexpected(read.error());
    found = *std::move(read);
    found.rows.rows.shrink_to_fit();
    items = found.made ? items_of_text(found, breaks) : items_of(found, options, breaks);
    std::vector<Row>().swap(found.rows.rows);  // the items say as much
    return {};
}

/// Whether the only value may hold a document.
bool Recovery::State::may_hold() const {
    if (items.size() != 1)
        return false;
    const auto value =
        Document::parse(items[0].packet, {.dialect = found.dialect, .allow_objects = true});
    const Type type = value ? value->root().type() : Type::nil;
    return type == Type::string || type == Type::string_name || type == Type::packed_byte_array;
}

bool Recovery::State::sound() const {
    const auto sound = [](const RecoveredItem& item) {
        return item.state == Recovered::whole && !item.found_again && !item.doubtful;
    };
    return found.rows.lost.empty() && found.damage.empty() && found.notes.empty() &&
           std::ranges::all_of(items, sound);
}

/// Why other functions refuse a save of which nothing is lost: nothing else would show it.
void Recovery::State::tell(const FileError& why) {
    const std::string stack = stack_in_words(found.layers, found.kind);
    found.notes.push_back(why.code == Errc::not_recognised
                              ? "it is not recognised as " + stack + ", but it can be read so"
                              : "it can be read as " + stack +
                                    ", but not as it stands: " + to_string(why));
}

std::string_view recovered_name(Recovered state) noexcept {
    constexpr std::string_view names[] = {"whole", "resized", "partial"};
    return names[static_cast<std::size_t>(state)];
}

Recovery::Recovery(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Recovery::Recovery(Recovery&& other) noexcept = default;
Recovery& Recovery::operator=(Recovery&& other) noexcept = default;
Recovery::~Recovery() = default;

const std::vector<Layer>& Recovery::layers() const noexcept {
    return state_->found.layers;
}
const DocumentKind& Recovery::kind() const noexcept {
    return *state_->kind;
}
const Dialect& Recovery::dialect() const noexcept {
    return *state_->found.dialect;
}
bool Recovery::dialect_certain() const noexcept {
    return state_->found.certain;
}
const std::vector<RecoveredItem>& Recovery::items() const noexcept {
    return state_->items;
}
ByteView Recovery::content() const noexcept {
    return state_->found.document.bytes;
}
const std::vector<LostRange>& Recovery::lost() const noexcept {
    return state_->found.rows.lost;
}
const std::vector<LayerDamage>& Recovery::damage() const noexcept {
    return state_->found.damage;
}
const std::vector<std::string>& Recovery::notes() const noexcept {
    return state_->found.notes;
}
bool Recovery::sound() const noexcept {
    return state_->sound();
}

std::expected<void, FileError> Recovery::write(Target& to, const ContainerKey* key) const {
    return state_->file.empty() ? write(to, layers(), key) : to.write(state_->file);
}

std::expected<void, FileError> Recovery::write(Target& to, std::span<const Layer> layers,
                                               const ContainerKey* key) const GDVAR_TRY {
    // Records follow each other, so they are written some at a time. Others are few.
    const bool in_parts = kind().several && !kind().named;
    constexpr std::size_t part = 4096;
    Spool inner;
    const std::vector<std::byte>* const text = state_->whole        ? &state_->found.document.bytes
                                               : state_->found.made ? &state_->found.text
                                                                    : nullptr;
    if (text)
        if (auto put = inner.write(*text); !put)
            return put;
    std::vector<SaveItem> values;
    for (std::size_t at = 0; !text && (at < items().size() || at == 0);) {
        values.clear();
        const std::size_t end = in_parts ? std::min(at + part, items().size()) : items().size();
        for (; at < end; ++at)
            values.push_back({.key = items()[at].key, .packet = items()[at].packet});
        auto bytes = kind().write(values, dialect());
        if (!bytes)
            return std::unexpected(FileError(bytes.error().error));
        if (auto put = inner.write(*bytes); !put)
            return put;
        if (end == items().size())
            break;
    }
    if (auto put = to.write(state_->head); !put)
        return put;
    return write_layers(inner, to, layers, key);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<Recovery, FileError> recover_save(ByteView bytes,
                                                const SaveOptions& options) GDVAR_TRY {
    if (bytes.size() < options.skip)
        return refuse(Errc::truncated, 0, options.skip - bytes.size());
    const auto skip = static_cast<std::size_t>(options.skip);
    auto state = std::make_unique<Recovery::State>();
    state->head.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(skip));
    const auto whole = state->read_whole(bytes, options);
    if (!whole && whole.error().code == Errc::no_memory)
        return std::unexpected(whole.error());
    if (!whole || state->may_hold()) {
        auto damaged = std::make_unique<Recovery::State>();
        damaged->head = state->head;
        auto read = damaged->read_damaged(bytes, options);
        if (!whole && !read)
            return std::unexpected(read.error());
        if (!whole && damaged->sound())
            damaged->tell(whole.error());
        // A sound String may hold a document that breaks off.
        const bool inside = read && damaged->found.layers.size() > state->found.layers.size();
        if (!whole || (inside && !damaged->sound()))
            state = std::move(damaged);
    }
    state->kind = find_document_kind(state->found.kind);
    return Recovery(std::move(state));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
