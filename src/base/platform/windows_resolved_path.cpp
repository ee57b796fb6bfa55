#include "base/platform/resolved_path.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <vector>

#include "base/platform/windows.hpp"

namespace gdvar::platform {
namespace {

constexpr std::string_view separators = "/\\";

std::string in_folder(const std::string& folder, const std::string& name) {
    if (folder.empty())
        return name;
    return separators.contains(folder.back()) || folder.back() == ':' ? folder + name
                                                                      : folder + '\\' + name;
}

/// The start of the last part: behind the last slash or the drive.
std::size_t last_part(std::string_view path) {
    const std::size_t slash = path.find_last_of(separators);
    if (slash != path.npos)
        return slash + 1;
    return path.size() > 1 && path[1] == ':' ? 2 : 0;
}

/// "" for a bare name, "C:" for one on a drive.
std::string folder_of(const std::string& path) {
    const std::size_t end = last_part(path);
    const bool cut = end > 1 && separators.contains(path[end - 1]) && path[end - 2] != ':';
    return path.substr(0, cut ? end - 1 : end);
}

/// The last part of a path as Windows understands it: without dots and blanks at its end. Errors:
/// EISDIR (none, `.` or `..`), ENOTSUP for a device such as CON, and for an alternate stream of a
/// file.
Result<std::string> taken_name(const std::string& path) {
    const std::string given = path.substr(last_part(path));
    const std::wstring full = full_path(wide(path));
    if (given.contains(':') || full.starts_with(L"\\\\.\\"))
        return refuse(ENOTSUP);
    const std::string taken = narrow(full.substr(full.rfind(L'\\') + 1));
    if (given.empty() || given == "." || given == ".." || taken.empty())
        return refuse(EISDIR);
    return taken;
}

/// Held open so that nobody can rename the folder, or one above it, meanwhile.
Result<Descriptor> hold(const std::wstring& path, DWORD flags = 0) {
    constexpr DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE;
    for (const DWORD access : {DWORD{FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES}, DWORD{0}}) {
        Handle folder(::CreateFileW(path.c_str(), access, share, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
        if (!folder && ::GetLastError() == ERROR_ACCESS_DENIED && access)
            continue;
        if (!folder)
            return refuse_windows();
        const auto info = info_of(folder.get());
        if (!info)
            return std::unexpected(info.error());
        if (info->kind != FileKind::folder)
            return refuse(ENOTDIR);
        return descriptor_of(std::move(folder));
    }
    return refuse(EACCES);
}

Result<Descriptor> open_folder(const std::string& folder) {
    // "C:" is the program's current folder on that drive.
    return hold(wide_path(folder.empty() ? "." : folder.back() == ':' ? folder + "." : folder));
}

/// The system's canonical path, with the prefix for long ones. Empty if there is none.
std::wstring final_path(HANDLE handle) {
    std::vector<wchar_t> path(512);
    for (;;) {
        const DWORD size = ::GetFinalPathNameByHandleW(
            handle, path.data(), static_cast<DWORD>(path.size()), FILE_NAME_NORMALIZED);
        if (size < path.size())
            return {path.data(), size};
        path.resize(size + 1);
    }
}

std::wstring path_in(const ResolvedPath& resolved, const std::string& name) {
    const std::wstring folder = final_path(handle_of(resolved.folder.get()));
    if (folder.empty())
        return wide_path(resolved.beside(name));
    return folder + (folder.ends_with(L'\\') ? L"" : L"\\") + wide(name);
}

/// The name at that path as its folder spells it, or would: with the real upper and lower case, not
/// the short name. Errors: those of taken_name.
Result<std::string> name_in(const std::string& path) {
    auto name = taken_name(path);
    const Handle file =
        open_name(wide_path(path), FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT);
    const std::string own = name && file ? narrow(final_path(file.get())) : "";
    return own.empty() ? name : own.substr(last_part(own));
}

/// For people, without the prefix.
std::string path_of(std::wstring_view path) {
    if (path.starts_with(L"\\\\?\\UNC\\"))
        return "\\\\" + narrow(path.substr(8));
    return narrow(path.starts_with(L"\\\\?\\") ? path.substr(4) : path);
}

/// Retries: another program, such as a virus scanner, may have the file open for a moment.
template <class Call>
Result<void> patiently(Call&& call) {
    constexpr int most_tries = 20;
    constexpr std::chrono::milliseconds pause{25};
    for (int tries = 1;; ++tries) {
        if (call())
            return {};
        const DWORD error = ::GetLastError();
        const bool may_pass = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED ||
                              error == ERROR_USER_MAPPED_FILE;
        if (!may_pass || tries == most_tries)
            return refuse(number_of(error));
        sleep(pause);
    }
}

Result<std::optional<FileInfo>> if_there(Result<FileInfo> info) {
    if (!info && info.error().number == ENOENT)
        return std::nullopt;
    if (!info)
        return std::unexpected(info.error());
    return *info;
}

}  // namespace

std::string ResolvedPath::beside(const std::string& other) const {
    return in_folder(folder_of(path), other);
}

Result<FileInfo> ResolvedPath::look_beside(const std::string& other) const {
    const Handle file = open_name(path_in(*this, other), FILE_READ_ATTRIBUTES | READ_CONTROL,
                                  FILE_FLAG_OPEN_REPARSE_POINT);
    return file ? info_of(file.get()) : refuse_windows();
}

Result<ResolvedPath> resolve_path(const std::string& path) {
    ResolvedPath resolved;
    resolved.path = path;
    auto name = name_in(path);
    if (!name)
        return std::unexpected(name.error());
    resolved.name = *std::move(name);
    const auto itself = if_there(info_of_name(path));
    if (!itself)
        return std::unexpected(itself.error());
    if (*itself && (*itself)->kind == FileKind::link) {
        const Handle target = open_name(wide_path(path), FILE_READ_ATTRIBUTES);
        if (!target)
            return refuse_windows();
        resolved.path = path_of(final_path(target.get()));
        if (resolved.path.empty())
            return refuse(ELOOP);
        resolved.name = resolved.path.substr(last_part(resolved.path));
    }
    auto folder = open_folder(folder_of(resolved.path));
    if (!folder)
        return std::unexpected(folder.error());
    resolved.folder = *std::move(folder);
    auto info = if_there(resolved.look());
    if (!info)
        return std::unexpected(info.error());
    if (*info && (*info)->kind == FileKind::link)
        return refuse(changed_meanwhile);
    resolved.info = *std::move(info);
    return resolved;
}

Result<ResolvedPath> resolve_below(const std::string& folder, const std::string& below) {
    auto top = open_folder(folder);
    if (!top)
        return std::unexpected(top.error());
    ResolvedPath resolved;
    resolved.folder = *std::move(top);
    resolved.path = in_folder(folder, below);
    for (std::size_t from = 0;;) {
        const std::size_t slash = below.find_first_of(separators, from);
        auto name = taken_name("./" + below.substr(from, slash - from));
        if (!name)
            return refuse(name.error().number == EISDIR ? EINVAL : name.error().number);
        resolved.name = *std::move(name);
        const bool last = slash == std::string::npos;
        const std::wstring here = path_in(resolved, resolved.name);
        if (!last && !::CreateDirectoryW(here.c_str(), nullptr) &&
            ::GetLastError() != ERROR_ALREADY_EXISTS)
            return refuse_windows();
        auto info = if_there(resolved.look());
        if (!info)
            return std::unexpected(info.error());
        if (*info && (*info)->kind == FileKind::link)
            return refuse(ELOOP);
        if (last) {
            resolved.info = *std::move(info);
            return resolved;
        }
        // A link that is put there after that look gives ENOTDIR.
        auto next = hold(here, FILE_FLAG_OPEN_REPARSE_POINT);
        if (!next)
            return std::unexpected(next.error());
        resolved.folder = *std::move(next);
        from = slash + 1;
    }
}

Result<ResolvedPath> folder_and_name(const std::string& path) {
    ResolvedPath resolved;
    resolved.path = path;
    auto name = name_in(path);
    if (!name)
        return std::unexpected(name.error());
    resolved.name = *std::move(name);
    auto folder = open_folder(folder_of(path));
    if (!folder)
        return std::unexpected(folder.error());
    resolved.folder = *std::move(folder);
    return resolved;
}

bool same_name(const ResolvedPath& a, const ResolvedPath& b) {
    const auto one = info_of(a.folder.get()), other = info_of(b.folder.get());
    return one && other && one->same_file(*other) &&
           ::CompareStringOrdinal(wide(a.name).c_str(), -1, wide(b.name).c_str(), -1, TRUE) ==
               CSTR_EQUAL;
}

Result<void> can_be_replaced(const ResolvedPath& resolved) {
    if (!resolved.info)
        return {};
    if (resolved.info->kind == FileKind::folder)
        return refuse(EISDIR);
    if (resolved.info->kind != FileKind::regular)
        return refuse(ENOTSUP);
    const std::wstring path = path_in(resolved, resolved.name);
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY))
        return refuse(EACCES);
    // Not DELETE: fopen elsewhere fails while a file is open for that.
    return patiently([&] {
        return static_cast<bool>(open_name(path, FILE_WRITE_DATA, FILE_FLAG_OPEN_REPARSE_POINT));
    });
}

std::string temporary_name(const std::string& name) {
    static std::atomic<unsigned> count{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    // The length of a file name is limited, so a long name is cut, at the start of a character.
    std::size_t size = std::min<std::size_t>(name.size(), 128);
    while (size < name.size() && size && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80)
        --size;
    return '.' + name.substr(0, size) + ".gdvar-" + std::to_string(::GetCurrentProcessId()) + '-' +
           std::to_string(now) + '-' + std::to_string(count++);
}

Result<Descriptor> make_file(const ResolvedPath& resolved, const std::string& name, unsigned mode) {
    OwnerOnly rights;
    // The open file can be renamed if all who open it allow that.
    return descriptor_of(Handle(::CreateFileW(
        path_in(resolved, name).c_str(),
        GENERIC_READ | GENERIC_WRITE | READ_CONTROL | WRITE_DAC | FILE_WRITE_ATTRIBUTES,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        mode == for_owner_alone ? rights.get() : nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
        nullptr)));
}

unsigned bits_for_copy_of(const std::string& source, const ResolvedPath&) {
    const auto from = info_of(source);
    return from && from->kind == FileKind::regular && from->owner_only ? for_owner_alone : for_all;
}

Result<Descriptor> open_file(const ResolvedPath& resolved, Access access) {
    const DWORD rights = access == Access::read    ? GENERIC_READ
                         : access == Access::write ? GENERIC_WRITE
                                                   : GENERIC_READ | GENERIC_WRITE;
    Handle file = open_name(path_in(resolved, resolved.name), rights | READ_CONTROL,
                            FILE_FLAG_OPEN_REPARSE_POINT);
    if (!file)
        return refuse_windows();
    const auto info = info_of(file.get());
    if (info && info->kind == FileKind::link)
        return refuse(ELOOP);
    return descriptor_of(std::move(file));
}

void remove(const ResolvedPath& resolved, const std::string& name) noexcept try {
    const std::wstring path = path_in(resolved, name);
    (void)patiently([&] { return ::DeleteFileW(path.c_str()) != 0; });
} catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the name stays
}

const std::chrono::milliseconds longest_absence{250};

Result<void> rename(const ResolvedPath& resolved, const std::string& from, const std::string& to) {
    const std::wstring target = path_in(resolved, to), source = path_in(resolved, from);
    // Each of the ways below has another error number for it.
    if (const DWORD there = ::GetFileAttributesW(target.c_str());
        there != INVALID_FILE_ATTRIBUTES && there & FILE_ATTRIBUTE_DIRECTORY)
        return refuse(EISDIR);
    // As in POSIX: replaces even an open file, whose users keep it.
    constexpr DWORD replace_as_posix = 0x1 | 0x2;  // FILE_RENAME_REPLACE_IF_EXISTS, POSIX_SEMANTICS
    constexpr auto rename_ex = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx
    std::vector<std::byte> room(sizeof(FILE_RENAME_INFO) + target.size() * sizeof(wchar_t));
    auto* const info = reinterpret_cast<FILE_RENAME_INFO*>(room.data());
    info->Flags = replace_as_posix;
    info->FileNameLength = static_cast<DWORD>(target.size() * sizeof(wchar_t));
    std::ranges::copy(target, info->FileName);
    return patiently([&] {
        if (const Handle file =
                open_name(source, DELETE | SYNCHRONIZE, FILE_FLAG_OPEN_REPARSE_POINT);
            file && ::SetFileInformationByHandle(file.get(), rename_ex, info,
                                                 static_cast<DWORD>(room.size())))
            return true;
        // For Wine and for file systems without that. The first call is atomic but refuses to
        // replace an open file; the second does not exist everywhere.
        return ::MoveFileExW(source.c_str(), target.c_str(),
                             MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 ||
               (::GetLastError() == ERROR_ACCESS_DENIED &&
                ::ReplaceFileW(target.c_str(), source.c_str(), nullptr,
                               REPLACEFILE_IGNORE_MERGE_ERRORS, nullptr, nullptr) != 0);
    });
}

Result<void> swap_names(const ResolvedPath&, const std::string&, const std::string&) {
    return refuse(EINVAL);
}

Result<void> add_name(const ResolvedPath& from, const ResolvedPath& to, const std::string& name) {
    if (!::CreateHardLinkW(path_in(to, name).c_str(), path_in(from, from.name).c_str(), nullptr))
        return refuse_windows();
    return {};
}

Result<void> sync_folder(const ResolvedPath&) {
    return {};
}

}  // namespace gdvar::platform
