// How each transport listens and connects.
#pragma once

#include "peer.hpp"

namespace gdvar::net::detail {

using ListenResult = std::expected<std::shared_ptr<Listener>, NetError>;
using ConnectResult = std::expected<std::shared_ptr<Peer>, NetError>;

ListenResult listen_stream(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                           SharedHandlers handlers);
ListenResult listen_udp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                        SharedHandlers handlers);
ListenResult listen_enet(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                         SharedHandlers handlers);

ConnectResult connect_stream(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers);
ConnectResult connect_websocket(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                                SharedHandlers handlers);
ConnectResult connect_udp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers);
ConnectResult connect_enet(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                           SharedHandlers handlers);

/// The address that a listener binds. Errors: io.
std::expected<asio::ip::address, NetError> listen_address(const std::string& host);

template <class Endpoint>
std::string to_text(const Endpoint& endpoint) {
    std::string host = endpoint.address().to_string();
    if (endpoint.address().is_v6())
        host = "[" + host + "]";
    return host + ":" + std::to_string(endpoint.port());
}

}  // namespace gdvar::net::detail
