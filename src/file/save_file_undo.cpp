#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/save_file_state.hpp"
#include "inspect/differing.hpp"

namespace gdvar {

using detail::refuse;

OwnedItem::OwnedItem(const SaveItem& of)
    : item{.offset = of.offset, .number = of.number},
      key(of.key),
      packet(of.packet.begin(), of.packet.end()) {}

SaveItem OwnedItem::view() const noexcept {
    SaveItem out = item;
    out.key = key;
    out.packet = packet;
    return out;
}

std::uint64_t KeptChange::memory() const noexcept {
    std::uint64_t sum = sizeof *this;
    for (const Bytes& part : bytes)
        sum += sizeof part + part.before.size() + part.after.size();
    for (const auto* items : {&gone, &came})
        for (const OwnedItem& item : *items)
            sum += sizeof item + item.key.size() + item.packet.size();
    return sum;
}

void KeptChanges::add(KeptChange&& change) noexcept GDVAR_TRY {
    if (saved_ && *saved_ > done_)
        saved_.reset();
    for (; changes_.size() > done_; changes_.pop_back())
        bytes_ -= changes_.back().memory();
    changes_.push_back(std::move(change));
    ++done_;
    for (bytes_ += changes_.back().memory(); bytes_ > most_bytes_ && changes_.size() > 1;) {
        bytes_ -= changes_.front().memory();
        changes_.pop_front();
        --done_, ++dropped_;
        saved_ = saved_ && *saved_ ? std::optional(*saved_ - 1) : std::nullopt;
    }
}
GDVAR_CATCH_NO_MEMORY(drop(); ++dropped_)

void KeptChanges::drop() noexcept {
    changes_.clear();
    dropped_ += done_;
    bytes_ = done_ = 0;
    saved_.reset();
}

// ---- what a change needs to be taken back

namespace {

std::vector<std::byte> copy_of(ByteView bytes) {
    return {bytes.begin(), bytes.end()};
}

}  // namespace

KeptChange SaveFile::State::note(std::span<const Replaced> changes) const {
    KeptChange out;
    if (!kept_changes)
        return out;
    for (const auto& [index, packet] : changes) {
        const ByteView old = items[index].packet;
        const auto [begin, end, other_end] = detail::differing(old, packet);
        out.bytes.push_back({.index = index,
                             .offset = begin,
                             .before = copy_of(old.subspan(begin, end - begin)),
                             .after = copy_of(packet.subspan(begin, other_end - begin))});
    }
    return out;
}

KeptChange SaveFile::State::note(std::size_t index, const inspect::PacketEdit& edit) const {
    KeptChange out;
    if (!kept_changes)
        return out;
    const ByteView old = items[index].packet;
    if (edit.count_at) {
        const ByteView was = old.subspan(edit.count_at, sizeof(std::uint32_t));
        std::vector<std::byte> count = copy_of(was);
        detail::store(count.data(), detail::load<std::uint32_t>(was.data()) +
                                        static_cast<std::uint32_t>(edit.count));
        out.bytes.push_back({index, edit.count_at, copy_of(was), std::move(count)});
    }
    out.bytes.push_back(
        {index, edit.at, copy_of(old.subspan(edit.at, edit.size)), copy_of(as_bytes(edit.with))});
    return out;
}

KeptChange SaveFile::State::note(std::size_t first, std::size_t count,
                                 std::span<const SaveItem> with) const {
    KeptChange out;
    if (!kept_changes)
        return out;
    const auto were = std::span(items).subspan(first, count);
    if (std::ranges::equal(were, with, stays)) {
        std::vector<Replaced> changes;
        for (std::size_t i = 0; i < count; ++i)
            if (!std::ranges::equal(were[i].packet, with[i].packet))
                changes.push_back({first + i, with[i].packet});
        return note(changes);
    }
    out.first = first;
    for (const SaveItem& item : were)
        out.gone.emplace_back(item);
    for (const SaveItem& item : with)
        out.came.emplace_back(item);
    return out;
}

// ---- back and forth

std::expected<void, Error> SaveFile::State::go(bool back) {
    if (!kept_changes || !(back ? kept_changes->to_undo() : kept_changes->to_redo()))
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("no change is kept that could be taken back or "
                                                "made again"));
    const KeptChange& change = kept_changes->next(back);
    std::expected<void, Error> done;
    if (change.bytes.empty()) {
        const auto &go_out = back ? change.came : change.gone,
                   &come = back ? change.gone : change.came;
        std::vector<SaveItem> with;
        std::ranges::transform(come, std::back_inserter(with), &OwnedItem::view);
        done = exchange(change.first, go_out.size(), with);
    } else {
        std::vector<std::vector<std::byte>> packets;
        std::vector<Replaced> changes;
        for (std::size_t i = 0; i < change.bytes.size(); ++i) {
            const auto& part = change.bytes[back ? change.bytes.size() - 1 - i : i];
            const bool goes_on = !changes.empty() && changes.back().index == part.index;
            const ByteView was = goes_on ? changes.back().packet : items[part.index].packet;
            packets.push_back(inspect::with_bytes(was, part.offset,
                                                  (back ? part.after : part.before).size(),
                                                  back ? part.before : part.after));
            if (!goes_on)
                changes.push_back({part.index, {}});
            changes.back().packet = packets.back();
        }
        done = put_all(changes);
    }
    if (!done)
        return done;
    kept_changes->went(back);
    if (kept_changes->is_saved()) {
        changed = false;
        shown.reset();
        if (!options.lock)
            lock.reset();
    }
    return {};
}

void SaveFile::keep_changes(std::uint64_t most_bytes) {
    if (!state_->kept_changes) {
        state_->kept_changes.emplace(most_bytes);
        if (state_->changed)
            state_->kept_changes->drop();
    }
}

std::uint64_t SaveFile::change_count() const noexcept {
    return state_->kept_changes ? state_->kept_changes->count() : 0;
}

std::size_t SaveFile::undo_count() const noexcept {
    return state_->kept_changes ? state_->kept_changes->to_undo() : 0;
}

std::size_t SaveFile::redo_count() const noexcept {
    return state_->kept_changes ? state_->kept_changes->to_redo() : 0;
}

std::expected<void, Error> SaveFile::undo() GDVAR_TRY {
    return state_->go(true);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<void, Error> SaveFile::redo() GDVAR_TRY {
    return state_->go(false);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
