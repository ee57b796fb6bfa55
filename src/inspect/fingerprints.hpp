// Fingerprints of a Document's values, made in one pass: equal numbers for identical values.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gdvar/value/document.hpp"

namespace gdvar::detail {

/// A number for each value: SipHash under the process's key. Identical values (variant.hpp) have
/// the same number. Different values share one only by chance; callers check equal numbers with
/// `same`. Memory: two bytes for each byte of the packet.
class Fingerprints {
public:
    explicit Fingerprints(const View& root);
    std::uint64_t of(const View& view) const noexcept {
        return prints_[(view.offset() - base_) / 4];
    }

private:
    /// Indexed by offset / 4: no two values begin in the same four bytes.
    std::vector<std::uint64_t> prints_;
    std::uint32_t base_;
};

std::uint64_t fingerprint(std::string_view text) noexcept;

/// True if the two values are identical, in any encoding. Iterative. Time: linear.
bool same(const View& a, const View& b);
/// The same for values without children, and for containers apart from their children.
bool same_node(const View& a, const View& b);

}  // namespace gdvar::detail
