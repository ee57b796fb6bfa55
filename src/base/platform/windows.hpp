// What the windows_*.cpp files share: names in UTF-16, handles, errors.
// Room: platform, private.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// UTF-8 as UTF-16, and back. What is not valid becomes U+FFFD.
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
/// The whole path of what Windows takes that for: no dots and blanks at the end, `\\.\CON` for a
/// device. Empty if it takes it for nothing.
std::wstring full_path(const std::wstring& path);
/// A path as Windows' functions take it. A long one gets the prefix that lifts their limit.
std::wstring wide_path(const std::string& path);

/// The user's folder for files that others need not see.
std::string temporary_folder();
/// A program or script of that name, in the system's folders or on the user's path. Not in the
/// current folder, where Windows would look first: anybody may have put one there. Empty if there
/// is none.
std::wstring find_program(const std::wstring& name);

/// The number of <cerrno> for one of Windows' own.
int number_of(DWORD error) noexcept;
/// With GetLastError.
std::unexpected<SystemError> refuse_windows();

/// A handle that closes itself.
class Handle {
public:
    Handle() = default;
    explicit Handle(HANDLE handle) noexcept
        : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
    Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Handle() {
        if (handle_)
            ::CloseHandle(handle_);
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    HANDLE get() const noexcept { return handle_; }
    HANDLE release() noexcept { return std::exchange(handle_, nullptr); }

private:
    HANDLE handle_ = nullptr;
};

/// While it lives, a descriptor that is closed is an error of this thread's calls. The C library
/// would end the program.
class ClosedIsAnError {
public:
    ClosedIsAnError() noexcept;
    ~ClosedIsAnError();
    ClosedIsAnError(const ClosedIsAnError&) = delete;
    ClosedIsAnError& operator=(const ClosedIsAnError&) = delete;
    /// What the C library calls instead.
    static void ignore(const wchar_t*, const wchar_t*, const wchar_t*, unsigned, std::uintptr_t) {}

private:
    _invalid_parameter_handler before_;
};

/// The system's handle of a descriptor; INVALID_HANDLE_VALUE if it has none.
HANDLE handle_of(int descriptor) noexcept;
/// A descriptor that takes the handle over.
Result<Descriptor> descriptor_of(Handle handle);

/// Opens what has that name, for these rights; all others may read, write, rename and remove it.
/// `flags`: FILE_FLAG_OPEN_REPARSE_POINT does not follow a link.
Handle open_name(const std::wstring& path, DWORD access, DWORD flags = 0) noexcept;
Result<FileInfo> info_of(HANDLE handle);

/// What a console's handler returns once it has told the program to end. If the console goes,
/// Windows ends the program when the handler returns: it doesn't, as long as Windows allows.
BOOL taken_up(DWORD event) noexcept;
/// Gives the console back what hold_standard_files() has changed.
void restore_console() noexcept;

/// Rights for the user alone.
class OwnerOnly {
public:
    OwnerOnly();
    ~OwnerOnly();
    OwnerOnly(const OwnerOnly&) = delete;
    OwnerOnly& operator=(const OwnerOnly&) = delete;
    /// Null if the system does not say who the user is.
    SECURITY_ATTRIBUTES* get() noexcept { return descriptor_ ? &attributes_ : nullptr; }

private:
    void* descriptor_ = nullptr;
    SECURITY_ATTRIBUTES attributes_{};
};

}  // namespace gdvar::platform
