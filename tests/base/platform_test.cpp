// Files by the system's own descriptors and names.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/platform/attributes.hpp"
#include "base/platform/child.hpp"
#include "base/platform/machine_id.hpp"
#include "base/platform/resolved_path.hpp"
#include "base/platform/user.hpp"
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
};

TEST_F(Platform, ReadsAndWrites) {
    const auto file = make_nameless(folder_);
    ASSERT_TRUE(file);
    const Descriptor owned(*file);
    EXPECT_TRUE(fs::is_empty(folder_));
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
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const Descriptor in(ends[0]), out(ends[1]);
    EXPECT_EQ(position(in.get()).error().number, ESPIPE);
    EXPECT_EQ(info_of(in.get())->kind, FileKind::other);
}

TEST_F(Platform, ADescriptorIsNeverAStandardStream) {
    const int kept = ::dup(0);
    ::close(0);
    const Descriptor file(*open_to_read(put("a", "a")));
    EXPECT_GT(file.get(), 2);
    EXPECT_EQ(::fcntl(0, F_GETFD), -1) << "0 is free again";
    ::dup2(kept, 0);
    ::close(kept);
}

TEST_F(Platform, FollowsLinksToTheLastName) {
    fs::create_directory(folder_ / "d");
    put("d/a", "a");
    fs::create_symlink("d/a", folder_ / "one");
    fs::create_symlink(folder_ / "one", folder_ / "two");
    fs::create_symlink("three", folder_ / "three");
    fs::create_symlink("d/new", folder_ / "four");
    const auto a = resolve_path(at("two"));
    ASSERT_TRUE(a);
    EXPECT_EQ(a->name, "a");
    EXPECT_EQ(a->path, at("d/a"));
    EXPECT_EQ(a->beside("b"), at("d/b"));
    ASSERT_TRUE(a->info);
    EXPECT_TRUE(a->info->same_file(*info_of(at("d/a"))));
    EXPECT_TRUE(same_name(*a, *folder_and_name(at("d/a"))));
    EXPECT_FALSE(same_name(*a, *folder_and_name(at("a"))));
    EXPECT_EQ(resolve_path(at("three")).error().number, ELOOP);
    const auto none = resolve_path(at("four"));
    ASSERT_TRUE(none);
    EXPECT_EQ(none->path, at("d/new"));
    EXPECT_FALSE(none->info);
    EXPECT_TRUE(can_be_replaced(*a) && can_be_replaced(*none));
    EXPECT_EQ(can_be_replaced(*resolve_path(at("d"))).error().number, EISDIR);
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

TEST_F(Platform, MakesWhatOnlyTheUserCanRead) {
    const auto folder = make_private_folder(folder_, "mine-");
    ASSERT_TRUE(folder);
    EXPECT_TRUE(folder->starts_with(at("mine-")));
    EXPECT_EQ(fs::status(*folder).permissions(), fs::perms::owner_all);
    const std::string file = *folder + "/text";
    ASSERT_TRUE(make_private_file(file, as_bytes(std::string_view("secret"))));
    EXPECT_EQ(content(file), "secret");
    EXPECT_TRUE(info_of(file)->mine && info_of(file)->owner_only);
    EXPECT_EQ(make_private_file(file, {}).error().number, EEXIST);
    fs::create_symlink(at("elsewhere"), *folder + "/link");
    EXPECT_EQ(make_private_file(*folder + "/link", {}).error().number, EEXIST);
    fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
    EXPECT_FALSE(info_of(file)->owner_only);
    EXPECT_EQ(make_private_folder(at("none"), "x").error().number, ENOENT);
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::replace);
    EXPECT_TRUE(may_write(file));
    EXPECT_EQ(may_write(at("none")).error().number, ENOENT);
    EXPECT_TRUE(may_write(folder_));
}

TEST_F(Platform, KnowsTheUsersFoldersAndPrograms) {
    const auto folder = [](const char* name, const std::string& value, auto what) {
        const char* const before = std::getenv(name);
        const std::optional<std::string> kept =
            before ? std::optional<std::string>(before) : std::nullopt;
        ::setenv(name, value.c_str(), 1);
        const std::string found = what();
        if (kept)
            ::setenv(name, kept->c_str(), 1);
        else
            ::unsetenv(name);
        return found;
    };
    EXPECT_EQ(folder("HOME", folder_, home_folder), folder_);
    EXPECT_EQ(folder("HOME", "here", home_folder), "");
    EXPECT_EQ(folder("XDG_CONFIG_HOME", folder_, settings_folder), folder_);
    EXPECT_EQ(folder("XDG_RUNTIME_DIR", at("none"),
                     [&] { return folder("TMPDIR", folder_, private_folder); }),
              folder_);
    const auto own = make_private_folder(folder_, "mine-");
    ASSERT_TRUE(own);
    EXPECT_EQ(folder("XDG_RUNTIME_DIR", *own, private_folder), *own);
    EXPECT_TRUE(has_program("sh"));
    EXPECT_FALSE(has_program("no such program") || has_program("/"));
}

TEST_F(Platform, RunsAProgramAndKeepsSignalsForLater) {
    std::ofstream(at("a b")) << "old";
    HeldSignals signals;
    const auto ran = signals.run("printf more >", at("a b"));
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->exit_code, 0);
    EXPECT_EQ(content(at("a b")), "more");
    EXPECT_EQ(signals.run("f() { printf new > \"$2\"; return 7; }; f -x", at("a b"))->exit_code, 7);
    EXPECT_EQ(content(at("a b")), "new");
    EXPECT_EQ(signals.run("kill -9 $$; :", "")->killed_by, SIGKILL);
    // It gets the environment, without what is hidden from it.
    ::setenv("GDVAR_TEST_A", "secret", 1);
    ::setenv("GDVAR_TEST_AB", "known", 1);
    constexpr std::string_view hidden[] = {"GDVAR_TEST_A", "GDVAR_TEST_NONE"};
    EXPECT_EQ(
        signals.run("printf \"$GDVAR_TEST_A.$GDVAR_TEST_AB\" >", at("a b"), hidden)->exit_code, 0);
    EXPECT_EQ(content(at("a b")), ".known");
    EXPECT_EQ(signals.run("printf \"$GDVAR_TEST_A.$GDVAR_TEST_AB\" >", at("a b"))->exit_code, 0);
    EXPECT_EQ(content(at("a b")), "secret.known");
    std::ofstream(at("a b"), std::ios::trunc) << "new";
    EXPECT_EQ(signals.run("/nonexistent/editor 2>/dev/null", "")->exit_code, 127);
    // The terminal's signals are the editor's; for one that was told to end, this program is.
    const std::string self = std::to_string(::getpid());
    const auto through =
        signals.run("kill -INT " + self + "; kill -QUIT " + self + "; exit 3; :", "");
    ASSERT_TRUE(through);
    EXPECT_EQ(through->exit_code, 3);
    EXPECT_EQ(through->interrupted, 0);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const Descriptor in(ends[0]), out(ends[1]);
    ASSERT_TRUE(write_all(out.get(), as_bytes(std::string_view("y"))));
    EXPECT_EQ(signals.to_read(in.get())->signal, 0) << "what came meanwhile is gone";
    ::raise(SIGINT);
    std::byte one[1];
    EXPECT_EQ(read(in.get(), one), 1u);
    EXPECT_EQ(signals.to_read(in.get())->signal, SIGINT);
    const auto ended = signals.run("kill -TERM " + self + "; exec sleep", "20");
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->interrupted, SIGTERM);
}

// The rule of Godot's OS_LinuxBSD::get_unique_id, by get_line and strip_edges.
TEST_F(Platform, ReadsTheIdOfTheMachineAsEnginesDo) {
    using namespace std::string_view_literals;
    const struct {
        std::string_view text, id;
    } cases[] = {
        {"0123456789abcdef0123456789abcdef\n", "0123456789abcdef0123456789abcdef"},
        {"0123abc", "0123abc"},
        {"", ""},
        {"\n \n\t\r\n", ""},
        {"\n  \n\t 0123 abc \r\nsecond\n", "0123 abc"},
        {"\0 \x01"
         "ab\x1f\0cd\n"sv,
         "ab"},
        {"a\rb\r\n", "ab"},
        {"uninitialized\n", "uninitialized"},
        {"p\xC3\xA4\xC2\xA0\n", "p\xC3\xA4\xC2\xA0"},
    };
    for (const auto& [text, id] : cases) {
        std::ofstream(at("id"), std::ios::binary | std::ios::trunc) << text;
        EXPECT_EQ(machine_id(at("id")), std::string(id));
    }
    std::ofstream(at("id"), std::ios::binary | std::ios::trunc) << std::string(1 << 17, ' ') << "a";
    EXPECT_EQ(machine_id(at("id")), "") << "no more than 64 KiB are read";
    EXPECT_EQ(machine_id(at("none")).error().number, ENOENT);
    EXPECT_EQ(machine_id(folder_).error().number, EISDIR);
}

}  // namespace
}  // namespace gdvar::platform
