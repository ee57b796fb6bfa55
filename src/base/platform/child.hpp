// A program that works in the terminal while this one waits for it: an editor.
// Room: platform. posix_child.cpp implements it.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// Holds back SIGINT, SIGQUIT, SIGTERM and SIGHUP while it lives, so that a program can put its
/// things in order before it ends of one. For one thread; others must not be running. Once it is
/// gone, what was held back takes its course.
class HeldSignals {
public:
    HeldSignals() noexcept;
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// How a wait ended.
    struct Waited {
        int signal = 0;  ///< that came first; 0: what was waited for is there
    };
    /// Waits until the descriptor has something to read, or its end.
    Result<Waited> to_read(int descriptor) noexcept;

    struct Ended {
        int exit_code = 0;
        int killed_by = 0;    ///< a signal that ended the program
        int interrupted = 0;  ///< SIGTERM or SIGHUP that came for this program. It was passed on to
                              ///< the other, which may still be running.
    };
    /// Runs a command line by the shell, with `word` behind it as one more argument, and waits for
    /// its end. One plain command runs in place of the shell, which would end of Ctrl-C, though the
    /// command goes on. Meanwhile SIGINT and SIGQUIT are for that program alone: the terminal sends
    /// them to both. It gets the environment without the variables of the names `hidden`.
    Result<Ended> run(const std::string& line, const std::string& word,
                      std::span<const std::string_view> hidden = {}) noexcept;

private:
    struct Kept;
    Kept* kept_;
};

/// Whether this system lets a program run another one.
extern const bool runs_programs;

/// Ends this program by that signal, as if nobody had held it back.
[[noreturn]] void end_by(int signal) noexcept;

/// Makes a folder in `parent` that only this user can enter, under a name that begins so and that
/// nobody picked before. Returns its path.
Result<std::string> make_private_folder(const std::string& parent, const std::string& begins);
/// Holds the folder by a lock (flock) until the Descriptor is closed, and until the programs that
/// this one starts have ended: they get the lock, too. However these end, it ends with them.
Result<Descriptor> hold_folder(const std::string& path);
/// Whether that is a folder of this user, no link, that only this user can enter and that nobody
/// holds. False where the file system has no locks.
bool is_left_folder(const std::string& path) noexcept;
/// Makes a file that only this user can read, with these bytes. Errors: EEXIST, ...
Result<void> make_private_file(const std::string& path, ByteView bytes);

}  // namespace gdvar::platform
