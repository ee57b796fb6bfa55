// Targets of bytes, and Spool, a temporary storage.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar GDVAR_EXPORT {

/// A stream of bytes, written from front to back.
class Target {
public:
    virtual ~Target() = default;
    /// Writes all of `bytes`. Errors: io, no_memory.
    [[nodiscard]] virtual std::expected<void, FileError> write(ByteView bytes) = 0;
};

/// Appends to a buffer that the caller keeps.
class MemoryTarget final : public Target {
public:
    explicit MemoryTarget(std::vector<std::byte>& to) noexcept : to_(to) {}
    [[nodiscard]] std::expected<void, FileError> write(ByteView bytes) override;

private:
    std::vector<std::byte>& to_;
};

/// Any file descriptor, borrowed: it stays open.
class FileTarget final : public Target {
public:
    explicit FileTarget(int descriptor) noexcept : descriptor_(descriptor) {}
    [[nodiscard]] std::expected<void, FileError> write(ByteView bytes) override;

private:
    int descriptor_;
};

/// Limits and place of a Spool.
struct SpoolOptions {
    std::uint64_t max_memory = 16u << 20;  ///< beyond it a temporary file is used
    std::uint64_t max_bytes = UINT64_MAX;
    /// The folder of the temporary file; "": the system's own (/tmp). The file has no name and is
    /// deleted with the spool.
    std::string folder{};
};

/// Temporary storage: bytes are written once and read repeatedly. With it a pipe can be read twice,
/// and a header be written after the bytes that follow it are known.
class Spool final : public Source, public Target {
public:
    explicit Spool(SpoolOptions options = {}) : options_(std::move(options)) {}
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool() override;
    /// Errors: io, no_memory, size_limit (`max_bytes`).
    [[nodiscard]] std::expected<void, FileError> write(ByteView bytes) override;
    [[nodiscard]] std::expected<std::size_t, FileError> read(std::span<std::byte> to) override;
    [[nodiscard]] std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override;
    bool can_rewind() const noexcept override { return true; }
    [[nodiscard]] std::expected<void, FileError> rewind() override;
    std::optional<std::uint64_t> size() const override { return stored_ + tail_.size(); }

private:
    [[nodiscard]] std::expected<void, FileError> flush();
    SpoolOptions options_;
    int descriptor_ = -1;
    std::uint64_t stored_ = 0;     ///< bytes in the file
    std::vector<std::byte> tail_;  ///< bytes after those
    std::uint64_t position_ = 0;   ///< of reading
};

/// Copies the rest of `from` to `to` and returns the number of bytes. Errors: those of both,
/// no_memory.
[[nodiscard]] std::expected<std::uint64_t, FileError> copy(Source& from, Target& to);

}  // namespace gdvar
