// EventLoop: runs connections and listeners. Rules: wire-format 4.1.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

namespace detail {
struct LoopState;
struct LoopAccess;
class DelayedCall;
}  // namespace detail

/// Runs its endpoints. Its destructor ends all connections without calling their handlers. Handles
/// still held then do nothing, from any thread. The destructor does not wait for a pending name
/// lookup: that lookup's thread ends by itself.
///
/// A program with a loop of its own calls `poll` in it: at every tick, or when `on_ready` tells.
class EventLoop {
public:
    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Runs until `stop`, or until nothing is left to do. Several threads may call it at once.
    void run();
    /// As `run`, for at most `time`, but at least everything that is ready.
    void run_for(std::chrono::milliseconds time);
    /// Runs one piece of work and waits at most `time` for it. Returns whether there was one.
    bool run_one_for(std::chrono::milliseconds time);
    /// Runs everything ready without waiting; returns the number of pieces of work. It also returns
    /// after `most` pieces, as peers may send faster than they are handled; `on_ready` tells of the
    /// rest.
    std::size_t poll(std::size_t most = 10'000);
    /// Calls `tell` when there is something to run, so that another loop can call `poll` then: once
    /// now, and after each `poll` once as soon as there is more. `tell` may be called in any
    /// thread, also inside a `put_` or `post`, and must not throw nor call into gdvar: it wakes the
    /// other loop, for example by `asio::post`, `uv_async_send` or a write to an eventfd. A thread
    /// of the loop's own waits for the sockets. Null: no more calls; none is running when this
    /// returns, so `tell` must not call it.
    void on_ready(std::function<void()> tell);
    /// Makes `run` return in all threads. Later calls of `run` return at once. May be called from
    /// any thread, but not from a signal handler.
    void stop();
    /// Undoes `stop`. No thread may be in `run`.
    void restart();
    /// Calls `what` in a thread that is in `run`. Its exceptions leave `run`, which may then be
    /// called again; the same for `after`. Handlers: see PeerHandlers.
    void post(std::function<void()> what);

    /// A delayed call of `after`. It may outlive the loop. Its destructor cancels nothing.
    class Delayed {
    public:
        Delayed() = default;
        /// Cancels the call. Returns false if it has begun. From any thread.
        bool cancel();

    private:
        friend class EventLoop;
        std::weak_ptr<detail::DelayedCall> call_;
    };
    /// Calls `what` once after `time`. While a call waits, `run` goes on; but it returns when the
    /// last listener has been closed and all connections have ended. The call then waits for the
    /// next `run`.
    Delayed after(std::chrono::milliseconds time, std::function<void()> what);
    /// While the result is held, `run` does not return for lack of work. It may outlive the loop.
    [[nodiscard]] std::shared_ptr<void> keep_running();

private:
    friend struct detail::LoopAccess;
    std::shared_ptr<detail::LoopState> state_;
};

}  // namespace net
}  // namespace gdvar
