#include "gdvar/save/source.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
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

std::expected<void, FileError> go_to(Source& source, std::uint64_t at) {
    if (auto back = source.rewind(); !back)
        return back;
    auto passed = source.skip(at);
    if (!passed)
        return std::unexpected(passed.error());
    if (*passed < at)
        return refuse(Errc::truncated, *passed, at - *passed);
    return {};
}

std::expected<std::uint64_t, FileError> size_from(Source& source, std::uint64_t at) {
    if (const auto all = source.size())
        return *all - std::min(*all, at);
    if (auto there = go_to(source, at); !there)
        return std::unexpected(there.error());
    return source.skip(UINT64_MAX);
}

std::expected<void, FileError> read_up_to(Source& source, std::uint64_t size,
                                          std::vector<std::byte>& to) GDVAR_TRY {
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
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace save

std::expected<std::uint64_t, FileError> Source::skip(std::uint64_t bytes) {
    std::byte passed[4096];
    std::uint64_t done = 0;
    while (done < bytes) {
        const auto part = std::min<std::uint64_t>(bytes - done, sizeof passed);
        auto got = read(std::span(passed).first(static_cast<std::size_t>(part)));
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
    const auto descriptor = platform::open_to_read(path);
    if (!descriptor)
        return refuse_io(descriptor.error());
    return FileSource(*descriptor, true);
}

FileSource::FileSource(int descriptor, bool owned) noexcept
    : descriptor_(descriptor), owned_(owned) {
    const auto info = platform::info_of(descriptor);
    if (info && info->kind == platform::FileKind::regular)
        start_ = platform::position(descriptor).value_or(-1);
}

FileSource::FileSource(FileSource&& other) noexcept
    : descriptor_(other.descriptor_),
      owned_(std::exchange(other.owned_, false)),
      start_(other.start_) {}

FileSource::~FileSource() {
    if (owned_)
        platform::close(descriptor_);
}

std::expected<std::size_t, FileError> FileSource::read(std::span<std::byte> to) {
    return save::or_io(platform::read(descriptor_, to));
}

namespace {
platform::Result<std::uint64_t> bytes_behind(int descriptor, std::int64_t position) {
    const auto info = platform::info_of(descriptor);
    if (!info)
        return std::unexpected(info.error());
    const auto start = static_cast<std::uint64_t>(position);
    return info->size > start ? info->size - start : 0;
}
}  // namespace

std::expected<std::uint64_t, FileError> FileSource::skip(std::uint64_t bytes) {
    if (!can_rewind() || bytes < save::step)
        return Source::skip(bytes);
    const auto here = platform::position(descriptor_);
    if (!here)
        return refuse_io(here.error());
    const auto left = bytes_behind(descriptor_, *here);
    if (!left)
        return refuse_io(left.error());
    // Seeking past the end would succeed and hide missing bytes.
    const std::uint64_t passed = std::min(bytes, *left);
    if (auto moved = platform::advance(descriptor_, static_cast<std::int64_t>(passed)); !moved)
        return refuse_io(moved.error());
    return passed;
}

std::expected<void, FileError> FileSource::rewind() {
    if (!can_rewind())
        return refuse_io(ESPIPE);
    return save::or_io(platform::set_position(descriptor_, start_));
}

std::optional<std::uint64_t> FileSource::size() const {
    if (!can_rewind())
        return std::nullopt;
    const auto size = bytes_behind(descriptor_, start_);
    return size ? std::optional(*size) : std::nullopt;
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
