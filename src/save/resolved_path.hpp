// ResolvedPath: the folder that a path leads to, held open, and the name in it.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "gdvar/save/atomic_file.hpp"
#include "save/io.hpp"

namespace gdvar::save {

/// A file descriptor that closes itself. Its number is never that of a standard stream: if those
/// are closed, the program's output would otherwise go into the save.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {
        if (number_ < 0 || number_ > STDERR_FILENO)
            return;
        number_ = ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        const int failed = errno;
        ::close(number);
        errno = failed;
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0)
            ::close(number_);
    }
    explicit operator bool() const noexcept { return number_ >= 0; }
    int get() const noexcept { return number_; }
    /// Closes it; returns the result of ::close.
    int close() noexcept { return ::close(release()); }
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

/// A path after its links were followed. Files are opened, renamed and removed by `name` in
/// `folder`, so nobody can change the folders or links of the path meanwhile.
struct ResolvedPath {
    Descriptor folder;
    std::string name;                 ///< holds no slash
    std::string path;                 ///< for messages and for the user
    std::optional<struct stat> info;  ///< nothing when there is no file yet

    std::string beside(const std::string& other) const;  ///< path of another name in the folder
    /// The state of the file now. Errors: io.
    std::expected<struct stat, FileError> look() const;
};

/// Follows the links at the end of `path`, as far as the kernel allows. In folders that anybody may
/// write, the kernel's rule for links (fs.protected_symlinks) applies, even where the kernel is not
/// set to enforce it. The last link may lead to a file that is not there yet. Errors: io (ELOOP,
/// EACCES, EISDIR, ENOENT for a folder, ESTALE if links change meanwhile, ...).
std::expected<ResolvedPath, FileError> resolve_path(const std::string& path);

/// Refuses anything but a regular file, and a file that may not be written: a rename would only
/// check the folder's permission. A name without a file is accepted. Errors: io (EISDIR, ENOTSUP,
/// EACCES, ...).
std::expected<void, FileError> can_be_replaced(const ResolvedPath& resolved);

/// Takes the lock of EditLock for the file. Errors: io (ENOENT, EWOULDBLOCK, ...).
std::expected<Descriptor, FileError> lock_file(const ResolvedPath& resolved,
                                               std::chrono::milliseconds wait);

inline FileStamp stamp_of(const struct stat& info) noexcept {
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
            static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

inline bool same_file(const struct stat& a, const struct stat& b) noexcept {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace gdvar::save
