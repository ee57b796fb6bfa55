#include "gdvar/net/framer.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <ranges>
#include <utility>

#include "gdvar/value/codec.hpp"
#include "gdvar/wire/evidence.hpp"
#include "gdvar/wire/validate.hpp"
#include "wire/foreign_bytes.hpp"

namespace gdvar::net {

ByteQueue::ByteQueue(ByteQueue&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      kept_capacity_(other.kept_capacity_) {}

ByteQueue& ByteQueue::operator=(ByteQueue&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(capacity_, other.capacity_);
    std::swap(kept_capacity_, other.kept_capacity_);
    return *this;
}

ByteQueue::~ByteQueue() {
    ::operator delete(data_);
}

std::expected<std::span<std::byte>, Error> ByteQueue::prepare(std::size_t n) noexcept {
    if (capacity_ - end_ >= n)
        return std::span(data_ + end_, capacity_ - end_);
    if (n > SIZE_MAX / 2 - size())
        return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    // Moves only as much as was taken, so bytes are moved once each.
    if (begin_ >= size() && capacity_ - size() >= n) {
        if (size())
            std::memmove(data_, data_ + begin_, size());
    } else {
        // The buffer doubles, so each byte is moved about once more, however small the steps.
        const std::size_t bigger = std::max(size() + n, 2 * size());
        auto* data = static_cast<std::byte*>(::operator new(bigger, std::nothrow));
        if (!data)
            return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
        if (size())
            std::memcpy(data, data_ + begin_, size());
        ::operator delete(data_);
        data_ = data;
        capacity_ = bigger;
    }
    end_ -= begin_;
    begin_ = 0;
    return std::span(data_ + end_, capacity_ - end_);
}

std::expected<void, Error> ByteQueue::append(ByteView bytes) noexcept {
    if (bytes.empty())
        return {};
    auto to = prepare(bytes.size());
    if (!to)
        return std::unexpected(to.error());
    std::memcpy(to->data(), bytes.data(), bytes.size());
    commit(bytes.size());
    return {};
}

void ByteQueue::take(std::size_t n) noexcept {
    begin_ += n;
    if (begin_ != end_)
        return;
    begin_ = end_ = 0;
    if (capacity_ <= kept_capacity_)
        return;
    ::operator delete(std::exchange(data_, nullptr));
    capacity_ = 0;
}

namespace {

/// Headers mistaken for a length have an id without flags, so such packets are short.
constexpr std::size_t most_behind_a_header = 64;
/// Limit for the last bytes of a stream. A game sends such a value first, and it is small.
constexpr std::size_t most_read = 64 * 1024;
/// Scores of `weigh`.
constexpr std::int64_t a_header = 16, two_headers = 32;
constexpr const char* no_length =
    "with the 4 bytes of its length in front it begins as a value does, so that the length may be "
    "missing: put_var writes it, put_data does not";

std::ranges::range auto engine_dialects() noexcept {
    return all_dialects() | std::views::filter([](const Dialect* d) { return !d->documented; });
}

/// The best score of any dialect for bytes that are cut off.
std::int64_t best_score(ByteView begun) noexcept {
    std::int64_t best = 0;
    for (const Dialect* dialect : engine_dialects())
        best = std::max(best, weigh(begun, *dialect, {.cut = true}).score);
    return best;
}

}  // namespace

void StreamFramer::drop() noexcept {
    position_ += taken_;
    if (taken_)
        queue_.take(std::exchange(taken_, 0));
}

std::expected<void, Error> StreamFramer::feed(ByteView bytes) noexcept {
    if (broken_.code != Errc::ok)
        return std::unexpected(broken_);
    drop();
    return queue_.append(bytes);
}

std::expected<std::span<std::byte>, Error> StreamFramer::prepare(std::size_t n) noexcept {
    if (broken_.code != Errc::ok)
        return std::unexpected(broken_);
    drop();
    return queue_.prepare(n);
}

std::expected<std::optional<ByteView>, Error> StreamFramer::next() noexcept {
    if (broken_.code != Errc::ok)
        return std::unexpected(broken_);
    // The queue shrinks only when bytes are added: per frame it would cost more than the frame.
    const ByteView there = queue_.view().subspan(taken_);
    auto frame = read_frame(there, order_, max_packet_);
    if (frame) {
        taken_ += frame->size;
        need_ = 0;
        return frame->packet;
    }
    if (frame.error().code == Errc::truncated) {
        need_ = frame.error().need;
        return std::nullopt;
    }
    broken_ = frame.error();
    broken_.offset = position();
    const auto length = detail::load<std::uint32_t>(there.data());
    broken_ = broken_.about_frame(order_ == ByteOrder::big ? detail::byteswap(length) : length,
                                  length, std::min<std::uint64_t>(max_packet_, 0x7FFF'FFFF));
    return std::unexpected(broken_);
}

std::expected<void, Error> StreamFramer::finish() const noexcept {
    if (broken_.code != Errc::ok)
        return std::unexpected(broken_);
    if (!started())
        return {};
    const Error error{Errc::truncated, Type::nil, position(), need_ ? need_ : std::uint64_t{1}};
    const ByteView rest = queue_.view().subspan(taken_);
    if (const auto* foreign = detail::foreign_bytes(rest))
        return std::unexpected(error.about_hint(foreign->packet));
    const auto reads = [&](const Dialect* dialect) {
        return validate(rest, {.dialect = dialect}) == rest.size();
    };
    if (rest.size() <= most_read && std::ranges::any_of(engine_dialects(), reads))
        return std::unexpected(error.about_hint(no_length));
    return std::unexpected(error);
}

const char* packet_hint(ByteView packet, bool stream) noexcept {
    if (packet.size() >= 8) {
        const auto first = detail::load<std::uint32_t>(packet.data());
        if (const std::size_t rest = packet.size() - 4;
            first == rest || detail::byteswap(first) == rest)
            return stream ? "its first 4 bytes are the length of the rest: it was written twice"
                          : "its first 4 bytes are the length of the rest, which packets on "
                            "streams alone have in front";
    }
    if (const auto* foreign = detail::foreign_bytes(packet))
        return foreign->packet;
    if (!stream || packet.size() > most_behind_a_header)
        return nullptr;
    // The length that was read is a value's header, and the packet its rest.
    std::byte bytes[4 + most_behind_a_header];
    detail::store(bytes, static_cast<std::uint32_t>(packet.size()));
    std::ranges::copy(packet, bytes + 4);
    const ByteView begun = std::span(bytes).first(4 + packet.size());
    const std::int64_t score = best_score(begun);
    // Only null has four bytes: others are the length of a text.
    if (packet.size() == 4)
        return score >= a_header ? no_length : nullptr;
    // A damaged packet says more than a number that may be a header.
    return score >= two_headers && score > best_score(packet) ? no_length : nullptr;
}

std::expected<void, Error> append_frame(PackedByteArray& to, ByteView packet,
                                        ByteOrder order) noexcept {
    if (packet.size() > detail::max_framed)
        return std::unexpected(Error{Errc::too_large, Type::nil, 0, 0});
    if (!to.try_grow(to.size() + 4 + packet.size()))
        return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    return detail::append_framed(to, order, [&]() -> std::expected<std::size_t, Error> {
        if (!detail::try_append(to, packet))
            return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
        return packet.size();
    });
}

std::expected<std::size_t, Error> append_var(PackedByteArray& to, const Variant& value,
                                             const EncodeOptions& options) {
    return encode_to(to, value, options);
}

std::expected<std::size_t, Error> append_var(PackedByteArray& to, const View& value,
                                             const EncodeOptions& options) {
    if (!value)
        return std::unexpected(value.error());
    const std::size_t before = to.size();
    auto size = [&]() -> std::expected<std::size_t, Error> {
        BufferOutput output(to);
        Encoder<BufferOutput> encoder(output, options);
        if (auto done = value.drive(encoder); !done)
            return std::unexpected(done.error());
        return output.size();
    }();
    if (!size)
        to.set_size(before);
    return size;
}

std::expected<void, Error> append_var_frame(PackedByteArray& to, const Variant& value,
                                            const EncodeOptions& options, ByteOrder order) {
    return detail::append_framed(to, order, [&] { return encode_to(to, value, options); });
}

std::expected<void, Error> append_var_frame(PackedByteArray& to, const View& value,
                                            const EncodeOptions& options, ByteOrder order) {
    return detail::append_framed(to, order, [&] { return append_var(to, value, options); });
}

}  // namespace gdvar::net
