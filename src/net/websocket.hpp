// A WebSocket's socket: TCP, or TLS over it.
#pragma once

#include <array>
#include <boost/asio/any_completion_handler.hpp>

#include "accepting.hpp"

namespace gdvar::net::detail {

/// Limits a WebSocket's reading rate. Without it Beast reads on by itself as long as only pings and
/// empty parts of messages arrive.
struct ReadLimiter {
    explicit ReadLimiter(const Strand& strand) : timer(strand) {}
    asio::steady_timer timer;
    /// The time for which reading must wait.
    std::function<Clock::duration()> delay;
    /// Called with the number of bytes read.
    std::function<void(std::size_t)> on_read;
};

/// One type for Beast's templates, and one type of handler below it: with the sockets' own types,
/// Beast alone took a minute to compile. TLS is behind a virtual function: without wss there is no
/// OpenSSL.
class WebSocketSocket {
public:
    using Handler = asio::any_completion_handler<void(error_code, std::size_t)>;
    /// A header and its payload. An operation may write only a part.
    struct Parts {
        std::array<asio::const_buffer, 4> all;
        std::size_t count = 0;
        const asio::const_buffer* begin() const noexcept { return all.data(); }
        const asio::const_buffer* end() const noexcept { return all.data() + count; }
    };

    WebSocketSocket() = default;
    WebSocketSocket(const WebSocketSocket&) = delete;
    WebSocketSocket& operator=(const WebSocketSocket&) = delete;
    virtual ~WebSocketSocket() = default;
    virtual Transport transport() const noexcept = 0;
    virtual TcpSocket& tcp() noexcept = 0;
    /// TLS's handshake, if there is TLS.
    virtual void handshake(Role role, std::function<void(const error_code&)> done) = 0;
    virtual void write(const Parts& parts, Handler handler) = 0;
    void read(asio::mutable_buffer to, Handler handler) {
        const auto wait = limiter->delay();
        if (wait <= Clock::duration::zero())
            return read_now(to, std::move(handler));
        limiter->timer.expires_after(wait);
        limiter->timer.async_wait(
            [this, to, handler = std::move(handler)](error_code code) mutable {
                if (code)
                    return std::move(handler)(code, 0);
                read_now(to, std::move(handler));
            });
    }

    std::unique_ptr<ReadLimiter> limiter;  ///< set before anything is read

protected:
    virtual void read_now(asio::mutable_buffer to, Handler handler) = 0;
};

template <class Stream>
class WebSocketOver final : public WebSocketSocket {
public:
    explicit WebSocketOver(Stream&& stream) : stream_(std::move(stream)) {}
    Transport transport() const noexcept override {
        return secure ? Transport::websocket_tls : Transport::websocket;
    }
    TcpSocket& tcp() noexcept override {
        if constexpr (secure)
            return stream_.next_layer();
        else
            return stream_;
    }
    void handshake([[maybe_unused]] Role role,
                   std::function<void(const error_code&)> done) override {
        if constexpr (secure)
            stream_.async_handshake(role == Role::client ? Stream::client : Stream::server,
                                    std::move(done));
        else
            done({});
    }
    void write(const Parts& parts, Handler handler) override {
        stream_.async_write_some(parts, std::move(handler));
    }

private:
    static constexpr bool secure = is_secure<Stream>;

    void read_now(asio::mutable_buffer to, Handler handler) override {
        stream_.async_read_some(
            to, [this, handler = std::move(handler)](error_code code, std::size_t n) mutable {
                limiter->on_read(n);
                std::move(handler)(code, n);
            });
    }

    Stream stream_;
};

template <class Stream>
std::unique_ptr<WebSocketSocket> over(Stream&& stream) {
    return std::make_unique<WebSocketOver<Stream>>(std::forward<Stream>(stream));
}

ConnectResult connect_websocket(const SharedLoop& loop, const Strand& strand,
                                std::unique_ptr<WebSocketSocket> socket, const NetUrl& url,
                                const NetOptions& options, SharedHandlers handlers);
std::shared_ptr<AcceptedPeer> accept_websocket(std::unique_ptr<WebSocketSocket> socket,
                                               const Accepting& with);

}  // namespace gdvar::net::detail
