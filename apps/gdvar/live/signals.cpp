#include "live/signals.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "output/messages.hpp"

namespace gdvar::app {

namespace {

/// What a polite end may take before it is made one, and what the loop may take for that.
constexpr timespec patience{2, 0};

}  // namespace

Signals::Signals(net::EventLoop& loop, double seconds, std::function<void()> end)
    : end_(std::move(end)) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
        sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    thread_ = std::thread([this, &loop, set] {
        int number = 0;
        while (!done_ && (sigwait(&set, &number) != 0 || (number == SIGUSR1 && !done_))) {
        }
        if (done_)
            return;
        loop.post(end_);
        // A second signal, or time, stops the loop without close handshakes. One that is stuck in a
        // pipe that nobody reads does not hear of it: a third signal, or time, ends the process.
        // What was recorded is in its file already.
        if (sigtimedwait(&set, nullptr, &patience) >= 0 && done_)
            return;
        loop.stop();
        (void)sigtimedwait(&set, nullptr, &patience);
        if (!done_)
            std::_Exit(io_error);
    });
    if (seconds > 0)
        loop.after(std::chrono::milliseconds(
                       static_cast<std::int64_t>(std::min(seconds, longest_wait) * 1e3)),
                   [this] { end_(); });
}

Signals::~Signals() {
    done_ = true;
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
}

}  // namespace gdvar::app
