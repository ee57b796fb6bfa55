// Transports and their URLs. Rules: wire-format 4.1.
//
//   URL                       Godot's own                                      reliable
//   tcp://HOST:PORT           StreamPeerTCP.put_var, PacketPeerStream          yes
//   tls://HOST:PORT           StreamPeerTLS (3.x: StreamPeerSSL)               yes
//   unix:PATH                 StreamPeerUDS (4.6)                              yes
//   udp://HOST:PORT           PacketPeerUDP                                    no
//   ws://HOST:PORT/PATH       WebSocketPeer (3.x: WebSocketClient, -Server)    yes
//   wss://HOST:PORT/PATH      the same over TLS                                yes
//   enet://HOST:PORT          ENetConnection (3.x: NetworkedMultiplayerENet)   as the flags say
//
// HOST is a name, an IPv4 address, an IPv6 address in brackets, or * to listen everywhere. Port 0
// when listening: any that is free.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/net/error.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

enum class Transport : std::uint8_t { tcp, tls, local, udp, websocket, websocket_tls, enet };
/// "tcp", "tls", "unix", "udp", "ws", "wss", "enet".
std::string_view transport_name(Transport transport) noexcept;
/// True for a byte stream. A stream has no packet boundaries, so a length comes before each packet.
constexpr bool is_stream(Transport t) noexcept {
    return t <= Transport::local;
}

/// The parts of an endpoint's URL.
struct NetUrl {
    Transport transport = Transport::tcp;
    std::string host;  ///< the host; for unix: the socket's path
    std::uint16_t port = 0;
    std::string path = "/";  ///< ws, wss
};
/// Splits an endpoint's URL. Errors: bad_syntax.
[[nodiscard]] std::expected<NetUrl, NetError> parse_url(std::string_view url);

}  // namespace net
}  // namespace gdvar
