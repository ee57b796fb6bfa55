// Shared by all systems that have files.
#include <cerrno>
#include <thread>

#include "base/platform/child.hpp"
#include "base/platform/terminal.hpp"

namespace gdvar::platform {

std::unexpected<SystemError> refuse_last() {
    return refuse(errno);
}

void sleep(std::chrono::milliseconds time) {
    std::this_thread::sleep_for(time);
}

HiddenText::~HiddenText() {
    // Through a volatile pointer, so that the compiler does not leave it out.
    for (volatile char* at = bytes_; at != bytes_ + most; ++at)
        *at = 0;
}

Result<void> make_private_file(const std::string& path, ByteView bytes) {
    auto file = make_private(path);
    if (!file)
        return std::unexpected(file.error());
    if (auto written = write_all(file->get(), bytes); !written)
        return written;
    return file->close();
}

}  // namespace gdvar::platform
