// LoopState, held by an EventLoop. The only header of this room that includes Asio.
#pragma once

#include <atomic>
#include <boost/asio.hpp>
#include <functional>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

#include "gdvar/net/error.hpp"
#include "gdvar/net/loop.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace detail {

using namespace gdvar::detail;

using Strand = asio::strand<asio::io_context::executor_type>;

struct LoopState;

/// Peers and listeners, which must release their sockets before the loop's end, and timers.
class Endpoint {
public:
    virtual ~Endpoint() = default;
    /// Closes without calling a handler. No thread is in the loop then.
    virtual void drop() = 0;
};

inline NetError net_error(Errc code, std::string text = {}) {
    if (text.empty())
        text = std::string(error_meaning(code));
    return {.code = code, .text = std::move(text)};
}
inline NetError net_error(const Error& packet, std::string text = {}) {
    if (text.empty() && packet.code != Errc::ok)
        text = to_string(packet);
    return {.code = packet.code, .packet = packet, .text = std::move(text)};
}
/// Asio's stream_truncated: TCP ended before TLS did. By its name and number, as the header of the
/// constant would bring OpenSSL into every program; tls.cpp compares the two.
inline bool is_tls_cut(const error_code& code) noexcept {
    return code.value() == 1 && std::string_view(code.category().name()) == "asio.ssl.stream";
}
/// The system's errors are io, an end in the middle is closed, a protocol error is bad_packet.
inline NetError net_error(const error_code& code) {
    const bool systems = code.category() == boost::system::system_category() ||
                         code.category() == asio::error::get_netdb_category() ||
                         code.category() == asio::error::get_addrinfo_category();
    const bool ended = code == asio::error::eof || code == asio::error::connection_reset ||
                       code == asio::error::broken_pipe || is_tls_cut(code);
    return {.code = ended     ? Errc::closed
                    : systems ? Errc::io
                              : Errc::bad_packet,
            .system = systems ? code.value() : 0,
            .text = code.message()};
}

/// Tells another loop that this one has something to run (EventLoop::on_ready).
class Readiness {
public:
    explicit Readiness(LoopState& loop) noexcept : loop_(loop) {}
    bool wanted() const noexcept { return wanted_; }
    void set(std::function<void()> what);
    /// Something is ready. Tells at most once until `begin_poll`.
    void tell() noexcept;
    void begin_poll() noexcept { told_ = false; }
    /// Everything ready was run: waits for the sockets again.
    void end_poll();

private:
    class Watcher;
    LoopState& loop_;
    std::atomic<bool> wanted_{false}, told_{false};
    std::shared_mutex mutex_;  ///< protects:
    std::function<void()> what_;
    std::shared_ptr<Watcher> watcher_;
};

/// An EventLoop without its handle. Peers and listeners share it, so that their handles may outlive
/// the loop.
struct LoopState {
    asio::io_context context;

    enum class Kind : std::uint8_t { peer, listener, call };
    /// Registers an endpoint under a number of `next_id`, and holds it until `remove` or the loop's
    /// end: nothing else holds an endpoint that waits for nothing.
    void add(std::shared_ptr<Endpoint> endpoint, std::uint64_t id, Kind kind = Kind::peer) {
        const std::scoped_lock lock(mutex_);
        (kind == Kind::call ? calls_ : endpoints_)[id] = std::move(endpoint);
        serves_ = serves_ || kind == Kind::listener;
    }
    std::uint64_t next_id() noexcept { return ++last_id_; }
    /// The caller holds the endpoint: it must not be destroyed under the mutex.
    void remove(std::uint64_t id);
    void remove_call(std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        calls_.erase(id);
    }
    /// Posts `work` to the strand or the context; from any thread. Does nothing after the loop's
    /// end: `work` would keep its peer, and the peer this, forever.
    template <class Executor, class Work>
    void post(const Executor& executor, Work work) {
        {
            const std::shared_lock lock(posting_);
            if (ending)
                return;
            asio::post(executor, std::move(work));
        }
        // Inside the loop, `poll` goes on until nothing is ready.
        if (ready.wanted() && !context.get_executor().running_in_this_thread())
            ready.tell();
    }
    /// Ends the loop: the user's posted functions are no longer called, and nothing more is posted.
    void end() {
        {
            const std::scoped_lock lock(posting_);
            ending = true;
        }
        const std::scoped_lock lock(mutex_);
        guard_.reset();
    }
    std::atomic<bool> ending{false};  ///< set under `posting_`
    /// Pending lookups of names. Their end can't be seen from outside the loop.
    std::atomic<int> lookups{0};
    Readiness ready{*this};
    /// Sets whether the loop always counts as having work.
    void keep_running(bool keep) {
        const std::scoped_lock lock(mutex_);
        guards_ += keep ? 1 : -1;
        if (guards_ == 0)
            guard_.reset();
        else if (!guard_ && !ending)
            guard_.emplace(context.get_executor());
    }
    void drop_all();
    void stop() {
        const std::scoped_lock lock(mutex_);
        stopped_ = true;
        context.stop();
    }
    void restart() {
        const std::scoped_lock lock(mutex_);
        stopped_ = false;
        context.restart();
    }
    /// Calls `work` unless the loop was stopped. An io_context that ran out of work must be
    /// restarted, which is allowed only while no thread is in it.
    template <class Work>
    void enter(Work work) {
        {
            const std::scoped_lock lock(mutex_);
            if (stopped_)
                return;
            if (running_++ == 0)
                context.restart();
        }
        // Also when a posted function throws: the next call must find the loop unchanged.
        const Leaving leaving(*this);
        work();
    }

private:
    class Leaving {
    public:
        explicit Leaving(LoopState& loop) noexcept : loop_(loop) {}
        Leaving(const Leaving&) = delete;
        Leaving& operator=(const Leaving&) = delete;
        ~Leaving() {
            const std::scoped_lock lock(loop_.mutex_);
            --loop_.running_;
        }

    private:
        LoopState& loop_;
    };

    std::shared_mutex posting_;
    std::mutex mutex_;
    bool stopped_ = false, serves_ = false;
    int running_ = 0, guards_ = 0;
    std::optional<asio::executor_work_guard<asio::io_context::executor_type>> guard_;
    std::unordered_map<std::uint64_t, std::shared_ptr<Endpoint>> endpoints_, calls_;
    std::atomic<std::uint64_t> last_id_{0};
};

using SharedLoop = std::shared_ptr<LoopState>;
using Clock = std::chrono::steady_clock;

/// Gives access to the state of a public class.
struct LoopAccess {
    static const SharedLoop& of(EventLoop& loop) noexcept { return loop.state_; }
};

}  // namespace detail

}  // namespace gdvar::net
