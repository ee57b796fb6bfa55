// Godot's SortArray: an introsort whose every step decides the result if the comparison is not a
// strict weak order (wire-format 6.1).
#pragma once

#include <cstdint>
#include <utility>

namespace gdvar::detail {

template <class T, class Less>
class SortArray {
public:
    SortArray(T* items, Less less) : a_(items), less_(less) {}

    void sort(std::int64_t count) {
        if (count <= 0)
            return;
        introsort(0, count, bit_log(count) * 2);
        if (count <= threshold)
            return insertion_sort(0, count);
        insertion_sort(0, threshold);
        for (std::int64_t i = threshold; i != count; ++i)
            insert_unguarded(i, a_[i]);
    }

private:
    static constexpr std::int64_t threshold = 16;

    static std::int64_t bit_log(std::int64_t n) {
        std::int64_t k = 0;
        for (; n != 1; n >>= 1)
            ++k;
        return k;
    }

    // NOLINTBEGIN(bugprone-return-const-ref-from-parameter): all three are elements of what is
    // sorted
    const T& median(const T& a, const T& b, const T& c) {
        if (less_(a, b)) {
            if (less_(b, c))
                return b;
            return less_(a, c) ? c : a;
        }
        if (less_(a, c))
            return a;
        return less_(b, c) ? c : b;
    }
    // NOLINTEND(bugprone-return-const-ref-from-parameter)

    // The scans stop at the ends, as the engine's do if the comparison is inconsistent.
    std::int64_t partition(std::int64_t first, std::int64_t last, const T pivot) {
        const std::int64_t low = first, high = last;
        for (;;) {
            while (less_(a_[first], pivot)) {
                if (first == high - 1)
                    break;
                ++first;
            }
            --last;
            while (less_(pivot, a_[last])) {
                if (last == low)
                    break;
                --last;
            }
            if (!(first < last))
                return first;
            std::swap(a_[first], a_[last]);
            ++first;
        }
    }

    void introsort(std::int64_t first, std::int64_t last, std::int64_t depth) {
        while (last - first > threshold) {
            if (depth-- == 0)
                return heap_sort(first, last);
            const std::int64_t cut = partition(
                first, last, median(a_[first], a_[first + (last - first) / 2], a_[last - 1]));
            introsort(cut, last, depth);  // at most twice the logarithm of the count deep
            last = cut;
        }
    }

    void insert_unguarded(std::int64_t last, const T value) {
        std::int64_t next = last - 1;
        while (less_(value, a_[next])) {
            if (next == 0)
                break;
            a_[last] = a_[next];
            last = next--;
        }
        a_[last] = value;
    }

    void insertion_sort(std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first + 1; i < last; ++i) {
            const T value = a_[i];
            if (!less_(value, a_[first])) {
                insert_unguarded(i, value);
                continue;
            }
            for (std::int64_t j = i; j > first; --j)
                a_[j] = a_[j - 1];
            a_[first] = value;
        }
    }

    void push_heap(std::int64_t first, std::int64_t hole, std::int64_t top, const T value) {
        std::int64_t parent = (hole - 1) / 2;
        while (hole > top && less_(a_[first + parent], value)) {
            a_[first + hole] = a_[first + parent];
            hole = parent;
            parent = (hole - 1) / 2;
        }
        a_[first + hole] = value;
    }

    void adjust_heap(std::int64_t first, std::int64_t hole, std::int64_t count, const T value) {
        const std::int64_t top = hole;
        std::int64_t child = 2 * hole + 2;
        while (child < count) {
            if (less_(a_[first + child], a_[first + child - 1]))
                --child;
            a_[first + hole] = a_[first + child];
            hole = child;
            child = 2 * (child + 1);
        }
        if (child == count) {
            a_[first + hole] = a_[first + child - 1];
            hole = child - 1;
        }
        push_heap(first, hole, top, value);
    }

    void heap_sort(std::int64_t first, std::int64_t last) {
        const std::int64_t count = last - first;
        for (std::int64_t parent = (count - 2) / 2; parent >= 0; --parent)
            adjust_heap(first, parent, count, a_[first + parent]);
        while (last - first > 1) {
            --last;
            const T value = a_[last];
            a_[last] = a_[first];
            adjust_heap(first, 0, last - first, value);
        }
    }

    T* a_;
    Less less_;
};

}  // namespace gdvar::detail
