#include "base/platform/windows.hpp"

#include <aclapi.h>
#include <fcntl.h>
#include <io.h>
#include <sddl.h>

#include <cerrno>
#include <vector>

// MinGW's headers lack it.
extern "C" _invalid_parameter_handler __cdecl _set_thread_local_invalid_parameter_handler(
    _invalid_parameter_handler);

namespace gdvar::platform {

std::wstring wide(std::string_view text) {
    std::wstring out(text.size(), L'\0');
    const int size =
        text.empty() ? 0
                     : ::MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()),
                                             out.data(), static_cast<int>(out.size()));
    out.resize(static_cast<std::size_t>(size));
    return out;
}

std::string narrow(std::wstring_view text) {
    std::string out(text.size() * 3, '\0');
    const int size = text.empty() ? 0
                                  : ::WideCharToMultiByte(
                                        CP_UTF8, 0, text.data(), static_cast<int>(text.size()),
                                        out.data(), static_cast<int>(out.size()), nullptr, nullptr);
    out.resize(static_cast<std::size_t>(size));
    return out;
}

std::wstring full_path(const std::wstring& path) {
    const DWORD size = ::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
    std::wstring full(size, L'\0');
    full.resize(::GetFullPathNameW(path.c_str(), size, full.data(), nullptr));
    return full;
}

std::wstring wide_path(const std::string& path) {
    std::wstring out = wide(path);
    const std::wstring full = full_path(out);
    // Without the prefix, folders may have no more than 248 characters.
    constexpr std::size_t long_path = 240;
    if (full.size() < long_path || full.starts_with(L"\\\\?\\") || full.starts_with(L"\\\\.\\"))
        return out;
    if (full.starts_with(L"\\\\"))
        return L"\\\\?\\UNC\\" + full.substr(2);
    return L"\\\\?\\" + full;
}

int number_of(DWORD error) noexcept {
    constexpr struct {
        DWORD error;
        int number;
    } known[] = {
        {ERROR_INVALID_FUNCTION, ENOTSUP},
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_SUPPORTED, ENOTSUP},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_CALL_NOT_IMPLEMENTED, ENOTSUP},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_SEEK_ON_DEVICE, ESPIPE},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_OPERATION_ABORTED, EINTR},
        {ERROR_PRIVILEGE_NOT_HELD, EPERM},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
    };
    for (const auto& each : known)
        if (each.error == error)
            return each.number;
    return EIO;
}

std::unexpected<SystemError> refuse_windows() {
    return refuse(number_of(::GetLastError()));
}

ClosedIsAnError::ClosedIsAnError() noexcept
    : before_(::_set_thread_local_invalid_parameter_handler(ignore)) {}

ClosedIsAnError::~ClosedIsAnError() {
    ::_set_thread_local_invalid_parameter_handler(before_);
}

HANDLE handle_of(int descriptor) noexcept {
    if (descriptor < 0)
        return INVALID_HANDLE_VALUE;
    const ClosedIsAnError here;
    const auto handle = ::_get_osfhandle(descriptor);
    return handle == -2 ? INVALID_HANDLE_VALUE : reinterpret_cast<HANDLE>(handle);
}

Result<Descriptor> descriptor_of(Handle handle) {
    if (!handle)
        return refuse_windows();
    const int number =
        ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle.get()), _O_BINARY | _O_NOINHERIT);
    if (number < 0)
        return refuse_last();
    handle.release();
    return Descriptor(number);
}

Handle open_name(const std::wstring& path, DWORD access, DWORD flags) noexcept {
    return Handle(::CreateFileW(path.c_str(), access,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
}

namespace {

/// The user who runs this program. Empty if the system does not say.
std::vector<std::byte> user() {
    HANDLE token = nullptr;
    if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token))
        return {};
    const Handle held(token);
    DWORD size = 0;
    ::GetTokenInformation(token, TokenUser, nullptr, 0, &size);
    std::vector<std::byte> out(size);
    if (!::GetTokenInformation(token, TokenUser, out.data(), size, &size))
        return {};
    return out;
}

PSID sid_of(const std::vector<std::byte>& user) noexcept {
    return user.empty() ? nullptr : reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid;
}

/// True if a right of that user or group leaves the owner's privacy intact: the owner's own, the
/// system's and the administrators', who may read everything.
bool is_trusted(PSID sid, PSID owner, PSID own) noexcept {
    return (owner && ::EqualSid(sid, owner)) || (own && ::EqualSid(sid, own)) ||
           ::IsWellKnownSid(sid, WinLocalSystemSid) ||
           ::IsWellKnownSid(sid, WinBuiltinAdministratorsSid) ||
           ::IsWellKnownSid(sid, WinCreatorOwnerRightsSid);
}

bool gives_others_nothing(const ACL* list, PSID owner, PSID own) noexcept {
    if (!list)
        return false;  // everything, to everyone
    for (DWORD i = 0; i < list->AceCount; ++i) {
        void* entry = nullptr;
        if (!::GetAce(const_cast<ACL*>(list), i, &entry))
            return false;
        const auto* const head = static_cast<const ACE_HEADER*>(entry);
        if (head->AceType == ACCESS_DENIED_ACE_TYPE || (head->AceFlags & INHERIT_ONLY_ACE))
            continue;
        if (head->AceType != ACCESS_ALLOWED_ACE_TYPE)
            return false;
        auto* const allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
        if (allowed->Mask != 0 && !is_trusted(&allowed->SidStart, owner, own))
            return false;
    }
    return true;
}

void add_owner(HANDLE handle, FileInfo& to) {
    PSID owner = nullptr;
    ACL* list = nullptr;
    void* descriptor = nullptr;
    if (::GetSecurityInfo(handle, SE_FILE_OBJECT,
                          OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, nullptr,
                          &list, nullptr, &descriptor) != ERROR_SUCCESS)
        return;
    const std::vector<std::byte> me = user();
    const PSID own = sid_of(me);
    // Files that an administrator makes belong to the administrators' group.
    to.mine = owner && ((own && ::EqualSid(owner, own)) ||
                        ::IsWellKnownSid(owner, WinBuiltinAdministratorsSid));
    to.owner_only = gives_others_nothing(list, owner, own);
    ::LocalFree(descriptor);
}

bool is_link(HANDLE handle) noexcept {
    FILE_ATTRIBUTE_TAG_INFO tag{};
    return ::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK ||
            tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

}  // namespace

Result<FileInfo> info_of(HANDLE handle) {
    if (handle == nullptr || handle == INVALID_HANDLE_VALUE)
        return refuse(EBADF);
    FileInfo out;
    ::SetLastError(NO_ERROR);
    const DWORD type = ::GetFileType(handle);
    if (type == FILE_TYPE_UNKNOWN && ::GetLastError() != NO_ERROR)
        return refuse_windows();
    BY_HANDLE_FILE_INFORMATION found{};
    if (type != FILE_TYPE_DISK)
        return out;
    if (!::GetFileInformationByHandle(handle, &found))
        return refuse_windows();
    out.kind = is_link(handle)                                       ? FileKind::link
               : (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) ? FileKind::folder
                                                                     : FileKind::regular;
    out.device = found.dwVolumeSerialNumber;
    out.number = std::uint64_t{found.nFileIndexHigh} << 32 | found.nFileIndexLow;
    out.size = std::uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow;
    // In steps of 100 ns since 1601.
    const std::uint64_t time = std::uint64_t{found.ftLastWriteTime.dwHighDateTime} << 32 |
                               found.ftLastWriteTime.dwLowDateTime;
    constexpr std::int64_t from_1601_to_1970 = 11'644'473'600;
    out.seconds = static_cast<std::int64_t>(time / 10'000'000) - from_1601_to_1970;
    out.nanoseconds = static_cast<std::int64_t>(time % 10'000'000) * 100;
    add_owner(handle, out);
    return out;
}

OwnerOnly::OwnerOnly() {
    const std::vector<std::byte> me = user();
    wchar_t* text = nullptr;
    if (!sid_of(me) || !::ConvertSidToStringSidW(sid_of(me), &text))
        return;
    // Nothing is inherited. OICI: new files in such a folder get the same rights.
    const std::wstring rights = L"D:P(A;OICI;FA;;;" + std::wstring(text) + L")";
    ::LocalFree(text);
    if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(rights.c_str(), SDDL_REVISION_1,
                                                               &descriptor_, nullptr))
        attributes_ = {sizeof attributes_, descriptor_, FALSE};
}

OwnerOnly::~OwnerOnly() {
    if (descriptor_)
        ::LocalFree(descriptor_);
}

}  // namespace gdvar::platform
