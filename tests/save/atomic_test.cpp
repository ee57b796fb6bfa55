// Replacing a file: each system call failing in turn, kills at any moment, links and permissions.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

/// What another program does just before a name is given to another file.
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
int fchown(int file, uid_t user, gid_t group) noexcept {
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
// Names are swapped by it: older C libraries have no function for that.
long syscall(long number, ...) noexcept {
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
    using Call = long (*)(long, ...);
    static const auto real = reinterpret_cast<Call>(::dlsym(RTLD_NEXT, "syscall"));
    const auto [a, b, c, d, e, f] = given;
    return real(number, a, b, c, d, e, f);
}
int renameat(int in, const char* from, int to_folder, const char* to) noexcept {
    return static_cast<int>(syscall(SYS_renameat2, in, from, to_folder, to, 0));
}
int linkat(int in, const char* from, int to_folder, const char* to, int flags) noexcept {
    return fails() ? -1 : static_cast<int>(syscall(SYS_linkat, in, from, to_folder, to, flags));
}
int flock(int file, int what) noexcept {
    return fails() ? -1 : static_cast<int>(syscall(SYS_flock, file, what));
}
ssize_t flistxattr(int file, char* to, size_t n) noexcept {
    return fails() ? -1 : syscall(SYS_flistxattr, file, to, n);
}
ssize_t fgetxattr(int file, const char* name, void* to, size_t n) noexcept {
    return fails() ? -1 : syscall(SYS_fgetxattr, file, name, to, n);
}
int fsetxattr(int file, const char* name, const void* from, size_t n, int flags) noexcept {
    return fails() ? -1 : static_cast<int>(syscall(SYS_fsetxattr, file, name, from, n, flags));
}
}

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

class AtomicReplace : public TempFolder {
protected:
    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_))
            all.insert(entry.path().filename());
        return all;
    }
    unsigned mode(const char* name) const {
        struct stat info{};
        EXPECT_EQ(::stat(at(name).c_str(), &info), 0);
        return info.st_mode & 07777;
    }
};

const std::string old_text(10'000, 'o'), new_text(20'000, 'n');

TEST_F(AtomicReplace, NewOldPermissionsLinksBackup) {
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("one")));
    EXPECT_EQ(read_text(at("a")), "one");
    ::chmod(at("a").c_str(), 0640);
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("two"), {.backup = at("a.bak")}));
    EXPECT_EQ(read_text(at("a")), "two");
    EXPECT_EQ(read_text(at("a.bak")), "one");
    EXPECT_EQ(mode("a"), 0640u);
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("three"), {.backup = at("a.bak")}));
    EXPECT_EQ(read_text(at("a.bak")), "two") << "the backup is replaced, too";

    fs::create_directory(folder_ / "deep");
    fs::create_symlink("../a", folder_ / "deep" / "link");
    fs::create_symlink("deep/link", folder_ / "twice");
    ASSERT_TRUE(atomic_replace(at("twice"), as_bytes("four")));
    EXPECT_TRUE(fs::is_symlink(folder_ / "twice") && fs::is_symlink(folder_ / "deep" / "link"));
    EXPECT_EQ(read_text(at("a")), "four");
    fs::create_symlink("fresh", folder_ / "dangling");
    ASSERT_TRUE(atomic_replace(at("dangling"), as_bytes("five")));
    EXPECT_EQ(read_text(at("fresh")), "five");
    EXPECT_EQ(names(), (std::set<std::string>{"a", "a.bak", "deep", "twice", "dangling", "fresh"}));
}

TEST_F(AtomicReplace, WhatCantBeReplaced) {
    fs::create_symlink("loop", folder_ / "loop");
    fs::create_directory(folder_ / "folder");
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    const auto error = [&](const char* name) {
        return atomic_replace(at(name), as_bytes("x")).error().system;
    };
    EXPECT_EQ(error("loop"), ELOOP);
    EXPECT_EQ(error("folder"), EISDIR);
    EXPECT_EQ(error("pipe"), ENOTSUP);
    EXPECT_EQ(error("no/such"), ENOENT);
    EXPECT_EQ(names().size(), 3u);
}

TEST_F(AtomicReplace, WithoutCommitNothingHappens) {
    put("a", "old");
    std::vector<std::string> announced;
    {
        auto file = AtomicFile::open(
            at("a"), {.announce = [&](const std::string& name) { announced.push_back(name); }});
        ASSERT_TRUE(file);
        auto moved = *std::move(file);
        ASSERT_TRUE(moved.write(as_bytes("new")));
        EXPECT_EQ(moved.path(), at("a"));
        EXPECT_EQ(names().size(), 2u);
        EXPECT_TRUE(fs::exists(announced.at(0)));
    }
    EXPECT_EQ(announced.size(), 2u);
    EXPECT_EQ(announced.back(), "");
    EXPECT_EQ(names().size(), 1u);
    EXPECT_EQ(read_text(at("a")), "old");
}

TEST_F(AtomicReplace, NoticesAnotherWriter) {
    put("a", "old");
    const FileStamp stamp = file_stamp(at("a")).value();
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("new"), {.expected = stamp}));
    put("a", "the game's own");
    auto late = atomic_replace(at("a"), as_bytes("mine"), {.expected = stamp});
    EXPECT_EQ(late.error().system, ESTALE);
    EXPECT_EQ(read_text(at("a")), "the game's own");
    EXPECT_EQ(names().size(), 1u);
}

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
        EXPECT_EQ(names().size(), 1u);
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
            EXPECT_EQ(names(), expected);
            if (!failed)
                break;
        }
    EXPECT_GT(errors, 20);
}

TEST_F(AtomicReplace, WithinAFolderNoLinkIsFollowed) {
    fs::create_directories(at("in/below"));
    fs::create_directories(at("out"));
    put("out/file", "old");
    fs::create_symlink("../out/file", at("in/link"));
    fs::create_symlink("nothing", at("in/dangling"));
    fs::create_symlink("../../out", at("in/below/folder"));
    fs::create_symlink(at("out"), at("in/absolute"));
    fs::create_symlink("in", at("also"));
    put("in/a file", "old");
    const auto replaced = [&](const std::string& name, const std::string& folder = "in") {
        const auto done = atomic_replace(name, as_bytes("new"), {.within = at(folder)});
        return done ? 0 : done.error().system;
    };
    EXPECT_EQ(replaced("link"), ELOOP);
    EXPECT_EQ(replaced("dangling"), ELOOP);
    EXPECT_EQ(replaced("below/folder/file"), ELOOP);
    EXPECT_EQ(replaced("absolute/file"), ELOOP);
    EXPECT_EQ(replaced("a file/file"), ENOTDIR);
    EXPECT_EQ(replaced("below"), EISDIR);
    for (const char* name :
         {"", "..", "../out/file", "below/../../out/file", "/file", "below//file", "below/", "."})
        EXPECT_EQ(replaced(name), EINVAL) << name;
    EXPECT_EQ(replaced("file", "nowhere"), ENOENT);
    EXPECT_EQ(read_text(at("out/file")), "old");
    EXPECT_FALSE(fs::exists(at("in/nothing")));
    EXPECT_EQ(replaced("a file"), 0);
    EXPECT_EQ(replaced("new/folders/file"), 0);
    EXPECT_EQ(replaced("new/folders/file"), 0);
    EXPECT_EQ(read_text(at("in/new/folders/file")), "new");
    // The folder itself is the user's own name.
    EXPECT_EQ(replaced("file", "also"), 0);
    EXPECT_EQ(read_text(at("in/file")), "new");
}

TEST_F(AtomicReplace, KilledAtAnyMoment) {
    put("a", old_text);
    for (int round = 0; round < 60; ++round) {
        const pid_t child = ::fork();
        if (child == 0) {
            for (;;) {
                (void)atomic_replace(at("a"), as_bytes(new_text), {.backup = at("a.bak")});
                (void)atomic_replace(at("a"), as_bytes(old_text));
            }
        }
        ::usleep(static_cast<useconds_t>(500 + round * 137));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        for (const char* name : {"a", "a.bak"}) {
            if (!fs::exists(at(name)))
                continue;
            const std::string now = read_text(at(name));
            EXPECT_TRUE(now == old_text || now == new_text) << name << ' ' << now.size();
        }
        EXPECT_TRUE(fs::exists(at("a")));
    }
}

}  // namespace
}  // namespace gdvar::test
