// NetOptions: the options of a connection. Rules: wire-format 4.1.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/limits.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

enum class TlsVersion : std::uint8_t { tls_1_2, tls_1_3 };

/// Certificates of TLS connections: PEM files.
struct TlsOptions {
    std::string certificate_file{}, key_file{};  ///< this side's own; required for a server
    std::string ca_file{};  ///< of a client: trusted CA certificates; empty: the system's
    /// A server refuses clients without a certificate of these CAs. Empty: no client needs one.
    std::string client_ca_file{};
    std::string server_name{};  ///< name expected by a client; empty: the URL's host
    bool verify = true;         ///< a client verifies the server
    TlsVersion least_version = TlsVersion::tls_1_2;  ///< of both sides; older ones are refused
};

/// A listener's limits for each peer, if its options do not set them. A client has none by default:
/// it has chosen its peer.
struct ListenDefaults {
    static constexpr std::uint64_t bytes_per_second = 1u << 20, packets_per_second = 500;
    static constexpr std::chrono::seconds burst{10}, idle_timeout{120};
    static constexpr std::size_t max_peers_per_address = 32;
};

/// Options of every connection. Dialects named here must outlive the endpoints.
struct NetOptions {
    DecodeOptions decoding{.limits = Limits::network()};
    EncodeOptions encoding{};
    /// Byte order of lengths and numbers on streams (StreamPeer.big_endian). PacketPeerStream uses
    /// little.
    ByteOrder order = ByteOrder::little;
    /// Limit of one incoming packet, in bytes. A longer packet ends the connection with size_limit.
    /// A longer datagram is dropped.
    std::uint64_t max_packet = Limits::network().max_bytes;
    /// Limit of the bytes that wait to be sent. A `put_` beyond it is refused with buffer_full.
    /// While more than half of it waits, nothing is read from that peer.
    std::size_t max_queued = 4u << 20;
    /// Limits of a peer's traffic; 0: no limit. A stream that exceeds them is read more slowly.
    /// Datagrams that exceed them are dropped; the UDP peers of one address share them in their
    /// first second. Not set: a listener's are ListenDefaults, a client has none.
    std::optional<std::uint64_t> bytes_per_second{}, packets_per_second{};
    /// The time whose allowance a peer may send at once after sending less. Not set:
    /// ListenDefaults::burst, and a second if one of the limits is set.
    std::optional<std::chrono::milliseconds> burst{};
    /// Time limit for connecting, including the TLS and WebSocket handshakes.
    std::chrono::milliseconds connect_timeout{10'000};
    /// Time limit without a byte from the peer; pings of WebSocket and ENet count. 0: no limit,
    /// except ListenDefaults::idle_timeout for a server's UDP peers, which do not report their end.
    /// Not set: as for the limits above.
    std::optional<std::chrono::milliseconds> idle_timeout{};
    /// Time limit without progress while bytes wait to be sent. A closing connection has the same
    /// limit.
    std::chrono::milliseconds write_timeout{30'000};
    /// Limit of the connections of one listener. Further connections are closed at once. Sender
    /// addresses can be forged over UDP, and over ENet until the peer has answered. There, a new
    /// connection replaces the one that has been silent for longest, which gets timed_out.
    /// docs/networking.md states the rule.
    std::size_t max_peers = 4096;
    /// Limit of the connections from one IP address (IPv6: from its /64). 0: no limit, as needed
    /// behind a proxy, or for many players behind one router. Unix sockets have no addresses.
    std::size_t max_peers_per_address = ListenDefaults::max_peers_per_address;
    TlsOptions tls{};
    /// WebSocket subprotocols. A client requests all of them. A server takes the first requested
    /// one that is listed here. Each is a token of RFC 9110, else `listen` and `connect` give
    /// bad_syntax.
    std::vector<std::string> protocols{};
    /// WebSocket servers: the web pages that may connect, by their origins, such as
    /// "https://example.org" or "null"; "*": all pages. Any other page is refused with 403. Empty:
    /// no page may connect, since any page that a player has open could reach a server on the
    /// player's machine or network. Only browsers send an origin; clients without one may connect.
    std::vector<std::string> origins{};
    /// ENet: the number of channels; compression with the range coder (ENetConnection.compress);
    /// the number that a client sends when it connects (ENetMultiplayerPeer sends its id).
    std::size_t enet_channels = 8;
    bool enet_range_coder = false;
    std::uint32_t enet_connect_data = 0;

    /// Options without ListenDefaults, for trusted peers: no rates, no idle timeout, any number of
    /// peers from an address, all web pages. The limits of memory stay: max_packet, max_queued,
    /// max_peers, decoding.limits (Limits::none() lifts those).
    static NetOptions unlimited() {
        NetOptions out;
        out.bytes_per_second = out.packets_per_second = 0;
        out.idle_timeout = std::chrono::milliseconds{0};
        out.max_peers_per_address = 0;
        out.origins = {"*"};
        return out;
    }
};

}  // namespace net
}  // namespace gdvar
