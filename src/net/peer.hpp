// What all connections share: the queue of what is to be sent, deadlines, limits, the way they end.
#pragma once

#include <array>
#include <atomic>

#include "loop.hpp"

namespace gdvar::net::detail {

using SharedHandlers = std::shared_ptr<const PeerHandlers>;

/// The number of connections from each IP address.
class AddressCounts {
public:
    std::size_t count(const asio::ip::address& address) const {
        const auto it = counts_.find(address);
        return it == counts_.end() ? 0 : it->second;
    }
    void add(const asio::ip::address& address) { ++counts_[address]; }
    void remove(const asio::ip::address& address) {
        const auto it = counts_.find(address);
        if (it != counts_.end() && --it->second == 0)
            counts_.erase(it);
    }

private:
    std::unordered_map<asio::ip::address, std::size_t> counts_;
};

/// How much a peer may still send, a second's worth at most.
class Allowance {
public:
    Allowance(std::uint64_t per_second, Clock::time_point now) noexcept
        : rate_(static_cast<double>(per_second)), left_(rate_), at_(now) {}
    void take(std::uint64_t n) noexcept { left_ -= static_cast<double>(n); }
    /// How long until something is allowed again; zero: now.
    Clock::duration wait(Clock::time_point now) noexcept {
        if (rate_ == 0)
            return {};
        left_ = std::min(rate_, left_ + rate_ * std::chrono::duration<double>(now - at_).count());
        at_ = now;
        if (left_ > 0)
            return {};
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(-left_ / rate_ + 1e-3));
    }

private:
    double rate_, left_;
    Clock::time_point at_;
};

/// A connection without its socket. Everything but the functions of `Peer` itself runs in the
/// strand.
///
/// States: connecting, open, closing (no more is taken from the user; what is queued is sent),
/// done. `fail` leads to done from anywhere.
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
    bool is_done() const noexcept { return state_ == State::done; }
    const Strand& strand() const noexcept { return strand_; }
    /// Called once when the connection has ended.
    void when_gone(std::function<void()> what) { gone_ = std::move(what); }

protected:
    PeerBase(LoopState loop, Strand strand, Transport transport, const NetOptions& options,
             SharedHandlers handlers);

    // What a transport does.
    /// Reads once more, if it isn't reading.
    virtual void start_read() = 0;
    /// Hands on what has been read and was held back. False: nothing more can be done now.
    virtual bool deliver() = 0;
    /// Sends all of `sending_`. True: it is done already, or has failed; else it calls `written`.
    virtual bool start_write() = 0;
    /// All is sent: says goodbye. Ends with `finish`.
    virtual void say_goodbye() = 0;
    /// Closes the socket. Called once.
    virtual void release() = 0;

    std::expected<void, Error> put_filled(Fill fill, const void* what, PacketFlags flags) final;
    std::expected<void, Error> put_raw(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write) final;

    // What a transport tells.
    void connecting();
    void opened();
    void fail(NetError error);
    void fail(const error_code& code) { fail(net_error(code)); }
    void fail(const Error& error) { fail({error, to_string(error)}); }
    /// In good order.
    void finish() { fail(NetError{}); }
    /// Something of what is being sent has gone.
    void progress() { last_sent_ = Clock::now(); }
    void written();
    /// Less waits to be sent than before: lets those go on who wait for that.
    void room_again();
    /// Bytes have arrived; they count against the limits.
    void heard(std::size_t bytes);
    /// Bytes have arrived that were counted before.
    void arrived(std::size_t bytes);
    /// Bytes of an incomplete packet have arrived: a sign of life.
    void part_came(std::size_t bytes);
    /// How long the next bytes must stay in the socket because of the limits.
    Clock::duration reading_waits();
    /// A control message of the transport has arrived. False if there were more in this second than
    /// packets may come, and more than a sound peer has reason to send.
    bool admits_control();
    /// Gives the packet to its handler.
    void handle(ByteView packet, PacketFlags flags = {});
    /// Whether the next packet may be handled now; else reading goes on by itself later.
    bool may_handle();
    /// The peer has said that nothing more comes: what is queued is still sent.
    void ended();
    void flush();

    /// Puts during a batch are sent together at its end.
    class Batch {
    public:
        explicit Batch(PeerBase& peer) : peer_(peer) {
            const std::scoped_lock lock(peer_.mutex_);
            peer_.batching_ = true;
        }
        ~Batch() {
            {
                const std::scoped_lock lock(peer_.mutex_);
                peer_.batching_ = false;
            }
            peer_.flush();
        }

    private:
        PeerBase& peer_;
    };

    bool is_open() const noexcept { return state_ == State::open; }
    bool is_closing() const noexcept { return state_ == State::closing; }
    /// Not closed or aborted by this side.
    bool wanted() const noexcept { return !close_asked_; }
    bool should_read() const noexcept {
        return !paused_ && !held_ && (state_ == State::open || state_ == State::closing);
    }
    template <class T = PeerBase>
    std::shared_ptr<T> self() {
        return std::static_pointer_cast<T>(std::static_pointer_cast<PeerBase>(shared_from_this()));
    }

    /// Datagrams and messages wait behind this; on streams behind their length alone.
    struct Head {
        std::uint32_t size;
        PacketFlags flags;
    };
    static_assert(sizeof(Head) == 8);

    LoopState loop_;
    Strand strand_;
    SharedHandlers handlers_;
    PackedByteArray sending_;
    /// Bytes that the transport itself still holds.
    std::atomic<std::size_t> in_transport_{0};
    std::atomic<std::uint64_t> dropped_{0};
    Allowance bytes_, packets_, control_;

private:
    enum class State : std::uint8_t { connecting, open, closing, done };

    void count_queued() noexcept { waiting_ = pending_.size() + sending_size_; }
    bool sent();
    /// Takes no more from the user.
    void stop_taking(bool closes = false);
    std::expected<void, Error> admit(std::size_t before);
    void schedule();
    void start_closing();
    void resume();
    void watch();
    void timer_fired();
    Clock::time_point next_deadline() const noexcept;

    mutable std::mutex mutex_;
    // Under the mutex:
    PackedByteArray pending_;
    std::size_t sending_size_ = 0;
    std::atomic<bool> accepting_{true};  ///< not after `close` or `abort`; read without it, too
    /// After `close` or `abort`: what still comes is for nobody.
    std::atomic<bool> close_asked_{false};
    bool scheduled_ = false, batching_ = false, refused_ = false;
    std::atomic<std::size_t> waiting_{0};  ///< the first two together; read without the mutex

    // In the strand:
    State state_ = State::connecting;
    bool writing_ = false;
    bool paused_ = false;  ///< by the user
    bool held_ = false;    ///< by the limits
    bool goodbye_ = false;
    bool half_ = false;  ///< nothing more is sent, but still received
    std::function<void()> gone_;
    asio::steady_timer timer_;
    Clock::time_point armed_ = Clock::time_point::max();
    Clock::time_point connect_until_, close_until_, last_heard_, last_sent_;
    Clock::time_point resume_at_ = Clock::time_point::max();
    std::atomic<std::uint64_t> packets_in_{0}, packets_out_{0}, bytes_in_{0}, bytes_out_{0},
        received_{0};
};

/// A new connection, known to its loop.
template <class P, class Shared>
std::shared_ptr<P> make_peer(const LoopState& loop, const Strand& strand, Shared&& shared,
                             const NetOptions& options, SharedHandlers handlers) {
    auto peer = std::make_shared<P>(loop, strand, std::forward<Shared>(shared), options,
                                    std::move(handlers));
    loop->add(std::weak_ptr<Endpoint>(peer), peer->id());
    return peer;
}

/// A handler for the lookup of a peer's host, which nothing can cancel: it holds neither the peer,
/// which its deadline holds, nor the loop, and does nothing when one of them has gone. After an
/// error the peer fails, else it is `next(peer, found)`.
template <class P, class Next>
auto when_found(const LoopState& loop, const std::shared_ptr<P>& peer, Next next) {
    return [loop = loop.get(), weak = std::weak_ptr(peer), next = std::move(next)](
               const error_code& code, const auto& found) {
        const auto there = loop->ending ? nullptr : weak.lock();
        if (!there || there->is_done())
            return;
        if (code)
            return there->failed(code);
        next(there, found);
    };
}

}  // namespace gdvar::net::detail
