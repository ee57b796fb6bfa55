#include "peer.hpp"

#include <algorithm>
#include <cstring>

namespace gdvar::net {

std::expected<void, Error> Peer::put_packet(ByteView packet, PacketFlags flags) {
    return put_filled(
        [](PackedByteArray& to, const void* what,
           const EncodeOptions&) -> std::expected<std::size_t, Error> {
            const ByteView bytes = *static_cast<const ByteView*>(what);
            if (!detail::try_append(to, bytes))
                return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
            return bytes.size();
        },
        &packet, flags);
}

std::expected<void, Error> Peer::put_var(const View& value, PacketFlags flags) {
    return put_filled(
        [](PackedByteArray& to, const void* what, const EncodeOptions& options) {
            return append_var(to, *static_cast<const View*>(what), options);
        },
        &value, flags);
}

std::expected<void, Error> Peer::put(
    const std::function<std::expected<void, Error>(StreamWriter&)>& write) {
    if (!is_stream(transport_))
        return std::unexpected(Error{Errc::misplaced, Type::nil, 0, 0});
    return put_raw(write);
}

namespace detail {

/// What a datagram of IPv4 holds.
constexpr std::size_t most_udp = 65'507;
/// So often what waits is sent before others get their turn.
constexpr int flush_rounds = 4;
/// Memory that an idle connection may keep for sending.
constexpr std::size_t keep = 4096;
/// Control messages (pings and the like) per second that are no burden, however few packets a peer
/// may send.
constexpr std::uint64_t least_control = 16;

PeerBase::PeerBase(LoopState loop, Strand strand, Transport transport, const NetOptions& options,
                   SharedHandlers handlers)
    : Peer(loop->next_id(), transport, options),
      loop_(std::move(loop)),
      strand_(std::move(strand)),
      handlers_(std::move(handlers)),
      bytes_(options.bytes_per_second, Clock::now()),
      packets_(options.packets_per_second, Clock::now()),
      control_(options.packets_per_second ? std::max(options.packets_per_second, least_control) : 0,
               Clock::now()),
      timer_(strand_) {}

// ---- What is to be sent -----------------------------------------------------------------------

std::expected<void, Error> PeerBase::admit(std::size_t before) {
    count_queued();
    if (queued() <= options_.max_queued)
        return {};
    pending_.set_size(before);
    count_queued();
    refused_ = true;
    return std::unexpected(Error{Errc::buffer_full, Type::nil, 0, 0});
}

std::expected<void, Error> PeerBase::put_filled(Fill fill, const void* what, PacketFlags flags) {
    const std::scoped_lock lock(mutex_);
    if (!accepting_)
        return std::unexpected(Error{Errc::closed, Type::nil, 0, 0});
    const std::size_t before = pending_.size();
    const std::size_t head = is_stream(transport_) ? 4 : sizeof(Head);
    if (queued() + head > options_.max_queued) {
        refused_ = true;
        return std::unexpected(Error{Errc::buffer_full, Type::nil, 0, 0});
    }
    const auto size =
        append_behind(pending_, head, transport_ == Transport::udp ? most_udp : most_framed,
                      [&] { return fill(pending_, what, options_.encoding); });
    if (!size)
        return std::unexpected(size.error());
    if (auto fits = admit(before); !fits)
        return fits;
    auto* at = reinterpret_cast<std::byte*>(pending_.data() + before);
    if (head == 4) {
        write_frame_length(at, static_cast<std::uint32_t>(*size), options_.order);
    } else {
        const Head mark{static_cast<std::uint32_t>(*size), flags};
        std::memcpy(at, &mark, sizeof mark);
    }
    packets_out_.fetch_add(1, std::memory_order_relaxed);
    schedule();
    return {};
}

std::expected<void, Error> PeerBase::put_raw(
    const std::function<std::expected<void, Error>(StreamWriter&)>& write) {
    const std::scoped_lock lock(mutex_);
    if (!accepting_)
        return std::unexpected(Error{Errc::closed, Type::nil, 0, 0});
    const std::size_t before = pending_.size();
    StreamWriter writer(pending_, options_.order);
    if (auto done = write(writer); !done) {
        pending_.set_size(before);
        return done;
    }
    if (auto fits = admit(before); !fits)
        return fits;
    schedule();
    return {};
}

void PeerBase::schedule() {
    if (scheduled_ || batching_)
        return;
    scheduled_ = true;
    loop_->post(strand_, [me = self()] { me->flush(); });
}

void PeerBase::flush() {
    for (int round = 0;; ++round) {
        // Who puts as fast as this sends must not keep the others, and this peer's own reading,
        // waiting.
        if (round == flush_rounds) {
            loop_->post(strand_, [me = self()] { me->flush(); });
            return;
        }
        if (state_ == State::connecting || state_ == State::done)
            return;
        {
            const std::scoped_lock lock(mutex_);
            scheduled_ = false;
            if (writing_)
                return;
            if (!pending_.empty()) {
                std::swap(pending_, sending_);
                sending_size_ = sending_.size();
                writing_ = true;
            }
        }
        if (!writing_)
            break;
        last_sent_ = Clock::now();
        if (!start_write())
            return watch();
        if (state_ == State::done)
            return;
        // Not from here: `drained` may put more, and would be called from within itself.
        if (sent() || held_)
            loop_->post(strand_, [me = self()] { me->room_again(); });
    }
    if ((state_ == State::closing || half_) && in_transport_ == 0 && !goodbye_) {
        goodbye_ = true;
        say_goodbye();
    }
}

/// Returns whether somebody waits for room.
bool PeerBase::sent() {
    bytes_out_.fetch_add(sending_.size(), std::memory_order_relaxed);
    if (sending_.capacity() > keep)
        sending_ = PackedByteArray();
    else
        sending_.clear();
    writing_ = false;
    const std::scoped_lock lock(mutex_);
    sending_size_ = 0;
    count_queued();
    return refused_;
}

void PeerBase::written() {
    if (state_ == State::done)
        return;
    sent();
    flush();
    room_again();
}

void PeerBase::room_again() {
    bool room = false;
    {
        const std::scoped_lock lock(mutex_);
        room = refused_ && queued() <= options_.max_queued / 2;
        if (room)
            refused_ = false;
    }
    if (!room && !held_)
        return;
    const Batch batch(*this);
    if (room && handlers_->drained && state_ == State::open)
        handlers_->drained(*this);
    if (held_)
        resume();
}

std::size_t PeerBase::queued() const {
    return waiting_ + in_transport_;
}

// ---- What has come ------------------------------------------------------------------------------

void PeerBase::heard(std::size_t bytes) {
    arrived(bytes);
    bytes_.take(bytes);
}

void PeerBase::arrived(std::size_t bytes) {
    part_came(transport_ == Transport::enet ? 0 : bytes);
    bytes_in_.fetch_add(bytes, std::memory_order_relaxed);
}

void PeerBase::part_came(std::size_t bytes) {
    last_heard_ = Clock::now();
    received_.fetch_add(bytes, std::memory_order_relaxed);
}

Clock::duration PeerBase::reading_waits() {
    if (state_ != State::open)
        return {};
    const auto now = Clock::now();
    const auto wait = std::max(bytes_.wait(now), control_.wait(now));
    if (wait > Clock::duration::zero())
        last_heard_ = std::max(last_heard_, now + wait);  // its bytes are not read before that
    return wait;
}

bool PeerBase::admits_control() {
    if (control_.wait(Clock::now()) > Clock::duration::zero())
        return false;
    control_.take(1);
    return true;
}

bool PeerBase::may_handle() {
    if (paused_ || state_ == State::done)
        return false;
    if (state_ == State::closing)
        return true;
    Clock::duration wait{};
    if (options_.bytes_per_second || options_.packets_per_second) {
        const auto now = Clock::now();
        wait = std::max(bytes_.wait(now), packets_.wait(now));
        if (wait > Clock::duration::zero())
            resume_at_ = now + wait;
    }
    // A peer that sends and does not read would make its answers pile up here.
    held_ = wait > Clock::duration::zero() || queued() > options_.max_queued / 2;
    if (held_)
        watch();
    return !held_;
}

void PeerBase::handle(ByteView packet, PacketFlags flags) {
    packets_in_.fetch_add(1, std::memory_order_relaxed);
    packets_.take(1);
    if (state_ != State::open || !handlers_->packet || close_asked_)
        return;
    flags_ = flags;
    handlers_->packet(*this, packet);
}

void PeerBase::resume() {
    if (state_ == State::done || state_ == State::connecting || paused_)
        return;
    held_ = false;
    resume_at_ = Clock::time_point::max();
    if (deliver() && should_read())
        start_read();
}

void PeerBase::pause_reading() {
    if (strand_.running_in_this_thread())
        paused_ = true;
    else
        loop_->post(strand_, [me = self()] { me->paused_ = true; });
}

void PeerBase::resume_reading() {
    loop_->post(strand_, [me = self()] {
        if (!std::exchange(me->paused_, false))
            return;
        const Batch batch(*me);
        me->resume();
    });
}

// ---- How it begins and ends ---------------------------------------------------------------------

void PeerBase::connecting() {
    connect_until_ = Clock::now() + options_.connect_timeout;
    watch();
}

void PeerBase::opened() {
    if (state_ != State::connecting)
        return;
    bool closing;
    {
        const std::scoped_lock lock(mutex_);
        closing = close_asked_;
    }
    state_ = closing ? State::closing : State::open;
    last_heard_ = Clock::now();
    if (closing)
        close_until_ = last_heard_ + options_.write_timeout;
    watch();
    {
        const Batch batch(*this);
        if (!closing && handlers_->connected)
            handlers_->connected(*this);
    }
    if (state_ != State::done && should_read())
        start_read();
}

void PeerBase::stop_taking(bool closes) {
    const std::scoped_lock lock(mutex_);
    accepting_ = false;
    if (closes)
        close_asked_ = true;
}

void PeerBase::close() {
    stop_taking(true);
    loop_->post(strand_, [me = self()] { me->start_closing(); });
}

void PeerBase::shutdown() {
    if (transport_ != Transport::tcp && transport_ != Transport::local)
        return close();
    stop_taking();
    loop_->post(strand_, [me = self()] {
        me->half_ = true;
        if (me->state_ == State::open)
            me->flush();
    });
}

void PeerBase::start_closing() {
    if (state_ != State::open)
        return;  // one that is connecting closes when it is connected, and has said what it had to
    state_ = State::closing;
    held_ = paused_ = false;
    close_until_ = Clock::now() + options_.write_timeout;
    watch();
    flush();
    if (state_ == State::closing && deliver() && should_read())
        start_read();
}

void PeerBase::ended() {
    if (goodbye_)
        return finish();
    if (state_ == State::open && handlers_->ended && !half_) {
        handlers_->ended(*this);
        return;
    }
    stop_taking();
    if (state_ == State::open) {
        state_ = State::closing;
        close_until_ = Clock::now() + options_.write_timeout;
        watch();
    }
    flush();
}

void PeerBase::abort() {
    stop_taking(true);
    loop_->post(strand_, [me = self()] { me->finish(); });
}

void PeerBase::fail(NetError error) {
    if (state_ == State::done)
        return;
    const auto me = self();
    state_ = State::done;
    stop_taking();
    timer_.cancel();
    release();
    loop_->remove(id_);
    if (gone_)
        std::exchange(gone_, nullptr)();
    if (handlers_->closed)
        handlers_->closed(*this, error);
}

void PeerBase::drop() {
    if (state_ == State::done)
        return;
    state_ = State::done;
    stop_taking();
    timer_.cancel();
    release();
    gone_ = nullptr;
}

PeerStatistics PeerBase::statistics() const {
    return {packets_in_, packets_out_, bytes_in_, bytes_out_, dropped_, received_};
}

// ---- Deadlines ----------------------------------------------------------------------------------

Clock::time_point PeerBase::next_deadline() const noexcept {
    auto next = resume_at_;
    const auto also = [&](Clock::time_point t) { next = std::min(next, t); };
    if (state_ == State::connecting)
        also(connect_until_);
    if (state_ == State::closing)
        also(close_until_);
    if (state_ == State::open && options_.idle_timeout.count())
        also(last_heard_ + options_.idle_timeout);
    if (writing_)
        also(last_sent_ + options_.write_timeout);
    return next;
}

/// Sets the timer, unless it goes off early enough: most deadlines only ever move away.
void PeerBase::watch() {
    const auto next = next_deadline();
    if (next >= armed_ || state_ == State::done)
        return;
    armed_ = next;
    timer_.expires_at(next);
    timer_.async_wait([me = self()](const error_code& code) {
        if (code != asio::error::operation_aborted)
            me->timer_fired();
    });
}

void PeerBase::timer_fired() {
    if (state_ == State::done)
        return;
    armed_ = Clock::time_point::max();
    const auto now = Clock::now();
    const auto due = [&](bool active, Clock::time_point until) { return active && until <= now; };
    const bool open = state_ == State::open;
    if (due(state_ == State::connecting, connect_until_))
        return fail(net_error(Errc::timed_out, "not connected in time"));
    if (due(state_ == State::closing, close_until_))
        return fail(net_error(Errc::timed_out, "the peer did not close in time"));
    if (due(writing_, last_sent_ + options_.write_timeout))
        return fail(net_error(Errc::timed_out, "the peer does not read"));
    if (due(open && options_.idle_timeout.count(), last_heard_ + options_.idle_timeout) && !held_ &&
        !paused_)
        return fail(net_error(Errc::timed_out, "nothing came from the peer for too long"));
    if (held_ || paused_)
        last_heard_ = now;  // it could not be heard
    if (resume_at_ <= now) {
        const Batch batch(*this);
        resume();
    }
    watch();
}

}  // namespace detail
}  // namespace gdvar::net
