// What takes the space in a packet: by type, by path.
// Room: inspect.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdvar/value/document.hpp"

namespace gdvar {

struct Share {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// Paths with what is there, each kept as the one around it and one step more: however long they are, they take no more
/// than the names in them.
class PathShares {
public:
    static constexpr std::uint32_t none = UINT32_MAX;
    /// Longer names are cut in the middle; those that are then the same are counted as one.
    static constexpr std::size_t longest_step = 1000;
    struct Node {
        std::uint32_t parent = none;
        std::uint32_t length = 0;  ///< of the whole path as text
        Share share;
        std::string step;  ///< `$` for the root
    };
    /// The node of that step inside of `parent` (`none`: the root itself), made if there is none yet and fewer than
    /// `most` are kept; else `none`.
    std::uint32_t enter(std::uint32_t parent, std::string_view step, std::size_t most);
    void count(std::uint32_t node, std::uint64_t bytes);

    std::size_t size() const noexcept { return nodes_.size(); }
    const Node& operator[](std::size_t i) const noexcept { return nodes_[i]; }
    /// `$.players[*].name`. Time and memory: the path's length.
    std::string path(std::size_t i) const;
    /// The share at that path, or null. Looks at all of them.
    const Share* find(std::string_view path) const;
    /// Nodes by their bytes, the largest first; where they are equal, in the order in which they were met.
    std::vector<std::uint32_t> by_size() const;

private:
    std::vector<Node> nodes_;
    /// Keys are the parent's number and the step.
    std::unordered_map<std::string, std::uint32_t> found_;
};

/// Adds up over any number of values.
struct Statistics {
    /// By Godot 4's type name: the bytes of values themselves, headers and padding included; a
    /// container's are those that its elements do not take. Keys are values, too; property names
    /// are counted with their Object. All bytes together are the packets'.
    std::map<std::string, Share> by_type;
    /// By path, with `[*]` for any index: the bytes of all that is there.
    PathShares by_path;
    std::uint64_t values = 0, bytes = 0;
    std::uint32_t depth = 0;  ///< containers around the innermost value
    bool paths_cut = false;   ///< more paths than `max_paths`: the deeper ones were left out

    /// Counts a value and all in it. Iterative. Time: linear. Memory: the names of the paths that are kept, and some
    /// 300 bytes for each container that is open at once. Errors: a lost View's.
    [[nodiscard]] std::expected<void, Error> add(const View& root);

    std::size_t max_paths = 10'000;
};

}  // namespace gdvar
