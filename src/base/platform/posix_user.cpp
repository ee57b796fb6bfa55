#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/platform/file.hpp"
#include "base/platform/user.hpp"

namespace gdvar::platform {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// A relative path would mean another folder in each program, so it counts as unset.
std::string folder_in(const char* name) {
    const std::string value = variable(name);
    return value.starts_with('/') ? value : "";
}

bool can_run(const std::string& path) noexcept {
    struct stat found{};
    return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string home_folder() {
    return folder_in("HOME");
}

std::string settings_folder() {
    const std::string own = folder_in("XDG_CONFIG_HOME"), home = home_folder();
    return !own.empty() || home.empty() ? own : home + "/.config";
}

std::string private_folder() {
    std::string session = folder_in("XDG_RUNTIME_DIR");
    const std::string temporary = folder_in("TMPDIR");
    if (!session.empty())
        if (const auto info = info_of(session);
            info && info->kind == FileKind::folder && info->mine && info->owner_only)
            return session;
    return temporary.empty() ? "/tmp" : temporary;
}

std::string making_private(const std::string& path) {
    return "chmod 600 " + path;
}

std::span<const char* const> usual_editors() noexcept {
    static constexpr const char* names[] = {"sensible-editor", "nano", "vi"};
    return names;
}

bool has_program(const std::string& name) {
    std::string rest = variable("PATH");
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end && can_run(rest.substr(0, end) + "/" + name))
            return true;
        rest.erase(0, end + 1);
    }
    return false;
}

}  // namespace gdvar::platform
