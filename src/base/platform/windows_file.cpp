#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/platform/resolved_path.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {

Descriptor::Descriptor(int number) noexcept : number_(number) {
    constexpr int last_standard = 2;
    if (number_ < 0 || number_ > last_standard)
        return;
    // Numbers of closed standard streams are skipped, and freed again afterwards: printed text must
    // not go into the file.
    int standard[last_standard + 1] = {number};
    int count = 1;
    number_ = -1;
    const HANDLE self = ::GetCurrentProcess();
    HANDLE other = nullptr;
    while (
        number_ < 0 && count <= last_standard + 1 &&
        ::DuplicateHandle(self, handle_of(number), self, &other, 0, FALSE, DUPLICATE_SAME_ACCESS)) {
        const int next =
            ::_open_osfhandle(reinterpret_cast<std::intptr_t>(other), _O_BINARY | _O_NOINHERIT);
        if (next > last_standard)
            number_ = next;
        else if (next >= 0 && count <= last_standard)
            standard[count++] = next;
        else
            break;
    }
    while (count > 0)
        platform::close(standard[--count]);
}

Descriptor::~Descriptor() {
    if (number_ >= 0)
        platform::close(number_);
}

Result<void> Descriptor::close() noexcept {
    const ClosedIsAnError here;
    if (::_close(release()) != 0)
        return refuse_last();
    return {};
}

Result<FileInfo> info_of(const std::string& path) {
    // The name of standard input on other systems; Windows lacks it.
    if (path == "/dev/stdin")
        return info_of(::GetStdHandle(STD_INPUT_HANDLE));
    const Handle file = open_name(wide_path(path), FILE_READ_ATTRIBUTES | READ_CONTROL);
    return file ? info_of(file.get()) : refuse_windows();
}

Result<FileInfo> info_of(int descriptor) {
    return info_of(handle_of(descriptor));
}

Result<FileInfo> info_of_name(const std::string& path) {
    const Handle file = open_name(wide_path(path), FILE_READ_ATTRIBUTES | READ_CONTROL,
                                  FILE_FLAG_OPEN_REPARSE_POINT);
    return file ? info_of(file.get()) : refuse_windows();
}

void remove_name(const std::string& path) noexcept {
    ::DeleteFileW(wide_path(path).c_str());
}

Result<void> may_write(const std::string& path) {
    const std::wstring name = wide_path(path);
    const DWORD attributes = ::GetFileAttributesW(name.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return refuse_windows();
    const bool folder = attributes & FILE_ATTRIBUTE_DIRECTORY;
    if (!folder && (attributes & FILE_ATTRIBUTE_READONLY))
        return refuse(EACCES);
    // The attribute means nothing for a folder.
    const Handle file = open_name(name, folder ? FILE_ADD_FILE : FILE_WRITE_DATA);
    if (!file)
        return refuse_windows();
    return {};
}

namespace {

Result<int> released(Result<Descriptor> opened) {
    if (!opened)
        return std::unexpected(opened.error());
    return opened->release();
}

}  // namespace

Result<int> open_to_read(const std::string& path) {
    Handle file = open_name(wide_path(path), GENERIC_READ);
    // Without the flag for folders, Windows refuses to open them.
    if (const auto info = file ? info_of(file.get()) : refuse(EIO);
        info && info->kind == FileKind::folder)
        return refuse(EISDIR);
    return released(descriptor_of(std::move(file)));
}

Result<int> open_to_write(const std::string& path) {
    return released(descriptor_of(open_name(wide_path(path), GENERIC_WRITE)));
}

Result<Descriptor> make_private(const std::string& path) {
    OwnerOnly rights;
    return descriptor_of(Handle(::CreateFileW(
        wide_path(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, rights.get(),
        CREATE_NEW, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr)));
}

Result<int> make_nameless(const std::string& folder) {
    // The file has a name while it is open, but nobody else can open it.
    OwnerOnly rights;
    const std::string in = folder.empty() ? temporary_folder() : folder;
    const std::string name =
        in + (in.ends_with('\\') || in.ends_with('/') ? "" : "\\") + temporary_name("gdvar");
    return released(descriptor_of(Handle(::CreateFileW(
        wide_path(name).c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_DELETE,
        rights.get(), CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr))));
}

void close(int descriptor) noexcept {
    const ClosedIsAnError here;
    ::_close(descriptor);
}

namespace {

bool is_console(HANDLE handle) noexcept {
    DWORD mode = 0;
    return ::GetConsoleMode(handle, &mode) != 0;
}

/// ReadFile gives typed text in another code page, or nothing. Ctrl-Z is the end.
Result<std::size_t> read_console(HANDLE console, std::span<std::byte> to) {
    // A UTF-16 unit takes up to three bytes.
    wchar_t typed[1024];
    const auto most = static_cast<DWORD>(std::min(std::size(typed), to.size() / 3));
    DWORD size = 0;
    if (most == 0)
        return refuse(EINVAL);
    if (!::ReadConsoleW(console, typed, most, &size, nullptr))
        return refuse_windows();
    constexpr wchar_t end = 26;
    if (size && typed[0] == end)
        return 0;
    const std::string text = narrow({typed, size});
    std::memcpy(to.data(), text.data(), text.size());
    return text.size();
}

DWORD at_once(std::size_t size) noexcept {
    return static_cast<DWORD>(std::min<std::size_t>(size, 1u << 30));
}

/// A pipe whose writer is gone is at its end.
Result<std::size_t> read_into(HANDLE file, std::span<std::byte> to, OVERLAPPED* where) {
    DWORD size = 0;
    if (::ReadFile(file, to.data(), at_once(to.size()), &size, where))
        return size;
    const DWORD error = ::GetLastError();
    if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF)
        return 0;
    return refuse(platform::number_of(error));
}

}  // namespace

Result<std::size_t> read(int descriptor, std::span<std::byte> to) {
    const HANDLE file = handle_of(descriptor);
    if (file == INVALID_HANDLE_VALUE)
        return refuse(EBADF);
    return is_console(file) ? read_console(file, to) : read_into(file, to, nullptr);
}

Result<std::size_t> read_at(int descriptor, std::span<std::byte> to, std::uint64_t offset) {
    const HANDLE file = handle_of(descriptor);
    // Windows moves the position, which others use.
    const auto here = position(descriptor);
    if (!here)
        return std::unexpected(here.error());
    OVERLAPPED where{};
    where.Offset = static_cast<DWORD>(offset);
    where.OffsetHigh = static_cast<DWORD>(offset >> 32);
    const auto got = read_into(file, to, &where);
    if (auto back = set_position(descriptor, *here); !back)
        return std::unexpected(back.error());
    return got;
}

Result<void> write_all(int descriptor, ByteView bytes) {
    const HANDLE file = handle_of(descriptor);
    if (file == INVALID_HANDLE_VALUE)
        return refuse(EBADF);
    while (!bytes.empty()) {
        DWORD size = 0;
        if (!::WriteFile(file, bytes.data(), at_once(bytes.size()), &size, nullptr))
            return refuse_windows();
        // A write of 0 bytes would be repeated forever.
        if (size == 0)
            return refuse(EIO);
        bytes = bytes.subspan(size);
    }
    return {};
}

Result<void> sync(int descriptor) {
    if (!::FlushFileBuffers(handle_of(descriptor)))
        return refuse_windows();
    return {};
}

namespace {

Result<std::int64_t> move_to(int descriptor, std::int64_t by, DWORD from) {
    const HANDLE file = handle_of(descriptor);
    if (file == INVALID_HANDLE_VALUE)
        return refuse(EBADF);
    if (::GetFileType(file) != FILE_TYPE_DISK)
        return refuse(ESPIPE);
    LARGE_INTEGER distance, there;
    distance.QuadPart = by;
    if (!::SetFilePointerEx(file, distance, &there, from))
        return refuse_windows();
    return there.QuadPart;
}

}  // namespace

Result<std::int64_t> position(int descriptor) {
    return move_to(descriptor, 0, FILE_CURRENT);
}

Result<void> set_position(int descriptor, std::int64_t position) {
    const auto there = move_to(descriptor, position, FILE_BEGIN);
    return there ? Result<void>() : std::unexpected(there.error());
}

Result<void> advance(int descriptor, std::int64_t bytes) {
    const auto there = move_to(descriptor, bytes, FILE_CURRENT);
    return there ? Result<void>() : std::unexpected(there.error());
}

Result<void> cut(int descriptor, std::uint64_t size) {
    if (auto there = set_position(descriptor, static_cast<std::int64_t>(size)); !there)
        return there;
    if (!::SetEndOfFile(handle_of(descriptor)))
        return refuse_windows();
    return {};
}

Result<LockResult> try_to_lock(int descriptor) {
    // A byte beyond any file: others may read and write the content.
    OVERLAPPED where{};
    where.Offset = 0xFFFF'FFFE;
    where.OffsetHigh = 0x7FFF'FFFF;
    if (::LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0,
                     1, 0, &where))
        return LockResult::taken;
    const DWORD error = ::GetLastError();
    if (error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING)
        return LockResult::held;
    // A file system without locks; the file is then opened without one.
    if (error == ERROR_INVALID_FUNCTION || error == ERROR_NOT_SUPPORTED)
        return LockResult::taken;
    return refuse(platform::number_of(error));
}

namespace {

UINT output_page_before = 0;

/// On Ctrl-C a program ends at once.
BOOL WINAPI restore_before_end(DWORD) {
    restore_console();
    return FALSE;
}

}  // namespace

void restore_console() noexcept {
    if (output_page_before)
        ::SetConsoleOutputCP(output_page_before);
}

bool hold_standard_files() noexcept {
    // A closed descriptor is then an error like others, and does not end the program.
    ::_set_invalid_parameter_handler(ClosedIsAnError::ignore);
    for (const int number : {0, 1, 2}) {
        if (handle_of(number) == INVALID_HANDLE_VALUE) {
            const int other = ::_open("NUL", (number == 0 ? _O_WRONLY : _O_RDONLY) | _O_BINARY);
            if (other != number && (::_dup2(other, number) != 0 || ::_close(other) != 0))
                return false;
        }
        ::_setmode(number, _O_BINARY);
        DWORD mode = 0;
        if (number != 0 && ::GetConsoleMode(handle_of(number), &mode)) {
            ::SetConsoleMode(handle_of(number), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            if (!output_page_before) {
                output_page_before = ::GetConsoleOutputCP();
                ::SetConsoleOutputCP(CP_UTF8);
                std::atexit(restore_console);
                ::SetConsoleCtrlHandler(restore_before_end, TRUE);
            }
        }
    }
    return true;
}

std::tm local_time(std::time_t time) noexcept {
    std::tm out{};
    ::localtime_s(&out, &time);
    return out;
}

}  // namespace gdvar::platform
