#include "loop.hpp"

#include <system_error>
#include <thread>

namespace gdvar::net {

void detail::LoopState::drop_all() {
    std::vector<std::shared_ptr<detail::Endpoint>> all;
    {
        const std::scoped_lock lock(mutex_);
        for (const auto& [id, weak] : endpoints_)
            if (auto there = weak.lock())
                all.push_back(std::move(there));
        endpoints_.clear();
    }
    for (const auto& endpoint : all)
        endpoint->drop();
}

namespace {

/// A timer of `after`: what it would call may hold a peer.
class CallTimer final : public detail::Endpoint {
public:
    CallTimer(asio::io_context& context, std::chrono::milliseconds time) : timer(context, time) {}
    void drop() override { timer.cancel(); }
    asio::steady_timer timer;
};

/// In a thread of its own if one can be started.
void run_in_own_thread(detail::SharedLoop state) {
    const auto finish = [state] { state->context.run(); };
    try {
        std::thread(finish).detach();
    } catch (const std::system_error&) {
        finish();
    }
}

}  // namespace

EventLoop::EventLoop() : state_(std::make_shared<detail::LoopState>()) {}

// NOLINTNEXTLINE(bugprone-exception-escape): without memory for what is told, the program ends
EventLoop::~EventLoop() {
    state_->end();
    state_->stop();
    state_->drop_all();
    // What was cancelled still has to be told, so that it lets go of its endpoints; and some is
    // only begun while that happens.
    for (int round = 0; round < 2; ++round) {
        state_->restart();
        state_->context.poll();
        state_->drop_all();
    }
    // Only lookups of names can't be cancelled. Asio's end would wait for them here, or in the
    // thread that lets the last peer go.
    if (!state_->context.stopped())
        run_in_own_thread(std::move(state_));
}

void EventLoop::run() {
    state_->enter([&] { state_->context.run(); });
}

void EventLoop::run_for(std::chrono::milliseconds time) {
    state_->enter([&] { state_->context.run_for(time); });
}

bool EventLoop::run_one_for(std::chrono::milliseconds time) {
    bool done = false;
    state_->enter([&] {
        // Asio's run_one_for does not look at all when there is no time.
        done = (time.count() > 0 ? state_->context.run_one_for(time)
                                 : state_->context.poll_one()) != 0;
    });
    return done;
}

void EventLoop::stop() {
    state_->stop();
}
void EventLoop::restart() {
    state_->restart();
}

void EventLoop::post(std::function<void()> what) {
    asio::post(state_->context, [state = state_.get(), what = std::move(what)] {
        if (!state->ending)
            what();
    });
}

void EventLoop::after(std::chrono::milliseconds time, std::function<void()> what) {
    const auto timer = std::make_shared<CallTimer>(state_->context, time);
    const std::uint64_t id = state_->next_id();
    state_->add(timer, id);
    timer->timer.async_wait(
        [timer, id, state = state_.get(), what = std::move(what)](const error_code& code) {
            state->remove(id);
            if (!code && !state->ending)
                what();
        });
}

}  // namespace gdvar::net
