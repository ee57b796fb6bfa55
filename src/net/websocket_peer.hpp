// WebSocket connections, over TCP and TLS.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <deque>

#include "stream_peer.hpp"

namespace gdvar::detail {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
namespace http = beast::http;

template <class Next>
class WebSocketPeer final : public PeerBase {
public:
    WebSocketPeer(LoopState loop, Strand strand, Next next, const NetOptions& options,
                  SharedHandlers handlers);
    /// The server's side: connected, but for handshakes.
    void accepted();
    void connect(const NetUrl& url);
    void connected(const error_code& code);

private:
    static constexpr bool secure = std::same_as<Next, TlsStream>;
    TcpSocket& socket() { return beast::get_lowest_layer(stream_); }
    auto me() { return self<WebSocketPeer>(); }
    void name_ends();
    void configure(beast::role_type role);
    void read_request();
    void answer_request();
    void greet();
    void offer();
    void write_next();

    void start_read() override;
    bool deliver() override;
    bool start_write() override;
    void say_goodbye() override;
    void release() override;

    websocket::stream<Next> stream_;
    std::optional<asio::ip::tcp::resolver> resolver_;
    NetUrl url_;
    beast::flat_buffer buffer_;
    std::unique_ptr<http::request_parser<http::empty_body>> request_;
    websocket::response_type response_;
    std::size_t at_ = 0;  ///< in what is being sent
    bool reading_ = false, have_ = false;
};

}  // namespace gdvar::detail
