// How another loop learns that there is something to run in this one.
#include <poll.h>

#include <thread>

#include "loop.hpp"

namespace gdvar::net::detail {
namespace {

#if defined(BOOST_ASIO_HAS_EPOLL)
using Reactor = asio::detail::epoll_reactor;

/// The reactor's epoll descriptor is readable as long as there is something to do in it, and Asio
/// has no name for it. An explicit instantiation may name a private member.
struct EpollDescriptor {
    using type = int Reactor::*;
    friend type member(EpollDescriptor);
};
template <class Tag, typename Tag::type which>
struct Private {
    friend typename Tag::type member(Tag) { return which; }
};
template struct Private<EpollDescriptor, &Reactor::epoll_fd_>;

int descriptor_of(asio::io_context& context) {
    return asio::use_service<Reactor>(static_cast<asio::execution_context&>(context)).*
           member(EpollDescriptor());
}
#else
int descriptor_of(asio::io_context&) {
    return -1;
}
#endif

/// How often to look where nothing tells: for the end of lookups, and without epoll.
constexpr int look_again_ms = 10;

}  // namespace

/// A thread that waits for the reactor's sockets and timers, and does nothing with them.
class Readiness::Watcher {
public:
    explicit Watcher(LoopState& loop) : loop_(loop), sockets_(descriptor_of(loop.context)) {
        const asio::detail::signal_blocker signals_are_for_others;
        thread_ = std::thread([this] { work(); });
    }
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    ~Watcher() {
        ending_ = true;
        wake_.interrupt();
        thread_.join();
    }
    void watch() {
        watching_ = true;
        wake_.interrupt();
    }

private:
    void work() {
        while (!ending_) {
            const bool watching = watching_;
            pollfd what[] = {{wake_.read_descriptor(), POLLIN, 0},
                             {watching ? sockets_ : -1, POLLIN, 0}};
            const bool looks = watching && (sockets_ < 0 || loop_.lookups > 0);
            const int found = ::poll(what, 2, looks ? look_again_ms : -1);
            if (what[0].revents != 0) {
                wake_.reset();
                continue;
            }
            if (!watching || (found < 0 && errno == EINTR))
                continue;
            watching_ = false;
            loop_.ready.tell();
        }
    }

    LoopState& loop_;
    const int sockets_;
    asio::detail::select_interrupter wake_;
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
    // The one before ends here, without the lock that it may wait for.
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
