// Replacing a file: kills at any moment, links and permissions.
#include <chrono>
#include <set>
#include <thread>

#include "base/platform/file.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "save/support.hpp"
#include "support/children.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;

class AtomicReplace : public TempFolder {
protected:
    /// The number of the error with which a file below the folder was replaced; 0: none.
    int replaced_within(const std::string& name, const std::string& folder = "in") const {
        const auto done = atomic_replace(name, as_bytes("new"), {.within = at(folder)});
        return done ? 0 : done.error().system;
    }
};

const std::string old_text(10'000, 'o'), new_text(20'000, 'n');

TEST_F(AtomicReplace, NewOldPermissionsBackup) {
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("one")));
    EXPECT_EQ(read_text(at("a")), "one");
    fs::permissions(at("a"), fs::perms{0640});
    const fs::perms before = fs::status(at("a")).permissions();
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("two"), {.backup = at("a.bak")}));
    EXPECT_EQ(read_text(at("a")), "two");
    EXPECT_EQ(read_text(at("a.bak")), "one");
    EXPECT_EQ(fs::status(at("a")).permissions(), before);
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("three"), {.backup = at("a.bak")}));
    EXPECT_EQ(read_text(at("a.bak")), "two") << "the backup is replaced, too";
    EXPECT_EQ(file_names(), (std::set<std::string>{"a", "a.bak"}));
}

TEST_F(AtomicReplace, FollowsLinks) {
    GDVAR_TEST_NEEDS_LINKS();
    put("a", "three");
    fs::create_directory(folder_ / "deep");
    fs::create_symlink("../a", folder_ / "deep" / "link");
    fs::create_symlink("deep/link", folder_ / "twice");
    ASSERT_TRUE(atomic_replace(at("twice"), as_bytes("four")));
    EXPECT_TRUE(fs::is_symlink(folder_ / "twice") && fs::is_symlink(folder_ / "deep" / "link"));
    EXPECT_EQ(read_text(at("a")), "four");
    fs::create_symlink("fresh", folder_ / "dangling");
    ASSERT_TRUE(atomic_replace(at("dangling"), as_bytes("five")));
    EXPECT_EQ(read_text(at("fresh")), "five");
    EXPECT_EQ(file_names(), (std::set<std::string>{"a", "deep", "twice", "dangling", "fresh"}));
}

TEST_F(AtomicReplace, WhatCantBeReplaced) {
    fs::create_directory(folder_ / "folder");
    const bool has_pipe = make_fifo(at("pipe"));
    const auto error = [&](const char* name) {
        return atomic_replace(at(name), as_bytes("x")).error().system;
    };
    EXPECT_EQ(error("folder"), EISDIR);
    if (has_pipe) {
        EXPECT_EQ(error("pipe"), ENOTSUP);
    }
    EXPECT_EQ(error("no/such"), ENOENT);
    EXPECT_EQ(file_names().size(), has_pipe ? 2u : 1u);
}

TEST_F(AtomicReplace, ALinkToItselfCantBeReplaced) {
    GDVAR_TEST_NEEDS_LINKS();
    fs::create_symlink("loop", folder_ / "loop");
    EXPECT_EQ(atomic_replace(at("loop"), as_bytes("x")).error().system, ELOOP);
    EXPECT_EQ(file_names().size(), 1u);
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
        EXPECT_EQ(slashed(moved.path()), at("a"));
        EXPECT_EQ(file_names().size(), 2u);
        EXPECT_TRUE(fs::exists(announced.at(0)));
    }
    EXPECT_EQ(announced.size(), 2u);
    EXPECT_EQ(announced.back(), "");
    EXPECT_EQ(file_names().size(), 1u);
    EXPECT_EQ(read_text(at("a")), "old");
}

TEST_F(AtomicReplace, NoticesAnotherWriter) {
    put("a", "old");
    const FileStamp stamp = file_stamp(at("a")).value();
    ASSERT_TRUE(atomic_replace(at("a"), as_bytes("new"), {.expected = stamp}));
    put("a", "the game's own");
    auto late = atomic_replace(at("a"), as_bytes("mine"), {.expected = stamp});
    EXPECT_EQ(late.error().system, platform::changed_meanwhile);
    EXPECT_EQ(read_text(at("a")), "the game's own");
    EXPECT_EQ(file_names().size(), 1u);
}

TEST_F(AtomicReplace, WithinAFolder) {
    fs::create_directories(at("in/below"));
    fs::create_directories(at("out"));
    put("out/file", "old");
    put("in/a file", "old");
    EXPECT_EQ(replaced_within("a file/file"), ENOTDIR);
    EXPECT_EQ(replaced_within("below"), EISDIR);
    for (const char* name :
         {"", "..", "../out/file", "below/../../out/file", "/file", "below//file", "below/", "."})
        EXPECT_EQ(replaced_within(name), EINVAL) << name;
    EXPECT_EQ(replaced_within("file", "nowhere"), ENOENT);
    EXPECT_EQ(read_text(at("out/file")), "old");
    EXPECT_EQ(replaced_within("a file"), 0);
    EXPECT_EQ(replaced_within("new/folders/file"), 0);
    EXPECT_EQ(replaced_within("new/folders/file"), 0);
    EXPECT_EQ(read_text(at("in/new/folders/file")), "new");
}

TEST_F(AtomicReplace, WithinAFolderNoLinkIsFollowed) {
    GDVAR_TEST_NEEDS_LINKS();
    fs::create_directories(at("in/below"));
    fs::create_directories(at("out"));
    put("out/file", "old");
    fs::create_symlink("../out/file", at("in/link"));
    fs::create_symlink("nothing", at("in/dangling"));
    fs::create_symlink("../../out", at("in/below/folder"));
    fs::create_symlink(at("out"), at("in/absolute"));
    fs::create_symlink("in", at("also"));
    EXPECT_EQ(replaced_within("link"), ELOOP);
    EXPECT_EQ(replaced_within("dangling"), ELOOP);
    EXPECT_EQ(replaced_within("below/folder/file"), ELOOP);
    EXPECT_EQ(replaced_within("absolute/file"), ELOOP);
    EXPECT_EQ(read_text(at("out/file")), "old");
    EXPECT_FALSE(fs::exists(at("in/nothing")));
    // The folder itself is the user's own name.
    EXPECT_EQ(replaced_within("file", "also"), 0);
    EXPECT_EQ(read_text(at("in/file")), "new");
}

/// Some systems close what a killed process had open a moment after its end.
template <class Work>
auto patiently(Work&& work) {
    for (int tries = 0; tries < 100; ++tries) {
        try {
            return work();
        } catch (const std::exception&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    return work();
}

const ChildWork replaces_for_ever("replaces_for_ever", [](const std::string& path, int) {
    for (;;) {
        (void)atomic_replace(path, as_bytes(new_text), {.backup = path + ".bak"});
        (void)atomic_replace(path, as_bytes(old_text));
    }
    return true;
});

TEST_F(AtomicReplace, KilledAtAnyMoment) {
    put("a", old_text);
    for (int round = 0; round < 60; ++round) {
        patiently([&] { return fs::remove(at("a.bak")); });
        {
            const Child child(replaces_for_ever, at("a"));
            // It is at work once there is a backup.
            for (int tries = 0; tries < 5000 && !fs::exists(at("a.bak")); ++tries)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::this_thread::sleep_for(std::chrono::microseconds(round * 137));
        }
        ASSERT_TRUE(fs::exists(at("a.bak")));
        for (const char* name : {"a", "a.bak"}) {
            const std::string now = patiently([&] { return read_text(at(name)); });
            EXPECT_TRUE(now == old_text || now == new_text) << name << ' ' << now.size();
        }
    }
}

}  // namespace
}  // namespace gdvar::test
