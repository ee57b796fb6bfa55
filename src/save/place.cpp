#include "save/place.hpp"

#include <fcntl.h>

namespace gdvar::save {
namespace {

std::string in_folder(const std::string& folder, const std::string& name) {
    if (folder.empty())
        return name;
    return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

/// "" for a name alone.
std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash ? slash : 1);
}

/// Asks the kernel about the path. Nothing: there is no file, and no rule against one. O_PATH, so
/// that a device or pipe is not affected.
std::expected<std::optional<struct stat>, Error> as_the_kernel_finds(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!file && errno == ENOENT)
        return std::nullopt;
    struct stat info{};
    if (!file || ::fstat(file.get(), &info) != 0)
        return refuse_io();
    return info;
}

/// What a link says. fs.protected_symlinks: in a sticky folder that all may write, only links of
/// the follower or of the folder's owner are followed.
std::expected<std::string, Error> read_link(const Place& place) {
    const Descriptor link(
        ::openat(place.folder.get(), place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat own{}, folder{};
    if (!link || ::fstat(link.get(), &own) != 0 || ::fstat(place.folder.get(), &folder) != 0)
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

std::string Place::beside(const std::string& other) const {
    return in_folder(folder_of(path), other);
}

std::expected<struct stat, Error> Place::look() const {
    struct stat now{};
    if (::fstatat(folder.get(), name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
        return refuse_io();
    return now;
}

namespace {

/// Nothing if the target of the links changed between two looks.
std::expected<std::optional<Place>, Error> try_to_find(const std::string& path) {
    auto expected = as_the_kernel_finds(path);
    if (!expected)
        return std::unexpected(expected.error());
    Place place;
    place.path = path;
    for (int links = 0; links < 40; ++links) {
        const std::string folder = folder_of(place.path);
        place.name = place.path.substr(place.path.rfind('/') + 1);
        if (place.name.empty() || place.name == "." || place.name == "..")
            return refuse_io(EISDIR);
        place.folder = Descriptor(
            ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!place.folder)
            return refuse_io();
        auto info = place.look();
        if (!info && system_error(info.error()) != ENOENT)
            return std::unexpected(info.error());
        if (info && S_ISLNK(info->st_mode)) {
            auto target = read_link(place);
            if (!target)
                return std::unexpected(target.error());
            place.path = target->starts_with('/') ? *target : place.beside(*target);
            continue;
        }
        if (info)
            place.info = *info;
        if (info.has_value() != expected->has_value() || (info && !same_file(*info, **expected)))
            return std::nullopt;
        return place;
    }
    return refuse_io(ELOOP);
}

}  // namespace

std::expected<Place, Error> find_place(const std::string& path) {
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

std::expected<void, Error> can_be_replaced(const Place& place) {
    if (!place.info)
        return {};
    if (S_ISDIR(place.info->st_mode))
        return refuse_io(EISDIR);
    if (!S_ISREG(place.info->st_mode))
        return refuse_io(ENOTSUP);
    if (::faccessat(place.folder.get(), place.name.c_str(), W_OK, AT_EACCESS) != 0)
        return refuse_io();
    return {};
}

}  // namespace gdvar::save
