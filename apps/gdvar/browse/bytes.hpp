// The bytes of one value with what they mean, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "browse/canvas.hpp"
#include "gdvar/wire/options.hpp"
#include "session/entries.hpp"

namespace gdvar::app::browse {

using namespace session;

/// The fields of a value, its key before it. Only the first fields of a large value are taken
/// apart; the others are one run.
class Bytes {
public:
    /// `packet` is borrowed.
    Bytes(ByteView packet, const Entry& entry, const DecodeOptions& decoding);

    /// How many lines there are with so many bytes in each.
    std::size_t lines(std::size_t each) const;
    /// Draws the lines from `first` on. `offset`: of the packet, in what offsets count in.
    void draw(Canvas& canvas, int x, int y, int width, int height, std::size_t first,
              std::uint64_t offset) const;
    /// Where the bytes begin and end in the packet.
    std::size_t begin() const noexcept { return begin_; }
    std::size_t end() const noexcept { return end_; }
    /// How many bytes stand in a line of that width.
    static std::size_t each(int width) noexcept;

private:
    struct Run {
        std::size_t offset, size;
        std::string text;
        Role role;
    };
    void take(Place place, const DecodeOptions& decoding, const char* before);
    ByteView packet_;
    std::vector<Run> runs_;
    std::size_t begin_ = 0, end_ = 0;
};

}  // namespace gdvar::app::browse
