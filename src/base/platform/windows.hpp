// Shared by the windows_*.cpp files: names in UTF-16, handles, errors.
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

/// UTF-8 to UTF-16, and back. Invalid parts become U+FFFD.
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
/// The full path as Windows understands it: no dots and blanks at the end, `\\.\CON` for a device.
/// Empty if it is not valid.
std::wstring full_path(const std::wstring& path);
/// A path for Windows' functions. A long one gets the prefix that lifts their limit.
std::wstring wide_path(const std::string& path);

std::string temporary_folder();
/// A program or script of that name, in the system's folders or on the user's path. Not in the
/// current folder, where Windows would look first: anybody may have put one there. Empty if there
/// is none.
std::wstring find_program(const std::wstring& name);

int number_of(DWORD error) noexcept;
std::unexpected<SystemError> refuse_windows();

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

/// While it lives, use of a closed descriptor is an error in this thread. By default the C library
/// ends the program.
class ClosedIsAnError {
public:
    ClosedIsAnError() noexcept;
    ~ClosedIsAnError();
    ClosedIsAnError(const ClosedIsAnError&) = delete;
    ClosedIsAnError& operator=(const ClosedIsAnError&) = delete;
    static void ignore(const wchar_t*, const wchar_t*, const wchar_t*, unsigned, std::uintptr_t) {}

private:
    _invalid_parameter_handler before_;
};

HANDLE handle_of(int descriptor) noexcept;
Result<Descriptor> descriptor_of(Handle handle);

/// Opens a name with these rights; others may read, write, rename and remove it. `flags`:
/// FILE_FLAG_OPEN_REPARSE_POINT does not follow a link.
Handle open_name(const std::wstring& path, DWORD access, DWORD flags = 0) noexcept;
Result<FileInfo> info_of(HANDLE handle);

/// The result of a console handler that has told the program to end. When a console closes, Windows
/// ends the program as soon as the handler returns, so it waits as long as Windows allows.
BOOL taken_up(DWORD event) noexcept;
/// Undoes the changes of hold_standard_files() to the console.
void restore_console() noexcept;

class OwnerOnly {
public:
    OwnerOnly();
    ~OwnerOnly();
    OwnerOnly(const OwnerOnly&) = delete;
    OwnerOnly& operator=(const OwnerOnly&) = delete;
    /// Null if the system does not name the user.
    SECURITY_ATTRIBUTES* get() noexcept { return descriptor_ ? &attributes_ : nullptr; }

private:
    void* descriptor_ = nullptr;
    SECURITY_ATTRIBUTES attributes_{};
};

}  // namespace gdvar::platform
