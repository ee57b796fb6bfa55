#include "gdvar/save/atomic_file.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <new>
#include <utility>

#include "save/attributes.hpp"
#include "save/resolved_path.hpp"

namespace gdvar {
namespace {

using save::Descriptor;
using save::refuse;
using save::refuse_io;
using save::ResolvedPath;

/// A name that no other process or thread picks. It shows that the file is a temporary file of
/// gdvar.
std::string name_beside(const std::string& name) {
    static std::atomic<unsigned> count{0};
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    // The length of a file name is limited, so a long name is cut.
    return '.' + name.substr(0, 128) + ".gdvar-" + std::to_string(::getpid()) + '-' +
           std::to_string(now.tv_sec) + '-' + std::to_string(now.tv_nsec) + '-' +
           std::to_string(count++);
}

/// Syncs the folder, so that a changed name is on the disk.
std::expected<void, FileError> sync_folder(const ResolvedPath& resolved) {
    const Descriptor folder(
        ::openat(resolved.folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A folder that may be written but not read cannot be synced.
    if (!folder)
        return errno == EACCES ? std::expected<void, FileError>() : refuse_io();
    // Some file systems do not offer it; nothing more can be done there.
    if (::fsync(folder.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
        return refuse_io();
    return {};
}

/// The mode must be narrow from the start: users who could not read the old file may not read this
/// one at any moment.
Descriptor new_file(const ResolvedPath& resolved, const std::string& name, mode_t mode) {
    return Descriptor(::openat(resolved.folder.get(), name.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
}

/// The old file, opened only to read its state.
Descriptor open_old(const ResolvedPath& resolved, int flags = O_RDONLY) {
    return Descriptor(::openat(resolved.folder.get(), resolved.name.c_str(),
                               flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

std::expected<void, FileError> copy_file(const ResolvedPath& from, const ResolvedPath& to,
                                         const std::string& name) {
    const Descriptor old = open_old(from);
    struct stat info{};
    if (!old || ::fstat(old.get(), &info) != 0)
        return refuse_io();
    Descriptor out = new_file(to, name, 0600);
    if (!out)
        return refuse_io();
    if (auto same = save::copy_attributes(old.get(), info, out.get()); !same)
        return same;
    FileSource source = FileSource::borrow(old.get());
    FileTarget target(out.get());
    if (auto copied = copy(source, target); !copied)
        return std::unexpected(copied.error());
    if (::fsync(out.get()) != 0 || out.close() != 0)
        return refuse_io();
    return {};
}

/// Keeps the file under another name as well.
std::expected<void, FileError> make_backup(const ResolvedPath& resolved,
                                           const ResolvedPath& backup) {
    // The backup is a second name of the old file, or a copy where hard links do not exist.
    const std::string name = name_beside(backup.name);
    const int folder = backup.folder.get();
    const auto remove = [&] { ::unlinkat(folder, name.c_str(), 0); };
    if (::linkat(resolved.folder.get(), resolved.name.c_str(), folder, name.c_str(), 0) != 0)
        if (auto copied = copy_file(resolved, backup, name); !copied) {
            remove();
            return copied;
        }
    const int failed = ::renameat(folder, name.c_str(), folder, backup.name.c_str()) ? errno : 0;
    // rename removes neither of two names of one file. That is the case when the backup is already
    // that file.
    remove();
    if (failed)
        return refuse_io(failed);
    return {};
}

/// Swaps two names in the folder. Errors: io, with EINVAL if the file system cannot do it.
std::expected<void, FileError> swap_names(const ResolvedPath& resolved, const std::string& other) {
#ifdef RENAME_EXCHANGE
    const int folder = resolved.folder.get();
    if (::renameat2(folder, other.c_str(), folder, resolved.name.c_str(), RENAME_EXCHANGE) == 0)
        return {};
    return refuse_io(errno == ENOSYS || errno == ENOTSUP ? EINVAL : errno);
#else
    (void)resolved, (void)other;
    return refuse_io(EINVAL);
#endif
}

/// The stamp of another file in the folder.
std::expected<FileStamp, FileError> stamp_beside(const ResolvedPath& resolved,
                                                 const std::string& name) {
    struct stat info{};
    if (::fstatat(resolved.folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
        return refuse_io();
    return save::stamp_of(info);
}

/// Resolves the folder only: the last name is replaced, even if it is a link.
std::expected<ResolvedPath, FileError> folder_and_name(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    ResolvedPath resolved;
    resolved.path = path;
    resolved.name = path.substr(slash + 1);
    const std::string folder = slash == path.npos ? "." : path.substr(0, slash ? slash : 1);
    if (resolved.name.empty())
        return refuse_io(EISDIR);
    resolved.folder = Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!resolved.folder)
        return refuse_io();
    return resolved;
}

bool same_name(const ResolvedPath& a, const ResolvedPath& b) {
    struct stat one{}, other{};
    return a.name == b.name && ::fstat(a.folder.get(), &one) == 0 &&
           ::fstat(b.folder.get(), &other) == 0 && save::same_file(one, other);
}

}  // namespace

std::expected<FileStamp, FileError> file_stamp(const std::string& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0)
        return refuse_io();
    return save::stamp_of(info);
}

std::expected<FileStamp, FileError> file_stamp(int descriptor) {
    struct stat info{};
    if (::fstat(descriptor, &info) != 0)
        return refuse_io();
    return save::stamp_of(info);
}

struct AtomicFile::State {
    ResolvedPath resolved;
    std::optional<ResolvedPath> backup;
    std::string temporary, temporary_path;  ///< empty when there is none
    ReplaceOptions options;
    Descriptor file;
    FileStamp stamp;  ///< of the new file
    std::optional<FileError> broken;

    ~State() { give_up(); }
    std::expected<void, FileError> begin();
    std::expected<void, FileError> finish();
    std::expected<void, FileError> replace();
    std::expected<void, FileError> rename_to_target(const FileStamp* wanted);
    std::expected<void, FileError> put_back(FileStamp mine);
    void give_up() noexcept;
    void gone() noexcept {
        temporary.clear();
        if (options.announce)
            options.announce({});
    }
};

std::expected<AtomicFile, FileError> AtomicFile::open(const std::string& path,
                                                      ReplaceOptions options) try {
    auto resolved = save::resolve_path(path);
    if (!resolved)
        return std::unexpected(resolved.error());
    auto state = std::make_unique<State>();
    state->resolved = *std::move(resolved);
    state->options = std::move(options);
    if (auto begun = state->begin(); !begun)
        return std::unexpected(begun.error());
    return AtomicFile(std::move(state));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<void, FileError> AtomicFile::State::begin() {
    if (auto fit = save::can_be_replaced(resolved); !fit)
        return fit;
    if (!options.backup.empty()) {
        auto found = folder_and_name(options.backup);
        if (!found)
            return std::unexpected(found.error());
        if (same_name(*found, resolved))
            return refuse_io(EINVAL);
        backup = *std::move(found);
    }
    temporary = name_beside(resolved.name);
    temporary_path = resolved.beside(temporary);
    if (options.announce)
        options.announce(temporary_path);
    file = new_file(resolved, temporary, resolved.info ? 0600 : 0666);
    if (!file)
        return refuse_io();
    if (!resolved.info)
        return {};
    Descriptor old = open_old(resolved);
    if (!old && errno == EACCES)
        old = open_old(resolved, O_WRONLY);
    struct stat info{};
    if (!old || ::fstat(old.get(), &info) != 0)
        return refuse_io();
    return save::copy_attributes(old.get(), info, file.get());
}

void AtomicFile::State::give_up() noexcept {
    if (file)
        file.close();
    if (temporary.empty())
        return;
    ::unlinkat(resolved.folder.get(), temporary.c_str(), 0);
    gone();
}

std::expected<void, FileError> AtomicFile::State::replace() {
    const FileStamp* wanted = options.expected ? &*options.expected
                              : options.lock   ? &options.lock->stamp()
                                               : nullptr;
    if (wanted) {
        auto now = resolved.look();
        if (!now)
            return std::unexpected(now.error());
        if (save::stamp_of(*now) != *wanted)
            return refuse_io(ESTALE);
    }
    if (backup && resolved.info)
        if (auto kept = make_backup(resolved, *backup); !kept)
            return kept;
    if (auto there = rename_to_target(wanted); !there)
        return there;
    return sync_folder(resolved);
}

/// Gives the new file its name. If the old file must be in a certain state, the two names are
/// swapped, if the file system can do it, and the old file is checked after that: a program that
/// takes no lock may have put its own file there since the last check.
std::expected<void, FileError> AtomicFile::State::rename_to_target(const FileStamp* wanted) {
    const int folder = resolved.folder.get();
    std::expected<void, FileError> taken = refuse_io(EINVAL);
    if (wanted)
        taken = swap_names(resolved, temporary);
    if (!taken && taken.error().system != EINVAL)
        return taken;
    if (!taken) {
        if (::renameat(folder, temporary.c_str(), folder, resolved.name.c_str()) != 0)
            return refuse_io();
        gone();
        return {};
    }
    const auto old = stamp_beside(resolved, temporary);
    if (old && *old != *wanted)
        return put_back(stamp);
    ::unlinkat(folder, temporary.c_str(), 0);
    gone();
    return {};
}

/// Gives its name back to the other program's file that was taken away, and then to any file that
/// the program puts there meanwhile. `mine` is the file that stands there now, as far as is known.
std::expected<void, FileError> AtomicFile::State::put_back(FileStamp mine) {
    // A signal that ends the program must not delete that file.
    if (options.announce)
        options.announce({});
    for (int tries = 0; tries < 100; ++tries) {
        const auto theirs = stamp_beside(resolved, temporary);
        const auto back =
            theirs ? swap_names(resolved, temporary) : std::unexpected(theirs.error());
        const auto there = back ? stamp_beside(resolved, temporary) : std::unexpected(back.error());
        if (!there)
            break;
        if (there->same_file(mine))
            return refuse_io(ESTALE);
        mine = *theirs;
    }
    temporary.clear();  // keeps a file that may be the other program's only one
    return refuse_io(ESTALE);
}

std::expected<void, FileError> AtomicFile::State::finish() {
    if (broken)
        return std::unexpected(*broken);
    if (!file)
        return refuse_io(EBADF);
    struct stat info{};
    if (::fsync(file.get()) != 0 || ::fstat(file.get(), &info) != 0)
        return refuse_io();
    stamp = save::stamp_of(info);
    if (file.close() != 0)
        return refuse_io();
    if (options.lock)
        return replace();
    // The lock keeps this replacement from falling between another program's reading and its
    // replacing.
    const auto lock = save::lock_file(resolved, options.lock_wait);
    if (!lock && lock.error().system != ENOENT)
        return std::unexpected(lock.error());
    return replace();
}

AtomicFile::AtomicFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
AtomicFile::AtomicFile(AtomicFile&& other) noexcept = default;
AtomicFile::~AtomicFile() = default;

const FileStamp& AtomicFile::stamp() const noexcept {
    return state_->stamp;
}
const std::string& AtomicFile::path() const noexcept {
    return state_->resolved.path;
}

std::expected<void, FileError> AtomicFile::write(ByteView bytes) {
    if (state_->broken)
        return std::unexpected(*state_->broken);
    if (!state_->file)
        return refuse_io(EBADF);
    auto written = save::write_full(state_->file.get(), bytes);
    if (!written)
        state_->broken = written.error();
    return written;
}

std::expected<void, FileError> AtomicFile::commit() try {
    auto done = state_->finish();
    state_->give_up();
    if (!done)
        state_->broken = done.error();
    return done;
} catch (const std::bad_alloc&) {
    state_->give_up();
    return refuse(Errc::no_memory);
}

std::expected<void, FileError> atomic_replace(const std::string& path, ByteView bytes,
                                              const ReplaceOptions& options) try {
    auto file = AtomicFile::open(path, options);
    if (!file)
        return std::unexpected(file.error());
    if (auto written = file->write(bytes); !written)
        return written;
    return file->commit();
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

}  // namespace gdvar
