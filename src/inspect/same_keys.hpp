// Pairs of a container with the same key: which of them are erased or renamed together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/index.hpp"
#include "gdvar/value/document.hpp"
#include "wire/key_hash.hpp"

namespace gdvar::detail {

/// How an engine with these rules compares the key. All may throw bad_alloc.
[[nodiscard]] KeyIdentity identity_of(const View& key, const KeyRules& rules);
[[nodiscard]] KeyIdentity identity_of(const Variant& key, const KeyRules& rules);
[[nodiscard]] KeyIdentity identity_of(std::string_view property, const KeyRules& rules);
/// The rules of the engines of the value's dialect.
[[nodiscard]] inline const KeyRules& rules_of(const View& view) noexcept {
    return key_rules(view.options().dialect->family);
}

/// The rule of all edits for repeated keys: an engine that reads the packet has the last pair of a
/// key. If that is erased or renamed, so are all earlier pairs of its key: no older value
/// reappears. A pair hidden by a later one is edited alone.
class SameKeys {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    /// A pair or property; offsets in the packet.
    struct Place {
        std::size_t begin;       ///< of the key or name
        std::size_t value, end;  ///< of the value
        std::uint32_t earlier;   ///< the previous one with the same key, or `none`
        bool hidden;             ///< by a later one
    };

    /// `container`: a Dictionary or Object. Linear. May throw bad_alloc.
    explicit SameKeys(const View& container);

    /// The places that are edited together with the value at that offset, in the order of the
    /// bytes; itself is the last. Empty if no value begins there. May throw bad_alloc.
    [[nodiscard]] std::vector<Place> with(std::size_t value) const;
    [[nodiscard]] bool repeat() const noexcept { return repeat_; }

private:
    std::vector<Place> places_;
    bool repeat_ = false;
};

}  // namespace gdvar::detail
