// What takes the space in a packet: by type, by path.
// Room: inspect.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gdvar/value/document.hpp"

namespace gdvar {

struct Share {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// Adds up over any number of values.
struct Statistics {
    /// By Godot 4's type name: the bytes of values themselves, headers and padding included; a
    /// container's are those that its elements do not take. Keys are values, too; property names
    /// are counted with their Object. All bytes together are the packets'.
    std::map<std::string, Share> by_type;
    /// By path, with `[*]` for any index: the bytes of all that is there.
    std::map<std::string, Share> by_path;
    std::uint64_t values = 0, bytes = 0;
    std::uint32_t depth = 0;  ///< containers around the innermost value
    bool paths_cut = false;   ///< more paths than `max_paths`: the deeper ones were left out

    /// Counts a value and all in it. Iterative.
    void add(const View& root);

    std::size_t max_paths = 10'000;
};

}  // namespace gdvar
