#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace gdvar::detail {

/// Elements in chunks of `per`. Growing leaves no old memory behind, so memory is that of the
/// elements; a vector that doubles takes three times as much. May throw bad_alloc.
template <class T, std::size_t per>
class Chunks {
public:
    std::size_t size() const noexcept { return size_; }
    T& operator[](std::size_t i) noexcept { return chunks_[i / per][i % per]; }
    const T& operator[](std::size_t i) const noexcept { return chunks_[i / per][i % per]; }
    T& back() noexcept { return (*this)[size_ - 1]; }

    void push_back(T value) {
        if (size_ == chunks_.size() * per)
            chunks_.push_back(std::make_unique<T[]>(per));
        (*this)[size_++] = std::move(value);
    }
    /// Removes all elements from `first` on. `use` gets each of them, in order. Chunks are freed on
    /// the way.
    template <class Use>
    void take_from(std::size_t first, Use&& use) {
        for (std::size_t i = first; i < size_; ++i) {
            use((*this)[i]);
            if (i % per == per - 1 && i >= first + per - 1)
                chunks_[i / per].reset();
        }
        size_ = first;
        const std::size_t kept = (first + per - 1) / per;
        // One spare chunk stays. Otherwise a caller that alternates at a chunk's edge would
        // allocate it again and again.
        chunks_.resize(kept < chunks_.size() && chunks_[kept] ? kept + 1 : kept);
    }

private:
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

}  // namespace gdvar::detail
