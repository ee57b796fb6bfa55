#include "accepting.hpp"
#include "stream_peer.hpp"

namespace gdvar::net {
namespace detail {
namespace {

ListenResult listen_tcp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                        SharedHandlers handlers) {
    return listen_over_tcp(loop, url, std::move(options), std::move(handlers),
                           accepted_peer<StreamPeer<TcpSocket>, TcpSocket>);
}

ConnectResult connect_tcp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers) {
    const Strand strand = asio::make_strand(loop->context);
    return begin_connecting<StreamPeer<TcpSocket>>(loop, strand, TcpSocket(strand), url, options,
                                                   std::move(handlers));
}

}  // namespace

const Opening open_tcp{listen_tcp, connect_tcp};

}  // namespace detail

constinit const Transports transports::tcp(Transport::tcp, detail::open_tcp);

}  // namespace gdvar::net
