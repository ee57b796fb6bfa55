#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <new>
#include <vector>

#include "base/platform/child.hpp"

namespace gdvar::platform {
namespace {

constexpr int held[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t taken = 0;

extern "C" void take(int number) {
    taken = number;
}

}  // namespace

struct HeldSignals::Kept {
    sigset_t mask;
    sigset_t set;  ///< held back, without the signals that were ignored before, as by nohup
    struct sigaction actions[std::size(held)];
    struct sigaction child;
};

const bool runs_programs = true;

HeldSignals::HeldSignals() noexcept : kept_(new(std::nothrow) Kept) {
    if (!kept_)
        return;
    sigemptyset(&kept_->set);
    for (std::size_t i = 0; i < std::size(held); ++i) {
        sigaction(held[i], nullptr, &kept_->actions[i]);
        if (kept_->actions[i].sa_handler != SIG_IGN)
            sigaddset(&kept_->set, held[i]);
    }
    pthread_sigmask(SIG_BLOCK, &kept_->set, &kept_->mask);
    struct sigaction to{};
    to.sa_handler = take;
    for (const int number : held)
        if (sigismember(&kept_->set, number))
            sigaction(number, &to, nullptr);
    // A child whose end is ignored can't be waited for.
    to.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &to, &kept_->child);
}

HeldSignals::~HeldSignals() {
    if (!kept_)
        return;
    for (std::size_t i = 0; i < std::size(held); ++i)
        sigaction(held[i], &kept_->actions[i], nullptr);
    sigaction(SIGCHLD, &kept_->child, nullptr);
    pthread_sigmask(SIG_SETMASK, &kept_->mask, nullptr);
    delete kept_;
}

Result<HeldSignals::Waited> HeldSignals::to_read(int descriptor) noexcept {
    if (!kept_)
        return refuse(ENOMEM);
    if (descriptor >= FD_SETSIZE)
        return refuse(EBADF);
    for (;;) {
        fd_set wanted;
        FD_ZERO(&wanted);
        FD_SET(descriptor, &wanted);
        taken = 0;
        // Signals are let through only during this call.
        const int ready =
            ::pselect(descriptor + 1, &wanted, nullptr, nullptr, nullptr, &kept_->mask);
        if (ready > 0)
            return Waited{};
        if (ready < 0 && errno != EINTR)
            return refuse_last();
        if (taken)
            return Waited{taken};
    }
}

namespace {

class Attributes {
public:
    explicit Attributes(const sigset_t& mask) noexcept {
        failed = ::posix_spawnattr_init(&value);
        if (failed)
            return;
        failed = ::posix_spawnattr_setsigmask(&value, &mask);
        if (!failed)
            failed = ::posix_spawnattr_setflags(&value, POSIX_SPAWN_SETSIGMASK);
    }
    ~Attributes() { ::posix_spawnattr_destroy(&value); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    posix_spawnattr_t value{};
    int failed = 0;
};

/// Blocks SIGCHLD while it lives, so that it can be waited for.
class BlockedChild {
public:
    BlockedChild() noexcept {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        pthread_sigmask(SIG_BLOCK, &set, &before_);
    }
    ~BlockedChild() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedChild(const BlockedChild&) = delete;
    BlockedChild& operator=(const BlockedChild&) = delete;

private:
    sigset_t before_;
};

/// This program's environment without the variables of these names, as posix_spawn takes it.
std::vector<char*> environment_without(std::span<const std::string_view> names) {
    std::vector<char*> out;
#ifdef __APPLE__
    char** const environ = *_NSGetEnviron();
#endif
    for (char** at = environ; *at; ++at) {
        const std::string_view variable(*at);
        if (std::ranges::find(names, variable.substr(0, variable.find('='))) == names.end())
            out.push_back(*at);
    }
    out.push_back(nullptr);
    return out;
}

/// The line, made to start the program in place of the shell if it is one plain command.
std::string without_shell(const std::string& line) {
    if (line.find_first_of("|&;<>(){}!`\n") != line.npos)
        return line;
    const std::size_t from = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string first = line.substr(from, line.find_first_of(" \t", from) - from);
    return (first.find('=') == first.npos ? "exec " : "exec env ") + line;
}

/// Removes a pending signal, if it is one of those held back.
void take_out(const sigset_t& held_back, int number) noexcept {
    sigset_t waiting, one;
    sigemptyset(&one);
    sigaddset(&one, number);
    int taken_out = 0;
    if (sigismember(&held_back, number) && sigpending(&waiting) == 0 &&
        sigismember(&waiting, number))
        (void)sigwait(&one, &taken_out);
}

}  // namespace

Result<HeldSignals::Ended> HeldSignals::run(const std::string& line, const std::string& word,
                                            std::span<const std::string_view> hidden) noexcept try {
    if (!kept_)
        return refuse(ENOMEM);
    std::vector<char*> variables = environment_without(hidden);
    const std::string script = without_shell(line) + " \"$@\"";
    std::string shell = "sh", option = "-c", name = "editor", last = word, all = script;
    char* arguments[] = {shell.data(), option.data(), all.data(),
                         name.data(),  last.data(),   nullptr};
    const Attributes attributes(kept_->mask);
    if (attributes.failed)
        return refuse(attributes.failed);
    pid_t child = 0;
    if (const int failed = ::posix_spawn(&child, "/bin/sh", nullptr, &attributes.value, arguments,
                                         variables.data()))
        return refuse(failed);
    sigset_t set = kept_->set;
    sigaddset(&set, SIGCHLD);
    const BlockedChild blocked;
    Ended out;
    for (;;) {
        int status = 0;
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) {
            out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
            out.killed_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            take_out(kept_->set, SIGINT);
            take_out(kept_->set, SIGQUIT);
            return out;
        }
        if (ended < 0 && errno != EINTR)
            return refuse_last();
        int number = 0;
        if (const int failed = sigwait(&set, &number))
            return refuse(failed);
        if (number == SIGTERM || number == SIGHUP) {
            ::kill(child, number);
            out.interrupted = number;
            return out;
        }
    }
} catch (const std::bad_alloc&) {
    return refuse(ENOMEM);
}

void end_by(int signal) noexcept {
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(signal);
    ::_exit(128 + signal);
}

Result<std::string> make_private_folder(const std::string& parent, const std::string& begins) {
    std::string path = parent + "/" + begins + "XXXXXX";
    if (!::mkdtemp(path.data()))
        return refuse_last();
    return path;
}

Result<Descriptor> hold_folder(const std::string& path) {
    // Not closed by exec: an editor outlives this program if that is killed.
    Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    if (!folder || ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0)
        return refuse_last();
    return folder;
}

bool is_left_folder(const std::string& path) noexcept {
    const Descriptor folder(
        ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    const auto info = folder ? info_of(folder.get()) : refuse(ENOENT);
    return info && info->mine && info->owner_only && ::flock(folder.get(), LOCK_SH | LOCK_NB) == 0;
}

}  // namespace gdvar::platform
