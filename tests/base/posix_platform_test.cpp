// The POSIX part of base/platform: modes, signals, the user's folders, the machine's id.
// Not for Windows: file modes, signals and variables such as HOME.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>

#include "base/platform/child.hpp"
#include "base/platform/machine_id.hpp"
#include "base/platform/user.hpp"
#include "support/temp_folder.hpp"

namespace gdvar::platform {
namespace {

class PosixPlatform : public test::TempFolder {
protected:
    static std::string content(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(PosixPlatform, AFileWithoutANameHasNone) {
    const auto file = make_nameless(folder_);
    ASSERT_TRUE(file);
    const Descriptor owned(*file);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(PosixPlatform, ModesSayWhatOnlyTheUserCanRead) {
    namespace fs = std::filesystem;
    const auto folder = make_private_folder(folder_, "mine-");
    ASSERT_TRUE(folder);
    EXPECT_EQ(fs::status(*folder).permissions(), fs::perms::owner_all);
    const std::string file = *folder + "/text";
    ASSERT_TRUE(make_private_file(file, {}));
    EXPECT_TRUE(info_of(file)->owner_only);
    fs::create_symlink(at("elsewhere"), *folder + "/link");
    EXPECT_EQ(make_private_file(*folder + "/link", {}).error().number, EEXIST);
    fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
    EXPECT_FALSE(info_of(file)->owner_only);
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::replace);
    EXPECT_TRUE(may_write(file));
}

TEST_F(PosixPlatform, KnowsTheUsersFoldersAndPrograms) {
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

TEST_F(PosixPlatform, RunsAProgramAndKeepsSignalsForLater) {
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
TEST_F(PosixPlatform, ReadsTheIdOfTheMachineAsEnginesDo) {
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
