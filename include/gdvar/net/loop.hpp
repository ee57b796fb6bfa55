// EventLoop: runs connections and listeners.
// Room: net. Rules: wire-format 4.1.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

namespace detail {
struct LoopState;
struct LoopAccess;
}  // namespace detail

/// Runs the endpoints that are made with it. Its destruction ends all connections without calling
/// their handlers. Handles that are still held then do nothing, from any thread. The destructor
/// does not wait for a name lookup that is under way: the thread of that lookup ends by itself.
class EventLoop {
public:
    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Runs until `stop`, or until nothing is left to do. Several threads may call it at once.
    void run();
    /// As `run`, for at most `time`.
    void run_for(std::chrono::milliseconds time);
    /// Runs one piece of work and waits at most `time` for it. Returns whether there was one.
    bool run_one_for(std::chrono::milliseconds time);
    /// Makes `run` return in all threads. Later calls of `run` return at once. May be called from
    /// any thread, but not from a signal handler.
    void stop();
    /// Undoes `stop`. No thread may be in `run`.
    void restart();
    /// Calls `what` in a thread that is in `run`. What it throws leaves `run`, which may then be
    /// called again; the same for `after`. Handlers: see PeerHandlers.
    void post(std::function<void()> what);
    /// Calls `what` once after `time`.
    void after(std::chrono::milliseconds time, std::function<void()> what);

private:
    friend struct detail::LoopAccess;
    std::shared_ptr<detail::LoopState> state_;
};

}  // namespace net
}  // namespace gdvar
