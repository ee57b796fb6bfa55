#include "gdvar/inspect/edit_all.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/edit_bytes.hpp"
#include "inspect/part.hpp"
#include "inspect/places.hpp"
#include "inspect/plan_there.hpp"
#include "inspect/same_keys.hpp"

namespace gdvar::inspect {
namespace {

using detail::MatchPlace;

SetRefusal refusal(const Error& error, std::string_view at) {
    return {.needs = SetNeeds::another_value,
            .error = error,
            .at = std::string(at),
            .what = message_without_code(error)};
}
SetRefusal no_memory() {
    return refusal(Error{Errc::no_memory, Type::nil, 0, 0}, "$");
}

/// Other bytes for bytes of a packet.
struct Splice {
    std::uint32_t at, size;
    std::uint64_t with;  ///< number of the new bytes in the Pool
};

/// Different runs of bytes, each once: many matches get the same ones.
class Pool {
public:
    /// The number of these bytes, and whether they are new.
    std::pair<std::uint64_t, bool> number(ByteView bytes) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (!all_.empty() && all_[static_cast<std::size_t>(last_)] == text)
            return {last_, false};
        const auto found = numbers_.find(text);
        if (found != numbers_.end())
            return {last_ = found->second, false};
        all_.emplace_back(text);
        last_ = all_.size() - 1;
        numbers_.emplace(all_.back(), last_);
        return {last_, true};
    }
    ByteView operator[](std::uint64_t i) const noexcept {
        return std::as_bytes(std::span<const char>(all_[static_cast<std::size_t>(i)]));
    }

private:
    std::deque<std::string> all_;  // which stay where they are
    std::unordered_map<std::string_view, std::uint64_t> numbers_;
    std::uint64_t last_ = 0;
};

/// A packet that changes at many places. Matches come in the order of the bytes, a container before
/// what it holds.
class Edits {
public:
    Edits(ByteView packet, const DecodeOptions& options, std::uint64_t max_bytes)
        : packet_(packet),
          writing_{
              .dialect = options.dialect, .allow_objects = true, .real_width = options.real_width},
          left_(max_bytes) {}

    std::optional<SetRefusal> refused;
    EditedAll done;

    /// Whether the place is inside of one that was changed. It then goes with that one.
    bool covers(const MatchPlace& place) {
        const bool inside_whole = place.whole.offset() < covered_to_;
        // ".x" of a Basis covers ".x.y", and not ".xx".
        const bool inside_part =
            !place.part.empty() && place.whole.offset() == part_of_ &&
            place.part.size() > last_part_.size() && place.part.starts_with(last_part_) &&
            (place.part[last_part_.size()] == '.' || place.part[last_part_.size()] == '[');
        if (!inside_whole && !inside_part)
            return false;
        ++done.inside;
        return true;
    }

    bool set(const MatchPlace& place, const Variant& value, const SetAllRules& rules) {
        auto plan = detail::plan_there(place.value, place.parent, place.path, place.path == "$",
                                       value, rules);
        if (!plan) {
            refused = std::move(plan.error());
            return false;
        }
        if (!place.value.part() && place.parent)
            if (auto taken = detail::taken_in(place.parent, plan->value, place.value.offset());
                !taken)
                return refuse(taken.error(), place.path);
        const auto bytes = encode(plan->value, writing_);
        if (!bytes) {
            Error error = bytes.error();
            error.offset = place.whole.offset();
            return refuse(error, place.path);
        }
        const auto [number, is_new] = pool_.number(as_bytes(*bytes));
        if (is_new && rules.accept && !rules.accept(place.path, plan->value))
            return refuse({Errc::misplaced, plan->value.type(), place.whole.offset(), 0},
                          place.path);
        if (!(place.value.part() ? set_part(place, plan->value)
                                 : splice(place, place.whole.offset(), number)))
            return false;
        if (plan->asked) {
            if (done.rounded++ == 0) {
                done.rounded_at = place.path;
                plan->before = Found();
                done.rounded_to = *std::move(plan);
            }
        }
        ++done.changed;
        return true;
    }

    bool erase(const MatchPlace& place) {
        if (place.value.part() && place.whole.is(Type::packed_string_array)) {
            ++done.changed;
            return in_strings(place, std::nullopt);
        }
        const bool root = !place.value.part() && !place.parent;
        if (root || place.value.part())
            return refuse(Error{Errc::misplaced, root ? Type::nil : place.whole.type(),
                                place.whole.offset(), 0}
                              .about_reason(root ? "the whole value can't be erased"
                                                 : "a part can't be erased by itself"),
                          place.path);
        const auto count = detail::count_place(place.parent);
        if (!count)
            return refuse({Errc::wrong_type, place.parent.type(), place.parent.offset(), 0},
                          place.path);
        std::uint64_t start = place.whole.offset();
        std::int32_t gone = 1;
        if (place.parent.is(Type::dictionary) || place.parent.is(Type::object)) {
            Open& open = opened(place);
            const auto places = open.keys.with(place.whole.offset());
            start = places.back().begin;
            gone += erase_earlier(open, places);
        }
        detail::change_count(copy() + place.parent.offset() + *count, -gone);
        ++done.changed;
        return splice(place, start, pool_.number({}).first);
    }

    /// The packet with all changes made.
    std::optional<SetRefusal> finish() {
        if (!flush_strings())
            return std::move(refused);
        if (splices_.empty()) {
            copy();
            done.packet = std::move(copy_);
            return std::nullopt;
        }
        if (unordered_)
            put_in_order();
        std::uint64_t size = packet_.size();
        for (const Splice& one : splices_)
            size += pool_[one.with].size() - one.size;
        if (!done.packet.try_reserve(static_cast<std::size_t>(size)))
            return no_memory();
        const ByteView from = copied_ ? as_bytes(copy_) : packet_;
        std::size_t at = 0;
        for (const Splice& one : splices_) {
            detail::append_bytes(done.packet, from.subspan(at, one.at - at));
            detail::append_bytes(done.packet, pool_[one.with]);
            at = one.at + one.size;
        }
        detail::append_bytes(done.packet, from.subspan(at));
        return std::nullopt;
    }

private:
    bool refuse(const Error& error, std::string_view path) {
        refused = refusal(error, path);
        return false;
    }

    /// The packet's bytes, of which some may be overwritten. They keep their places.
    std::byte* copy() {
        if (!copied_) {
            copied_ = true;
            if (!copy_.try_reserve(packet_.size()))
                GDVAR_THROW_NO_MEMORY();
            std::memcpy(copy_.data(), packet_.data(), packet_.size());
            copy_.set_size(packet_.size());
        }
        return reinterpret_cast<std::byte*>(copy_.data());
    }

    /// Replaces the bytes from `start` to the end of the place's value.
    bool splice(const MatchPlace& place, std::uint64_t start, std::uint64_t with) {
        if (!flush_strings())
            return false;
        const std::uint64_t end = place.whole.offset() + place.whole.raw().size();
        if (!grow(pool_[with].size(), place.path))
            return false;
        splices_.push_back(
            {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end - start), with});
        covered_to_ = end;
        part_of_ = nowhere;
        return true;
    }
    bool grow(std::uint64_t by, std::string_view path) {
        if (by > left_)
            return refuse({Errc::size_limit, Type::nil, 0, 0}, path);
        left_ -= by;
        return true;
    }

    /// A container of which pairs are erased. Matches come in the order of the bytes, so those that
    /// are open stand in each other.
    struct Open {
        std::uint64_t begin, end;
        detail::SameKeys keys;
        std::unordered_set<std::size_t> gone;  ///< values, if keys repeat
    };
    Open& opened(const MatchPlace& place) {
        while (!open_.empty() && open_.back().end <= place.whole.offset())
            open_.pop_back();
        const std::uint64_t begin = place.parent.offset();
        if (open_.empty() || open_.back().begin != begin)
            open_.push_back(
                {begin, begin + place.parent.raw().size(), detail::SameKeys(place.parent), {}});
        return open_.back();
    }
    /// Erases what goes with the last of the places, unless it has gone before. Returns how many
    /// went.
    std::int32_t erase_earlier(Open& open, const std::vector<detail::SameKeys::Place>& places) {
        if (!open.keys.repeat())
            return 0;
        std::int32_t count = 0;
        for (const auto& earlier : std::span(places).first(places.size() - 1)) {
            if (!open.gone.insert(earlier.value).second)
                continue;
            splices_.push_back({static_cast<std::uint32_t>(earlier.begin),
                                static_cast<std::uint32_t>(earlier.end - earlier.begin),
                                pool_.number({}).first});
            unordered_ = true;
            ++count;
        }
        open.gone.insert(places.back().value);
        done.earlier += static_cast<std::uint32_t>(count);
        return count;
    }
    /// Changes inside of a pair that went later go with it.
    void put_in_order() {
        detail::sort(splices_, [](const Splice& a, const Splice& b) {
            return a.at != b.at ? a.at < b.at : a.size > b.size;
        });
        std::uint64_t end = 0;
        std::erase_if(splices_, [&](const Splice& one) {
            const bool inside = one.at < end;
            end = std::max<std::uint64_t>(end, std::uint64_t{one.at} + one.size);
            return inside;
        });
    }

    static std::expected<detail::Part, Error> part_of(const MatchPlace& place) {
        const auto path = Path::parse(place.part);
        return path ? detail::part_at(place.whole, path->steps)
                    : std::unexpected(Error{Errc::bad_path, place.whole.type()});
    }
    bool set_part(const MatchPlace& place, const Variant& value) {
        if (place.whole.is(Type::packed_string_array))
            return in_strings(place, value);
        if (!flush_strings())
            return false;
        const auto part = part_of(place);
        if (!part)
            return refuse(part.error(), place.path);
        const auto put = detail::put_part(packet_, place.whole, *part, value, writing_);
        if (!put)
            return refuse(put.error(), place.path);
        // Only what is different, since another part of the same value may have been set.
        std::byte* const to = copy() + put->at;
        for (std::size_t i = 0; i < put->size; ++i)
            if (put->bytes[i] != packet_[put->at + i])
                to[i] = put->bytes[i];
        part_of_ = place.whole.offset();
        last_part_ = place.part;
        return true;
    }

    /// Sets or erases an element of a PackedStringArray, which is written anew behind its last one.
    bool in_strings(const MatchPlace& place, const std::optional<Variant>& value) {
        if (strings_ && strings_->offset() != place.whole.offset() && !flush_strings())
            return false;
        if (!strings_) {
            strings_ = place.whole;
            old_texts_ = place.whole.strings();
            next_ = old_texts_->begin();
            index_ = 0;
        }
        const auto part = part_of(place);
        if (!part)
            return refuse(part.error(), place.path);
        copy_strings_to(part->element);
        ++*next_;
        ++index_;
        if (value) {
            if (!grow(value->text().size() + 8, place.path))
                return false;
            texts_.push_back(value->text());
        }
        return true;
    }
    void copy_strings_to(std::size_t end) {
        for (; index_ < end; ++index_, ++*next_)
            texts_.push_back(**next_);
    }
    bool flush_strings() {
        if (!strings_)
            return true;
        const View whole = *strings_;
        strings_.reset();
        copy_strings_to(detail::element_count(whole));
        const auto bytes = encode(Variant(std::move(texts_)), writing_);
        texts_ = PackedStringArray();
        if (!bytes)
            return refuse(Error{bytes.error().code, whole.type(), whole.offset(), 0}, "$");
        splices_.push_back({whole.offset(), static_cast<std::uint32_t>(whole.raw().size()),
                            pool_.number(as_bytes(*bytes)).first});
        return true;
    }

    static constexpr std::uint64_t nowhere = UINT64_MAX;

    ByteView packet_;
    EncodeOptions writing_;
    PackedByteArray copy_;
    bool copied_ = false;
    std::deque<Splice> splices_;  // which takes no second copy while it grows
    bool unordered_ = false;      ///< they are not in the order of the bytes
    std::deque<Open> open_;       ///< of which pairs are erased, the innermost last
    Pool pool_;
    std::uint64_t left_;  ///< bytes that may still be put
    std::uint64_t covered_to_ = 0;
    std::uint64_t part_of_ = nowhere;  ///< offset of the value of which a part was set last
    std::string last_part_;
    std::optional<View> strings_;             ///< the PackedStringArray of which elements change
    std::optional<View::Strings> old_texts_;  // to which `next_` points
    std::optional<View::Strings::iterator> next_;  ///< its first element that was not looked at
    std::size_t index_ = 0;                        ///< of that
    PackedStringArray texts_;                      ///< its elements so far
};

/// Calls `change` for each match that is not inside another one.
template <class Change>
std::expected<EditedAll, SetRefusal> changed(ByteView packet, const Path& path,
                                             const DecodeOptions& options, Edits& edits,
                                             const Change& change) {
    const auto document = Document::parse(packet, options);
    if (!document)
        return std::unexpected(refusal(document.error(), "$"));
    const auto matches = detail::each_place(document->root(), path, [&](const MatchPlace& place) {
        return edits.covers(place) || change(place);
    });
    if (edits.refused)
        return std::unexpected(*std::move(edits.refused));
    if (!matches && matches.error().code == Errc::no_memory)
        return std::unexpected(no_memory());
    if (auto failed = edits.finish())
        return std::unexpected(*std::move(failed));
    return std::move(edits.done);
}

}  // namespace

std::expected<EditedAll, SetRefusal> set_all(ByteView packet, const Path& path,
                                             const Variant& value, const SetAllRules& rules,
                                             const DecodeOptions& options) GDVAR_TRY {
    std::uint64_t most = rules.max_bytes.value_or(0);
    if (!rules.max_bytes) {
        const auto size = encode(value, {.dialect = options.dialect, .allow_objects = true});
        most = std::max<std::uint64_t>(8u << 20, 50 * (packet.size() + (size ? size->size() : 0)));
    }
    Edits edits(packet, options, most);
    return changed(packet, path, options, edits,
                   [&](const MatchPlace& place) { return edits.set(place, value, rules); });
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(no_memory()))

std::expected<EditedAll, SetRefusal> erase_all(ByteView packet, const Path& path,
                                               const DecodeOptions& options) GDVAR_TRY {
    Edits edits(packet, options, UINT64_MAX);
    return changed(packet, path, options, edits,
                   [&](const MatchPlace& place) { return edits.erase(place); });
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(no_memory()))

}  // namespace gdvar::inspect
