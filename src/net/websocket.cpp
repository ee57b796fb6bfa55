#include "websocket.hpp"

namespace gdvar::net {
namespace detail {
namespace {

ListenResult listen_websocket(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                              SharedHandlers handlers) {
    return listen_over_tcp(loop, url, std::move(options), std::move(handlers),
                           [](TcpSocket socket, const Accepting& with) {
                               return accept_websocket(over(std::move(socket)), with);
                           });
}

ConnectResult connect_websocket(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                                SharedHandlers handlers) {
    const Strand strand = asio::make_strand(loop->context);
    return connect_websocket(loop, strand, over(TcpSocket(strand)), url, options,
                             std::move(handlers));
}

}  // namespace

const Opening open_websocket{listen_websocket, connect_websocket};

}  // namespace detail

constinit const Transports transports::websocket(Transport::websocket, detail::open_websocket);

}  // namespace gdvar::net
