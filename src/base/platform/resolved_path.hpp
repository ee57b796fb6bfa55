// A path after its links were followed: the folder, held open, and a name in it.
// Room: platform. posix_resolved_path.cpp implements it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// Files are opened, renamed and removed by `name` in `folder`, so nobody can change the folders or
/// links of the path meanwhile.
struct ResolvedPath {
    Descriptor folder;
    std::string name;              ///< holds no slash
    std::string path;              ///< for messages and for the user
    std::optional<FileInfo> info;  ///< nothing when there is no file yet

    std::string beside(const std::string& other) const;  ///< path of another name in the folder
    /// What stands there now; a link is not followed.
    Result<FileInfo> look() const { return look_beside(name); }
    /// What stands under another name in the folder.
    Result<FileInfo> look_beside(const std::string& other) const;
};

/// Follows the links at the end of `path`, as far as the kernel allows. In folders that anybody may
/// write, the kernel's rule for links (fs.protected_symlinks) applies, even where the kernel is not
/// set to enforce it. The last link may lead to a file that is not there yet. Errors: ELOOP,
/// EACCES, EISDIR, ENOENT for a folder, changed_meanwhile if links change, ...
Result<ResolvedPath> resolve_path(const std::string& path);
/// The file `below` a folder, to which links are followed; below it none is, so the file is in no
/// other folder. Folders that are missing there are made. Errors: EINVAL (a name that is empty, `.`
/// or `..`), ELOOP (a link), ENOTDIR, ...
Result<ResolvedPath> resolve_below(const std::string& folder, const std::string& below);
/// Resolves the folder only: the last name is replaced, even if it is a link. `info` stays empty.
Result<ResolvedPath> folder_and_name(const std::string& path);
/// Whether both are the same name in the same folder.
bool same_name(const ResolvedPath& a, const ResolvedPath& b);

/// Refuses anything but a regular file, and a file that may not be written: a rename would only
/// check the folder's permission. A name without a file is accepted. Errors: EISDIR, ENOTSUP,
/// EACCES, ...
Result<void> can_be_replaced(const ResolvedPath& resolved);

/// A name beside `name` that no other process or thread picks. It shows that it is a temporary file
/// of gdvar.
std::string temporary_name(const std::string& name);

/// Permission bits of a new file, before the umask or the folder's default ACL takes some away.
inline constexpr unsigned for_owner_alone = 0600, for_all = 0666;
/// Makes a new file for writing, under a name that is free.
Result<Descriptor> make_file(const ResolvedPath& resolved, const std::string& name, unsigned mode);
/// The bits of `for_all` that a new file in the folder may have if it holds what is in the file at
/// `source`. It may be read and written by nobody but its owner who may not do the same with
/// `source`. All of them if there is no regular file.
unsigned bits_for_copy_of(const std::string& source, const ResolvedPath& resolved);

enum class Access : std::uint8_t { read, write, read_and_write };
/// Opens the file; no link is followed, and a pipe or device does not wait.
Result<Descriptor> open_file(const ResolvedPath& resolved, Access access);

/// Takes a name away, if it is there.
void remove(const ResolvedPath& resolved, const std::string& name) noexcept;
/// Gives a file of the folder another name in it, which may be taken. On Windows the other name may
/// be missing for a moment, on file systems without a rename as POSIX has it.
Result<void> rename(const ResolvedPath& resolved, const std::string& from, const std::string& to);
/// How long a name that is taken may then be missing.
extern const std::chrono::milliseconds longest_absence;
/// Swaps two names in the folder. Errors: EINVAL if the file system cannot do it, ...
Result<void> swap_names(const ResolvedPath& resolved, const std::string& a, const std::string& b);
/// Gives the file at `from` a second name, in the folder of `to`.
Result<void> add_name(const ResolvedPath& from, const ResolvedPath& to, const std::string& name);
/// Writes changes of names in the folder to the disk, where the system offers it.
Result<void> sync_folder(const ResolvedPath& resolved);

}  // namespace gdvar::platform
