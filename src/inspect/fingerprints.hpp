// Which values of a Document are the same as which of another one: a number for each, made in one pass.
// Room: inspect, private.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gdvar/value/document.hpp"

namespace gdvar::detail {

/// A number for each value, the same for identical ones (variant.hpp): SipHash under the process's key. Others can share
/// it by chance alone; still, what has equal numbers is looked at with `same`. Two bytes of memory for each of the
/// packet's.
class Fingerprints {
public:
    explicit Fingerprints(const View& root);
    std::uint64_t of(const View& view) const noexcept {
        return prints_[(view.offset() - base_) / 4];
    }

private:
    /// By offset: no two values begin in the same four bytes.
    std::vector<std::uint64_t> prints_;
    std::uint32_t base_;
};

std::uint64_t fingerprint(std::string_view text) noexcept;

/// Whether the two are identical, in whatever bytes. Iterative; time: linear.
bool same(const View& a, const View& b);
/// The same for what has no children, and for containers without their children.
bool same_node(const View& a, const View& b);

}  // namespace gdvar::detail
