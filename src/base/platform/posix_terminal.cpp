#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "base/platform/terminal.hpp"

namespace gdvar::platform {

std::size_t terminal_columns(int descriptor) noexcept {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

namespace {

/// A terminal that hides typed text and gives each byte as it comes. Signals that end or stop the
/// program wait until it shows text again.
class Hiding {
public:
    explicit Hiding(int descriptor) : descriptor_(descriptor) {
        sigemptyset(&ending_);
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP})
            sigaddset(&ending_, number);
        if (::tcgetattr(descriptor, &before_) != 0)
            return;
        sigprocmask(SIG_BLOCK, &ending_, &mask_before_);
        termios hidden = before_;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHONL | ICANON | ISIG);
        hidden.c_cc[VMIN] = 1;
        hidden.c_cc[VTIME] = 0;
        on_ = ::tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0;
        if (!on_)
            sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
    }
    ~Hiding() {
        if (!on_)
            return;
        ::tcsetattr(descriptor_, TCSAFLUSH, &before_);
        sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
    }
    Hiding(const Hiding&) = delete;
    Hiding& operator=(const Hiding&) = delete;
    bool on() const noexcept { return on_; }
    /// The next byte. Nothing at the end of input, or if a signal is pending.
    std::optional<char> next() const {
        for (;;) {
            sigset_t waiting;
            if (sigpending(&waiting) == 0)
                for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
                    if (sigismember(&waiting, number))
                        return std::nullopt;
            constexpr int look_again_ms = 100;
            pollfd file{descriptor_, POLLIN, 0};
            if (::poll(&file, 1, look_again_ms) <= 0)
                continue;
            char byte = 0;
            if (::read(descriptor_, &byte, 1) != 1)
                return std::nullopt;
            return byte;
        }
    }

private:
    int descriptor_;
    bool on_ = false;
    termios before_{};
    sigset_t ending_{}, mask_before_{};
};

}  // namespace

bool read_hidden_line(int descriptor, std::string_view prompt, HiddenText& line) {
    const Hiding hiding(descriptor);
    if (!hiding.on())
        return false;
    const auto write_out = [&](std::string_view text) {
        return ::write(descriptor, text.data(), text.size()) >= 0;
    };
    line.size_ = 0;
    bool whole = write_out(prompt), fits = true;
    while (whole) {
        const std::optional<char> byte = hiding.next();
        whole = byte && *byte != 3 && *byte != 4 && *byte != 27;  // Ctrl-C, Ctrl-D, Escape
        if (!whole || *byte == '\n' || *byte == '\r')
            break;
        if (*byte == 8 || *byte == 127) {
            // Also removes the bytes that continue its last character.
            while (line.size_ &&
                   (static_cast<unsigned char>(line.bytes_[line.size_ - 1]) & 0xC0) == 0x80)
                --line.size_;
            line.size_ -= line.size_ ? 1 : 0;
        } else if (*byte == 21) {  // Ctrl-U
            line.size_ = 0;
            fits = true;
        } else if (line.size_ < HiddenText::most) {
            line.bytes_[line.size_++] = *byte;
        } else {
            fits = false;
        }
    }
    (void)write_out("\n");
    return whole && fits;
}

}  // namespace gdvar::platform
