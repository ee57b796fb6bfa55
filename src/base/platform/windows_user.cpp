#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <vector>

#include "base/platform/user.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {
namespace {

/// With slashes, as in all printed names.
std::string slashed(std::wstring_view path) {
    std::string out = narrow(path);
    std::ranges::replace(out, '\\', '/');
    return out;
}

/// Empty for a relative path, which would mean another folder in each program.
std::string whole_folder(std::wstring_view path) {
    std::string out = slashed(path);
    const bool whole = out.starts_with("//") || (out.size() > 2 && out[1] == ':' && out[2] == '/');
    return whole ? out : std::string();
}

std::wstring variable(const wchar_t* name) {
    const wchar_t* const value = ::_wgetenv(name);
    return value ? value : L"";
}

}  // namespace

std::string home_folder() {
    return whole_folder(variable(L"USERPROFILE"));
}

std::string settings_folder() {
    return whole_folder(variable(L"APPDATA"));
}

std::string temporary_folder() {
    wchar_t path[MAX_PATH + 1];
    const DWORD size = ::GetTempPathW(MAX_PATH + 1, path);
    if (size == 0 || size > MAX_PATH)
        return home_folder();
    std::string out = slashed({path, size});
    while (out.size() > 3 && out.back() == '/')
        out.pop_back();
    return out;
}

std::string private_folder() {
    return temporary_folder();
}

std::string making_private(const std::string& path) {
    // No variables: cmd.exe and PowerShell write them differently.
    std::string whole = path.starts_with("~/") ? home_folder() + path.substr(1) : path;
    std::ranges::replace(whole, '/', '\\');
    constexpr DWORD most = 256;  // as in UNLEN
    wchar_t user[most + 1] = {};
    DWORD size = most + 1;
    ::GetUserNameW(user, &size);
    return "icacls \"" + whole + "\" /inheritance:r /grant:r \"" + narrow(user) + ":F\"";
}

std::span<const char* const> usual_editors() noexcept {
    static constexpr const char* names[] = {"notepad"};
    return names;
}

bool has_program(const std::string& name) {
    return !find_program(wide(name)).empty();
}

std::wstring find_program(const std::wstring& name) {
    std::vector<wchar_t> room(32768);
    const auto most = static_cast<UINT>(room.size());
    std::wstring folders(room.data(), ::GetSystemDirectoryW(room.data(), most));
    folders += L';' + std::wstring(room.data(), ::GetWindowsDirectoryW(room.data(), most));
    folders += L';' + variable(L"PATH");
    for (const auto each : std::views::split(folders, L';'))
        for (const wchar_t* const ending : {L".com", L".exe", L".bat", L".cmd"}) {
            const std::wstring folder = wide(whole_folder(std::wstring_view(each)));
            const DWORD size = folder.empty() ? 0
                                              : ::SearchPathW(folder.c_str(), name.c_str(), ending,
                                                              most, room.data(), nullptr);
            if (size && size < most)
                return {room.data(), size};
        }
    return {};
}

}  // namespace gdvar::platform
