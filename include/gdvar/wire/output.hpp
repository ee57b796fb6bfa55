// Outputs for encoded bytes: a growing buffer, a fixed span, or a counter.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar GDVAR_EXPORT {

/// The output of an Encoder.
///
/// `claim(n)` returns the next `n` bytes to fill; null: there are none (`error`, `need`), or they
/// are only counted (`error` is ok). `reserve(most)` ensures `most` bytes of headroom and returns
/// the first, of which `use(n)` takes the filled ones; null: there are none to write to. If
/// `grows`, memory has then run out; else the caller tries `claim`, which may need less. `headroom`
/// is the number of bytes that can be reserved without growing. `size` counts the written bytes,
/// and `patch` changes a word of them.
template <class T>
concept Output = requires(T& to, const T& written, std::size_t n, std::uint32_t word) {
    { to.claim(n) } -> std::same_as<std::byte*>;
    { to.reserve(n) } -> std::same_as<std::byte*>;
    to.use(n);
    to.patch(n, word);
    { written.headroom() } -> std::same_as<std::size_t>;
    { written.error() } -> std::same_as<Errc>;
    { written.need() } -> std::same_as<std::uint64_t>;
    { written.size() } -> std::same_as<std::size_t>;
    { T::grows } -> std::convertible_to<bool>;
};

/// Appends to a PackedByteArray that it borrows. Errors: no_memory.
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
        return std::exchange(at_, at_ + n);
    }
    static constexpr bool grows = true;
    std::byte* reserve(std::size_t most) noexcept {
        return static_cast<std::size_t>(end_ - at_) >= most || grow(most) ? at_ : nullptr;
    }
    void use(std::size_t n) noexcept { at_ += n; }
    std::size_t headroom() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    /// Sets a function that returns the whole size, called when a large claim exceeds the capacity.
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
    /// The bytes written through this output; valid until the next `claim`.
    ByteView written() const noexcept { return {begin_ + first_, size()}; }
    /// Adds the written bytes to the buffer; the destructor does it, too.
    void flush() noexcept { to_.set_size(static_cast<std::size_t>(at_ - begin_)); }

private:
    std::byte* bytes() noexcept { return reinterpret_cast<std::byte*>(to_.data()); }
    [[gnu::noinline]] bool grow(std::size_t n) noexcept {
        const std::size_t used = static_cast<std::size_t>(at_ - begin_);
        flush();
        // Grows fourfold for small sizes: each doubled buffer is as large as all before it
        // together, so malloc would return them to the system and request them again for the next
        // packet.
        const std::size_t had = to_.capacity() + 16, times = had < 4096 || had >= largest ? 2 : 4;
        std::size_t wanted = std::max<std::size_t>(std::max(used + n, times * had - 16), 240);
        if (n >= large && whole_size_)
            wanted = std::max(used + n, first_ + whole_size_(of_) + for_reserves);
        if (!to_.try_reserve(wanted))
            return false;
        begin_ = bytes();
        at_ = begin_ + used;
        end_ = begin_ + to_.capacity();
        return true;
    }
    static constexpr std::size_t large = 32768, largest = 1 << 20;
    /// A reservation is for the most that may come, often much less: this size suffices.
    static constexpr std::size_t for_reserves = 4096;
    PackedByteArray& to_;
    std::size_t (*whole_size_)(const void*) = nullptr;
    const void* of_ = nullptr;
    std::size_t first_;
    std::byte* begin_;
    std::byte* at_;
    std::byte* end_;
};

namespace detail {
/// Shrinks a buffer that is kept: it may have grown to four times its size.
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
        return to_.data() + std::exchange(used_, used_ + n);
    }
    static constexpr bool grows = false;
    std::byte* reserve(std::size_t most) noexcept {
        return to_.size() - used_ >= most ? to_.data() + used_ : nullptr;
    }
    void use(std::size_t n) noexcept { used_ += n; }
    std::size_t headroom() const noexcept { return to_.size() - used_; }
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

/// Fills bytes that were reserved before and are known to suffice. Never fails.
class ReservedOutput {
public:
    explicit ReservedOutput(std::byte* to) noexcept : begin_(to), at_(to) {}
    std::byte* claim(std::size_t n) noexcept { return std::exchange(at_, at_ + n); }
    static constexpr bool grows = false;
    std::byte* reserve(std::size_t) noexcept {
        if (!at_)
            std::unreachable();
        return at_;
    }
    void use(std::size_t n) noexcept { at_ += n; }
    std::size_t headroom() const noexcept { return 0; }  // unknown
    Errc error() const noexcept { return Errc::ok; }
    std::uint64_t need() const noexcept { return 0; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
    void patch(std::size_t at, std::uint32_t word) noexcept { detail::store(begin_ + at, word); }

private:
    std::byte* begin_;
    std::byte* at_;
};

/// The same for bytes that are written again in another way if a value is refused: the refusal
/// needs no reason then, and the Encoder stays in registers.
class RetriedOutput : public ReservedOutput {
public:
    using ReservedOutput::ReservedOutput;
    static constexpr bool retried = true;
};

/// Stores nothing, counts everything.
class CountOutput {
public:
    std::byte* claim(std::size_t n) noexcept {
        size_ += n;
        return nullptr;
    }
    static constexpr bool grows = false;
    std::byte* reserve(std::size_t) noexcept { return nullptr; }
    void use(std::size_t n) noexcept { size_ += n; }
    std::size_t headroom() const noexcept { return 0; }
    Errc error() const noexcept { return Errc::ok; }
    std::uint64_t need() const noexcept { return 0; }
    std::size_t size() const noexcept { return size_; }
    void patch(std::size_t, std::uint32_t) noexcept {}

private:
    std::size_t size_ = 0;
};

/// Counts faster: reserved bytes are written to a buffer that is used repeatedly, which costs less
/// than checking each time whether to store.
class ScratchOutput : public CountOutput {
public:
    std::byte* reserve(std::size_t most) noexcept {
        return most <= sizeof scratch_ ? scratch_ : nullptr;
    }
    std::size_t headroom() const noexcept { return sizeof scratch_; }

private:
    std::byte scratch_[2048];
};

}  // namespace gdvar
