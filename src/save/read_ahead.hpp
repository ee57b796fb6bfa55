#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "save/io.hpp"

namespace gdvar::save {

/// Buffers another source, for many short reads and skips. An error may come before its byte in
/// `base`. Borrows `base`, and leaves it anywhere. May throw bad_alloc.
class ReadAhead final : public Source {
public:
    explicit ReadAhead(Source& base) : base_(base), held_(step) {}

    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        if (begin_ == end_) {
            auto got = base_.read(held_);
            if (!got)
                return got;
            begin_ = 0;
            end_ = *got;
        }
        const std::size_t n = std::min(to.size(), end_ - begin_);
        if (n)
            std::memcpy(to.data(), held_.data() + begin_, n);
        begin_ += n;
        return n;
    }
    std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override {
        const std::uint64_t held = std::min<std::uint64_t>(bytes, end_ - begin_);
        begin_ += static_cast<std::size_t>(held);
        // A long rest is skipped without reading; for a short one, reading also buffers what
        // follows.
        const std::uint64_t left = bytes - held;
        auto passed = left >= step ? base_.skip(left) : Source::skip(left);
        if (passed)
            *passed += held;
        return passed;
    }

private:
    Source& base_;
    std::vector<std::byte> held_;
    std::size_t begin_ = 0, end_ = 0;  ///< the unread part of `held_`
};

}  // namespace gdvar::save
