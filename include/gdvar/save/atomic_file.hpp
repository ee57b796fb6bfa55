// Atomic replacement of a file: at any moment either the whole old file or the whole new file
// exists.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/target.hpp"

namespace gdvar GDVAR_EXPORT {

/// Identity and state of a file. A comparison of two stamps shows whether another program has
/// written the file in between.
struct FileStamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t changed_seconds = 0, changed_nanoseconds = 0;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
    /// True if both stamps are of the same file, in any state and under any name.
    bool same_file(const FileStamp& other) const noexcept {
        return device == other.device && inode == other.inode;
    }
};

/// The stamp of the file at the path; symbolic links are followed. Errors: io.
[[nodiscard]] std::expected<FileStamp, FileError> file_stamp(const std::string& path);
/// The stamp of an open file. Errors: io.
[[nodiscard]] std::expected<FileStamp, FileError> file_stamp(int descriptor);

/// The time to wait for a file that another program has locked.
inline constexpr std::chrono::milliseconds default_lock_wait{30'000};

/// The right to replace a file; only one program at a time has it. Take it before the file is read
/// and keep it until the file is replaced: of two programs that change the file, the second then
/// starts from the first one's result. It is the kernel's advisory lock of the file itself (flock),
/// so it ends with the process. It does not stop programs that take no lock; the file's state
/// (`stamp`) reveals their changes. On a file system without such locks, only that check protects
/// the file.
class EditLock {
public:
    /// Takes the lock; waits up to `wait` while others hold it. Each attempt resolves the name
    /// again, because the other program replaces the file. Symbolic links are followed as by
    /// AtomicFile. Errors: io (ENOENT, EISDIR; ENOTSUP for anything but a regular file, at once and
    /// without opening it; EACCES for a file that may not be written; EAGAIN when the wait is over;
    /// ...), no_memory.
    [[nodiscard]] static std::expected<EditLock, FileError> take(
        const std::string& path, std::chrono::milliseconds wait = default_lock_wait);
    EditLock(EditLock&& other) noexcept;
    EditLock& operator=(EditLock&& other) noexcept;
    /// Releases the lock.
    ~EditLock();

    /// The stamp of the file when it was locked.
    const FileStamp& stamp() const noexcept { return stamp_; }

private:
    EditLock(int descriptor, const FileStamp& stamp) noexcept
        : descriptor_(descriptor), stamp_(stamp) {}
    int descriptor_ = -1;
    FileStamp stamp_{};
};

/// Options of replacing a file.
struct ReplaceOptions {
    /// If set, the path counts from this folder, and the file can't be outside of it, even if
    /// somebody changes the folders meanwhile: below the folder no link is followed (ELOOP), and a
    /// name `..` is refused (EINVAL). Missing folders below it are made. For names from others than
    /// the user.
    std::string within{};
    /// Keeps the old file under this name; empty: no backup. A file with this name is replaced. It
    /// may not be the name of the file itself.
    std::string backup{};
    /// If set, the file must still be in this state; otherwise commit refuses with io, ESTALE.
    std::optional<FileStamp> expected{};
    /// The caller's lock of this file. Borrowed until commit has returned. commit then expects the
    /// lock's `stamp`. Null: commit itself takes the lock while it runs.
    const EditLock* lock = nullptr;
    std::chrono::milliseconds lock_wait = default_lock_wait;
    /// The files that the bytes come from. A new file grants users other than its owner no more
    /// than each of these does. Only regular files count.
    std::vector<std::string> made_of{};
    /// Called with the temporary file's name just before the file is made, and with an empty name
    /// when the file is gone. With it a program can delete the file when a signal ends the program.
    /// The text stays valid, at the same address, until the second call. The function must not
    /// throw.
    std::function<void(const std::string&)> announce{};
};

/// Writes a temporary file beside the one to be replaced; `commit` renames it to that one. Without
/// commit, the destructor deletes the temporary file and the old file is unchanged. Symbolic links
/// stay; their target is replaced, as far as the kernel follows them. In a sticky folder that
/// everybody may write (/tmp), only links of this user or of the folder's owner are followed. This
/// is the rule of fs.protected_symlinks; it holds even if the kernel does not enforce it. A new
/// file gets the default permissions, less those that `made_of` removes. A replaced file keeps its
/// permissions, its ACL and extended attributes, and its owner where the system allows. A file with
/// several hard links is replaced under this name only.
class AtomicFile final : public Target {
public:
    /// Resolves the path and makes the temporary file. Errors: io (ENOENT for a missing folder;
    /// EISDIR; ENOTSUP for anything but a regular file; ELOOP; EACCES; EINVAL if the backup is the
    /// file itself; ...), no_memory.
    [[nodiscard]] static std::expected<AtomicFile, FileError> open(const std::string& path,
                                                                   ReplaceOptions options = {});
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile() override;

    /// Appends the bytes to the temporary file. Errors: io; commit then refuses, too.
    [[nodiscard]] std::expected<void, FileError> write(ByteView bytes) override;
    /// Syncs the temporary file to the disk, makes the backup, and renames. May be called once.
    /// Errors: io (EAGAIN: another program holds the file's lock), no_memory. After an error the
    /// old file is unchanged, with one exception: syncing the folder is the last step, and if it
    /// fails, the file has been replaced.
    [[nodiscard]] std::expected<void, FileError> commit();

    /// The stamp of the new file. Valid only after commit.
    const FileStamp& stamp() const noexcept;
    /// The path of the replaced file, with symbolic links resolved.
    const std::string& path() const noexcept;

private:
    struct State;
    explicit AtomicFile(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// Replaces the file at `path` by `bytes`: open, write and commit. Errors: as AtomicFile.
[[nodiscard]] std::expected<void, FileError> atomic_replace(const std::string& path, ByteView bytes,
                                                            const ReplaceOptions& options = {});

}  // namespace gdvar
