#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "file/sums/claims.hpp"
#include "gdvar/file/sums.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/value/outline.hpp"
#include "inspect/differing.hpp"

namespace gdvar {
namespace sums {
namespace {

using detail::Child;
using detail::Children;

/// Elements, or records, in front of data that may have a sum of it.
constexpr std::size_t most_in_front = 3;

/// Whether a number or a text is the same, in packets of two dialects, too.
bool is_same(const View& a, const View& b) {
    if (is_text(a) && is_text(b))
        return a.text() == b.text();
    if (a.is(Type::integer) && b.is(Type::integer))
        return a.integer() == b.integer();
    if (a.is(Type::packed_byte_array) && b.is(Type::packed_byte_array))
        return std::ranges::equal(a.packed().bytes(), b.packed().bytes());
    return std::ranges::equal(a.raw(), b.raw());
}

/// Identical bytes stand for keys that are the same in both packets.
std::string identity(const View& key, std::string_view name) {
    if (!key)
        return std::string(name);
    if (is_text(key))
        return 't' + std::string(key.text());
    if (key.is(Type::integer))
        return 'i' + std::to_string(key.integer());
    return 'r' + std::string(detail::as_text(key.raw().data(), key.raw().size()));
}

/// A sum that is wrong now.
struct Find {
    std::size_t depth = 0;
    StaleSum said;
    std::optional<Variant> now{};
};

/// `type`: of the value that has the sum.
Find find_of(std::string path, const Claimants& all, std::size_t claimant,
             const std::vector<Claimants::Fit>& fits, Type type, std::size_t depth = 0) {
    const auto now = all.only(fits);
    Find out{.depth = depth, .said = all.in_words(std::move(path), claimant, fits, now)};
    if (now)
        out.now = spelled(*now, all.claim(claimant, fits[0].claim).spelling, type);
    return out;
}

/// The text of a value; empty if it stands in none.
struct Written {
    std::string_view text;  ///< from where the outline counts
    std::shared_ptr<const Outline> outline{};

    std::string_view of(std::uint32_t node) const {
        if (!outline || node >= outline->nodes.size())
            return {};
        const OutlineNode& at = outline->nodes[node];
        return at.end <= text.size() && at.begin < at.end ? text.substr(at.begin, at.end - at.begin)
                                                          : std::string_view();
    }
    /// The first child of a node, if its children are those of the value; else none.
    std::uint32_t first_of(std::uint32_t node, const View& value) const {
        if (!outline || node >= outline->nodes.size())
            return UINT32_MAX;
        const OutlineNode& at = outline->nodes[node];
        const bool parallel =
            at.kind != OutlineKind::leaf && at.count != 0 && at.count == value.size();
        return parallel ? node + 1 : UINT32_MAX;
    }
    std::uint32_t behind(std::uint32_t node) const {
        return outline && node < outline->nodes.size() ? outline->nodes[node].next : UINT32_MAX;
    }
};

Written written(const SumOptions::Text& text, std::size_t number) {
    if (!text.document || number >= text.document->items().size())
        return {};
    const TextPlace place = text.document->text_place(number);
    auto parts = text.document->outline(number);
    return {text.content.substr(std::min(place.begin, text.content.size())),
            parts ? *std::move(parts) : nullptr};
}

/// Walks two values that stand at the same place, and finds the sums in them that have become
/// wrong.
class Walk {
public:
    Walk(const SumOptions& options, std::string label, Written was, Written is)
        : options_(options), label_(std::move(label)), was_(std::move(was)), is_(std::move(is)) {}

    std::vector<Find> run(const View& before, const View& after) {
        hashable_ = 16 * (before.raw().size() + std::uint64_t{65536});
        same_bytes_.emplace(before, after);
        if (detail::is_container(before) && before.type() == after.type())
            open(before, after, {});
        while (!open_.empty() && !wants_texts_)
            step();
        return std::move(found_);
    }
    /// Whether it has stopped, because what stands in the texts decides.
    bool wants_texts() const noexcept { return wants_texts_; }

private:
    /// The nodes of a value in both outlines.
    struct Nodes {
        std::uint32_t before = 0, after = 0;
    };
    /// A child, as it was and as it is.
    struct Pair {
        Child child;
        View before, after;
        Nodes nodes{};
    };
    struct Frame {
        View before, after;
        Children children, others;
        std::unordered_map<std::string, View> by_key{};  ///< of `after`, once the order differs
        bool sorted = true;                              ///< the order does not differ
        bool changed = false;
        Child child{};
        Nodes nodes{}, next{};                      ///< of `child`, and of the child behind it
        std::uint32_t first = 0;                    ///< of the first child of `before`
        std::deque<Pair> claimants{};               ///< of an Array: the last three
        std::vector<Pair> data{};                   ///< what has changed
        std::vector<const std::byte*> differing{};  ///< children of `before` that changed or went
        Frame(const View& a, const View& b) : before(a), after(b), children(a), others(b) {}
        void differs(const View& value) {
            changed = true;
            differing.push_back(value.raw().data());
        }
        bool ordered() const noexcept {
            return !before.is(Type::dictionary) && !before.is(Type::object);
        }
    };

    void open(const View& before, const View& after, Nodes nodes) {
        Frame& frame = open_.emplace_back(before, after);
        frame.next = {was_.first_of(nodes.before, before), is_.first_of(nodes.after, after)};
        frame.first = frame.next.before;
        // The header, which says what the container is.
        frame.changed = frame.children.left() != frame.others.left() ||
                        !std::ranges::equal(before.raw().first(4), after.raw().first(4));
    }

    /// The value in the other container that belongs to a child. None if there is none.
    View other_of(Frame& frame, const Child& child) {
        if (frame.sorted && frame.others.done())
            return {};
        if (frame.sorted) {
            const Child other = frame.others.next_value();
            if (frame.ordered() ||
                identity(child.key_view, child.name) == identity(other.key_view, other.name))
                return other.view;
            frame.sorted = false;
            frame.nodes.after = frame.next.after = UINT32_MAX;
            frame.by_key[identity(other.key_view, other.name)] = other.view;
            while (!frame.others.done()) {
                const Child next = frame.others.next_value();
                frame.by_key[identity(next.key_view, next.name)] = next.view;
            }
        }
        const auto at = frame.by_key.find(identity(child.key_view, child.name));
        return at == frame.by_key.end() ? View() : at->second;
    }

    void step() {
        Frame& frame = open_.back();
        if (frame.children.done())
            return close();
        frame.child = frame.children.next_value();
        frame.nodes = frame.next;
        frame.next = {was_.behind(frame.nodes.before), is_.behind(frame.nodes.after)};
        const View before = frame.child.view, after = other_of(frame, frame.child);
        if (!after)
            return frame.differs(before);
        // Their bytes are not compared, which would take long where containers are nested deeply.
        if (detail::is_container(before) && before.type() == after.type()) {
            if (!(*same_bytes_)(before, after))
                open(before, after, frame.nodes);  // `close` goes on with it
            return;
        }
        if (!is_same(before, after)) {
            frame.differs(before);
            add_data({frame.child, before, after, frame.nodes});
        } else if (is_scalar(before)) {
            frame.claimants.push_back({frame.child, before, after});
            if (frame.ordered() && frame.claimants.size() > most_in_front)
                frame.claimants.pop_front();
        }
    }

    static bool is_scalar(const View& value) {
        return is_text(value) || value.is(Type::integer) || value.is(Type::real) ||
               value.is(Type::packed_byte_array);
    }

    void add_data(const Pair& pair) {
        Frame& frame = open_.back();
        if (!is_data(pair.before) || !is_data(pair.after))
            return;
        frame.data.push_back(pair);
        if (frame.ordered()) {
            compare(frame);
            frame.data.clear();
        }
    }

    void close() {
        Frame& frame = open_.back();
        if (!frame.ordered() && !frame.data.empty())
            compare(frame);
        const bool changed = frame.changed;
        const View before = frame.before, after = frame.after;
        open_.pop_back();
        if (open_.empty() || !changed)
            return;
        Frame& around = open_.back();
        around.differs(before);
        add_data({around.child, before, after, around.nodes});
    }

    /// The path of a child of the innermost container.
    std::string path_of(const Child& child) const {
        std::string out = label_ + "$";
        for (std::size_t i = 0; i + 1 < open_.size(); ++i)
            detail::append_step(out, open_[i].child);
        detail::append_step(out, child);
        return out;
    }

    /// Whether so much may still be hashed: data may be nested deeply.
    bool may_hash(const View& value) {
        const std::uint64_t size = value.raw().size();
        if (size > hashable_)
            return false;
        hashable_ -= size;
        return true;
    }

    void compare(Frame& frame) {
        Claimants all;
        std::vector<const Pair*> who;
        for (const Pair& pair : frame.claimants)
            if (auto claims = claims_of(pair.before); !claims.empty()) {
                all.add(std::move(claims));
                who.push_back(&pair);
            }
        if (who.empty())
            return;
        if (options_.make_texts) {
            wants_texts_ = true;
            return;
        }
        for (const Pair& data : frame.data) {
            SummedData before(data.before, was_.of(data.nodes.before), options_.layers);
            SummedData after(data.after, is_.of(data.nodes.after), options_.layers);
            all.compare([&] { return path_of(data.child); }, before, after, may_hash(data.before));
        }
        if (all.any_fits() && !frame.ordered())
            compare_unchanged(frame, all);
        for (std::size_t i = 0; i < who.size(); ++i)
            if (const auto* fits = all.stale(i))
                found_.push_back(find_of(path_of(who[i]->child), all, i, *fits,
                                         who[i]->before.type(), open_.size()));
    }

    /// A size or a checksum that is one of what has not changed, too, is not certain.
    void compare_unchanged(const Frame& frame, Claimants& all) {
        std::uint32_t node = frame.first;
        auto differing = frame.differing.begin();
        for (Children children(frame.before); !children.done(); node = was_.behind(node)) {
            const Child child = children.next_value();
            if (differing != frame.differing.end() && *differing == child.view.raw().data()) {
                ++differing;
                continue;
            }
            if (!is_data(child.view))
                continue;
            SummedData was(child.view, was_.of(node), options_.layers);
            SummedData is(child.view, was_.of(node), options_.layers);
            all.compare([&] { return path_of(child); }, was, is, may_hash(child.view));
        }
    }

    const SumOptions& options_;
    std::string label_;
    Written was_, is_;
    std::deque<Frame> open_;
    std::vector<Find> found_;
    std::uint64_t hashable_ = 0;
    std::optional<detail::SameBytes> same_bytes_;
    bool wants_texts_ = false;
};

}  // namespace
}  // namespace sums

using namespace sums;

std::string to_string(const StaleSum& sum) {
    if (sum.mended)
        return sum.path + ": " + sum.was + " -> " + sum.now + ", " + sum.of;
    return sum.path + ": " + sum.was + " was " + sum.of + ", which " +
           (sum.now.empty() ? "has changed" : "is " + sum.now + " now");
}

SumKeeper::SumKeeper(const DocumentKind& kind, const SumOptions& options)
    : kind_(kind), options_(options) {}

bool SumKeeper::give_held(std::size_t keep, const Give& give) {
    while (held_.size() > keep) {
        const Held held = std::move(held_.front());
        held_.pop_front();
        if (!give({.key = held.key, .packet = held.packet, .number = held.number}))
            return false;
    }
    return true;
}

/// Makes the texts that were not needed so far. Whether there was anything to make.
bool SumKeeper::make_texts() {
    const auto make = std::exchange(options_.make_texts, nullptr);
    if (make)
        make(options_);
    return bool(make);
}

/// Sums inside of one item: mended from inside out, since what is around a mended sum has changed,
/// too.
void SumKeeper::compare_inside(const std::string& label, ByteView before,
                               std::vector<std::byte>& after) {
    const auto old = Document::parse(before, options_.before);
    constexpr int most_rounds = 32;
    // A mended value stands otherwise in a text that is still to be written.
    for (int round = 0; old && round < most_rounds; ++round) {
        const bool mend = options_.mend && round + 1 < most_rounds;
        const auto now = Document::parse(after, options_.after);
        if (!now)
            return;
        const auto walk = [&] {
            Walk through(options_, label, written(options_.text_before, taken_ - 1),
                         round ? Written() : written(options_.text_after, taken_ - 1));
            std::vector<Find> all = through.run(old->root(), now->root());
            return through.wants_texts() ? std::nullopt : std::optional(std::move(all));
        };
        auto walked = walk();
        if (!walked && make_texts())
            walked = walk();
        std::vector<Find> found = *std::move(walked);
        std::size_t deepest = 0;
        for (const Find& find : found)
            if (mend && find.now)
                deepest = std::max(deepest, find.depth);
        PackedByteArray made;
        for (Find& find : found) {
            if (!deepest || !find.now || find.depth != deepest)
                continue;
            const ByteView packet = made.empty() ? ByteView(after) : as_bytes(made);
            const std::string path = find.said.path.substr(label.size());
            auto with = inspect::set_value(packet, path, *find.now, options_.after);
            if (with) {
                made = *std::move(with);
                find.said.mended = true;
                stale_.push_back(find.said);
            }
        }
        if (made.empty()) {
            for (Find& find : found)
                stale_.push_back(std::move(find.said));
            return;
        }
        const ByteView bytes = as_bytes(made);
        after.assign(bytes.begin(), bytes.end());
    }
}

/// Sums in the records in front of one.
void SumKeeper::compare_held(const std::string& label, ByteView before, ByteView after,
                             bool mended) {
    const auto old = Document::parse(before, options_.before);
    const auto now = Document::parse(after, options_.after);
    if (!old || !now || !is_data(old->root()) || !is_data(now->root()))
        return;
    Claimants all;
    std::vector<Type> types;
    for (const Held& held : held_) {
        const auto document = Document::parse(held.packet, options_.after);
        auto claims = document && held.stays ? claims_of(document->root()) : std::vector<Claim>();
        if (!claims.empty())
            make_texts();
        all.add(std::move(claims));
        types.push_back(document ? document->root().type() : Type::nil);
    }
    const Written text_was = written(options_.text_before, taken_ - 1);
    const Written text_is = mended ? Written() : written(options_.text_after, taken_ - 1);
    SummedData was(old->root(), text_was.of(0), options_.layers);
    SummedData is(now->root(), text_is.of(0), options_.layers);
    all.compare([&] { return label + '$'; }, was, is, true);
    for (std::size_t i = 0; i < held_.size(); ++i) {
        const auto* fits = all.stale(i);
        if (!fits)
            continue;
        Find find = find_of(held_[i].label + '$', all, i, *fits, types[i]);
        if (find.now && options_.mend)
            if (auto made = inspect::set_value(held_[i].packet, "$", *find.now, options_.after)) {
                const ByteView bytes = as_bytes(*made);
                held_[i].packet.assign(bytes.begin(), bytes.end());
                find.said.mended = true;
            }
        stale_.push_back(std::move(find.said));
    }
}

bool SumKeeper::take(const SaveItem& item, ByteView before, const Give& give) {
    constexpr std::size_t small = 256;
    const std::string label = item_label(kind_, taken_++, item.key);
    const bool same = std::ranges::equal(before, item.packet);
    if ((same || before.empty()) && item.packet.size() <= small && !kind_.named) {
        held_.push_back({std::string(item.key),
                         label,
                         {item.packet.begin(), item.packet.end()},
                         item.number,
                         same});
        return give_held(most_in_front, give);
    }
    if (same || before.empty())
        return give_held(0, give) && give(item);
    std::vector<std::byte> packet(item.packet.begin(), item.packet.end());
    compare_inside(label, before, packet);
    compare_held(label, before, packet, !std::ranges::equal(packet, item.packet));
    SaveItem with = item;
    with.packet = packet;
    return give_held(0, give) && give(with);
}

bool SumKeeper::finish(const Give& give) {
    return give_held(0, give);
}

KeptItems keep_item_sums(const SaveDocument& document, std::span<const SaveItem> items,
                         const DecodeOptions& before, const DecodeOptions& after, SumsKept& sums) {
    const std::vector<SaveItem>& old = document.items();
    const auto was = [&](const SaveItem& item) {
        return item.number < old.size() ? old[item.number].packet : ByteView();
    };
    SumOptions options{.before = before, .after = after, .layers = sums.layers, .mend = sums.mend};
    std::vector<std::byte> texts[2];
    std::unique_ptr<SaveDocument> again;
    // Items that came or went have other numbers in the text that is written.
    if (document.kind().text && items.size() == old.size())
        options.make_texts = [&](SumOptions& to) {
            auto one = document.write(old);
            auto other = document.write(items);
            if (!one || !other)
                return;
            texts[0] = *std::move(one);
            texts[1] = *std::move(other);
            auto opened =
                document.kind().open(document.kind(), texts[1], {.dialect = after.dialect});
            if (!opened)
                return;
            again = *std::move(opened);
            to.text_before = {&document, detail::as_text(texts[0].data(), texts[0].size())};
            to.text_after = {again.get(), detail::as_text(texts[1].data(), texts[1].size())};
        };
    SumKeeper keeper(document.kind(), options);
    KeptItems out;
    const auto give = [&](const SaveItem& item) {
        SaveItem with = items[out.items.size()];
        with.packet = out.packets.emplace_back(item.packet.begin(), item.packet.end());
        out.items.push_back(with);
        return true;
    };
    for (const SaveItem& item : items)
        keeper.take(item, was(item), give);
    keeper.finish(give);
    std::ranges::move(keeper.stale(), std::back_inserter(sums.stale));
    return out;
}

}  // namespace gdvar
