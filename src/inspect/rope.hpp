// A row with insertion and removal at any place in log n.
#pragma once

#include <bit>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace gdvar::detail {

/// Chunks of a few hundred items, and a Fenwick tree of their sizes.
template <class T>
class Rope {
public:
    std::size_t size() const noexcept { return size_; }
    /// Call `index` after the last `append`, before any other function.
    void append(T item) {
        if (chunks_.empty() || chunks_.back().size() >= most / 2) {
            // The first chunk reserves nothing: many short rows would take a whole chunk each.
            const bool longer = !chunks_.empty();
            chunks_.emplace_back();
            if (longer)
                chunks_.back().reserve(most / 2);
        }
        chunks_.back().push_back(std::move(item));
        ++size_;
    }
    void index() {
        if (chunks_.empty())
            chunks_.emplace_back();
        sums_.assign(chunks_.size() + 1, 0);
        for (std::size_t i = 1; i < sums_.size(); ++i) {
            sums_[i] += chunks_[i - 1].size();
            if (const std::size_t above = i + (i & -i); above < sums_.size())
                sums_[above] += sums_[i];
        }
    }

    /// `i` below `size`.
    T& operator[](std::size_t i) {
        const Place at = locate(i);
        return chunks_[at.chunk][at.offset];
    }
    /// `i` up to `size`.
    void insert(std::size_t i, T item) {
        const Place at = locate(i);
        auto& chunk = chunks_[at.chunk];
        chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(at.offset), std::move(item));
        ++size_;
        if (chunk.size() >= most)
            split(at.chunk);
        else
            add(at.chunk, 1);
    }
    void erase(std::size_t i) {
        const Place at = locate(i);
        auto& chunk = chunks_[at.chunk];
        chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(at.offset));
        --size_;
        add(at.chunk, static_cast<std::size_t>(-1));
    }

    const std::vector<std::vector<T>>& chunks() const noexcept { return chunks_; }

private:
    static constexpr std::size_t most = 512;
    struct Place {
        std::size_t chunk, offset;
    };

    Place locate(std::size_t i) const noexcept {
        std::size_t chunk = 0;
        for (std::size_t step = std::bit_floor(sums_.size() - 1); step; step /= 2)
            if (chunk + step < sums_.size() && sums_[chunk + step] <= i) {
                chunk += step;
                i -= sums_[chunk];
            }
        // A place after the last item is the end of the last chunk.
        if (chunk == chunks_.size())
            return {chunk - 1, chunks_.back().size()};
        return {chunk, i};
    }
    void add(std::size_t chunk, std::size_t difference) noexcept {
        for (std::size_t i = chunk + 1; i < sums_.size(); i += i & -i)
            sums_[i] += difference;
    }
    void split(std::size_t i) {
        std::vector<T> rest(std::make_move_iterator(chunks_[i].begin() + most / 2),
                            std::make_move_iterator(chunks_[i].end()));
        chunks_[i].resize(most / 2);
        chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
        index();
    }

    std::vector<std::vector<T>> chunks_;
    std::vector<std::size_t> sums_;
    std::size_t size_ = 0;
};

}  // namespace gdvar::detail
