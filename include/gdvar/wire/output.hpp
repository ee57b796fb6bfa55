// Where encoded bytes go: a growing buffer, a fixed span, or only a count.
// Room: wire.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar {

/// An output is a class with `std::byte* claim(n)` (room for the next n bytes, or null), `Errc
/// error()` (why null), `std::uint64_t need()`, `std::size_t size()` and `void patch(at, word)`.
/// This one appends to a PackedByteArray that it borrows. Errors: no_memory.
class BufferOutput {
public:
    explicit BufferOutput(PackedByteArray& to) noexcept
        : to_(to),
          first_(to.size()),
          begin_(bytes()),
          at_(begin_ + to.size()),
          end_(begin_ + to.capacity()) {}
    ~BufferOutput() { flush(); }
    BufferOutput(const BufferOutput&) = delete;
    BufferOutput& operator=(const BufferOutput&) = delete;

    std::byte* claim(std::size_t n) noexcept {
        if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
            if (!grow(n))
                return nullptr;
        std::byte* room = at_;
        at_ += n;
        return room;
    }
    /// Where there is no room there is no memory: nothing smaller is tried.
    static constexpr bool grows = true;
    /// Makes room for a claim of `most` bytes, of which the caller knows the least that it needs;
    /// `use` takes what it turned out to be.
    std::byte* room(std::size_t most) noexcept {
        return static_cast<std::size_t>(end_ - at_) >= most || grow(most) ? at_ : nullptr;
    }
    void use(std::size_t n) noexcept { at_ += n; }
    /// How many bytes there is room for.
    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    /// What to ask for the whole size when a large claim finds no room.
    void expect(std::size_t (*whole_size)(const void*), const void* of) noexcept {
        whole_size_ = whole_size;
        of_ = of;
    }
    Errc error() const noexcept { return Errc::no_memory; }
    std::uint64_t need() const noexcept { return 0; }
    /// Bytes written through this output.
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_) - first_; }
    void patch(std::size_t at, std::uint32_t word) noexcept {
        detail::store(begin_ + first_ + at, word);
    }
    /// What was written through this output; until the next `claim`.
    ByteView written() const noexcept { return {begin_ + first_, size()}; }
    /// Makes the written bytes the buffer's own; done on destruction, too.
    void flush() noexcept { to_.set_size(static_cast<std::size_t>(at_ - begin_)); }

private:
    std::byte* bytes() noexcept { return reinterpret_cast<std::byte*>(to_.data()); }
    [[gnu::noinline]] bool grow(std::size_t n) noexcept {
        const std::size_t used = static_cast<std::size_t>(at_ - begin_);
        flush();
        // By four where pages are to be had: of buffers that double, each as large as all before
        // it, malloc gives those back that it is to get again for the next packet.
        const std::size_t had = to_.capacity() + 16, times = had < 4096 || had >= largest ? 2 : 4;
        std::size_t wanted = std::max<std::size_t>(std::max(used + n, times * had - 16), 240);
        if (n >= large && whole_size_)
            wanted = std::max(used + n, first_ + whole_size_(of_) + for_rooms);
        if (!to_.try_reserve(wanted))
            return false;
        begin_ = bytes();
        at_ = begin_ + used;
        end_ = begin_ + to_.capacity();
        return true;
    }
    static constexpr std::size_t large = 32768, largest = 1 << 20;
    /// Who asks for a room asks for the most: what comes behind a large array is to find it.
    static constexpr std::size_t for_rooms = 4096;
    PackedByteArray& to_;
    std::size_t (*whole_size_)(const void*) = nullptr;
    const void* of_ = nullptr;
    std::size_t first_;
    std::byte* begin_;
    std::byte* at_;
    std::byte* end_;
};

namespace detail {
/// For a buffer that is to be kept: it may have grown to four times its size.
inline void give_back(PackedByteArray& buffer) noexcept {
    if (buffer.capacity() > 4096 && buffer.size() < buffer.capacity() / 2)
        buffer.shrink_to_fit();
}
}  // namespace detail

/// Fills a fixed span from its start. Errors: buffer_full.
class SpanOutput {
public:
    explicit SpanOutput(std::span<std::byte> to) noexcept : to_(to) {}
    std::byte* claim(std::size_t n) noexcept {
        if (to_.size() - used_ < n) [[unlikely]] {
            need_ = n - (to_.size() - used_);
            return nullptr;
        }
        std::byte* room = to_.data() + used_;
        used_ += n;
        return room;
    }
    /// As BufferOutput's; null where there is less.
    std::byte* room(std::size_t most) noexcept {
        return to_.size() - used_ >= most ? to_.data() + used_ : nullptr;
    }
    void use(std::size_t n) noexcept { used_ += n; }
    std::size_t left() const noexcept { return to_.size() - used_; }
    Errc error() const noexcept { return Errc::buffer_full; }
    std::uint64_t need() const noexcept { return need_; }
    std::size_t size() const noexcept { return used_; }
    void patch(std::size_t at, std::uint32_t word) noexcept {
        detail::store(to_.data() + at, word);
    }
    ByteView written() const noexcept { return to_.first(used_); }

private:
    std::span<std::byte> to_;
    std::size_t used_ = 0;
    std::uint64_t need_ = 0;
};

/// Fills room that was made before, and is known to be enough. Never fails.
class RoomOutput {
public:
    explicit RoomOutput(std::byte* to) noexcept : begin_(to), at_(to) {}
    std::byte* claim(std::size_t n) noexcept { return std::exchange(at_, at_ + n); }
    std::byte* room(std::size_t) noexcept {
        if (!at_)
            std::unreachable();
        return at_;
    }
    void use(std::size_t n) noexcept { at_ += n; }
    std::size_t left() const noexcept { return 0; }  // it does not know
    Errc error() const noexcept { return Errc::ok; }
    std::uint64_t need() const noexcept { return 0; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
    void patch(std::size_t at, std::uint32_t word) noexcept { detail::store(begin_ + at, word); }

private:
    std::byte* begin_;
    std::byte* at_;
};

/// Stores nothing, counts everything.
class CountOutput {
public:
    std::byte* claim(std::size_t n) noexcept {
        size_ += n;
        return nullptr;
    }
    Errc error() const noexcept { return Errc::ok; }
    std::uint64_t need() const noexcept { return 0; }
    std::size_t size() const noexcept { return size_; }
    void patch(std::size_t, std::uint32_t) noexcept {}

private:
    std::size_t size_ = 0;
};

/// Counts faster: what is written many to a room is stored in one that is used again and again,
/// which costs less than asking each time whether to store.
class ScratchOutput : public CountOutput {
public:
    std::byte* room(std::size_t most) noexcept {
        return most <= sizeof scratch_ ? scratch_ : nullptr;
    }
    void use(std::size_t n) noexcept { (void)claim(n); }
    std::size_t left() const noexcept { return sizeof scratch_; }

private:
    std::byte scratch_[2048];
};

}  // namespace gdvar
