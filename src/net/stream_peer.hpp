#pragma once

#include "gdvar/net/framer.hpp"
#include "socket_peer.hpp"

namespace gdvar::net::detail {

template <class Stream>
constexpr Transport transport_of = Transport::tcp;
template <>
inline constexpr Transport transport_of<TlsStream> = Transport::tls;
template <>
inline constexpr Transport transport_of<LocalSocket> = Transport::local;

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
    static constexpr bool secure = std::same_as<Stream, TlsStream>;
    auto& socket() {
        if constexpr (secure)
            return stream_.next_layer();
        else
            return stream_;
    }
    auto me() { return self<StreamPeer>(); }
    void connected(asio::ssl::stream_base::handshake_type role);
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

extern template class StreamPeer<TcpSocket>;
extern template class StreamPeer<TlsStream>;
extern template class StreamPeer<LocalSocket>;

}  // namespace gdvar::net::detail
