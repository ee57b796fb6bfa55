#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace gdvar::detail {

/// A stack whose entries do not move. Popped entries are kept, with their memory, for the next
/// push: nested containers allocate only once. May throw bad_alloc.
template <class T>
class KeptStack {
public:
    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    T& back() noexcept { return size_ == 1 ? first_ : *entries_[size_ - 2]; }
    const T& operator[](std::size_t i) const noexcept { return i ? *entries_[i - 1] : first_; }
    void pop_back() noexcept { --size_; }
    T& push() {
        if (size_ > entries_.size())
            entries_.push_back(std::make_unique<T>());
        ++size_;
        return back();
    }

private:
    T first_{};
    std::vector<std::unique_ptr<T>> entries_;  ///< all but the first
    std::size_t size_ = 0;
};

}  // namespace gdvar::detail
