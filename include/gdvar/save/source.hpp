// Where save data comes from: a file, standard input, or memory.
// Room: save.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include "gdvar/wire/bytes.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

/// A stream of bytes, read once from front to back.
class Source {
public:
    virtual ~Source() = default;
    /// Fills `to` from its start as far as there are bytes now; 0 means the end.
    /// Errors: io, with errno's value in `need`.
    virtual std::expected<std::size_t, Error> read(std::span<std::byte> to) = 0;
};

/// Bytes that the caller keeps.
class MemorySource final : public Source {
public:
    explicit MemorySource(ByteView bytes) noexcept : rest_(bytes) {}
    std::expected<std::size_t, Error> read(std::span<std::byte> to) override;

private:
    ByteView rest_;
};

/// A file, or any file descriptor.
class FileSource final : public Source {
public:
    /// Errors: io (`need` is errno's value).
    static std::expected<FileSource, Error> open(const std::string& path);
    /// Borrows the descriptor: it stays open.
    static FileSource borrow(int descriptor) noexcept { return FileSource(descriptor, false); }
    FileSource(FileSource&& other) noexcept;
    FileSource& operator=(FileSource&&) = delete;
    ~FileSource() override;
    std::expected<std::size_t, Error> read(std::span<std::byte> to) override;

private:
    FileSource(int descriptor, bool owned) noexcept : descriptor_(descriptor), owned_(owned) {}
    int descriptor_;
    bool owned_;
};

}  // namespace gdvar
