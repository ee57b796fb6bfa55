#include "stream_peer.hpp"

#include "transports.hpp"

namespace gdvar::detail {
namespace {

/// Plain sockets are read into this by all connections of a thread: an idle one needs no buffer.
constexpr std::size_t scratch_size = 64 * 1024;
/// So often a socket is read before the others get their turn.
constexpr int rounds = 4;
constexpr std::size_t tls_buffer = 16 * 1024;

}  // namespace

template <class Stream>
StreamPeer<Stream>::StreamPeer(LoopState loop, Strand strand, Stream stream,
                               const NetOptions& options, SharedHandlers handlers)
    : PeerBase(std::move(loop), std::move(strand), transport_of<Stream>, options,
               std::move(handlers)),
      stream_(std::move(stream)),
      input_(options_, static_cast<bool>(handlers_->data)) {}

// ---- Beginning ----------------------------------------------------------------------------------

template <class Stream>
void StreamPeer<Stream>::accepted() {
    connecting();
    name_ends();
    begin();
}

template <class Stream>
void StreamPeer<Stream>::connect(const NetUrl& url) {
    connecting();
    if constexpr (std::same_as<Stream, LocalSocket>) {
        address_ = url.host;
        stream_.async_connect(asio::local::stream_protocol::endpoint(url.host),
                              [me = me()](const error_code& code) {
                                  if (!me->is_done())
                                      me->connected(code);
                              });
    } else {
        address_ = url.host + ":" + std::to_string(url.port);
        if constexpr (secure)
            expect_server(stream_, options_.tls, url.host);
        resolver_.emplace(strand_);
        connect_tcp(me(), socket(), *resolver_, url);
    }
}

template <class Stream>
void StreamPeer<Stream>::connected(const error_code& code) {
    if (code)
        return fail(code);
    name_ends();
    if constexpr (secure) {
        stream_.async_handshake(asio::ssl::stream_base::client,
                                [me = me()](const error_code& failed) {
                                    if (me->is_done())
                                        return;
                                    if (failed)
                                        return me->fail(failed);
                                    me->opened();
                                });
    } else {
        opened();
    }
}

template <class Stream>
void StreamPeer<Stream>::name_ends() {
    error_code code;
    if constexpr (std::same_as<Stream, LocalSocket>) {
        local_ = stream_.local_endpoint(code).path();
        if (address_.empty())
            address_ = local_;
    } else {
        const auto remote = socket().remote_endpoint(code);
        if (!code)
            address_ = to_text(remote);
        const auto local = socket().local_endpoint(code);
        if (!code)
            local_ = to_text(local);
        socket().set_option(asio::ip::tcp::no_delay(true), code);
    }
    socket().non_blocking(true, code);
}

template <class Stream>
void StreamPeer<Stream>::begin() {
    if constexpr (secure) {
        stream_.async_handshake(asio::ssl::stream_base::server,
                                [me = me()](const error_code& failed) {
                                    if (me->is_done())
                                        return;
                                    if (failed)
                                        return me->fail(failed);
                                    me->opened();
                                });
    } else {
        opened();
    }
}

// ---- Reading ------------------------------------------------------------------------------------

template <class Stream>
void StreamPeer<Stream>::start_read() {
    if (reading_ || end_ || is_done())
        return;
    reading_ = true;
    if constexpr (secure) {
        buffer_.resize(tls_buffer);
        stream_.async_read_some(
            asio::buffer(buffer_), [me = me()](const error_code& code, std::size_t n) {
                me->reading_ = false;
                if (me->is_done())
                    return;
                {
                    const Batch batch(*me);
                    if (n)
                        me->received(ByteView(me->buffer_).first(n));
                    if (code == asio::error::eof || code == asio::ssl::error::stream_truncated)
                        me->end_of_stream();
                    else if (code)
                        me->fail(code);
                }
                if (me->should_read())
                    me->start_read();
            });
    } else {
        stream_.async_wait(Stream::wait_read, [me = me()](const error_code& code) {
            me->reading_ = false;
            if (me->is_done())
                return;
            if (code)
                return me->fail(code);
            me->readable();
            if (me->should_read())
                me->start_read();
        });
    }
}

template <class Stream>
void StreamPeer<Stream>::readable() {
    thread_local std::vector<std::byte> scratch(scratch_size);
    const Batch batch(*this);
    for (int round = 0; round < rounds && should_read() && !end_; ++round) {
        error_code code;
        std::size_t n = 0;
        if constexpr (!secure)
            n = stream_.read_some(asio::buffer(scratch), code);
        if (code == asio::error::would_block)
            return;
        if (code == asio::error::eof)
            return end_of_stream();
        if (code)
            return fail(code);
        received(ByteView(scratch).first(n));
        if (n < scratch.size())
            return;
    }
}

template <class Stream>
void StreamPeer<Stream>::received(ByteView bytes) {
    heard(bytes.size());
    if (is_closing())
        return;  // nobody wants them any more
    if (auto fed = input_.feed(bytes); !fed)
        return fail(fed.error());
    deliver();
}

template <class Stream>
bool StreamPeer<Stream>::deliver() {
    if (is_closing())
        return true;
    if (input_.raw())
        return deliver_raw();
    while (is_open() && may_handle()) {
        const auto packet = input_.framer().next();
        if (!packet) {
            fail(packet.error());
            return false;
        }
        if (!*packet) {
            if (end_)
                end_of_stream();
            return is_open();
        }
        handle(**packet, (*packet)->size() + 4);
    }
    return is_closing();
}

template <class Stream>
bool StreamPeer<Stream>::deliver_raw() {
    if (!may_handle())
        return false;
    if (!input_.queue().empty() && wanted()) {
        StreamReader reader = input_.reader();
        handlers_->data(*this, reader);
    }
    if (is_done())
        return false;
    if (input_.too_much_left()) {
        fail(Error{Errc::size_limit, Type::nil, 0, 0});
        return false;
    }
    if (end_)
        end_of_stream();
    return !is_done();
}

/// The peer sends no more. What it sent, but may not be handled yet, is handled first.
template <class Stream>
void StreamPeer<Stream>::end_of_stream() {
    end_ = true;
    if (is_open() && !should_read())
        return;  // `deliver` comes here again
    if (is_open() && !input_.raw())
        if (const auto whole = input_.framer().finish(); !whole)
            return fail(whole.error());
    ended();
}

// ---- Writing ------------------------------------------------------------------------------------

template <class Stream>
bool StreamPeer<Stream>::start_write() {
    std::size_t n = 0;
    if constexpr (!secure) {
        // Most answers find room in the socket at once.
        error_code code;
        n = stream_.write_some(asio::buffer(sending_.data(), sending_.size()), code);
        if (code && code != asio::error::would_block) {
            fail(code);
            return true;
        }
        if (n == sending_.size())
            return true;
    }
    write_rest(n);
    return false;
}

template <class Stream>
void StreamPeer<Stream>::write_rest(std::size_t from) {
    asio::async_write(
        stream_, asio::buffer(sending_.data() + from, sending_.size() - from),
        [me = me()](const error_code& code, std::size_t n) {
            if (n)
                me->progress();
            if (!code)
                return std::size_t{256 * 1024};
            return std::size_t{0};
        },
        [me = me()](const error_code& code, std::size_t) {
            if (me->is_done())
                return;
            if (code)
                return me->fail(code);
            me->written();
        });
}

template <class Stream>
void StreamPeer<Stream>::say_goodbye() {
    if constexpr (secure) {
        stream_.async_shutdown([me = me()](const error_code&) {
            if (!me->is_done())
                me->finish();
        });
    } else {
        if (end_)
            return finish();
        error_code code;
        stream_.shutdown(Stream::shutdown_send, code);
        if (code)
            return finish();
        start_read();  // until the peer closes, too
    }
}

template <class Stream>
void StreamPeer<Stream>::release() {
    error_code ignored;
    if (resolver_)
        resolver_->cancel();
    socket().close(ignored);
}

template class StreamPeer<TcpSocket>;
template class StreamPeer<TlsStream>;
template class StreamPeer<LocalSocket>;

// ---- Connecting ---------------------------------------------------------------------------------

namespace {

template <class Stream>
ConnectResult begin(const LoopState& loop, Strand strand, Stream stream, const NetUrl& url,
                    const NetOptions& options, SharedHandlers handlers) {
    auto peer = std::make_shared<StreamPeer<Stream>>(loop, strand, std::move(stream), options,
                                                     std::move(handlers));
    loop->add(std::weak_ptr<Endpoint>(peer), peer->id());
    asio::post(strand, [peer, url] {
        if (!peer->is_done())
            peer->connect(url);
    });
    return peer;
}

}  // namespace

ConnectResult connect_stream(const LoopState& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers) {
    const Strand strand = asio::make_strand(loop->context);
    if (url.transport == Transport::local)
        return begin(loop, strand, LocalSocket(strand), url, options, std::move(handlers));
    if (url.transport == Transport::tcp)
        return begin(loop, strand, TcpSocket(strand), url, options, std::move(handlers));
    auto context = tls_client(options.tls);
    if (!context)
        return std::unexpected(context.error());
    return begin(loop, strand, TlsStream(TcpSocket(strand), **context), url, options,
                 std::move(handlers));
}

}  // namespace gdvar::detail
