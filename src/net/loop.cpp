#include "loop.hpp"

#include <system_error>
#include <thread>

#include "deadlines.hpp"

namespace gdvar::net {

void detail::LoopState::drop_all() {
    std::vector<std::shared_ptr<detail::Endpoint>> all;
    {
        const std::scoped_lock lock(mutex_);
        for (auto* some : {&endpoints_, &calls_}) {
            for (auto& [id, endpoint] : *some)
                all.push_back(std::move(endpoint));
            some->clear();
        }
    }
    for (const auto& endpoint : all)
        endpoint->drop();
}

void detail::LoopState::remove(std::uint64_t id) {
    const std::scoped_lock lock(mutex_);
    endpoints_.erase(id);
    if (!endpoints_.empty() || !std::exchange(serves_, false))
        return;
    // After everything posted so far.
    asio::post(context, [this] {
        const std::scoped_lock again(mutex_);
        if (endpoints_.empty() && !calls_.empty() && guards_ == 0)
            context.stop();
    });
}

namespace detail {

/// A call delayed by `after`. Its function may hold a peer.
class DelayedCall final : public Endpoint, public std::enable_shared_from_this<DelayedCall> {
public:
    DelayedCall(SharedLoop loop, std::chrono::milliseconds time, std::function<void()> what)
        : loop_(std::move(loop)),
          id_(loop_->next_id()),
          strand_(asio::make_strand(loop_->context)),
          timer_(strand_, bounded(time)),
          what_(std::move(what)) {}
    void start() {
        loop_->add(shared_from_this(), id_, LoopState::Kind::call);
        timer_.async_wait([me = shared_from_this()](const error_code& code) {
            me->loop_->remove_call(me->id_);
            if (!code && !me->loop_->ending && !me->done_.exchange(true))
                me->what_();
        });
    }
    bool cancel() {
        if (done_.exchange(true))
            return false;
        loop_->post(strand_, [me = shared_from_this()] { me->timer_.cancel(); });
        return true;
    }
    void drop() override { timer_.cancel(); }

private:
    SharedLoop loop_;
    const std::uint64_t id_;
    Strand strand_;
    asio::steady_timer timer_;
    std::function<void()> what_;
    std::atomic<bool> done_{false};  ///< called, or cancelled
};

}  // namespace detail

bool EventLoop::Delayed::cancel() {
    const auto call = call_.lock();
    return call && call->cancel();
}

namespace {

/// Counts the `keep_running` that are held.
struct KeptRunning {
    explicit KeptRunning(detail::SharedLoop of) : loop(std::move(of)) { loop->keep_running(true); }
    KeptRunning(const KeptRunning&) = delete;
    KeptRunning& operator=(const KeptRunning&) = delete;
    ~KeptRunning() { loop->keep_running(false); }
    detail::SharedLoop loop;
};

/// In a separate thread, if one can be started.
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

// NOLINTNEXTLINE(bugprone-exception-escape): without memory for the events, the program ends
EventLoop::~EventLoop() {
    state_->ready.set(nullptr);
    state_->end();
    state_->stop();
    state_->drop_all();
    // Cancelled calls must still be reported, so that they release their endpoints; and some begin
    // only meanwhile.
    for (int round = 0; round < 2; ++round) {
        state_->restart();
        state_->context.poll();
        state_->drop_all();
    }
    // Windows reports cancellations later. Without this, another thread would free the calls.
    while (!state_->context.stopped() && state_->lookups == 0) {
        state_->context.run_one();
        state_->drop_all();
    }
    // Only lookups of names can't be cancelled. Asio's destructor would wait for them here, or in
    // the thread that releases the last peer.
    if (!state_->context.stopped())
        run_in_own_thread(std::move(state_));
}

void EventLoop::run() {
    state_->enter([&] { state_->context.run(); });
}

void EventLoop::run_for(std::chrono::milliseconds time) {
    if (time.count() > 0)
        state_->enter([&] { state_->context.run_for(detail::bounded(time)); });
    else
        poll();  // Asio's run_for does nothing when the time is zero
}

std::size_t EventLoop::poll(std::size_t most) {
    std::size_t done = 0;
    state_->ready.begin_poll();
    // Also after an exception of a posted function: there may be more to run.
    try {
        state_->enter([&] {
            while (done < most && state_->context.poll_one())
                ++done;
        });
    } catch (...) {
        state_->ready.tell();
        throw;
    }
    if (done == most)
        state_->ready.tell();
    else
        state_->ready.end_poll();
    return done;
}

void EventLoop::on_ready(std::function<void()> tell) {
    state_->ready.set(std::move(tell));
}

bool EventLoop::run_one_for(std::chrono::milliseconds time) {
    bool done = false;
    state_->enter([&] {
        // Asio's run_one_for does nothing when the time is zero.
        done = (time.count() > 0 ? state_->context.run_one_for(detail::bounded(time))
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
    state_->post(state_->context.get_executor(), [state = state_.get(), what = std::move(what)] {
        if (!state->ending)
            what();
    });
}

EventLoop::Delayed EventLoop::after(std::chrono::milliseconds time, std::function<void()> what) {
    const auto call = std::make_shared<detail::DelayedCall>(state_, time, std::move(what));
    call->start();
    Delayed out;
    out.call_ = call;
    return out;
}

std::shared_ptr<void> EventLoop::keep_running() {
    return std::make_shared<KeptRunning>(state_);
}

}  // namespace gdvar::net
