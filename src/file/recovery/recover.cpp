#include "gdvar/file/recover.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/recovery/recover_layers.hpp"
#include "file/recovery/recover_rows.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {

using namespace recovering;

struct Recovery::State {
    std::vector<std::byte> head;  ///< the bytes that `skip` passes over
    Found found;
    const DocumentKind* kind = nullptr;
    std::vector<RecoveredItem> items;    ///< in `found`
    std::vector<RecoveredBreak> breaks;  ///< of the items
};

namespace {

std::vector<RecoveredItem> items_of(const Found& found, const RecoverOptions& options,
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
            breaks.push_back({part->error, error_path(bytes.subspan(framed.packet, framed.size),
                                                      decoding, part->error)});
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

}  // namespace

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
    const auto sound = [](const RecoveredItem& item) {
        return item.state == Recovered::whole && !item.found_again && !item.doubtful;
    };
    return lost().empty() && damage().empty() && notes().empty() &&
           std::ranges::all_of(items(), sound);
}

std::expected<void, FileError> Recovery::write(Target& to, const ContainerKey* key) const {
    return write(to, layers(), key);
}

std::expected<void, FileError> Recovery::write(Target& to, std::span<const Layer> layers,
                                               const ContainerKey* key) const GDVAR_TRY {
    // Records follow each other, so they are written some at a time. Others are few.
    const bool in_parts = kind().several && !kind().named;
    constexpr std::size_t part = 4096;
    Spool inner;
    const std::vector<std::byte>* const text = state_->found.made ? &state_->found.text : nullptr;
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
                                                const RecoverOptions& options) GDVAR_TRY {
    if (bytes.size() < options.skip)
        return refuse(Errc::truncated, 0, options.skip - bytes.size());
    const auto skip = static_cast<std::size_t>(options.skip);
    auto state = std::make_unique<Recovery::State>();
    state->head.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(skip));
    Content content;
    content.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(skip), bytes.end());
    auto found = LayerReader(options).read(std::move(content));
    if (!found)
        return std::unexpected(found.error());
    state->found = *std::move(found);
    state->kind = find_document_kind(state->found.kind);
    state->found.rows.rows.shrink_to_fit();
    state->items = state->found.made ? items_of_text(state->found, state->breaks)
                                     : items_of(state->found, options, state->breaks);
    state->found.rows.rows = {};  // the items say as much
    return Recovery(std::move(state));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
