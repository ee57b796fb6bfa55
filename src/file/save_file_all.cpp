// All values that a path leads to.
#include <algorithm>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/save_file_state.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/inspect/written.hpp"

namespace gdvar {
namespace {

using inspect::EditCounts;
using inspect::EditedAll;
using inspect::SetNeeds;
using inspect::SetRefusal;

std::unexpected<SetRefusal> refuse(SetNeeds needs, const Error& error, std::string at) {
    return std::unexpected(
        SetRefusal{needs, error, std::move(at), inspect::message_without_code(error), Type::nil});
}

}  // namespace

std::expected<SaveFile::State::Range, Error> SaveFile::State::range_of(const SavePath& at) const {
    if (at.every)
        return Range{0, items.size()};
    const auto index = index_of(at);
    if (!index)
        return std::unexpected(index.error());
    return Range{*index, *index + 1};
}

std::string SaveFile::State::label(std::size_t index) const {
    return item_label(*kind, index, items[index].key);
}

std::expected<std::size_t, Error> SaveFile::State::find_each(
    const SavePath& at, const std::function<bool(const SaveMatch&)>& use) {
    const auto range = range_of(at);
    if (!range)
        return std::unexpected(range.error());
    std::size_t count = 0;
    bool goes_on = true, led = range->begin == range->end;
    std::optional<Error> astray;
    for (std::size_t i = range->begin; i < range->end && goes_on; ++i) {
        const auto item = parsed(i);
        if (!item)
            return std::unexpected(item.error());
        std::string where = label(i);
        const std::size_t label_size = where.size();
        const auto found =
            inspect::lookup_each((*item)->root(), at.path, [&](const inspect::MatchView& match) {
                where.resize(label_size);
                where += match.path;
                return goes_on = use({i, where, match.value});
            });
        if (!found && found.error().code == Errc::no_memory)
            return found;
        if (!found && !astray)
            astray = found.error();
        led = led || found;
        count += found.value_or(0);
    }
    return led ? std::expected<std::size_t, Error>(count) : std::unexpected(*astray);
}

std::expected<std::size_t, Error> SaveFile::find_each(
    std::string_view path, const std::function<bool(const SaveMatch&)>& use) GDVAR_TRY {
    auto at = parse_save_path(path, kind().named);
    if (!at)
        return std::unexpected(detail::bad_path(path, at.error()));
    at->every = at->every || (kind().several && !at->number && !at->name);
    return state_->find_each(*at, use);
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

/// Puts all new bytes, or none.
std::expected<void, Error> SaveFile::State::put_all(std::span<const Replaced> changes) {
    auto written = checked([&](std::vector<SaveItem>& with) {
        for (const auto& [index, packet] : changes)
            with[index].packet = packet;
    });
    if (!written)
        return std::unexpected(written.error());
    for (const auto& [index, packet] : changes) {
        const void* const old = items[index].packet.data();
        items[index].packet = keep(packet);
        forget(old);
    }
    mark_changed(*std::move(written));
    return {};
}

std::expected<void, Error> SaveFile::State::put_and_keep(std::span<const Replaced> changes) {
    KeptChange noted = note(changes);
    auto done = put_all(changes);
    if (done && kept_changes)
        kept_changes->add(std::move(noted));
    return done;
}

/// `change` gives the new packet of a value, with what was changed in it. Where nothing is changed,
/// a path that leads nowhere is refused.
std::expected<EditCounts, SetRefusal> SaveFile::State::change_all(
    const SavePath& at, std::string_view where,
    const std::function<std::expected<EditedAll, SetRefusal>(ByteView)>& change) {
    const auto range = range_of(at);
    if (!range)
        return refuse(SetNeeds::another_path, range.error(), std::string(where));
    EditCounts counts;
    std::vector<PackedByteArray> packets;
    std::vector<Replaced> changes;
    for (std::size_t i = range->begin; i < range->end; ++i) {
        const ByteView old = items[i].packet;
        std::expected<EditedAll, SetRefusal> edited = change(old);
        if (!edited) {
            edited.error().at.insert(0, label(i));
            return std::unexpected(std::move(edited.error()));
        }
        if (!edited->changed)
            continue;
        if (auto sound = inspect::check_edited(old, as_bytes(edited->packet), encoding()); !sound)
            return refuse(SetNeeds::another_value, sound.error(), label(i) + at.path.to_string());
        counts += *edited;
        if (!std::ranges::equal(old, as_bytes(edited->packet)))
            changes.push_back({i, as_bytes(packets.emplace_back(std::move(edited->packet)))});
    }
    if (!counts.changed)
        if (const auto found = find_each(at, [](const SaveMatch&) { return true; }); !found)
            return refuse(SetNeeds::another_path, found.error(), std::string(where));
    if (changes.empty())
        return counts;
    if (auto put = put_and_keep(changes); !put)
        return refuse(SetNeeds::another_value, put.error(), std::string(where));
    return counts;
}

/// The place of a change, if it is a path and the save may change.
std::expected<SavePath, SetRefusal> SaveFile::State::place_to_change(std::string_view where) const {
    if (auto may = writable(); !may)
        return refuse(SetNeeds::another_path, may.error(), std::string(where));
    auto at = parse_save_path(where, kind->named);
    if (!at)
        return refuse(SetNeeds::another_path, detail::bad_path(where, at.error()),
                      std::string(where));
    return *std::move(at);
}

std::expected<EditCounts, SetRefusal> SaveFile::set_all(std::string_view path, const Variant& value,
                                                        const inspect::SetRules& rules) GDVAR_TRY {
    const auto at = state_->place_to_change(path);
    if (!at)
        return std::unexpected(at.error());
    const DecodeOptions decoding = state_->decoding();
    std::expected<void, Error> sound;
    inspect::SetAllRules all{rules};
    all.whole = all.whole || kind().named;
    all.accept = [&](std::string_view, const Variant& put) {
        sound = inspect::check_value(put, state_->encoding());
        return sound.has_value();
    };
    return state_->change_all(*at, path, [&](ByteView packet) {
        auto made = inspect::set_all(packet, at->path, value, all, decoding);
        if (!made && !sound)
            return std::expected<EditedAll, SetRefusal>(
                refuse(SetNeeds::another_value, sound.error(), made.error().at));
        return made;
    });
}
GDVAR_CATCH_NO_MEMORY(return refuse(SetNeeds::another_value, Error{Errc::no_memory}, {}))

std::expected<EditCounts, SetRefusal> SaveFile::erase_all(std::string_view path) GDVAR_TRY {
    const auto at = state_->place_to_change(path);
    if (!at)
        return std::unexpected(at.error());
    if (at->name && at->path.whole()) {
        if (const auto erased = erase(path); !erased)
            return refuse(SetNeeds::another_path, erased.error(), std::string(path));
        return EditCounts{.changed = 1};
    }
    return state_->change_all(*at, path, [&](ByteView packet) {
        return inspect::erase_all(packet, at->path, state_->decoding());
    });
}
GDVAR_CATCH_NO_MEMORY(return refuse(SetNeeds::another_value, Error{Errc::no_memory}, {}))

}  // namespace gdvar
