#pragma once

#include <array>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <variant>

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
    /// The time for which reading must wait.
    std::function<Clock::duration()> delay;
    /// Called with the number of bytes read.
    std::function<void(std::size_t)> on_read;
};

/// The socket of a WebSocket: TCP, or TLS over it. One type for Beast's templates, and one type of
/// handler below it: with the sockets' own types, Beast alone took a minute to compile.
class WebSocketSocket {
public:
    using executor_type = asio::any_io_executor;

    explicit WebSocketSocket(TcpSocket&& socket) : socket_(std::move(socket)) {}
    explicit WebSocketSocket(TlsStream&& stream) : socket_(std::move(stream)) {}

    executor_type get_executor() noexcept { return tcp().get_executor(); }
    TlsStream* tls() noexcept { return std::get_if<TlsStream>(&socket_); }
    TcpSocket& tcp() noexcept { return tls() ? tls()->next_layer() : *std::get_if<0>(&socket_); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& to, Token&& token) {
        return asio::async_initiate<Token, void(error_code, std::size_t)>(
            [this](auto handler, asio::mutable_buffer part) {
                read(part, Handler(std::move(handler)));
            },
            token, first_part(to));
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& from, Token&& token) {
        return asio::async_initiate<Token, void(error_code, std::size_t)>(
            [this](auto handler, const Parts& parts) { write(parts, Handler(std::move(handler))); },
            token, first_parts(from));
    }

    std::unique_ptr<ReadLimiter> limiter;  ///< set before anything is read

private:
    using Handler = asio::any_completion_handler<void(error_code, std::size_t)>;
    /// A header and its payload. An operation may write only a part.
    struct Parts {
        std::array<asio::const_buffer, 4> all;
        std::size_t count = 0;
        const asio::const_buffer* begin() const noexcept { return all.data(); }
        const asio::const_buffer* end() const noexcept { return all.data() + count; }
    };

    template <class Buffers>
    static asio::mutable_buffer first_part(const Buffers& to) {
        for (auto it = asio::buffer_sequence_begin(to); it != asio::buffer_sequence_end(to); ++it)
            if (const asio::mutable_buffer part(*it); part.size() != 0)
                return part;
        return {};
    }
    template <class Buffers>
    static Parts first_parts(const Buffers& from) {
        Parts out;
        for (auto it = asio::buffer_sequence_begin(from);
             it != asio::buffer_sequence_end(from) && out.count != out.all.size(); ++it)
            if (const asio::const_buffer part(*it); part.size() != 0)
                out.all[out.count++] = part;
        return out;
    }
    void read(asio::mutable_buffer to, Handler handler);
    void read_now(asio::mutable_buffer to, Handler handler);
    void write(const Parts& parts, Handler handler);

    std::variant<TcpSocket, TlsStream> socket_;
};

/// Beast calls it for a connection that takes too long.
inline void beast_close_socket(WebSocketSocket& stream) {
    error_code ignored;
    stream.tcp().close(ignored);
}
/// After closing on a peer that broke the rules, Beast waits until that peer closes; these
/// overloads do not wait. Errors are ignored: the peer may have closed already.
inline void teardown(beast::role_type, WebSocketSocket& stream, error_code& code) {
    error_code ignored;
    stream.tcp().shutdown(asio::socket_base::shutdown_send, ignored);
    code = {};
}
template <class Handler>
void async_teardown(beast::role_type role, WebSocketSocket& stream, Handler&& handler) {
    error_code code;
    teardown(role, stream, code);
    asio::post(stream.get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), code));
}

class WebSocketPeer final : public SocketPeer {
public:
    WebSocketPeer(SharedLoop loop, Strand strand, WebSocketSocket socket, const NetOptions& options,
                  SharedHandlers handlers);
    /// The server's side: connected, except for handshakes.
    void accepted();
    void connect(const NetUrl& url);

private:
    TcpSocket& socket() { return stream_.next_layer().tcp(); }
    /// TLS's handshake, if there is TLS; then `next(peer)`.
    template <class Next>
    void secure(asio::ssl::stream_base::handshake_type role, Next next);
    auto me() { return self<WebSocketPeer>(); }
    void configure(beast::role_type role);
    void read_request();
    void refuse_broken(const error_code& code);
    void accept_upgrade();
    bool admits_origin(std::string_view origin) const;
    std::optional<HttpAnswer> answer_of_user(bool asks_for_websocket);
    void refuse(const HttpAnswer& answer, const std::string& why);
    void refuse(const HttpAnswer& answer, const NetError& end);
    void end_refused(const NetError& end);
    void discard_body(const NetError& end);
    void request_upgrade();
    void read_failed(const error_code& code);
    void write_next();

    void start_read() override;
    bool deliver() override;
    bool start_write() override;
    void start_close_handshake() override;
    void release() override;

    /// Without compression of messages, which we never offer.
    websocket::stream<WebSocketSocket, false> stream_;
    NetUrl url_;
    beast::flat_buffer buffer_;
    std::unique_ptr<http::request_parser<http::empty_body>> request_;
    /// Limits the wait for a refused request's body. Null: no wait.
    std::unique_ptr<asio::steady_timer> body_timer_;
    websocket::response_type response_;
    std::size_t position_ = 0;     ///< in the bytes being sent
    std::uint64_t body_left_ = 0;  ///< remaining bytes of a refused request's body
    bool message_ready_ = false;
    bool close_started_ = false;  ///< the close handshake has begun
};

}  // namespace gdvar::net::detail
