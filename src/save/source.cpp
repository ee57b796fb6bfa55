#include "gdvar/save/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "save/io.hpp"

namespace gdvar {

using save::refuse;
using save::refuse_io;

namespace save {

std::expected<std::size_t, FileError> read_full(Source& source, std::span<std::byte> to) {
    std::size_t filled = 0;
    while (filled < to.size()) {
        auto got = source.read(to.subspan(filled));
        if (!got)
            return got;
        if (*got == 0)
            break;
        filled += *got;
    }
    return filled;
}

std::expected<void, FileError> read_up_to(Source& source, std::uint64_t size,
                                          std::vector<std::byte>& to) try {
    std::size_t filled = 0;
    while (filled < size) {
        if (filled == to.size() || to.size() > size)
            to.resize(static_cast<std::size_t>(
                std::min<std::uint64_t>(size, std::max(step, filled * 2))));
        auto got = read_full(source, std::span(to).subspan(filled));
        if (!got)
            return std::unexpected(got.error());
        filled += *got;
        if (filled < to.size())
            break;
    }
    to.resize(filled);
    return {};
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace save

std::expected<std::uint64_t, FileError> Source::skip(std::uint64_t bytes) {
    std::byte passed[4096];
    std::uint64_t done = 0;
    while (done < bytes) {
        const auto wanted = std::min<std::uint64_t>(bytes - done, sizeof passed);
        auto got = read(std::span(passed).first(static_cast<std::size_t>(wanted)));
        if (!got)
            return std::unexpected(got.error());
        if (*got == 0)
            break;
        done += *got;
    }
    return done;
}

std::expected<void, FileError> Source::rewind() {
    return refuse_io(ESPIPE);
}

std::expected<std::size_t, FileError> MemorySource::read(std::span<std::byte> to) {
    const std::size_t n = std::min(to.size(), rest_.size());
    if (n)
        std::memcpy(to.data(), rest_.data(), n);
    rest_ = rest_.subspan(n);
    return n;
}

std::expected<std::uint64_t, FileError> MemorySource::skip(std::uint64_t bytes) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, rest_.size()));
    rest_ = rest_.subspan(n);
    return n;
}

std::expected<void, FileError> MemorySource::rewind() {
    rest_ = all_;
    return {};
}

std::expected<FileSource, FileError> FileSource::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return refuse_io();
    return FileSource(descriptor, true);
}

FileSource::FileSource(int descriptor, bool owned) noexcept
    : descriptor_(descriptor), owned_(owned) {
    struct stat info{};
    if (::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
        start_ = ::lseek(descriptor, 0, SEEK_CUR);
}

FileSource::FileSource(FileSource&& other) noexcept
    : descriptor_(other.descriptor_),
      owned_(std::exchange(other.owned_, false)),
      start_(other.start_) {}

FileSource::~FileSource() {
    if (owned_)
        ::close(descriptor_);
}

std::expected<std::size_t, FileError> FileSource::read(std::span<std::byte> to) {
    for (;;) {
        const ssize_t n = ::read(descriptor_, to.data(), to.size());
        if (n >= 0)
            return static_cast<std::size_t>(n);
        if (errno != EINTR)
            return refuse_io();
    }
}

std::expected<std::uint64_t, FileError> FileSource::skip(std::uint64_t bytes) {
    if (!can_rewind() || bytes < save::step)
        return Source::skip(bytes);
    struct stat info{};
    const off_t here = ::lseek(descriptor_, 0, SEEK_CUR);
    if (here < 0 || ::fstat(descriptor_, &info) != 0)
        return refuse_io();
    // Seeking past the end would succeed and hide that bytes are missing.
    const auto left = static_cast<std::uint64_t>(std::max<off_t>(0, info.st_size - here));
    const std::uint64_t passed = std::min(bytes, left);
    if (::lseek(descriptor_, static_cast<off_t>(passed), SEEK_CUR) < 0)
        return refuse_io();
    return passed;
}

std::expected<void, FileError> FileSource::rewind() {
    if (!can_rewind())
        return refuse_io(ESPIPE);
    if (::lseek(descriptor_, start_, SEEK_SET) < 0)
        return refuse_io();
    return {};
}

std::optional<std::uint64_t> FileSource::size() const {
    struct stat info{};
    if (!can_rewind() || ::fstat(descriptor_, &info) != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, info.st_size - start_));
}

std::expected<std::vector<std::byte>, FileError> read_all(Source& source, std::uint64_t max_bytes) {
    std::vector<std::byte> all;
    if (auto read = save::read_up_to(source, max_bytes, all); !read)
        return std::unexpected(read.error());
    if (all.size() < max_bytes)
        return all;
    std::byte more;
    auto got = source.read(std::span(&more, 1));
    if (!got)
        return std::unexpected(got.error());
    if (*got)
        return refuse(Errc::size_limit, max_bytes);
    return all;
}

}  // namespace gdvar
