// Endpoints: connections that carry Variants, as Godot's StreamPeer and PacketPeer classes do.
// Room: net. Rules: wire-format 4.1.
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

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/net/stream_buffer.hpp"
#include "gdvar/value/binding.hpp"

namespace gdvar::net {

enum class Transport : std::uint8_t { tcp, tls, local, udp, websocket, websocket_tls, enet };
/// "tcp", "tls", "unix", "udp", "ws", "wss", "enet".
std::string_view transport_name(Transport transport) noexcept;
/// Whether the transport is a byte stream. A stream has no packet boundaries, so a length comes
/// before each packet.
constexpr bool is_stream(Transport t) noexcept {
    return t <= Transport::local;
}

/// An error of a connection: a code, and for people the system's own message.
struct NetError {
    Error error;
    std::string text;
};

/// Certificates of TLS connections, PEM files.
struct TlsOptions {
    std::string certificate_file, key_file;  ///< this side's own; required for a server
    std::string authority_file;              ///< trusted authorities; empty: the system's
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

/// How a packet was received or is to be sent. Not used on streams.
struct PacketFlags {
    std::uint8_t channel = 0;  ///< ENet
    /// ENet: an unreliable packet may be lost. It is also unordered when `unsequenced`.
    bool reliable = true, unsequenced = false;
    bool text = false;  ///< WebSocket: a text message, UTF-8
};

/// Counters of a connection. Bytes are those of packets; on streams the lengths count, too.
struct PeerStatistics {
    std::uint64_t packets_in = 0, packets_out = 0, bytes_in = 0, bytes_out = 0;
    std::uint64_t dropped = 0;  ///< datagrams over the limits
    /// Bytes of packets, counted part by part as they arrive, and again when they arrive again. It
    /// grows while a long packet is arriving, although bytes_in may not.
    std::uint64_t received = 0;
};

/// One connection. Its endpoint holds it while it is open; keep a shared_ptr to use it later.
/// Handlers of one peer run one at a time. All functions may be called from any thread.
class Peer : public std::enable_shared_from_this<Peer> {
public:
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    virtual ~Peer() = default;

    /// Sends the packet; on streams its length comes first. Errors: closed, buffer_full (nothing is
    /// queued), too_large (UDP: over 65,507 bytes), no_memory.
    [[nodiscard]] std::expected<void, Error> put_packet(ByteView packet, PacketFlags flags = {});
    /// Encodes the value into the send queue without a copy. T: Variant, or any type that `encode`
    /// takes (value/binding). Errors: those of `encode` and of put_packet; nothing is queued then.
    template <class T>
    [[nodiscard]] std::expected<void, Error> put_var(const T& value, PacketFlags flags = {}) {
        if constexpr (std::is_array_v<T>)
            return put_var(std::string_view(value), flags);
        else
            return put_filled(
                [](PackedByteArray& to, const void* what, const EncodeOptions& options) {
                    return encode_to(to, *static_cast<const T*>(what), options);
                },
                &value, flags);
    }
    [[nodiscard]] std::expected<void, Error> put_var(const View& value, PacketFlags flags = {});
    /// Streams: sends what StreamPeer's other `put_` functions send. `write` is called at most
    /// once, before `put` returns. Errors: those of `write`, closed, buffer_full, misplaced (no
    /// stream).
    [[nodiscard]] std::expected<void, Error> put(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write);

    /// Sends what is queued, then closes the connection in the transport's own way. Packets that
    /// still arrive are not handled.
    virtual void close() = 0;
    /// TCP and Unix sockets: sends what is queued, then ends the sending direction. Receiving
    /// continues. Other transports: as `close`.
    virtual void shutdown() = 0;
    /// Ends the connection at once.
    virtual void abort() = 0;
    /// Stops reading until `resume_reading`. The other side has to wait once the buffers between
    /// are full.
    virtual void pause_reading() = 0;
    virtual void resume_reading() = 0;

    /// Unique in its EventLoop, from 1 on.
    std::uint64_t id() const noexcept { return id_; }
    Transport transport() const noexcept { return transport_; }
    /// "127.0.0.1:4000", "[::1]:4000", a path. The addresses and what a client sent when connecting
    /// are set before `connected` is called, and do not change afterwards.
    const std::string& address() const noexcept { return address_; }
    const std::string& local_address() const noexcept { return local_; }
    const NetOptions& options() const noexcept { return options_; }
    /// Bytes that wait to be sent.
    virtual std::size_t queued() const = 0;
    virtual PeerStatistics statistics() const = 0;
    /// The flags of the packet that is being handled.
    const PacketFlags& packet_flags() const noexcept { return flags_; }
    /// What a client sent when connecting: an ENet client's number; a WebSocket's path and
    /// subprotocol.
    std::uint32_t connect_data() const noexcept { return connect_data_; }
    const std::string& path() const noexcept { return path_; }
    const std::string& protocol() const noexcept { return protocol_; }
    /// Decodes the packet with the connection's options. Errors: those of `decode`.
    [[nodiscard]] std::expected<Variant, Error> decode(ByteView packet) const {
        return gdvar::decode(packet, options_.decoding);
    }

    /// For the user of the library; gdvar does not read it.
    std::shared_ptr<void> data;

protected:
    Peer(std::uint64_t id, Transport transport, const NetOptions& options)
        : options_(options), id_(id), transport_(transport) {}
    using Fill = std::expected<std::size_t, Error> (*)(PackedByteArray& to, const void* what,
                                                       const EncodeOptions& options);
    [[nodiscard]] virtual std::expected<void, Error> put_filled(Fill fill, const void* what,
                                                                PacketFlags flags) = 0;
    [[nodiscard]] virtual std::expected<void, Error> put_raw(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write) = 0;

    const NetOptions options_;
    const std::uint64_t id_;
    const Transport transport_;
    std::string address_, local_, path_, protocol_;
    PacketFlags flags_;
    std::uint32_t connect_data_ = 0;
};

/// Handlers of a peer's events. They run in a thread that is in EventLoop::run, and should not
/// block it. An exception that a handler throws leaves `run`.
struct PeerHandlers {
    std::function<void(Peer&)> connected;
    /// A packet, borrowed until the handler returns.
    std::function<void(Peer&, ByteView)> packet;
    /// Streams, instead of `packet`: called when bytes arrive, with all bytes that have not been
    /// taken yet. The connection ends when more than max_packet bytes are left untaken.
    std::function<void(Peer&, StreamReader&)> data;
    /// TCP and Unix sockets: the peer has ended its sending direction. Sending to it is possible
    /// until `close`. Without this handler, what is queued is sent and the connection is closed.
    std::function<void(Peer&)> ended;
    /// There is room in the queue again after a `put_` was refused with buffer_full.
    std::function<void(Peer&)> drained;
    /// The connection has ended, or connecting has failed. Called once, as the last handler.
    /// `error` is ok when the peer, or this side, closed in good order. Errors: closed (the peer
    /// closed in the middle of something), timed_out, io; for malformed bytes bad_length,
    /// size_limit, truncated.
    std::function<void(Peer&, const NetError&)> closed;
};

/// Runs the endpoints that are made with it. Its destruction ends all connections without calling
/// their handlers. Handles that are still held then do nothing, from any thread. The destructor
/// does not wait for a name lookup that is under way: the thread of that lookup ends by itself.
class EventLoop {
public:
    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Runs until `stop`, or until nothing is left to do. Several threads may call it at once.
    void run();
    /// As `run`, for at most `time`.
    void run_for(std::chrono::milliseconds time);
    /// Runs one piece of work and waits at most `time` for it. Returns whether there was one.
    bool run_one_for(std::chrono::milliseconds time);
    /// Makes `run` return in all threads. Later calls of `run` return at once. May be called from
    /// any thread, but not from a signal handler.
    void stop();
    /// Undoes `stop`. No thread may be in `run`.
    void restart();
    /// Calls `what` in a thread that is in `run`.
    void post(std::function<void()> what);
    /// Calls `what` once after `time`.
    void after(std::chrono::milliseconds time, std::function<void()> what);

    struct State;
    const std::shared_ptr<State>& state() noexcept { return state_; }

private:
    std::shared_ptr<State> state_;
};

/// Accepts connections until it is closed or its EventLoop is destroyed.
class Listener {
public:
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;
    /// The address that it listens on. If the URL had port 0, this is the chosen port.
    const std::string& address() const noexcept { return address_; }
    std::uint16_t port() const noexcept { return port_; }
    Transport transport() const noexcept { return transport_; }
    virtual std::size_t peers() const = 0;
    /// Stops accepting connections. `close_peers`: also closes those that are open.
    virtual void close(bool close_peers = false) = 0;

protected:
    Listener() = default;
    std::string address_;
    std::uint16_t port_ = 0;
    Transport transport_ = Transport::tcp;
};

/// Listens at the URL, until `close` or the end of the loop. Errors: bad_syntax (the URL, or a
/// dialect that does not fit), io (address in use, no such certificate, ...).
[[nodiscard]] std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop,
                                                                        std::string_view url,
                                                                        NetOptions options,
                                                                        PeerHandlers handlers);
/// Starts to connect; `connected` or `closed` is called with the outcome. Packets put before that
/// are sent once connected. Errors: bad_syntax, io (before connecting could start).
[[nodiscard]] std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop,
                                                                     std::string_view url,
                                                                     NetOptions options,
                                                                     PeerHandlers handlers);

/// The parts of an endpoint's URL.
struct NetUrl {
    Transport transport = Transport::tcp;
    std::string host;  ///< the host; for unix: the socket's path
    std::uint16_t port = 0;
    std::string path = "/";  ///< ws, wss
};
/// Splits an endpoint's URL. Errors: bad_syntax.
[[nodiscard]] std::expected<NetUrl, NetError> parse_url(std::string_view url);

}  // namespace gdvar::net
