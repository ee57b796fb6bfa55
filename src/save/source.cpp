#include "gdvar/save/source.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace gdvar {

std::expected<std::size_t, Error> MemorySource::read(std::span<std::byte> to) {
    const std::size_t n = std::min(to.size(), rest_.size());
    if (n) std::memcpy(to.data(), rest_.data(), n);
    rest_ = rest_.subspan(n);
    return n;
}

std::expected<FileSource, Error> FileSource::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return std::unexpected(
            Error{Errc::io, Type::nil, 0, static_cast<std::uint64_t>(errno)});
    return FileSource(descriptor, true);
}

FileSource::FileSource(FileSource&& other) noexcept
    : descriptor_(other.descriptor_), owned_(std::exchange(other.owned_, false)) {}

FileSource::~FileSource() {
    if (owned_) ::close(descriptor_);
}

std::expected<std::size_t, Error> FileSource::read(std::span<std::byte> to) {
    for (;;) {
        const ssize_t n = ::read(descriptor_, to.data(), to.size());
        if (n >= 0) return static_cast<std::size_t>(n);
        if (errno != EINTR)
            return std::unexpected(
                Error{Errc::io, Type::nil, 0, static_cast<std::uint64_t>(errno)});
    }
}

}  // namespace gdvar
