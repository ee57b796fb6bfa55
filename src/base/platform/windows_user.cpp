#include <algorithm>
#include <cstdlib>

#include "base/platform/user.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {
namespace {

/// With slashes, as all names are printed.
std::string slashed(std::wstring_view path) {
    std::string out = narrow(path);
    std::ranges::replace(out, '\\', '/');
    return out;
}

/// A relative path there would mean another folder in each program.
std::string folder_in(const wchar_t* name) {
    const wchar_t* const value = ::_wgetenv(name);
    if (!value)
        return {};
    std::string out = slashed(value);
    const bool whole = out.starts_with("//") || (out.size() > 2 && out[1] == ':' && out[2] == '/');
    return whole ? out : std::string();
}

}  // namespace

std::string home_folder() {
    return folder_in(L"USERPROFILE");
}

std::string settings_folder() {
    return folder_in(L"APPDATA");
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
    const std::string whole = path.starts_with("~/") ? "%USERPROFILE%" + path.substr(1) : path;
    return "icacls \"" + whole + "\" /inheritance:r /grant:r \"%USERNAME%:F\"";
}

std::span<const char* const> usual_editors() noexcept {
    static constexpr const char* names[] = {"notepad"};
    return names;
}

bool has_program(const std::string& name) {
    return ::SearchPathW(nullptr, wide(name).c_str(), L".exe", 0, nullptr, nullptr) != 0;
}

}  // namespace gdvar::platform
