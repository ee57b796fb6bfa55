// ByteQueue and StreamFramer: cut a stream into packets, however it arrived in parts. No sockets
// here. Rules: wire-format 4.1.
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

/// Bytes in the order of arrival. It grows with the bytes that arrive, never by a claimed length:
/// to at most twice its content and the last `prepare`. An empty one frees its memory above
/// `kept_capacity`.
class ByteQueue {
public:
    explicit ByteQueue(std::size_t kept_capacity = 2 * 1024) noexcept
        : kept_capacity_(kept_capacity) {}
    ByteQueue(ByteQueue&& other) noexcept;
    ByteQueue& operator=(ByteQueue&& other) noexcept;
    ~ByteQueue();

    /// The content, borrowed until the next call that is not const.
    ByteView view() const noexcept { return {data_ + begin_, end_ - begin_}; }
    std::size_t size() const noexcept { return end_ - begin_; }
    bool empty() const noexcept { return begin_ == end_; }
    /// Memory in bytes.
    std::size_t memory() const noexcept { return capacity_; }

    /// Space to receive at least `n` bytes; `commit` takes the number that came. Errors: no_memory.
    [[nodiscard]] std::expected<std::span<std::byte>, Error> prepare(std::size_t n) noexcept;
    void commit(std::size_t n) noexcept { end_ += n; }
    /// Errors: no_memory.
    [[nodiscard]] std::expected<void, Error> append(ByteView bytes) noexcept;
    /// Removes the first `n` bytes, which must exist.
    void take(std::size_t n) noexcept;
    void clear() noexcept { take(size()); }

private:
    std::byte* data_ = nullptr;
    std::size_t begin_ = 0, end_ = 0, capacity_ = 0;
    std::size_t kept_capacity_;
};

/// Cuts a stream into the packets that `StreamPeer.put_var` and `PacketPeerStream` put behind a u32
/// length. Feed it bytes as they come and ask for packets until there is none. Any split of the
/// same bytes gives the same packets and the same error. Memory: ByteQueue's, so at most about
/// twice the largest packet. After an error every call returns that error; its offset counts from
/// the start of the stream.
class StreamFramer {
public:
    /// `order` is the stream's `big_endian`; PacketPeerStream is always little. `max_packet` bounds
    /// the accepted length.
    explicit StreamFramer(ByteOrder order = ByteOrder::little,
                          std::uint64_t max_packet = Limits::network().max_bytes) noexcept
        : order_(order), max_packet_(max_packet) {}

    /// Errors: no_memory, or an earlier error.
    [[nodiscard]] std::expected<void, Error> feed(ByteView bytes) noexcept;
    /// To receive without a copy: space for at least `n` bytes, then `commit`. Ends the last
    /// packet. Errors: no_memory, or an earlier error.
    [[nodiscard]] std::expected<std::span<std::byte>, Error> prepare(std::size_t n) noexcept;
    void commit(std::size_t n) noexcept { queue_.commit(n); }
    /// The next packet, borrowed until the next call of any function; nothing if more bytes are
    /// needed. Errors: bad_length (negative), size_limit (over max_packet). The message names the
    /// length's probable meaning: text, HTTP, compressed data, or a length in the other byte order.
    [[nodiscard]] std::expected<std::optional<ByteView>, Error> next() noexcept;
    /// Call at the end of the stream. Errors: truncated, with `need`, in the middle of a packet;
    /// the message tells if the bytes seem to be text, compressed, or a packet alone.
    [[nodiscard]] std::expected<void, Error> finish() const noexcept;

    /// The least number of bytes before the next packet; 0: ask `next`.
    std::uint64_t need() const noexcept { return need_; }
    /// True in the middle of a packet.
    bool started() const noexcept { return queue_.size() > taken_; }
    /// The start of the next packet, from the start of the stream.
    std::uint64_t position() const noexcept { return position_ + taken_; }
    std::size_t memory() const noexcept { return queue_.memory(); }

private:
    void drop() noexcept;

    ByteQueue queue_;
    ByteOrder order_;
    std::uint64_t max_packet_;
    std::uint64_t position_ = 0;  ///< of the queue's first byte
    std::size_t taken_ = 0;       ///< bytes of the last returned packet
    std::uint64_t need_ = 0;
    Error broken_;
};

/// The likely mistake behind an unreadable packet, in words: its length is in front of it, it is
/// text, HTTP, compressed, or sent without a length. `stream`: it came behind a length. Static
/// text; null: unknown. Cost: at most ten readings of 68 bytes.
const char* packet_hint(ByteView packet, bool stream) noexcept;

namespace detail {

using namespace gdvar::detail;

/// The largest length before a packet.
constexpr std::size_t max_framed = 0x7FFF'FFFF;

/// Removes the appended bytes unless `keep` is called: also after an exception.
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

/// Appends the output of `fill`, after space for a header of `head` bytes, which the caller fills;
/// returns the size that `fill` returned. Errors: those of `fill`, too_large over `most`,
/// no_memory; `to` is then unchanged.
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
/// unchanged.
[[nodiscard]] std::expected<void, Error> append_frame(PackedByteArray& to, ByteView packet,
                                                      ByteOrder order = ByteOrder::little) noexcept;
/// Appends the value's packet behind its length, as `StreamPeer.put_var` sends it. Errors: those of
/// `encode`, and too_large; `to` is then unchanged.
[[nodiscard]] std::expected<void, Error> append_var_frame(
    PackedByteArray& to, const Variant& value,
    const EncodeOptions& options = default_encode_options, ByteOrder order = ByteOrder::little);
/// The same for a value read from elsewhere, without a Variant between. Errors also: those of
/// reading the view.
[[nodiscard]] std::expected<void, Error> append_var_frame(
    PackedByteArray& to, const View& value, const EncodeOptions& options = default_encode_options,
    ByteOrder order = ByteOrder::little);
/// The same for any other type that `encode` takes; include gdvar/value/binding.hpp.
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
