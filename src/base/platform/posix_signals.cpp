#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/platform/signals.hpp"

namespace gdvar::platform {
namespace {

/// SIGUSR1 wakes the thread that waits.
sigset_t awaited() noexcept {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
        sigaddset(&set, number);
    return set;
}

void (*called_before_end)() noexcept = nullptr;

extern "C" void end(int number) {
    called_before_end();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

void before_end(void (*what)() noexcept) noexcept {
    called_before_end = what;
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        std::signal(number, end);
}

void remove_at_end(const char* path) noexcept {
    ::unlink(path);
}

EndSignals::EndSignals() noexcept {
    const sigset_t set = awaited();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

bool EndSignals::wait() noexcept {
    const sigset_t set = awaited();
    int number = 0;
    while (!ended_ && (sigwait(&set, &number) != 0 || number == SIGUSR1)) {
    }
    return !ended_;
}

bool EndSignals::wait_for(std::chrono::seconds time) noexcept {
    const sigset_t set = awaited();
#ifdef __APPLE__
    // macOS lacks sigtimedwait.
    const auto end = std::chrono::steady_clock::now() + time;
    for (sigset_t pending; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
        int number = 0;
        sigpending(&pending);
        for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
            if (sigismember(&pending, each)) {
                (void)sigwait(&set, &number);
                return !ended_;
            }
    }
#else
    const timespec most{time.count(), 0};
    (void)sigtimedwait(&set, nullptr, &most);
#endif
    return !ended_;
}

void EndSignals::end_waiting(std::thread& waiting) noexcept {
    ended_ = true;
    pthread_kill(waiting.native_handle(), SIGUSR1);
}

}  // namespace gdvar::platform
