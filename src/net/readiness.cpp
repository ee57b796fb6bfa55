#include <condition_variable>
#include <thread>

#include "loop.hpp"
#if defined(BOOST_ASIO_HAS_EPOLL)
#include <poll.h>
#endif

namespace gdvar::net::detail {
namespace {

/// Interval of polling where nothing notifies: for the end of lookups, and without epoll.
constexpr std::chrono::milliseconds look_again{10};

#if defined(BOOST_ASIO_HAS_EPOLL)
using Reactor = asio::detail::epoll_reactor;

/// The reactor's epoll descriptor is readable while it has something to do, but Asio has no
/// accessor for it. An explicit instantiation may name a private member.
struct EpollDescriptor {
    using type = int Reactor::*;
    friend type member(EpollDescriptor);
};
template <class Tag, typename Tag::type which>
struct Private {
    friend typename Tag::type member(Tag) { return which; }
};
template struct Private<EpollDescriptor, &Reactor::epoll_fd_>;

/// Waits for the reactor's sockets and timers.
class Waiting {
public:
    explicit Waiting(LoopState& loop)
        : loop_(loop),
          sockets_(asio::use_service<Reactor>(static_cast<asio::execution_context&>(loop.context)).*
                   member(EpollDescriptor())) {}
    void interrupt() { wake_.interrupt(); }
    /// Without `watching`, waits for `interrupt` alone. False: it was interrupted.
    bool wait(bool watching) {
        pollfd what[] = {{wake_.read_descriptor(), POLLIN, 0},
                         {watching ? sockets_ : -1, POLLIN, 0}};
        const bool looks = watching && loop_.lookups > 0;
        const int found = ::poll(what, 2, looks ? static_cast<int>(look_again.count()) : -1);
        if (what[0].revents != 0)
            wake_.reset();
        return what[0].revents == 0 && (found >= 0 || errno != EINTR);
    }

private:
    LoopState& loop_;
    const int sockets_;
    asio::detail::select_interrupter wake_;
};
#else
/// Without notification: polls the loop.
class Waiting {
public:
    explicit Waiting(LoopState&) {}
    void interrupt() {
        const std::scoped_lock lock(mutex_);
        interrupted_ = true;
        changed_.notify_one();
    }
    bool wait(bool watching) {
        std::unique_lock lock(mutex_);
        const auto is_interrupted = [this] { return interrupted_; };
        if (watching)
            changed_.wait_for(lock, look_again, is_interrupted);
        else
            changed_.wait(lock, is_interrupted);
        return !std::exchange(interrupted_, false);
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool interrupted_ = false;
};
#endif

}  // namespace

/// A thread that waits for the loop without running it.
class Readiness::Watcher {
public:
    explicit Watcher(LoopState& loop) : loop_(loop), waiting_(loop) {
        const asio::detail::signal_blocker signals_are_for_others;
        thread_ = std::thread([this] { work(); });
    }
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    ~Watcher() {
        ending_ = true;
        waiting_.interrupt();
        thread_.join();
    }
    void watch() {
        watching_ = true;
        waiting_.interrupt();
    }

private:
    void work() {
        while (!ending_) {
            const bool watching = watching_;
            if (!waiting_.wait(watching) || !watching)
                continue;
            watching_ = false;
            loop_.ready.tell();
        }
    }

    LoopState& loop_;
    Waiting waiting_;
    std::atomic<bool> watching_{false}, ending_{false};
    std::thread thread_;
};

void Readiness::set(std::function<void()> what) {
    auto watcher = what ? std::make_shared<Watcher>(loop_) : nullptr;
    {
        const std::scoped_lock lock(mutex_);
        what_ = std::move(what);
        wanted_ = static_cast<bool>(what_);
        std::swap(watcher, watcher_);
    }
    // The previous one ends here, without the lock that it may wait for.
    watcher.reset();
    told_ = false;
    tell();
}

void Readiness::tell() noexcept {
    if (!wanted_)
        return;
    const std::shared_lock lock(mutex_);
    if (what_ && !told_.exchange(true))
        what_();
}

void Readiness::end_poll() {
    if (!wanted_)
        return;
    const std::shared_lock lock(mutex_);
    if (watcher_)
        watcher_->watch();
}

}  // namespace gdvar::net::detail
