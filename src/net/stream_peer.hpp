#pragma once

#include "gdvar/net/framer.hpp"
#include "socket_peer.hpp"

namespace gdvar::net::detail {

/// Sockets without TLS are read into a buffer of the thread: an idle connection needs none.
inline constexpr std::size_t read_buffer_size = 64 * 1024;
/// Reads of a socket before other connections get their turn.
inline constexpr int max_reads_per_turn = 4;
inline constexpr std::size_t tls_buffer_size = 16 * 1024;

/// Incoming bytes, cut into packets or passed on unchanged.
class StreamInput {
public:
    StreamInput(const NetOptions& options, bool raw)
        : framer_(options.order, options.max_packet),
          order_(options.order),
          max_(options.max_packet),
          raw_(raw) {}
    std::expected<void, Error> feed(ByteView bytes) {
        return raw_ ? queue_.append(bytes) : framer_.feed(bytes);
    }
    bool raw() const noexcept { return raw_; }
    StreamFramer& framer() noexcept { return framer_; }
    ByteQueue& queue() noexcept { return queue_; }
    StreamReader reader() noexcept { return StreamReader(queue_, order_, max_); }
    bool over_limit() const noexcept { return queue_.size() > max_ + 4; }

private:
    StreamFramer framer_;
    ByteQueue queue_;
    ByteOrder order_;
    std::uint64_t max_;
    bool raw_;
};

template <class Stream>
class StreamPeer final : public SocketPeer {
public:
    StreamPeer(SharedLoop loop, Strand strand, Stream stream, const NetOptions& options,
               SharedHandlers handlers);
    /// The server's side: connected, except for a handshake.
    void accepted();
    void connect(const NetUrl& url);

private:
    static constexpr bool secure = is_secure<Stream>;
    static constexpr bool local = std::same_as<Stream, LocalSocket>;
    auto& socket() {
        if constexpr (secure)
            return stream_.next_layer();
        else
            return stream_;
    }
    auto me() { return self<StreamPeer>(); }
    void connected(Role role);
    void readable();
    void received(ByteView bytes);
    void end_of_stream();
    bool deliver_raw();
    void write_remaining(std::size_t from);

    void start_read() override;
    bool deliver() override;
    bool start_write() override;
    void start_close_handshake() override;
    void release() override;

    Stream stream_;
    StreamInput input_;
    std::vector<std::byte> buffer_;  ///< TLS reads into this
    bool peer_ended_ = false;        ///< its sending direction
};

template <class Stream>
StreamPeer<Stream>::StreamPeer(SharedLoop loop, Strand strand, Stream stream,
                               const NetOptions& options, SharedHandlers handlers)
    : SocketPeer(std::move(loop), std::move(strand),
                 secure  ? Transport::tls
                 : local ? Transport::local
                         : Transport::tcp,
                 options, std::move(handlers)),
      stream_(std::move(stream)),
      input_(options_, static_cast<bool>(handlers_->data)) {}

// ---- Beginning ----------------------------------------------------------------------------------

template <class Stream>
void StreamPeer<Stream>::accepted() {
    on_connecting();
    connected(Role::server);
}

template <class Stream>
void StreamPeer<Stream>::connect(const NetUrl& url) {
    on_connecting();
    const auto next = [](auto& me) { me.connected(Role::client); };
    if constexpr (local) {
        address_ = url.host;
        stream_.async_connect(asio::local::stream_protocol::endpoint(url.host), then(me(), next));
    } else {
        connect_tcp(me(), socket(), url, next);
    }
}

template <class Stream>
void StreamPeer<Stream>::connected([[maybe_unused]] Role role) {
    error_code code;
    if constexpr (local) {
        local_ = stream_.local_endpoint(code).path();
        if (address_.empty())
            address_ = local_;
    } else {
        set_addresses(socket());
    }
    socket().non_blocking(true, code);
    if constexpr (secure)
        stream_.async_handshake(role == Role::client ? Stream::client : Stream::server,
                                then(me(), [](auto& me) { me.on_connected(); }));
    else
        on_connected();
}

// ---- Reading ------------------------------------------------------------------------------------

template <class Stream>
void StreamPeer<Stream>::start_read() {
    if (reading_ || peer_ended_ || is_over())
        return;
    reading_ = true;
    if constexpr (secure) {
        buffer_.resize(tls_buffer_size);
        stream_.async_read_some(asio::buffer(buffer_),
                                [me = me()](const error_code& code, std::size_t n) {
                                    me->reading_ = false;
                                    if (me->is_over())
                                        return;
                                    {
                                        const Batch batch(*me);
                                        if (n)
                                            me->received(ByteView(me->buffer_).first(n));
                                        if (code == asio::error::eof || is_tls_cut(code))
                                            me->end_of_stream();
                                        else if (code)
                                            me->fail(code);
                                    }
                                    if (me->should_read())
                                        me->start_read();
                                });
    } else {
        stream_.async_wait(Stream::wait_read, then(me(), [](auto& me) {
                               me.reading_ = false;
                               me.readable();
                               if (me.should_read())
                                   me.start_read();
                           }));
    }
}

template <class Stream>
void StreamPeer<Stream>::readable() {
    thread_local std::vector<std::byte> scratch(read_buffer_size);
    const Batch batch(*this);
    for (int round = 0; round < max_reads_per_turn && should_read() && !peer_ended_; ++round) {
        // NOLINTBEGIN(misc-const-correctness): without TLS both are written
        error_code code;
        std::size_t n = 0;
        // NOLINTEND(misc-const-correctness)
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
    on_receive(bytes.size());
    if (discards())
        return;  // they are discarded
    if (auto fed = input_.feed(bytes); !fed)
        return fail(fed.error());
    deliver();
}

template <class Stream>
bool StreamPeer<Stream>::deliver() {
    if (discards())
        return true;
    if (input_.raw())
        return deliver_raw();
    while (receives() && may_deliver()) {
        const auto packet = input_.framer().next();
        if (!packet) {
            fail(packet.error());
            return false;
        }
        if (!*packet) {
            if (peer_ended_)
                end_of_stream();
            return receives();
        }
        handle(**packet);
    }
    return discards();
}

template <class Stream>
bool StreamPeer<Stream>::deliver_raw() {
    if (!may_deliver())
        return false;
    if (!input_.queue().empty() && receives()) {
        StreamReader reader = input_.reader();
        call(handlers_->data, "data", reader);
    }
    if (is_over())
        return false;
    if (input_.over_limit()) {
        fail(Error{Errc::size_limit, Type::nil, 0, 0});
        return false;
    }
    if (peer_ended_)
        end_of_stream();
    return !is_over();
}

/// The peer sends no more. Its packets that may not be handled yet are handled first.
template <class Stream>
void StreamPeer<Stream>::end_of_stream() {
    peer_ended_ = true;
    if (receives() && !should_read())
        return;  // `deliver` calls this again
    if (receives() && !input_.raw())
        if (const auto whole = input_.framer().finish(); !whole)
            return fail(whole.error());
    on_peer_ended();
}

// ---- Writing ------------------------------------------------------------------------------------

template <class Stream>
bool StreamPeer<Stream>::start_write() {
    std::size_t n = 0;  // NOLINT(misc-const-correctness): without TLS it is written
    if constexpr (!secure) {
        // Most answers fit the socket's buffer at once.
        error_code code;
        n = stream_.write_some(asio::buffer(sending().data(), sending().size()), code);
        if (code && code != asio::error::would_block) {
            fail(code);
            return true;
        }
        if (n == sending().size())
            return true;
    }
    write_remaining(n);
    return false;
}

template <class Stream>
void StreamPeer<Stream>::write_remaining(std::size_t from) {
    asio::async_write(
        stream_, asio::buffer(sending().data() + from, sending().size() - from),
        [me = me()](const error_code& code, std::size_t n) {
            if (n)
                me->on_send_progress();
            if (!code && !me->is_over())
                return std::size_t{256 * 1024};
            return std::size_t{0};
        },
        then(me(), [](auto& me) { me.on_written(); }));
}

template <class Stream>
void StreamPeer<Stream>::start_close_handshake() {
    if constexpr (secure) {
        stream_.async_shutdown([me = me()](const error_code&) {
            if (!me->is_over())
                me->finish();
        });
    } else {
        if (peer_ended_)
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
    close_socket(socket());
}

}  // namespace gdvar::net::detail
