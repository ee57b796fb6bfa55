// Sources of bytes: files, standard input, memory, and a program's own classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/save/file_error.hpp"

namespace gdvar GDVAR_EXPORT {

/// A stream of bytes, read from front to back. Some sources can rewind.
class Source {
public:
    virtual ~Source() = default;
    /// Reads up to `to.size()` bytes into `to` and returns their number. 0 means the end, or that
    /// `to` is empty. Errors: io.
    [[nodiscard]] virtual std::expected<std::size_t, FileError> read(std::span<std::byte> to) = 0;
    /// Skips bytes and returns their number; fewer only at the end. Errors: as read.
    [[nodiscard]] virtual std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes);
    /// True if `rewind` works: not for pipes and terminals.
    virtual bool can_rewind() const noexcept { return false; }
    /// Returns to the position at which the source was made. Errors: io (ESPIPE if it can't).
    [[nodiscard]] virtual std::expected<void, FileError> rewind();
    /// The number of bytes from that position to the end, if known without reading.
    virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
};

/// Bytes that the caller keeps.
class MemorySource : public Source {
public:
    explicit MemorySource(ByteView bytes) noexcept : all_(bytes), rest_(bytes) {}
    [[nodiscard]] std::expected<std::size_t, FileError> read(std::span<std::byte> to) override;
    [[nodiscard]] std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override;
    bool can_rewind() const noexcept override { return true; }
    [[nodiscard]] std::expected<void, FileError> rewind() override;
    std::optional<std::uint64_t> size() const override { return all_.size(); }

protected:
    /// Reads other bytes, from their start.
    void show(ByteView bytes) noexcept { all_ = rest_ = bytes; }

private:
    ByteView all_, rest_;
};

/// Bytes owned by the source.
class OwnedSource final : public MemorySource {
public:
    explicit OwnedSource(std::vector<std::byte> bytes) noexcept
        : MemorySource({}), bytes_(std::move(bytes)) {
        show(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
};

/// A file, or any file descriptor.
class FileSource final : public Source {
public:
    /// Errors: io.
    [[nodiscard]] static std::expected<FileSource, FileError> open(const std::string& path);
    /// Borrows the descriptor: it stays open. 0 is standard input.
    static FileSource borrow(int descriptor) noexcept { return FileSource(descriptor, false); }
    FileSource(FileSource&& other) noexcept;
    FileSource& operator=(FileSource&&) = delete;
    ~FileSource() override;
    [[nodiscard]] std::expected<std::size_t, FileError> read(std::span<std::byte> to) override;
    [[nodiscard]] std::expected<std::uint64_t, FileError> skip(std::uint64_t bytes) override;
    bool can_rewind() const noexcept override { return start_ >= 0; }
    [[nodiscard]] std::expected<void, FileError> rewind() override;
    std::optional<std::uint64_t> size() const override;

private:
    FileSource(int descriptor, bool owned) noexcept;
    int descriptor_;
    bool owned_;
    std::int64_t start_ = -1;  ///< the first position in a regular file; else -1
};

/// Reads the rest of `source`. Memory: at most twice the bytes that have arrived. Errors: io,
/// no_memory, size_limit (more than `max_bytes`), and those of the source.
[[nodiscard]] std::expected<std::vector<std::byte>, FileError> read_all(
    Source& source, std::uint64_t max_bytes = UINT64_MAX);

}  // namespace gdvar
