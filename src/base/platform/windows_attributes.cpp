#include <aclapi.h>

#include "base/platform/attributes.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {
namespace {

Result<void> copy_rights(HANDLE from, HANDLE to) {
    ACL* list = nullptr;
    void* descriptor = nullptr;
    const DWORD got = ::GetSecurityInfo(from, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr,
                                        nullptr, &list, nullptr, &descriptor);
    if (got != ERROR_SUCCESS)
        return refuse(number_of(got));
    SECURITY_DESCRIPTOR_CONTROL control = 0;
    DWORD revision = 0;
    ::GetSecurityDescriptorControl(descriptor, &control, &revision);
    // Rights inherited from the folder stay inherited.
    const SECURITY_INFORMATION inherits = control & SE_DACL_PROTECTED
                                              ? PROTECTED_DACL_SECURITY_INFORMATION
                                              : UNPROTECTED_DACL_SECURITY_INFORMATION;
    const DWORD set = ::SetSecurityInfo(to, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION | inherits,
                                        nullptr, nullptr, list, nullptr);
    ::LocalFree(descriptor);
    if (set != ERROR_SUCCESS)
        return refuse(number_of(set));
    return {};
}

}  // namespace

Result<void> copy_attributes(int from, int to) {
    FILE_BASIC_INFO info{};
    if (!::GetFileInformationByHandleEx(handle_of(from), FileBasicInfo, &info, sizeof info))
        return refuse_windows();
    if (auto rights = copy_rights(handle_of(from), handle_of(to)); !rights)
        return rights;
    // 0: the time stays unchanged. Only the time of creation is taken from the old file.
    info.LastAccessTime.QuadPart = info.LastWriteTime.QuadPart = info.ChangeTime.QuadPart = 0;
    if (!::SetFileInformationByHandle(handle_of(to), FileBasicInfo, &info, sizeof info))
        return refuse_windows();
    return {};
}

}  // namespace gdvar::platform
