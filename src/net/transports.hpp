#pragma once

#include "peer.hpp"

namespace gdvar::net::detail {

using ListenResult = std::expected<std::shared_ptr<Listener>, NetError>;
using ConnectResult = std::expected<std::shared_ptr<Peer>, NetError>;

/// A transport's `listen` and `connect`.
using Listen = ListenResult(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                            SharedHandlers handlers);
using Connect = ConnectResult(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                              SharedHandlers handlers);
struct Opening {
    Listen* listen;
    Connect* connect;
};
/// Each, like its `Transports`, is in the object of its transport and is named by nothing but that
/// and transports.cpp: a linker takes from an archive only what is named.
extern const Opening open_tcp, open_tls, open_local, open_udp, open_websocket, open_websocket_tls,
    open_enet;

/// The address that a listener binds. Errors: io.
std::expected<asio::ip::address, NetError> listen_address(const std::string& host);

/// The address as a number for limits: for IPv6 the /64, because one host may have all of it.
inline std::uint64_t network_of(const asio::ip::address& address) {
    if (address.is_v4())
        return address.to_v4().to_uint();
    const asio::ip::address_v6 whole = address.to_v6();
    // A dual-stack socket sees IPv4's addresses in one /64.
    if (whole.is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, whole).to_uint();
    std::uint64_t out = 0;
    const auto bytes = whole.to_bytes();
    for (std::size_t i = 0; i < sizeof out; ++i)
        out = out << 8 | bytes[i];
    return out;
}

template <class Endpoint>
std::string to_text(const Endpoint& endpoint) {
    std::string host = endpoint.address().to_string();
    if (endpoint.address().is_v6())
        host = "[" + host + "]";
    return host + ":" + std::to_string(endpoint.port());
}

}  // namespace gdvar::net::detail
