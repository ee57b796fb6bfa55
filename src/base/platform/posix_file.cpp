#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/platform/file.hpp"
#include "base/platform/info.hpp"
#include "base/platform/terminal.hpp"
#ifdef __wasi__
#include "base/platform/wasi.hpp"
#endif

namespace gdvar::platform {

Descriptor::Descriptor(int number) noexcept : number_(number) {
    if (number_ < 0 || number_ > STDERR_FILENO)
        return;
#ifdef F_DUPFD_CLOEXEC  // not in WASI, whose hosts open the standard streams themselves
    number_ = ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int failed = errno;
    ::close(number);
    errno = failed;
#endif
}

Descriptor::~Descriptor() {
    if (number_ >= 0)
        ::close(number_);
}

Result<void> Descriptor::close() noexcept {
    return done(::close(release()));
}

FileInfo info_of(const struct stat& found) noexcept {
#ifdef __APPLE__
    const timespec& changed = found.st_mtimespec;
#else
    const timespec& changed = found.st_mtim;
#endif
    return {S_ISREG(found.st_mode)    ? FileKind::regular
            : S_ISDIR(found.st_mode)  ? FileKind::folder
            : S_ISLNK(found.st_mode)  ? FileKind::link
            : S_ISSOCK(found.st_mode) ? FileKind::socket
                                      : FileKind::other,
            static_cast<std::uint64_t>(found.st_dev),
            static_cast<std::uint64_t>(found.st_ino),
            static_cast<std::uint64_t>(found.st_size),
            changed.tv_sec,
            changed.tv_nsec,
            found.st_uid == ::geteuid(),
            (found.st_mode & 077) == 0};
}

Result<FileInfo> info_of(const std::string& path) {
    struct stat found{};
    if (::stat(path.c_str(), &found) != 0)
        return refuse_last();
    return info_of(found);
}

Result<FileInfo> info_of(int descriptor) {
    struct stat found{};
    if (::fstat(descriptor, &found) != 0)
        return refuse_last();
    FileInfo info = info_of(found);
#ifdef __wasi__
    info.owner_only = (gdvar_permissions(descriptor) & 077) == 0;
#endif
    return info;
}

Result<FileInfo> info_of_name(const std::string& path) {
    struct stat found{};
    if (::lstat(path.c_str(), &found) != 0)
        return refuse_last();
    return info_of(found);
}

void remove_name(const std::string& path) noexcept {
    ::unlink(path.c_str());
}

Result<void> may_write(const std::string& path) {
    const auto found = info_of(path);
    if (!found)
        return std::unexpected(found.error());
#ifdef __wasi__  // whose access knows no permissions
    if (found->kind == FileKind::regular) {
        const auto file = open_to_write(path);
        if (!file)
            return std::unexpected(file.error());
        close(*file);
    }
    return {};
#else
    return done(::access(path.c_str(), found->kind == FileKind::folder ? W_OK | X_OK : W_OK));
#endif
}

namespace {

Result<int> or_refused(int descriptor) {
    if (descriptor < 0)
        return refuse_last();
    return descriptor;
}

}  // namespace

Result<int> open_to_read(const std::string& path) {
#ifdef __wasi__  // which reports a bad descriptor when a folder is read
    if (const auto found = info_of(path); found && found->kind == FileKind::folder)
        return refuse(EISDIR);
#endif
    return or_refused(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

Result<int> open_to_write(const std::string& path) {
    return or_refused(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
}

Result<Descriptor> make_private(const std::string& path) {
    Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file)
        return refuse_last();
    return file;
}

Result<int> make_nameless(const std::string& folder) {
    if (folder.empty())
        return make_nameless("/tmp");
#ifdef O_TMPFILE
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return descriptor;
#endif
    // Some file systems have no nameless files: the name is removed at once.
    std::string name = folder + "/.gdvar-XXXXXX";
    const int named = ::mkstemp(name.data());
    if (named < 0)
        return refuse_last();
    ::unlink(name.c_str());
    ::fcntl(named, F_SETFD, FD_CLOEXEC);
    return named;
}

void close(int descriptor) noexcept {
    ::close(descriptor);
}

namespace {

/// Calls again after a signal.
template <class Call>
Result<std::size_t> until_done(Call&& call) {
    for (;;) {
        const ssize_t n = call();
        if (n >= 0)
            return static_cast<std::size_t>(n);
        if (errno != EINTR)
            return refuse_last();
    }
}

}  // namespace

Result<std::size_t> read(int descriptor, std::span<std::byte> to) {
    return until_done([&] { return ::read(descriptor, to.data(), to.size()); });
}

Result<std::size_t> read_at(int descriptor, std::span<std::byte> to, std::uint64_t offset) {
    return until_done(
        [&] { return ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(offset)); });
}

Result<void> write_all(int descriptor, ByteView bytes) {
    while (!bytes.empty()) {
        const auto n = until_done([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
        if (!n)
            return std::unexpected(n.error());
        // A write of 0 bytes would be repeated forever.
        if (*n == 0)
            return refuse(EIO);
        bytes = bytes.subspan(*n);
    }
    return {};
}

Result<void> sync(int descriptor) {
#ifdef F_FULLFSYNC
    // Without this, macOS leaves the bytes in the disk's cache. Some of its file systems lack it.
    if (::fcntl(descriptor, F_FULLFSYNC) == 0)
        return {};
#endif
    return done(::fsync(descriptor));
}

Result<std::int64_t> position(int descriptor) {
    const off_t here = ::lseek(descriptor, 0, SEEK_CUR);
    if (here < 0)
        return refuse_last();
    return here;
}

Result<void> set_position(int descriptor, std::int64_t position) {
    return done(::lseek(descriptor, static_cast<off_t>(position), SEEK_SET) < 0);
}

Result<void> advance(int descriptor, std::int64_t bytes) {
    return done(::lseek(descriptor, static_cast<off_t>(bytes), SEEK_CUR) < 0);
}

Result<void> cut(int descriptor, std::uint64_t size) {
    return done(::ftruncate(descriptor, static_cast<off_t>(size)));
}

Result<LockResult> try_to_lock(int descriptor) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return LockResult::taken;
    if (errno == EWOULDBLOCK)
        return LockResult::held;
    if (errno == EINTR)
        return LockResult::interrupted;
    // These errors mean a file system without locks; the file is then taken without one.
    if (errno != ENOLCK && errno != ENOTSUP && errno != ENOSYS && errno != EINVAL)
        return refuse_last();
    return LockResult::taken;
}

bool is_terminal(int descriptor) noexcept {
    return ::isatty(descriptor) != 0;
}

bool names_terminal(const std::string& path) noexcept {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0 || !S_ISCHR(info.st_mode))
        return false;
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    return device && is_terminal(device.get());
}

bool hold_standard_files() noexcept {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(number, F_GETFD) < 0 && errno == EBADF &&
            ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number)
            return false;
    return true;
}

std::tm local_time(std::time_t time) noexcept {
    std::tm out{};
    ::localtime_r(&time, &out);
    return out;
}

}  // namespace gdvar::platform
