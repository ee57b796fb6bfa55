// Where two values differ, found from both ends of their bytes.
// Room: inspect, private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/outline.hpp"

namespace gdvar::detail {

/// Two rows of bytes: all before `begin` is the same in both, and all from the ends on.
struct Differing {
    std::size_t begin = 0, end = 0, other_end = 0;
    bool none() const noexcept { return begin == end && begin == other_end; }
};
/// Time: linear.
GDVAR_EXPORT Differing differing(ByteView a, ByteView b) noexcept;

/// Compares parts of two values by their places alone: true if both are outside of the bytes that
/// differ. False does not mean that they differ: equal parts may have other bytes or places.
class SameBytes {
public:
    SameBytes(const View& a, const View& b) noexcept
        : a_(a.offset()),
          b_(b.offset()),
          a_size_(a.raw().size()),
          b_size_(b.raw().size()),
          differ_(a.options().dialect == b.options().dialect ? differing(a.raw(), b.raw())
                                                             : Differing{0, a_size_, b_size_}) {}
    bool operator()(const View& a, const View& b) const noexcept {
        const std::size_t at = a.offset() - a_, other = b.offset() - b_;
        if (at >= differ_.end && other >= differ_.other_end)
            return a_size_ - at == b_size_ - other;
        return at == other && at + a.raw().size() <= differ_.begin;
    }
    /// Whether both are the same.
    bool all() const noexcept { return differ_.none(); }

private:
    std::size_t a_, b_, a_size_, b_size_;
    Differing differ_;
};

/// Whether another value could end there in the text: engines also read `a=1b=2`.
inline bool may_end_at(std::string_view text, std::size_t end) noexcept {
    return end == text.size() || static_cast<unsigned char>(text[end]) <= ' ' ||
           std::string_view(",;]})").contains(text[end]);
}

/// A value as it was and as it is, and its node in the outline.
struct Changed {
    View before, after;
    std::uint32_t node = 0;
};
/// The values around all that differs, from the whole inwards: each is the only child of the one
/// before it that has other bytes, and nothing comes, goes or gets another key. Ends where the
/// outline has no children. May throw bad_alloc. Time: linear.
GDVAR_EXPORT std::vector<Changed> changed_chain(const View& before, const View& after,
                                                const Outline& outline);

}  // namespace gdvar::detail
