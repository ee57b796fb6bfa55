#pragma once

#include "gdvar/value/outline.hpp"

namespace gdvar::detail {

/// Removes added nodes from an outline, unless `keep` is called.
class OutlineGuard {
public:
    explicit OutlineGuard(Outline* outline) noexcept
        : outline_(outline), size_(outline ? outline->nodes.size() : 0) {}
    OutlineGuard(const OutlineGuard&) = delete;
    OutlineGuard& operator=(const OutlineGuard&) = delete;
    ~OutlineGuard() {
        if (outline_)
            outline_->nodes.resize(size_);  // only shrinks, so it does not throw
    }
    void keep() noexcept { outline_ = nullptr; }

private:
    Outline* outline_;
    std::size_t size_;
};

}  // namespace gdvar::detail
