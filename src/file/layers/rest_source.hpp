// A source from some place on, as a source.
#pragma once

#include <algorithm>

#include "gdvar/save/source.hpp"

namespace gdvar {

/// The rest of another source, which it borrows, behind some bytes.
class RestSource final : public Source {
public:
    RestSource(Source& base, std::uint64_t before) noexcept : base_(base), before_(before) {}
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        return base_.read(to);
    }
    std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override {
        return base_.skip(bytes);
    }
    bool can_rewind() const noexcept override { return base_.can_rewind(); }
    std::expected<void, FileError> rewind() override {
        if (auto back = base_.rewind(); !back)
            return back;
        auto passed = base_.skip(before_);
        return passed ? std::expected<void, FileError>() : std::unexpected(passed.error());
    }
    std::optional<std::uint64_t> size() const override {
        const auto all = base_.size();
        return all ? std::optional(*all - std::min(*all, before_)) : std::nullopt;
    }

private:
    Source& base_;
    std::uint64_t before_;
};

/// All of a source, from its start on, but its first bytes. Errors: those of `read_all`.
inline std::expected<std::vector<std::byte>, FileError> read_rest(Source& source,
                                                                  std::uint64_t before,
                                                                  std::uint64_t max_bytes) {
    RestSource rest(source, before);
    if (auto back = rest.rewind(); !back)
        return std::unexpected(back.error());
    return read_all(rest, max_bytes);
}

}  // namespace gdvar
