#include "gdvar/save/target.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "save/io.hpp"

namespace gdvar {

using save::refuse;
using save::refuse_io;

namespace {
constexpr std::size_t spool_buffer = 1 << 20;
}  // namespace

std::expected<void, FileError> MemoryTarget::write(ByteView bytes) GDVAR_TRY {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
}
GDVAR_CATCH_ALL(return refuse(Errc::no_memory))

std::expected<void, FileError> FileTarget::write(ByteView bytes) {
    return save::or_io(platform::write_all(descriptor_, bytes));
}

Spool::~Spool() {
    if (descriptor_ >= 0)
        platform::close(descriptor_);
}

std::expected<void, FileError> Spool::flush() {
    if (descriptor_ < 0) {
        const auto made = platform::make_nameless(options_.folder);
        if (!made)
            return refuse_io(made.error());
        descriptor_ = *made;
    }
    // Only flush writes at the descriptor's own position; reading passes its own.
    if (auto written = platform::write_all(descriptor_, tail_); !written)
        return refuse_io(written.error());
    stored_ += tail_.size();
    tail_.clear();
    return {};
}

std::expected<void, FileError> Spool::write(ByteView bytes) GDVAR_TRY {
    if (bytes.size() > options_.max_bytes - *size())
        return refuse(Errc::size_limit, *size());
    tail_.insert(tail_.end(), bytes.begin(), bytes.end());
    const std::uint64_t most = descriptor_ < 0
                                   ? options_.max_memory
                                   : std::min<std::uint64_t>(options_.max_memory, spool_buffer);
    if (tail_.size() > most)
        return flush();
    return {};
}
GDVAR_CATCH_ALL(return refuse(Errc::no_memory))

std::expected<std::size_t, FileError> Spool::read(std::span<std::byte> to) {
    if (position_ < stored_) {
        const auto part = std::min<std::uint64_t>(to.size(), stored_ - position_);
        const auto n =
            platform::read_at(descriptor_, to.first(static_cast<std::size_t>(part)), position_);
        if (!n)
            return refuse_io(n.error());
        position_ += *n;
        return *n;
    }
    const std::size_t at = static_cast<std::size_t>(position_ - stored_);
    const std::size_t n = std::min(to.size(), tail_.size() - at);
    if (n)
        std::memcpy(to.data(), tail_.data() + at, n);
    position_ += n;
    return n;
}

std::expected<std::uint64_t, FileError> Spool::skip(std::uint64_t bytes) {
    const std::uint64_t part = std::min(bytes, *size() - position_);
    position_ += part;
    return part;
}

std::expected<void, FileError> Spool::rewind() {
    position_ = 0;
    return {};
}

std::expected<std::uint64_t, FileError> copy(Source& from, Target& to) GDVAR_TRY {
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
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
