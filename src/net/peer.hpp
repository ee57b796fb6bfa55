// Shared by all connections: states, send queue, deadlines, limits.
#pragma once

#include <atomic>
#include <exception>

#include "deadlines.hpp"
#include "gdvar/net/endpoint.hpp"
#include "lifecycle.hpp"
#include "limits.hpp"
#include "loop.hpp"
#include "send_queue.hpp"

namespace gdvar::net::detail {

using SharedHandlers = std::shared_ptr<const PeerHandlers>;

/// A connection without its socket. Everything except the functions of `Peer` itself runs in the
/// strand. lifecycle.hpp has the table of its states and events.
class PeerBase : public Peer, public Endpoint {
public:
    void close() final;
    void shutdown() final;
    void abort() final;
    void pause_reading() final;
    void resume_reading() final;
    std::size_t queued() const final;
    PeerStatistics statistics() const final;
    void drop() final;

    void failed(const error_code& code) { fail(code); }
    /// True after the end or `abort`: nothing is sent or read any more.
    bool is_over() const noexcept { return life_.over(); }
    PeerState state() const noexcept { return life_.state(); }
    /// Called once at the end of the connection.
    void when_closed(std::function<void()> what) { when_closed_ = std::move(what); }

protected:
    PeerBase(SharedLoop loop, Strand strand, Transport transport, const NetOptions& options,
             SharedHandlers handlers);

    // Implemented by a transport.
    virtual void start_read() = 0;
    /// Passes on packets that were read and held back. False: nothing more can be done now.
    virtual bool deliver() = 0;
    /// Sends all of `sending()`. True: done or failed; else it calls `on_written` later.
    virtual bool start_write() = 0;
    /// Called when all is sent: starts the transport's close handshake, which ends with `finish`.
    virtual void start_close_handshake() = 0;
    /// Closes the socket. Called once.
    virtual void release() = 0;

    std::expected<void, Error> put_filled(Fill fill, const void* what, PacketFlags flags) final;
    std::expected<void, Error> put_raw(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write) final;

    // Called by a transport.
    void on_connecting();
    void on_connected() { on(PeerEvent::connected); }
    /// The peer has ended its direction, and all its packets were handled.
    void on_peer_ended();
    void fail(NetError error) { on(PeerEvent::finished, error); }
    void fail(const error_code& code) { fail(net_error(code)); }
    void fail(const Error& packet) { fail(net_error(packet)); }
    void finish() { fail(NetError{}); }
    /// A part of `sending()` was sent.
    void on_send_progress() { deadlines_.on_send(Clock::now()); }
    void on_written();
    /// The queue is shorter: calls `drained`, and resumes reading that waited for that.
    void on_queue_drained();
    /// Bytes have arrived; they count against the limits.
    void on_receive(std::size_t bytes);
    /// Bytes have arrived that were counted before.
    void count_received(std::size_t bytes);
    /// Bytes of an incomplete packet have arrived: the peer is not idle.
    void on_partial_packet(std::size_t bytes);
    /// Bytes were read that may hold no packet.
    void take_bytes(std::size_t bytes) { limits_.take_bytes(bytes); }
    /// The transport's library has answered a control message.
    void take_control() { limits_.take_control(); }
    /// The time for which the limits keep the next bytes in the socket.
    Clock::duration read_delay();
    /// A control message of the transport has arrived. False: drop it; there were more in this
    /// second than packets are allowed, and more than a correct peer has reason to send.
    bool admit_control() { return limits_.admit_control(Clock::now()); }
    /// Calls the handler if there is one. If it throws, this connection ends, with its socket and
    /// its place in the listener; others, and the loop, go on.
    template <class Handler, class... Args>
    void call(const Handler& handler, const char* name, Args&&... args) {
        if constexpr (requires { !handler; })
            if (!handler)
                return;
        try {
            handler(*this, std::forward<Args>(args)...);
        } catch (const std::exception& thrown) {
            const char* const text = thrown.what();
            handler_failed(name, text ? text : "an exception without a text");
        } catch (...) {
            handler_failed(name, "what is no std::exception");
        }
    }
    void handle(ByteView packet, PacketFlags flags = {});
    /// True if the next packet may be handled now; else reading resumes by itself later.
    bool may_deliver();
    void flush();

    /// During its lifetime, puts are collected and sent together at its end.
    class Batch {
    public:
        explicit Batch(PeerBase& peer) : peer_(peer) {
            const std::scoped_lock lock(peer_.mutex_);
            peer_.queue_.begin_batch();
        }
        // NOLINTNEXTLINE(bugprone-exception-escape): without memory to send, the program ends
        ~Batch() { peer_.flush(); }
        Batch(const Batch&) = delete;
        Batch& operator=(const Batch&) = delete;

    private:
        PeerBase& peer_;
    };

    bool receives() const noexcept { return life_.may().receives; }
    /// Received bytes are discarded until the connection is closed.
    bool discards() const noexcept { return life_.may().discards; }
    bool should_read() const noexcept {
        const PeerStateInfo& may = life_.may();
        return read_control_.reads() && (may.receives || may.discards);
    }
    template <class T = PeerBase>
    std::shared_ptr<T> self() {
        return std::static_pointer_cast<T>(std::static_pointer_cast<PeerBase>(shared_from_this()));
    }

    using Entry = SendQueue::Entry;
    const PackedByteArray& sending() const noexcept { return queue_.sending(); }
    std::atomic<std::size_t>& in_transport() noexcept { return queue_.in_transport(); }

    SharedLoop loop_;
    Strand strand_;
    SharedHandlers handlers_;
    std::atomic<std::uint64_t> dropped_{0};

private:
    PeerAction apply(PeerEvent event);
    void on(PeerEvent event, const NetError& error = {}) { perform(apply(event), error); }
    /// Handles a user's event, from any thread.
    void request(PeerEvent event);
    void perform(PeerAction action, const NetError& error);
    void handler_failed(const char* name, const char* thrown);
    void open();
    void begin_close();
    void end(const NetError* error);

    template <class Put>
    std::expected<void, Error> put_scheduled(Put&& put);
    bool end_send();
    void post_flush();
    void resume();
    Deadlines::Doing doing() const noexcept;
    void arm_deadline();
    void on_timer();

    mutable std::mutex mutex_;
    // Changed under the mutex:
    Lifecycle life_;
    SendQueue queue_;

    // In the strand:
    ReceiveLimits limits_;
    ReadControl read_control_;
    Deadlines deadlines_;
    asio::steady_timer timer_;
    std::function<void()> when_closed_;

    std::atomic<std::uint64_t> packets_in_{0}, packets_out_{0}, bytes_in_{0}, bytes_out_{0},
        received_{0};
};

/// A new connection, held by its loop until it ends.
template <class P, class Shared>
std::shared_ptr<P> make_peer(const SharedLoop& loop, const Strand& strand, Shared&& shared,
                             const NetOptions& options, SharedHandlers handlers) {
    auto peer = std::make_shared<P>(loop, strand, std::forward<Shared>(shared), options,
                                    std::move(handlers));
    loop->add(peer, peer->id());
    return peer;
}

/// A handler for the lookup of a peer's host, which can't be cancelled: it holds neither the peer
/// nor the loop, and does nothing when one of them is gone. On an error the peer fails, else
/// `next(peer, found)` is called.
template <class P, class Next>
auto when_found(const SharedLoop& loop, const std::shared_ptr<P>& peer, Next next) {
    ++loop->lookups;
    return [loop = loop.get(), weak = std::weak_ptr(peer), next = std::move(next)](
               const error_code& code, const auto& found) {
        --loop->lookups;
        const auto there = loop->ending ? nullptr : weak.lock();
        if (!there || there->is_over())
            return;
        if (code)
            return there->failed(code);
        next(there, found);
    };
}

}  // namespace gdvar::net::detail
