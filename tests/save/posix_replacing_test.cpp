// Replacing a file that belongs to others as well: links of strangers, ACLs and attributes.
// Not for Windows: owners, groups, ACLs and attributes as POSIX has them.
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>

#include "gdvar/save/atomic_file.hpp"
#include "save/support.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

class ReplacingOthers : public TempFolder {};

template <class Work>
pid_t in_child(Work&& work) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(work() ? 0 : 1);
    return child;
}

bool succeeded(pid_t child) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int number_of(const auto& result) {
    return result ? 0 : result.error().system;
}

TEST_F(ReplacingOthers, LinksOfStrangersInSharedFolders) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can make a link that belongs to another";
    put("victim", "mine");
    fs::create_directory(folder_ / "shared");
    ASSERT_EQ(::chmod(at("shared").c_str(), 01777), 0);
    for (const char* target : {"../victim", "../fresh"}) {
        SCOPED_TRACE(target);
        fs::remove(folder_ / "shared" / "link");
        fs::create_symlink(target, folder_ / "shared" / "link");
        ASSERT_EQ(::lchown(at("shared/link").c_str(), 4242, 4242), 0);
        EXPECT_EQ(number_of(atomic_replace(at("shared/link"), as_bytes("x"))), EACCES);
        fs::remove(folder_ / "around");
        fs::create_symlink("shared/link", folder_ / "around");
        EXPECT_EQ(number_of(atomic_replace(at("around"), as_bytes("x"))), EACCES)
            << "at the second step, too";
    }
    EXPECT_EQ(number_of(EditLock::take(at("shared/link"))), EACCES);
    EXPECT_EQ(read_text(at("victim")), "mine");
    EXPECT_FALSE(fs::exists(folder_ / "fresh"));
    ASSERT_EQ(::lchown(at("shared/link").c_str(), 0, 0), 0);
    EXPECT_TRUE(atomic_replace(at("shared/link"), as_bytes("x"))) << "one's own is followed";
    EXPECT_EQ(read_text(at("fresh")), "x");
}

// ---- what a file has besides its bytes

bool runs(const std::string& command) {
    return std::system(command.c_str()) == 0;
}

std::string attribute(const std::string& path, const char* name) {
    char value[256];
    const ssize_t n = ::getxattr(path.c_str(), name, value, sizeof value);
    return n < 0 ? "none" : std::string(value, static_cast<std::size_t>(n));
}

std::string acl(const std::string& path) {
    return runs("getfacl -cnpE '" + path + "' > '" + path + ".acl' 2>/dev/null")
               ? read_text(path + ".acl")
               : "";
}

TEST_F(ReplacingOthers, AttributesStay) {
    put("a", "old");
    if (::setxattr(at("a").c_str(), "user.note", "keep\0me", 7, 0) != 0)
        GTEST_SKIP() << "the file system of /tmp has no extended attributes";
    ::setxattr(at("a").c_str(), "user.empty", "", 0, 0);
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("new"), {.backup = at("b")}));
    for (const char* name : {"a", "b"}) {
        EXPECT_EQ(attribute(at(name), "user.note"), std::string("keep\0me", 7)) << name;
        EXPECT_EQ(attribute(at(name), "user.empty"), "") << name;
    }
    EXPECT_EQ(read_text(at("a")), "new");
}

/// Sets an ACL. Returns why that can't be, or nothing.
std::string no_acl(const std::string& words, const std::string& path) {
    if (!runs("command -v setfacl getfacl >/dev/null"))
        return "no setfacl here: the package acl";
    return runs("setfacl " + words + " '" + path + "' 2>/dev/null")
               ? ""
               : "the file system of /tmp has no ACLs";
}

TEST_F(ReplacingOthers, AclsStay) {
    put("a", "old");
    ::chmod(at("a").c_str(), 0640);
    if (const auto why = no_acl("-m u:4242:rw,g:4243:r,g::-,m::rw", at("a")); !why.empty())
        GTEST_SKIP() << why;
    const std::string before = acl(at("a"));
    ASSERT_NE(before.find("user:4242:rw-"), std::string::npos) << before;
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("new")));
    EXPECT_EQ(acl(at("a")), before);
    EXPECT_EQ(read_text(at("a")), "new");
}

TEST_F(ReplacingOthers, TheFoldersDefaultAclIsForNewFilesOnly) {
    put("a", "old");
    ::chmod(at("a").c_str(), 0664);
    if (const auto why = no_acl("-d -m u:4242:rwx", folder_.string()); !why.empty())
        GTEST_SKIP() << why;
    const std::string before = acl(at("a"));
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("new")));
    EXPECT_EQ(acl(at("a")), before);
    ASSERT_TRUE(atomic_replace(at("fresh"), as_bytes("new")));
    EXPECT_NE(acl(at("fresh")).find("user:4242:"), std::string::npos);
}

// A group that can't be kept must not hand its rights to another one.
TEST_F(ReplacingOthers, RightsOfAGroupThatIsLost) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can make a file of another group";
    ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
    for (const bool with_acl : {false, true}) {
        put("a", "old");
        ASSERT_EQ(::chown(at("a").c_str(), 4242, 4243), 0);
        ::chmod(at("a").c_str(), 0666);
        if (const auto why = with_acl ? no_acl("-m u:4244:r", at("a")) : ""; !why.empty())
            GTEST_SKIP() << why;
        EXPECT_TRUE(succeeded(in_child([&] {
            return ::setgid(4245) == 0 && ::setuid(4245) == 0 &&
                   atomic_replace(at("a"), as_bytes("new")).has_value();
        })));
        const std::string after = acl(at("a"));
        EXPECT_EQ(after.find("group::rw"), std::string::npos) << after;
        EXPECT_EQ(after.find("user:4244:r--") != std::string::npos, with_acl) << after;
        fs::remove(at("a"));
        fs::remove(at("a.acl"));
    }
}

}  // namespace
}  // namespace gdvar::test
