// WebSocket connections, over TCP and TLS.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

#include "socket_peer.hpp"

namespace gdvar::detail {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
namespace http = beast::http;

/// The sockets below, of types of their own for the overloads of async_teardown: Beast waits, after
/// its goodbye to a peer that broke the rules, until that peer closes; ours need not.
struct WebSocketTcp : TcpSocket {
    explicit WebSocketTcp(TcpSocket&& from) : TcpSocket(std::move(from)) {}
};
struct WebSocketTls : TlsStream {
    explicit WebSocketTls(TlsStream&& from) : TlsStream(std::move(from)) {}
};
inline TcpSocket& socket_of(WebSocketTcp& stream) noexcept {
    return stream;
}
inline TcpSocket& socket_of(WebSocketTls& stream) noexcept {
    return stream.next_layer();
}

template <class Stream>
concept WebSocketStream = std::same_as<Stream, WebSocketTcp> || std::same_as<Stream, WebSocketTls>;

template <WebSocketStream Stream>
void teardown(beast::role_type, Stream& stream, error_code& code) {
    socket_of(stream).shutdown(asio::socket_base::shutdown_send, code);
}
template <WebSocketStream Stream, class Handler>
void async_teardown(beast::role_type role, Stream& stream, Handler&& handler) {
    error_code code;
    teardown(role, stream, code);
    asio::post(stream.get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), code));
}

template <class Next>
class WebSocketPeer final : public SocketPeer {
public:
    WebSocketPeer(LoopState loop, Strand strand, Next next, const NetOptions& options,
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
    void answer_request();
    void offer();
    void read_failed(const error_code& code);
    void write_next();

    void start_read() override;
    bool deliver() override;
    bool start_write() override;
    void say_goodbye() override;
    void release() override;

    websocket::stream<Next> stream_;
    NetUrl url_;
    beast::flat_buffer buffer_;
    std::unique_ptr<http::request_parser<http::empty_body>> request_;
    websocket::response_type response_;
    std::size_t at_ = 0;  ///< in what is being sent
    bool have_ = false;
};

}  // namespace gdvar::detail
