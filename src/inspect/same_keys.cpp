#include "inspect/same_keys.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/value/walk.hpp"
#include "inspect/part.hpp"

namespace gdvar::detail {
namespace {

KeyIdentity done(Errc code, const KeyHash& hash) {
    if (code == Errc::no_memory)
        GDVAR_THROW_NO_MEMORY();
    KeyIdentity out = hash.identity();
    if (code != Errc::ok)
        out.match = KeyMatch::itself;
    return out;
}

}  // namespace

KeyIdentity identity_of(const View& key, const KeyRules& rules) {
    KeyHash hash(rules);
    const auto driven = key.drive(hash);
    return done(driven ? Errc::ok : driven.error().code, hash);
}

KeyIdentity identity_of(const Variant& key, const KeyRules& rules) {
    KeyHash hash(rules);
    return done(drive(key, hash), hash);
}

KeyIdentity identity_of(std::string_view property, const KeyRules& rules) {
    KeyHash hash(rules);
    return done(hash.string(property), hash);
}

SameKeys::SameKeys(const View& container) {
    const std::size_t count = container.size();
    const KeyRules& rules = rules_of(container);
    std::vector<Digest> digests;
    digests.reserve(count);
    places_.reserve(count);
    const OwnedIndex index(Index::make(count));
    if (!index)
        GDVAR_THROW_NO_MEMORY();
    for (Children all(container); !all.done();) {
        const Child child = all.next_value();
        const bool property = child.role == Child::property;
        const auto number = static_cast<std::uint32_t>(places_.size());
        const std::size_t value = child.view.offset();
        places_.push_back({property ? value - name_bytes(child.name) : child.key_view.offset(),
                           value, value + child.view.raw().size(), none, false});
        const KeyIdentity key =
            property ? identity_of(child.name, rules) : identity_of(child.key_view, rules);
        digests.push_back(key.digest);
        if (!key.merges())
            continue;
        const std::uint32_t before = index->put(number, key.digest.low, [&](std::uint32_t other) {
            return digests[other] == key.digest;
        });
        places_[number].earlier = before;
        if (before != none)
            places_[before].hidden = repeat_ = true;
    }
}

std::vector<SameKeys::Place> SameKeys::with(std::size_t value) const {
    std::vector<Place> out;
    const auto at = std::ranges::lower_bound(places_, value, {}, &Place::value);
    if (at == places_.end() || at->value != value)
        return out;
    out.push_back(*at);
    while (!out.front().hidden && out.back().earlier != none)
        out.push_back(places_[out.back().earlier]);
    std::ranges::reverse(out);
    return out;
}

}  // namespace gdvar::detail
