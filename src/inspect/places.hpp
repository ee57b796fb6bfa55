// A path's matches, with details for edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string_view>

#include "gdvar/inspect/lookup.hpp"

namespace gdvar::detail {

/// The argument of `each_place`'s callback. All members are valid only during the call.
struct MatchPlace {
    static constexpr std::uint64_t unknown = UINT64_MAX;
    std::string_view path;
    const inspect::Found& value;
    const View& parent;     ///< the container of `whole`; lost if that is the root
    std::uint64_t start;    ///< of the pair, property or element; `unknown` without a search
    const View& whole;      ///< the value itself, or the whole value of a part
    std::string_view part;  ///< the end of the path, from `whole` to a part of it: `.x`
};

/// As `inspect::lookup_each`.
[[nodiscard]] std::expected<std::size_t, Error> each_place(
    const View& root, const Path& path, const std::function<bool(const MatchPlace&)>& use,
    std::uint64_t* work = nullptr);

}  // namespace gdvar::detail
