#include "gdvar/net/endpoint.hpp"

#include <algorithm>

#include "transports.hpp"

namespace gdvar::net {
namespace {

/// RFC 9110 5.6.2. A WebSocket's subprotocol is part of a request line.
bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != marks.npos;
    });
}

detail::Listen* listens(Transport transport) noexcept {
    switch (transport) {
        case Transport::udp:
            return detail::listen_udp;
        case Transport::enet:
            return detail::listen_enet;
        default:
            return detail::listen_stream;
    }
}

detail::Connect* connects(Transport transport) noexcept {
    switch (transport) {
        case Transport::udp:
            return detail::connect_udp;
        case Transport::enet:
            return detail::connect_enet;
        case Transport::websocket:
        case Transport::websocket_tls:
            return detail::connect_websocket;
        default:
            return detail::connect_stream;
    }
}

std::expected<NetUrl, NetError> checked(std::string_view url, const NetOptions& options) {
    if (!std::ranges::all_of(options.protocols, is_token))
        return std::unexpected(detail::net_error(
            Errc::bad_syntax,
            "NetOptions::protocols: each is letters, digits and marks, as \"v1\""));
    return parse_url(url);
}

}  // namespace

std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop, std::string_view url,
                                                          NetOptions options,
                                                          PeerHandlers handlers) {
    const auto where = checked(url, options);
    if (!where)
        return std::unexpected(where.error());
    return listens(where->transport)(detail::LoopAccess::of(loop), *where,
                                     detail::with_listen_defaults(std::move(options)),
                                     std::make_shared<const PeerHandlers>(std::move(handlers)));
}

std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop, std::string_view url,
                                                       NetOptions options, PeerHandlers handlers) {
    const auto where = checked(url, options);
    if (!where)
        return std::unexpected(where.error());
    if (where->transport != Transport::local && (where->port == 0 || where->host == "*"))
        return std::unexpected(
            detail::net_error(Errc::bad_syntax, "a host and a port are needed to connect"));
    return connects(where->transport)(detail::LoopAccess::of(loop), *where, std::move(options),
                                      std::make_shared<const PeerHandlers>(std::move(handlers)));
}

}  // namespace gdvar::net
