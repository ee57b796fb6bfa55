#include <algorithm>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/save_file_state.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {

using detail::refuse;

// ---- changes

ByteView SaveFile::State::keep(ByteView bytes) {
    Held copy{.own = {bytes.begin(), bytes.end()}};
    const void* begin = copy.own.data();
    return held.insert_or_assign(begin, std::move(copy)).first->second.own;
}

void SaveFile::State::forget(const void* begin) {
    held.erase(begin);
}

/// Whether the document can express the changed values: a text can't hold every value, and binary
/// resources are only read. So `save` does not fail for what `set` accepted. The bytes written for
/// this check are kept.
SaveFile::State::Written SaveFile::State::checked(const Change& change) const {
    if (!kind->made)
        return std::nullopt;
    std::vector<SaveItem> with = items;
    change(with);
    auto written = document->write(with);
    if (!written)
        return std::unexpected(written.error().error);
    return Shown{*std::move(written), nullptr};
}

std::expected<void, Error> SaveFile::State::put(std::size_t index, ByteView packet) {
    if (std::ranges::equal(items[index].packet, packet))
        return {};
    const Replaced change{index, packet};
    return put_and_keep({&change, 1});
}

/// Whether the packet of an item decodes strictly. Looked at once.
bool SaveFile::State::is_sound(std::size_t index) {
    std::optional<bool>& known = held[items[index].packet.data()].sound;
    if (!known)
        known = inspect::check_written(items[index].packet, encoding()).has_value();
    return *known;
}

namespace {

/// Whether the way to a value leads through an Object. Texts print some as one word.
bool is_in_object(View at, const Path& path) {
    for (const Path::Step& step : path.steps) {
        if (at.is(Type::object))
            return true;
        const auto next = detail::step_into(at, step);
        if (!next)
            return false;
        at = *next;
    }
    return false;
}

}  // namespace

/// Makes one change of an item's packet, at that path.
std::expected<void, Error> SaveFile::State::make(std::size_t index, const inspect::PacketEdit& edit,
                                                 const Path& at) {
    const ByteView old = items[index].packet;
    if (edit.changes_nothing(old) || make_in_place(index, edit, at))
        return {};
    const auto made = edit.apply(old);
    if (!made)
        return std::unexpected(made.error());
    if (auto sound = inspect::check_edited(old, as_bytes(*made), encoding()); !sound)
        return sound;
    return put(index, as_bytes(*made));
}

/// Other components of a value: taken back if they do not decode strictly.
bool SaveFile::State::overwrite(Held& of, const inspect::PacketEdit& edit) {
    const std::size_t begin = edit.view.offset(), size = edit.view.raw().size();
    const auto place = of.own.begin() + static_cast<std::ptrdiff_t>(edit.at);
    const std::vector<std::byte> was(place, place + static_cast<std::ptrdiff_t>(edit.size));
    edit.apply_to(of.own);
    if (inspect::check_written(ByteView(of.own).subspan(begin, size), encoding()))
        return true;
    std::ranges::copy(was, place);
    return false;
}

/// Changes the item's packet and its Document where they stand, if nothing but what changes has to
/// be looked at: the packet is sound, and what comes into it, too. False: that is not certain, and
/// nothing has changed.
bool SaveFile::State::make_in_place(std::size_t index, const inspect::PacketEdit& edit,
                                    const Path& at) {
    using inspect::PacketEdit;
    const ByteView old = items[index].packet;
    const std::size_t depth = at.steps.size();
    DecodeOptions how = decoding();
    how.strict = true;
    const std::uint64_t most = std::min(how.limits.max_depth, encoding().max_depth);
    if (edit.kind == PacketEdit::other || depth >= most ||
        old.size() + edit.with.size() > UINT32_MAX || !is_sound(index))
        return false;
    how.limits.max_depth = static_cast<std::uint32_t>(most - depth);
    const auto splice = edit.splice(how);
    const bool part = edit.kind == PacketEdit::part;
    if (part ? kind->made || detail::DocumentSplice::is_copied(edit.view) : !splice)
        return false;
    // Engines' lookup applies to new keys that are texts alone.
    const View key = splice && splice->parts == 2 ? splice->made[0].root() : View();
    const View value = splice && splice->parts ? splice->made[splice->parts - 1].root() : View();
    if (key && !key.is(Type::string))
        return false;
    Held& of = held[old.data()];
    if (!of.document)
        return false;
    KeptChange noted = note(index, edit);
    if (kind->made && (is_in_object(std::as_const(*of.document).root(), at) ||
                       !document->surely_holds(key, value, depth, edit.kind == PacketEdit::value)))
        return false;
    if (splice && !splice->reserve(*of.document))
        return false;
    if (of.own.empty())
        of.own.assign(old.begin(), old.end());
    if (part && !overwrite(of, edit))
        return false;
    if (splice) {
        edit.apply_to(of.own);
        splice->apply(*of.document, of.own.data(), edit.with.size());
    }
    detail::DocumentSplice::move_to(*of.document, of.own.data());
    auto moved = held.extract(old.data());
    items[index].packet = of.own;
    moved.key() = of.own.data();
    held.insert(std::move(moved));
    mark_changed();
    if (kept_changes)
        kept_changes->add(std::move(noted));
    return true;
}

/// Puts values in the place of `count` others.
std::expected<void, Error> SaveFile::State::exchange(std::size_t first, std::size_t count,
                                                     std::span<const SaveItem> with) {
    const auto put_in = [&](std::vector<SaveItem>& all, std::span<const SaveItem> what) {
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(first);
        all.insert(all.erase(at, at + static_cast<std::ptrdiff_t>(count)), what.begin(),
                   what.end());
    };
    auto written = checked([&](auto& all) { put_in(all, with); });
    if (!written)
        return std::unexpected(written.error());
    // Everything is copied before anything is forgotten: `with` may show what this SaveFile holds.
    std::vector<SaveItem> copies(with.begin(), with.end());
    for (SaveItem& item : copies) {
        if (!item.key.empty()) {
            const ByteView key = keep(as_bytes(item.key));
            item.key = detail::as_text(key.data(), key.size());
        }
        item.packet = keep(item.packet);
    }
    for (std::size_t i = first; i < first + count; ++i) {
        forget(items[i].packet.data());
        forget(items[i].key.data());
    }
    put_in(items, copies);
    mark_changed(*std::move(written));
    return {};
}

std::expected<void, Error> SaveFile::State::exchange_and_keep(std::size_t first, std::size_t count,
                                                              std::span<const SaveItem> with) {
    const auto same = [](const SaveItem& a, const SaveItem& b) {
        return std::ranges::equal(a.packet, b.packet) && stays(a, b);
    };
    if (std::ranges::equal(std::span(items).subspan(first, count), with, same))
        return {};
    KeptChange noted = note(first, count, with);
    auto done = exchange(first, count, with);
    if (done && kept_changes)
        kept_changes->add(std::move(noted));
    return done;
}

std::expected<SaveFile::State::Planned, inspect::SetRefusal> SaveFile::State::plan(
    std::string_view where, const Variant& value, inspect::SetRules rules) {
    const auto refused = [&](inspect::SetNeeds needs, const Error& error, std::string what = {}) {
        if (what.empty())
            what = inspect::message_without_code(error);
        return std::unexpected(
            inspect::SetRefusal{needs, error, std::string(where), std::move(what), Type::nil});
    };
    auto at = place_to_change(where);
    if (!at)
        return std::unexpected(std::move(at.error()));
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
    const SaveItem item{.key = *at.name, .packet = as_bytes(*packet)};
    return exchange_and_keep(items.size(), 0, {&item, 1});
}

std::expected<inspect::SetPlan, inspect::SetRefusal> SaveFile::plan(
    std::string_view path, const Variant& value, const inspect::SetRules& rules) GDVAR_TRY {
    auto planned = state_->plan(path, value, rules);
    if (!planned)
        return std::unexpected(std::move(planned.error()));
    return std::move(planned->plan);
}
GDVAR_CATCH_NO_MEMORY(inspect::SetRefusal refusal; refusal.error.code = Errc::no_memory;
                      return std::unexpected(std::move(refusal)))

std::expected<void, Error> SaveFile::set(std::string_view path, const Variant& value,
                                         const inspect::SetRules& rules) GDVAR_TRY {
    auto planned = state_->plan(path, value, rules);
    if (!planned)
        return std::unexpected(planned.error().error);
    const Variant& fits = planned->plan.value;
    if (auto sound = inspect::check_value(fits, state_->encoding()); !sound)
        return sound;
    if (!planned->index)
        return state_->add(planned->at, fits);
    const ByteView old = items()[*planned->index].packet;
    const auto value_there = state_->parsed(*planned->index);
    if (!value_there)
        return std::unexpected(value_there.error());
    const Path& path_there = planned->at.path;
    const auto edit =
        inspect::edit_set(old, (*value_there)->root(), path_there, fits, state_->decoding());
    if (!edit)
        return std::unexpected(edit.error());
    return state_->make(*planned->index, *edit, path_there);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::erase(std::string_view path) GDVAR_TRY {
    if (auto may = state_->writable(); !may)
        return may;
    auto at = parse_save_path(path, kind().named);
    if (!at)
        return std::unexpected(detail::bad_path(path, at.error()));
    auto index = state_->index_of(*at);
    if (!index)
        return std::unexpected(index.error());
    if (kind().named && at->path.whole())
        return state_->exchange_and_keep(*index, 1, {});
    const auto value = state_->parsed(*index);
    if (!value)
        return std::unexpected(value.error());
    const auto edit = inspect::edit_erase(items()[*index].packet, (*value)->root(), at->path,
                                          state_->decoding(), state_->is_sound(*index));
    if (!edit)
        return std::unexpected(edit.error());
    return state_->make(*index, *edit, at->path);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::rename(std::string_view path, const Variant& key) GDVAR_TRY {
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
    const auto value = state_->parsed(*index);
    if (!value)
        return std::unexpected(value.error());
    const auto edit = inspect::edit_rename(items()[*index].packet, (*value)->root(), at->path, key,
                                           state_->decoding());
    if (!edit)
        return std::unexpected(edit.error());
    return state_->make(*index, *edit, at->path);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::insert_item(std::int64_t number, ByteView packet) GDVAR_TRY {
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
    const SaveItem item{.packet = packet};
    return state_->exchange_and_keep(*index, 0, {&item, 1});
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::replace_item(std::int64_t number, ByteView packet) GDVAR_TRY {
    if (auto may = state_->writable(); !may)
        return may;
    const auto index = state_->index_of(number);
    if (!index)
        return std::unexpected(index.error());
    if (auto sound = inspect::check_written(packet, state_->encoding()); !sound)
        return sound;
    return state_->put(*index, packet);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::restore_items(std::size_t first, std::size_t count,
                                                   std::span<const SaveItem> with) GDVAR_TRY {
    if (auto may = state_->writable(); !may)
        return may;
    const std::size_t all = items().size();
    if (first > all || count > all - first)
        return std::unexpected(
            Error{Errc::index_out_of_range}.about_index(static_cast<std::int64_t>(first), all));
    if (!kind().several && count != with.size())
        return std::unexpected(Error{Errc::misplaced}.about_reason("the save holds one value"));
    return state_->exchange_and_keep(first, count, with);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::remove_item(std::int64_t number) GDVAR_TRY {
    if (auto may = state_->writable(); !may)
        return may;
    const auto index = state_->index_of(number);
    if (!index)
        return std::unexpected(index.error());
    if (!kind().named && items().size() == 1)
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("the only value of a save can't be removed"));
    return state_->exchange_and_keep(*index, 1, {});
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
