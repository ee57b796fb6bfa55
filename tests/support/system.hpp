// Questions of tests to the system beyond the standard library. Beside it: children.hpp,
// small_stack.hpp, allocated.hpp and socket.hpp. Other tests do not know on which system they run,
// but for the posix_*_test.cpp, which are for POSIX alone.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gdvar::test {

/// The most memory that this process has held so far.
long peak_kilobytes();
/// How many files, sockets and the like this process has open.
std::size_t open_things();
/// The descriptors of a pipe: its end for reading, its end for writing.
std::array<int, 2> make_pipe();
/// The name of a device.
extern const char* const a_device;
/// Makes a file that is a pipe. False: this system has no such files. Throws where it has them and
/// makes none.
bool make_fifo(const std::string& path);
bool has_unix_sockets();
/// Whether a listener is given a connection that was reset before it is accepted.
bool accepts_reset_connections();
/// Whether symbolic links can be made here.
bool has_links();

/// The path in UTF-8, with slashes.
inline std::string text_of(const std::filesystem::path& path) {
    const std::u8string text = path.generic_u8string();
    return {text.begin(), text.end()};
}

/// A path in UTF-8, with slashes where the system takes both kinds.
inline std::string slashed(std::string_view path) {
    return text_of(std::u8string(path.begin(), path.end()));
}

}  // namespace gdvar::test

/// The test skips itself where no symbolic links can be made.
#define GDVAR_TEST_NEEDS_LINKS()     \
    if (!::gdvar::test::has_links()) \
    GTEST_SKIP() << "no symbolic links here"
