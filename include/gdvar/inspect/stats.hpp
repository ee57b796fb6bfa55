// The sizes of a packet's parts: by type, by path.
// Room: inspect.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// A number of values, and their bytes.
struct Share {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// The shares of paths, as a tree: each path is its parent and one more step. Memory depends on the
/// names in the paths, not on the lengths of the paths.
class PathShares {
public:
    static constexpr std::uint32_t none = UINT32_MAX;
    /// Longer names are cut in the middle. Names that are then equal are counted as one.
    static constexpr std::size_t longest_step = 1000;
    /// One path: its parent's path and one more step. Nodes are owned by the PathShares and never
    /// removed; `enter` may move them.
    struct Node {
        std::uint32_t parent = none;
        std::uint32_t length = 0;  ///< of the whole path as text
        Share share;
        std::string step;  ///< `$` for the root
    };
    /// The node of `step` inside `parent` (`none`: `step` is the root). Makes the node if there is
    /// none yet and fewer than `most` are kept; otherwise returns `none`.
    std::uint32_t enter(std::uint32_t parent, std::string_view step, std::size_t most);
    void count(std::uint32_t node, std::uint64_t bytes);

    std::size_t size() const noexcept { return nodes_.size(); }
    const Node& operator[](std::size_t i) const noexcept { return nodes_[i]; }
    /// The path as text: `$.players[*].name`. Time and memory: the path's length.
    std::string path(std::size_t i) const;
    /// The share at the path, or null. Searches all nodes.
    const Share* find(std::string_view path) const;
    /// Node numbers by their bytes, the largest first. Equal ones stand in the order in which they
    /// were met.
    std::vector<std::uint32_t> by_size() const;

private:
    std::vector<Node> nodes_;
    /// The key is the parent's number and the step.
    std::unordered_map<std::string, std::uint32_t> found_;
};

/// Statistics of any number of values, summed up.
struct Statistics {
    /// Shares by Godot 4's type name. A value's bytes include its header and padding. A container's
    /// bytes are those that its children do not take. Keys count as values; property names count
    /// with their Object. The sum of all bytes is that of the packets.
    std::map<std::string, Share> by_type;
    /// Shares by path, with `[*]` for any index. The bytes are all those of the values at that
    /// path.
    PathShares by_path;
    std::uint64_t values = 0, bytes = 0;
    std::uint32_t depth = 0;  ///< containers around the innermost value
    bool paths_cut = false;   ///< over `max_paths` paths; the deeper ones are missing

    /// Counts a value and all values in it. Iterative. Time: linear. Memory: the names of the paths
    /// that are kept, and about 300 bytes for each container that is open at once. Errors: that of
    /// a lost View.
    [[nodiscard]] std::expected<void, Error> add(const View& root);

    std::size_t max_paths = 10'000;
};

}  // namespace inspect
}  // namespace gdvar
