// Connection: one blocking connection, for tools and tests. Rules: wire-format 4.1.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/net/endpoint.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// A client's connection with blocking functions, like Godot's `get_var` on a StreamPeer; each has
/// a time limit. It has an EventLoop of its own and works only during calls: for many connections,
/// or handlers, use `connect`. Not to be used by two threads at once.
class Connection {
public:
    using Time = std::chrono::milliseconds;

    /// Connects, waiting for `options.connect_timeout` at most. Packets wait to be read, up to four
    /// times `options.max_packet` bytes; then the peer has to wait. Errors: those of net::connect,
    /// timed_out.
    [[nodiscard]] static std::expected<Connection, NetError> connect(
        std::string_view url, NetOptions options = {}, const Transports& allowed = transports::all);
    /// The same for the functions of StreamPeer, `read` and `write`. Streams only.
    [[nodiscard]] static std::expected<Connection, NetError> connect_stream(
        std::string_view url, NetOptions options = {}, const Transports& allowed = transports::all);
    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;
    /// Drops the connection; `close` ends it in good order.
    ~Connection();

    /// Sends; waits only if too much is queued already. Errors: those of Peer::put_packet.
    [[nodiscard]] std::expected<void, NetError> put_packet(ByteView packet, PacketFlags flags = {});
    /// T: Variant, View, or any type that `encode` takes. Errors: also those of `encode`.
    template <class T>
    [[nodiscard]] std::expected<void, NetError> put_var(const T& value, PacketFlags flags = {}) {
        return retry([&] { return peer().put_var(value, flags); });
    }

    /// The next packet. Errors: timed_out; closed, when the peer has closed and everything is read;
    /// the error that ended the connection.
    [[nodiscard]] std::expected<PackedByteArray, NetError> get_packet(Time time = Time(10'000));
    /// The next packet as a value. Errors: also those of `decode`.
    [[nodiscard]] std::expected<Variant, NetError> get_var(Time time = Time(10'000));
    /// The same into a bound type, which must not have views: the packet's memory is released.
    template <class T>
    [[nodiscard]] std::expected<T, NetError> get_var(Time time = Time(10'000)) {
        auto packet = get_packet(time);
        if (!packet)
            return std::unexpected(packet.error());
        auto value = decode<T>(as_bytes(*packet), peer().options().decoding);
        if (!value)
            return std::unexpected(refused(peer().hinted(as_bytes(*packet), value.error())));
        return *std::move(value);
    }

    /// connect_stream: sends the output of `write(StreamWriter&)`.
    [[nodiscard]] std::expected<void, NetError> write(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write);
    /// connect_stream: calls `read(StreamReader&)`, one `get_` function of it, repeatedly until
    /// enough has arrived: `c.read([](StreamReader& r) { return r.get_32(); })`. Errors: as
    /// get_packet.
    template <class Read>
    auto read(Read read, Time time = Time(10'000))
        -> std::expected<typename std::invoke_result_t<Read, StreamReader&>::value_type, NetError> {
        const auto until = std::chrono::steady_clock::now() + time;
        for (;;) {
            StreamReader reader = stream();
            auto got = read(reader);
            if (got)
                return *std::move(got);
            if (got.error().code != Errc::truncated)
                return std::unexpected(refused(got.error()));
            if (auto more = wait(until, reader.available_bytes()); !more)
                return std::unexpected(more.error());
        }
    }

    /// The flags of the last received packet.
    const PacketFlags& packet_flags() const noexcept;
    /// Sends the queue, then does the close handshake. Errors: the connection's, timed_out.
    [[nodiscard]] std::expected<void, NetError> close(Time time = Time(10'000));
    Peer& peer() noexcept;

private:
    struct State;
    explicit Connection(std::unique_ptr<State> state) noexcept;
    [[nodiscard]] static std::expected<Connection, NetError> make(std::string_view url,
                                                                  NetOptions options, bool stream,
                                                                  const Transports& allowed);
    static NetError refused(const Error& packet);
    StreamReader stream();
    [[nodiscard]] std::expected<void, NetError> retry(
        const std::function<std::expected<void, Error>()>& put);
    [[nodiscard]] std::expected<void, NetError> wait(std::chrono::steady_clock::time_point until,
                                                     std::size_t had);
    std::unique_ptr<State> state_;
};

}  // namespace net
}  // namespace gdvar
