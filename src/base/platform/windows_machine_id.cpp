#include "base/platform/machine_id.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {

std::string machine_id_origin() {
    return "the GUID of the hardware profile";
}

// The rule of OS_Windows::get_unique_id (Godot 3 and 4): the GUID of the hardware's profile, with
// its braces.
Result<std::string> machine_id(const std::string&) {
    HW_PROFILE_INFOW profile{};
    if (!::GetCurrentHwProfileW(&profile))
        return refuse_windows();
    return narrow(profile.szHwProfileGuid);
}

}  // namespace gdvar::platform
