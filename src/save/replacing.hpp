#pragma once

#include <chrono>

#include "base/platform/resolved_path.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "save/io.hpp"

namespace gdvar::save {

/// Takes the lock of EditLock for the file. Errors: io (ENOENT, EAGAIN, ...).
std::expected<platform::Descriptor, FileError> lock_file(const platform::ResolvedPath& resolved,
                                                         std::chrono::milliseconds wait);

inline FileStamp stamp_of(const platform::FileInfo& info) noexcept {
    return {info.device, info.number, info.size, info.seconds, info.nanoseconds};
}
inline std::expected<FileStamp, FileError> stamp_of(
    const platform::Result<platform::FileInfo>& info) {
    if (!info)
        return refuse_io(info.error());
    return stamp_of(*info);
}

}  // namespace gdvar::save
