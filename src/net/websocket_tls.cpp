#include "tls.hpp"
#include "websocket.hpp"

namespace gdvar::net {
namespace detail {
namespace {

ListenResult listen_websocket_tls(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                                  SharedHandlers handlers) {
    return listen_over_tls(loop, url, std::move(options), std::move(handlers),
                           [](TlsStream stream, const Accepting& with) {
                               return accept_websocket(over(std::move(stream)), with);
                           });
}

ConnectResult connect_websocket_tls(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                                    SharedHandlers handlers) {
    const Strand strand = asio::make_strand(loop->context);
    auto stream = tls_client(strand, options.tls, url.host);
    if (!stream)
        return std::unexpected(stream.error());
    return connect_websocket(loop, strand, over(*std::move(stream)), url, options,
                             std::move(handlers));
}

}  // namespace

const Opening open_websocket_tls{listen_websocket_tls, connect_websocket_tls};

}  // namespace detail

constinit const Transports transports::websocket_tls(Transport::websocket_tls,
                                                     detail::open_websocket_tls);

}  // namespace gdvar::net
