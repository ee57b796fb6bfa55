#include "gdvar/save/atomic_file.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <new>
#include <utility>

#include "save/io.hpp"

namespace gdvar {
namespace {

using save::refuse;
using save::refuse_io;

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string in_folder(const std::string& folder, const std::string& name) {
    return folder == "/" ? folder + name : folder + '/' + name;
}

/// Where the links lead, whether something is there or not.
std::expected<std::string, Error> follow_links(std::string path) {
    for (int links = 0; links < 40; ++links) {
        struct stat info {};
        if (::lstat(path.c_str(), &info) != 0) {
            if (errno == ENOENT) return path;
            return refuse_io();
        }
        if (!S_ISLNK(info.st_mode)) return path;
        std::string target(4096, '\0');
        const ssize_t n = ::readlink(path.c_str(), target.data(), target.size());
        if (n < 0) return refuse_io();
        target.resize(static_cast<std::size_t>(n));
        path = target.starts_with('/') ? target : in_folder(folder_of(path), target);
    }
    return refuse_io(ELOOP);
}

FileStamp stamp_of(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
            static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

/// A name beside `path` that no other process or thread picks, and that looks like what it is.
std::string name_beside(const std::string& path) {
    static std::atomic<unsigned> count{0};
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::size_t slash = path.rfind('/');
    // A long name would not leave room for what is added to it.
    const std::string name =
        path.substr(slash == std::string::npos ? 0 : slash + 1).substr(0, 128);
    return in_folder(folder_of(path), '.' + name + ".gdvar-" + std::to_string(::getpid()) + '-' +
                                          std::to_string(now.tv_sec) + '-' +
                                          std::to_string(now.tv_nsec) + '-' +
                                          std::to_string(count++));
}

/// Writes a name's change through to the disk.
std::expected<void, Error> sync_folder(const std::string& path) {
    const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return refuse_io();
    const int failed = ::fsync(folder) != 0 ? errno : 0;
    ::close(folder);
    // Some file systems do not offer it; nothing more can be done there.
    if (failed && failed != EINVAL && failed != ENOTSUP) return refuse_io(failed);
    return {};
}

std::expected<void, Error> copy_file(const std::string& from, const std::string& to, mode_t mode) {
    auto source = FileSource::open(from);
    if (!source) return std::unexpected(source.error());
    const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (out < 0) return refuse_io();
    FileTarget target(out);
    auto copied = copy(*source, target);
    const int failed = ::fsync(out) != 0 ? errno : 0;
    ::close(out);
    if (!copied) return std::unexpected(copied.error());
    if (failed) return refuse_io(failed);
    return {};
}

}  // namespace

std::expected<FileStamp, Error> file_stamp(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return refuse_io();
    return stamp_of(info);
}

std::expected<AtomicFile, Error> AtomicFile::open(const std::string& path,
                                                  ReplaceOptions options) try {
    auto target = follow_links(path);
    if (!target) return std::unexpected(target.error());
    AtomicFile file;
    file.path_ = *std::move(target);
    file.options_ = std::move(options);
    if (auto begun = file.begin(); !begun) return std::unexpected(begun.error());
    return file;
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, Error> AtomicFile::begin() {
    struct stat info {};
    existed_ = ::stat(path_.c_str(), &info) == 0;
    if (!existed_ && errno != ENOENT) return refuse_io();
    if (existed_ && S_ISDIR(info.st_mode)) return refuse_io(EISDIR);
    if (existed_ && !S_ISREG(info.st_mode)) return refuse_io(ENOTSUP);
    // A rename asks only for the folder's permission; a file that may not be written stays.
    if (existed_ && ::access(path_.c_str(), W_OK) != 0) return refuse_io();
    temporary_ = std::make_unique<const std::string>(name_beside(path_));
    if (options_.announce) options_.announce(*temporary_);
    // Whoever could not read the old file may not read this one, not even for a moment.
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    descriptor_ = ::open(temporary_->c_str(), flags, existed_ ? 0600 : 0666);
    if (descriptor_ < 0) return refuse_io();
    if (!existed_) return {};
    // Another owner can be set by root alone. Where owner or group can't be kept, what was granted to
    // them is not granted to ours.
    mode_t mode = info.st_mode & 07777;
    if (::fchown(descriptor_, info.st_uid, info.st_gid) != 0) {
        mode &= 0777;
        if (::fchown(descriptor_, static_cast<uid_t>(-1), info.st_gid) != 0) mode &= ~mode_t{070};
    }
    if (::fchmod(descriptor_, mode) != 0) return refuse_io();
    return {};
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      options_(std::move(other.options_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      existed_(other.existed_),
      broken_(other.broken_) {}

AtomicFile::~AtomicFile() { give_up(); }

void AtomicFile::give_up() noexcept {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (!temporary_) return;
    ::unlink(temporary_->c_str());
    if (options_.announce) options_.announce({});
    temporary_.reset();
}

std::expected<void, Error> AtomicFile::write(ByteView bytes) {
    if (broken_) return std::unexpected(*broken_);
    if (descriptor_ < 0) return refuse_io(EBADF);
    auto written = save::write_full(descriptor_, bytes);
    if (!written) broken_ = written.error();
    return written;
}

std::expected<void, Error> AtomicFile::make_backup() {
    if (!existed_ || options_.backup.empty()) return {};
    struct stat info {};
    if (::stat(path_.c_str(), &info) != 0) return refuse_io();
    // A second name for the old file; where there are no hard links, a copy.
    const std::string name = name_beside(options_.backup);
    if (::link(path_.c_str(), name.c_str()) != 0)
        if (auto copied = copy_file(path_, name, info.st_mode & 0777); !copied) {
            ::unlink(name.c_str());
            return copied;
        }
    if (::rename(name.c_str(), options_.backup.c_str()) != 0) {
        const int failed = errno;
        ::unlink(name.c_str());
        return refuse_io(failed);
    }
    // Of two names for one file rename removes neither, as when the backup is already that file.
    ::unlink(name.c_str());
    return {};
}

std::expected<void, Error> AtomicFile::finish() {
    if (broken_) return std::unexpected(*broken_);
    if (descriptor_ < 0) return refuse_io(EBADF);
    if (::fsync(descriptor_) != 0) return refuse_io();
    if (::close(std::exchange(descriptor_, -1)) != 0) return refuse_io();
    if (options_.expected) {
        auto now = file_stamp(path_);
        if (!now) return std::unexpected(now.error());
        if (*now != *options_.expected) return refuse_io(ESTALE);
    }
    if (auto kept = make_backup(); !kept) return kept;
    if (::rename(temporary_->c_str(), path_.c_str()) != 0) return refuse_io();
    if (options_.announce) options_.announce({});
    temporary_.reset();
    return sync_folder(path_);
}

std::expected<void, Error> AtomicFile::commit() try {
    auto done = finish();
    give_up();
    if (!done) broken_ = done.error();
    return done;
} catch (const std::bad_alloc&) {
    give_up();
    return refuse(Errc::no_memory);
}

std::expected<void, Error> atomic_replace(const std::string& path, ByteView bytes,
                                          const ReplaceOptions& options) try {
    auto file = AtomicFile::open(path, options);
    if (!file) return std::unexpected(file.error());
    if (auto written = file->write(bytes); !written) return written;
    return file->commit();
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace gdvar
