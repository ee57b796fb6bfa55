// Peer: one connection, and the handlers of its events. Rules: wire-format 4.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/net/options.hpp"
#include "gdvar/net/stream_buffer.hpp"
#include "gdvar/net/url.hpp"
#include "gdvar/value/binding.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// How a packet was received or is sent. Not used on streams.
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
    /// Bytes of packets, counted in parts as they arrive, and again if they arrive again. It grows
    /// while a long packet is arriving, although bytes_in may not.
    std::uint64_t received = 0;
};

/// One connection. Its EventLoop holds it until it has ended; keep a shared_ptr to use it later.
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
    /// Streams: for StreamPeer's other `put_` functions. `write` is called at most once, before
    /// `put` returns. It may call functions of this peer, whose output is sent first. Errors: those
    /// of `write`, closed, buffer_full, misplaced (not a stream).
    [[nodiscard]] std::expected<void, Error> put(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write);

    /// Sends the queue, then closes the connection by the transport's own handshake. Packets that
    /// still arrive are not handled.
    virtual void close() = 0;
    /// TCP and Unix sockets: sends the queue, then ends the sending direction. Receiving continues.
    /// Other transports: as `close`.
    virtual void shutdown() = 0;
    /// Ends the connection at once: the queue is not sent, nor the result of the handler `request`.
    /// `closed` gets ok.
    virtual void abort() = 0;
    /// Stops reading until `resume_reading`. The other side has to wait once the buffers between
    /// are full.
    virtual void pause_reading() = 0;
    virtual void resume_reading() = 0;

    /// Unique in its EventLoop, from 1 on.
    std::uint64_t id() const noexcept { return id_; }
    Transport transport() const noexcept { return transport_; }
    /// "127.0.0.1:4000", "[::1]:4000", a path. The addresses and the client's data are set before
    /// `connected` is called, and do not change afterwards.
    const std::string& address() const noexcept { return address_; }
    const std::string& local_address() const noexcept { return local_; }
    const NetOptions& options() const noexcept { return options_; }
    /// Bytes that wait to be sent.
    virtual std::size_t queued() const = 0;
    virtual PeerStatistics statistics() const = 0;
    /// The flags of the packet being handled.
    const PacketFlags& packet_flags() const noexcept { return flags_; }
    /// A client's data when connecting: an ENet client's number; a WebSocket's path and
    /// subprotocol.
    std::uint32_t connect_data() const noexcept { return connect_data_; }
    const std::string& path() const noexcept { return path_; }
    const std::string& protocol() const noexcept { return protocol_; }
    /// Decodes the packet with the connection's options. Errors: those of `decode`; the message
    /// also has the likely mistake (`packet_hint`).
    [[nodiscard]] std::expected<Variant, Error> decode(ByteView packet) const {
        auto value = gdvar::decode(packet, options_.decoding);
        return value ? std::move(value) : std::unexpected(hinted(packet, value.error()));
    }
    /// An error of reading the packet, with the likely mistake if its bytes are wrong.
    Error hinted(ByteView packet, const Error& error) const noexcept;

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

/// The request of an HTTP client to a WebSocket server. Borrowed until the handler returns.
struct HttpRequest {
    std::string_view method, target;  ///< "GET", "/room/7?token=x"
    bool websocket = false;           ///< it requests a WebSocket; else a page
    std::vector<std::pair<std::string_view, std::string_view>> headers;
    /// The value of the first header of that name, in any case; empty if there is none.
    std::string_view header(std::string_view name) const noexcept;
};
/// An answer other than a WebSocket.
struct HttpAnswer {
    unsigned status = 403;  ///< 200 to 599; others become 500
    std::string body{};     ///< not sent with 204, 205 and 304, which have none (RFC 9110)
    /// If empty, or with a control character, which could end the line, it becomes `plain_text`.
    std::string content_type{plain_text};
    static constexpr std::string_view plain_text = "text/plain; charset=utf-8";
};

/// Handlers of a peer's events. They run in a thread that is in EventLoop::run, and should not
/// block it. A handler that throws ends its connection at once, and no other: `closed` gets
/// handler_failed, with the exception's text. Exceptions of `closed` are dropped.
struct PeerHandlers {
    /// WebSocket servers, before `connected`: a client's request. An answer refuses it, and the
    /// connection ends. Without one, or without this handler, a WebSocket is opened; other requests
    /// get 426, whatever their method. The body of a request is not passed on. Refused before: web
    /// pages of origins that may not connect, with 403; headers over 8 KiB, with 431; broken
    /// requests, with 400.
    std::function<std::optional<HttpAnswer>(Peer&, const HttpRequest&)> request{};
    std::function<void(Peer&)> connected{};
    /// A packet, borrowed until the handler returns.
    std::function<void(Peer&, ByteView)> packet{};
    /// Streams, instead of `packet`: called when bytes arrive, with all bytes not taken yet. The
    /// connection ends when more than max_packet bytes are left untaken.
    std::function<void(Peer&, StreamReader&)> data{};
    /// TCP and Unix sockets: the peer has ended its sending direction. Sending to it is possible
    /// until `close`. Without this handler, the queue is sent and the connection is closed.
    std::function<void(Peer&)> ended{};
    /// The send queue has fallen to half of max_queued after a `put_` was refused with buffer_full.
    std::function<void(Peer&)> drained{};
    /// The connection has ended, or connecting has failed. Called once, as the last handler.
    /// `error` is ok after a regular close by either side. Errors: closed (the peer closed in the
    /// middle of something), timed_out, io; for malformed bytes bad_length, size_limit, truncated;
    /// handler_failed.
    std::function<void(Peer&, const NetError&)> closed{};
};

}  // namespace net
}  // namespace gdvar
