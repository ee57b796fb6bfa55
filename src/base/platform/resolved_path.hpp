// A path whose links were followed: the folder, held open, and a name in it.
// posix_resolved_path.cpp implements it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// Files are opened, renamed and removed by `name` in `folder`, so nobody can change the path's
/// folders or links meanwhile.
struct ResolvedPath {
    Descriptor folder;
    std::string name;              ///< without a slash
    std::string path;              ///< for messages and for the user
    std::optional<FileInfo> info;  ///< nothing if the file does not exist yet

    std::string beside(const std::string& other) const;  ///< path of another name in the folder
    /// The current file of that name; a link is not followed.
    Result<FileInfo> look() const { return look_beside(name); }
    /// The same for another name in the folder.
    Result<FileInfo> look_beside(const std::string& other) const;
};

/// Follows the links at the end of `path`, as far as the kernel allows. In folders that anybody may
/// write, the kernel's rule for links (fs.protected_symlinks) applies, even if the kernel does not
/// enforce it. The last link may lead to a file that does not exist yet. Errors: ELOOP, EACCES,
/// EISDIR, ENOENT for a folder, changed_meanwhile if links change, ...
Result<ResolvedPath> resolve_path(const std::string& path);
/// The file `below` a folder. Links to the folder are followed; below it none is, so the file can't
/// be in another folder. Missing folders below are made. Errors: EINVAL (a name that is empty, `.`
/// or `..`), ELOOP (a link), ENOTDIR, ...
Result<ResolvedPath> resolve_below(const std::string& folder, const std::string& below);
/// Resolves the folder only: the last name is replaced, even if it is a link. `info` stays empty.
Result<ResolvedPath> folder_and_name(const std::string& path);
bool same_name(const ResolvedPath& a, const ResolvedPath& b);

/// Refuses anything but a regular file, and a file that may not be written: a rename would only
/// check the folder's permission. A name without a file is accepted. Errors: EISDIR, ENOTSUP,
/// EACCES, ...
Result<void> can_be_replaced(const ResolvedPath& resolved);

/// A name beside `name` that no other process or thread picks. It marks a temporary file of gdvar.
std::string temporary_name(const std::string& name);

/// Permission bits of a new file, before the umask or the folder's default ACL removes some.
inline constexpr unsigned for_owner_alone = 0600, for_all = 0666;
Result<Descriptor> make_file(const ResolvedPath& resolved, const std::string& name, unsigned mode);
/// The bits of `for_all` for a new file in the folder with the content of `source`: nobody but its
/// owner may read or write it who may not do so with `source`. All bits if `source` is not a
/// regular file.
unsigned bits_for_copy_of(const std::string& source, const ResolvedPath& resolved);

enum class Access : std::uint8_t { read, write, read_and_write };
Result<Descriptor> open_file(const ResolvedPath& resolved, Access access);

void remove(const ResolvedPath& resolved, const std::string& name) noexcept;
/// Renames a file within the folder, over an existing name, too. On Windows the new name may be
/// missing for a moment, on file systems without a rename as in POSIX.
Result<void> rename(const ResolvedPath& resolved, const std::string& from, const std::string& to);
/// The longest time for which it may then be missing.
extern const std::chrono::milliseconds longest_absence;
/// Swaps two names in the folder. Errors: EINVAL if the file system can't, ...
Result<void> swap_names(const ResolvedPath& resolved, const std::string& a, const std::string& b);
/// Gives the file at `from` a second name, in the folder of `to`.
Result<void> add_name(const ResolvedPath& from, const ResolvedPath& to, const std::string& name);
/// Writes the folder's changed names to the disk, where the system can.
Result<void> sync_folder(const ResolvedPath& resolved);

}  // namespace gdvar::platform
