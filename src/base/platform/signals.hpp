// The signals that ask a program to end.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace gdvar::platform {

/// From now on `what` is called before SIGINT, SIGTERM or SIGHUP ends the program. It runs in a
/// signal handler: it may use only atomics and `remove_at_end`.
void before_end(void (*what)() noexcept) noexcept;
void remove_at_end(const char* path) noexcept;

/// SIGINT, SIGTERM and SIGHUP, for one thread that waits for them.
class EndSignals {
public:
    /// From now on these signals do not interrupt this thread and those that it starts. SIGPIPE is
    /// ignored: writing to a closed pipe or socket is an error like others.
    EndSignals() noexcept;
    /// Waits for a signal. False: `end_waiting` was called.
    bool wait() noexcept;
    /// The same, with a time limit.
    bool wait_for(std::chrono::seconds time) noexcept;
    void end_waiting(std::thread& waiting) noexcept;
    bool ended() const noexcept { return ended_; }

private:
    std::atomic<bool> ended_{false};
};

}  // namespace gdvar::platform
