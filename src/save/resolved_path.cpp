#include "save/resolved_path.hpp"

#include <fcntl.h>

namespace gdvar::save {
namespace {

std::string in_folder(const std::string& folder, const std::string& name) {
    if (folder.empty())
        return name;
    return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

/// Empty for a name without a folder.
std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash ? slash : 1);
}

/// The state of the file as the kernel resolves the path; nothing if there is none. O_PATH has no
/// effect on devices and pipes.
std::expected<std::optional<struct stat>, FileError> as_the_kernel_finds(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!file && errno == ENOENT)
        return std::nullopt;
    struct stat info{};
    if (!file || ::fstat(file.get(), &info) != 0)
        return refuse_io();
    return info;
}

/// The target of a link. fs.protected_symlinks: in a sticky folder that all may write, only links
/// of the follower or of the folder's owner are followed.
std::expected<std::string, FileError> read_link(const ResolvedPath& resolved) {
    const Descriptor link(
        ::openat(resolved.folder.get(), resolved.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat own{}, folder{};
    if (!link || ::fstat(link.get(), &own) != 0 || ::fstat(resolved.folder.get(), &folder) != 0)
        return refuse_io();
    constexpr mode_t shared = S_ISVTX | S_IWOTH;
    if ((folder.st_mode & shared) == shared && own.st_uid != ::geteuid() &&
        own.st_uid != folder.st_uid)
        return refuse_io(EACCES);
    std::string target(4096, '\0');
    const ssize_t n = ::readlinkat(link.get(), "", target.data(), target.size());
    if (n < 0)
        return refuse_io();
    target.resize(static_cast<std::size_t>(n));
    return target;
}

}  // namespace

std::string ResolvedPath::beside(const std::string& other) const {
    return in_folder(folder_of(path), other);
}

std::expected<struct stat, FileError> ResolvedPath::look() const {
    struct stat now{};
    if (::fstatat(folder.get(), name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
        return refuse_io();
    return now;
}

namespace {

/// Nothing if the target of the links changed between two looks.
std::expected<std::optional<ResolvedPath>, FileError> try_to_find(const std::string& path) {
    auto expected = as_the_kernel_finds(path);
    if (!expected)
        return std::unexpected(expected.error());
    ResolvedPath resolved;
    resolved.path = path;
    for (int links = 0; links < 40; ++links) {
        const std::string folder = folder_of(resolved.path);
        resolved.name = resolved.path.substr(resolved.path.rfind('/') + 1);
        if (resolved.name.empty() || resolved.name == "." || resolved.name == "..")
            return refuse_io(EISDIR);
        resolved.folder = Descriptor(
            ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!resolved.folder)
            return refuse_io();
        auto info = resolved.look();
        if (!info && info.error().system != ENOENT)
            return std::unexpected(info.error());
        if (info && S_ISLNK(info->st_mode)) {
            auto target = read_link(resolved);
            if (!target)
                return std::unexpected(target.error());
            resolved.path = target->starts_with('/') ? *target : resolved.beside(*target);
            continue;
        }
        if (info)
            resolved.info = *info;
        if (info.has_value() != expected->has_value() || (info && !same_file(*info, **expected)))
            return std::nullopt;
        return resolved;
    }
    return refuse_io(ELOOP);
}

}  // namespace

std::expected<ResolvedPath, FileError> resolve_path(const std::string& path) {
    // A file may be replaced between two looks, but not each time.
    for (int tries = 0; tries < 100; ++tries) {
        auto found = try_to_find(path);
        if (!found)
            return std::unexpected(found.error());
        if (*found)
            return std::move(**found);
    }
    return refuse_io(ESTALE);
}

std::expected<void, FileError> can_be_replaced(const ResolvedPath& resolved) {
    if (!resolved.info)
        return {};
    if (S_ISDIR(resolved.info->st_mode))
        return refuse_io(EISDIR);
    if (!S_ISREG(resolved.info->st_mode))
        return refuse_io(ENOTSUP);
    if (::faccessat(resolved.folder.get(), resolved.name.c_str(), W_OK, AT_EACCESS) != 0)
        return refuse_io();
    return {};
}

}  // namespace gdvar::save
