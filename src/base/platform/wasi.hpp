// POSIX functions that the C library for WASI lacks. For the posix_*.cpp files.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

/// Permissions of open files, which WASI lacks: bindings/js/src/permissions.ts.
extern "C" {
/// The permission bits. The bits of a group other than ours count as others.
[[clang::import_module("gdvar"), clang::import_name("permissions")]] unsigned gdvar_permissions(
    int file);
/// Sets those of a new file, less the umask. Returns success.
[[clang::import_module("gdvar"), clang::import_name("set_permissions")]] bool gdvar_set_permissions(
    int file, unsigned bits);
/// Copies a file's permissions, and its owner where the system allows. Returns success.
[[clang::import_module("gdvar"), clang::import_name("copy_permissions")]] bool
gdvar_copy_permissions(int from, int to);
}

/// All files belong to one user: WASI has none.
inline uid_t geteuid() noexcept {
    return 0;
}
inline gid_t getegid() noexcept {
    return 0;
}

/// Makes a file with random letters in place of the final X.
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
