#include "gdvar/save/target.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "save/io.hpp"

namespace gdvar {

using save::refuse;
using save::refuse_io;

namespace save {

std::expected<void, FileError> write_full(int descriptor, ByteView bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR)
            return refuse_io();
        // A write of 0 bytes would be repeated for ever.
        if (n == 0)
            return refuse_io(EIO);
        if (n > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

namespace {

/// A file without a name.
int nameless_file(const std::string& folder) {
#ifdef O_TMPFILE
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return descriptor;
#endif
    // Some file systems have no files without names: the name is removed at once.
    std::string name = folder + "/.gdvar-XXXXXX";
    const int named = ::mkstemp(name.data());
    if (named >= 0) {
        ::unlink(name.c_str());
        ::fcntl(named, F_SETFD, FD_CLOEXEC);
    }
    return named;
}

constexpr std::size_t spool_buffer = 1 << 20;

}  // namespace
}  // namespace save

std::expected<void, FileError> MemoryTarget::write(ByteView bytes) try {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
} catch (const std::exception&) {
    return refuse(Errc::no_memory);
}

std::expected<void, FileError> FileTarget::write(ByteView bytes) {
    return save::write_full(descriptor_, bytes);
}

Spool::~Spool() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::expected<void, FileError> Spool::flush() {
    if (descriptor_ < 0) {
        descriptor_ = save::nameless_file(options_.folder);
        if (descriptor_ < 0)
            return refuse_io();
    }
    // Only `flush` uses the position of the descriptor. Reading uses pread.
    if (auto written = save::write_full(descriptor_, tail_); !written)
        return written;
    stored_ += tail_.size();
    tail_.clear();
    return {};
}

std::expected<void, FileError> Spool::write(ByteView bytes) try {
    if (bytes.size() > options_.max_bytes - *size())
        return refuse(Errc::size_limit, *size());
    tail_.insert(tail_.end(), bytes.begin(), bytes.end());
    const std::uint64_t most =
        descriptor_ < 0 ? options_.max_memory
                        : std::min<std::uint64_t>(options_.max_memory, save::spool_buffer);
    if (tail_.size() > most)
        return flush();
    return {};
} catch (const std::exception&) {
    return refuse(Errc::no_memory);
}

std::expected<std::size_t, FileError> Spool::read(std::span<std::byte> to) {
    if (position_ < stored_) {
        const auto wanted = std::min<std::uint64_t>(to.size(), stored_ - position_);
        for (;;) {
            const ssize_t n = ::pread(descriptor_, to.data(), static_cast<std::size_t>(wanted),
                                      static_cast<off_t>(position_));
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return refuse_io();
            position_ += static_cast<std::uint64_t>(n);
            return static_cast<std::size_t>(n);
        }
    }
    const std::size_t at = static_cast<std::size_t>(position_ - stored_);
    const std::size_t n = std::min(to.size(), tail_.size() - at);
    if (n)
        std::memcpy(to.data(), tail_.data() + at, n);
    position_ += n;
    return n;
}

std::expected<std::uint64_t, FileError> Spool::skip(std::uint64_t bytes) {
    const std::uint64_t passed = std::min(bytes, *size() - position_);
    position_ += passed;
    return passed;
}

std::expected<void, FileError> Spool::rewind() {
    position_ = 0;
    return {};
}

std::expected<std::uint64_t, FileError> copy(Source& from, Target& to) try {
    std::vector<std::byte> buffer(save::step);
    std::uint64_t copied = 0;
    for (;;) {
        auto got = from.read(buffer);
        if (!got)
            return std::unexpected(got.error());
        if (*got == 0)
            return copied;
        if (auto put = to.write(ByteView(buffer).first(*got)); !put)
            return std::unexpected(put.error());
        copied += *got;
    }
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace gdvar
