#include <algorithm>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <cstring>

#include "gdvar/base/quote.hpp"
#include "gdvar/wire/path.hpp"
#include "websocket.hpp"

namespace gdvar::net::detail {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
namespace http = beast::http;

/// The same as Beast has it: movable, with the functions of a stream.
class WebSocketLayer {
public:
    using executor_type = asio::any_io_executor;

    explicit WebSocketLayer(std::unique_ptr<WebSocketSocket> socket) : socket_(std::move(socket)) {}

    executor_type get_executor() noexcept { return socket_->tcp().get_executor(); }
    WebSocketSocket& socket() noexcept { return *socket_; }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& to, Token&& token) {
        return asio::async_initiate<Token, void(error_code, std::size_t)>(
            [this](auto handler, asio::mutable_buffer part) {
                socket_->read(part, WebSocketSocket::Handler(std::move(handler)));
            },
            token, first_part(to));
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& from, Token&& token) {
        return asio::async_initiate<Token, void(error_code, std::size_t)>(
            [this](auto handler, const WebSocketSocket::Parts& parts) {
                socket_->write(parts, WebSocketSocket::Handler(std::move(handler)));
            },
            token, first_parts(from));
    }

private:
    template <class Buffers>
    static asio::mutable_buffer first_part(const Buffers& to) {
        for (auto it = asio::buffer_sequence_begin(to); it != asio::buffer_sequence_end(to); ++it)
            if (const asio::mutable_buffer part(*it); part.size() != 0)
                return part;
        return {};
    }
    template <class Buffers>
    static WebSocketSocket::Parts first_parts(const Buffers& from) {
        WebSocketSocket::Parts out;
        for (auto it = asio::buffer_sequence_begin(from);
             it != asio::buffer_sequence_end(from) && out.count != out.all.size(); ++it)
            if (const asio::const_buffer part(*it); part.size() != 0)
                out.all[out.count++] = part;
        return out;
    }

    std::unique_ptr<WebSocketSocket> socket_;
};

/// Beast calls it for a connection that takes too long.
inline void beast_close_socket(WebSocketLayer& stream) {
    error_code ignored;
    stream.socket().tcp().close(ignored);
}
/// After closing on a peer that broke the rules, Beast waits until that peer closes; these
/// overloads do not wait. Errors are ignored: the peer may have closed already.
inline void teardown(beast::role_type, WebSocketLayer& stream, error_code& code) {
    error_code ignored;
    stream.socket().tcp().shutdown(asio::socket_base::shutdown_send, ignored);
    code = {};
}
template <class Handler>
void async_teardown(beast::role_type role, WebSocketLayer& stream, Handler&& handler) {
    error_code code;
    teardown(role, stream, code);
    asio::post(stream.get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), code));
}

namespace {

constexpr auto protocol_field = http::field::sec_websocket_protocol;
/// Limit of a WebSocket's request in bytes.
constexpr std::uint32_t max_request = 8 * 1024;
/// Limits for the discarded body of a refused request. If a socket is closed with unread bytes, the
/// answer may be lost with them (RFC 9112 9.6).
constexpr std::uint64_t max_discarded = 256 * 1024;
constexpr std::chrono::milliseconds max_body_time{1'000};
/// The bytes of a client's text that messages quote.
constexpr std::size_t most_told = 100;
/// Bytes of a message read at once: more if more has arrived.
constexpr std::size_t min_read = 2 * 1024, max_read = 64 * 1024;

/// The client's first protocol that we have.
std::string choose_protocol(std::string_view asked, const std::vector<std::string>& ours) {
    for (const auto& name : http::token_list(asked))
        for (const std::string& one : ours)
            if (std::string_view(name) == one)
                return one;
    return {};
}

bool splits_header(std::string_view value) {
    return std::ranges::any_of(value, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

std::string head_of(const HttpAnswer& answer, unsigned status, bool has_body) {
    std::string out = "HTTP/1.1 " + std::to_string(status) + " " +
                      std::string(http::obsolete_reason(http::int_to_status(status))) +
                      "\r\nConnection: close\r\n";
    if (has_body)
        out += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
    const bool sound = !answer.content_type.empty() && !splits_header(answer.content_type);
    out += "Content-Type: ";
    out += sound ? answer.content_type : HttpAnswer::plain_text;
    return out + (status == 426 ? "\r\nUpgrade: websocket\r\n\r\n" : "\r\n\r\n");
}

}  // namespace

class WebSocketPeer final : public SocketPeer {
public:
    WebSocketPeer(SharedLoop loop, Strand strand, std::unique_ptr<WebSocketSocket> socket,
                  const NetOptions& options, SharedHandlers handlers)
        : SocketPeer(std::move(loop), std::move(strand), socket->transport(), options,
                     std::move(handlers)),
          stream_(std::move(socket)) {
        auto limiter = std::make_unique<ReadLimiter>(strand_);
        limiter->delay = [this] { return read_delay(); };
        limiter->on_read = [this](std::size_t n) {
            on_partial_packet(0);  // a peer that sends pings is not idle
            take_bytes(n);
        };
        stream_.next_layer().socket().limiter = std::move(limiter);
        // Beast answers them.
        stream_.control_callback([this](websocket::frame_type kind, auto) {
            if (kind != websocket::frame_type::close)
                take_control();
        });
    }
    /// The server's side: connected, except for handshakes.
    void accepted() {
        on_connecting();
        set_addresses(socket());
        configure(beast::role_type::server);
        handshake(Role::server, [](auto& me) { me.read_request(); });
    }
    void connect(const NetUrl& url) {
        on_connecting();
        url_ = url;
        path_ = url.path;
        connect_tcp(me(), socket(), url, [](auto& me) {
            me.set_addresses(me.socket());
            me.configure(beast::role_type::client);
            me.handshake(Role::client, [](auto& self) { self.request_upgrade(); });
        });
    }

private:
    TcpSocket& socket() { return stream_.next_layer().socket().tcp(); }
    /// TLS's handshake, if there is TLS; then `next(peer)`.
    template <class Next>
    void handshake(Role role, Next next) {
        stream_.next_layer().socket().handshake(role, then(me(), next));
    }
    std::shared_ptr<WebSocketPeer> me() { return self<WebSocketPeer>(); }
    void configure(beast::role_type role) {
        auto timeout = websocket::stream_base::timeout::suggested(role);
        timeout.handshake_timeout = bounded(options_.connect_timeout);
        // Our own deadlines cover the rest.
        timeout.idle_timeout = websocket::stream_base::none();
        stream_.set_option(timeout);
        // 0 means no limit to Beast: `start_read` checks, too.
        stream_.read_message_max(
            std::max<std::size_t>(static_cast<std::size_t>(options_.max_packet), 1));
        stream_.auto_fragment(false);
    }
    // ---- the server's side

    void read_request() {
        request_ = std::make_unique<http::request_parser<http::empty_body>>();
        request_->header_limit(max_request);
        request_->body_limit(boost::none);  // it is not kept
        http::async_read_header(stream_.next_layer(), buffer_, *request_,
                                [me = me()](const error_code& code, std::size_t size) {
                                    if (me->is_over())
                                        return;
                                    if (code)
                                        return me->refuse_broken(code);
                                    // Beast has separate limits for the first line and the rest.
                                    if (size > max_request)
                                        return me->refuse_broken(http::error::header_limit);
                                    me->accept_upgrade();
                                });
    }
    /// Sends no answer if the socket failed, or the client has ended it.
    void refuse_broken(const error_code& code) {
        if (code.category() != http::make_error_code(http::error::bad_method).category() ||
            code == http::error::end_of_stream || code == http::error::partial_message)
            return fail(code);
        body_left_ = max_discarded;  // the rest's size is unknown
        if (code == http::error::header_limit)
            return refuse({.status = 431, .body = "The request's header is too long.\n"},
                          net_error(code));
        refuse({.status = 400, .body = "This is no sound HTTP request.\n"}, net_error(code));
    }
    void accept_upgrade() {
        const auto& request = request_->get();
        const bool asks = websocket::is_upgrade(request);
        if (state() != PeerState::connecting)
            return refuse({.status = 503, .body = "This server is closing.\n"}, NetError{});
        body_left_ = request_->chunked() ? max_discarded : request_->content_length().value_or(0);
        if (asks && body_left_ != 0)
            return refuse({.status = 400, .body = "A WebSocket's request has no body.\n"},
                          "a WebSocket's request with a body");
        // RFC 6455 4.1: a client must wait for the answer.
        if (asks && buffer_.size() != 0) {
            body_left_ = max_discarded;
            return refuse({.status = 400, .body = "A WebSocket's client waits for the answer.\n"},
                          "bytes behind a request that is not answered yet");
        }
        path_ = std::string(request.target());
        const auto origin = std::string_view(request[http::field::origin]);
        if (asks && !admits_origin(origin))
            return refuse({}, "a page of " + quote(shortened_path(origin, most_told)) +
                                  " may not connect: NetOptions::origins does not list it");
        auto answer = answer_of_user(asks);
        if (is_over())
            return;
        if (answer)
            return refuse(*answer, "refused by the handler `request`");
        if (!asks)
            return refuse(
                {.status = 426, .body = "This is a WebSocket server. Connect with ws://.\n"},
                "no request for a WebSocket");
        protocol_ = choose_protocol(std::string_view(request[protocol_field]), options_.protocols);
        stream_.set_option(websocket::stream_base::decorator(
            [name = protocol_](websocket::response_type& response) {
                if (!name.empty())
                    response.set(protocol_field, name);
            }));
        stream_.async_accept(request, then(me(), [](auto& me) {
                                 me.request_.reset();
                                 me.on_connected();
                             }));
    }
    /// Only browsers send the page's origin, and a page can't forge it.
    bool admits_origin(std::string_view origin) const {
        return origin.empty() || std::ranges::any_of(options_.origins, [&](const std::string& one) {
                   return one == "*" || beast::iequals(one, origin);
               });
    }
    std::optional<HttpAnswer> answer_of_user(bool asks_for_websocket) {
        std::optional<HttpAnswer> out;
        if (!handlers_->request)
            return out;
        const auto& request = request_->get();
        HttpRequest shown{std::string_view(request.method_string()),
                          std::string_view(request.target()),
                          asks_for_websocket,
                          {}};
        for (const auto& field : request)
            shown.headers.emplace_back(std::string_view(field.name_string()),
                                       std::string_view(field.value()));
        call([&](Peer& peer) { out = handlers_->request(peer, shown); }, "request");
        return out;
    }
    void refuse(const HttpAnswer& answer, const std::string& why) {
        refuse(answer, net_error(Errc::bad_packet, why));
    }
    void refuse(const HttpAnswer& answer, const NetError& end) {
        const unsigned status = answer.status >= 200 && answer.status < 600 ? answer.status : 500;
        const bool has_body = status != 204 && status != 205 && status != 304;
        auto text = std::make_shared<std::string>(head_of(answer, status, has_body));
        if (has_body && request_->get().method() != http::verb::head)
            *text += answer.body;
        const auto buffer = asio::buffer(*text);
        asio::async_write(stream_.next_layer(), buffer,
                          then(me(), [text, end](auto& me) { me.end_refused(end); }));
    }
    /// Called when the answer is sent.
    void end_refused(const NetError& end) {
        const std::uint64_t there = buffer_.size();
        if (body_left_ <= there)
            return fail(end);
        body_left_ = std::min(body_left_ - there, max_discarded);
        error_code ignored;
        socket().shutdown(asio::socket_base::shutdown_send, ignored);
        body_timer_ = std::make_unique<asio::steady_timer>(strand_, max_body_time);
        body_timer_->async_wait(then(me(), [end](auto& me) { me.fail(end); }));
        discard_body(end);
    }
    void discard_body(const NetError& end) {
        buffer_.clear();
        stream_.next_layer().async_read_some(
            buffer_.prepare(max_read), [me = me(), end](const error_code& code, std::size_t n) {
                if (me->is_over())
                    return;
                me->body_left_ -= std::min<std::uint64_t>(n, me->body_left_);
                if (code || me->body_left_ == 0)
                    return me->fail(end);
                me->discard_body(end);
            });
    }
    // ---- the client's side

    void request_upgrade() {
        std::string names;
        for (const std::string& name : options_.protocols)
            names += (names.empty() ? "" : ", ") + name;
        stream_.set_option(
            websocket::stream_base::decorator([names](websocket::request_type& request) {
                if (!names.empty())
                    request.set(protocol_field, names);
            }));
        const std::string host =
            url_.host.find(':') == url_.host.npos ? url_.host : "[" + url_.host + "]";
        stream_.async_handshake(response_, host + ":" + std::to_string(url_.port), url_.path,
                                then(me(), [](auto& me) {
                                    me.protocol_ = std::string(me.response_[protocol_field]);
                                    me.on_connected();
                                }));
    }
    // ---- messages

    void read_failed(const error_code& code) {
        // While closing, the close frame and TLS's close_notify may come in any order.
        if (discards() || code == websocket::error::closed)
            return finish();
        // Games often end without either.
        if (code == asio::error::eof || is_tls_cut(code))
            return stream_.is_message_done() ? finish()
                                             : fail(Error{Errc::truncated, Type::nil, 0, 0});
        // The peer has sent its close frame and did not wait for ours.
        if (stream_.reason().code == websocket::close_code::normal ||
            stream_.reason().code == websocket::close_code::going_away)
            return finish();
        if (code == websocket::error::message_too_big || code == websocket::error::buffer_overflow)
            return fail(Error{Errc::size_limit, Type::nil, 0, 0});
        if (code == websocket::error::bad_frame_payload)
            return fail(Error{Errc::bad_utf8, Type::nil, 0, 0});
        fail(code);
    }
    void write_next() {
        if (position_ == sending().size())
            return on_written();
        Entry entry;
        std::memcpy(&entry, sending().data() + position_, sizeof entry);
        stream_.text(entry.flags.text);
        stream_.async_write(asio::buffer(sending().data() + position_ + sizeof entry, entry.size),
                            then(me(), [size = sizeof entry + entry.size](auto& me) {
                                me.position_ += size;
                                me.on_send_progress();
                                me.write_next();
                            }));
    }

    void start_read() override {
        if (reading_ || message_ready_ || close_started_ || is_over())
            return;
        reading_ = true;
        // In parts: a message's announced size costs nothing until its bytes arrive.
        const std::size_t part = std::clamp(buffer_.size(), min_read, max_read);
        stream_.async_read_some(buffer_, part, [me = me()](const error_code& code, std::size_t n) {
            me->reading_ = false;
            if (me->is_over())
                return;
            if (code)
                return me->read_failed(code);
            me->count_received(n);
            if (me->buffer_.size() > me->options_.max_packet)
                return me->fail(Error{Errc::size_limit, Type::nil, 0, 0});
            me->message_ready_ = me->stream_.is_message_done();
            bool more = false;
            {
                // Answers are sent before a close frame that may follow.
                const Batch batch(*me);
                more = me->deliver();
            }
            if (more && me->should_read())
                me->start_read();
        });
    }
    bool deliver() override {
        if (!message_ready_)
            return true;
        if (!discards()) {
            if (!may_deliver())
                return false;
            const auto there = buffer_.cdata();
            handle(ByteView(static_cast<const std::byte*>(there.data()), there.size()),
                   {.text = stream_.got_text()});
        }
        message_ready_ = false;
        buffer_.clear();
        if (buffer_.capacity() > 4096)
            buffer_.shrink_to_fit();
        return !is_over();
    }
    bool start_write() override {
        position_ = 0;
        write_next();
        return false;
    }
    void start_close_handshake() override {
        // Beast reads and discards from here on. A read that began now and found a close frame in
        // its buffer would wait for this operation, and this operation for that read.
        close_started_ = true;
        stream_.async_close(websocket::close_code::normal, [me = me()](const error_code&) {
            if (!me->is_over())
                me->finish();
        });
    }
    void release() override {
        // Beast leaves its timer running when a handshake or a close handshake fails.
        const auto none = websocket::stream_base::none();
        stream_.set_option(websocket::stream_base::timeout{none, none, false});
        stream_.next_layer().socket().limiter->timer.cancel();
        if (body_timer_)
            body_timer_->cancel();
        close_socket(socket());
    }

    /// Without compression of messages, which we never offer.
    websocket::stream<WebSocketLayer, false> stream_;
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

ConnectResult connect_websocket(const SharedLoop& loop, const Strand& strand,
                                std::unique_ptr<WebSocketSocket> socket, const NetUrl& url,
                                const NetOptions& options, SharedHandlers handlers) {
    return begin_connecting<WebSocketPeer>(loop, strand, std::move(socket), url, options,
                                           std::move(handlers));
}

std::shared_ptr<AcceptedPeer> accept_websocket(std::unique_ptr<WebSocketSocket> socket,
                                               const Accepting& with) {
    return accepted_peer<WebSocketPeer>(std::move(socket), with);
}

}  // namespace gdvar::net::detail
