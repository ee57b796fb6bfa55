// Replacing a file so that the old or the new one is there whole, whatever happens.
// Room: save.
#pragma once

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
};

/// Follows symbolic links. Errors: io.
std::expected<FileStamp, Error> file_stamp(const std::string& path);

struct ReplaceOptions {
    /// Keeps the old file under this name (which is replaced, too) when not empty.
    std::string backup{};
    /// When given, the file must still be in this state: commit refuses with io, ESTALE.
    std::optional<FileStamp> expected{};
    /// Called with the temporary file's name just before it is made, and with an empty one when it is
    /// gone: for a program that deletes it when a signal ends it. The text stays where it is until
    /// the second call. It must not throw.
    std::function<void(const std::string&)> announce{};
};

/// Writes a temporary file beside the one to be replaced; `commit` puts it in its place. Symbolic
/// links stay and what they lead to is replaced; a new file gets the default permissions, a replaced
/// one keeps its own, and its owner where the system allows. A file with several hard links is
/// replaced under this name only. Without commit, destruction deletes the temporary file and the old
/// one is as it was.
class AtomicFile final : public Target {
public:
    /// Errors: io (ENOENT for a missing folder, EISDIR, ENOTSUP for what is no regular file, ELOOP,
    /// ...), no_memory.
    static std::expected<AtomicFile, Error> open(const std::string& path,
                                                 ReplaceOptions options = {});
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile() override;

    /// Errors: io, and then commit refuses, too.
    std::expected<void, Error> write(ByteView bytes) override;
    /// Writes through to the disk, makes the backup, renames. Once only. Errors: io (the old file
    /// is still there whole; only when the folder itself could not be written through, which comes
    /// last, is it the new one), no_memory.
    std::expected<void, Error> commit();

    /// The file that is replaced, links followed.
    const std::string& path() const noexcept { return path_; }

private:
    AtomicFile() = default;
    std::expected<void, Error> begin();
    std::expected<void, Error> make_backup();
    std::expected<void, Error> finish();
    void give_up() noexcept;

    std::string path_;
    std::unique_ptr<const std::string> temporary_;  ///< its place does not change when this moves
    ReplaceOptions options_;
    int descriptor_ = -1;
    bool existed_ = false;
    std::optional<Error> broken_;
};

/// The whole of it at once. Errors: as AtomicFile's.
std::expected<void, Error> atomic_replace(const std::string& path, ByteView bytes,
                                          const ReplaceOptions& options = {});

}  // namespace gdvar
