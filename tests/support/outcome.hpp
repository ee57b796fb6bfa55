// The outcome of a stream that a net::StreamFramer cut; for tests and fuzz targets.
#pragma once

#include <vector>

#include "gdvar/net/framer.hpp"

namespace gdvar::test {

/// Its packets, and the error at which it ended.
struct Outcome {
    std::vector<std::vector<std::byte>> packets;
    Error error;
    std::uint64_t position = 0;
    bool operator==(const Outcome&) const = default;

    /// The stream has ended, or is broken.
    void finish(const net::StreamFramer& framer) {
        if (auto end = framer.finish(); !end)
            error = end.error();
        position = framer.position();
    }
};

}  // namespace gdvar::test
