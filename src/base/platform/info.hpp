// FileInfo from POSIX. For the posix_*.cpp files.
#pragma once

#include <sys/stat.h>

#include "base/platform/file.hpp"

namespace gdvar::platform {

FileInfo info_of(const struct stat& found) noexcept;

}  // namespace gdvar::platform
