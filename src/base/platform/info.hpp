// FileInfo from POSIX. For the posix_*.cpp files.
#pragma once

#include <sys/stat.h>

#include "base/platform/file.hpp"

namespace gdvar::platform {

FileInfo info_of(const struct stat& found) noexcept;

/// The result of a call that returns 0 if it succeeds.
inline Result<void> done(int returned) {
    if (returned != 0)
        return refuse_last();
    return {};
}

}  // namespace gdvar::platform
