// ByteQueue and StreamFramer: what arrived on a stream, cut into packets whatever way it was split.
// Room: net. No sockets here. Rules: wire-format 4.1.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/limits.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// Bytes in the order in which they came. It grows by what has really arrived, never by what a
/// length claims: at most twice what it holds and was last asked to prepare for. An empty one
/// frees its memory above `kept_capacity`.
class ByteQueue {
public:
    explicit ByteQueue(std::size_t kept_capacity = 2 * 1024) noexcept
        : kept_capacity_(kept_capacity) {}
    ByteQueue(ByteQueue&& other) noexcept;
    ByteQueue& operator=(ByteQueue&& other) noexcept;
    ~ByteQueue();

    /// What is there, borrowed until the next call that is not const.
    ByteView view() const noexcept { return {data_ + begin_, end_ - begin_}; }
    std::size_t size() const noexcept { return end_ - begin_; }
    bool empty() const noexcept { return begin_ == end_; }
    /// Bytes of memory held.
    std::size_t memory() const noexcept { return capacity_; }

    /// Space to receive at least `n` bytes into; `commit` says how many came. Errors: no_memory.
    [[nodiscard]] std::expected<std::span<std::byte>, Error> prepare(std::size_t n) noexcept;
    void commit(std::size_t n) noexcept { end_ += n; }
    /// Errors: no_memory.
    [[nodiscard]] std::expected<void, Error> append(ByteView bytes) noexcept;
    /// Forgets the first `n` bytes, which must be there.
    void take(std::size_t n) noexcept;
    void clear() noexcept { take(size()); }

private:
    std::byte* data_ = nullptr;
    std::size_t begin_ = 0, end_ = 0, capacity_ = 0;
    std::size_t kept_capacity_;
};

/// Cuts a stream into the packets that `StreamPeer.put_var` and `PacketPeerStream` put behind a u32
/// length. Feed it bytes as they come and ask for packets until there is none. Any way of
/// splitting the same bytes gives the same packets and the same error. Memory: ByteQueue's, so at
/// most about twice the largest packet. After an error every call returns that error; its offset
/// counts from the start of the stream.
class StreamFramer {
public:
    /// `order` is the stream's `big_endian`; PacketPeerStream is always little. `max_packet` bounds
    /// the length that is accepted.
    explicit StreamFramer(ByteOrder order = ByteOrder::little,
                          std::uint64_t max_packet = Limits::network().max_bytes) noexcept
        : order_(order), max_packet_(max_packet) {}

    /// Errors: no_memory, or an earlier error.
    [[nodiscard]] std::expected<void, Error> feed(ByteView bytes) noexcept;
    /// To receive without a copy: space for at least `n` bytes, then `commit`. Ends the last
    /// packet. Errors: no_memory, or an earlier error.
    [[nodiscard]] std::expected<std::span<std::byte>, Error> prepare(std::size_t n) noexcept;
    void commit(std::size_t n) noexcept { queue_.commit(n); }
    /// The next packet, borrowed until the next call of anything; nothing when more must come.
    /// Errors: bad_length (negative), size_limit (over max_packet). The message says what the
    /// length seems to be instead: text, HTTP, compressed data, or a length in the other byte
    /// order.
    [[nodiscard]] std::expected<std::optional<ByteView>, Error> next() noexcept;
    /// When the stream has ended. Errors: truncated, with `need`, in the middle of a packet; the
    /// message says what the bytes seem to be, if they are text, compressed, or a packet alone.
    [[nodiscard]] std::expected<void, Error> finish() const noexcept;

    /// At least this many bytes must come before there is a packet; 0: ask `next`.
    std::uint64_t need() const noexcept { return need_; }
    /// In the middle of a packet.
    bool started() const noexcept { return queue_.size() > taken_; }
    /// Where the next packet begins, from the start of the stream.
    std::uint64_t position() const noexcept { return position_ + taken_; }
    std::size_t memory() const noexcept { return queue_.memory(); }

private:
    void drop() noexcept;

    ByteQueue queue_;
    ByteOrder order_;
    std::uint64_t max_packet_;
    std::uint64_t position_ = 0;  ///< of the queue's first byte
    std::size_t taken_ = 0;       ///< bytes of the packet that was returned last
    std::uint64_t need_ = 0;
    Error broken_;
};

/// The likely mistake behind a packet that can't be read, in words: its length is in front of it,
/// it is text, HTTP, compressed, or sent without a length. `stream`: it came behind a length.
/// Static text; null: nothing that is known. Cost: a glance, and ten readings of 68 bytes at most.
const char* packet_hint(ByteView packet, bool stream) noexcept;

namespace detail {

using namespace gdvar::detail;

/// What a length before a packet can say.
constexpr std::size_t max_framed = 0x7FFF'FFFF;

/// Takes back what was appended to the bytes unless `keep` is called: also when what appends
/// throws.
class Appending {
public:
    explicit Appending(PackedByteArray& to) noexcept : to_(to), before_(to.size()) {}
    Appending(const Appending&) = delete;
    Appending& operator=(const Appending&) = delete;
    ~Appending() {
        if (!kept_)
            to_.set_size(before_);
    }
    std::size_t before() const noexcept { return before_; }
    void keep() noexcept { kept_ = true; }

private:
    PackedByteArray& to_;
    std::size_t before_;
    bool kept_ = false;
};

/// Appends what `fill` appends, after space for a header of `head` bytes, which is the caller's to
/// write; returns the size that `fill` returned. Errors: those of `fill`, too_large over `most`,
/// no_memory; `to` is then as it was.
template <class Fill>
[[nodiscard]] std::expected<std::size_t, Error> append_behind(PackedByteArray& to, std::size_t head,
                                                              std::size_t most, Fill&& fill) {
    Appending appending(to);
    if (!to.try_grow(appending.before() + head))
        return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    to.set_size(appending.before() + head);
    std::expected<std::size_t, Error> size = fill();
    if (size && *size > most)
        size = std::unexpected(Error{Errc::too_large, Type::nil, 0, 0});
    if (size)
        appending.keep();
    return size;
}

/// The same behind the packet's length.
template <class Fill>
[[nodiscard]] std::expected<void, Error> append_framed(PackedByteArray& to, ByteOrder order,
                                                       Fill&& fill) {
    const std::size_t before = to.size();
    const auto size = append_behind(to, 4, max_framed, fill);
    if (!size)
        return std::unexpected(size.error());
    write_frame_length(reinterpret_cast<std::byte*>(to.data() + before),
                       static_cast<std::uint32_t>(*size), order);
    return {};
}

}  // namespace detail

/// Appends the packet behind its length. Errors: too_large from 2 GiB on, no_memory; `to` is then
/// as it was.
[[nodiscard]] std::expected<void, Error> append_frame(PackedByteArray& to, ByteView packet,
                                                      ByteOrder order = ByteOrder::little) noexcept;
/// Appends the value's packet behind its length, as `StreamPeer.put_var` sends it. Errors: those
/// of `encode`, and too_large; `to` is then as it was.
[[nodiscard]] std::expected<void, Error> append_var_frame(
    PackedByteArray& to, const Variant& value,
    const EncodeOptions& options = default_encode_options, ByteOrder order = ByteOrder::little);
/// The same of a value that is read from elsewhere, without a Variant between. Errors also: those
/// of reading the view.
[[nodiscard]] std::expected<void, Error> append_var_frame(
    PackedByteArray& to, const View& value, const EncodeOptions& options = default_encode_options,
    ByteOrder order = ByteOrder::little);
/// The same of whatever else `encode` takes; include gdvar/value/binding.hpp.
template <class T>
    requires(!std::convertible_to<const T&, Variant> && !std::convertible_to<const T&, View>)
[[nodiscard]] std::expected<void, Error> append_var_frame(
    PackedByteArray& to, const T& value, const EncodeOptions& options = default_encode_options,
    ByteOrder order = ByteOrder::little) {
    return detail::append_framed(to, order, [&] { return encode_to(to, value, options); });
}
/// Appends the bare packet, as `PacketPeer.put_var` sends it; returns its size. Errors: as above.
[[nodiscard]] std::expected<std::size_t, Error> append_var(
    PackedByteArray& to, const Variant& value,
    const EncodeOptions& options = default_encode_options);
[[nodiscard]] std::expected<std::size_t, Error> append_var(
    PackedByteArray& to, const View& value, const EncodeOptions& options = default_encode_options);

}  // namespace net
}  // namespace gdvar
