#include "live/signals.hpp"

#include <algorithm>
#include <cstdlib>

#include "output/messages.hpp"

namespace gdvar::app {

namespace {

/// Time limit of a clean end, and of the loop's end after it.
constexpr std::chrono::seconds patience{2};

}  // namespace

Signals::Signals(net::EventLoop& loop, double seconds, std::function<void()> end)
    : end_(std::move(end)) {
    thread_ = std::thread([this, &loop] {
        if (!signals_.wait())
            return;
        loop.post(end_);
        // A second signal, or time, stops the loop without close handshakes. A loop blocked by a
        // pipe that nobody reads does not notice: a third signal, or time, ends the process. The
        // recording is in its file already.
        if (!signals_.wait_for(patience))
            return;
        loop.stop();
        if (signals_.wait_for(patience))
            std::_Exit(io_error);
    });
    if (seconds > 0)
        loop.after(std::chrono::milliseconds(
                       static_cast<std::int64_t>(std::min(seconds, longest_wait) * 1e3)),
                   [this] { end_(); });
}

Signals::~Signals() {
    signals_.end_waiting(thread_);
    thread_.join();
}

}  // namespace gdvar::app
