// A stack for walks without recursion.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// A stack of small trivially copyable entries: the first ones in place, more on the heap.
template <class Entry, std::size_t in_place>
class EntryStack {
public:
    EntryStack() = default;
    EntryStack(const EntryStack&) = delete;
    EntryStack& operator=(const EntryStack&) = delete;
    ~EntryStack() { ::operator delete(heap_); }

    bool push(const Entry& entry) noexcept {
        if (!reserve_one())
            return false;
        data_[size_++] = entry;
        return true;
    }
    /// After true the next `push` succeeds.
    bool reserve_one() noexcept { return size_ != capacity_ || grow(); }
    Entry pop() noexcept { return data_[--size_]; }
    Entry& top() noexcept { return data_[size_ - 1]; }
    const Entry& operator[](std::size_t i) const noexcept { return data_[i]; }
    Entry& operator[](std::size_t i) noexcept { return data_[i]; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    void clear() noexcept { size_ = 0; }

private:
    bool grow() noexcept {
        const std::size_t wanted = capacity_ + capacity_ / 2 + 8;
        auto* bigger = static_cast<Entry*>(::operator new(wanted * sizeof(Entry), std::nothrow));
        if (!bigger)
            return false;
        std::memcpy(static_cast<void*>(bigger), data_, size_ * sizeof(Entry));
        ::operator delete(heap_);
        heap_ = bigger;
        data_ = bigger;
        capacity_ = wanted;
        return true;
    }
    static_assert(std::is_trivially_copyable_v<Entry>);
    Entry first_[in_place];
    Entry* data_ = first_;
    void* heap_ = nullptr;
    std::size_t size_ = 0, capacity_ = in_place;
};

}  // namespace detail
}  // namespace gdvar
