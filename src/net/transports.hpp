// How each transport listens and connects.
#pragma once

#include "peer.hpp"

namespace gdvar::detail {

using ListenResult = std::expected<std::shared_ptr<Listener>, NetError>;
using ConnectResult = std::expected<std::shared_ptr<Peer>, NetError>;

ListenResult listen_stream(const LoopState& loop, const NetUrl& url, NetOptions options,
                           SharedHandlers handlers);
ListenResult listen_udp(const LoopState& loop, const NetUrl& url, NetOptions options,
                        SharedHandlers handlers);
ListenResult listen_enet(const LoopState& loop, const NetUrl& url, NetOptions options,
                         SharedHandlers handlers);

ConnectResult connect_stream(const LoopState& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers);
ConnectResult connect_websocket(const LoopState& loop, const NetUrl& url, NetOptions options,
                                SharedHandlers handlers);
ConnectResult connect_udp(const LoopState& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers);
ConnectResult connect_enet(const LoopState& loop, const NetUrl& url, NetOptions options,
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

/// Finds the host and connects the peer's socket to one of its addresses, then calls
/// `connected(error_code)` of the peer, unless that has ended meanwhile.
template <class PeerPointer>
void connect_tcp(PeerPointer peer, asio::ip::tcp::socket& socket, asio::ip::tcp::resolver& resolver,
                 const NetUrl& url) {
    using Results = asio::ip::tcp::resolver::results_type;
    resolver.async_resolve(
        url.host, std::to_string(url.port), asio::ip::resolver_base::numeric_service,
        [peer, &socket](const error_code& code, const Results& found) {
            if (peer->is_done())
                return;
            if (code)
                return peer->connected(code);
            asio::async_connect(socket, found,
                                [peer](const error_code& failed, const asio::ip::tcp::endpoint&) {
                                    if (!peer->is_done())
                                        peer->connected(failed);
                                });
        });
}

}  // namespace gdvar::detail
