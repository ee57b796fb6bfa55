#include "gdvar/net/endpoint.hpp"

#include "transports.hpp"

namespace gdvar::net {

std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop, std::string_view url,
                                                          NetOptions options,
                                                          PeerHandlers handlers) {
    const auto where = parse_url(url);
    if (!where)
        return std::unexpected(where.error());
    options = detail::with_listen_defaults(std::move(options));
    auto shared = std::make_shared<const PeerHandlers>(std::move(handlers));
    switch (where->transport) {
        case Transport::udp:
            return detail::listen_udp(detail::LoopAccess::of(loop), *where, std::move(options),
                                      shared);
        case Transport::enet:
            return detail::listen_enet(detail::LoopAccess::of(loop), *where, std::move(options),
                                       shared);
        default:
            return detail::listen_stream(detail::LoopAccess::of(loop), *where, std::move(options),
                                         shared);
    }
}

std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop, std::string_view url,
                                                       NetOptions options, PeerHandlers handlers) {
    const auto where = parse_url(url);
    if (!where)
        return std::unexpected(where.error());
    if (where->transport != Transport::local && (where->port == 0 || where->host == "*"))
        return std::unexpected(
            detail::net_error(Errc::bad_syntax, "a host and a port are needed to connect"));
    auto shared = std::make_shared<const PeerHandlers>(std::move(handlers));
    switch (where->transport) {
        case Transport::udp:
            return detail::connect_udp(detail::LoopAccess::of(loop), *where, std::move(options),
                                       shared);
        case Transport::enet:
            return detail::connect_enet(detail::LoopAccess::of(loop), *where, std::move(options),
                                        shared);
        case Transport::websocket:
        case Transport::websocket_tls:
            return detail::connect_websocket(detail::LoopAccess::of(loop), *where,
                                             std::move(options), shared);
        default:
            return detail::connect_stream(detail::LoopAccess::of(loop), *where, std::move(options),
                                          shared);
    }
}

}  // namespace gdvar::net
