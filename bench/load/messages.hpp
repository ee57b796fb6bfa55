// The messages of small_packets as they go over a transport, and what their echo must be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gdvar::load {

/// Messages back to back.
struct Blob {
    std::string bytes;
    std::vector<std::size_t> begins{0};  ///< and the end of the last

    void add(std::string_view message) {
        bytes += message;
        begins.push_back(bytes.size());
    }
    std::size_t count() const noexcept { return begins.size() - 1; }
    std::string_view operator[](std::size_t i) const noexcept {
        return std::string_view(bytes).substr(begins[i], begins[i + 1] - begins[i]);
    }
    /// Where message `k` begins when they are repeated for ever.
    std::size_t begin_of(std::size_t k) const noexcept {
        return k / count() * bytes.size() + begins[k % count()];
    }
};

struct Exchange {
    Blob sent, answered;
};

/// Bytes that Godot 4.6.3 wrote, without the lengths. Exits with a message when it can't be read.
const Blob& small_packets();
/// Behind their lengths; masked frames and bare ones; bare.
const Exchange& stream_messages();
const Exchange& websocket_messages();
const Exchange& bare_messages();

/// Says what went wrong and exits: no figure would mean anything then.
[[noreturn]] void give_up(const std::string& what);

}  // namespace gdvar::load
