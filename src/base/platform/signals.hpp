// The signals that ask a program to end.
// Room: platform.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace gdvar::platform {

/// From now on `what` is called before SIGINT, SIGTERM or SIGHUP ends the program. It is called in
/// a handler of signals: it may use atomics and `remove_at_end`, and nothing else.
void before_end(void (*what)() noexcept) noexcept;
/// Takes a name away.
void remove_at_end(const char* path) noexcept;

/// SIGINT, SIGTERM and SIGHUP, for one thread that waits for them.
class EndSignals {
public:
    /// From now on this thread and those that it starts are not interrupted by these signals.
    /// SIGPIPE is ignored: writing to a closed pipe or socket is an error like others.
    EndSignals() noexcept;
    /// Waits for a signal. False: `end_waiting` was called.
    bool wait() noexcept;
    /// Waits for a signal, or until the time is over. False: `end_waiting` was called.
    bool wait_for(std::chrono::seconds time) noexcept;
    /// Ends the waiting of that thread, now and later.
    void end_waiting(std::thread& waiting) noexcept;
    bool ended() const noexcept { return ended_; }

private:
    std::atomic<bool> ended_{false};
};

}  // namespace gdvar::platform
