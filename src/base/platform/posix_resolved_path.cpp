#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#if __has_include(<sys/syscall.h>)
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "base/platform/attributes.hpp"
#include "base/platform/info.hpp"
#include "base/platform/resolved_path.hpp"
#ifdef __wasi__
#include "base/platform/wasi.hpp"
#endif

namespace gdvar::platform {
namespace {

/// Opens a folder to find names in it. On Linux it need not be readable.
#ifdef O_PATH
constexpr int as_folder = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
constexpr int as_folder = O_SEARCH | O_DIRECTORY | O_CLOEXEC;
#endif

std::string in_folder(const std::string& folder, const std::string& name) {
    if (folder.empty())
        return name;
    return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

/// "" for a bare name.
std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash ? slash : 1);
}

Result<Descriptor> opened(int descriptor) {
    Descriptor file(descriptor);
    if (!file)
        return refuse_last();
    return file;
}

Result<Descriptor> open_folder(const std::string& folder) {
    return opened(::open(folder.empty() ? "." : folder.c_str(), as_folder));
}

/// Asks the kernel about the path. Nothing: the file does not exist, and no rule forbids it.
Result<std::optional<FileInfo>> as_the_kernel_finds(const std::string& path) {
    const auto found = info_of(path);
    if (!found && found.error().number == ENOENT)
        return std::nullopt;
    if (!found)
        return std::unexpected(found.error());
    return *found;
}

/// Reads a link. fs.protected_symlinks: in a sticky folder that all may write, only links of the
/// follower or of the folder's owner are followed.
Result<std::string> read_link(const ResolvedPath& resolved) {
    struct stat own{}, folder{};
#ifdef O_PATH
    const Descriptor link(
        ::openat(resolved.folder.get(), resolved.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!link || ::fstat(link.get(), &own) != 0 || ::fstat(resolved.folder.get(), &folder) != 0)
        return refuse_last();
    const int at = link.get();
    const char* const name = "";
#else
    const int at = resolved.folder.get();
    const char* const name = resolved.name.c_str();
    if (::fstatat(at, name, &own, AT_SYMLINK_NOFOLLOW) != 0 || ::fstat(at, &folder) != 0)
        return refuse_last();
#endif
    constexpr mode_t shared = S_ISVTX | S_IWOTH;
    if ((folder.st_mode & shared) == shared && own.st_uid != ::geteuid() &&
        own.st_uid != folder.st_uid)
        return refuse(EACCES);
    std::string target(4096, '\0');
    const ssize_t n = ::readlinkat(at, name, target.data(), target.size());
    if (n < 0)
        return refuse_last();
    target.resize(static_cast<std::size_t>(n));
    return target;
}

/// Nothing if the target of the links changed between two looks.
Result<std::optional<ResolvedPath>> try_to_find(const std::string& path) {
    auto expected = as_the_kernel_finds(path);
    if (!expected)
        return std::unexpected(expected.error());
    ResolvedPath resolved;
    resolved.path = path;
    for (int links = 0; links < 40; ++links) {
        resolved.name = resolved.path.substr(resolved.path.rfind('/') + 1);
        if (resolved.name.empty() || resolved.name == "." || resolved.name == "..")
            return refuse(EISDIR);
        auto folder = open_folder(folder_of(resolved.path));
        if (!folder)
            return std::unexpected(folder.error());
        resolved.folder = *std::move(folder);
        auto info = resolved.look();
        if (!info && info.error().number != ENOENT)
            return std::unexpected(info.error());
        if (info && info->kind == FileKind::link) {
            auto target = read_link(resolved);
            if (!target)
                return std::unexpected(target.error());
            resolved.path = target->starts_with('/') ? *target : resolved.beside(*target);
            continue;
        }
        if (info)
            resolved.info = *info;
        if (info.has_value() != expected->has_value() || (info && !info->same_file(**expected)))
            return std::nullopt;
        return resolved;
    }
    return refuse(ELOOP);
}

}  // namespace

std::string ResolvedPath::beside(const std::string& other) const {
    return in_folder(folder_of(path), other);
}

Result<FileInfo> ResolvedPath::look_beside(const std::string& other) const {
    struct stat now{};
    if (::fstatat(folder.get(), other.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
        return refuse_last();
    return info_of(now);
}

Result<ResolvedPath> resolve_path(const std::string& path) {
    // A file may be replaced between two looks, but not every time.
    for (int tries = 0; tries < 100; ++tries) {
        auto found = try_to_find(path);
        if (!found)
            return std::unexpected(found.error());
        if (*found)
            return std::move(**found);
    }
    return refuse(changed_meanwhile);
}

Result<ResolvedPath> resolve_below(const std::string& folder, const std::string& below) {
    auto top = open_folder(folder);
    if (!top)
        return std::unexpected(top.error());
    ResolvedPath resolved;
    resolved.folder = *std::move(top);
    resolved.path = in_folder(folder, below);
    for (std::size_t from = 0;;) {
        const std::size_t slash = below.find('/', from);
        resolved.name = below.substr(from, slash - from);
        if (resolved.name.empty() || resolved.name == "." || resolved.name == "..")
            return refuse(EINVAL);
        const bool last = slash == std::string::npos;
        if (!last && ::mkdirat(resolved.folder.get(), resolved.name.c_str(), 0777) != 0 &&
            errno != EEXIST)
            return refuse_last();
        auto info = resolved.look();
        if (!info && !(last && info.error().number == ENOENT))
            return std::unexpected(info.error());
        if (info && info->kind == FileKind::link)
            return refuse(ELOOP);
        if (last) {
            if (info)
                resolved.info = *info;
            return resolved;
        }
        // A link that is put there after that look gives ENOTDIR.
        auto next =
            opened(::openat(resolved.folder.get(), resolved.name.c_str(), as_folder | O_NOFOLLOW));
        if (!next)
            return std::unexpected(next.error());
        resolved.folder = *std::move(next);
        from = slash + 1;
    }
}

Result<ResolvedPath> folder_and_name(const std::string& path) {
    ResolvedPath resolved;
    resolved.path = path;
    resolved.name = path.substr(path.rfind('/') + 1);
    if (resolved.name.empty())
        return refuse(EISDIR);
    auto folder = open_folder(folder_of(path));
    if (!folder)
        return std::unexpected(folder.error());
    resolved.folder = *std::move(folder);
    return resolved;
}

bool same_name(const ResolvedPath& a, const ResolvedPath& b) {
    if (a.name != b.name)
        return false;
    const auto one = info_of(a.folder.get()), other = info_of(b.folder.get());
    return one && other && one->same_file(*other);
}

Result<void> can_be_replaced(const ResolvedPath& resolved) {
    if (!resolved.info)
        return {};
    if (resolved.info->kind == FileKind::folder)
        return refuse(EISDIR);
    if (resolved.info->kind != FileKind::regular)
        return refuse(ENOTSUP);
#ifdef __wasi__  // whose faccessat knows no permissions
    if (auto file = open_file(resolved, Access::write); !file)
        return std::unexpected(file.error());
    return {};
#else
    return done(::faccessat(resolved.folder.get(), resolved.name.c_str(), W_OK, AT_EACCESS));
#endif
}

std::string temporary_name(const std::string& name) {
    static std::atomic<unsigned> count{0};
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    // The length of a file name is limited, so a long name is cut.
    return '.' + name.substr(0, 128) + ".gdvar-" + std::to_string(::getpid()) + '-' +
           std::to_string(now.tv_sec) + '-' + std::to_string(now.tv_nsec) + '-' +
           std::to_string(count++);
}

Result<Descriptor> make_file(const ResolvedPath& resolved, const std::string& name, unsigned mode) {
    auto file =
        opened(::openat(resolved.folder.get(), name.c_str(),
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode)));
#ifdef __wasi__  // which makes all files for their owner alone
    if (file && !gdvar_set_permissions(file->get(), mode)) {
        ::unlinkat(resolved.folder.get(), name.c_str(), 0);
        return refuse(EPERM);
    }
#endif
    return file;
}

#ifdef __wasi__
unsigned bits_for_copy_of(const std::string& source, const ResolvedPath&) {
    const auto info = info_of(source);
    if (!info || info->kind != FileKind::regular)
        return for_all;
    const auto file = open_to_read(source);
    return file ? for_owner_alone | (gdvar_permissions(Descriptor(*file).get()) & for_all)
                : for_owner_alone;
}
#else
unsigned bits_for_copy_of(const std::string& source, const ResolvedPath& resolved) {
    struct stat from{}, folder{};
    if (::stat(source.c_str(), &from) != 0 || !S_ISREG(from.st_mode))
        return for_all;
    unsigned bits = from.st_mode & for_all;
    // A group other than the source's counts as others. So does one where an ACL decides: the
    // group's bits are then the ACL's mask.
    const bool known = ::fstat(resolved.folder.get(), &folder) == 0;
    const gid_t group = known && (folder.st_mode & S_ISGID) ? folder.st_gid : ::getegid();
    if (group != from.st_gid || acl_is_mask(source))
        bits &= ~070U | bits << 3U;
    return for_owner_alone | bits;
}
#endif

Result<Descriptor> open_file(const ResolvedPath& resolved, Access access) {
    const int mode = access == Access::read    ? O_RDONLY
                     : access == Access::write ? O_WRONLY
                                               : O_RDWR;
    return opened(::openat(resolved.folder.get(), resolved.name.c_str(),
                           mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

void remove(const ResolvedPath& resolved, const std::string& name) noexcept {
    ::unlinkat(resolved.folder.get(), name.c_str(), 0);
}

const std::chrono::milliseconds longest_absence{0};

Result<void> rename(const ResolvedPath& resolved, const std::string& from, const std::string& to) {
    const int folder = resolved.folder.get();
    return done(::renameat(folder, from.c_str(), folder, to.c_str()));
}

Result<void> swap_names(const ResolvedPath& resolved, const std::string& a, const std::string& b) {
#if defined(SYS_renameat2) || defined(RENAME_SWAP)
    const int folder = resolved.folder.get();
#ifdef SYS_renameat2
    // glibc before 2.28 lacks the function.
    constexpr unsigned exchange = 1u << 1;
    const auto failed =
        ::syscall(SYS_renameat2, folder, a.c_str(), folder, b.c_str(), exchange) != 0;
#else
    const auto failed = ::renameatx_np(folder, a.c_str(), folder, b.c_str(), RENAME_SWAP) != 0;
#endif
    if (!failed)
        return {};
    return refuse(errno == ENOSYS || errno == ENOTSUP ? EINVAL : errno);
#else
    (void)resolved, (void)a, (void)b;
    return refuse(EINVAL);
#endif
}

Result<void> add_name(const ResolvedPath& from, const ResolvedPath& to, const std::string& name) {
    return done(::linkat(from.folder.get(), from.name.c_str(), to.folder.get(), name.c_str(), 0));
}

Result<void> sync_folder(const ResolvedPath& resolved) {
    const Descriptor folder(
        ::openat(resolved.folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A folder that can be written but not read cannot be synced.
    if (!folder)
        return errno == EACCES ? Result<void>() : refuse_last();
    // Some file systems lack it; nothing more can be done.
    if (::fsync(folder.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
        return refuse_last();
    return {};
}

}  // namespace gdvar::platform
