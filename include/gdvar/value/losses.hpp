// Values that could not be kept, counted by kind, so that a million losses make a few lines.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Values that a printer or a conversion could not keep, by kind: the number of each kind, and the
/// paths of the first ones. Memory: a few hundred bytes for each kind, for any number of losses.
class Losses {
public:
    /// Losses with the same description. Owned by the Losses; `add` may move it.
    struct Kind {
        std::string what;                ///< "StringName has no form of its own in JSON"
        std::uint64_t count = 0;         ///< values
        std::vector<std::string> paths;  ///< of the first values, cut if long: "$.players[3].pos"
    };
    /// The length in bytes to which paths are cut, approximately; a cut path ends in "...".
    static constexpr std::size_t most_path = 200;

    explicit Losses(std::size_t paths_a_kind = 3) : most_paths_(paths_a_kind) {}

    /// Called for every loss, in order, with its path and description. Null: no call.
    std::function<void(std::string_view path, std::string_view what)> each;

    /// Replaces the `$` at the beginning of every path: "#3 $.players".
    std::string prefix;

    bool empty() const noexcept { return kinds_.empty(); }
    /// The kinds, in the order of their first loss.
    const std::vector<Kind>& kinds() const noexcept { return kinds_; }
    /// The number of losses of all kinds.
    std::uint64_t count() const noexcept {
        std::uint64_t all = 0;
        for (const Kind& kind : kinds_)
            all += kind.count;
        return all;
    }

    /// Adds one loss. `path()` returns a string; it is called only if `each` is set or the path is
    /// kept. May throw bad_alloc.
    template <std::invocable Path>
    void add(std::string_view what, Path&& path) {
        Kind& kind = find(what);
        const bool keep = kind.paths.size() < most_paths_;
        ++kind.count;
        if (!keep && !each)
            return;
        std::string at = path();
        if (!prefix.empty() && at.starts_with('$'))
            at.replace(0, 1, prefix);
        if (each)
            each(at, what);
        if (keep)
            kind.paths.push_back(std::move(at));
    }

private:
    Kind& find(std::string_view what) {
        // Losses of one kind are often consecutive, and there are few kinds.
        if (last_ < kinds_.size() && kinds_[last_].what == what)
            return kinds_[last_];
        for (last_ = 0; last_ < kinds_.size(); ++last_)
            if (kinds_[last_].what == what)
                return kinds_[last_];
        return kinds_.emplace_back(Kind{std::string(what), 0, {}});
    }

    std::vector<Kind> kinds_;
    std::size_t last_ = 0;
    std::size_t most_paths_;
};

/// "2 values, at $.a and $.b", "5 values, the first at $[0], $[1] and $[2]".
std::string in_words(const Losses::Kind& kind);

}  // namespace gdvar
