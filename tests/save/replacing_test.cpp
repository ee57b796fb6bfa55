// Replacing a file that others have, too: locks, backups.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/platform/file.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "save/support.hpp"
#include "support/children.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class Replacing : public TempFolder {
protected:
    static std::string text_of(ByteView bytes) {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

int errno_of(const auto& result) {
    return result ? 0 : result.error().system;
}

// ---- locks

constexpr int edits = 12;
const ChildWork edits_a_file("edits_a_file", [](const std::string& path, int letter) {
    for (int i = 0; i < edits; ++i) {
        auto lock = EditLock::take(path);
        if (!lock) {
            ADD_FAILURE() << to_string(lock.error());
            return false;
        }
        const std::string text = read_text(path) + static_cast<char>(letter);
        if (auto done = atomic_replace(path, as_bytes(text), {.lock = &*lock}); !done) {
            ADD_FAILURE() << to_string(done.error());
            return false;
        }
    }
    return true;
});

TEST_F(Replacing, OfManyEditsAtOnceNoneIsLost) {
    put("a", "");
    constexpr int children = 8;
    std::vector<Child> running;
    for (int child = 0; child < children; ++child)
        running.emplace_back(edits_a_file, at("a"), 'a' + child);
    for (Child& child : running)
        EXPECT_TRUE(child.succeeded());
    const std::string text = read_text(at("a"));
    EXPECT_EQ(text.size(), children * edits);
    for (int child = 0; child < children; ++child)
        EXPECT_EQ(std::count(text.begin(), text.end(), 'a' + child), edits) << text;
}

TEST_F(Replacing, ALockIsWaitedForSoLong) {
    put("a", "old");
    auto first = EditLock::take(at("a"));
    ASSERT_TRUE(first);
    EXPECT_EQ(errno_of(EditLock::take(at("a"), milliseconds(20))), EAGAIN);
    EXPECT_EQ(errno_of(atomic_replace(at("a"), as_bytes("x"), {.lock_wait = milliseconds(20)})),
              EAGAIN)
        << "what takes no lock of its own waits for the moment of replacing";
    EXPECT_EQ(read_text(at("a")), "old");
    EXPECT_TRUE(atomic_replace(at("a"), as_bytes("new"), {.lock = &*first}));
    EXPECT_TRUE(EditLock::take(at("a"), milliseconds(0))) << "the new file is nobody's";
}

const ChildWork waits_for_a_file("waits_for_a_file", [](const std::string& path, int) {
    std::ofstream(path + ".waiting");
    auto lock = EditLock::take(path);
    return lock && lock->stamp() == file_stamp(path).value() && read_text(path) == "new";
});

TEST_F(Replacing, AWaitEndsWithTheFileThatTookItsPlace) {
    put("a", "old");
    auto lock = EditLock::take(at("a"));
    ASSERT_TRUE(lock);
    Child child(waits_for_a_file, at("a"));
    for (int tries = 0; tries < 5000 && !fs::exists(at("a.waiting")); ++tries)
        std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(20));
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("new"), {.lock = &*lock}));
    EXPECT_TRUE(child.succeeded());
}

const ChildWork takes_a_lock("takes_a_lock", [](const std::string& path, int) {
    const auto lock = EditLock::take(path);
    std::ofstream(path + ".taken") << lock.has_value();
    std::this_thread::sleep_for(std::chrono::minutes(1));
    return true;
});

TEST_F(Replacing, LocksGoWithTheirProcess) {
    put("a", "old");
    Child child(takes_a_lock, at("a"));
    for (int tries = 0;
         tries < 5000 && !(fs::exists(at("a.taken")) && read_text(at("a.taken")) == "1"); ++tries)
        std::this_thread::sleep_for(milliseconds(1));
    EXPECT_EQ(errno_of(EditLock::take(at("a"), milliseconds(0))), EAGAIN);
    child.kill();
    EXPECT_TRUE(EditLock::take(at("a"), milliseconds(0)));
    fs::remove(at("a.taken"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Replacing, ALockNoticesWhoTakesNone) {
    put("a", "old");
    auto lock = EditLock::take(at("a"));
    ASSERT_TRUE(lock);
    put("a", "the game's own");
    EXPECT_EQ(errno_of(atomic_replace(at("a"), as_bytes("mine"), {.lock = &*lock})),
              platform::changed_meanwhile);
    EXPECT_EQ(read_text(at("a")), "the game's own");
}

const ChildWork has_no_standard_files("has_no_standard_files", [](const std::string& path, int) {
    for (const int number : {0, 1, 2})
        platform::close(number);
    auto lock = EditLock::take(path);
    auto file = AtomicFile::open(path, {.lock = &*lock});
    if (!lock || !file)
        return false;
    for (const int number : {0, 1, 2})
        if (const auto written = platform::write_all(number, as_bytes("printed"));
            written || written.error().number != EBADF)
            return false;
    return file->write(as_bytes("the new one")).has_value() && file->commit().has_value();
});

// A program's output goes to the numbers 1 and 2, whatever file has them.
TEST_F(Replacing, NoFileTakesTheNumberOfAStandardFile) {
    put("a", "the save");
    EXPECT_TRUE(Child(has_no_standard_files, at("a")).succeeded());
    EXPECT_EQ(read_text(at("a")), "the new one");
}

TEST_F(Replacing, WhatIsNoFileIsRefusedAtOnce) {
    fs::create_directory(folder_ / "folder");
    if (make_fifo(at("pipe"))) {
        EXPECT_EQ(errno_of(EditLock::take(at("pipe"))), ENOTSUP);
    }
    EXPECT_EQ(errno_of(EditLock::take(a_device)), ENOTSUP);
    EXPECT_EQ(errno_of(EditLock::take(at("folder"))), EISDIR);
    EXPECT_EQ(errno_of(EditLock::take(at("none"))), ENOENT);
}

TEST_F(Replacing, ABackupIsAnotherFile) {
    put("a", "old");
    fs::create_directory(folder_ / "folder");
    EXPECT_EQ(errno_of(atomic_replace(at("a"), as_bytes("new"), {.backup = at("a")})), EINVAL);
    EXPECT_EQ(errno_of(atomic_replace(at("a"), as_bytes("new"), {.backup = at("./a")})), EINVAL);
    EXPECT_EQ(errno_of(atomic_replace(at("a"), as_bytes("new"), {.backup = at("folder")})), EISDIR);
    EXPECT_EQ(read_text(at("a")), "old");
}

}  // namespace
}  // namespace gdvar::test
