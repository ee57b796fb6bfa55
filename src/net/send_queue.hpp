// A connection's queue of bytes to send. No sockets here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <utility>

#include "gdvar/net/framer.hpp"
#include "gdvar/net/peer.hpp"

namespace gdvar::net::detail {

/// Packets that wait, and those being sent. Its owner locks: only `size`, `congested`,
/// `in_transport`, `sending` and `busy` are called without its lock; the last two by the sending
/// thread.
///
/// The queue has a high-water mark, `max_queued` bytes: `put_` beyond it is refused. Half of it is
/// the low-water mark: after a refusal, the owner is told when no more than that waits.
class SendQueue {
public:
    /// Precedes each packet of a transport with packets. On streams the packet's length takes its
    /// place, as it is sent.
    struct Entry {
        std::uint32_t size;
        PacketFlags flags;
    };
    static_assert(sizeof(Entry) == 8);
    /// Memory that an idle connection may keep.
    static constexpr std::size_t kept_capacity = 4096;

    explicit SendQueue(std::size_t max_queued) noexcept : max_queued_(max_queued) {}

    /// Appends the output of `fill`, after its length. Errors: buffer_full, those of `fill`,
    /// too_large, no_memory; the queue is then unchanged.
    template <class Fill>
    [[nodiscard]] std::expected<void, Error> put_frame(ByteOrder order, Fill&& fill) {
        return put(4, max_framed, fill,
                   [&](std::byte* at, std::uint32_t size) { write_frame_length(at, size, order); });
    }
    /// Appends the output of `fill`, as an entry of at most `max` bytes. Errors: as put_frame.
    template <class Fill>
    [[nodiscard]] std::expected<void, Error> put_entry(PacketFlags flags, std::size_t max,
                                                       Fill&& fill) {
        return put(sizeof(Entry), max, fill, [&](std::byte* at, std::uint32_t size) {
            const Entry entry{size, flags};
            std::memcpy(at, &entry, sizeof entry);
        });
    }
    /// Appends the bytes. Errors: buffer_full, no_memory; the queue is then unchanged.
    [[nodiscard]] std::expected<void, Error> put_bytes(ByteView bytes) {
        const std::size_t before = pending_.size();
        if (!gdvar::detail::try_append(pending_, bytes))
            return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
        return admit(before);
    }

    /// Requests a flush. True: the caller schedules it; false: it is scheduled already, or comes at
    /// the end of the batch.
    bool schedule_flush() noexcept {
        if (flush_ != Flush::idle)
            return false;
        flush_ = Flush::scheduled;
        return true;
    }
    /// Until `begin_send`, puts schedule nothing.
    void begin_batch() noexcept { flush_ = Flush::at_end_of_batch; }

    enum class Begun : std::uint8_t { busy, empty, started };
    /// Moves the waiting bytes to `sending`; called by the flush.
    Begun begin_send() noexcept {
        flush_ = Flush::idle;
        if (busy())
            return Begun::busy;
        if (pending_.empty())
            return Begun::empty;
        std::swap(pending_, sending_);
        sending_size_ = sending_.size();
        return Begun::started;
    }
    /// `sending` was sent. True: a `put_` was refused since the queue was last below the low-water
    /// mark.
    bool end_send() noexcept {
        if (sending_.capacity() > kept_capacity)
            sending_ = PackedByteArray();
        else
            sending_.clear();
        sending_size_ = 0;
        count();
        return refused_;
    }
    /// True if a refused `put_` may be tried again: once, when the queue has fallen to the
    /// low-water mark.
    bool take_drained() noexcept {
        return refused_ && !congested() ? std::exchange(refused_, false) : false;
    }
    /// Nothing waits, also not in the transport.
    bool idle() const noexcept { return !busy() && pending_.empty() && in_transport_ == 0; }

    bool busy() const noexcept { return !sending_.empty(); }
    const PackedByteArray& sending() const noexcept { return sending_; }
    /// Bytes that wait, are being sent, or are held by the transport.
    std::size_t size() const noexcept { return waiting_ + in_transport_; }
    /// Above the low-water mark.
    bool congested() const noexcept { return size() > max_queued_ / 2; }
    /// Bytes that the transport holds until they are acknowledged.
    std::atomic<std::size_t>& in_transport() noexcept { return in_transport_; }

private:
    enum class Flush : std::uint8_t { idle, scheduled, at_end_of_batch };

    void count() noexcept { waiting_ = pending_.size() + sending_size_; }
    std::unexpected<Error> refuse() noexcept {
        refused_ = true;
        return std::unexpected(Error{Errc::buffer_full, Type::nil, 0, 0});
    }
    [[nodiscard]] std::expected<void, Error> admit(std::size_t before) noexcept {
        count();
        if (size() <= max_queued_)
            return {};
        pending_.set_size(before);
        count();
        return refuse();
    }
    template <class Fill, class Mark>
    [[nodiscard]] std::expected<void, Error> put(std::size_t head, std::size_t max, Fill&& fill,
                                                 Mark&& mark) {
        if (size() + head > max_queued_)
            return refuse();
        const std::size_t before = pending_.size();
        const auto size = append_behind(pending_, head, max, [&] { return fill(pending_); });
        if (!size)
            return std::unexpected(size.error());
        if (auto fits = admit(before); !fits)
            return fits;
        mark(reinterpret_cast<std::byte*>(pending_.data() + before),
             static_cast<std::uint32_t>(*size));
        return {};
    }

    const std::size_t max_queued_;
    PackedByteArray pending_, sending_;
    std::size_t sending_size_ = 0;  ///< of `sending_`; 0 once it is sent
    Flush flush_ = Flush::idle;
    bool refused_ = false;
    std::atomic<std::size_t> waiting_{0}, in_transport_{0};
};

}  // namespace gdvar::net::detail
