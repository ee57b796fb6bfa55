// NetOptions: the options of a connection.
// Room: net. Rules: wire-format 4.1.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/limits.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// Certificates of TLS connections: PEM files.
struct TlsOptions {
    std::string certificate_file, key_file;  ///< this side's own; required for a server
    std::string ca_file;                     ///< trusted CA certificates; empty: the system's
    std::string server_name;                 ///< name that a client expects; empty: the URL's host
    bool verify = true;                      ///< whether a client verifies the server
};

/// Options of every connection. Dialects named here must outlive the endpoints.
struct NetOptions {
    DecodeOptions decoding{.limits = Limits::network()};
    EncodeOptions encoding;
    /// Byte order of lengths and numbers on streams (StreamPeer.big_endian). PacketPeerStream uses
    /// little.
    ByteOrder order = ByteOrder::little;
    /// Limit of one incoming packet, in bytes. A longer packet ends the connection with size_limit.
    /// A longer datagram is dropped.
    std::uint64_t max_packet = Limits::network().max_bytes;
    /// Limit of the bytes that wait to be sent. A `put_` beyond it is refused with buffer_full.
    /// While more than half of it waits, nothing is read from that peer.
    std::size_t max_queued = 4u << 20;
    /// Limits of what a peer may send; 0: no limit. A stream that exceeds them is read more slowly.
    /// Datagrams that exceed them are dropped.
    std::uint64_t bytes_per_second = 0, packets_per_second = 0;
    /// Time limit for connecting, including the TLS and WebSocket handshakes.
    std::chrono::milliseconds connect_timeout{10'000};
    /// Time limit without a byte from the peer (WebSocket: without a whole message). 0: no limit,
    /// but a minute for a server's UDP peers.
    std::chrono::milliseconds idle_timeout{0};
    /// Time limit without progress while bytes wait to be sent. A closing connection has the same
    /// limit.
    std::chrono::milliseconds write_timeout{30'000};
    /// Limit of the connections of one listener. Further connections are closed at once. Sender
    /// addresses can be forged over UDP, and over ENet until the peer has answered. There, a new
    /// connection replaces the one that has been silent for longest, which gets timed_out.
    /// docs/networking.md states the rule.
    std::size_t max_peers = 4096;
    /// Limit of the connections from one IP address. 0: no limit, as needed behind a proxy, or for
    /// many players behind one router.
    std::size_t max_peers_per_address = 0;
    TlsOptions tls;
    /// WebSocket subprotocols. A client asks for all of them. A server takes the first one asked
    /// for that is listed here.
    std::vector<std::string> protocols;
    /// WebSocket servers: the origins that may connect, such as "https://example.org" or "null". A
    /// client from any other origin is refused with 403. Empty: all may connect. Only browsers send
    /// an origin; clients that send none may connect.
    std::vector<std::string> origins;
    /// ENet: the number of channels; whether to compress with the range coder
    /// (ENetConnection.compress); the number that a client sends when it connects
    /// (ENetMultiplayerPeer sends its id).
    std::size_t enet_channels = 8;
    bool enet_range_coder = false;
    std::uint32_t enet_connect_data = 0;
};

}  // namespace net
}  // namespace gdvar
