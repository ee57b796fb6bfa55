// Where save data goes to, and a spool to put it aside in.
// Room: save.
#pragma once

#include "gdvar/save/source.hpp"

namespace gdvar {

/// Takes bytes, front to back.
class Target {
public:
    virtual ~Target() = default;
    /// All of `bytes`, or an error. Errors: io, no_memory.
    [[nodiscard]] virtual std::expected<void, Error> write(ByteView bytes) = 0;
};

/// Appends to a buffer that the caller keeps.
class MemoryTarget final : public Target {
public:
    explicit MemoryTarget(std::vector<std::byte>& to) noexcept : to_(to) {}
    [[nodiscard]] std::expected<void, Error> write(ByteView bytes) override;

private:
    std::vector<std::byte>& to_;
};

/// Any file descriptor, borrowed: it stays open.
class FileTarget final : public Target {
public:
    explicit FileTarget(int descriptor) noexcept : descriptor_(descriptor) {}
    [[nodiscard]] std::expected<void, Error> write(ByteView bytes) override;

private:
    int descriptor_;
};

/// Where a Spool keeps its bytes, and how many.
struct SpoolOptions {
    std::uint64_t max_memory = 16u << 20;  ///< beyond it a temporary file is used
    std::uint64_t max_bytes = UINT64_MAX;
    /// Holds the temporary file, which has no name there and goes when the spool does.
    std::string folder = "/tmp";
};

/// Bytes put aside: written once, then read as often as wanted. Makes a pipe readable twice, and
/// holds what must follow something that is known only at the end.
class Spool final : public Source, public Target {
public:
    explicit Spool(SpoolOptions options = {}) : options_(std::move(options)) {}
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool() override;
    /// Errors: io, no_memory, size_limit (`max_bytes`).
    [[nodiscard]] std::expected<void, Error> write(ByteView bytes) override;
    [[nodiscard]] std::expected<std::size_t, Error> read(std::span<std::byte> to) override;
    [[nodiscard]] std::expected<std::uint64_t, Error> skip(std::uint64_t bytes) override;
    bool can_rewind() const noexcept override { return true; }
    [[nodiscard]] std::expected<void, Error> rewind() override;
    std::optional<std::uint64_t> size() const override { return stored_ + tail_.size(); }

private:
    [[nodiscard]] std::expected<void, Error> flush();
    SpoolOptions options_;
    int descriptor_ = -1;
    std::uint64_t stored_ = 0;     ///< bytes in the file
    std::vector<std::byte> tail_;  ///< bytes after those
    std::uint64_t position_ = 0;   ///< of reading
};

/// Moves all that is left of `from` to `to`; returns how much. Errors: those of both, no_memory.
[[nodiscard]] std::expected<std::uint64_t, Error> copy(Source& from, Target& to);

}  // namespace gdvar
