// OutlineGuard: a parser that fails leaves an Outline as it was.
// Room: value.
#pragma once

#include "gdvar/value/outline.hpp"

namespace gdvar::detail {

/// Takes out again what was added to an outline, unless `keep` is called.
class OutlineGuard {
public:
    explicit OutlineGuard(Outline* outline) noexcept
        : outline_(outline), size_(outline ? outline->nodes.size() : 0) {}
    OutlineGuard(const OutlineGuard&) = delete;
    OutlineGuard& operator=(const OutlineGuard&) = delete;
    ~OutlineGuard() {
        if (outline_)
            outline_->nodes.resize(size_);  // never grows, so it does not throw
    }
    void keep() noexcept { outline_ = nullptr; }

private:
    Outline* outline_;
    std::size_t size_;
};

}  // namespace gdvar::detail
