#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cwctype>
#include <new>
#include <random>
#include <vector>

#include "base/platform/child.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {
namespace {

std::atomic<int> taken{0};           ///< the user's request while it was held back
std::atomic<bool> for_child{false};  ///< Ctrl-C is for the running program

/// Called in a thread of its own.
BOOL WINAPI take(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        taken = SIGTERM;
    else if (!for_child)
        taken = SIGINT;
    return taken_up(event);
}

}  // namespace

struct HeldSignals::Kept {};

const bool runs_programs = true;

HeldSignals::HeldSignals() noexcept : kept_(new(std::nothrow) Kept) {
    ::SetConsoleCtrlHandler(take, TRUE);
}

HeldSignals::~HeldSignals() {
    ::SetConsoleCtrlHandler(take, FALSE);
    delete kept_;
}

Result<HeldSignals::Waited> HeldSignals::to_read(int) noexcept {
    // The reader waits; Ctrl-C ends that.
    return Waited{taken.exchange(0)};
}

namespace {

/// This program's environment without the variables of these names, as CreateProcessW takes it.
std::vector<wchar_t> environment_without(std::span<const std::string_view> names) {
    std::vector<wchar_t> out;
    wchar_t* const all = ::GetEnvironmentStringsW();
    for (const wchar_t* at = all; at && *at; at += std::wstring_view(at).size() + 1) {
        const std::wstring_view variable(at);
        // A name may begin with "=": the folders of the drives.
        const std::string name = narrow(variable.substr(0, variable.find(L'=', 1)));
        const bool hidden = std::ranges::any_of(names, [&](std::string_view each) {
            return ::CompareStringOrdinal(wide(each).c_str(), -1, wide(name).c_str(), -1, TRUE) ==
                   CSTR_EQUAL;
        });
        if (!hidden)
            out.insert(out.end(), at, at + variable.size() + 1);
    }
    ::FreeEnvironmentStringsW(all);
    out.push_back(L'\0');
    out.push_back(L'\0');
    return out;
}

/// A command line, with the full path of its program if only a name was given.
struct Command {
    explicit Command(std::wstring given) : line(std::move(given)) {
        const std::size_t from = std::min(line.find_first_not_of(L" \t"), line.size());
        const std::size_t quote = line[from] == L'"';
        const std::size_t end =
            std::min(line.find_first_of(quote ? L"\"" : L" \t", from + 1), line.size());
        std::wstring program = line.substr(from + quote, end - from - quote);
        if (program.find_first_of(L"/\\:") == program.npos) {
            program = find_program(program);
            if (!program.empty())
                line.replace(0, end + quote, L'"' + program + L'"');
        }
        std::ranges::transform(program, program.begin(), ::towlower);
        for_shell = program.empty() || program.ends_with(L".bat") || program.ends_with(L".cmd");
    }

    std::wstring line;
    bool for_shell;  ///< a script, or a command of cmd.exe
};

/// `program`: its path; else the line's first word is used.
bool start(const wchar_t* program, std::wstring line, std::vector<wchar_t>& variables,
           PROCESS_INFORMATION& out) {
    STARTUPINFOW how{};
    how.cb = sizeof how;
    return ::CreateProcessW(program, line.data(), nullptr, nullptr, TRUE,
                            CREATE_UNICODE_ENVIRONMENT, variables.data(), nullptr, &how, &out) != 0;
}

/// Runs the line by cmd.exe, which finds scripts such as code.cmd. It would expand percent signs in
/// the file's path as variables, and looks for programs in the current folder unless told not to.
bool start_by_shell(const std::wstring& line, const std::wstring& file,
                    std::vector<wchar_t> variables, PROCESS_INFORMATION& out) {
    for (const std::wstring& more :
         {L"GDVAR_EDITED=" + file, std::wstring(L"NoDefaultCurrentDirectoryInExePath=1")})
        variables.insert(variables.begin(), more.c_str(), more.c_str() + more.size() + 1);
    return start(find_program(L"cmd.exe").c_str(),
                 L"cmd.exe /d /v:off /s /c \"" + line + L" \"%GDVAR_EDITED%\"\"", variables, out);
}

}  // namespace

Result<HeldSignals::Ended> HeldSignals::run(const std::string& line, const std::string& word,
                                            std::span<const std::string_view> hidden) noexcept try {
    std::vector<wchar_t> variables = environment_without(hidden);
    const Command command(wide(line));
    // Some programs take a slash for an option. File names can't hold a quote.
    std::wstring file = wide(word);
    std::ranges::replace(file, L'/', L'\\');
    PROCESS_INFORMATION child{};
    const bool started = !command.for_shell &&
                         start(nullptr, command.line + L" \"" + file + L"\"", variables, child);
    if (!started && !start_by_shell(command.line, file, std::move(variables), child))
        return refuse_windows();
    const Handle process(child.hProcess), thread(child.hThread);
    for_child = true;
    ::WaitForSingleObject(process.get(), INFINITE);
    for_child = false;
    DWORD code = 0;
    if (!::GetExitCodeProcess(process.get(), &code))
        return refuse_windows();
    Ended out;
    out.exit_code = static_cast<int>(code);
    out.interrupted = taken.exchange(0);
    return out;
} catch (const std::bad_alloc&) {
    return refuse(ENOMEM);
}

void end_by(int) noexcept {
    restore_console();
    // The exit code of a program that Ctrl-C ends.
    ::ExitProcess(0xC000'013A);
}

Result<std::string> make_private_folder(const std::string& parent, const std::string& begins) {
    OwnerOnly rights;
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device system;
    constexpr int most_tries = 100;
    for (int tries = 0; tries < most_tries; ++tries) {
        std::string path = parent + "/" + begins;
        for (int i = 0; i < 8; ++i)
            path += letters[system() % letters.size()];
        if (::CreateDirectoryW(wide_path(path).c_str(), rights.get()))
            return path;
        if (::GetLastError() != ERROR_ALREADY_EXISTS)
            return refuse_windows();
    }
    return refuse(EEXIST);
}

namespace {

/// `share`: the access that others keep. Started programs inherit the handle.
Handle open_folder_itself(const std::string& path, DWORD share, bool for_children) {
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, for_children};
    return Handle(::CreateFileW(
        wide_path(path).c_str(), FILE_LIST_DIRECTORY | READ_CONTROL, share, &inherited,
        OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
}

}  // namespace

// Folders have no locks: an exclusive open shows whether anybody has it open.
Result<Descriptor> hold_folder(const std::string& path) {
    if (!is_left_folder(path))
        return refuse(EAGAIN);
    return descriptor_of(
        open_folder_itself(path, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, true));
}

bool is_left_folder(const std::string& path) noexcept try {
    const Handle folder = open_folder_itself(path, 0, false);
    const auto info = folder ? info_of(folder.get()) : refuse(ENOENT);
    return info && info->kind == FileKind::folder && info->mine && info->owner_only;
} catch (const std::bad_alloc&) {
    return false;
}

}  // namespace gdvar::platform
