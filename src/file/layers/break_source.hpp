// The readable part of a damaged layer.
#pragma once

#include <memory>
#include <optional>

#include "gdvar/save/source.hpp"

namespace gdvar {

/// Ends where reading the layer fails because of its bytes, and remembers why. Other errors stay
/// errors.
class BreakSource final : public Source {
public:
    explicit BreakSource(std::unique_ptr<Source> layer,
                         std::optional<FileError> broken = std::nullopt) noexcept
        : layer_(std::move(layer)), broken_(broken) {}
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        return ended_ ? 0 : up_to_break(layer_->read(to));
    }
    bool can_rewind() const noexcept override { return layer_->can_rewind(); }
    std::expected<void, FileError> rewind() override {
        ended_ = false;
        return layer_->rewind();
    }
    std::optional<std::uint64_t> size() const override { return layer_->size(); }

    const std::optional<FileError>& broken() const noexcept { return broken_; }
    const Source& layer() const noexcept { return *layer_; }

private:
    std::expected<std::size_t, FileError> up_to_break(std::expected<std::size_t, FileError> got) {
        if (got)
            return got;
        const Errc code = got.error().code;
        if (code == Errc::io || code == Errc::no_memory || code == Errc::size_limit)
            return got;
        broken_ = got.error();
        ended_ = true;
        return 0;
    }

    std::unique_ptr<Source> layer_;
    std::optional<FileError> broken_;
    bool ended_ = false;
};

}  // namespace gdvar
