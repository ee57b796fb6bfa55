#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <new>
#include <thread>

#include "gdvar/save/atomic_file.hpp"
#include "save/resolved_path.hpp"

namespace gdvar {
namespace {

using save::Descriptor;
using save::refuse;
using save::refuse_io;
using save::ResolvedPath;

enum class Try : std::uint8_t { locked, held, replaced };

/// One attempt at the file that has the name now.
std::expected<Try, FileError> try_to_lock(const ResolvedPath& resolved, Descriptor& file,
                                          struct stat& info) {
    // On NFS an exclusive lock needs a file that is open for writing.
    file = Descriptor(::openat(resolved.folder.get(), resolved.name.c_str(),
                               O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file || ::fstat(file.get(), &info) != 0)
        return refuse_io();
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return Try::held;
        if (errno == EINTR)
            return Try::replaced;
        // These errors mean a file system without locks; the file is then taken without one.
        if (errno != ENOLCK && errno != ENOTSUP && errno != ENOSYS && errno != EINVAL)
            return refuse_io();
    }
    // The last holder may have put another file under this name since the file was opened.
    auto now = resolved.look();
    if (!now)
        return std::unexpected(now.error());
    if (!save::same_file(*now, info))
        return Try::replaced;
    if (::fstat(file.get(), &info) != 0)
        return refuse_io();
    return Try::locked;
}

/// `look()` resolves the path again for each attempt.
template <class Look>
std::expected<Descriptor, FileError> lock(Look&& look, std::chrono::milliseconds wait,
                                          struct stat& info) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + wait;
    auto pause = std::chrono::milliseconds(1);
    for (;;) {
        const std::expected<const ResolvedPath*, FileError> resolved = look();
        if (!resolved)
            return std::unexpected(resolved.error());
        Descriptor file;
        auto tried = try_to_lock(**resolved, file, info);
        if (!tried)
            return std::unexpected(tried.error());
        if (*tried == Try::locked)
            return file;
        if (Clock::now() >= deadline)
            return refuse_io(EWOULDBLOCK);
        if (*tried == Try::replaced)
            continue;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(32));
    }
}

}  // namespace

namespace save {

std::expected<Descriptor, FileError> lock_file(const ResolvedPath& resolved,
                                               std::chrono::milliseconds wait) {
    struct stat info{};
    return lock([&] { return std::expected<const ResolvedPath*, FileError>(&resolved); }, wait,
                info);
}

}  // namespace save

std::expected<EditLock, FileError> EditLock::take(const std::string& path,
                                                  std::chrono::milliseconds wait) try {
    struct stat info{};
    ResolvedPath resolved;
    const auto look = [&]() -> std::expected<const ResolvedPath*, FileError> {
        auto found = save::resolve_path(path);
        if (!found)
            return std::unexpected(found.error());
        resolved = *std::move(found);
        if (!resolved.info)
            return refuse_io(ENOENT);
        if (auto fit = save::can_be_replaced(resolved); !fit)
            return std::unexpected(fit.error());
        return &resolved;
    };
    auto file = lock(look, wait, info);
    if (!file)
        return std::unexpected(file.error());
    return EditLock(file->release(), save::stamp_of(info));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

EditLock::EditLock(EditLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), stamp_(other.stamp_) {}

EditLock& EditLock::operator=(EditLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(stamp_, other.stamp_);
    return *this;
}

EditLock::~EditLock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

}  // namespace gdvar
