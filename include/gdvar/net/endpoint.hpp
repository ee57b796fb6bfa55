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

namespace gdvar {

enum class Transport : std::uint8_t { tcp, tls, local, udp, websocket, websocket_tls, enet };
/// "tcp", "tls", "unix", "udp", "ws", "wss", "enet".
std::string_view transport_name(Transport transport) noexcept;
/// Bytes in a row, without bounds between packets but for the lengths that are put before them.
constexpr bool is_stream(Transport t) noexcept {
    return t <= Transport::local;
}

/// An error of a connection: a code, and the machine's own words, for people.
struct NetError {
    Error error;
    std::string text;
};

/// Certificates of TLS connections, PEM files.
struct TlsOptions {
    std::string certificate_file, key_file;  ///< what this side shows; a server must
    std::string authority_file;              ///< whom to believe; empty: the system's authorities
    std::string server_name;                 ///< expected by a client; empty: the URL's host
    bool verify = true;                      ///< by a client, of the server
};

/// What holds for each connection. The dialects in it must outlive the endpoints.
struct NetOptions {
    DecodeOptions decoding{.limits = Limits::network()};
    EncodeOptions encoding;
    /// StreamPeer.big_endian: of the lengths and numbers on streams. PacketPeerStream: little.
    ByteOrder order = ByteOrder::little;
    /// Bytes of one incoming packet; a longer one ends the connection with size_limit. A longer
    /// datagram is dropped.
    std::uint64_t max_packet = Limits::network().max_bytes;
    /// Bytes that may wait to be sent. `put_` beyond it is refused with buffer_full, and while more
    /// than half of it waits, no more is read from that peer.
    std::size_t max_queued = 4u << 20;
    /// What a peer may send; 0: anything. A stream that sends more is read more slowly, datagrams
    /// over it are dropped.
    std::uint64_t bytes_per_second = 0, packets_per_second = 0;
    /// Until connected, handshakes of TLS and WebSocket included.
    std::chrono::milliseconds connect_timeout{10'000};
    /// Without a byte from the peer (WebSocket: without a whole message); 0: for ever (a server's
    /// UDP peers: a minute).
    std::chrono::milliseconds idle_timeout{0};
    /// Without progress while something waits to be sent; also what a closing connection gets.
    std::chrono::milliseconds write_timeout{30'000};
    /// Connections of one listener; more are closed at once. Where a sender's address can be a lie
    /// (UDP; ENet, until the peer has answered) a new one takes the place of the one that has been
    /// silent for longest, which gets timed_out: docs/networking.md has the rule.
    std::size_t max_peers = 4096;
    /// Of those from one IP address; 0: any number, as behind a proxy, or a router with many
    /// players.
    std::size_t max_peers_per_address = 0;
    TlsOptions tls;
    /// WebSocket: subprotocols that a client asks for, or of which a server takes the first asked.
    std::vector<std::string> protocols;
    /// WebSocket servers: the web pages that may connect, as "https://example.org" or "null"; who
    /// comes from another is refused with 403. Empty: all. Only browsers say where they come from;
    /// who does not say it is let in.
    std::vector<std::string> origins;
    /// ENet: channels; whether to compress with the range coder (ENetConnection.compress); what a
    /// client tells the server (its id, when ENetMultiplayerPeer connects).
    std::size_t enet_channels = 8;
    bool enet_range_coder = false;
    std::uint32_t enet_connect_data = 0;
};

/// How a packet came or goes. Streams have none of it.
struct PacketFlags {
    std::uint8_t channel = 0;  ///< ENet
    /// ENet: what is not reliable may be lost, and is not ordered when `unsequenced`.
    bool reliable = true, unsequenced = false;
    bool text = false;  ///< WebSocket: a text message, UTF-8
};

/// What went over a connection so far. Bytes are those of packets, with their lengths on streams.
struct PeerStatistics {
    std::uint64_t packets_in = 0, packets_out = 0, bytes_in = 0, bytes_out = 0;
    std::uint64_t dropped = 0;  ///< datagrams over the limits
    /// Bytes of packets as they come, in parts, and counted again when they come again: it grows
    /// while a long packet is on its way, when bytes_in may not.
    std::uint64_t received = 0;
};

/// One connection. Held by its endpoint while it is open; keep a shared_ptr to talk to it later.
/// Handlers of one peer run one at a time; all functions can be called from any thread.
class Peer : public std::enable_shared_from_this<Peer> {
public:
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    virtual ~Peer() = default;

    /// Sends the packet, behind its length on streams. Errors: closed, buffer_full (nothing is
    /// queued), too_large (UDP: over 65,507 bytes), no_memory.
    [[nodiscard]] std::expected<void, Error> put_packet(ByteView packet, PacketFlags flags = {});
    /// Encodes straight into what is sent. T: Variant, or whatever `encode` takes (value/binding).
    /// Errors: those of `encode` and of put_packet; nothing is queued then.
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
    /// Streams: what StreamPeer's other `put_` functions send. `write` may be called once, at once.
    /// Errors: those of `write`, closed, buffer_full, misplaced (no stream).
    [[nodiscard]] std::expected<void, Error> put(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write);

    /// Sends what is queued, then says goodbye as the transport has it. What still comes is not
    /// handled any more.
    virtual void close() = 0;
    /// TCP and Unix sockets: sends what is queued, then says that no more comes, and goes on
    /// receiving. Elsewhere as `close`.
    virtual void shutdown() = 0;
    /// Drops the connection at once.
    virtual void abort() = 0;
    /// Stops reading, so that in the end the other side has to wait; and goes on.
    virtual void pause_reading() = 0;
    virtual void resume_reading() = 0;

    /// Unique in its EventLoop, from 1 on.
    std::uint64_t id() const noexcept { return id_; }
    Transport transport() const noexcept { return transport_; }
    /// "127.0.0.1:4000", "[::1]:4000", a path. This and what a client said are there when
    /// `connected` is called, and are the same from then on.
    const std::string& address() const noexcept { return address_; }
    const std::string& local_address() const noexcept { return local_; }
    const NetOptions& options() const noexcept { return options_; }
    /// Bytes that wait to be sent.
    virtual std::size_t queued() const = 0;
    virtual PeerStatistics statistics() const = 0;
    /// Of the packet that is being handled.
    const PacketFlags& packet_flags() const noexcept { return flags_; }
    /// What an ENet client said when connecting; a WebSocket's path and subprotocol.
    std::uint32_t connect_data() const noexcept { return connect_data_; }
    const std::string& path() const noexcept { return path_; }
    const std::string& protocol() const noexcept { return protocol_; }
    /// The packet as a value, by the connection's options. Errors: those of `decode`.
    [[nodiscard]] std::expected<Variant, Error> decode(ByteView packet) const {
        return gdvar::decode(packet, options_.decoding);
    }

    /// The user's own.
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

/// What to do when something happens. They run in a thread that is in EventLoop::run and should not
/// block it; what they throw comes out of there.
struct PeerHandlers {
    std::function<void(Peer&)> connected;
    /// A packet, borrowed until the handler returns.
    std::function<void(Peer&, ByteView)> packet;
    /// Streams, instead of `packet`: called when bytes came, with all that were not taken yet.
    /// Leaving more than max_packet there ends the connection.
    std::function<void(Peer&, StreamReader&)> data;
    /// TCP and Unix sockets: the peer sends no more, but may still be sent to, until `close`.
    /// Without this handler what is queued is sent and the connection closed.
    std::function<void(Peer&)> ended;
    /// After a `put_` was refused with buffer_full: there is room again.
    std::function<void(Peer&)> drained;
    /// Once, as the last. `error` is ok when the peer, or this side, closed in good order. Also
    /// when connecting failed. Errors: closed (by the peer, in the middle of something), timed_out,
    /// io, and what was wrong with the bytes: bad_length, size_limit, truncated.
    std::function<void(Peer&, const NetError&)> closed;
};

/// Runs the endpoints that are made with it. When it ends, all connections end, without a word to
/// their handlers; handles to them that are still held do nothing any more, from whichever thread.
/// A lookup of a name that is under way is not waited for: its thread ends when it is over.
class EventLoop {
public:
    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Works until `stop`, or until nothing is left to do. Several threads may be in it.
    void run();
    /// The same for at most that long.
    void run_for(std::chrono::milliseconds time);
    /// Works until one thing was done, or nothing came for so long. Returns whether one was.
    bool run_one_for(std::chrono::milliseconds time);
    /// Makes `run` return in all threads, and at once in those that come to it later. Can be called
    /// from any thread, not from a signal handler.
    void stop();
    /// Takes `stop` back. No thread may be in `run`.
    void restart();
    /// Calls `what` in a thread that runs.
    void post(std::function<void()> what);
    /// Calls `what` once after that time.
    void after(std::chrono::milliseconds time, std::function<void()> what);

    struct State;
    const std::shared_ptr<State>& state() noexcept { return state_; }

private:
    std::shared_ptr<State> state_;
};

/// Takes connections until it is closed, or the loop goes.
class Listener {
public:
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;
    /// Where: with the port that was chosen, when it was 0.
    const std::string& address() const noexcept { return address_; }
    std::uint16_t port() const noexcept { return port_; }
    Transport transport() const noexcept { return transport_; }
    virtual std::size_t peers() const = 0;
    /// Takes no more connections; `close_peers` also closes those that are open.
    virtual void close(bool close_peers = false) = 0;

protected:
    Listener() = default;
    std::string address_;
    std::uint16_t port_ = 0;
    Transport transport_ = Transport::tcp;
};

/// Errors: bad_syntax (the URL, or a dialect that does not fit), io (address in use, no such
/// certificate, ...).
[[nodiscard]] std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop, std::string_view url,
                                                          NetOptions options,
                                                          PeerHandlers handlers);
/// Begins to connect; `connected` or `closed` tells how it went. What is put before is sent then.
/// Errors: bad_syntax, io (before anything could begin).
[[nodiscard]] std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop, std::string_view url,
                                                       NetOptions options, PeerHandlers handlers);

/// The parts of an endpoint's URL.
struct NetUrl {
    Transport transport = Transport::tcp;
    std::string host;  ///< or the path of a unix socket
    std::uint16_t port = 0;
    std::string path = "/";  ///< ws, wss
};
/// Errors: bad_syntax.
[[nodiscard]] std::expected<NetUrl, NetError> parse_url(std::string_view url);

}  // namespace gdvar
