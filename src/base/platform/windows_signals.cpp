#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include "base/platform/signals.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {
namespace {

void (*called_before_end)() noexcept = nullptr;

/// Called in a thread of its own. FALSE: the system ends the program.
BOOL WINAPI end(DWORD) {
    called_before_end();
    return FALSE;
}

// A single thread waits.
std::mutex waiting;
std::condition_variable came;
unsigned asked = 0;  ///< number of requests to end that were not handled yet

BOOL WINAPI note_asking(DWORD event) {
    {
        const std::scoped_lock lock(waiting);
        ++asked;
        came.notify_all();
    }
    return taken_up(event);
}

}  // namespace

BOOL taken_up(DWORD event) noexcept {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        ::Sleep(INFINITE);
    return TRUE;
}

void before_end(void (*what)() noexcept) noexcept {
    called_before_end = what;
    ::SetConsoleCtrlHandler(end, TRUE);
}

void remove_at_end(const char* path) noexcept {
    remove_name(path);
}

EndSignals::EndSignals() noexcept {
    ::SetConsoleCtrlHandler(note_asking, TRUE);
}

bool EndSignals::wait() noexcept {
    std::unique_lock lock(waiting);
    came.wait(lock, [this] { return ended_ || asked; });
    asked -= asked ? 1 : 0;
    return !ended_;
}

bool EndSignals::wait_for(std::chrono::seconds time) noexcept {
    std::unique_lock lock(waiting);
    came.wait_for(lock, time, [this] { return ended_ || asked; });
    asked -= asked ? 1 : 0;
    return !ended_;
}

void EndSignals::end_waiting(std::thread&) noexcept {
    const std::scoped_lock lock(waiting);
    ended_ = true;
    came.notify_all();
}

}  // namespace gdvar::platform
