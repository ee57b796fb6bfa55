#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform/terminal.hpp"

namespace gdvar::platform {

bool is_terminal(int descriptor) noexcept {
    return ::isatty(descriptor) != 0;
}

bool names_terminal(const std::string& path) noexcept {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0 || !S_ISCHR(info.st_mode))
        return false;
    const int device = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (device < 0)
        return false;
    const bool terminal = is_terminal(device);
    ::close(device);
    return terminal;
}

std::size_t terminal_columns(int descriptor) noexcept {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace gdvar::platform
