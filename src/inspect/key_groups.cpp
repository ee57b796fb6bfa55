#include "inspect/key_groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/process_key.hpp"
#include "base/siphash.hpp"
#include "base/sort.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/value/document.hpp"
#include "inspect/fingerprints.hpp"

namespace gdvar::detail {
namespace {

class WordHash {
public:
    WordHash& add(std::uint64_t word) noexcept {
        sip_.word(word);
        return *this;
    }
    std::uint64_t value() noexcept { return sip_.finish(); }

private:
    Sip<1, 3> sip_{process_key()};
};

struct Waiting {
    View view;
    std::uint64_t path;
};

class Grouper {
public:
    Grouper(const View& root, const PackedArray<RepeatedKey>& keys) : prints_(root) {
        for (const RepeatedKey& key : keys)
            faults_[key.dictionary].push_back(key.begin);
    }

    std::vector<KeyGroup> run(const View& root) {
        waiting_.push_back({root, 0});
        while (!waiting_.empty()) {
            const Waiting at = waiting_.back();
            waiting_.pop_back();
            if (is_container(at.view))
                enter(at);
        }
        detail::sort(out_, {}, &KeyGroup::at);
        return std::move(out_);
    }

private:
    /// Texts of both types are one key to engines.
    std::uint64_t print(const View& key) const {
        return key.is(Type::string) || key.is(Type::string_name) ? fingerprint(key.text())
                                                                 : prints_.of(key);
    }
    void wait(const View& view, std::uint64_t path, std::uint64_t step, std::uint64_t role) {
        if (is_container(view))
            waiting_.push_back({view, WordHash().add(path).add(step).add(role).value()});
    }
    void enter(const Waiting& at) {
        const auto faults = faults_.find(at.view.offset());
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;  // by print, then ordinal
        std::vector<std::uint64_t> begins;
        WordHash all;
        std::uint32_t ordinal = 0;
        for (Children children(at.view); !children.done(); ++ordinal) {
            const Child child = children.next_value();
            if (child.role == Child::property) {
                wait(child.view, at.path, fingerprint(child.name), Child::property);
            } else if (child.role == Child::element) {
                wait(child.view, at.path, ordinal, Child::element);
            } else {
                const std::uint64_t key = print(child.key_view);
                wait(child.key_view, at.path, key, Child::key);
                wait(child.view, at.path, key, Child::value);
                if (faults == faults_.end())
                    continue;
                keys.emplace_back(key, ordinal);
                begins.push_back(child.key_view.offset());
                all.add(key);
            }
        }
        if (faults != faults_.end())
            group(at.path, all.value(), keys, begins, faults->second);
    }
    void group(std::uint64_t path, std::uint64_t all,
               std::vector<std::pair<std::uint64_t, std::uint32_t>>& keys,
               const std::vector<std::uint64_t>& begins, const std::vector<std::uint64_t>& faults) {
        detail::sort(keys);
        for (std::size_t i = 0; i < keys.size();) {
            KeyGroup made{path, keys[i].first, 0, all, begins[keys[i].second], 0};
            WordHash places;
            for (; i < keys.size() && keys[i].first == made.key; ++i) {
                places.add(keys[i].second);
                made.count += std::ranges::binary_search(faults, begins[keys[i].second]);
            }
            made.places = places.value();
            if (made.count)
                out_.push_back(made);
        }
    }

    const Fingerprints prints_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> faults_;  ///< of Dictionaries, in order
    std::vector<Waiting> waiting_;
    std::vector<KeyGroup> out_;
};

using Mark = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

/// Takes from `left` what has a mark in `before`. The groups there are used up.
template <class Marks>
void match(std::vector<const KeyGroup*>& before, std::vector<const KeyGroup*>& left, Marks mark) {
    std::multimap<Mark, const KeyGroup*> known;
    for (const KeyGroup* group : before)
        known.emplace(mark(*group), group);
    std::erase_if(left, [&](const KeyGroup* group) {
        auto [at, end] = known.equal_range(mark(*group));
        // A linear search would take long where many groups have one mark; any of them serves.
        if (at == end || at->second->count < group->count)
            return false;
        known.erase(at);
        return true;
    });
    before.clear();
    for (const auto& [_, group] : known)
        before.push_back(group);
}

std::vector<const KeyGroup*> pointers(const std::vector<KeyGroup>& groups) {
    std::vector<const KeyGroup*> out;
    out.reserve(groups.size());
    for (const KeyGroup& group : groups)
        out.push_back(&group);
    return out;
}

}  // namespace

std::expected<std::vector<KeyGroup>, Error> key_groups(ByteView packet,
                                                       const PackedArray<RepeatedKey>& keys,
                                                       const DecodeOptions& options) {
    if (keys.empty())
        return std::vector<KeyGroup>();
    const auto document = Document::parse(packet, options);
    if (!document)
        return std::unexpected(document.error());
    return Grouper(document->root(), keys).run(document->root());
}

std::optional<KeyGroup> first_new_group(const std::vector<KeyGroup>& before,
                                        const std::vector<KeyGroup>& after) {
    auto old = pointers(before), left = pointers(after);
    match(old, left, [](const KeyGroup& g) { return Mark{g.path, g.key, 0}; });
    match(old, left, [](const KeyGroup& g) { return Mark{g.path, g.places, 0}; });
    match(old, left, [](const KeyGroup& g) { return Mark{g.key, g.places, g.keys}; });
    return left.empty() ? std::nullopt : std::optional(*left.front());
}

}  // namespace gdvar::detail
