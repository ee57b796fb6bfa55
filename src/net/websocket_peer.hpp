// WebSocket connections, over TCP and TLS.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

#include "socket_peer.hpp"

namespace gdvar::net::detail {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
namespace http = beast::http;

/// Limits a WebSocket's reading rate. Without it Beast reads on by itself as long as only pings and
/// empty parts of messages arrive.
struct ReadLimiter {
    explicit ReadLimiter(const Strand& strand) : timer(strand) {}
    asio::steady_timer timer;
    /// How long reading has to wait now.
    std::function<Clock::duration()> delay;
    /// Called with the number of bytes read.
    std::function<void(std::size_t)> on_read;
};

/// The sockets below, as types of their own: for their limiter, and for the overloads of
/// async_teardown. After closing on a peer that broke the rules, Beast waits until that peer
/// closes; these overloads do not wait.
template <class Socket>
struct LimitedSocket : Socket {
    explicit LimitedSocket(Socket&& from) : Socket(std::move(from)) {}
    std::unique_ptr<ReadLimiter> limiter;  ///< set before anything is read

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        enum class At { begin, waited, read };
        return asio::async_compose<Token, void(error_code, std::size_t)>(
            [this, buffers, at = At::begin](auto& self, error_code code = {},
                                            std::size_t n = 0) mutable {
                if (at == At::read) {
                    limiter->on_read(n);
                    return self.complete(code, n);
                }
                if (code)
                    return self.complete(code, 0);
                if (const auto wait = limiter->delay();
                    at == At::begin && wait > Clock::duration::zero()) {
                    at = At::waited;
                    limiter->timer.expires_after(wait);
                    return limiter->timer.async_wait(std::move(self));
                }
                at = At::read;
                Socket::async_read_some(buffers, std::move(self));
            },
            token, *this);
    }
};
using WebSocketTcp = LimitedSocket<TcpSocket>;
using WebSocketTls = LimitedSocket<TlsStream>;

inline TcpSocket& socket_of(WebSocketTcp& stream) noexcept {
    return stream;
}
inline TcpSocket& socket_of(WebSocketTls& stream) noexcept {
    return stream.next_layer();
}

/// Errors are ignored: the peer may have closed already.
template <class Socket>
void teardown(beast::role_type, LimitedSocket<Socket>& stream, error_code& code) {
    error_code ignored;
    socket_of(stream).shutdown(asio::socket_base::shutdown_send, ignored);
    code = {};
}
template <class Socket, class Handler>
void async_teardown(beast::role_type role, LimitedSocket<Socket>& stream, Handler&& handler) {
    error_code code;
    teardown(role, stream, code);
    asio::post(stream.get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), code));
}

template <class Next>
class WebSocketPeer final : public SocketPeer {
public:
    WebSocketPeer(SharedLoop loop, Strand strand, Next next, const NetOptions& options,
                  SharedHandlers handlers);
    /// The server's side: connected, but for handshakes.
    void accepted();
    void connect(const NetUrl& url);

private:
    static constexpr bool secure = std::same_as<Next, WebSocketTls>;
    TcpSocket& socket() { return socket_of(stream_.next_layer()); }
    auto me() { return self<WebSocketPeer>(); }
    void configure(beast::role_type role);
    void read_request();
    void accept_upgrade();
    bool admits_origin(std::string_view origin) const;
    void refuse_origin(std::string_view origin);
    void request_upgrade();
    void read_failed(const error_code& code);
    void write_next();

    void start_read() override;
    bool deliver() override;
    bool start_write() override;
    void start_close_handshake() override;
    void release() override;

    websocket::stream<Next> stream_;
    NetUrl url_;
    beast::flat_buffer buffer_;
    std::unique_ptr<http::request_parser<http::empty_body>> request_;
    websocket::response_type response_;
    std::size_t position_ = 0;  ///< in what is being sent
    bool message_ready_ = false;
};

}  // namespace gdvar::net::detail
