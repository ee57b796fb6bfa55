// Replacing a file so that the old or the new one is there whole, whatever happens.
// Room: save.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "gdvar/save/target.hpp"

namespace gdvar {

/// Which file, and in which state: to notice that another program has written it since.
struct FileStamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t changed_seconds = 0, changed_nanoseconds = 0;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
    /// Whether both are one file, under whatever names, in whatever states.
    bool same_file(const FileStamp& other) const noexcept {
        return device == other.device && inode == other.inode;
    }
};

/// Follows symbolic links. Errors: io.
[[nodiscard]] std::expected<FileStamp, Error> file_stamp(const std::string& path);
/// Of an open file. Errors: io.
[[nodiscard]] std::expected<FileStamp, Error> file_stamp(int descriptor);

/// How long to wait for a file that another program holds.
inline constexpr std::chrono::milliseconds default_lock_wait{30'000};

/// The right to replace a file, for one program at a time: taken before the file is read, held until it
/// is replaced, so that of two programs that change it the second starts from what the first made.
/// It is the kernel's lock of the file itself (flock), so it goes with its process, and programs that
/// take none are not hindered; those are noticed by the file's state (`stamp`). Where the file system
/// has no such locks, that alone protects.
class EditLock {
public:
    /// Waits while others hold it, up to `wait`, looking again what the name leads to: they replace the
    /// file. Symbolic links are followed as by AtomicFile. Errors: io (ENOENT, EISDIR, ENOTSUP for what
    /// is no regular file, at once and without opening it; EACCES for one that may not be written;
    /// EWOULDBLOCK when the wait is over, ...), no_memory.
    [[nodiscard]] static std::expected<EditLock, Error> take(const std::string& path,
                                               std::chrono::milliseconds wait = default_lock_wait);
    EditLock(EditLock&& other) noexcept;
    EditLock& operator=(EditLock&& other) noexcept;
    /// Gives it back.
    ~EditLock();

    /// The locked file as it was when it was locked.
    const FileStamp& stamp() const noexcept { return stamp_; }

private:
    EditLock(int descriptor, const FileStamp& stamp) noexcept
        : descriptor_(descriptor), stamp_(stamp) {}
    int descriptor_ = -1;
    FileStamp stamp_{};
};

struct ReplaceOptions {
    /// Keeps the old file under this name (which is replaced, too) when not empty. Not the file's own.
    std::string backup{};
    /// When given, the file must still be in this state: commit refuses with io, ESTALE.
    std::optional<FileStamp> expected{};
    /// The caller's lock of this file; borrowed until after commit, which then expects its `stamp`.
    /// Without one, commit takes the lock for its own moment.
    const EditLock* lock = nullptr;
    std::chrono::milliseconds lock_wait = default_lock_wait;
    /// Called with the temporary file's name just before it is made, and with an empty one when it is
    /// gone: for a program that deletes it when a signal ends it. The text stays where it is until
    /// the second call. It must not throw.
    std::function<void(const std::string&)> announce{};
};

/// Writes a temporary file beside the one to be replaced; `commit` puts it in its place. Symbolic
/// links stay and what they lead to is replaced, as far as the kernel follows them: in a folder that
/// all may write (/tmp), a link that somebody else put there is refused (fs.protected_symlinks, kept
/// where the kernel is not set to keep it). A new file gets the default permissions; a replaced one
/// keeps its own, its ACL and extended attributes, and its owner where the system allows. A file with
/// several hard links is replaced under this name only. Without commit, destruction deletes the
/// temporary file and the old one is as it was.
class AtomicFile final : public Target {
public:
    /// Errors: io (ENOENT for a missing folder, EISDIR, ENOTSUP for what is no regular file, ELOOP,
    /// EACCES, EINVAL for a backup that is the file, ...), no_memory.
    [[nodiscard]] static std::expected<AtomicFile, Error> open(const std::string& path,
                                                 ReplaceOptions options = {});
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile() override;

    /// Errors: io, and then commit refuses, too.
    [[nodiscard]] std::expected<void, Error> write(ByteView bytes) override;
    /// Writes through to the disk, makes the backup, renames. Once only. Errors: io (the old file
    /// is still there whole; only when the folder itself could not be written through, which comes
    /// last, is it the new one; EWOULDBLOCK: another program holds the file's lock), no_memory.
    [[nodiscard]] std::expected<void, Error> commit();

    /// The new file, as it was committed. Only after commit.
    const FileStamp& stamp() const noexcept;
    /// The file that is replaced, links followed.
    const std::string& path() const noexcept;

private:
    struct State;
    explicit AtomicFile(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// The whole of it at once. Errors: as AtomicFile's.
[[nodiscard]] std::expected<void, Error> atomic_replace(const std::string& path, ByteView bytes,
                                          const ReplaceOptions& options = {});

}  // namespace gdvar
