// Connection: one connection that waits, for tools and tests.
// Room: net. Rules: wire-format 4.1.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/net/endpoint.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// A client's connection whose functions wait, as Godot's `get_var` on a StreamPeer does; each for
/// as long as it is told. It has an EventLoop of its own and works only while it is called: for
/// many connections, or handlers, take `connect`. Not to be used by two threads at once.
class Connection {
public:
    using Time = std::chrono::milliseconds;

    /// Connects, waiting for `options.connect_timeout` at most. Packets wait to be read, up to four
    /// times `options.max_packet` bytes; then the peer has to wait. Errors: bad_syntax, io,
    /// timed_out.
    [[nodiscard]] static std::expected<Connection, NetError> connect(std::string_view url,
                                                                     NetOptions options = {});
    /// The same for the functions of StreamPeer, `read` and `write`. Streams only.
    [[nodiscard]] static std::expected<Connection, NetError> connect_stream(
        std::string_view url, NetOptions options = {});
    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;
    /// Drops the connection; `close` ends it in good order.
    ~Connection();

    /// Sends, and waits only when too much is queued already. Errors: those of Peer::put_packet.
    [[nodiscard]] std::expected<void, NetError> put_packet(ByteView packet, PacketFlags flags = {});
    /// T: Variant, View, or whatever `encode` takes. Errors: also those of `encode`.
    template <class T>
    [[nodiscard]] std::expected<void, NetError> put_var(const T& value, PacketFlags flags = {}) {
        return retry([&] { return peer().put_var(value, flags); });
    }

    /// The next packet. Errors: timed_out; closed, when the peer has closed and all is read; what
    /// ended the connection otherwise.
    [[nodiscard]] std::expected<PackedByteArray, NetError> get_packet(Time time = Time(10'000));
    /// The next packet as a value. Errors: also those of `decode`.
    [[nodiscard]] std::expected<Variant, NetError> get_var(Time time = Time(10'000));
    /// The same into a bound type, which must not have views: the packet's memory goes.
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

    /// connect_stream: sends what `write(StreamWriter&)` puts.
    [[nodiscard]] std::expected<void, NetError> write(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write);
    /// connect_stream: calls `read(StreamReader&)`, one `get_` of it, again and again until enough
    /// has come: `c.read([](StreamReader& r) { return r.get_32(); })`. Errors: as get_packet.
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

    /// Of the packet that came last.
    const PacketFlags& packet_flags() const noexcept;
    /// Sends what is queued, then does the close handshake. Errors: what went wrong, timed_out.
    [[nodiscard]] std::expected<void, NetError> close(Time time = Time(10'000));
    Peer& peer() noexcept;

private:
    struct State;
    explicit Connection(std::unique_ptr<State> state) noexcept;
    [[nodiscard]] static std::expected<Connection, NetError> make(std::string_view url,
                                                                  NetOptions options, bool stream);
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
