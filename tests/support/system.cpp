#include "support/system.hpp"

#include <cerrno>
#include <cstdlib>
#include <random>
#include <system_error>

#include "support/small_stack.hpp"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <windows.h>
// It needs windows.h.
#include <psapi.h>
#else
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace gdvar::test {

constexpr unsigned small_stack = 256 << 10;

#ifdef _WIN32

const char* const a_device = "NUL";

long peak_kilobytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
    return static_cast<long>(counters.PeakWorkingSetSize / 1024);
}

std::size_t open_things() {
    DWORD count = 0;
    ::GetProcessHandleCount(::GetCurrentProcess(), &count);
    return count;
}

std::array<int, 2> make_pipe() {
    std::array ends{-1, -1};
    (void)::_pipe(ends.data(), 4096, _O_BINARY | _O_NOINHERIT);
    return ends;
}

bool make_fifo(const std::string&) {
    return false;
}

bool has_links() {
    static const bool they_are = [] {
        std::error_code error;
        const auto link = std::filesystem::temp_directory_path() /
                          ("gdvar-link-" + std::to_string(std::random_device()()));
        std::filesystem::create_symlink("nothing", link, error);
        const bool made = !error && std::filesystem::is_symlink(link, error);
        std::filesystem::remove(link, error);
        return made;
    }();
    return they_are;
}

void on_small_stack(std::function<void()> work) {
    const auto run = [](void* what) -> unsigned {
        (*static_cast<std::function<void()>*>(what))();
        return 0;
    };
    const auto thread = reinterpret_cast<HANDLE>(::_beginthreadex(
        nullptr, small_stack, run, &work, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr));
    if (!thread)
        std::abort();
    ::WaitForSingleObject(thread, INFINITE);
    ::CloseHandle(thread);
}

#else

const char* const a_device = "/dev/zero";

long peak_kilobytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

std::size_t open_things() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

std::array<int, 2> make_pipe() {
    std::array ends{-1, -1};
    (void)!::pipe(ends.data());
    return ends;
}

bool make_fifo(const std::string& path) {
    if (::mkfifo(path.c_str(), 0600) != 0)
        throw std::system_error(errno, std::generic_category(), path);
    return true;
}

bool has_links() {
    return true;
}

void on_small_stack(std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, small_stack);
    const auto run = [](void* what) -> void* {
        (*static_cast<std::function<void()>*>(what))();
        return nullptr;
    };
    pthread_t thread;
    if (pthread_create(&thread, &attributes, run, &work) != 0)
        std::abort();
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

#endif

}  // namespace gdvar::test
