#include <algorithm>
#include <cerrno>
#include <new>

#include "base/exceptions.hpp"
#include "save/replacing.hpp"

namespace gdvar {
namespace {

using platform::Descriptor;
using platform::FileInfo;
using platform::LockResult;
using platform::ResolvedPath;
using save::refuse;
using save::refuse_io;

/// Tries once to lock the file that has the name now; `interrupted` if another file got it
/// meanwhile.
platform::Result<LockResult> try_to_lock(const ResolvedPath& resolved, Descriptor& file,
                                         FileInfo& info) {
    // On NFS an exclusive lock needs a file open for writing.
    auto opened = platform::open_file(resolved, platform::Access::read_and_write);
    if (!opened)
        return std::unexpected(opened.error());
    file = *std::move(opened);
    const auto locked = platform::try_to_lock(file.get());
    if (!locked || *locked != LockResult::taken)
        return locked;
    // The last holder may have put another file under this name since.
    const auto now = resolved.look();
    if (!now)
        return std::unexpected(now.error());
    const auto mine = platform::info_of(file.get());
    if (!mine)
        return std::unexpected(mine.error());
    info = *mine;
    return now->same_file(info) ? LockResult::taken : LockResult::interrupted;
}

/// `look()` resolves the path again for each attempt. `absence`: how long the name may be missing.
template <class Look>
std::expected<Descriptor, FileError> lock(Look&& look, std::chrono::milliseconds wait,
                                          std::chrono::milliseconds absence, FileInfo& info) {
    using Clock = std::chrono::steady_clock;
    auto seen = Clock::now();
    const auto deadline = seen + wait;
    auto pause = std::chrono::milliseconds(1);
    for (;;) {
        const platform::Result<const ResolvedPath*> resolved = look();
        Descriptor file;
        const auto tried = resolved
                               ? try_to_lock(**resolved, file, info)
                               : platform::Result<LockResult>(std::unexpected(resolved.error()));
        if (!tried && (tried.error().number != ENOENT || Clock::now() - seen >= absence))
            return refuse_io(tried.error());
        if (tried)
            seen = Clock::now();
        if (tried && *tried == LockResult::taken)
            return file;
        if (tried && seen >= deadline)
            return refuse_io(EAGAIN);
        if (tried && *tried == LockResult::interrupted)
            continue;
        // Some systems do not replace an open file.
        file = Descriptor();
        platform::sleep(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(32));
    }
}

}  // namespace

namespace save {

std::expected<Descriptor, FileError> lock_file(const ResolvedPath& resolved,
                                               std::chrono::milliseconds wait) {
    FileInfo info;
    return lock([&] { return platform::Result<const ResolvedPath*>(&resolved); }, wait,
                std::chrono::milliseconds(0), info);
}

}  // namespace save

std::expected<EditLock, FileError> EditLock::take(const std::string& path,
                                                  std::chrono::milliseconds wait) GDVAR_TRY {
    FileInfo info;
    ResolvedPath resolved;
    const auto look = [&]() -> platform::Result<const ResolvedPath*> {
        auto found = platform::resolve_path(path);
        if (!found)
            return std::unexpected(found.error());
        resolved = *std::move(found);
        if (!resolved.info)
            return platform::refuse(ENOENT);
        if (auto fit = platform::can_be_replaced(resolved); !fit)
            return std::unexpected(fit.error());
        return &resolved;
    };
    auto file = lock(look, wait, platform::longest_absence, info);
    if (!file)
        return std::unexpected(file.error());
    return EditLock(file->release(), save::stamp_of(info));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

EditLock::EditLock(EditLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), stamp_(other.stamp_) {}

EditLock& EditLock::operator=(EditLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(stamp_, other.stamp_);
    return *this;
}

EditLock::~EditLock() {
    if (descriptor_ >= 0)
        platform::close(descriptor_);
}

}  // namespace gdvar
