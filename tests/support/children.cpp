#include "support/children.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#else
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace gdvar::test {
namespace {

constexpr std::string_view as_child = "--gdvar-child";

std::vector<const ChildWork*>& all_works() {
    static std::vector<const ChildWork*> all;
    return all;
}

}  // namespace

ChildWork::ChildWork(const char* name, Work work) : name_(name), work_(work) {
    all_works().push_back(this);
}

int ChildWork::run(int count, char** words) {
    if (count != 5 || words[1] != as_child)
        return -1;
    for (const ChildWork* work : all_works())
        if (std::string_view(words[2]) == work->name())
            return (*work)(words[3], std::atoi(words[4])) ? 0 : 1;
    return 2;
}

Child::Child(Child&& other) noexcept : process_(std::exchange(other.process_, 0)) {}

Child::~Child() {
    if (process_)
        kill();
}

#ifdef _WIN32

Child::Child(const ChildWork& work, const std::string& path, int number) : process_(0) {
    char self[MAX_PATH];
    ::GetModuleFileNameA(nullptr, self, MAX_PATH);
    std::string line = '"' + std::string(self) + "\" " + std::string(as_child) + ' ' + work.name() +
                       " \"" + path + "\" " + std::to_string(number);
    STARTUPINFOA start{};
    start.cb = sizeof start;
    PROCESS_INFORMATION made{};
    if (!::CreateProcessA(nullptr, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr,
                          &start, &made))
        std::abort();
    ::CloseHandle(made.hThread);
    process_ = reinterpret_cast<std::intptr_t>(made.hProcess);
}

bool Child::succeeded() {
    const auto process = reinterpret_cast<HANDLE>(std::exchange(process_, 0));
    DWORD status = 1;
    ::WaitForSingleObject(process, INFINITE);
    ::GetExitCodeProcess(process, &status);
    ::CloseHandle(process);
    return status == 0;
}

void Child::kill() {
    ::TerminateProcess(reinterpret_cast<HANDLE>(process_), 9);
    (void)succeeded();
}

#else

Child::Child(const ChildWork& work, const std::string& path, int number) : process_(::fork()) {
    if (process_ == 0)
        ::_exit(work(path, number) ? 0 : 1);
    if (process_ < 0)
        std::abort();
}

bool Child::succeeded() {
    const auto process = static_cast<pid_t>(std::exchange(process_, 0));
    int status = 0;
    return ::waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

void Child::kill() {
    ::kill(static_cast<pid_t>(process_), SIGKILL);
    (void)succeeded();
}

#endif

}  // namespace gdvar::test
