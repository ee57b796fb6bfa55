// Replacing a file: each system call failing in turn, and another program's at the worst moment.
// Not for Windows: these stand before POSIX's own functions.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <set>
#include <utility>

#include "gdvar/save/atomic_file.hpp"
#include "save/support.hpp"
#include "support/temp_folder.hpp"

namespace {

int calls_until_failure = -1;  // counts down to the call that fails; negative: none does
bool failed = false;

/// Another program's action just before a name is given to another file.
std::function<void()> meanwhile;
void let_others() {
    if (meanwhile)
        std::exchange(meanwhile, nullptr)();
}

bool fails() {
    if (calls_until_failure < 0 || calls_until_failure-- > 0)
        return false;
    failed = true;
    errno = EIO;
    return true;
}

}  // namespace

// glibc says of most of them that they throw nothing, and musl does not.
#ifndef __THROW
#define __THROW
#endif

// These stand before the system's own for everything in this program.
extern "C" {
int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int mode = va_arg(rest, int);
    va_end(rest);
    return fails() ? -1 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
ssize_t write(int file, const void* from, size_t n) {
    // A part at a time, as the system may.
    const size_t part = n > 7 && calls_until_failure >= 0 ? n / 2 + 1 : n;
    return fails() ? -1 : syscall(SYS_write, file, from, part);
}
int fsync(int file) {
    return fails() ? -1 : static_cast<int>(syscall(SYS_fsync, file));
}
int fchmod(int file, mode_t mode) {
    return fails() ? -1 : static_cast<int>(syscall(SYS_fchmod, file, mode));
}
int fchown(int file, uid_t user, gid_t group) __THROW {
    return fails() ? -1 : static_cast<int>(syscall(SYS_fchown, file, user, group));
}
int close(int file) {
    const bool fail = fails();
    const int result = static_cast<int>(syscall(SYS_close, file));
    return fail ? -1 : result;
}
int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const int mode = va_arg(rest, int);
    va_end(rest);
    return fails() ? -1 : static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}
// Names are swapped by it: older C libraries have no function for that. The linker gives these
// names to whoever calls it, and to the C library's own. NOLINTBEGIN(bugprone-reserved-identifier)
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
    std::array<long, 6> given{};
    va_list rest;
    va_start(rest, number);
    for (long& one : given)
        one = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_renameat2) {
        let_others();
        if (fails())
            return -1;
    }
    const auto [a, b, c, d, e, f] = given;
    return __real_syscall(number, a, b, c, d, e, f);
}
// NOLINTEND(bugprone-reserved-identifier)
int renameat(int in, const char* from, int to_folder, const char* to) __THROW {
    return static_cast<int>(syscall(SYS_renameat2, in, from, to_folder, to, 0));
}
int linkat(int in, const char* from, int to_folder, const char* to, int flags) __THROW {
    return fails() ? -1 : static_cast<int>(syscall(SYS_linkat, in, from, to_folder, to, flags));
}
int flock(int file, int what) __THROW {
    return fails() ? -1 : static_cast<int>(syscall(SYS_flock, file, what));
}
ssize_t flistxattr(int file, char* to, size_t n) __THROW {
    return fails() ? -1 : syscall(SYS_flistxattr, file, to, n);
}
ssize_t fgetxattr(int file, const char* name, void* to, size_t n) __THROW {
    return fails() ? -1 : syscall(SYS_fgetxattr, file, name, to, n);
}
int fsetxattr(int file, const char* name, const void* from, size_t n, int flags) __THROW {
    return fails() ? -1 : static_cast<int>(syscall(SYS_fsetxattr, file, name, from, n, flags));
}
}

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

class AtomicReplace : public TempFolder {};

const std::string old_text(10'000, 'o'), new_text(20'000, 'n');

// A game takes no lock, and may write between the last look and the renaming; it may even write
// again while its file is given back to it.
TEST_F(AtomicReplace, NoticesAnotherWriterAtTheLastMoment) {
    for (const int writes : {1, 2, 3}) {
        put("a", "old");
        const FileStamp stamp = file_stamp(at("a")).value();
        int written = 0;
        const std::function<void()> game = [&] {
            put("b", "the game's " + std::to_string(++written));
            fs::rename(at("b"), at("a"));
            if (written < writes)
                meanwhile = game;
        };
        meanwhile = game;
        auto late = atomic_replace(at("a"), as_bytes("mine"), {.expected = stamp});
        EXPECT_EQ(late ? 0 : late.error().system, ESTALE);
        EXPECT_EQ(read_text(at("a")), "the game's " + std::to_string(writes));
        EXPECT_EQ(file_names().size(), 1u);
    }
}

TEST_F(AtomicReplace, EachSystemCallFailingInTurn) {
    int errors = 0;
    for (const auto& [backup, expected_state] : {std::pair(false, false), std::pair(true, false),
                                                 std::pair(false, true), std::pair(true, true)})
        for (int call = 0;; ++call) {
            SCOPED_TRACE(call);
            fs::remove(at("a.bak"));
            put("a", old_text);
            ReplaceOptions options;
            if (backup)
                options.backup = at("a.bak");
            if (expected_state)
                options.expected = file_stamp(at("a")).value();
            failed = false;
            calls_until_failure = call;
            auto replaced = atomic_replace(at("a"), as_bytes(new_text), options);
            calls_until_failure = -1;
            const std::string now = read_text(at("a"));
            if (replaced) {
                EXPECT_EQ(now, new_text);
            } else {
                ++errors;
                EXPECT_EQ(replaced.error().system, EIO);
                EXPECT_TRUE(now == old_text || now == new_text) << now.size();
            }
            std::set<std::string> expected{"a"};
            if (fs::exists(at("a.bak"))) {
                expected.insert("a.bak");
                EXPECT_EQ(read_text(at("a.bak")), old_text);
            }
            EXPECT_EQ(file_names(), expected);
            if (!failed)
                break;
        }
    EXPECT_GT(errors, 20);
}

}  // namespace
}  // namespace gdvar::test
