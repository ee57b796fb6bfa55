// How the stream targets read their input: the stream, behind it up to 15 bytes that say how it is
// split, their number and a choice of options.
#pragma once

#include <algorithm>
#include <vector>

#include "packet.hpp"

namespace gdvar::fuzz {

struct StreamInput {
    ByteView stream;
    std::vector<std::size_t> pieces;  ///< sizes, over and over again; never empty
    unsigned choice = 0;

    StreamInput(const std::uint8_t* data, std::size_t size) {
        if (size)
            choice = data[--size];
        std::size_t n = size ? data[--size] % 16 : 0;
        for (n = std::min(n, size); n; --n)
            pieces.push_back(std::size_t{data[--size]} + 1);
        if (pieces.empty())
            pieces.push_back(1);
        stream = {reinterpret_cast<const std::byte*>(data), size};
    }
    /// Calls `work(piece)` for each piece of the stream, in order, while it returns true.
    template <class Work>
    void each_piece(Work&& work) const {
        ByteView left = stream;
        for (std::size_t i = 0; !left.empty(); ++i) {
            const std::size_t n = std::min(pieces[i % pieces.size()], left.size());
            if (!work(left.first(n)))
                return;
            left = left.subspan(n);
        }
    }
};

}  // namespace gdvar::fuzz
