#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <copyfile.h>
#else
#include <sys/xattr.h>
#endif

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/platform/attributes.hpp"
#include "base/platform/info.hpp"

namespace gdvar::platform {
namespace {

bool no_such_thing_here(int number) {
    return number == ENOTSUP || number == ENOSYS;
}

#ifdef __APPLE__

/// On macOS an ACL is separate from the permission bits.
Result<bool> copy_all_attributes(int from, int to, bool) {
    if (::fcopyfile(from, to, nullptr, COPYFILE_ACL | COPYFILE_XATTR) != 0 &&
        !no_such_thing_here(errno))
        return refuse_last();
    return false;
}

#else

constexpr char acl_name[] = "system.posix_acl_access";

/// Calls a function of the xattr family until its buffer is large enough: another program may add
/// to what it returns at any time.
template <class Call>
Result<std::string> whole(Call&& call) {
    for (;;) {
        const ssize_t size = call(nullptr, std::size_t{0});
        if (size < 0)
            return refuse_last();
        std::string buffer(static_cast<std::size_t>(size), '\0');
        const ssize_t got = size ? call(buffer.data(), buffer.size()) : 0;
        if (got < 0 && errno == ERANGE)
            continue;
        if (got < 0)
            return refuse_last();
        buffer.resize(static_cast<std::size_t>(got));
        return buffer;
    }
}

/// True for attributes of the bytes, not of the file: a checksum, a signature, an executable's
/// capabilities.
bool vouches_for_bytes(std::string_view name) {
    return name == "security.capability" || name == "security.ima" || name == "security.evm";
}

bool is_the_systems(std::string_view name) {
    return name.starts_with("security.") || name.starts_with("trusted.");
}

/// Removes the ACL's grants to the file's group, because the group is another one now. Layout
/// (linux/posix_acl_xattr.h, little-endian): u32 version 2, then for each entry u16 tag, u16
/// permissions, u32 id.
void deny_group(std::string& acl) {
    constexpr std::size_t head = 4, entry = 8;
    for (std::size_t at = head; at + entry <= acl.size(); at += entry)
        if (acl[at] == 0x04 && acl[at + 1] == 0)  // ACL_GROUP_OBJ
            acl[at + 2] = acl[at + 3] = 0;
}

/// Returns whether the file had the attribute.
Result<bool> copy_attribute(int from, int to, const char* name, bool group_kept) {
    auto value = whole([&](char* data, std::size_t n) { return ::fgetxattr(from, name, data, n); });
    if (!value && value.error().number == ENODATA)
        return false;
    if (value && !group_kept && std::strcmp(name, acl_name) == 0)
        deny_group(*value);
    if (value && ::fsetxattr(to, name, value->data(), value->size(), 0) == 0)
        return true;
    const int failed = value ? errno : value.error().number;
    if (is_the_systems(name))
        return false;
    return refuse(failed);
}

/// Returns whether an ACL was among them.
Result<bool> copy_all_attributes(int from, int to, bool group_kept) {
    // A new file inherits its folder's default ACL; this one must not, unless the old one did.
    if (::fremovexattr(to, acl_name) != 0 && errno != ENODATA && !no_such_thing_here(errno))
        return refuse_last();
    auto names = whole([&](char* data, std::size_t n) { return ::flistxattr(from, data, n); });
    if (!names && no_such_thing_here(names.error().number))
        return false;
    if (!names)
        return std::unexpected(names.error());
    bool acl = false;
    for (const char* name = names->data(); name < names->data() + names->size();
         name += std::strlen(name) + 1) {
        if (vouches_for_bytes(name))
            continue;
        auto copied = copy_attribute(from, to, name, group_kept);
        if (!copied)
            return copied;
        acl |= *copied && std::strcmp(name, acl_name) == 0;
    }
    return acl;
}

#endif

}  // namespace

#ifdef __APPLE__
bool acl_is_mask(const std::string&) noexcept {
    return false;
}
#else
bool acl_is_mask(const std::string& path) noexcept {
    return ::getxattr(path.c_str(), acl_name, nullptr, 0) > 0;
}
#endif

Result<void> copy_attributes(int from, int to) {
    struct stat info{};
    if (::fstat(from, &info) != 0)
        return refuse_last();
    // Only root can set another owner. If owner or group can't be kept, their rights are not
    // granted to ours.
    mode_t mode = info.st_mode & 07777;
    bool group_kept = true;
    if (::fchown(to, info.st_uid, info.st_gid) != 0) {
        mode &= 0777;
        group_kept = ::fchown(to, static_cast<uid_t>(-1), info.st_gid) == 0;
    }
    auto acl = copy_all_attributes(from, to, group_kept);
    if (!acl)
        return std::unexpected(acl.error());
    // With an ACL the middle bits are its mask. It comes first: they would be the group's for a
    // moment.
    if (!*acl && !group_kept)
        mode &= ~mode_t{070};
    return done(::fchmod(to, mode));
}

}  // namespace gdvar::platform
