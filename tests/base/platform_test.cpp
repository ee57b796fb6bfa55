// Files by the system's own descriptors and names.
#include <atomic>
#include <cerrno>
#include <thread>

#include "base/platform/attributes.hpp"
#include "base/platform/child.hpp"
#include "base/platform/resolved_path.hpp"
#include "base/platform/user.hpp"
#include "support/children.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::platform {
namespace {

namespace fs = std::filesystem;

class Platform : public test::TempFolder {
protected:
    static std::string content(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// `one` leads to the file d/a, and `other` to d/new, which is not there.
    void finds(const char* one, const char* other) const {
        const auto a = resolve_path(at(one));
        ASSERT_TRUE(a);
        EXPECT_EQ(a->name, "a");
        EXPECT_EQ(test::slashed(a->path), at("d/a"));
        EXPECT_EQ(test::slashed(a->beside("b")), at("d/b"));
        ASSERT_TRUE(a->info);
        EXPECT_TRUE(a->info->same_file(*info_of(at("d/a"))));
        EXPECT_TRUE(same_name(*a, *folder_and_name(at("d/a"))));
        EXPECT_FALSE(same_name(*a, *folder_and_name(at("a"))));
        const auto none = resolve_path(at(other));
        ASSERT_TRUE(none);
        EXPECT_EQ(test::slashed(none->path), at("d/new"));
        EXPECT_FALSE(none->info);
        EXPECT_TRUE(can_be_replaced(*a) && can_be_replaced(*none));
        EXPECT_EQ(can_be_replaced(*resolve_path(at("d"))).error().number, EISDIR);
    }
    /// A line of the shell makes a folder in that one.
    void gets_the_file(const std::string& parent) const {
        fs::create_directory(path(parent));
        HeldSignals signals;
        const auto ended = signals.run("mkdir", at(parent + "/new"));
        ASSERT_TRUE(ended);
        EXPECT_EQ(ended->exit_code, 0);
        EXPECT_TRUE(fs::is_directory(path(parent + "/new")));
    }
};

TEST_F(Platform, ReadsAndWrites) {
    const auto file = make_nameless(folder());
    ASSERT_TRUE(file);
    Descriptor owned(*file);
    ASSERT_TRUE(write_all(owned.get(), as_bytes(std::string_view("0123456789"))));
    std::byte to[4];
    EXPECT_EQ(read(owned.get(), to), 0u);
    ASSERT_EQ(read_at(owned.get(), to, 8), 2u);
    EXPECT_EQ(detail::as_text(to, 2), "89");
    EXPECT_EQ(position(owned.get()), 10);
    ASSERT_TRUE(set_position(owned.get(), 1) && advance(owned.get(), 2));
    ASSERT_EQ(read(owned.get(), to), 4u);
    EXPECT_EQ(detail::as_text(to, 4), "3456");
    EXPECT_EQ(info_of(owned.get())->size, 10u);
    EXPECT_EQ(info_of(owned.get())->kind, FileKind::regular);
    EXPECT_TRUE(sync(owned.get()));
    EXPECT_TRUE(owned.close());
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Platform, SaysWhatTheSystemSays) {
    EXPECT_EQ(open_to_read(at("none")).error().number, ENOENT);
    EXPECT_EQ(info_of(at("none")).error().number, ENOENT);
    EXPECT_EQ(info_of(-1).error().number, EBADF);
    std::byte to[1];
    EXPECT_EQ(read(-1, to).error().number, EBADF);
    EXPECT_EQ(write_all(-1, to).error().number, EBADF);
    EXPECT_EQ(resolve_path(at("none/x")).error().number, ENOENT);
    EXPECT_EQ(resolve_path(at("x/..")).error().number, EISDIR);
    EXPECT_EQ(folder_and_name(at("")).error().number, EISDIR);
    const auto ends = test::make_pipe();
    const Descriptor in(ends[0]), out(ends[1]);
    EXPECT_EQ(position(in.get()).error().number, ESPIPE);
    EXPECT_EQ(info_of(in.get())->kind, FileKind::other);
}

const test::ChildWork opens_without_standard_input("opens_without_standard_input",
                                                   [](const std::string& path, int) {
                                                       close(0);
                                                       const Descriptor file(*open_to_read(path));
                                                       std::byte to[4];
                                                       const auto size = read(file.get(), to);
                                                       // 0 is free again.
                                                       return file.get() > 2 && size == 1u &&
                                                              info_of(0).error().number == EBADF;
                                                   });

TEST_F(Platform, ADescriptorIsNeverAStandardStream) {
    EXPECT_TRUE(test::Child(opens_without_standard_input, put("a", "a")).succeeded());
}

TEST_F(Platform, FollowsLinksToTheLastName) {
    GDVAR_TEST_NEEDS_LINKS();
    fs::create_directory(folder_ / "d");
    put("d/a", "a");
    fs::create_symlink("d/a", folder_ / "one");
    fs::create_symlink(folder_ / "one", folder_ / "two");
    fs::create_symlink("three", folder_ / "three");
    fs::create_symlink("d/new", folder_ / "four");
    finds("two", "four");
    EXPECT_EQ(resolve_path(at("three")).error().number, ELOOP);
}

TEST_F(Platform, FindsTheFolderAndTheName) {
    fs::create_directory(folder_ / "d");
    put("d/a", "a");
    finds("d/a", "d/new");
}

/// Names that the system takes for one are one; others differ.
TEST_F(Platform, AFileHasTheNameThatItsFolderHas) {
    put("a.save", "");
    for (const char* given : {"a.save", "A.SAVE", "a.save.", "a.save "}) {
        const bool same = fs::exists(at(given));
        for (const auto& found : {resolve_path(at(given)), folder_and_name(at(given))}) {
            ASSERT_TRUE(found) << given;
            EXPECT_EQ(found->name, same ? "a.save" : given);
        }
        EXPECT_EQ(resolve_path(at(given))->info.has_value(), same) << given;
    }
}

/// Where a colon leads to another stream of a file, that is no name.
TEST_F(Platform, AStreamIsNoName) {
    put("a", "old");
    const std::string name = folder() + "/a:b";  // alone, it would be a file of the drive A
    std::ofstream(name) << "new";
    const bool stream = !file_names().contains("a:b");
    for (const auto& found :
         {resolve_path(name), folder_and_name(name), resolve_below(folder(), "a:b")}) {
        ASSERT_EQ(found.has_value(), !stream);
        EXPECT_EQ(found ? 0 : found.error().number, stream ? ENOTSUP : 0);
    }
}

TEST_F(Platform, NamesInAllAlphabetsAndLongPaths) {
    std::string below;
    for (int depth = 0; depth < 4; ++depth)
        below += std::string(70, static_cast<char>('a' + depth)) + '/';
    for (const std::string name : {"päth", "セーブ", "сохранение 1", "👾", "a&b 'c' 100%"}) {
        const std::string whole = at(below + name);
        ASSERT_GT(whole.size(), 280u);
        const auto resolved = resolve_below(folder(), below + name);
        ASSERT_TRUE(resolved) << name;
        EXPECT_EQ(resolved->name, name);
        EXPECT_EQ(test::slashed(resolved->path), whole);
        const auto file = make_file(*resolved, name, for_all);
        ASSERT_TRUE(file) << name;
        ASSERT_TRUE(write_all(file->get(), as_bytes(name)));
        EXPECT_EQ(info_of(whole)->size, name.size());
        EXPECT_TRUE(resolve_path(whole)->info->same_file(*info_of(file->get())));
        const Descriptor reading(*open_to_read(whole));
        std::string back(100, '\0');
        back.resize(read(reading.get(), std::as_writable_bytes(std::span(back))).value());
        EXPECT_EQ(back, name);
    }
}

TEST_F(Platform, GivesAndTakesNames) {
    put("a", "old");
    const auto a = resolve_path(at("a"));
    ASSERT_TRUE(a);
    const std::string name = temporary_name(a->name);
    EXPECT_NE(name, temporary_name(a->name));
    {
        const auto file = make_file(*a, name, for_owner_alone);
        ASSERT_TRUE(file);
        ASSERT_TRUE(write_all(file->get(), as_bytes(std::string_view("new"))));
        ASSERT_TRUE(copy_attributes(open_file(*a, Access::read)->get(), file->get()));
    }
    EXPECT_EQ(fs::status(at("a")).permissions(), fs::status(at(name)).permissions());
    EXPECT_EQ(make_file(*a, name, for_all).error().number, EEXIST);
    const auto swapped = swap_names(*a, name, a->name);
    if (swapped) {
        EXPECT_EQ(content(at("a")), "new");
        EXPECT_EQ(content(at(name)), "old");
        ASSERT_TRUE(swap_names(*a, name, a->name));
    } else {
        EXPECT_EQ(swapped.error().number, EINVAL);
    }
    const auto backup = folder_and_name(at("b"));
    ASSERT_TRUE(backup && add_name(*a, *backup, "b"));
    ASSERT_TRUE(rename(*a, name, a->name));
    EXPECT_EQ(content(at("a")), "new");
    EXPECT_EQ(content(at("b")), "old");
    EXPECT_TRUE(sync_folder(*a));
    remove(*a, "b");
    EXPECT_FALSE(fs::exists(at("b")));
}

TEST_F(Platform, LookingAtAFileKeepsNobodyFromOpeningIt) {
    const auto file = resolve_path(put("a", "content"));
    ASSERT_TRUE(file);
    std::atomic<bool> over{false};
    std::thread looking([&] {
        while (!over)
            (void)can_be_replaced(*file);
    });
    constexpr int times = 500;
    int opened = 0;
    for (int i = 0; i < times; ++i)
        opened += content(at("a")) == "content";
    over = true;
    looking.join();
    EXPECT_EQ(opened, times);
}

TEST_F(Platform, OneHoldsTheLock) {
    put("a", "");
    const auto a = resolve_path(at("a"));
    ASSERT_TRUE(a);
    auto first = open_file(*a, Access::read_and_write);
    const auto second = open_file(*a, Access::read_and_write);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(try_to_lock(first->get()), LockResult::taken);
    EXPECT_EQ(try_to_lock(second->get()), LockResult::held);
    EXPECT_TRUE(first->close());
    EXPECT_EQ(try_to_lock(second->get()), LockResult::taken);
}

TEST_F(Platform, TheCurrentFolderHasNoPrograms) {
    const fs::path before = fs::current_path();
    for (const char* name : {"planted", "planted.exe", "planted.cmd"}) {
        put(name, "exit 7\n");
        fs::permissions(at(name), fs::perms::owner_all);
    }
    fs::current_path(folder_);
    const bool found = has_program("planted");
    fs::current_path(before);
    EXPECT_FALSE(found);
}

TEST_F(Platform, AShellGetsTheFile) {
    gets_the_file("te mp & ' %");
}

TEST_F(Platform, AShellTakesNoFileForAVariable) {
    gets_the_file("%PATH%");
}

TEST_F(Platform, MakesWhatOnlyTheUserCanRead) {
    const auto made = make_private_folder(folder(), "mine-");
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->starts_with(at("mine-")));
    EXPECT_TRUE(is_left_folder(*made));
    const std::string file = *made + "/text";
    ASSERT_TRUE(make_private_file(file, as_bytes(std::string_view("secret"))));
    EXPECT_EQ(content(file), "secret");
    EXPECT_TRUE(info_of(file)->mine && info_of(file)->owner_only);
    EXPECT_EQ(make_private_file(file, {}).error().number, EEXIST);
    EXPECT_EQ(make_private_folder(at("none"), "x").error().number, ENOENT);
    EXPECT_TRUE(may_write(file));
    EXPECT_EQ(may_write(at("none")).error().number, ENOENT);
    EXPECT_TRUE(may_write(folder()));
}

}  // namespace
}  // namespace gdvar::platform
