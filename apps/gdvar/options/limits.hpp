#pragma once

#include <cstdint>
#include <optional>

#include "arguments.hpp"
#include "gdvar/file/layer.hpp"

namespace gdvar::app {

struct LimitOptions {
    std::optional<std::uint64_t> max_bytes;

    /// The most bytes read from a pipe, a device or a container. Files have no such limit.
    std::uint64_t most_streamed() const { return max_bytes.value_or(1u << 30); }
    /// The most bytes held in memory at once: a packet, a record, settings. The limit is lower for
    /// containers, which may be a thousand times smaller than their contents.
    std::uint64_t most_held(bool from_container) const {
        return max_bytes.value_or(from_container ? 256u << 20 : 1u << 30);
    }
    /// The most bytes of a text in a container. Reading takes up to 100 times as much memory.
    std::uint64_t most_text() const { return max_bytes.value_or(default_max_text); }
};

void add_limits(Arguments& arguments, LimitOptions& options);

}  // namespace gdvar::app
