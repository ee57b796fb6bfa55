#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "gdvar/save/source.hpp"

namespace gdvar::save {

/// Bytes of `base` from `offset` on, preceded by a short text. Ends at its own end or that of
/// `base`. Borrows `base`, and must be rewound before it is read.
class RangeSource final : public Source {
public:
    RangeSource(Source& base, std::uint64_t offset, std::uint64_t size,
                std::string_view before = {}) noexcept
        : base_(base), before_(before), offset_(offset), all_(size) {}

    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        if (at_ < before_.size()) {
            const std::size_t n = std::min(to.size(), before_.size() - at_);
            if (n)
                std::memcpy(to.data(), before_.data() + at_, n);
            at_ += n;
            return n;
        }
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left_));
        auto got = base_.read(to.first(n));
        if (got)
            left_ -= *got;
        return got;
    }
    std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override {
        const std::uint64_t first = std::min<std::uint64_t>(bytes, before_.size() - at_);
        at_ += static_cast<std::size_t>(first);
        auto passed = base_.skip(std::min(bytes - first, left_));
        if (!passed)
            return passed;
        left_ -= *passed;
        return first + *passed;
    }
    bool can_rewind() const noexcept override { return base_.can_rewind(); }
    std::expected<void, FileError> rewind() override {
        if (auto back = base_.rewind(); !back)
            return back;
        auto there = base_.skip(offset_);
        if (!there)
            return std::unexpected(there.error());
        at_ = 0;
        left_ = *there < offset_ ? 0 : all_;
        return {};
    }
    std::optional<std::uint64_t> size() const override { return before_.size() + all_; }

private:
    Source& base_;
    std::string_view before_;
    std::uint64_t offset_, all_, left_ = 0;
    std::size_t at_ = 0;  ///< in `before_`
};

}  // namespace gdvar::save
