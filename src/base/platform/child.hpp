// Runs another program in the terminal, such as an editor, and waits for it. posix_child.cpp
// implements it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// Holds back SIGINT, SIGQUIT, SIGTERM and SIGHUP while it lives, so that a program can clean up
/// before one of them ends it. For one thread; no others may be running. Its destructor lets the
/// held signals through.
class HeldSignals {
public:
    HeldSignals() noexcept;
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    struct Waited {
        int signal = 0;  ///< the first that came; 0: the descriptor is ready
    };
    /// Waits until the descriptor has something to read, or its end.
    Result<Waited> to_read(int descriptor) noexcept;

    struct Ended {
        int exit_code = 0;
        int killed_by = 0;    ///< a signal that ended the program
        int interrupted = 0;  ///< SIGTERM or SIGHUP that came for this program. It was passed on to
                              ///< the other, which may still be running.
    };
    /// Runs a command line by the shell, with `word` as one more argument, and waits for its end. A
    /// single plain command replaces the shell, which would end on Ctrl-C while the command goes
    /// on. Meanwhile SIGINT and SIGQUIT are for that program alone: the terminal sends them to
    /// both. Its environment lacks the variables named in `hidden`.
    Result<Ended> run(const std::string& line, const std::string& word,
                      std::span<const std::string_view> hidden = {}) noexcept;

private:
    struct Kept;
    Kept* kept_;
};

/// False on systems where a program can't run another one.
extern const bool runs_programs;

/// Ends this program by that signal, as if it had not been held back.
[[noreturn]] void end_by(int signal) noexcept;

/// Makes a folder in `parent` that only this user can enter, under a new name that begins with
/// `begins`. Returns its path.
Result<std::string> make_private_folder(const std::string& parent, const std::string& begins);
/// Locks the folder (flock) until the Descriptor is closed and the programs that this one starts,
/// which inherit the lock, have ended, in whatever way.
Result<Descriptor> hold_folder(const std::string& path);
/// True for a folder of this user, not a link, that only this user can enter and that nobody holds.
/// False where the file system has no locks.
bool is_left_folder(const std::string& path) noexcept;
/// Makes a file that only this user can read, with these bytes. Errors: EEXIST, ...
Result<void> make_private_file(const std::string& path, ByteView bytes);

}  // namespace gdvar::platform
