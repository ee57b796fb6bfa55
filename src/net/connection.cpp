#include "gdvar/net/connection.hpp"

#include <deque>

#include "deadlines.hpp"

namespace gdvar::net {

using detail::Clock;

namespace {

NetError error_of(Errc code, std::string text) {
    return {.code = code, .text = std::move(text)};
}

}  // namespace

struct Connection::State {
    struct Packet {
        PackedByteArray bytes;
        PacketFlags flags;
    };

    EventLoop loop;
    std::shared_ptr<Peer> peer;
    std::deque<Packet> packets;
    std::size_t held = 0;  ///< bytes of them
    ByteQueue queue;
    PacketFlags flags;
    bool connected = false, ended = false, paused = false;
    NetError end;

    std::size_t max_held() const {
        return static_cast<std::size_t>(4 * peer->options().max_packet);
    }
    PeerHandlers handlers(bool stream) {
        PeerHandlers out;
        out.connected = [this](Peer&) { connected = true; };
        out.closed = [this](Peer&, const NetError& error) {
            ended = true;
            end = error;
        };
        if (stream)
            out.data = [this](Peer&, StreamReader& reader) {
                auto bytes = reader.get_data(reader.available_bytes());
                if (bytes)
                    (void)queue.append(as_bytes(*bytes));
                pause_above(queue.size());
            };
        else
            out.packet = [this](Peer& from, ByteView packet) {
                packets.push_back({packed_bytes(packet), from.packet_flags()});
                held += packet.size();
                pause_above(held);
            };
        return out;
    }
    void pause_above(std::size_t bytes) {
        if (bytes < max_held())
            return;
        paused = true;
        peer->pause_reading();
    }
    void resume_below(std::size_t bytes) {
        if (paused && bytes < max_held() / 2) {
            paused = false;
            peer->resume_reading();
        }
    }
    /// Runs the loop until `done`, the end of the connection, or `until`. False: the time is over.
    template <class Done>
    bool run_until(Clock::time_point until, Done done) {
        while (!done() && !ended) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
            if (left.count() <= 0)
                return false;
            loop.run_one_for(left);
        }
        return true;
    }
    NetError why_ended() const {
        if (end.code != Errc::ok)
            return end;
        return error_of(Errc::closed, "the peer closed the connection");
    }
};

Connection::Connection(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

std::expected<Connection, NetError> Connection::connect(std::string_view url, NetOptions options,
                                                        const Transports& allowed) {
    return make(url, std::move(options), false, allowed);
}

std::expected<Connection, NetError> Connection::connect_stream(std::string_view url,
                                                               NetOptions options,
                                                               const Transports& allowed) {
    return make(url, std::move(options), true, allowed);
}

std::expected<Connection, NetError> Connection::make(std::string_view url, NetOptions options,
                                                     bool stream, const Transports& allowed) {
    auto state = std::make_unique<State>();
    const auto time = options.connect_timeout;
    auto peer =
        net::connect(state->loop, url, std::move(options), state->handlers(stream), allowed);
    if (!peer)
        return std::unexpected(peer.error());
    state->peer = *peer;
    if (stream && !is_stream((*peer)->transport()))
        return std::unexpected(
            error_of(Errc::misplaced, "only streams have StreamPeer's functions"));
    State& s = *state;
    // The peer's own deadline comes first; this one is for a busy machine.
    if (!s.run_until(Clock::now() + 2 * detail::bounded(time), [&] { return s.connected; }))
        return std::unexpected(error_of(Errc::timed_out, "not connected in time"));
    if (!s.connected)
        return std::unexpected(s.why_ended());
    return Connection(std::move(state));
}

Peer& Connection::peer() noexcept {
    return *state_->peer;
}
const PacketFlags& Connection::packet_flags() const noexcept {
    return state_->flags;
}

std::expected<void, NetError> Connection::retry(
    const std::function<std::expected<void, Error>()>& put) {
    State& s = *state_;
    const auto until = Clock::now() + detail::bounded(s.peer->options().write_timeout);
    for (;;) {
        const std::size_t before = s.peer->queued();
        const auto done = put();
        // Send it now: the caller may not call again soon.
        for (int i = 0; i < 64 && s.loop.run_one_for(std::chrono::milliseconds(0)); ++i) {
        }
        if (done)
            return {};
        if (s.ended)
            return std::unexpected(s.why_ended());
        if (done.error().code != Errc::buffer_full || before == 0)
            return std::unexpected(refused(done.error()));
        if (!s.run_until(until, [&] { return s.peer->queued() < before; }))
            return std::unexpected(error_of(Errc::timed_out, "the peer does not read"));
    }
}

std::expected<void, NetError> Connection::put_packet(ByteView packet, PacketFlags flags) {
    return retry([&] { return peer().put_packet(packet, flags); });
}

std::expected<void, NetError> Connection::write(
    const std::function<std::expected<void, Error>(StreamWriter&)>& write) {
    return retry([&] { return peer().put(write); });
}

std::expected<PackedByteArray, NetError> Connection::get_packet(Time time) {
    State& s = *state_;
    const bool in_time =
        s.run_until(Clock::now() + detail::bounded(time), [&] { return !s.packets.empty(); });
    if (s.packets.empty()) {
        if (in_time)
            return std::unexpected(s.why_ended());
        return std::unexpected(error_of(Errc::timed_out, "no packet came in time"));
    }
    auto [bytes, flags] = std::move(s.packets.front());
    s.packets.pop_front();
    s.held -= bytes.size();
    s.flags = flags;
    s.resume_below(s.held);
    return std::move(bytes);
}

std::expected<Variant, NetError> Connection::get_var(Time time) {
    auto packet = get_packet(time);
    if (!packet)
        return std::unexpected(packet.error());
    auto value = peer().decode(as_bytes(*packet));
    if (!value)
        return std::unexpected(refused(value.error()));
    return *std::move(value);
}

NetError Connection::refused(const Error& packet) {
    return {.code = packet.code, .packet = packet, .text = to_string(packet)};
}

StreamReader Connection::stream() {
    const NetOptions& options = state_->peer->options();
    return StreamReader(state_->queue, options.order, options.max_packet);
}

std::expected<void, NetError> Connection::wait(Clock::time_point until, std::size_t had) {
    State& s = *state_;
    s.resume_below(had);
    const bool in_time = s.run_until(until, [&] { return s.queue.size() > had; });
    if (s.queue.size() > had)
        return {};
    if (in_time)
        return std::unexpected(s.why_ended());
    return std::unexpected(error_of(Errc::timed_out, "not enough came in time"));
}

std::expected<void, NetError> Connection::close(Time time) {
    State& s = *state_;
    s.peer->close();
    if (!s.run_until(Clock::now() + detail::bounded(time), [] { return false; }))
        return std::unexpected(error_of(Errc::timed_out, "the peer did not close in time"));
    if (s.end.code != Errc::ok)
        return std::unexpected(s.end);
    return {};
}

}  // namespace gdvar::net
