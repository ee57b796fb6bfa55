// Functions of POSIX that the C library for WASI lacks. For the posix_*.cpp files.
// Room: platform, private.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

/// The permissions of open files, which WASI does not know: bindings/js/src/permissions.ts.
extern "C" {
/// The permission bits. A group that is not ours is a part of the others.
[[clang::import_module("gdvar"), clang::import_name("permissions")]] unsigned gdvar_permissions(
    int file);
/// Those of a new file, less the umask. Whether that was done.
[[clang::import_module("gdvar"), clang::import_name("set_permissions")]] bool gdvar_set_permissions(
    int file, unsigned bits);
/// Gives a file those of another, and its owner where the system allows. Whether that was done.
[[clang::import_module("gdvar"), clang::import_name("copy_permissions")]] bool
gdvar_copy_permissions(int from, int to);
}

/// All files belong to one user: WASI names none.
inline uid_t geteuid() noexcept {
    return 0;
}
inline gid_t getegid() noexcept {
    return 0;
}

/// Makes a file of a random name in place of the X at the end.
inline int mkstemp(char* path) noexcept {
    constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char random[6];
    if (::getentropy(random, sizeof random) != 0)
        return -1;
    char* const end = path + std::strlen(path) - sizeof random;
    for (std::size_t i = 0; i < sizeof random; ++i)
        end[i] = letters[random[i] % 32];
    return ::open(path, O_RDWR | O_CREAT | O_EXCL);
}
