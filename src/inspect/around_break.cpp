// The one damaged item of a packet, and the packet without it.
//
// Values follow each other without marks, so the number of values from a place up to the end says
// where an item ends: as many as all open containers are owed without it. This leaves few pairs of
// a place and an end. Of these, the bytes between must become one item if one word is changed, and
// what is left must look as if a game had written it.
#include <algorithm>
#include <compare>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/wire/evidence.hpp"
#include "gdvar/wire/validate.hpp"
#include "inspect/salvager.hpp"

namespace gdvar::inspect {
namespace {

constexpr std::size_t value_step = 4;  ///< values begin at multiples
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_items = 64;     ///< to choose from
constexpr std::size_t most_places = 3;     ///< in an item: what can be read is not damaged
constexpr int most_changed = 2;            ///< bytes of a word
constexpr std::int64_t most_against = 12;  ///< more than before the damage: Evidence::against
constexpr std::int64_t margin = 16;        ///< between two that may be it
constexpr std::int64_t written_once = 30;  ///< against what no engine writes, as equal keys
constexpr std::int64_t sound_value = 48;   ///< the score of one: what `weigh` adds for its end

bool holds_items(Shape shape) noexcept {
    return shape == Shape::dictionary || shape == Shape::array || shape == Shape::typed_array;
}

/// Values with items in which none is found again.
bool is_closed(Shape shape) noexcept {
    return shape == Shape::object || shape == Shape::packed_strings;
}

Shape shape_of(ByteView value, const Dialect& dialect) noexcept {
    const auto id = detail::load<std::uint32_t>(value.data()) & dialect.type_mask;
    return id < dialect.row_count ? dialect.rows[id].shape : Shape::absent;
}

int differing_bytes(std::uint32_t a, std::uint32_t b) noexcept {
    int out = 0;
    for (std::uint32_t bits = a ^ b; bits; bits >>= 8)
        out += (bits & 0xFF) != 0;
    return out;
}

/// The start of one value: where it ends or, of an Array or Dictionary, where its items begin.
struct Start : NullSink {
    std::size_t reach = 0, count_at = 0;
    std::uint32_t values = 0;
    std::size_t depth = 0;
    std::size_t text = 0;  ///< bytes of a text in which all are printable

    void raw(Field field, std::size_t offset, std::size_t size) {
        if (field == Field::count && depth == 0)
            count_at = offset;
        reach = offset + size;
    }
    Errc string(std::string_view given) {
        const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
        text = depth || std::ranges::any_of(given, control) ? 0 : given.size();
        return Errc::ok;
    }
    Errc string_name(std::string_view given) { return string(given); }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t count) {
        return begin(2 * count);
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t count) { return begin(count); }
    Errc begin_object(std::string_view, std::uint32_t) { return enter(); }
    Errc begin_packed_strings(std::uint32_t) { return enter(); }
    Errc end() {
        --depth;
        return Errc::ok;
    }

private:
    Errc enter() {
        ++depth;
        return Errc::ok;
    }
    Errc begin(std::uint32_t count) {
        if (depth)
            return enter();
        values = count;
        return Errc::stopped;
    }
};

/// Bytes that may be the damaged item.
struct Suspect {
    std::size_t begin = 0, end = 0;
    std::size_t count_at = 0;              ///< of the container that holds it
    std::size_t value = 0;                 ///< the value that is damaged, or the key
    std::optional<std::size_t> word_at{};  ///< only this count, or header, is wrong
    std::uint32_t word = 0;                ///< the right one
    int changed = 0;                       ///< bytes that make it sound
    std::size_t places = 0;                ///< where items begin in it, as it stands
};

class Finder {
public:
    Finder(ByteView packet, const DecodeOptions& options, std::uint64_t& budget)
        : options_(options), bytes_(packet.begin(), packet.end()), budget_(budget) {}
    /// All that may be it; nothing if that takes too long.
    std::vector<Suspect> find(std::span<const Salvager::Place> places) {
        count_values();
        first_.assign(values_.size() + 2, 0);
        next_.assign(values_.size(), 0);
        listed_ = bytes_.size() / value_step;
        std::vector<Suspect> out;
        for (std::size_t i = places.size(); i-- > 0;) {
            const Salvager::Place& place = places[i];
            list_down_to(place.at);
            const auto left = static_cast<std::size_t>(place.owed - place.values + 1);
            for (std::uint32_t at = left < first_.size() ? first_[left] : 0; at;
                 at = next_[at - 1]) {
                Suspect item{
                    .begin = place.at, .end = (at - 1) * value_step, .count_at = place.count_at};
                for (std::size_t in = i + 1;
                     in < places.size() && places[in].at <= item.end && budget_; ++in) {
                    item.places += places[in].at > place.at;
                    spend(1);
                }
                if (mends_item_by(1, item, place.values) ||
                    mends_item_by(most_changed, item, place.values))
                    out.push_back(item);
                if (!budget_ || out.size() > most_items)
                    return {};
            }
        }
        return out;
    }

private:
    ByteView part(std::size_t begin, std::size_t end) const {
        return ByteView(bytes_).subspan(begin, end - begin);
    }
    std::uint32_t word(std::size_t at) const {
        return detail::load<std::uint32_t>(bytes_.data() + at);
    }
    /// Whether texts begin in the bytes of a value: no number or text holds them.
    bool holds_texts(std::size_t begin, std::size_t end) const {
        return texts_[begin / value_step + 1] != texts_[end / value_step];
    }
    std::uint32_t values_from(std::size_t at) const { return values_[at / value_step]; }
    void spend(std::uint64_t work) { budget_ -= std::min(budget_, work); }

    /// From the end on: what is behind a value, or behind the start of a container, is known.
    void count_values() {
        values_.assign(bytes_.size() / value_step + 1, 0);
        values_.back() = 1;
        texts_.assign(values_.size(), 0);
        for (std::size_t i = bytes_.size() / value_step; i-- > 0 && budget_;) {
            Start start;
            const auto size = read(part(i * value_step, bytes_.size()), options_, start);
            spend(16 + start.reach / 16);
            texts_[i] = texts_[i + 1] + (size && start.text > 1);
            if (!size && size.error().code != Errc::stopped)
                continue;
            const std::size_t next = i * value_step + (size ? *size : start.reach);
            if (next % value_step == 0 && values_from(next) > start.values)
                values_[i] = values_from(next) - start.values + 1;
        }
    }
    void list_down_to(std::size_t at) {
        for (; listed_ * value_step > at; --listed_)
            if (const std::uint32_t values = values_[listed_]) {
                next_[listed_] = first_[values];
                first_[values] = static_cast<std::uint32_t>(listed_) + 1;
            }
    }
    /// Whether a value is there as engines write it.
    bool sound(std::size_t begin, std::size_t end) {
        const Evidence evidence = weigh(part(begin, end), *options_.dialect, {.max_values = 64});
        spend(16 + evidence.read / 4);
        const bool plain =
            evidence.against == 0 || holds_items(shape_of(part(begin, end), *options_.dialect));
        return evidence.whole && !evidence.oddities && plain && evidence.score >= sound_value;
    }
    /// Whether a value is there if that word is changed.
    bool mends(std::size_t at, std::uint32_t to, Suspect& item, std::size_t begin,
               std::size_t end) {
        const std::uint32_t was = word(at);
        item.changed = differing_bytes(was, to);
        if (item.changed == 0 || item.changed > most_changed_)
            return false;
        detail::store(bytes_.data() + at, to);
        const bool out = sound(begin, end);
        detail::store(bytes_.data() + at, was);
        return out;
    }
    bool mends_header(Suspect& item, std::size_t begin, std::size_t end) {
        const Dialect& dialect = *options_.dialect;
        for (const std::uint32_t flag : {0u, 0x1'0000u})
            for (std::uint32_t id = 0; id < dialect.row_count; ++id) {
                const TypeRow& row = dialect.rows[id];
                const bool likely =
                    holds_items(row.shape) || (item.places <= 2 && !holds_texts(begin, end));
                if (!likely || (flag & ~row.flags) || !mends(begin, id | flag, item, begin, end))
                    continue;
                if (holds_items(row.shape) && id == (word(begin) & dialect.type_mask)) {
                    item.word_at = begin;
                    item.word = id | flag;
                }
                return true;
            }
        return false;
    }
    /// The length of a text, the count of elements or of items.
    bool mends_length(Suspect& item, std::size_t begin, std::size_t end) {
        const Shape shape = shape_of(part(begin, end), *options_.dialect);
        if (holds_items(shape)) {
            Start start;
            (void)read(part(begin, bytes_.size()), options_, start);
            const std::size_t at = begin + start.count_at;
            if (start.count_at == 0 || at >= end || values_from(at + value_step) < values_from(end))
                return false;
            const std::uint32_t values = values_from(at + value_step) - values_from(end);
            item.word = shape == Shape::dictionary ? values / 2 : values;
            item.word_at = at;
            return mends(at, item.word, item, begin, end);
        }
        if (is_closed(shape) && !holds_texts(begin, end) && !validate(part(begin, end), options_)) {
            item.changed = 1;  // somewhere in it
            return true;
        }
        const std::size_t at = begin + value_step;
        if (at >= end || item.places > 1 || holds_texts(begin, end))
            return false;
        const auto rest = static_cast<std::uint32_t>(end - at - value_step);
        const bool text = shape == Shape::string || shape == Shape::string_name;
        if (text && word(at) <= rest && detail::record_size(word(at)) == rest + value_step) {
            item.changed = 1;  // a byte of the text
            return true;
        }
        for (const std::uint32_t unused : {0u, 1u, 2u, 3u})
            if (unused <= rest && mends(at, rest - unused, item, begin, end))
                return true;
        for (const std::uint32_t size : {4u, 8u, 12u, 16u})
            if (mends(at, rest / size, item, begin, end))
                return true;
        return false;
    }
    bool mends_value(Suspect& item, std::size_t begin, std::size_t end) {
        item.value = begin;
        return mends_header(item, begin, end) || mends_length(item, begin, end);
    }
    /// Whether one word makes an item of it: an element, or a pair, of which either half is sound.
    bool mends_item(Suspect& item, std::uint32_t values) {
        if (values == 1)
            return mends_value(item, item.begin, item.end);
        const auto key = validate(part(item.begin, item.end), options_);
        spend(16 + (key ? *key / 16 : 0));
        const bool whole_key = key && *key % value_step == 0 && item.begin + *key < item.end;
        // Games have no nil as a key: it is rather one whose header is damaged.
        const bool nil = whole_key && *key == value_step;
        if (whole_key && !nil && mends_value(item, item.begin + *key, item.end))
            return true;
        item.word_at.reset();
        for (std::size_t at = item.begin + value_step; at < item.end && budget_; at += value_step) {
            spend(1);
            if (values_from(at) == values_from(item.end) + 1 && sound(at, item.end) &&
                mends_value(item, item.begin, at)) {
                item.word_at.reset();
                return true;
            }
        }
        return nil && mends_value(item, item.begin + *key, item.end);
    }
    /// The same, if so many bytes of the word differ at most.
    bool mends_item_by(int most, Suspect& item, std::uint32_t values) {
        most_changed_ = most;
        item.word_at.reset();
        return mends_item(item, values);
    }

    const DecodeOptions& options_;
    std::vector<std::byte> bytes_;  ///< of the packet; a word is changed for a try
    int most_changed_ = 0;          ///< bytes of that word
    std::uint64_t& budget_;
    /// For each word: 1 and the number of values from there up to the end; 0 if no value begins.
    std::vector<std::uint32_t> values_;
    /// For each word: how many texts begin there and behind it.
    std::vector<std::uint32_t> texts_;
    /// By that number the first word with it, and for each word the next one; 1 is the word 0.
    std::vector<std::uint32_t> first_, next_;
    std::size_t listed_ = 0;
};

/// The packet without the item, or with its count.
std::optional<Salvaged> without(ByteView packet, const Suspect& item,
                                const DecodeOptions& options) {
    Salvaged out;
    out.around = item.value;
    out.begin = item.begin;
    out.end = item.end;
    out.packet.assign(packet.begin(), packet.end());
    const ByteView value = packet.subspan(item.value, item.end - item.value);
    const auto set = [&](std::size_t at, std::uint32_t count) {
        detail::store(out.packet.data() + at, count);
    };
    const auto place = [&](std::size_t at) {
        return out.packet.begin() + static_cast<std::ptrdiff_t>(at);
    };
    if (item.word_at) {
        set(*item.word_at, item.word);
        out.begin = *item.word_at;
        out.end = out.begin + value_step;
    } else if (item.begin == 0) {
        return std::nullopt;
    } else if (auto part = is_closed(shape_of(value, *options.dialect))
                               ? up_to_break(value, options)
                               : std::nullopt) {
        out.begin = item.value + part->begin;
        out.packet.erase(place(item.value), place(item.end));
        out.packet.insert(place(item.value), part->packet.begin(), part->packet.end());
    } else {
        const auto count = detail::load<std::uint32_t>(packet.data() + item.count_at);
        set(item.count_at, count - 1);
        out.packet.erase(place(item.begin), place(item.end));
    }
    const auto size = validate(out.packet, options);
    if (!size || *size != out.packet.size())
        return std::nullopt;
    return out;
}

/// How unlikely it is that this is right; the first that differs decides.
struct Doubt {
    std::int64_t against = 0;  ///< the packet
    int changed = 0;           ///< bytes that make the item sound
    std::size_t places = 0, bytes = 0;
    bool count = false;  ///< only a count is wrong
    std::size_t begin = 0, end = 0;
    auto operator<=>(const Doubt&) const = default;

    /// Whether that other one can't be told from this one, which is less unlikely.
    bool leaves(const Doubt& other) const noexcept {
        const bool equal = other.against == against && other.changed == changed;
        const bool smaller = other.bytes < bytes && other.against <= against + margin;
        const bool elsewhere = (other.begin >= end || other.end <= begin) &&
                               other.changed <= changed && other.against <= against + margin;
        // A wrong count may be that of several containers.
        return smaller || elsewhere || (equal && (count || other.count)) ||
               (equal && other.places == places && other.bytes == bytes);
    }
};

/// What speaks against a packet, but for what is in containers behind a place: that was not put
/// together.
std::int64_t against(ByteView packet, std::size_t place, const DecodeOptions& options, bool cut) {
    return weigh(packet, *options.dialect,
                 {.cut = cut, .max_values = UINT64_MAX, .closed_from = place})
        .against;
}

/// The same of a whole packet, with what speaks against equal keys.
std::int64_t against_all(ByteView packet, std::size_t place, const DecodeOptions& options) {
    DecodeOptions strict = options;
    strict.strict = true;
    return against(packet, place, options, false) + (validate(packet, strict) ? 0 : written_once);
}

/// The evidence against the packet with another type of the damaged value, which reads as nil: one
/// byte of its header. Nothing if no type makes the packet sound up to its end.
std::optional<std::int64_t> against_mended(ByteView packet, const Salvaged& without,
                                           const DecodeOptions& options) {
    const std::size_t at = *without.around;
    const Dialect& dialect = *options.dialect;
    const auto header = detail::load<std::uint32_t>(packet.data() + at);
    if (header & dialect.type_mask)
        return std::nullopt;
    std::optional<std::int64_t> out;
    std::vector<std::byte> mended(packet.begin(), packet.end());
    for (std::uint32_t id = 1; id < dialect.row_count; ++id) {
        if (header & ~dialect.rows[id].flags)
            continue;
        detail::store(mended.data() + at, header | id);
        const auto value = validate(ByteView(mended).subspan(at), options);
        const auto size = value ? validate(mended, options) : value;
        if (!size || *size != mended.size())
            continue;
        const std::int64_t bits = against_all(mended, at + 1, options);
        out = std::min(out.value_or(bits), bits);
    }
    return out;
}

}  // namespace

std::optional<Salvaged> around_break(ByteView packet, const DecodeOptions& options,
                                     std::uint64_t& work) GDVAR_TRY {
    if (packet.empty() || packet.size() % value_step || packet.size() > most_bytes)
        return std::nullopt;
    // The root is the only item of what is around it.
    std::vector<Salvager::Place> places{{.at = 0, .count_at = 0, .owed = 1, .values = 1}};
    Salvager salvager;
    salvager.places = &places;
    const auto size = read(packet, options, salvager);
    if (size && *size == packet.size())
        return std::nullopt;
    std::optional<Salvaged> best;
    std::vector<Doubt> doubts;
    std::size_t least = 0, before = packet.size();
    for (const Suspect& item : Finder(packet, options, work).find(places)) {
        before = std::min(before, item.begin);
        auto one = without(packet, item, options);
        if (!one)
            continue;
        const bool header = item.word_at == item.value, count = item.word_at && !header;
        doubts.push_back({against_all(one->packet, one->begin, options), item.changed,
                          item.word_at ? 0 : item.places, header ? 0 : item.end - item.begin, count,
                          item.begin, item.end});
        if (best && doubts.back() >= doubts[least])
            continue;
        best = std::move(one);
        least = doubts.size() - 1;
    }
    if (!best || doubts[least].places > most_places ||
        doubts[least].against > most_against + against(packet.first(before), before, options, true))
        return std::nullopt;
    for (std::size_t i = 0; i < doubts.size(); ++i)
        if (i != least && doubts[least].leaves(doubts[i]))
            return std::nullopt;
    if (size && best->packet.size() < packet.size()) {
        // The sound part ends too early, as it does where a damaged header makes two values of a
        // key. It stays unless the item, mended, fits the others.
        const std::int64_t read = against_all(packet.first(*size), best->begin, options);
        const auto mended = against_mended(packet, *best, options);
        if (!mended || *mended > doubts[least].against || read <= *mended + margin)
            return std::nullopt;
    }
    best->error = size ? Error{Errc::trailing_bytes, Type::nil, *size, 0} : size.error();
    return best;
}
GDVAR_CATCH_NO_MEMORY(return std::nullopt)

}  // namespace gdvar::inspect
