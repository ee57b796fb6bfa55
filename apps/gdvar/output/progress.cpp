#include "output/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/platform/terminal.hpp"
#include "output/messages.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {
std::int64_t nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
}  // namespace

Progress::Progress(const std::string& name, std::uint64_t size)
    : name_(printable(name)),
      size_(size),
      start_(nanoseconds()),
      wanted_(platform::is_terminal(2) && size > (1 << 20) && !Captured::here()) {}

Progress::~Progress() {
    if (shown_)
        std::fputs("\r\x1b[K", stderr);
}

void Progress::at(std::uint64_t bytes) {
    // Reads the clock only from time to time.
    if (!wanted_ || ++calls_ % 64)
        return;
    const std::int64_t now = nanoseconds();
    if (now - start_ < 500'000'000 || now - last_ < 200'000'000)
        return;
    last_ = now;
    print(bytes, static_cast<double>(now - start_) / 1e9);
}

void Progress::print(std::uint64_t bytes, double seconds) {
    const double rate = static_cast<double>(bytes) / seconds;
    const double left = rate > 0 ? static_cast<double>(size_ - std::min(bytes, size_)) / rate : 0;
    std::fprintf(stderr, "\r\x1b[K%s: %.0f of %.0f MB, %.0f MB/s, %.0f s left", name_.c_str(),
                 static_cast<double>(bytes) / 1e6, static_cast<double>(size_) / 1e6, rate / 1e6,
                 left);
    std::fflush(stderr);
    shown_ = true;
}

}  // namespace gdvar::app
