#include "accepting.hpp"
#include "stream_peer.hpp"

namespace gdvar::net {
namespace detail {
namespace {

std::shared_ptr<AcceptedPeer> accept_tcp(TcpSocket socket, const Accepting& with) {
    return accepted_peer<StreamPeer<TcpSocket>>(with, std::move(socket));
}

ListenResult listen_tcp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                        SharedHandlers handlers) {
    return listen_over_tcp(loop, url, std::move(options), std::move(handlers), accept_tcp);
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
