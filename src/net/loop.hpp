// What EventLoop keeps, and Asio itself: no other header of this room includes it.
#pragma once

#include <boost/asio.hpp>
#include <mutex>
#include <unordered_map>

#include "gdvar/net/endpoint.hpp"

namespace gdvar {

namespace asio = boost::asio;
using boost::system::error_code;

namespace detail {

/// Peers and listeners, which must let go of their sockets before the loop's end.
class Endpoint {
public:
    virtual ~Endpoint() = default;
    /// Closes without a word to the handlers. No thread is in the loop then.
    virtual void drop() = 0;
};

inline NetError net_error(Errc code, std::string text = {}) {
    if (text.empty()) text = std::string(error_meaning(code));
    return {Error{code, Type::nil, 0, 0}, std::move(text)};
}
inline NetError net_error(const error_code& code) { return net_error(Errc::io, code.message()); }

}  // namespace detail

struct EventLoop::State {
    asio::io_context context;

    /// Registers an endpoint; the number is its own and never used again.
    std::uint64_t add(std::weak_ptr<detail::Endpoint> endpoint, std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        endpoints_[id] = std::move(endpoint);
        return id;
    }
    std::uint64_t next_id() noexcept { return ++last_id_; }
    void remove(std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        endpoints_.erase(id);
    }
    void drop_all();

private:
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::weak_ptr<detail::Endpoint>> endpoints_;
    std::atomic<std::uint64_t> last_id_{0};
};

namespace detail {
using LoopState = std::shared_ptr<EventLoop::State>;
using Strand = asio::strand<asio::io_context::executor_type>;
using Clock = std::chrono::steady_clock;
}  // namespace detail

}  // namespace gdvar
