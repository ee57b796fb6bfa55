#include "peer.hpp"

#include <algorithm>

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

Error Peer::hinted(ByteView packet, const Error& error) const noexcept {
    // Other errors have their own text.
    if (error_info(error.code).kind != ErrorKind::bytes)
        return error;
    const char* hint = packet_hint(packet, is_stream(transport_));
    return hint ? error.about_hint(hint) : error;
}

std::string_view HttpRequest::header(std::string_view name) const noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    for (const auto& [key, value] : headers)
        if (std::ranges::equal(key, name, {}, lower, lower))
            return value;
    return {};
}

namespace detail {

/// The largest payload of a datagram over IPv4.
constexpr std::size_t max_udp_payload = 65'507;
/// Rounds of sending before other peers get their turn.
constexpr int max_flush_rounds = 4;

PeerBase::PeerBase(SharedLoop loop, Strand strand, Transport transport, const NetOptions& options,
                   SharedHandlers handlers)
    : Peer(loop->next_id(), transport, options),
      loop_(std::move(loop)),
      strand_(std::move(strand)),
      handlers_(std::move(handlers)),
      queue_(options.max_queued),
      limits_(options, Clock::now()),
      deadlines_(options),
      timer_(strand_) {}

// ---- Sending ------------------------------------------------------------------------------------

/// `put` appends to the queue.
template <class Put>
std::expected<void, Error> PeerBase::put_scheduled(Put&& put) {
    const std::scoped_lock lock(mutex_);
    if (!life_.may().accepts)
        return std::unexpected(Error{Errc::closed, Type::nil, 0, 0});
    if (auto done = put(); !done)
        return done;
    if (queue_.schedule_flush())
        post_flush();
    return {};
}

std::expected<void, Error> PeerBase::put_filled(Fill fill, const void* what, PacketFlags flags) {
    const auto append = [&](PackedByteArray& to) { return fill(to, what, options_.encoding); };
    return put_scheduled([&] {
        auto done =
            is_stream(transport_)
                ? queue_.put_frame(options_.order, append)
                : queue_.put_entry(
                      flags, transport_ == Transport::udp ? max_udp_payload : max_framed, append);
        if (done)
            packets_out_.fetch_add(1, std::memory_order_relaxed);
        return done;
    });
}

std::expected<void, Error> PeerBase::put_raw(
    const std::function<std::expected<void, Error>(StreamWriter&)>& write) {
    // Not under the lock: functions of this peer that `write` calls take it.
    PackedByteArray bytes;
    StreamWriter writer(bytes, options_.order);
    if (auto done = write(writer); !done)
        return done;
    return put_scheduled([&] { return queue_.put_bytes(as_bytes(bytes)); });
}

void PeerBase::post_flush() {
    loop_->post(strand_, [me = self()] { me->flush(); });
}

void PeerBase::flush() {
    for (int round = 0;; ++round) {
        // A user who puts as fast as this sends must not block other peers, or this peer's own
        // reading.
        if (round == max_flush_rounds)
            return post_flush();
        if (!life_.may().sends)
            return;
        {
            const std::scoped_lock lock(mutex_);
            const auto begun = queue_.begin_send();
            if (begun == SendQueue::Begun::busy)
                return;
            if (begun == SendQueue::Begun::empty)
                break;
        }
        deadlines_.on_send(Clock::now());
        if (!start_write())
            return arm_deadline();
        if (is_over())
            return;
        // Posted: `drained` may put more, and would be called from within itself.
        if (end_send() || read_control_.held())
            loop_->post(strand_, [me = self()] { me->on_queue_drained(); });
    }
    if (!life_.may().drains)
        return;
    PeerAction action = PeerAction::none;
    {
        const std::scoped_lock lock(mutex_);
        if (queue_.idle())  // another thread may have put and closed since
            action = life_.apply(PeerEvent::sent);
    }
    perform(action, {});
}

/// True if `drained` must be called.
bool PeerBase::end_send() {
    bytes_out_.fetch_add(sending().size(), std::memory_order_relaxed);
    const std::scoped_lock lock(mutex_);
    return queue_.end_send();
}

void PeerBase::on_written() {
    if (is_over())
        return;
    end_send();
    flush();
    on_queue_drained();
}

void PeerBase::on_queue_drained() {
    bool drained = false;
    {
        const std::scoped_lock lock(mutex_);
        drained = queue_.take_drained();
    }
    if (!drained && !read_control_.held())
        return;
    const Batch batch(*this);
    if (drained && receives())
        call(handlers_->drained, "drained");
    if (read_control_.held())
        resume();
}

std::size_t PeerBase::queued() const {
    return queue_.size();
}

// ---- Receiving ----------------------------------------------------------------------------------

void PeerBase::on_receive(std::size_t bytes) {
    count_received(bytes);
    limits_.take_bytes(bytes);
}

void PeerBase::count_received(std::size_t bytes) {
    on_partial_packet(transport_ == Transport::enet ? 0 : bytes);
    bytes_in_.fetch_add(bytes, std::memory_order_relaxed);
}

void PeerBase::on_partial_packet(std::size_t bytes) {
    deadlines_.on_receive(Clock::now());
    received_.fetch_add(bytes, std::memory_order_relaxed);
}

Clock::duration PeerBase::read_delay() {
    if (!receives())
        return {};
    const auto now = Clock::now();
    const auto delay = limits_.read_delay(now);
    if (delay > Clock::duration::zero())
        deadlines_.delay_idle(now + delay);
    return delay;
}

bool PeerBase::may_deliver() {
    const PeerStateInfo& may = life_.may();
    if (read_control_.paused() || !(may.receives || may.discards))
        return false;
    if (may.discards)
        return true;
    if (limits_.limited()) {
        const auto now = Clock::now();
        const auto delay = limits_.packet_delay(now);
        if (delay > Clock::duration::zero()) {
            read_control_.hold(now + delay);
            arm_deadline();
            return false;
        }
    }
    // A peer that sends without reading would make its answers pile up here.
    if (queue_.congested()) {
        read_control_.hold();
        return false;
    }
    if (read_control_.held())
        read_control_.release();
    return true;
}

void PeerBase::handle(ByteView packet, PacketFlags flags) {
    packets_in_.fetch_add(1, std::memory_order_relaxed);
    limits_.take_packet();
    if (!receives())
        return;
    flags_ = flags;
    call(handlers_->packet, "packet", packet);
}

void PeerBase::resume() {
    const PeerStateInfo& may = life_.may();
    if (!(may.receives || may.discards) || read_control_.paused())
        return;
    read_control_.release();
    if (deliver() && should_read())
        start_read();
}

void PeerBase::pause_reading() {
    if (strand_.running_in_this_thread())
        read_control_.pause();
    else
        loop_->post(strand_, [me = self()] { me->read_control_.pause(); });
}

void PeerBase::resume_reading() {
    loop_->post(strand_, [me = self()] {
        if (!me->read_control_.resume())
            return;
        const Batch batch(*me);
        me->resume();
    });
}

// ---- States -------------------------------------------------------------------------------------

PeerAction PeerBase::apply(PeerEvent event) {
    const std::scoped_lock lock(mutex_);
    return life_.apply(event);
}

void PeerBase::request(PeerEvent event) {
    const PeerAction action = apply(event);
    if (action != PeerAction::none)
        loop_->post(strand_, [me = self(), action] { me->perform(action, {}); });
}

void PeerBase::perform(PeerAction action, const NetError& error) {
    switch (action) {
        case PeerAction::none:
        case PeerAction::impossible:
            return;
        case PeerAction::open:
            return open();
        case PeerAction::flush:
            return flush();
        case PeerAction::begin_close:
            return begin_close();
        case PeerAction::begin_handshake:
            return start_close_handshake();
        case PeerAction::tell_ended:
            return call(handlers_->ended, "ended");
        case PeerAction::post_finish:
            return finish();
        case PeerAction::release:
            return end(&error);
        case PeerAction::drop:
            return end(nullptr);
    }
}

void PeerBase::on_connecting() {
    deadlines_.on_connecting(Clock::now());
    arm_deadline();
}

void PeerBase::on_peer_ended() {
    on(handlers_->ended ? PeerEvent::half_closed : PeerEvent::peer_ended);
}

void PeerBase::open() {
    deadlines_.on_receive(Clock::now());
    arm_deadline();
    {
        const Batch batch(*this);
        call(handlers_->connected, "connected");
    }
    if (should_read())
        start_read();
}

void PeerBase::begin_close() {
    if (life_.may().deadline != StateDeadline::close)
        return;  // it has ended since this was posted
    read_control_.reset();
    deadlines_.on_closing(Clock::now());
    arm_deadline();
    flush();
    if (discards() && deliver() && should_read())
        start_read();
}

void PeerBase::end(const NetError* error) {
    const auto me = self();
    timer_.cancel();
    release();
    if (!error) {
        when_closed_ = nullptr;
        return;
    }
    loop_->remove(id_);
    if (when_closed_)
        std::exchange(when_closed_, nullptr)();
    call(handlers_->closed, "closed", *error);
}

/// No effect after `closed`: the connection has ended.
void PeerBase::handler_failed(const char* name, const char* thrown) {
    fail(net_error(Errc::handler_failed,
                   std::string("the handler `") + name + "` threw: " + thrown));
}

void PeerBase::close() {
    request(PeerEvent::close);
}
void PeerBase::shutdown() {
    const bool one_way = transport_ == Transport::tcp || transport_ == Transport::local;
    request(one_way ? PeerEvent::shutdown : PeerEvent::close);
}
void PeerBase::abort() {
    request(PeerEvent::abort);
}
void PeerBase::drop() {
    on(PeerEvent::dropped);
}

PeerStatistics PeerBase::statistics() const {
    return {packets_in_, packets_out_, bytes_in_, bytes_out_, dropped_, received_};
}

// ---- Deadlines ----------------------------------------------------------------------------------

Deadlines::Doing PeerBase::doing() const noexcept {
    return {life_.may().deadline, queue_.busy(), read_control_.reads()};
}

/// Sets the timer, unless it goes off early enough.
void PeerBase::arm_deadline() {
    if (is_over())
        return;
    const auto next = std::min(deadlines_.next(doing()), read_control_.retry_at());
    if (!deadlines_.arm(next))
        return;
    timer_.expires_at(next);
    timer_.async_wait([me = self()](const error_code& code) {
        if (code != asio::error::operation_aborted)
            me->on_timer();
    });
}

void PeerBase::on_timer() {
    if (is_over())
        return;
    deadlines_.disarm();
    const auto now = Clock::now();
    const auto late = [&](const char* text) { fail(net_error(Errc::timed_out, text)); };
    switch (deadlines_.expired(now, doing())) {
        case Deadlines::Expired::none:
            break;
        case Deadlines::Expired::connect:
            return late("not connected in time");
        case Deadlines::Expired::close:
            return late("the peer did not close in time");
        case Deadlines::Expired::write:
            return late("the peer does not read");
        case Deadlines::Expired::idle:
            return late("nothing came from the peer for too long");
    }
    if (read_control_.retry_at() <= now) {
        const Batch batch(*this);
        resume();
    }
    arm_deadline();
}

}  // namespace detail
}  // namespace gdvar::net
